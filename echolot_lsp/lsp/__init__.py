"""The language server ``echolot-lsp``: the only folder that imports pygls and lsprotocol.

``server`` announces the features and hands messages on, ``session`` holds the state, ``analysis`` reads and checks off the event
loop, ``convert`` turns findings and places into the protocol's terms; beside them one small file a feature.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

USAGE = """usage: echolot-lsp [--stdio | --tcp HOST:PORT] [--log-level LEVEL] [--version]

The Echolot language server. It speaks the Language Server Protocol on standard input and output; --tcp waits for one
client on HOST:PORT instead, for debugging."""

_ARENAS = -8
"""``M_ARENA_MAX`` of glibc's ``malloc.h`` (2.36, 2026-11-30)."""
LEVELS = ("debug", "info", "warning", "error")


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point of ``echolot-lsp``. Answers with the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    address: tuple[str, int] | None = None
    level = "warning"
    while words:
        word = words.pop(0)
        name, _, value = word.partition("=")
        if word in ("-h", "--help"):
            print(USAGE)
            return 0
        if word == "--version":
            from echolot_lsp import __version__

            print(f"echolot-lsp {__version__}")
            return 0
        if word == "--stdio" or name == "--clientProcessId":
            continue
        if name in ("--tcp", "--log-level"):
            value = value or (words.pop(0) if words else "")
            if name == "--log-level" and value.lower() in LEVELS:
                level = value.lower()
                continue
            host, _, port = value.rpartition(":")
            if name == "--tcp" and port.isdecimal():
                address = host or "127.0.0.1", int(port)
                continue
        print(f"echolot-lsp: {word!r} is not understood.\n{USAGE}", file=sys.stderr)
        return 2
    _serve(address, level)


def _share_one_arena() -> None:
    """Has the C library keep one heap for all threads, where it can (glibc): Python runs one of them at a time, so that more of
    them only hold memory (a megabyte here)."""
    import ctypes

    with contextlib.suppress(OSError, TypeError, AttributeError):  # no C library to ask, or another than glibc
        ctypes.CDLL(None).mallopt(_ARENAS, 1)


def _serve(address: tuple[str, int] | None, level: str) -> NoReturn:
    import linecache
    import logging

    class _Forgetful(dict[str, Any]):
        """Takes everything and keeps nothing."""

        def setdefault(self, key: str, default: Any = None) -> Any:
            return default

        def __setitem__(self, key: str, value: Any) -> None:
            pass

    _share_one_arena()
    logging.basicConfig(stream=sys.stderr, level=level.upper(), format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(max(logging.getLogger().level, logging.ERROR))

    # attrs keeps the source that it generates for each of the protocol's 500 classes, for debuggers: 2 MB that nobody reads.
    kept, linecache.cache = linecache.cache, _Forgetful()
    from echolot_lsp.lsp.server import build

    server = build()
    linecache.cache = kept
    if address is None:
        sys.setswitchinterval(0.001)  # seconds: a message that comes in is taken while a file is being read
        server.serve(sys.stdin.buffer, sys.stdout.buffer)
    else:
        server.start_tcp(*address)
    logging.shutdown()
    os._exit(server.exit_code)  # a thread that still works must not keep the editor waiting
