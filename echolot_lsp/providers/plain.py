"""Plain JSON of a value that may hold unknown parts or be nested without end: what every converter and counter starts from."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from echolot_lsp.model import Path, Unknown

DEEPEST = 200
"""Levels of objects and lists that are looked at; JSON that is nested deeper is cut there (no real schema comes near)."""


class Left(NamedTuple):
    """A part that was left out, and why: the source does not say it, or it is nested too deeply."""

    path: Path
    why: str


class Plain(NamedTuple):
    """A copy of a value in dicts, lists and scalars only, and what was left out of it. ``value`` is ``None`` when all of it was."""

    value: Any
    left: tuple[Left, ...]


def plain(value: object, path: Path = ()) -> Plain:
    """``value`` without its unknown parts (itself where it has none). Bounded by the value's size; never raises."""
    if _is_plain(value, DEEPEST):
        return Plain(value, ())
    left: list[Left] = []
    return Plain(_copy(value, path, left, DEEPEST), tuple(left))


def content_key(tool: Mapping[str, Any]) -> bytes:
    """Bytes that differ wherever two tools do: in a value, a key, or the order of keys (which is what is sent). At most 4 kB."""
    try:
        content = marshal.dumps(cast(Any, tool), 0)
    except ValueError:  # an unknown part, a mapping of another type, or nested without end
        parts = plain(tool)
        content = marshal.dumps(parts.value, 0) + repr([(left.path, left.why) for left in parts.left]).encode(
            "utf-8", "surrogatepass"
        )
    if len(content) <= 4_096:
        return content
    from hashlib import blake2b  # imported late: it loads OpenSSL

    return blake2b(content).digest()


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _is_plain(value: object, levels: int) -> bool:
    kind = type(value)
    if kind is dict:
        items: Any = cast(dict[Any, Any], value).values()
        if not all(type(key) is str for key in cast(dict[Any, Any], value)):
            return False
    elif kind is list:
        items = value
    else:
        return kind in _SCALARS
    return levels > 0 and all(type(item) in _SCALARS or _is_plain(item, levels - 1) for item in items)


def _copy(value: object, path: Path, left: list[Left], levels: int) -> Any:
    if isinstance(value, str) or value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Unknown):
        left.append(Left(path, value.why))
        return None
    if levels == 0:
        left.append(Left(path, f"it is nested more than {DEEPEST} levels deep"))
        return None
    if isinstance(value, Mapping):
        members = {}
        for key, item in value.items():
            before = len(left)
            copy = _copy(item, (*path, str(key)), left, levels - 1)
            if not _is_left(copy, (*path, str(key)), left, before):
                members[str(key)] = copy
        return members
    if isinstance(value, (list, tuple)):
        items = []
        for index, item in enumerate(value):
            before = len(left)
            copy = _copy(item, (*path, index), left, levels - 1)
            if not _is_left(copy, (*path, index), left, before):
                items.append(copy)
        return items
    left.append(Left(path, "it is no JSON value"))
    return None


def _is_left(copy: object, path: Path, left: list[Left], before: int) -> bool:
    return copy is None and len(left) > before and left[-1].path == path
