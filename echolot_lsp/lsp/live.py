"""``checkLive``: the list that the running server really sends, checked; its findings land on the source or the configuration.

Nothing is started by opening anything: only this command starts a process, and only after the person agreed to that very command
line in that very workspace, once. An untrusted workspace never starts one.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from echolot_lsp.errors import LiveError, UsageError
from echolot_lsp.lsp import following
from echolot_lsp.lsp.commands import Argument, answer
from echolot_lsp.lsp.consent import agreed
from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.live_targets import Wanted, target_of
from echolot_lsp.lsp.progress import Cancelled, shown
from echolot_lsp.lsp.server import EcholotServer

if TYPE_CHECKING:
    from echolot_lsp.extract.live import Listing, Target
    from echolot_lsp.extract.live.agreed import Agreements
    from echolot_lsp.lsp.reading import Reading
    from echolot_lsp.model import Report, Server, Source


def register(server: EcholotServer) -> None:
    """Registers the command; what was checked once is checked again on save, where the settings say so."""
    server.on_command("checkLive", check_live)
    following.register(server, check_quietly)


async def check_live(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """Starts or asks the server, and answers with its report as Markdown."""
    from echolot_lsp.files import Disk

    wanted = await target_of(ls, _again(ls, argument), Disk(ls.session.documents.buffers()))
    await _consent(ls, wanted.target)
    listing = await _listing(ls, wanted)
    report = await taken(ls, wanted, listing)
    return await answer(ls, argument, await asyncio.to_thread(_answer, report, listing))


async def check_quietly(ls: EcholotServer, argument: Argument) -> None:
    """Checks once more what was agreed to before; asks nobody, and does nothing where that would be needed."""
    from echolot_lsp.files import Disk

    wanted = await target_of(ls, argument, Disk(ls.session.documents.buffers()))
    if ls.options.get("trusted") is not False and _agreed(ls, wanted.target):
        listing = await _listing(ls, wanted)
        await taken(ls, wanted, listing)


async def _listing(ls: EcholotServer, wanted: Wanted) -> Listing:
    """What the server answers, with progress. Raises ``UsageError`` where the person cancels it there."""
    try:
        return await shown(ls, f"Checking {wanted.target.label}", lambda _: following.listing(ls, wanted, taken))
    except Cancelled:
        raise UsageError("The check was cancelled.") from None


async def taken(ls: EcholotServer, wanted: Wanted, listing: Listing) -> Report:
    """Publishes what is to be said of a listing, and keeps it for the card. Raises ``LiveError`` where there is no list."""
    from echolot_lsp.extract.live.server import live_server, placed, twin_of
    from echolot_lsp.files import Disk
    from echolot_lsp.lsp.judging import report_on
    from echolot_lsp.lsp.reading import Reading

    argument, target = wanted.argument, wanted.target
    uri = argument.get("uri")
    declared = twin_of(listing, target, _declared(ls), own=path_of(uri) if isinstance(uri, str) else None)
    elsewhere = _elsewhere(ls, declared)
    live = live_server(listing, target, declared=declared, place=wanted.place, sources=wanted.sources, elsewhere=elsewhere)
    if declared is None:
        roots = tuple(ls.session.roots) or (os.getcwd(),)
        live = await asyncio.to_thread(placed, live, roots, Disk(ls.session.documents.buffers()))
    settings = await asyncio.to_thread(ls.session.settings_of, uri)
    report = await asyncio.to_thread(report_on, live, settings)
    reading = Reading(target.label, (live,), (), (report,), sources=live.sources, about_mcp=True, settings=settings)
    ls.session.show_live(reading)
    if listing.failure is not None:
        raise LiveError(listing.failure.message)
    _keep(ls, argument, reading, target, wanted.sources)
    return report


def _again(ls: EcholotServer, argument: Argument) -> Argument:
    """What was asked when this live report was made, where that is what is to be made again."""
    uri, name = argument.get("uri"), argument.get("server")
    if argument.get("live") is not True or not isinstance(uri, str):
        return argument
    kept = ls.live.of(path_of(uri))
    named = [shown for shown in kept if shown.server.name == name] or kept
    return named[0].checked.argument if named and named[0].checked is not None else argument


def _keep(ls: EcholotServer, argument: Argument, reading: Reading, target: Target, configured: Mapping[str, Source]) -> None:
    """Keeps a live report for the documents that it was asked from, and has what they show drawn anew."""
    uri = argument.get("uri")
    documents = {*configured, *([path_of(uri)] if isinstance(uri, str) else [])}
    words = [os.path.join(target.folder or os.getcwd(), word) for word in target.command[1:]]
    ls.live.keep(reading, documents, argument, [path for path in words if os.path.isfile(path)])
    ls.changed({reading.path, *ls.live.documents(reading.path)}, True)


def _answer(report: Report, listing: Listing) -> dict[str, Any]:
    from echolot_lsp.render.markdown import render_markdown
    from echolot_lsp.render.report_json import report_json

    data = report_json([report])
    title = f"{report.server.name}, live"
    notes = []
    if listing.stable is False:
        notes.append("Listed twice, the tools came in another order: prompt caches depend on it, so sort them.")
    if listing.truncated:
        notes.append(f"The list does not end; the first {len(listing.tools)} tools were read.")
    text = render_markdown(data) + "".join(f"\n{note}\n" for note in notes)
    return {"title": title, "language": "markdown", "text": text, "servers": data["servers"]}


async def _consent(ls: EcholotServer, target: Target) -> None:
    """Asks before a process starts (or a server elsewhere is asked), once for this command line in this workspace."""
    import shlex

    if ls.options.get("trusted") is False:
        raise UsageError("Echolot starts no server in an untrusted workspace.")
    if _agreed(ls, target):
        return
    if target.transport == "stdio":
        what = f"Start this MCP server to list its tools?\n{shlex.join(target.command)}\nin {target.folder or os.getcwd()}"
        if target.environment:
            what += f"\nwith {', '.join(sorted(target.environment))} set"
        yes = "Start"
    else:
        what, yes = f"Ask the MCP server at {target.url} for its tools?", "Ask"
        if target.headers:
            what += f"\nIt is sent the headers {', '.join(sorted(target.headers))}."
    if not await agreed(ls, f"{what}\nNo tool is called. This is asked once for this workspace.", yes):
        raise UsageError("Nothing was started: that needs your yes.")
    _agreements().add(_key(ls, target))


def _agreed(ls: EcholotServer, target: Target) -> bool:
    return _agreements().holds(_key(ls, target))


def _agreements() -> Agreements:
    from echolot_lsp.extract.live.agreed import Agreements

    return Agreements.of_user(os.environ)


def _key(ls: EcholotServer, target: Target) -> str:
    """What a yes is remembered for: the exact command line or URL, its folder, what its environment holds, and the workspace."""
    import hashlib

    root = ls.session.roots[0] if ls.session.roots else os.getcwd()
    environment = sorted(target.environment.items())
    exact = json.dumps(
        [target.transport, list(target.command), target.url, target.folder, environment, sorted(target.headers), root]
    )
    return hashlib.sha256(exact.encode("utf-8")).hexdigest()


def _declared(ls: EcholotServer) -> list[Server]:
    return [server for reading in ls.session.readings.values() for server in reading.servers if server.origin == "python"]


def _elsewhere(ls: EcholotServer, declared: Server | None) -> int:
    """How many tools the file of a declared server registers on other objects."""
    servers = [server for reading in ls.session.readings.values() for server in reading.servers]
    return sum(
        len(server.tools) for server in servers if declared is not None and server is not declared and server.path == declared.path
    )
