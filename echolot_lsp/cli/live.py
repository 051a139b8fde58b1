"""The running server as a source: ``--url``, ``--command``, ``--config FILE --entry NAME`` or the words after ``--``.

Naming one of them is the user's word that it may be started or asked. Where SOURCEs are given too, they declare the server: its
findings land on them, and what differs is told.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from echolot_lsp.cli.streams import complain
from echolot_lsp.errors import LiveError, SourceError, UsageError

if TYPE_CHECKING:
    from echolot_lsp.config import Settings
    from echolot_lsp.extract.live import Listing, Target
    from echolot_lsp.extract.live.configs import Entries, Entry, Missing
    from echolot_lsp.files import Files
    from echolot_lsp.model import Server, Source, Span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that name a running server."""
    group = parser.add_argument_group("a running server", "It is started or asked, and its tools/list is read; no tool is called.")
    group.add_argument("--url", metavar="URL", help="a server over HTTP")
    group.add_argument("--command", metavar="'CMD ARG…'", help="a server over stdio, in one string; or everything after --")
    group.add_argument("--config", metavar="FILE", help="a client's configuration file, such as .vscode/mcp.json")
    group.add_argument("--entry", metavar="NAME", help="which server of --config; without it, of the settings (servers)")
    group.add_argument(
        "--header", metavar="'NAME: VALUE'", action="append", default=[], help="a header for --url, such as a bearer token"
    )


def wanted(options: argparse.Namespace) -> bool:
    """Whether the command line names a running server. Raises ``UsageError`` where it names more than one."""
    from_settings = options.entry if options.config is None else None
    named = [options.url, options.command, options.config, options.command_line, from_settings]
    if sum(value is not None for value in named) > 1:
        raise UsageError("Name one running server: --url, --command, --config, --entry or the words after --.")
    if options.header and options.url is None:
        raise UsageError("--header goes with --url.")
    return any(value is not None for value in named)


def ask(options: argparse.Namespace, files: Files, declared: Sequence[Server], settings: Settings) -> tuple[list[Server], Listing]:
    """The server that runs, its twin in ``declared`` beside it where its own list is empty, and how the listing went.

    Raises ``UsageError``, ``SourceError`` or ``LiveError``.
    """
    from echolot_lsp.extract.live.run import list_live
    from echolot_lsp.extract.live.server import live_server, placed, twin_of

    target, place, sources = _target(options, files, settings)
    listing = list_live(target)
    twin = twin_of(listing, target, declared, named=True)
    elsewhere = sum(len(server.tools) for server in declared if server is not twin)
    server = live_server(listing, target, declared=twin, place=place, sources=sources, elsewhere=elsewhere)
    if twin is None:
        server = placed(server, ["."], files)
    return ([server, *declared] if twin is not None and not listing.tools else [server]), listing


def _target(options: argparse.Namespace, files: Files, settings: Settings) -> tuple[Target, Span | None, dict[str, Source]]:
    from echolot_lsp.extract.live import Target

    if options.url is not None:
        return Target(transport="http", url=options.url, headers=_headers(options.header)), None, {}
    if options.config is not None:
        return _configured(options.config, options.entry, files)
    if options.entry is not None:
        return _of_settings(options.entry, settings), None, {}
    words = options.command_line if options.command_line is not None else _split(options.command)
    if not words:
        raise UsageError("The command of the running server is missing.")
    return Target(transport="stdio", command=tuple(words)), None, {}


def _of_settings(name: str, settings: Settings) -> Target:
    from echolot_lsp.extract.live import Target

    server = settings.servers.get(name)
    if server is None:
        known = f", only {', '.join(settings.servers)}" if settings.servers else ": it has no `servers`"
        raise UsageError(f"There is no server {name!r} in the settings{known}.")
    if server.url is not None:
        return Target(transport="sse" if server.type == "sse" else "http", url=server.url, headers=server.headers, name=name)
    if server.command is None:
        raise UsageError(f"servers.{name} in the settings has neither a command nor a url.")
    folder = os.path.join(settings.folder, server.cwd or "") or None
    command = (server.command, *server.args)
    return Target(transport="stdio", command=command, folder=folder, environment=server.env, name=name)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--command cannot be split into words: {error}.") from None


def _headers(lines: Sequence[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise UsageError("--header takes 'NAME: VALUE'.")
        headers[name.strip()] = value.strip()
    return headers


def _configured(path: str, name: str | None, files: Files) -> tuple[Target, Span | None, dict[str, Source]]:
    from echolot_lsp.extract.live.configs import read_entries

    if not files.is_file(path):
        raise SourceError(f"There is no file {path}.")
    found = read_entries(path, files, environment=os.environ)
    if found is None:
        raise SourceError(f"{path} names no MCP servers.")
    entry = _entry(path, name, found)
    if entry.missing:
        found = read_entries(path, files, environment=os.environ, answers=_answers(entry))
        assert found is not None
        entry = _entry(path, entry.name, found)
    if entry.target is None:
        raise UsageError(entry.problem or f"{entry.name} cannot be started.")
    return entry.target, entry.place, {path: found.source}


def _entry(path: str, name: str | None, found: Entries) -> Entry:
    names = [entry.name for entry in found.entries]
    if name is None and len(names) == 1:
        return found.entries[0]
    if name not in names:
        raise UsageError(f"Say which server of {path} with --entry: {', '.join(names)}.")
    return found.entries[names.index(name)]


def _answers(entry: Entry) -> dict[str, str]:
    """Asks on the terminal for what has no value; never guesses."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(entry.problem or f"{entry.name} needs values that are not set.")
    return {missing.variable: _answer(missing) for missing in entry.missing}


def _answer(missing: Missing) -> str:
    """What the person types; Enter alone takes the default that was shown."""
    import getpass

    choice = f" ({' | '.join(missing.options)})" if missing.options else ""
    default = f" [{missing.default}]" if missing.default is not None and not missing.secret else ""
    question = f"{missing.prompt}{choice}{default}: "
    while True:
        if missing.secret:
            answer = getpass.getpass(question, stream=sys.stderr)
        else:
            sys.stderr.write(question)
            sys.stderr.flush()
            line = sys.stdin.readline()
            if not line:
                raise UsageError(f"{missing.prompt} was not given.")
            answer = line.rstrip("\r\n")
        answer = answer or (missing.default if default and missing.default else "")
        if not missing.options or answer in missing.options:
            return answer


def told(listing: Listing) -> None:
    """Raises ``LiveError`` where there is no list; says on standard error what else was noticed."""
    if listing.failure is not None:
        raise LiveError(listing.failure.message)
    if listing.truncated:
        complain(f"The list does not end; the first {len(listing.tools)} tools were read.")
    if listing.stable is False:
        complain("Listed twice, the tools came in another order: prompt caches depend on it, so sort them.")
