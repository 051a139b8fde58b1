"""Work that the person can watch and cancel: ``$/progress`` where the client shows it, the same work in silence where it does not."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from lsprotocol import types

from echolot_lsp.lsp.server import EcholotServer

T = TypeVar("T")
Report = Callable[[str], None]
"""Says how far the work is."""

_numbers = itertools.count(1)


class Cancelled(Exception):
    """The person cancelled the work."""


async def shown(ls: EcholotServer, title: str, work: Callable[[Report], Coroutine[Any, Any, T]], *, after: float = 0.0) -> T:
    """What ``work`` answers. ``after``: seconds that it may take before anything is shown.

    Raises ``Cancelled`` where the person cancels it. Whoever is cancelled himself while he waits here takes the work with him.
    """
    window = ls.capabilities.window
    token = f"echolot-{next(_numbers)}" if window and window.work_done_progress else None
    progress = ls.work_done_progress
    begun = False
    said = ""

    def report(message: str) -> None:
        nonlocal said
        said = message  # until the client has made room for it
        if begun and token is not None:
            progress.report(token, types.WorkDoneProgressReport(message=message, cancellable=True))

    task = asyncio.ensure_future(work(report))
    try:
        await asyncio.wait([task], timeout=after if token is not None else None)
        if token is not None and not task.done():
            begun = await _created(ls, token, task)
            if begun:
                progress.begin(token, types.WorkDoneProgressBegin(title=title, cancellable=True))
                progress.tokens[token].add_done_callback(lambda future: task.cancel() if future.cancelled() else None)
                if said:
                    report(said)
            # whoever asked must be answered: it is the work that is cancelled, and not what waits for it
            await asyncio.wait([task])
        if task.cancelled():
            raise Cancelled
        return task.result()
    finally:
        if not task.done():
            if not task.cancelling():  # a second time would cut short its tidying up
                task.cancel()
            await asyncio.wait([task])  # what it started is gone when this is over
        if begun and token is not None:
            progress.end(token, types.WorkDoneProgressEnd())


async def _created(ls: EcholotServer, token: str, task: asyncio.Future[Any]) -> bool:
    """Whether the client shows a progress; one that does not answer, or refuses, holds no work up."""
    creating = asyncio.ensure_future(ls.work_done_progress.create_async(token))
    try:
        await asyncio.wait([task, creating], return_when=asyncio.FIRST_COMPLETED)
        return creating.done() and creating.exception() is None and not task.done()
    finally:
        creating.cancel()
