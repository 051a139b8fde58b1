"""Finding the servers that open files are part of: where a file of MCP code is opened, its workspace folder is searched once, in a
child process, and again when files come, go or change on the disk.

Where no MCP code is opened nothing is searched. A search that takes a moment is shown and can be cancelled: what was found before
stays, and the folder is searched again only when a server of it is opened after a restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Collection, Mapping

from echolot_lsp.lsp.progress import Cancelled, Report, shown
from echolot_lsp.lsp.server import EcholotServer

log = logging.getLogger(__name__)

MOMENT = 1.0
"""Seconds after which a search is shown."""
SOON = 0.3
"""Seconds between the first server of a folder and its search: what was opened comes first."""
QUIET = 1.0
"""Seconds between a change on the disk and the search that it makes necessary."""
REST = 20
"""A search that took a second is not repeated for as many seconds."""
LONGEST_LINE = 1 << 24
CHILD = "echolot_lsp.workspace.child"


def register(server: EcholotServer) -> None:
    """Listens for servers that become known and for changes on the disk."""
    scanning = Scanning(server)
    server.listeners.append(scanning.read)
    server.on_disk.append(scanning.changed)


class Scanning:
    """One search a folder at a time."""

    def __init__(self, ls: EcholotServer) -> None:
        self._ls = ls
        self._took: dict[str, float] = {}
        """By folder that has been searched, or is being: seconds."""
        self._cancelled: set[str] = set()
        self._running: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def read(self, paths: Collection[str], numbers: bool) -> None:
        """Files are known anew: the folder of an open one that makes a server is searched."""
        session = self._ls.session
        for path in paths:
            reading = session.readings.get(path)
            if reading is None or session.documents.get(path) is None or not _is_python(reading.servers):
                continue
            root = _folder_of(path, session.roots)
            if root is not None and root not in self._took and root not in self._cancelled:
                self._took[root] = 0.0
                self._later(root, SOON)

    def changed(self, paths: Collection[str]) -> None:
        """Files on the disk changed: what imports what may be otherwise."""
        telling = [path for path in paths if path.endswith(".py") or not os.path.splitext(path)[1]]
        for root, took in self._took.items():
            if root not in self._timers and any(path.startswith(root + os.sep) for path in telling):
                self._later(root, max(QUIET, REST * took))

    def _later(self, root: str, seconds: float) -> None:
        self._timers[root] = asyncio.get_running_loop().call_later(seconds, self._again, root)

    def _again(self, root: str) -> None:
        self._timers.pop(root)
        if root in self._running:
            self.changed([root + os.sep])
        elif root in self._ls.session.roots and root not in self._cancelled:
            self._start(root)

    def _start(self, root: str) -> None:
        self._running.add(root)
        self._ls.background(self._scan(root))

    async def _scan(self, root: str) -> None:
        begun = asyncio.get_running_loop().time()
        try:
            title = f"Looking for MCP servers in {os.path.basename(root)}"
            found = await shown(self._ls, title, lambda report: search(root, report), after=MOMENT)
        except Cancelled:
            self._cancelled.add(root)
            return
        except OSError as error:
            log.warning("%s could not be searched for servers: %s", root, error)
            return
        finally:
            self._running.discard(root)
        self._took[root] = asyncio.get_running_loop().time() - begun
        if found is not None and root in self._ls.session.roots:
            self._ls.session.found(root, found)


async def search(root: str, report: Report, *, lists: bool = False) -> Mapping[str, frozenset[str]] | None:
    """The server files below a folder with what they import (``lists``: and JSON files that may hold tools); ``None`` where the search
    did not come to its end."""
    command = (sys.executable, "-P", "-m", CHILD, root, *(["--lists"] if lists else []))
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE)
    found: dict[str, frozenset[str]] = {}
    whole = False
    try:
        assert process.stdout is not None
        async for line in process.stdout:
            message = json.loads(line)
            if "files" in message:
                report(f"{message['files']:,} files")
            elif "server" in message:
                found[message["server"]] = frozenset(message["imports"])
            else:
                whole = True
        return found if whole else None
    except ValueError:  # a line that is cut off, or longer than any should be
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            process.kill()
        await process.communicate()


def _is_python(servers: Collection[object]) -> bool:
    return any(getattr(server, "origin", None) == "python" for server in servers)


def _folder_of(path: str, roots: Collection[str]) -> str | None:
    """The innermost workspace folder that holds a file; a home folder or a whole disk is none."""
    holding = [root for root in roots if path.startswith(root + os.sep) and root != os.path.expanduser("~")]
    return max(holding, key=len, default=None)
