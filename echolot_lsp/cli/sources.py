"""From the SOURCEs of a command line to servers, each with the settings that hold for it."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from echolot_lsp.cli import live
from echolot_lsp.cli.streams import complain
from echolot_lsp.errors import LiveError, SourceError, UsageError
from echolot_lsp.workspace.walk import LARGEST, Candidate, Kind, head, kind_of, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echolot_lsp.config import Settings
    from echolot_lsp.extract import Extraction
    from echolot_lsp.extract.python.cache import Cache
    from echolot_lsp.model import Server

STDIN = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which servers: common to all commands that read some."""
    parser.add_argument(
        "sources", nargs="*", metavar="SOURCE", help="a Python file, a JSON file, a folder, or - (default: the current folder)"
    )
    parser.add_argument("--server", metavar="NAME", help="only the server of this name")
    parser.add_argument("--environment", metavar="DIR", help="the virtual environment whose packages the server uses")
    parser.add_argument("--framework", metavar="NAME[==VERSION]", help="the framework, where it should not be found out")
    parser.add_argument("--python", metavar="X.Y", help="the Python version that the server runs on")
    live.add_arguments(parser)
    parser.add_argument("--require-tools", action="store_true", help="exit with 2 where no server is found")


@dataclass(slots=True)
class Gathered:
    """The servers in the order of the sources, and what went wrong. ``failed``: exit code 2, whatever else is found."""

    servers: list[Server] = field(default_factory=list)
    settings: dict[int, Settings] = field(default_factory=dict)
    failed: bool = False

    def settings_of(self, server: Server) -> Settings:
        """The settings that hold for one of the servers."""
        return self.settings[id(server)]


def gather(options: argparse.Namespace, *, schemas: bool = True, texts: Mapping[str, str] | None = None) -> Gathered:
    """Read every source. Complains on standard error about what cannot be read, and goes on with the rest.

    Without ``schemas`` the tools of Python sources have only names and descriptions, which is much faster.
    ``texts`` stand in place of what the files of their paths hold.
    """
    return _Gathering(options, schemas, texts or {}).run()


class _Gathering:
    """One pass over the sources of a command line."""

    def __init__(self, options: argparse.Namespace, schemas: bool, texts: Mapping[str, str]) -> None:
        from echolot_lsp.cli.in_force import InForce
        from echolot_lsp.files import Disk

        self.live = live.wanted(options)
        self.options = options
        self.schemas = schemas
        self.cache: Cache | None = None
        self.texts = texts
        self.files = Disk(texts)
        self.settings = InForce(options, self.files)
        self.result = Gathered()
        self.too_large = 0
        self.seen: dict[tuple[str | None, object, str], int] = {}

    def run(self) -> Gathered:
        for source in self.options.sources or ([] if self.live else ["."]):
            try:
                self._read(source)
            except SourceError as error:
                self._fail(str(error))
        if self.too_large:
            complain(f"{self.too_large} of the files here have more than 32 MB and were not read: name one to check it.")
        self.result.failed |= self.settings.failed
        if self.live:
            self._ask()
        self._choose()
        return self.result

    def _ask(self) -> None:
        """The running server, in place of the sources that declare it."""
        found, listing = live.ask(self.options, self.files, self.result.servers, self.settings.at("."))
        self.result.servers = found
        for server in found:
            self.result.settings.setdefault(id(server), self.settings.at(server.path or "."))
        try:
            live.told(listing)
        except LiveError as error:
            complain(f"echolot: {error}")
            # with --strict the crash is a problem of the report, which then decides
            self.result.failed |= not (getattr(self.options, "strict", False) and any(server.facts for server in found))

    def _fail(self, message: str) -> None:
        self.result.failed = True
        complain(message)

    def _choose(self) -> None:
        wanted = self.options.server
        found = self.result.servers
        if wanted is not None and found:
            chosen = [server for server in found if server.name == wanted]
            if not chosen:
                names = ", ".join(dict.fromkeys(server.name for server in found))
                raise UsageError(f"There is no server {wanted!r} here, only {names}.")
            self.result.servers = chosen
        if not self.result.servers and not self.result.failed:
            where = " or ".join(self.options.sources or ["this folder"])
            complain(f"No MCP server and no tool list found in {where}.")
            self.result.failed = self.options.require_tools

    def _read(self, source: str) -> None:
        if source == STDIN:
            self._json(STDIN, sys.stdin.buffer.read(), named=True)
        elif os.path.isdir(source):
            self.settings.at(source)
            self._folder(source)
        elif os.path.exists(source):
            self._file(source)
        else:
            raise SourceError(f"There is no file or folder {source}.")

    def _folder(self, folder: str) -> None:
        try:
            os.scandir(folder).close()
        except OSError as error:
            raise SourceError(f"{folder} cannot be listed: {error.strerror}.") from None
        from echolot_lsp.extract.json import may_hold_tools
        from echolot_lsp.extract.python import may_hold_server

        for candidate in walk(folder):
            data = head(candidate.path)
            if data is None:
                self.too_large += _is_large(candidate)
            elif candidate.kind == "json":
                if may_hold_tools(data):
                    self._json(candidate.path, data, named=False)
            elif may_hold_server(data):
                self._python(candidate.path, named=False)

    def _file(self, path: str) -> None:
        kind = kind_of(path)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}.") from None
        kind = kind or _kind_by_content(data)
        if kind is None:
            raise SourceError(f"{path} is neither a Python nor a JSON file.")
        if kind == "json":
            self._json(path, data, named=True)
        else:
            self._whole(path)
            self._python(path, named=True)

    def _whole(self, path: str) -> None:
        """A named file that Python itself would not take is told of; what can be read of it is shown all the same."""
        from echolot_lsp.cli.told import told
        from echolot_lsp.extract.python.whole import syntax_trouble

        trouble = syntax_trouble(path, self.files.text(path) or "")
        if trouble is not None:
            self._fail(told(trouble, self.files))

    def _json(self, path: str, data: bytes, *, named: bool) -> None:
        from echolot_lsp.extract.json import extract_json
        from echolot_lsp.files import decode

        if named and not _is_utf8(data):
            self._fail(f"{'Standard input' if path == STDIN else path} is no UTF-8 text.")
        text = self.texts.get(path)
        self._take(extract_json(path, decode(data) if text is None else text), path, named)

    def _python(self, path: str, *, named: bool) -> None:
        from echolot_lsp.extract.python import extract_python
        from echolot_lsp.extract.python.cache import Cache

        self.cache = self.cache or Cache(again=False)
        settings = self.settings.at(path)
        extraction = extract_python(
            path,
            self.files,
            environment=settings.environment,
            framework=settings.framework,
            python=settings.python,
            schemas=self.schemas,
            cache=self.cache,
        )
        self._take(extraction, path, named)

    def _take(self, extraction: Extraction, path: str, named: bool) -> None:
        from echolot_lsp.cli.told import told

        for trouble in extraction.troubles:
            self.result.failed |= named
            if named or extraction.servers:
                complain(told(trouble, self.files, extraction.servers))
        for server in extraction.servers:
            if path == STDIN:
                server = replace(server, path=None)
            self.result.settings[id(server)] = self.settings.at("." if path == STDIN else server.path or path)
            self._add(server)

    def _add(self, server: Server) -> None:
        """A server that several files tell of is one: the telling with the most tools stands."""
        place = server.place and (os.path.abspath(server.place.file), server.place.block, server.place.start)
        key = (server.path and os.path.abspath(server.path), place, server.name)
        if server.origin != "python" or key not in self.seen:
            self.seen[key] = len(self.result.servers)
            self.result.servers.append(server)
        elif len(server.tools) > len(self.result.servers[self.seen[key]].tools):
            self.result.servers[self.seen[key]] = server


def _kind_by_content(data: bytes) -> Kind | None:
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "json" if start in (b"{", b"[") else None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_large(candidate: Candidate) -> bool:
    try:
        return os.stat(candidate.path).st_size > LARGEST
    except OSError:
        return False
