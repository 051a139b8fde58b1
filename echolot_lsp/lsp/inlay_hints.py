"""Inlay hints: behind each tool what it costs; in its tooltip what it costs at each provider, and how that differs from git's HEAD.

The tooltip is made when it is asked for, where the client can ask. Elsewhere it comes with the hint, as far as HEAD is known by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.against_head import AgainstHead
from echolot_lsp.lsp.numbers import TITLES, dearest, shown_costs, tokens
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View

COUNTING_SECONDS = 30.0
"""For how long the answer waits for the numbers where the client cannot be told that they came in later."""


HEAD_SECONDS = 1.5
"""For how long a tooltip waits for the numbers of HEAD."""


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    head = AgainstHead(server)

    async def asked(ls: EcholotServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await inlay_hints(ls, params, head)

    async def resolved(ls: EcholotServer, hint: types.InlayHint) -> types.InlayHint:
        return await resolve(ls, hint, head)

    server.on(types.TEXT_DOCUMENT_INLAY_HINT, asked, types.InlayHintOptions(resolve_provider=True))
    server.on(types.INLAY_HINT_RESOLVE, resolved)


async def inlay_hints(ls: EcholotServer, params: types.InlayHintParams, head: AgainstHead) -> list[types.InlayHint] | None:
    """The hints of the lines that are asked for."""
    if not _asks_again(ls):
        with suppress(TimeoutError):
            async with asyncio.timeout(COUNTING_SECONDS):
                await ls.session.counted()
    view = ls.session.view(params.text_document.uri)
    if ls.session.editor_settings.get("inlayHints") is False or view is None:
        return None
    head.want(view)
    return hints(view, params.range.start.line, params.range.end.line, None if _resolves(ls) else head)


async def resolve(ls: EcholotServer, hint: types.InlayHint, head: AgainstHead) -> types.InlayHint:
    """A hint with its tooltip."""
    data: Mapping[str, Any] = hint.data if isinstance(hint.data, Mapping) else {}
    view = ls.session.view(str(data.get("uri")))
    if view is None:
        return hint
    work = head.want(view)
    if work is not None:
        await asyncio.wait([work], timeout=HEAD_SECONDS)
        view = ls.session.view(view.document.uri) or view
    for shown in view.servers:
        for index, tool in enumerate(shown.server.tools):
            if (shown.server.name, index, tool.name) == (data.get("server"), data.get("index"), data.get("tool")):
                hint.tooltip = _tooltip(shown, index, head.differences(view.path, shown).get(index))
    return hint


def _resolves(ls: EcholotServer) -> bool:
    text = ls.capabilities.text_document
    lazy = text.inlay_hint.resolve_support if text and text.inlay_hint else None
    return lazy is not None and "tooltip" in lazy.properties


def _asks_again(ls: EcholotServer) -> bool:
    workspace = ls.capabilities.workspace
    return bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)


def hints(view: View, first: int, last: int, head: AgainstHead | None = None) -> list[types.InlayHint]:
    """The hints from line ``first`` to line ``last``: at the end of the line that names the tool, or right behind the name
    where another tool is named on the same line. With tooltips where there is a ``head``, else with what ``resolve`` needs."""
    differences = {id(shown): head.differences(view.path, shown) for shown in view.servers} if head else {}
    places: list[tuple[int, Shown, int, int]] = []
    for shown, index, tool in view.tools():
        place = view.name_place(shown, tool)
        if place is not None:
            line = view.lines.position(place[1], "utf-32").line
            if first <= line <= last:
                places.append((line, shown, index, place[1]))
    crowded = [line for line, *_ in places]
    found: list[types.InlayHint] = []
    for line, shown, index, end in places:
        cost = dearest(shown)
        if cost is None or index >= len(cost.tools):
            continue
        if crowded.count(line) == 1:
            end = view.lines.starts[line] + len(view.lines.line(line))
        label = f"{tokens(cost.tools[index].tokens, cost.at_least and not _known(shown, index))} tokens"
        hint = types.InlayHint(position=view.position(end), label=label, padding_left=True)
        if head is None:
            tool = shown.server.tools[index]
            hint.data = {"uri": view.document.uri, "server": shown.server.name, "index": index, "tool": tool.name}
        else:
            hint.tooltip = _tooltip(shown, index, differences[id(shown)].get(index))
        found.append(hint)
    return found


def _known(shown: Shown, index: int) -> bool:
    return all(each.index not in (index, None) for each in shown.server.unresolved)


def _tooltip(shown: Shown, index: int, more: int | None) -> str:
    lines = [
        f"{TITLES[provider]}: {tokens(cost.tools[index].tokens)} tokens a turn ({cost.model})"
        for provider, cost in shown_costs(shown)
        if index < len(cost.tools)
    ]
    if more is not None:
        lines.append(f"{more:+,} token{'' if abs(more) == 1 else 's'} against HEAD".replace("-", "\N{MINUS SIGN}"))
    return "\n".join(lines)
