"""Document symbols: each server with its tools."""

from __future__ import annotations

from lsprotocol import types

from echolot_lsp.lsp.numbers import dearest, tokens
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    server.on(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, document_symbols)


async def document_symbols(
    ls: EcholotServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The symbols of a document, nested where the client takes that."""
    view = ls.session.view(params.text_document.uri)
    if view is None:
        return None
    found = symbols(view)
    text = ls.capabilities.text_document
    if text and text.document_symbol and text.document_symbol.hierarchical_document_symbol_support:
        return found
    flat: list[types.SymbolInformation] = []
    for server in found:
        for each, container in [(server, None), *((tool, server.name) for tool in server.children or ())]:
            where = types.Location(uri=view.document.uri, range=each.selection_range)
            flat.append(types.SymbolInformation(name=each.name, kind=each.kind, location=where, container_name=container))
    return flat


def symbols(view: View) -> list[types.DocumentSymbol]:
    """Servers in the order in which they were found; a server's range spans all its tools here."""
    found: list[types.DocumentSymbol] = []
    for shown in view.servers:
        tools = [each for each in (_tool(view, shown, index) for index in range(len(shown.server.tools))) if each is not None]
        place = view.now(shown, shown.server.place)
        own = view.range(*place) if place is not None else (tools[0].selection_range if tools else None)
        if own is None:
            continue
        inside = [own, *(tool.range for tool in tools)]
        first = min((each.start.line, each.start.character) for each in inside)
        last = max((each.end.line, each.end.character) for each in inside)
        found.append(
            types.DocumentSymbol(
                name=shown.server.name or "MCP server",
                kind=types.SymbolKind.Module,
                detail=f"{len(shown.server.tools)} tool{'' if len(shown.server.tools) == 1 else 's'}",
                range=types.Range(start=types.Position(*first), end=types.Position(*last)),
                selection_range=own,
                children=tools,
            )
        )
    return found


def _tool(view: View, shown: Shown, index: int) -> types.DocumentSymbol | None:
    tool = shown.server.tools[index]
    name, home = view.name_place(shown, tool), view.now(shown, tool.home)
    if name is None or home is None:
        return None
    cost = dearest(shown)
    detail = f"{tokens(cost.tools[index].tokens)} tokens" if cost is not None and index < len(cost.tools) else ""
    start, end = min(home[0], name[0]), max(home[1], name[1])
    return types.DocumentSymbol(
        name=tool.name or "(name not known)",
        kind=types.SymbolKind.Function,
        detail=detail,
        range=view.range(start, end),
        selection_range=view.range(*name),
    )
