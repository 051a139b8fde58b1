"""What the rules ask of a tool again and again, worked out once for each tool: the parts of its input schema by keyword.

A ``Part`` is a subschema with where it stands and what it hangs on. Looking a keyword up costs nothing where the tool has none,
so that sixty rules over a hundred tools stay a matter of milliseconds. Bounded by the schema's size; no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from echolot_lsp.causes import blamed
from echolot_lsp.model import Path, Tool, Unknown
from echolot_lsp.schema import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, branches, resolve

CONDITIONS = frozenset({"not", "if"})
IN_PLACE = frozenset({"anyOf", "oneOf", "allOf", "then", "else", "dependentSchemas", *CONDITIONS})
"""Keywords whose subschemas speak about the same value as the schema that holds them."""
_MAPS, _LISTS, _ONES = frozenset(SCHEMA_MAPS), frozenset(SCHEMA_LISTS), frozenset(SCHEMAS)
_HOLDING = _MAPS | _LISTS | _ONES


class Part(NamedTuple):
    """A subschema: its path from the tool, itself (anything, where the list is wrong), the keyword that it hangs on (``""``: the
    root), the part that holds it, and whether it is inside a condition (``not``, ``if``), which describes no argument."""

    path: Path
    schema: Any
    role: str
    parent: Part | None
    condition: bool


class Anatomy:
    """The input schema (or, by ``key``, the output schema) of one tool, seen from the tool.

    ``left_out``: paths of parameters that no rule is to look at (``causes``).
    """

    def __init__(self, wire: Mapping[str, Any], key: str = "inputSchema", left_out: frozenset[Path] = frozenset()) -> None:
        self.root: Any = wire.get(key)
        self.parts: list[Part] = []
        self._having: dict[str, list[Part]] = {}
        pending = [Part((key,), self.root, "", None, False)] if key in wire else []
        while pending:
            part = pending.pop()
            self.parts.append(part)
            if isinstance(part.schema, Mapping):
                below: list[Part] = []
                for keyword, value in part.schema.items():
                    self._having.setdefault(keyword, []).append(part)
                    if keyword in _HOLDING:
                        below.extend(_below(part, keyword, value))
                below.reverse()
                pending.extend(part for part in below if part.path not in left_out)

    def having(self, keyword: str) -> list[Part]:
        """The parts that have ``keyword``, in document order."""
        return self._having.get(keyword, _NONE)

    @property
    def keywords(self) -> Mapping[str, list[Part]]:
        """Every keyword that stands anywhere, with the parts that have it."""
        return self._having

    @cached_property
    def parameters(self) -> list[Part]:
        """Every entry of ``properties`` anywhere, each where it stands, once. What a branch says of a property that the object
        around it has already is the same parameter, and a condition describes none."""
        return [part for part in self.parts if part.role == "properties" and not part.condition and not _restates(part)]

    @cached_property
    def top_level(self) -> Mapping[str, Any]:
        """The root's ``properties``; empty where it has none."""
        properties = self.root.get("properties") if isinstance(self.root, Mapping) else None
        return properties if isinstance(properties, Mapping) else {}

    def target(self, reference: object) -> tuple[Path, Any] | None:
        """The target of a ``$ref``, with its path from the tool; ``None`` where there is none."""
        found = resolve(reference, self.root)
        return None if found is None else ((self.parts[0].path[0], *found[0]), found[1])

    def same_value(self, schema: Any, most: int = 200) -> Iterator[Any]:
        """``schema`` and whatever else speaks about the same value: what its ``$ref`` leads to and its branches, each once."""
        pending, seen = [schema], set[int]()
        while pending and len(seen) < most:
            part = pending.pop(0)
            if id(part) in seen:
                continue
            seen.add(id(part))
            yield part
            if isinstance(part, Mapping):
                if "$ref" in part:
                    found = part["$ref"] if isinstance(part["$ref"], Unknown) else self.target(part["$ref"])
                    if found is not None:
                        pending.append(found if isinstance(found, Unknown) else found[1])
                pending.extend(branch.schema for branch in branches(part))
                pending.extend(value for keyword, value in part.items() if keyword in _BRANCH_LISTS and isinstance(value, Unknown))


_NONE: list[Part] = []
_BRANCH_LISTS = frozenset({"anyOf", "oneOf", "allOf"})


def _below(part: Part, keyword: str, value: Any) -> Iterator[Part]:
    condition = part.condition or keyword in CONDITIONS
    if keyword in _MAPS:
        if isinstance(value, Mapping):
            for name, child in value.items():
                yield Part((*part.path, keyword, name), child, keyword, part, condition)
    elif keyword in _LISTS or (keyword == "items" and isinstance(value, list)):
        if isinstance(value, list):
            for index, child in enumerate(value):
                yield Part((*part.path, keyword, index), child, keyword, part, condition)
    elif keyword in _ONES:
        yield Part((*part.path, keyword), value, keyword, part, condition)


def _restates(part: Part) -> bool:
    key, around = part.path[-1], part.parent
    while around is not None and around.role in IN_PLACE:
        around = around.parent
        properties = around.schema.get("properties") if around is not None else None
        if isinstance(properties, Unknown) or (isinstance(properties, Mapping) and key in properties):
            return True
    return False


_Answer = TypeVar("_Answer")


def per_tool(work: Callable[[Tool], _Answer]) -> Callable[[Tool], _Answer]:
    """``work``, done once for each tool and forgotten with it."""
    known: WeakKeyDictionary[Tool, _Answer] = WeakKeyDictionary()

    def answer(tool: Tool) -> _Answer:
        found = known.get(tool, _MISSING)
        if found is _MISSING:
            found = known[tool] = work(tool)
        return found  # type: ignore[return-value]

    return answer


_MISSING = object()


@per_tool
def anatomy(tool: Tool) -> Anatomy:
    """The input schema of ``tool``."""
    return Anatomy(tool.wire, left_out=blamed(tool))


@per_tool
def output_anatomy(tool: Tool) -> Anatomy:
    """The output schema of ``tool``."""
    return Anatomy(tool.wire, "outputSchema")
