"""Code lenses on a server object: how many tools, what they cost a turn, and what can be done with them."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.numbers import dearest, percent, tokens
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    server.on(types.TEXT_DOCUMENT_CODE_LENS, code_lenses, types.CodeLensOptions(resolve_provider=False))


async def code_lenses(ls: EcholotServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """The lenses of a document."""
    view = ls.session.view(params.text_document.uri)
    if view is not None:
        return lenses(view, bool(ls.options.get("commandLinks")), live=ls.options.get("trusted") is not False)
    from echolot_lsp.lsp import config_entries

    document = ls.session.documents.at(params.text_document.uri)
    return None if document is None else config_entries.lenses(ls, document) or None


def lenses(view: View, own_client: bool, *, live: bool = False) -> list[types.CodeLens]:
    """The lenses of every server with tools, or with a list that is made at run time. ``own_client``: our extension, whose commands
    show answers better; ``live``: a Python server may be started (after a yes)."""
    found: list[types.CodeLens] = []
    for shown in view.servers:
        place = view.now(shown, shown.server.place) if shown.server.place is not None else _top(view, shown)
        if place is None:
            continue
        where = view.range(*place)
        for title, name, more in _offered(shown, own_client, live and shown.server.origin == "python"):
            target = {"uri": view.document.uri, "server": shown.server.name, **more}
            found.append(types.CodeLens(range=where, command=command(title, name, target, own_client)))
    return found


def _offered(shown: Shown, own_client: bool, live: bool) -> list[tuple[str, str, dict[str, Any]]]:
    check: list[tuple[str, str, dict[str, Any]]] = [("Check the running server", "checkLive", {})] if live else []
    if not shown.server.tools:
        return check if any(part.index is None for part in shown.server.unresolved) else []
    return [
        (summary(shown), "openCard", {}),
        ("Provider JSON", "openProviderJson", {} if own_client else {"provider": "anthropic"}),
        *([("Try with a model", "tryWithModel", {})] if own_client else []),
        *check,
    ]


def summary(shown: Shown) -> str:
    """``12 tools · ≈2,310 tokens a turn · 1.2 % of 200k``; without the tokens while they are not known."""
    count = len(shown.server.tools)
    parts = [f"{count} tool{'' if count == 1 else 's'}"]
    cost = dearest(shown)
    if cost is not None:
        window = shown.report.window
        size = f"{window // 1000}k" if window % 1000 == 0 else f"{window:,}"
        parts += [f"{tokens(cost.total, cost.at_least)} tokens a turn", f"{percent(cost.total / window)} of {size}"]
    return " · ".join(parts)


def _top(view: View, shown: Shown) -> tuple[int, int] | None:
    return (0, 0) if shown.reading.path == view.path else None


def command(title: str, name: str, argument: dict[str, Any], own_client: bool) -> types.Command:
    """A command of the server; of our extension, whose commands show answers better, where that is the client."""
    prefix = "echolot" if own_client else "echolot.server"
    return types.Command(title=title, command=f"{prefix}.{name}", arguments=[argument])
