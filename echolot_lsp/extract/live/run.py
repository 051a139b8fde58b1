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
    conversation = await Conversation.open(target, start_seconds=start_seconds, list_seconds=list_seconds)
    try:
        return await conversation.first()
    finally:
        await conversation.close()


class Conversation:
    """A live server that is asked on an event loop; with ``follow`` it is kept open, and ``next`` answers when its list changes."""

    def __init__(self, process: asyncio.subprocess.Process, bound_seconds: float) -> None:
        self._process = process
        self._bound_seconds = bound_seconds

    @classmethod
    async def open(
        cls,
        target: Target,
        *,
        follow: bool = False,
        start_seconds: float = START_SECONDS,
        list_seconds: float = LIST_SECONDS,
    ) -> Conversation:
        """Starts the child. The server's processes end with ``close``."""
        process = await _start()
        assert process.stdin is not None
        process.stdin.write(_request(target, start_seconds, list_seconds, follow=follow))
        return cls(process, start_seconds + 4 * list_seconds + SLACK_SECONDS)

    async def first(self) -> Listing:
        """The first listing; bounded in time, and every failure is part of it."""
        try:
            async with asyncio.timeout(self._bound_seconds):
                line = await self._line()
        except TimeoutError:
            return Listing(failure=Failure("timeout", "The server did not answer in time."))
        return _listing(line)

    async def next(self) -> Listing | None:
        """Waits for the listing after the next change; ``None`` when the server has ended."""
        line = await self._line()
        return _listing(line) if line else None

    async def close(self) -> None:
        """Ends the child and the server."""
        await stop(self._process)

    async def _line(self) -> bytes:
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readline()
        except ValueError:  # a line over the reader's limit
            return b'{"listing": {"failure": {"kind": "size", "message": "The server\'s answer is too large to be read."}}}'


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
