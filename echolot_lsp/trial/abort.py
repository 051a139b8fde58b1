"""Ending a trial from another thread: no further request is made, and the connection of one that waits for its answer is shut."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Mapping
from typing import Any


class Abort:
    """The word of whoever does not want the answer any more."""

    def __init__(self) -> None:
        self._said = threading.Event()
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []

    def said(self) -> bool:
        """Whether ``say`` was called."""
        return self._said.is_set()

    def say(self) -> None:
        """Ends what is under way and all that would follow."""
        with self._lock:
            self._said.set()
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            _shut(each)

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """For httpx2's ``trace`` extension: keeps the socket of each connection that is made (over TLS: the one that is spoken on)."""
        if not event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            return
        made = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._sockets.append(made)
            too_late = self.said()
        if too_late:
            _shut(made)


def _shut(made: socket.socket) -> None:
    with contextlib.suppress(OSError, ValueError):  # it has ended by itself
        made.shutdown(socket.SHUT_RDWR)
