"""Which files below a folder may hold a tool list: a walk that skips what is nobody's source, and a prefilter by bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["python", "json"]

SUFFIXES: dict[str, Kind] = {".py": "python", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".jsonc": "json"}
SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
LARGEST = 32_000_000
"""Bytes. A larger file below a folder is a data set; one that is named on the command line is read whatever its size."""


class Candidate(NamedTuple):
    """A file that may hold a tool list, by its name's end."""

    path: str
    kind: Kind


def kind_of(name: str) -> Kind | None:
    """What a file is, by its name's end."""
    return SUFFIXES.get(os.path.splitext(name)[1].lower())


def walk(folder: str) -> Iterator[Candidate]:
    """The candidates below ``folder``, folder by folder in the order of their names.

    Hidden folders, virtual environments, caches and ``node_modules`` are skipped; so are symbolic links, which lead to a second
    copy of something or round in a circle. A folder that cannot be listed is passed over.
    """
    pending = [folder]
    while pending:
        here = pending.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        if here != folder and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        inside: list[str] = []
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED and not entry.name.startswith("."):
                    inside.append(entry.path)
                continue
            kind = kind_of(entry.name)
            if kind is not None and entry.is_file(follow_symlinks=False):
                yield Candidate(os.path.normpath(entry.path), kind)
        pending.extend(reversed(inside))


def head(path: str) -> bytes | None:
    """The content of a file for a prefilter; ``None`` where it cannot be read or is larger than ``LARGEST``."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return None
    try:
        size = os.fstat(descriptor).st_size
        if size > LARGEST:
            return None
        data = os.read(descriptor, size + 1)
        while len(data) < size and (more := os.read(descriptor, size - len(data))):
            data += more
        return data
    except OSError:
        return None
    finally:
        os.close(descriptor)
