"""The asyncio side of the counting child: started when first asked, restarted when dead, never left behind."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from typing import Any

from echolot_lsp.model import Costs, ProviderName
from echolot_lsp.tokens import wire

IDLE_SECONDS = 300.0


class CountingError(Exception):
    """The child could not be started, died twice over one request, or failed to count."""


class _ChildEnded(Exception):
    """The child ended before it answered."""


class CountingClient:
    """Costs from a counting child. One event loop only.

    Nothing is started before the first ``costs``. A child that ended (idle, killed) is started again by the next request, and a
    request that it left unanswered is asked once more. A caller that is cancelled drops its answer: the child skips the request if it
    has not begun. ``close`` ends the child; should the server die without it, the child ends as its standard input closes.
    """

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Costs]] = {}
        self._number = 0
        self._starting = asyncio.Lock()
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The child's process id while one runs."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def costs(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str] | None = None) -> Costs:
        """The cost of ``tools`` (dicts of the MCP wire) at each provider, as ``tokens.costs``. Raises ``CountingError``."""
        for _ in range(2):
            try:
                return await self._ask(tools, models)
            except _ChildEnded:
                continue
        raise CountingError("the counting process ended twice before it answered")

    async def close(self) -> None:
        """End the child and fail what still waits for it. No further request is taken."""
        self._closed = True
        async with self._starting:
            process, self._process = self._process, None
        if process is not None and process.returncode is None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 1)
            except TimeoutError:
                process.kill()
                await process.wait()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _ask(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str] | None) -> Costs:
        process = await self._started()
        self._number += 1
        number = self._number
        answer: asyncio.Future[Costs] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            frame = await asyncio.to_thread(wire.request, number, tools, models)
            await self._send(process, frame)
            return await answer
        except asyncio.CancelledError:
            if process.stdin is not None and not process.stdin.is_closing():
                process.stdin.write(wire.frame({"cancel": number}))
            raise
        finally:
            self._waiting.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # seen here, so that asyncio does not report it as lost

    async def _send(self, process: Process, frame: bytes) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(frame)
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError, RuntimeError) as error:
            raise _ChildEnded from error

    async def _started(self) -> Process:
        async with self._starting:
            if self._closed:
                raise CountingError("counting has been stopped")
            if self._process is None:
                # -P: modules are never taken from the folder that the server happens to run in.
                command = (sys.executable, "-P", "-m", "echolot_lsp.tokens.child", str(self._idle_seconds))
                try:
                    self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
                except OSError as error:
                    raise CountingError(f"the counting process cannot be started: {error}") from error
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                length = await process.stdout.readexactly(wire.LENGTH)
                self._answered(wire.message(await process.stdout.readexactly(int.from_bytes(length, "big"))))
        except asyncio.IncompleteReadError:
            pass
        finally:
            if self._process is process:
                self._process = None  # the next request starts another
            for answer in list(self._waiting.values()):
                if not answer.done():
                    answer.set_exception(CountingError("counting has been stopped") if self._closed else _ChildEnded())
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()

    def _answered(self, message: Mapping[str, Any]) -> None:
        answer = self._waiting.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(CountingError(f"the counting process failed: {message['error']}"))
        else:
            answer.set_result(wire.costs_of_json(message["costs"]))
