"""What FastMCP does to a JSON schema between pydantic and the wire: titles, unused definitions, ``$ref``s.

Pure functions on JSON objects; ``Unknown`` may stand anywhere and is left alone. Behaviour measured against FastMCP 2.14.7,
3.4.11 and 4.2.3 (2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import pydantic_core

from echolot_lsp.extract.python.dialects.unread import UNKNOWN_KEY
from echolot_lsp.model import Unknown

Schema = dict[str, Any]

STRUCTURE = frozenset({"type", "properties", "$ref", "items", "allOf", "oneOf", "anyOf", "required"})
METADATA = frozenset({"title", "description", "deprecated", "readOnly", "writeOnly"})
LITERALS = frozenset({"default", "const", "examples", "example", "enum"})
MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SINGLE = frozenset(
    {"items", "additionalItems", "additionalProperties", "contains", "contentSchema", "propertyNames"}
    | {"unevaluatedItems", "unevaluatedProperties", "if", "then", "else", "not"}
)

MAX_NODES = 100_000
MAX_DEPTH = 128


class CannotInline(Exception):
    """The ``$ref``s form a cycle, point nowhere, or would make the schema too large."""


def jsonable(value: Any) -> Any:
    """The JSON that is sent for a value: not finite numbers become null, tuples lists; marked schemas become ``Unknown``."""
    kind = type(value)
    if kind is dict:
        if UNKNOWN_KEY in value:
            return Unknown(value[UNKNOWN_KEY])
        return {(key if type(key) is str else _key(key)): jsonable(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [jsonable(item) for item in value]
    if kind is float:
        return value if value - value == 0 else None
    if value is None or kind in (str, bool, int, Unknown):
        return value
    return pydantic_core.from_json(pydantic_core.to_json(value, fallback=str))


def _key(key: object) -> str:
    return str(next(iter(pydantic_core.to_jsonable_python({key: None}, fallback=str))))


def prune(schema: Schema) -> Schema:
    """Without titles and without unused ``$defs``, as FastMCP 3 and 4 leave it. ``schema`` is not changed."""
    pruned: Schema = _without_titles(schema, True)
    return drop_unused(pruned)


def _without_titles(node: Any, is_schema: bool) -> Any:
    if isinstance(node, list):
        return [_without_titles(item, is_schema) for item in node]
    if not isinstance(node, dict):
        return node
    if not is_schema:
        return {key: _without_titles(value, False) for key, value in node.items()}
    drop = isinstance(node.get("title"), str) and (not STRUCTURE.isdisjoint(node) or METADATA.issuperset(node))
    kept: Schema = {}
    for key, value in node.items():
        if key == "title" and drop:
            continue
        if key in MAPS and isinstance(value, dict):
            kept[key] = {name: _without_titles(item, True) for name, item in value.items()}
        elif key in LITERALS:
            kept[key] = value
        else:
            kept[key] = _without_titles(value, key in SINGLE or (key in LISTS and isinstance(value, list)))
    return kept


def prune_all(node: Any) -> Any:
    """Without titles and ``additionalProperties: false``, as FastMCP 2 leaves it: it takes every object for a schema."""
    if isinstance(node, list):
        return [prune_all(item) for item in node]
    if not isinstance(node, dict):
        return node
    titled = not STRUCTURE.isdisjoint(node)
    return {
        key: prune_all(value)
        for key, value in node.items()
        if not (key == "title" and titled) and not (key == "additionalProperties" and value is False)
    }


def drop_unused(schema: Schema) -> Schema:
    """Without the ``$defs`` that nothing refers to."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    used: set[str] = set()
    pending = list(_references({key: value for key, value in schema.items() if key != "$defs"}))
    while pending:
        name = pending.pop()
        if name not in used and name in definitions:
            used.add(name)
            pending.extend(_references(definitions[name]))
    kept = {name: value for name, value in definitions.items() if name in used}
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    return {**rest, "$defs": kept} if kept else rest


def references(node: Any) -> list[str]:
    """The names of the definitions that a schema refers to."""
    return list(_references(node))


def _references(node: Any) -> Iterator[str]:
    pending = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, dict):
            reference = item.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                yield _steps(reference)[1]
            pending.extend(value for key, value in item.items() if key not in LITERALS or isinstance(value, dict))


def _steps(reference: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in unquote(reference[1:].lstrip("/")).split("/")]


def _target(schema: Schema, reference: str) -> Any:
    node: Any = schema
    for step in _steps(reference):
        try:
            node = node[int(step) if isinstance(node, list) else step]
        except (LookupError, TypeError, ValueError):
            raise CannotInline(reference) from None
    return node


def resolve_root(schema: Schema) -> Schema:
    """A root that is a bare ``$ref`` takes the place of its target; ``$defs`` stay, siblings win."""
    reference = schema.get("$ref")
    if "type" in schema or not isinstance(reference, str) or not reference.startswith("#"):
        return schema
    resolved = {key: value for key, value in schema.items() if key != "$ref"}
    for _ in range(32):
        try:
            target = _target(schema, reference)
        except CannotInline:
            return schema
        if not isinstance(target, dict) or target is schema:
            return schema
        following = target.get("$ref")
        if "type" in target or not isinstance(following, str) or not following.startswith("#"):
            return {**target, **resolved}
        resolved = {**{key: value for key, value in target.items() if key != "$ref"}, **resolved}
        reference = following
    return schema


def inline(schema: Schema) -> Schema:
    """Every local ``$ref`` replaced by its target, siblings laid over it, ``$defs`` gone. Raises ``CannotInline``."""
    budget = [MAX_NODES]
    result = _inlined(schema, schema, (), budget, 0)
    if not isinstance(result, dict):
        raise CannotInline("#")
    return {key: value for key, value in result.items() if key != "$defs"}


def _inlined(node: Any, root: Schema, active: tuple[str, ...], budget: list[int], depth: int) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_DEPTH:
        raise CannotInline("too large")
    if isinstance(node, list):
        return [_inlined(item, root, active, budget, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return {key: _inlined(value, root, active, budget, depth + 1) for key, value in node.items()}
    siblings = {key: value for key, value in node.items() if key not in ("$ref", "$defs")}
    if not reference.startswith("#"):
        return {key: _inlined(value, root, active, budget, depth + 1) for key, value in siblings.items()}
    if reference in active:
        raise CannotInline(reference)
    target = _inlined(_target(root, reference), root, (*active, reference), budget, depth + 1)
    return {**target, **siblings} if siblings and isinstance(target, dict) else target


def without_discriminators(node: Any, names_are_keywords: bool = False) -> Any:
    """Without ``discriminator`` beside ``anyOf``/``oneOf``; its property becomes required in every branch.

    ``names_are_keywords``: a property that is called like a keyword with data (``default``, ``enum``) is passed over (FastMCP 3).
    """
    if isinstance(node, list):
        return [without_discriminators(item, names_are_keywords) for item in node]
    if not isinstance(node, dict):
        return node
    if "discriminator" in node and ("anyOf" in node or "oneOf" in node):
        node = _with_required_tag(node)
    kept: Schema = {}
    for key, value in node.items():
        if key in MAPS and isinstance(value, dict) and not names_are_keywords:
            kept[key] = {name: without_discriminators(item) for name, item in value.items()}
        else:
            kept[key] = value if key in LITERALS - {"example"} else without_discriminators(value, names_are_keywords)
    return kept


def _with_required_tag(node: Schema) -> Schema:
    discriminator = node["discriminator"]
    rest = {key: value for key, value in node.items() if key != "discriminator"}
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    if not isinstance(name, str):
        return rest
    for key in ("anyOf", "oneOf"):
        if isinstance(rest.get(key), list):
            rest[key] = [_with_required(branch, name) if isinstance(branch, dict) else branch for branch in rest[key]]
    return rest


def _with_required(branch: Schema, name: str) -> Schema:
    required = branch.get("required")
    if required is None:
        return {**branch, "required": [name]}
    return {**branch, "required": [*required, name]} if isinstance(required, list) and name not in required else branch


def without_mappings(node: Any) -> Any:
    """Without the ``mapping`` of every ``discriminator`` (FastMCP 2)."""
    if isinstance(node, list):
        return [without_mappings(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: without_mappings(value) for key, value in node.items()}
    if isinstance(kept.get("discriminator"), dict):
        kept["discriminator"] = {key: value for key, value in kept["discriminator"].items() if key != "mapping"}
    return kept


def is_object(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a schema describes an object: by its type, by having properties, or through a ``$ref``."""
    root = schema if root is None else root
    kind = schema.get("type")
    if isinstance(kind, list):
        return [item for item in kind if item != "null"] == ["object"]
    if "type" in schema:
        return bool(kind == "object")
    if "properties" in schema:
        return True
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/") or reference in seen:
        return False
    try:
        target = _target(dict(root), reference)
    except CannotInline:
        return False
    return isinstance(target, Mapping) and is_object(target, root, seen | {reference})
