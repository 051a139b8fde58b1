"""The card "how a model sees this server": in the client's webview by messages, in a browser from 127.0.0.1."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from lsprotocol import types

from echolot_lsp.errors import UsageError
from echolot_lsp.lsp.commands import Argument, answer, target
from echolot_lsp.lsp.consent import asker
from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.live_reports import note, servers_of
from echolot_lsp.lsp.numbers import shown_costs
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import PROVIDERS, Report

if TYPE_CHECKING:
    from echolot_lsp.trial.page import PageHost
    from echolot_lsp.view import CardServer

T = TypeVar("T")


def register(server: EcholotServer) -> None:
    """Registers the commands; pages that are open in a browser follow the source."""
    server.on_command("openCard", open_card)
    server.on_command("cardMessage", card_message)
    server.on_command("copyMarkdown", copy_markdown)

    def follow(paths: Collection[str], numbers: bool) -> None:
        for (uri, live), page in server.cards.items():
            shown = servers_of(server, uri, live)
            if any(item.reading.path in paths for item in shown):
                server.background(redraw(page, shown))

    server.listeners.append(follow)


async def redraw(page: CardServer, shown: Collection[Shown]) -> None:
    """Shows a page the report as it is now."""
    page.show(await asyncio.to_thread(report_of, shown))


async def open_card(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """The page itself for a webview, or its address in a browser."""
    chosen = await target(ls, argument)
    uri, live = str(argument["uri"]), chosen.checked is not None
    shown = servers_of(ls, uri, live)
    title = f"{chosen.server.name}{', running,' if live else ''} as a model sees it"
    position = next((index for index, item in enumerate(shown) if item.server is chosen.server), 0)
    host = page_host(ls, chosen)
    able: tuple[Literal["try", "open", "checkLive"], ...] = ("try", "open", "checkLive") if live else ("try", "open")
    if argument.get("mode") == "webview":
        from echolot_lsp.render.html import render_card

        def page() -> str:
            return render_card(
                report_of(shown),
                mode="webview",
                nonce=str(argument.get("nonce") or ""),
                can=able,
                model=host.model,
                chosen=position,
            )

        return {"title": title, "language": "html", "text": await asyncio.to_thread(page)}
    card = ls.cards.get((uri, live))
    if card is None:
        from echolot_lsp.view import CardServer

        loop = asyncio.get_running_loop()

        def from_page(message: Mapping[str, Any], report: Mapping[str, Any]) -> Mapping[str, Any] | None:
            if message.get("type") == "checkLive":
                loop.call_soon_threadsafe(lambda: ls.background(check_again(ls, argument, live)))
                return None
            if message.get("type") == "open":
                loop.call_soon_threadsafe(lambda: ls.background(reveal(ls, uri, message, live)))
                return None
            from echolot_lsp.trial.page import tool_lists

            return host.answer(message, tool_lists(report))

        report = await asyncio.to_thread(report_of, shown)
        card = ls.cards[uri, live] = CardServer(report, from_page, can=able, model=host.model, chosen=position)
    return await answer(ls, argument, {"title": title, "uri": card.url})


async def card_message(ls: EcholotServer, argument: Argument) -> dict[str, Any] | None:
    """What a page in a webview is answered."""
    message = argument.get("message")
    if not isinstance(message, Mapping):
        raise UsageError("The page's message is missing.")
    uri, live = str(argument.get("uri")), argument.get("live") is True
    kind = message.get("type")
    if kind == "open":
        await reveal(ls, uri, message, live)
        return None
    if kind == "checkLive":
        await check_again(ls, argument, live)
    if kind in ("refresh", "checkLive"):
        await ls.session.at_rest()
        from echolot_lsp.render.html import card_message as drawn

        shown = servers_of(ls, uri, live)
        return await asyncio.to_thread(lambda: drawn(report_of(shown)))
    chosen = await target(ls, argument)
    host = page_host(ls, chosen)

    def answered() -> dict[str, Any] | None:
        from echolot_lsp.trial.page import tool_lists

        return host.answer(message, tool_lists(report_of(servers_of(ls, uri, live))))

    return await ended_with(host, answered)


async def ended_with(host: PageHost, work: Callable[[], T]) -> T:
    """``work`` in a thread; where whoever waits for it is cancelled, what the host has sent is ended too."""
    try:
        return await asyncio.to_thread(work)
    finally:
        host.abort.say()


async def check_again(ls: EcholotServer, argument: Argument, live: bool) -> None:
    """Asks the running server that a card shows once more."""
    from echolot_lsp.lsp.live import check_live

    await check_live(ls, {"uri": argument.get("uri"), "server": argument.get("server"), "live": live})


async def copy_markdown(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """The report of a server as Markdown."""
    chosen = await target(ls, argument)
    from echolot_lsp.render.markdown import render_markdown

    text = await asyncio.to_thread(lambda: render_markdown(report_of([chosen])))
    return {"title": f"{chosen.server.name} as a model sees it", "language": "markdown", "text": text}


async def reveal(ls: EcholotServer, uri: str, message: Mapping[str, Any], live: bool = False) -> None:
    """Shows a place of the report in the editor, where the client can be asked to."""
    window = ls.capabilities.window
    path = message.get("path")
    if not isinstance(path, str) or not (window and window.show_document and window.show_document.support):
        return
    if not os.path.isabs(path):
        path = os.path.join(os.path.dirname(path_of(uri)), path)
    if path not in {file for shown in servers_of(ls, uri, live) for file in shown.server.sources}:
        return  # a page may only lead to what it was drawn from
    place = message.get("range")
    selection = None
    if isinstance(place, Mapping):
        start, end = (types.Position(line=place[key]["line"], character=place[key]["character"]) for key in ("start", "end"))
        selection = types.Range(start=start, end=end)
    params = types.ShowDocumentParams(uri=ls.session.documents.uri(path), take_focus=True, selection=selection)
    await ls.window_show_document_async(params)


def report_of(shown: Collection[Shown]) -> dict[str, Any]:
    """The JSON report of what is known of some servers; of running ones with ``checked`` (see ``live_reports.note``)."""
    from echolot_lsp.render.report_json import report_json

    report = dict(report_json([judged(item) for item in shown]))
    for item, server in zip(shown, report["servers"], strict=True):
        if item.checked is not None:
            server["checked"] = note(item.checked)
    return report


def judged(shown: Shown) -> Report:
    """The report as pages show it: of the providers that the settings show, with each one's verdict, which nothing else of the editor
    needs. What settings and comments silence is refused all the same."""
    from echolot_lsp.verdict import verdicts

    settings, reading, report = shown.reading.settings, shown.reading, shown.report
    providers = PROVIDERS if settings is None else settings.providers
    known = report.verdicts
    if not known:
        pairs = zip(reading.servers, reading.raw, strict=False)
        raw = next((each for server, each in pairs if server is shown.server), report)
        known = verdicts([tool.wire for tool in shown.server.tools], raw.findings)
    return replace(report, costs=dict(shown_costs(shown)), verdicts={name: known[name] for name in known if name in providers})


def page_host(ls: EcholotServer, shown: Shown) -> PageHost:
    """What answers a page's trials: with the settings of its server, asking for consent in the editor."""
    from echolot_lsp.trial.consent import Consents
    from echolot_lsp.trial.page import PageHost
    from echolot_lsp.trial.run import Prompt

    settings = shown.reading.settings
    folder = settings.folder if settings is not None and settings.folder else (ls.session.roots[0] if ls.session.roots else ".")
    return PageHost(
        os.environ,
        os.path.abspath(folder),
        Consents.of_user(),
        ask=asker(ls),
        model=settings.trial_model if settings is not None else None,
        prompts=tuple(Prompt(saved.text, saved.expect) for saved in settings.prompts) if settings is not None else (),
    )
