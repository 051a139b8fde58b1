"""Running servers after their first check: kept open and read again when they say that their list has changed, or asked anew when a
file that they run from is saved. Both only where ``live-check`` in the settings says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from echolot_lsp.errors import EcholotError
from echolot_lsp.lsp.commands import Argument
from echolot_lsp.lsp.live_targets import Wanted
from echolot_lsp.lsp.server import EcholotServer

if TYPE_CHECKING:
    from echolot_lsp.extract.live import Listing
    from echolot_lsp.extract.live.run import Conversation

log = logging.getLogger(__name__)

Take = Callable[[EcholotServer, Wanted, "Listing"], Awaitable[Any]]
"""What is done with a listing."""


def register(server: EcholotServer, check: Callable[[EcholotServer, Argument], Awaitable[None]]) -> None:
    """Has ``check`` called for each checked server that a saved file belongs to."""
    running: dict[str, asyncio.Future[Any]] = {}

    def saved(path: str) -> None:
        for shown in server.live.started_from(path):
            settings = shown.reading.settings
            if settings is None or settings.live_check == "asked" or shown.checked is None:
                continue
            label = shown.reading.path
            if label in running:
                running[label].cancel()  # what it was started from is not what is on the disk now
            running[label] = server.background(_quietly(check(server, shown.checked.argument)))

    server.saved.append(saved)


async def _quietly(work: Awaitable[None]) -> None:
    try:
        await work
    except EcholotError as error:
        log.info("A running server was not checked again: %s", error)


async def listing(ls: EcholotServer, wanted: Wanted, take: Take) -> Listing:
    """What the server answers. Where it is to be followed it stays open, and ``take`` gets each later list."""
    from echolot_lsp.extract.live.run import Conversation

    before = ls.followed.pop(wanted.target.label, None)
    if before is not None:
        before.cancel()
    settings = await asyncio.to_thread(ls.session.settings_of, wanted.argument.get("uri"))
    follow = settings.live_check == "followed"
    conversation = await Conversation.open(wanted.target, follow=follow)
    kept = False
    try:
        first = await conversation.first()
        kept = follow and first.failure is None
        return first
    finally:
        if kept:
            ls.followed[wanted.target.label] = ls.background(_follow(ls, conversation, wanted, take))
        else:
            await conversation.close()


async def _follow(ls: EcholotServer, conversation: Conversation, wanted: Wanted, take: Take) -> None:
    try:
        while (later := await conversation.next()) is not None:
            await take(ls, wanted, later)
    except EcholotError as error:
        log.info("%s is not followed any more: %s", wanted.target.label, error)
    finally:
        await conversation.close()
