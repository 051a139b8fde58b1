"""Walking a JSON schema, and JSON pointers (RFC 6901).

A walk sees every subschema once, where it stands (``$ref`` is not followed), and never fails on a schema of the wrong shape:
what is no schema is not walked into. It is bounded by the schema's own size and does not recurse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

from echolot_lsp.model import Path, Unknown

SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords whose value is an object of schemas."""
SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
"""Keywords whose value is a list of schemas."""
SCHEMAS = (
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
    "contentSchema",
)
"""Keywords whose value is one schema (``items`` was a list of schemas in draft 7: each is walked)."""


class Node(NamedTuple):
    """A subschema and where it stands, seen from the tool: ``("inputSchema", "properties", "limit")``."""

    path: Path
    schema: Any


def walk(schema: Any, path: Path = ()) -> Iterator[Node]:
    """Every subschema of ``schema``, itself first, in document order. Values that are no schema at all (a number) are seen too,
    so that rules can say so."""
    pending: list[Node] = [Node(path, schema)]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node.schema, Mapping):
            pending.extend(reversed(list(children(node.schema, node.path))))


def children(schema: Mapping[str, Any], path: Path) -> Iterator[Node]:
    """The direct subschemas of an object schema, in document order."""
    for key, value in schema.items():
        if key in SCHEMA_MAPS and isinstance(value, Mapping):
            for name, child in value.items():
                yield Node((*path, key, name), child)
        elif (key in SCHEMA_LISTS and isinstance(value, list)) or (key == "items" and isinstance(value, list)):
            for index, child in enumerate(value):
                yield Node((*path, key, index), child)
        elif key in SCHEMAS:
            yield Node((*path, key), value)


def parameters(schema: Any, path: Path) -> Iterator[Node]:
    """Every entry of ``properties`` anywhere in a schema, each where it stands, once: what the rules call a parameter."""
    for node in walk(schema, path):
        if len(node.path) - len(path) >= 2 and node.path[-2] == "properties" and is_property(node.path, len(path)):
            yield node


def is_property(path: Path, root: int) -> bool:
    """Whether ``path`` ends in a member of a ``properties`` keyword, not in a property that is itself called "properties"."""
    depth, length = root, len(path)
    while depth < length:
        step = path[depth]
        if step in SCHEMA_MAPS or step in SCHEMA_LISTS:
            if depth + 2 == length:
                return step == "properties"
            depth += 2
        elif step == "items" and depth + 1 < length and isinstance(path[depth + 1], int):
            depth += 2
        else:
            depth += 1
    return False


def pointer(path: Path) -> str:
    """The JSON pointer of a path: ``/inputSchema/properties/a~1b``; ``""`` for the tool itself."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def at(value: Any, path: Path) -> Any:
    """The part of ``value`` at ``path``. Raises ``LookupError`` where there is none."""
    for step in path:
        part: Any = value
        if not isinstance(value, Mapping) and not (isinstance(value, list) and isinstance(step, int)):
            raise LookupError(pointer(path))
        value = part[step]
    return value


def resolve(reference: object, root: Any) -> tuple[Path, Any] | None:
    """The target of a local ``$ref`` (``#``, ``#/$defs/Item``, ``#anchor``) in ``root``, with its path from the root; ``None``
    where it is not local or has no target. Where the way leads into an ``Unknown``, that is the target."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    if reference in ("#", "#/"):
        return (), root
    if not reference.startswith("#/"):
        return _anchored(unquote(reference[1:]), root)
    path: list[str | int] = []
    value = root
    for raw in reference[2:].split("/"):
        step = unquote(raw).replace("~1", "/").replace("~0", "~")
        if isinstance(value, Unknown):
            break
        if isinstance(value, Mapping) and step in value:
            value = value[step]
            path.append(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
            path.append(int(step))
        else:
            return None
    return tuple(path), value


def _anchored(anchor: str, root: Any) -> tuple[Path, Any] | None:
    unknown: tuple[Path, Any] | None = None
    for node in walk(root):
        if isinstance(node.schema, Unknown):
            unknown = node.path, node.schema
        elif isinstance(node.schema, Mapping):
            value = node.schema.get("$anchor")
            if value == anchor:
                return node.path, node.schema
            if isinstance(value, Unknown):
                unknown = node.path, value
    return unknown


TYPING = ("type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf")
"""Any of these says what a value is."""
BRANCHES = ("anyOf", "oneOf", "allOf")


def is_typed(schema: Mapping[str, Any]) -> bool:
    """Whether a schema says what its value is, in any way."""
    return any(keyword in schema for keyword in TYPING)


def is_of_type(schema: Any, name: str) -> bool:
    """Whether ``type`` is ``name``, alone or in a list of types."""
    if not isinstance(schema, Mapping):
        return False
    declared = schema.get("type")
    return declared == name or (isinstance(declared, list) and name in declared)


def branches(schema: Mapping[str, Any], path: Path = (), keywords: tuple[str, ...] = BRANCHES) -> Iterator[Node]:
    """The direct branches of ``anyOf``, ``oneOf`` and ``allOf``, in document order."""
    for keyword, value in schema.items():
        if keyword in keywords and isinstance(value, list):
            for index, branch in enumerate(value):
                yield Node((*path, keyword, index), branch)


def common_path(paths: Sequence[Path]) -> Path:
    """The longest path that all of ``paths`` share; ``()`` for none."""
    if not paths:
        return ()
    first, last = min(paths, key=_sortable), max(paths, key=_sortable)
    length = 0
    while length < len(first) and length < len(last) and first[length] == last[length]:
        length += 1
    return first[:length]


def _sortable(path: Path) -> tuple[str, ...]:
    return tuple(f"{type(step).__name__}{step}" for step in path)


@lru_cache(maxsize=4096)
def label(path: Path) -> str:
    """A place in an input schema as its author would say it: ``limit``, ``filter.owner``, ``rows[].id``, ``Address.street``."""
    steps = path[1:] if path[:1] in (("inputSchema",), ("outputSchema",)) else path
    words: list[str] = []
    depth = 0
    while depth < len(steps):
        step = steps[depth]
        following = steps[depth + 1] if depth + 1 < len(steps) else None
        if step in SCHEMA_MAPS and following is not None:
            words.append(f".{following}" if words else str(following))
            depth += 2
        elif step == "items":
            words.append("[]")
            depth += 2 if isinstance(following, int) else 1
        elif step in SCHEMA_LISTS and isinstance(following, int):
            depth += 2
        elif step == "additionalProperties":
            words.append(".*" if words else "*")
            depth += 1
        else:
            depth += 1
    return "".join(words)


def has_json_type(value: Any, name: object) -> bool:
    """Whether a JSON value is of a JSON Schema type (``1.0`` is an integer, ``true`` is no number)."""
    if name == "string":
        return isinstance(value, str)
    if name == "null":
        return value is None
    if name == "boolean":
        return isinstance(value, bool)
    if name == "object":
        return isinstance(value, Mapping)
    if name == "array":
        return isinstance(value, list)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return name == "number" or (name == "integer" and (isinstance(value, int) or value.is_integer()))
