"""More than five objects inside one another in the input schema.

**Why it matters.** The deeper the object, the more often a model closes a brace too early or puts a key on the wrong level.

**Instead.** Flatten: `ship_owner_city` rather than `ship.owner.address.city`, or take an id and look the rest up. The root is level 1;
lists, branches and references add none of their own, and the parts of `allOf` are one object with their owner.

**Who refuses.** OpenAI's strict mode beyond 10 levels (pydantic-ai-slim 2.68, 2026-11; older clients still say 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from echolot_lsp.anatomy import Anatomy, anatomy
from echolot_lsp.model import Path, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import branches, children, is_of_type, label
from echolot_lsp.words import quoted

MOST = 5
_STEPS = 20_000
"""Schemas looked at in one tool at most; references that fan out can make more ways than anybody can go."""
_NOT_DOWN = frozenset({"$defs", "definitions", "not", "if"})


class _Stop(NamedTuple):
    schema: Any
    path: Path
    level: int
    """Objects around this schema."""
    counted: bool
    """The owner is counted already and this is a part of it (``allOf``)."""
    open: frozenset[Path]
    """Targets of the references that led here."""


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    shape = anatomy(tool)
    objects = {id(part.schema) for part in (*shape.having("properties"), *shape.having("type")) if _is_object(part.schema)}
    if len(objects) <= MOST:
        return
    level, path = deepest(shape)
    if level > MOST:
        yield Hit(
            index,
            path,
            f"{quoted(label(path)) if label(path) else 'The schema'} stands {level} objects deep; a model loses track beyond {MOST}.",
        )


def deepest(shape: Anatomy) -> tuple[int, Path]:
    """The level of the deepest object and where it stands (first in document order)."""
    best: tuple[int, Path] = (0, ("inputSchema",))
    visited: dict[tuple[int, bool], int] = {}
    pending = [_Stop(shape.root, ("inputSchema",), 0, False, frozenset())]
    for _ in range(_STEPS):
        if not pending:
            break
        stop = pending.pop()
        if not isinstance(stop.schema, Mapping) or visited.get((id(stop.schema), stop.counted), -1) >= stop.level:
            continue
        visited[id(stop.schema), stop.counted] = stop.level
        is_object = _is_object(stop.schema)
        level = stop.level + (1 if is_object and not stop.counted else 0)
        if level > best[0]:
            best = (level, stop.path)
        pending.extend(reversed(_further(shape, stop, level, is_object or stop.counted)))
    return best


def _is_object(schema: Mapping[str, Any]) -> bool:
    return is_of_type(schema, "object") or isinstance(schema.get("properties"), Mapping)


def _further(shape: Anatomy, stop: _Stop, level: int, counted: bool) -> list[_Stop]:
    further: list[_Stop] = []
    target = shape.target(stop.schema.get("$ref"))
    if target is not None and target[0] not in stop.open:
        further.append(_Stop(target[1], target[0], level, counted, stop.open | {target[0]}))
    all_of = list(branches(stop.schema, stop.path, ("allOf",)))
    owner = counted or any(isinstance(part.schema, Mapping) and _is_object(part.schema) for part in all_of)
    raised = level + (1 if owner and not counted else 0)
    for part in all_of:
        further.append(_Stop(part.schema, part.path, raised, owner, stop.open))
    for child in children(stop.schema, stop.path):
        step = child.path[len(stop.path)]
        if step not in _NOT_DOWN and step != "allOf":
            further.append(_Stop(child.schema, child.path, level, False, stop.open))
    return further


def _nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {"knots": {"type": "integer"}}}
    for _ in range(levels - 1):
        schema = {"type": "object", "properties": {"part": schema}}
    return {"name": "tie_rope", "inputSchema": schema}


_ROPE = {"type": "object", "properties": {"end": {"$ref": "#/$defs/Rope"}}}
_CYCLE = {
    "name": "tie_rope",
    "inputSchema": {"type": "object", "properties": {"rope": {"$ref": "#/$defs/Rope"}}, "$defs": {"Rope": _ROPE}},
}

RULE = Rule(
    id="nested-over-5",
    severity=Severity.WARNING,
    title="Deeply nested input",
    advice="Flatten it.",
    bad=(Example((_nested(6),), ((0, "/inputSchema" + "/properties/part" * 5),)),),
    good=(Example((_nested(5),)), Example((_CYCLE,), title="A cycle counts once")),
    tool=check,
)
