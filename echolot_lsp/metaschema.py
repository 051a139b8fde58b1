"""Whether a schema is one: what JSON Schema 2020-12's meta-schema asks of each keyword, as a table.

A table rather than the meta-schema itself, because it answers for a hundred tools in a millisecond, does not recurse (a schema may be
a thousand deep), and can say in words what was wanted; a property test holds it against ``jsonschema``'s meta-schema. Regular
expressions and URIs are not judged: their dialects differ. Source: https://json-schema.org/draft/2020-12/schema, read 2026-11-30.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from echolot_lsp.anatomy import Anatomy, Part
from echolot_lsp.model import Path, Unknown

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


class Fault(NamedTuple):
    """Where in a schema something is wrong, the value there, and what is wanted, in words."""

    path: Path
    value: Any
    wanted: str


_Check = Callable[[Any], Iterable[tuple[Path, Any, str]]]


def _a(wanted: str, holds: Callable[[Any], bool]) -> _Check:
    return lambda value: () if holds(value) else [((), value, wanted)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and (isinstance(value, int) or value.is_integer())


def _is_schema(value: Any) -> bool:
    return isinstance(value, (Mapping, bool, Unknown))


def _is_type(value: Any) -> bool:
    if isinstance(value, list):
        names = [name for name in value if not isinstance(name, Unknown)]
        return bool(value) and all(isinstance(name, str) and name in TYPES for name in names) and len(set(names)) == len(names)
    return isinstance(value, str) and value in TYPES


def _schemas(value: Any) -> Iterator[tuple[Path, Any, str]]:
    if not isinstance(value, list) or not value:
        yield (), value, "a list of at least one schema"
        return
    yield from (((index,), item, "a schema") for index, item in enumerate(value) if not _is_schema(item))


def _schema_map(value: Any) -> Iterator[tuple[Path, Any, str]]:
    if not isinstance(value, Mapping):
        yield (), value, "an object of schemas"
        return
    yield from (((name,), item, "a schema") for name, item in value.items() if not _is_schema(item))


def _names(value: Any) -> Iterator[tuple[Path, Any, str]]:
    if not isinstance(value, list):
        yield (), value, "a list of names"
        return
    yield from (((index,), item, "a name") for index, item in enumerate(value) if not isinstance(item, (str, Unknown)))
    strings = [item for item in value if isinstance(item, str)]
    if len(set(strings)) < len(strings):
        yield (), value, "each name only once"


def _name_lists(value: Any) -> Iterator[tuple[Path, Any, str]]:
    if not isinstance(value, Mapping):
        yield (), value, "an object of lists of names"
        return
    for name, item in value.items():
        if not isinstance(item, Unknown):
            yield from (((name, *path), part, wanted) for path, part, wanted in _names(item))


_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*")
_text = _a("text", lambda value: isinstance(value, str))
_number = _a("a number", _is_number)
_count = _a("a whole number from 0", _is_count)
_flag = _a("true or false", lambda value: isinstance(value, bool))
_list = _a("a list", lambda value: isinstance(value, list))
_schema = _a("a schema", _is_schema)
_anchor = _a("a plain name", lambda value: isinstance(value, str) and _ANCHOR.fullmatch(value) is not None)

KEYWORDS: Mapping[str, _Check] = {
    **dict.fromkeys(("title", "description", "format", "pattern", "$ref", "$dynamicRef", "$schema", "$comment"), _text),
    **dict.fromkeys(("contentEncoding", "contentMediaType", "$recursiveRef"), _text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    "multipleOf": _a("a number above 0", lambda value: _is_number(value) and value > 0),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"), _count
    ),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _flag),
    **dict.fromkeys(("enum", "examples"), _list),
    **dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames", "if", "then", "else", "not"), _schema),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "contentSchema"), _schema),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), _schemas),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"), _schema_map),
    **dict.fromkeys(("$anchor", "$dynamicAnchor", "$recursiveAnchor"), _anchor),
    "$id": _a("an address without a fragment", lambda value: isinstance(value, str) and "#" not in value[:-1]),
    "type": _a("one of " + ", ".join(TYPES) + ", or a list of them", _is_type),
    "required": _names,
    "dependentRequired": _name_lists,
}


def faults(shape: Anatomy) -> list[Fault]:
    """What a schema has that 2020-12 does not allow, in document order; none for a value that is no object."""
    found: list[tuple[int, Fault]] = []
    suspects = [keyword for keyword in shape.keywords if keyword in KEYWORDS]
    order = {id(part): position for position, part in enumerate(shape.parts)} if suspects else {}
    for keyword in suspects:
        check = KEYWORDS[keyword]
        for part in shape.having(keyword):
            value = part.schema[keyword]
            if isinstance(value, Unknown):
                continue
            for path, wrong, wanted in check(value):
                if not _is_unjudged(part):
                    found.append((order[id(part)], Fault((*part.path, keyword, *path), wrong, wanted)))
    return [fault for _, fault in sorted(found, key=lambda pair: pair[0])]


def _is_unjudged(part: Part) -> bool:
    """Below what is no schema for 2020-12: an ``items`` that is a list (wrong as a whole), ``additionalItems`` (not a keyword)."""
    while part.parent is not None:
        if part.role == "additionalItems" or (part.role == "items" and isinstance(part.path[-1], int)):
            return True
        part = part.parent
    return False
