"""Starting the child process that asks a live server, and getting its listing: for a terminal, and for an event loop.

The child ends with us: it watches its standard input, which the kernel closes when we die.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from echolot_lsp.extract.live import LIST_SECONDS, START_SECONDS, Failure, Listing, Target

SLACK_SECONDS = 30.0
"""What the child may need beyond its own bounds (importing the SDK, ending the server) before it is killed."""
LIMIT_BYTES = 1 << 28
"""The longest answer of the child that is read."""
SECRET_VARIABLES = "ECHOLOT_SECRET_VARIABLES"
"""Names, separated by commas, of variables that an editor gave to us alone: a started server never sees them."""


def list_live(target: Target, *, start_seconds: float = START_SECONDS, list_seconds: float = LIST_SECONDS) -> Listing:
    """The listing of a server, for a terminal: waits for it, ends everything on Ctrl-C."""
    process = subprocess.Popen(
        _command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(_request(target, start_seconds, list_seconds, follow=False))
        process.stdin.flush()
        line = process.stdout.readline(LIMIT_BYTES)
        return _listing(line)
    finally:
        process.stdin.close()
        _end(process)
        process.stdout.close()


async def list_live_async(target: Target, *, start_seconds: float = START_SECONDS, list_seconds: float = LIST_SECONDS) -> Listing:
    """The listing of a server, on an event loop; cancelling it ends the child and the server."""
    process = await _start()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(_request(target, start_seconds, list_seconds, follow=False))
        async with asyncio.timeout(start_seconds + 4 * list_seconds + SLACK_SECONDS):
            line = await process.stdout.readline()
        return _listing(line)
    except TimeoutError:
        return Listing(failure=Failure("timeout", "The server did not answer in time."))
    except ValueError:  # a line over the reader's limit
        return Listing(failure=Failure("size", "The server's answer is too large to be read."))
    finally:
        await stop(process)


class Follower:
    """A live server that is kept open: ``next`` answers the first listing, then one after each change that it tells of."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def open(cls, target: Target, *, start_seconds: float = START_SECONDS, list_seconds: float = LIST_SECONDS) -> Follower:
        """Starts the child. The server's processes end with ``close``."""
        process = await _start()
        assert process.stdin is not None
        process.stdin.write(_request(target, start_seconds, list_seconds, follow=True))
        return cls(process)

    async def next(self) -> Listing | None:
        """The next listing; ``None`` when the server has ended."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        return _listing(line) if line else None

    async def close(self) -> None:
        """Ends the child and the server."""
        await stop(self._process)


async def stop(process: asyncio.subprocess.Process) -> None:
    """Ends a child: its standard input is closed, then it is killed if that is not enough."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(8):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *_command(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=LIMIT_BYTES,
        env=_environment(),
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(8)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command() -> list[str]:
    return [sys.executable, "-m", "echolot_lsp.extract.live.child"]


def _environment() -> dict[str, str]:
    secret = {name.strip() for name in os.environ.get(SECRET_VARIABLES, "").split(",")} | {SECRET_VARIABLES}
    return {name: value for name, value in os.environ.items() if name not in secret}


def _request(target: Target, start_seconds: float, list_seconds: float, *, follow: bool) -> bytes:
    environment: Mapping[str, str] = {**_environment(), **target.environment} if target.transport == "stdio" else {}
    request: dict[str, Any] = {
        "target": {
            "transport": target.transport,
            "command": list(target.command),
            "folder": target.folder,
            "environment": environment,
            "url": target.url,
            "headers": dict(target.headers),
            "name": target.name,
        },
        "start_seconds": start_seconds,
        "list_seconds": list_seconds,
        "follow": follow,
    }
    return json.dumps(request).encode() + b"\n"


def _listing(line: bytes) -> Listing:
    try:
        return Listing.from_json(json.loads(line)["listing"])
    except (ValueError, KeyError, TypeError):
        return Listing(failure=Failure("internal", "The process that asks the server ended without an answer."))
