"""Performing a fix's operations on a tool as data: what the tool would be like, before any text is touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.model import Operation, Path


def performed(wire: Mapping[str, Any], operations: Iterable[Operation]) -> Mapping[str, Any]:
    """A tool after ``operations``, which are all of this tool. What they do not touch is shared, not copied.

    Raises ``LookupError`` or ``TypeError`` where an operation does not fit the tool.
    """
    wanted = list(operations)
    after: Any = wire
    for operation in wanted:
        if operation.kind == "set":
            after = _with(after, operation.path, operation.value)
    removed = {operation.path for operation in wanted if operation.kind == "remove"}
    for path in sorted(removed, key=_order, reverse=True):
        after = _without(after, path)
    result: Mapping[str, Any] = after
    return result


def _order(path: Path) -> list[tuple[int, str]]:
    return [(step, "") if isinstance(step, int) else (-1, step) for step in path]


def _with(part: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(part, list) and isinstance(step, int):
        return [*part[:step], _with(part[step], rest, value), *part[step + 1 :]]
    if isinstance(part, Mapping):
        return {**part, step: _with(part.get(step, {}) if rest else None, rest, value)}
    raise TypeError(f"{step!r} of {type(part).__name__}")


def _without(part: Any, path: Path) -> Any:
    step, rest = path[0], path[1:]
    if isinstance(part, list) and isinstance(step, int):
        return [*part[:step], *([_without(part[step], rest)] if rest else []), *part[step + 1 :]]
    if isinstance(part, Mapping):
        if rest:
            return {**part, step: _without(part[step], rest)}
        return {key: value for key, value in part.items() if key != step}
    raise TypeError(f"{step!r} of {type(part).__name__}")
