"""The one way in which the product reads text: the disk in the command line, open buffers over the disk in the editor.

A ``Files`` notes which paths it was asked for, present or absent: that is the dependency list of whatever was read with it.
"""

from __future__ import annotations

import os
import stat as stat_module
from collections.abc import Mapping
from typing import Protocol


class Files(Protocol):
    """Reading by path. Paths are native and absolute or relative to the working folder, used as given as keys."""

    def bytes(self, path: str) -> bytes | None:
        """The content of a file; ``None`` where there is none, or it cannot be read (a folder, a pipe, a device)."""

    def text(self, path: str) -> str | None:
        """The text of a file, decoded as UTF-8 (a byte order mark is dropped, undecodable bytes become U+FFFD)."""

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; empty where there is none."""

    def is_file(self, path: str) -> bool:
        """Whether there is a file at ``path``."""

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder at ``path``."""


class Disk:
    """``Files`` on the disk, with texts of open buffers laid over it."""

    def __init__(self, buffers: Mapping[str, str] | None = None) -> None:
        self._buffers = buffers if buffers is not None else {}
        self.asked: set[str] = set()

    def bytes(self, path: str) -> bytes | None:
        self.asked.add(path)
        buffer = self._buffers.get(path)
        if buffer is not None:
            return buffer.encode("utf-8", "surrogatepass")
        try:
            with open(path, "rb", opener=_without_waiting) as file:
                return file.read() if stat_module.S_ISREG(os.fstat(file.fileno()).st_mode) else None
        except (OSError, ValueError):
            return None

    def text(self, path: str) -> str | None:
        buffer = self._buffers.get(path)
        if buffer is not None:
            self.asked.add(path)
            return buffer
        data = self.bytes(path)
        return None if data is None else decode(data)

    def names(self, folder: str) -> list[str]:
        self.asked.add(folder)
        try:
            return sorted(os.listdir(folder))
        except (OSError, ValueError):
            return []

    def is_file(self, path: str) -> bool:
        self.asked.add(path)
        if path in self._buffers:
            return True
        try:
            return stat_module.S_ISREG(os.stat(path).st_mode)
        except (OSError, ValueError):
            return False

    def is_folder(self, path: str) -> bool:
        self.asked.add(path)
        try:
            return stat_module.S_ISDIR(os.stat(path).st_mode)
        except (OSError, ValueError):
            return False


def _without_waiting(path: str, flags: int) -> int:
    """A pipe that stands where a file stood is opened without waiting for somebody to write into it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def decode(data: bytes) -> str:
    """UTF-8 text of ``data``; a byte order mark is dropped, what cannot be decoded becomes U+FFFD."""
    return data.decode("utf-8-sig", "replace")
