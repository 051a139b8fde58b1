"""The fix that writes references out where they are used, with what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy
from echolot_lsp.model import Fix, Operation, Path, is_known
from echolot_lsp.rules._growth import growth
from echolot_lsp.schema import SCHEMA_MAPS

MOST_NODES = 2_000

_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})
_SAYS_WHAT = ("type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf")
"""A target without any of these would be a parameter without a type where it is written out."""
_DATA = frozenset({"default", "examples", "enum", "const"})
"""What stands under these is no schema: a ``$ref`` in it is text."""
_NAMED = frozenset({"$id", "$anchor", "$dynamicAnchor", "$dynamicRef"})
_DEFINITIONS = ("$defs", "definitions")


class _Stuck(Exception):
    """It cannot be written out: recursive, named, without target or type, too large, or with demands beside the reference."""


def inline_fix(index: int, shape: Anatomy) -> Fix | None:
    """Replace every ``$ref`` outside the definitions by what it leads to and remove the definitions; ``None`` where that cannot be.

    It is not safe where it makes a large schema larger, or where something else still names a definition (a discriminator).
    """
    if not is_known(shape.root) or not isinstance(shape.root, Mapping):
        return None
    try:
        operations = _operations(index, shape)
        change = growth(shape, operations)
    except (_Stuck, LookupError, RecursionError, TypeError, ValueError):
        return None
    safe = not change.is_large and not any(f'"#/{keyword}/'.encode() in change.text for keyword in _DEFINITIONS)
    return Fix(f"Write the references out ({change.words})", safe, tuple(operations))


def _operations(index: int, shape: Anatomy) -> list[Operation]:
    budget = [MOST_NODES]
    operations: list[Operation] = []
    done: list[Path] = []
    for part in shape.having("$ref"):
        if part.path[1:2] in (("$defs",), ("definitions",)) or any(part.path[: len(path)] == path for path in done):
            continue
        operations.append(Operation("set", index, part.path, _written_out(part.schema, shape, (), budget)))
        done.append(part.path)
    root = shape.parts[0].path
    return [*operations, *(Operation("remove", index, (*root, keyword)) for keyword in _DEFINITIONS if keyword in shape.root)]


def _written_out(value: Any, shape: Anatomy, open_targets: tuple[Path, ...], budget: list[int], names: bool = False) -> Any:
    """``value`` without references. ``names``: its keys are names of parts, not keywords."""
    budget[0] -= 1
    if budget[0] < 0:
        raise _Stuck
    if isinstance(value, list):
        return [_written_out(item, shape, open_targets, budget) for item in value]
    if not isinstance(value, Mapping):
        return value
    if names or not isinstance(value.get("$ref"), str):
        return {
            key: item
            if key in _DATA and not names
            else _written_out(item, shape, open_targets, budget, not names and key in SCHEMA_MAPS)
            for key, item in value.items()
        }
    target = shape.target(value["$ref"])
    beside = {key: item for key, item in value.items() if key != "$ref"}
    if target is None or target[0] in open_targets or not isinstance(target[1], Mapping) or len(target[0]) < 2:
        raise _Stuck
    if any(key in target[1] and key not in _ANNOTATIONS for key in beside) or not any(key in target[1] for key in _SAYS_WHAT):
        raise _Stuck
    if not _NAMED.isdisjoint(target[1]):
        raise _Stuck
    return _written_out({**target[1], **beside}, shape, (*open_targets, target[0]), budget)
