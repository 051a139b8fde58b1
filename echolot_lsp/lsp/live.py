"""``checkLive``: the list that the running server really sends, checked; its findings land on the source or the configuration.

Nothing is started by opening anything: only this command starts a process, and only after the person agreed to that very command
line in that very workspace, once. An untrusted workspace never starts one.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from echolot_lsp.errors import LiveError, UsageError
from echolot_lsp.lsp.commands import Argument
from echolot_lsp.lsp.consent import agreed
from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.server import EcholotServer

if TYPE_CHECKING:
    from echolot_lsp.extract.live import Listing, Target
    from echolot_lsp.extract.live.configs import Entry
    from echolot_lsp.files import Files
    from echolot_lsp.lsp.reading import Reading
    from echolot_lsp.model import Report, Server, Source, Span

CONFIGS = (".vscode/mcp.json", ".mcp.json", "mcp.json", ".cursor/mcp.json")


def register(server: EcholotServer) -> None:
    """Registers the command."""
    server.on_command("checkLive", check_live)


async def check_live(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """Starts or asks the server, and answers with its report as Markdown."""
    from echolot_lsp.extract.live.run import list_live_async
    from echolot_lsp.extract.live.server import live_server
    from echolot_lsp.files import Disk
    from echolot_lsp.lsp.judging import report_on
    from echolot_lsp.lsp.reading import Reading

    argument = _again(ls, argument)
    files = Disk(ls.session.documents.buffers())
    target, place, sources = await _target(ls, argument, files)
    await _consent(ls, target)
    async with _progress(ls, f"Checking {target.label}"):
        listing = await list_live_async(target)
    declared = _twin(ls, argument, listing, target)
    elsewhere = _elsewhere(ls, declared)
    live = live_server(listing, target, declared=declared, place=place, sources=sources, elsewhere=elsewhere)
    if declared is None:
        live = await asyncio.to_thread(_placed, live, tuple(ls.session.roots) or (os.getcwd(),), files)
    settings = await asyncio.to_thread(ls.session.settings_of, argument.get("uri"))
    report = await asyncio.to_thread(report_on, live, settings)
    reading = Reading(target.label, (live,), (), (report,), sources=live.sources, about_mcp=True, settings=settings)
    ls.session.show_live(reading)
    if listing.failure is not None:
        raise LiveError(listing.failure.message)
    _keep(ls, argument, reading, target, sources)
    return await asyncio.to_thread(_answer, report, listing)


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


async def _target(ls: EcholotServer, argument: Argument, files: Files) -> tuple[Target, Span | None, dict[str, Source]]:
    import shlex

    from echolot_lsp.extract.live import Target

    url, command = argument.get("url"), argument.get("command")
    if isinstance(url, str):
        return Target(transport="http", url=url), None, {}
    if isinstance(command, (str, list)):
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
        return Target(transport="stdio", command=tuple(words), folder=_root(ls, argument)), None, {}
    entry, source = await asyncio.to_thread(_entry, ls, argument, files)
    if entry is not None:
        if entry.target is None:
            raise UsageError(entry.problem or f"{entry.name} cannot be started.")
        assert source is not None
        return entry.target, entry.place, {source.file: source}
    return _declared_target(ls, argument), None, {}


def _entry(ls: EcholotServer, argument: Argument, files: Files) -> tuple[Entry | None, Source | None]:
    """The configuration entry that is meant: named, in the document itself, or the only one that has the server's name."""
    from echolot_lsp.extract.live.configs import read_entries

    uri, name = argument.get("uri"), argument.get("entry") or argument.get("server")
    own = path_of(uri) if isinstance(uri, str) else None
    paths = [own] if own else []
    paths += [os.path.join(root, *config.split("/")) for root in ls.session.roots for config in CONFIGS]
    for path in dict.fromkeys(paths):
        found = read_entries(path, files, environment=os.environ, workspace=_root(ls, argument)) if path else None
        if found is None:
            continue
        named = [entry for entry in found.entries if entry.name == name]
        if named or (path == own and len(found.entries) == 1):
            return (named or list(found.entries))[0], found.source
        if path == own and argument.get("entry") is None and found.entries:
            raise UsageError(f"Say which server is meant: {', '.join(entry.name for entry in found.entries)}.")
    if argument.get("entry") is not None:
        raise UsageError(f"No configuration file here names a server {argument['entry']!r}.")
    return None, None


def _declared_target(ls: EcholotServer, argument: Argument) -> Target:
    """A Python file that makes a server is started with the project's own Python."""
    from echolot_lsp.extract.live import Target

    uri = argument.get("uri")
    shown = ls.session.servers(uri) if isinstance(uri, str) else []
    if not shown or shown[0].server.origin != "python" or shown[0].server.path is None:
        raise UsageError("Say which server is meant: open a file that declares one, or an mcp.json.")
    path = shown[0].server.path
    root = _root(ls, argument)
    python = next((program for folder in (os.path.dirname(path), root) if (program := _python_of(folder))), "python3")
    return Target(transport="stdio", command=(python, path), folder=root, name=shown[0].server.name)


def _python_of(folder: str) -> str | None:
    for name in (".venv", "venv"):
        for program in (os.path.join(folder, name, "bin", "python"), os.path.join(folder, name, "Scripts", "python.exe")):
            if os.path.isfile(program):
                return program
    return None


def _root(ls: EcholotServer, argument: Argument) -> str:
    uri = argument.get("uri")
    path = path_of(uri) if isinstance(uri, str) else None
    inside = [root for root in ls.session.roots if path and path.startswith(root.rstrip(os.sep) + os.sep)]
    if inside:
        return max(inside, key=len)
    return os.path.dirname(path) if path else next(iter(ls.session.roots), os.getcwd())


async def _consent(ls: EcholotServer, target: Target) -> None:
    """Asks before a process starts (or a server elsewhere is asked), once for this command line in this workspace."""
    import shlex

    if ls.options.get("trusted") is False:
        raise UsageError("Echolot starts no server in an untrusted workspace.")
    from echolot_lsp.extract.live.agreed import Agreements

    agreements = Agreements.of_user(os.environ)
    root = ls.session.roots[0] if ls.session.roots else os.getcwd()
    key = _key(target, root)
    if agreements.holds(key):
        return
    if target.transport == "stdio":
        what = f"Start this MCP server to list its tools?\n{shlex.join(target.command)}\nin {target.folder or os.getcwd()}"
        yes = "Start"
    else:
        what, yes = f"Ask the MCP server at {target.url} for its tools?", "Ask"
    if not await agreed(ls, f"{what}\nNo tool is called. This is asked once for this workspace.", yes):
        raise UsageError("Nothing was started: that needs your yes.")
    agreements.add(key)


def _key(target: Target, root: str) -> str:
    """What a yes is remembered for: the exact command line or URL, its folder, and the workspace."""
    import hashlib

    exact = json.dumps([target.transport, list(target.command), target.url, target.folder, sorted(target.environment), root])
    return hashlib.sha256(exact.encode("utf-8")).hexdigest()


def _twin(ls: EcholotServer, argument: Argument, listing: Listing, target: Target) -> Server | None:
    names = {entry.get("name") for entry in listing.tools if isinstance(entry, Mapping)}
    uri = argument.get("uri")
    own = path_of(uri) if isinstance(uri, str) else None
    servers: Sequence[Server] = [
        server for reading in ls.session.readings.values() for server in reading.servers if server.origin == "python"
    ]

    def likeness(server: Server) -> tuple[int, bool, bool]:
        common = len(names & {tool.name for tool in server.tools})
        return common, server.path == own, server.name in (listing.server_name, target.name)

    best = max(servers, key=likeness, default=None)
    return best if best is not None and any(likeness(best)) else None


def _elsewhere(ls: EcholotServer, declared: Server | None) -> int:
    """How many tools the file of a declared server registers on other objects."""
    servers = [server for reading in ls.session.readings.values() for server in reading.servers]
    return sum(
        len(server.tools) for server in servers if declared is not None and server is not declared and server.path == declared.path
    )


def _placed(server: Server, roots: Sequence[str], files: Files) -> Server:
    from echolot_lsp.extract.live.placement import place_names
    from echolot_lsp.model import Place, Places

    spans, sources = place_names([tool.name for tool in server.tools if tool.name], roots, files)
    tools = tuple(
        replace(tool, places=Places({("name",): Place(value=spans[tool.name])}), home=spans[tool.name])
        if tool.name in spans
        else tool
        for tool in server.tools
    )
    return replace(server, tools=tools, sources={**server.sources, **sources})


class _progress:
    """Work-done progress around a block, where the client shows it; cancelling it cancels the block."""

    def __init__(self, ls: EcholotServer, title: str) -> None:
        self._ls = ls
        self._title = title
        self._token: str | None = None

    async def __aenter__(self) -> None:
        window = self._ls.capabilities.window
        if not (window and window.work_done_progress):
            return
        self._token = f"echolot-live-{id(self)}"
        await self._ls.work_done_progress.create_async(self._token)
        self._ls.work_done_progress.begin(self._token, types.WorkDoneProgressBegin(title=self._title, cancellable=True))
        task = asyncio.current_task()
        waiting = self._ls.work_done_progress.tokens.get(self._token)
        if task is not None and waiting is not None:
            waiting.add_done_callback(lambda future: task.cancel() if future.cancelled() else None)

    async def __aexit__(self, *exception: object) -> None:
        if self._token is not None:
            self._ls.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
