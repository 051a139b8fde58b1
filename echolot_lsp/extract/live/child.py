"""The process in which a live server is asked: the only one that imports the MCP SDK.

``python -m echolot_lsp.extract.live.child`` reads one line of JSON from standard input (``{"target": {…}, "start_seconds",
"list_seconds", "follow"}``) and writes lines of JSON: ``{"listing": {…}}``, once, or again after each
``notifications/tools/list_changed`` with ``follow``. When standard input ends, the conversation and the server's processes end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import sys
import threading
import time
from collections import deque
from typing import Any, TextIO

from echolot_lsp.extract.live import Failure, Listing, Target
from echolot_lsp.extract.live.guard import START_FAILED
from echolot_lsp.extract.live.lister import Lister, Stop, refused
from echolot_lsp.extract.live.transport import Closed, HttpTrace, connect

MEMORY_BYTES = 3 << 30
"""Address space of this process; an endless answer ends here, not in the machine's memory."""
STDERR_LINES = 20
UNTELLING = ("For further information visit", "Node.js v", "npm notice", "npm ERR! A complete log", "npm error A complete log")
"""How lines begin that some programs write below an error, and that say nothing of it."""
ERROR = re.compile(r"[\w.]*(?:Error|Exception)\b")
CLEAN_UP_SECONDS = 7.0
"""How long ending the conversation may take after our standard input has ended."""
SSE_STATUSES = (400, 404, 405, 406, 415)
"""How servers of the older HTTP+SSE transport answer a POST to their URL."""


class Stderr:
    """A pipe for a server's standard error that is always drained; the last lines are kept."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self.file: TextIO = os.fdopen(write, "w", encoding="utf-8")
        self._lines: deque[str] = deque(maxlen=STDERR_LINES)
        self._thread = threading.Thread(target=self._drain, args=(read,), daemon=True)
        self._thread.start()

    def _drain(self, descriptor: int) -> None:
        rest = b""
        while chunk := os.read(descriptor, 65536):
            *lines, rest = (rest + chunk)[-65536:].split(b"\n")
            self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines if line.strip())
        if rest.strip():
            self._lines.append(rest.decode("utf-8", "replace").strip())

    def last(self) -> str:
        """The last line that says something, at most 500 characters; empty where there was none."""
        with contextlib.suppress(OSError):
            self.file.close()
        self._thread.join(1.0)
        telling = [line for line in self._lines if not line.startswith(UNTELLING)] or list(self._lines)
        if telling != list(self._lines):  # an error and its footer: the error is what helps
            telling = [line for line in telling if ERROR.match(line)] or telling
        return telling[-1][:500] if telling else ""


async def ask(target: Target, start_seconds: float, list_seconds: float, changed: Any = None) -> Listing:
    """The listing of one server; every failure is part of it."""
    trace, errors = HttpTrace(), Stderr()
    lister: Lister | None = None
    try:
        async with connect(target, errors.file, trace) as channel:
            lister = Lister(channel, trace, start_seconds, list_seconds)
            try:
                listing = await lister.listing()
            except (Stop, Closed) as error:
                listing = _failed(lister, _failure(error, trace, errors))
            else:
                if changed is not None:
                    await changed(listing, lister)
            return listing
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return _failed(lister, _failure(_innermost(error), trace, errors))


async def run(request: dict[str, Any], write: Any) -> None:
    target = Target(**{**request["target"], "command": tuple(request["target"].get("command") or ())})
    start, later = float(request["start_seconds"]), float(request["list_seconds"])

    followed = False

    async def follow(listing: Listing, lister: Lister) -> None:
        nonlocal followed
        followed = True
        write({"listing": listing.to_json()})
        with contextlib.suppress(Closed, Stop):  # it has ended, or does not list any more: what was read last stands
            while True:
                await lister.changed()
                write({"listing": (await lister.listing()).to_json()})

    follower = follow if request.get("follow") else None
    listing = await ask(target, start, later, follower)
    if followed:
        return
    failure = listing.failure
    if (
        target.transport == "http"
        and failure
        and failure.kind == "http"
        and any(f"answered {code}" in failure.message for code in SSE_STATUSES)
    ):
        older = await ask(Target(transport="sse", url=target.url, headers=target.headers, name=target.name), start, later, follower)
        if followed:
            return
        listing = older if older.failure is None else listing
    write({"listing": listing.to_json()})


def _failed(lister: Lister | None, failure: Failure) -> Listing:
    if lister is None:
        return Listing(failure=failure, stderr=failure.stderr)
    return Listing(
        failure=failure, stderr=failure.stderr, noise=tuple(lister.noise), noise_lines=lister.noise_lines, **lister.heard
    )


def _failure(error: BaseException, trace: HttpTrace, errors: Stderr) -> Failure:
    last = errors.last()
    if last.startswith(START_FAILED):
        return Failure("start", f"The command cannot be started: {last.removeprefix(START_FAILED)}.")
    if isinstance(error, Stop):
        return Failure(error.failure.kind, error.failure.message, last)
    if isinstance(error, MemoryError):
        return Failure("size", "The server's answer is too large to be read.", last)
    if trace.status is not None:
        return refused(trace, str(error))
    if isinstance(error, Closed):
        return Failure("crash", "The server ended before it listed its tools" + (f": {last}" if last else "."), last)
    return Failure("http" if not last else "crash", _sentence(error), last)


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in text or "SSL" in text or "TLS" in text.upper():
        return f"No secure connection to the server could be made: {text}."
    if type(error).__name__ in ("ConnectError", "ConnectTimeout"):
        return f"The server cannot be reached: {text}."
    if "Timeout" in type(error).__name__:
        return f"The server did not answer in time ({type(error).__name__})."
    return f"The server's answer could not be read: {text[:300]}"


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def main() -> int:
    import logging

    logging.disable(logging.CRITICAL)  # the SDK logs whole answers; ours go into the listing
    _bound_memory()
    request = json.loads(sys.stdin.readline() or "{}")
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints by mistake cannot reach the parent's protocol

    def write(message: dict[str, Any]) -> None:
        output.write(json.dumps(message, ensure_ascii=True, default=str) + "\n")
        output.flush()

    async def until_stdin_ends() -> None:
        import anyio

        loop = asyncio.get_running_loop()
        # a scope, not Task.cancel(): the SDK's own clean-up is shielded from the one and broken by the other
        with anyio.CancelScope() as scope:

            def watch() -> None:
                sys.stdin.read()
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(scope.cancel)
                time.sleep(CLEAN_UP_SECONDS)
                os._exit(1)  # the guard notices and ends the server

            threading.Thread(target=watch, daemon=True).start()
            await run(request, write)

    try:
        asyncio.run(until_stdin_ends())
    except Exception as error:
        write({"listing": Listing(failure=Failure("internal", _sentence(_innermost(error)))).to_json()})
    output.flush()
    os._exit(0)  # the reading thread may still wait for standard input


def _bound_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    sys.exit(main())
