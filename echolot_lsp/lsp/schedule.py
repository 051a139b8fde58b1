"""When work is done: changes are gathered for a moment, one job runs at a time in one worker thread, late ones are followed up.

A change that comes after a pause starts a job at once. While changes come quickly, a job waits until none came for ``WAIT``
seconds, but never longer than ``CEILING`` after the first one; changes that arrive while a job runs wait for its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

WAIT = 0.004
CEILING = 0.1
PAUSE = 0.03
"""A change this long after the one before it is a change after a pause (seconds)."""

T = TypeVar("T")


class Schedule(Generic[T]):
    """Runs ``prepare`` on the loop, its job in the worker, and ``done`` on the loop with the job's result, again and again."""

    def __init__(self, prepare: Callable[[], Callable[[], T] | None], done: Callable[[T], None]) -> None:
        self._prepare = prepare
        self._done = done
        self._worker: ThreadPoolExecutor | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiting = False
        self._running = False
        self._closed = False
        self._first = 0.0
        self._last = float("-inf")
        self._idle: list[asyncio.Future[None]] = []

    @property
    def busy(self) -> bool:
        """Whether a job is running or waiting."""
        return self._running or self._waiting

    def touch(self, *, now: bool = False) -> None:
        """Something changed: a job is wanted. ``now`` skips the wait."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        time = loop.time()
        after_pause = now or time - self._last > PAUSE
        self._last = time
        if not self._waiting:
            self._waiting, self._first = True, time
        if self._running:
            return
        if self._timer is not None:
            self._timer.cancel()
        delay = 0.0 if after_pause else max(0.0, min(WAIT, self._first + CEILING - time))
        self._timer = loop.call_later(delay, self._start) if delay else None
        if not delay:
            self._start()

    async def idle(self) -> None:
        """Waits until nothing is running or waiting."""
        while self.busy:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._idle.append(future)
            await future

    def close(self) -> None:
        """No more jobs; one that runs is not waited for."""
        self._closed = True
        self._waiting = False
        if self._timer is not None:
            self._timer.cancel()
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
        self._wake()

    def _start(self) -> None:
        self._timer = None
        self._waiting = False
        if self._closed:
            return
        job = self._prepare()
        if job is None:
            self._wake()
            return
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="echolot")
        self._running = True
        asyncio.get_running_loop().run_in_executor(self._worker, job).add_done_callback(self._finished)

    def _finished(self, future: asyncio.Future[T]) -> None:
        self._running = False
        if self._closed or future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("A job failed and was dropped.", exc_info=error)
        else:
            try:
                self._done(future.result())
            except Exception:
                log.exception("A result could not be used and was dropped.")
        if self._waiting:
            self._start()
        else:
            self._wake()

    def _wake(self) -> None:
        if not self.busy:
            waiting, self._idle = self._idle, []
            for future in waiting:
                if not future.done():
                    future.set_result(None)
