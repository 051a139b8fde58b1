"""Walking a JSON schema, and JSON pointers (RFC 6901).

A walk sees every subschema once, where it stands (``$ref`` is not followed), and never fails on a schema of the wrong shape:
what is no schema is not walked into. It is bounded by the schema's own size and does not recurse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from echolot_lsp.model import Path

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
    """Every entry of ``properties`` anywhere in a schema, each where it stands, once (RULES.md, "Parameter")."""
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
    """The target of a local ``$ref`` (``#``, ``#/$defs/Item``) in ``root``, with its path from the root; ``None`` where it is
    not local or has no target."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    if reference in ("#", "#/"):
        return (), root
    if not reference.startswith("#/"):
        return None
    path: list[str | int] = []
    value = root
    for raw in reference[2:].split("/"):
        step = unquote(raw).replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and step in value:
            value = value[step]
            path.append(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
            path.append(int(step))
        else:
            return None
    return tuple(path), value
