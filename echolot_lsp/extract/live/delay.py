"""How long a server was kept from running by other processes: a busy machine makes no server a slow one."""

from __future__ import annotations

import os
from collections.abc import Iterator


def seconds_kept_waiting(process: int | None = None) -> float:
    """The time that what a process (default: this one) has started was ready to run and had no processor, in seconds.

    Linux tells (``schedstat``: nanoseconds on a processor, nanoseconds waiting for one, times run); elsewhere it is 0.
    """
    return sum(_waited(child) for child in _descendants(process or os.getpid())) / 1e9


def _descendants(process: int) -> Iterator[int]:
    pending = [process]
    while pending:
        here = f"/proc/{pending.pop()}/task"
        for thread in _names(here):
            for child in map(int, _words(f"{here}/{thread}/children")):
                yield child
                pending.append(child)


def _waited(process: int) -> int:
    words = _words(f"/proc/{process}/schedstat")
    return int(words[1]) if len(words) > 1 else 0


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _words(file: str) -> list[str]:
    try:
        with open(file, encoding="ascii") as stream:
            return stream.read().split()
    except OSError:
        return []
