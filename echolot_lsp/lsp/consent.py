"""Asking the person in the editor: ``window/showMessageRequest``, which every client has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lsprotocol import types

from echolot_lsp.lsp.server import EcholotServer

WAIT_SECONDS = 300.0
"""An unanswered question is a no."""


async def agreed(ls: EcholotServer, question: str, yes: str) -> bool:
    """Whether the person chose ``yes``. No answer, or closing the question, is a no."""
    actions = [types.MessageActionItem(title=yes), types.MessageActionItem(title="Cancel")]
    params = types.ShowMessageRequestParams(type=types.MessageType.Info, message=question, actions=actions)
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            answer = await ls.window_show_message_request_async(params)
    except TimeoutError:
        return False
    return answer is not None and answer.title == yes


def asker(ls: EcholotServer, yes: str = "Send") -> Callable[[str], bool]:
    """``agreed`` for code that runs in a thread beside the event loop."""
    loop = asyncio.get_running_loop()

    def ask(question: str) -> bool:
        return asyncio.run_coroutine_threadsafe(agreed(ls, question, yes), loop).result()

    return ask
