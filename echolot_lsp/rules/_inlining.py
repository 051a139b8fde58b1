"""The fix that writes references out where they are used, with what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy
from echolot_lsp.model import Fix, Operation, Path, is_known
from echolot_lsp.rules._grouping import rough_tokens
from echolot_lsp.words import counted

MOST_NODES = 2_000
_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})


_SAYS_WHAT = ("type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf")
"""A target without any of these would be a parameter without a type where it is written out."""


class _Stuck(Exception):
    """It cannot be written out: recursive, without target, without a type, too large, or with demands beside the reference."""


def inline_fix(index: int, shape: Anatomy) -> Fix | None:
    """Replace every ``$ref`` outside the definitions by what it leads to and remove the definitions; ``None`` where that cannot be."""
    if not is_known(shape.root):
        return None
    try:
        operations, before, after = _operations(index, shape)
    except (_Stuck, RecursionError):
        return None
    more = after - before
    cost = f"about {counted(abs(more), 'token')} {'more' if more > 0 else 'less'}" if more else "about as many tokens"
    return Fix(f"Write the references out ({cost})", True, tuple(operations))


def _operations(index: int, shape: Anatomy) -> tuple[list[Operation], int, int]:
    budget = [MOST_NODES]
    operations: list[Operation] = []
    before = after = 0
    done: list[Path] = []
    for part in shape.having("$ref"):
        if part.path[1:2] in (("$defs",), ("definitions",)) or any(part.path[: len(path)] == path for path in done):
            continue
        value = _written_out(part.schema, shape, (), budget)
        operations.append(Operation("set", index, part.path, value))
        done.append(part.path)
        before += rough_tokens(part.schema)
        after += rough_tokens(value)
    for keyword in ("$defs", "definitions"):
        if isinstance(shape.root, Mapping) and keyword in shape.root:
            operations.append(Operation("remove", index, (shape.parts[0].path[0], keyword)))
            before += rough_tokens(shape.root[keyword])
    return operations, before, after


def _written_out(value: Any, shape: Anatomy, open_targets: tuple[Path, ...], budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0:
        raise _Stuck
    if isinstance(value, list):
        return [_written_out(item, shape, open_targets, budget) for item in value]
    if not isinstance(value, Mapping):
        return value
    if not isinstance(value.get("$ref"), str):
        return {key: _written_out(item, shape, open_targets, budget) for key, item in value.items()}
    target = shape.target(value["$ref"])
    beside = {key: item for key, item in value.items() if key != "$ref"}
    if target is None or target[0] in open_targets or not isinstance(target[1], Mapping) or len(target[0]) < 2:
        raise _Stuck
    if any(key in target[1] and key not in _ANNOTATIONS for key in beside) or not any(key in target[1] for key in _SAYS_WHAT):
        raise _Stuck
    return _written_out({**target[1], **beside}, shape, (*open_targets, target[0]), budget)
