"""Inlay hints: behind each tool what it costs, in its tooltip what it costs at each provider."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from lsprotocol import types

from echolot_lsp.lsp.numbers import TITLES, dearest, shown_costs, tokens
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View

COUNTING_SECONDS = 30.0
"""For how long the answer waits for the numbers where the client cannot be told that they came in later."""


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    server.on(types.TEXT_DOCUMENT_INLAY_HINT, inlay_hints)


async def inlay_hints(ls: EcholotServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints of the lines that are asked for."""
    if not _asks_again(ls):
        with suppress(TimeoutError):
            async with asyncio.timeout(COUNTING_SECONDS):
                await ls.session.counted()
    view = ls.session.view(params.text_document.uri)
    if ls.session.editor_settings.get("inlayHints") is False:
        return None
    return None if view is None else hints(view, params.range.start.line, params.range.end.line)


def _asks_again(ls: EcholotServer) -> bool:
    workspace = ls.capabilities.workspace
    return bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)


def hints(view: View, first: int, last: int) -> list[types.InlayHint]:
    """The hints from line ``first`` to line ``last``: at the end of the line that names the tool, or right behind the name
    where another tool is named on the same line."""
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
        found.append(types.InlayHint(position=view.position(end), label=label, tooltip=_tooltip(shown, index), padding_left=True))
    return found


def _known(shown: Shown, index: int) -> bool:
    return all(each.index not in (index, None) for each in shown.server.unresolved)


def _tooltip(shown: Shown, index: int) -> str:
    lines = [
        f"{TITLES[provider]}: {tokens(cost.tools[index].tokens)} tokens a turn ({cost.model})"
        for provider, cost in shown_costs(shown)
        if index < len(cost.tools)
    ]
    return "\n".join(lines)
