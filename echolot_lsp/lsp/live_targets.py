"""Which running server a command means: an address, a command line, an entry of a client's configuration, or the file's own server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echolot_lsp.errors import UsageError
from echolot_lsp.lsp.commands import Argument
from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.server import EcholotServer

if TYPE_CHECKING:
    from echolot_lsp.extract.live import Target
    from echolot_lsp.extract.live.configs import Entry
    from echolot_lsp.files import Files
    from echolot_lsp.model import Source, Span

CONFIGS = (".vscode/mcp.json", ".mcp.json", "mcp.json", ".cursor/mcp.json")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, the server that it means, and where that is configured (``place``, in ``sources``)."""

    argument: Argument
    target: Target
    place: Span | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)


async def target_of(ls: EcholotServer, argument: Argument, files: Files) -> Wanted:
    """The server that is meant. Raises ``UsageError`` with one sentence where it cannot be told."""
    import shlex

    from echolot_lsp.extract.live import Target

    url, command = argument.get("url"), argument.get("command")
    if isinstance(url, str):
        return Wanted(argument, Target(transport="http", url=url))
    if isinstance(command, (str, list)):
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
        return Wanted(argument, Target(transport="stdio", command=tuple(words), folder=_root(ls, argument)))
    entry, source = await asyncio.to_thread(_entry, ls, argument, files)
    if entry is not None:
        if entry.target is None:
            raise UsageError(entry.problem or f"{entry.name} cannot be started.")
        assert source is not None
        return Wanted(argument, entry.target, entry.place, {source.file: source})
    return Wanted(argument, _declared_target(ls, argument))


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
    if path:
        return os.path.dirname(path)
    return ls.session.roots[0] if ls.session.roots else os.getcwd()
