"""From a JSON schema to Gemini's ``Schema``: what the API's ``parameters`` field takes.

Local references are written out (a cycle becomes a bare OBJECT), ``oneOf`` becomes ``anyOf``, ``allOf`` is merged, ``const`` becomes an
enum of one, ``null`` becomes ``nullable``, types are written in capitals, and what ``Schema`` has no field for is dropped. Every such
step is recorded. Never raises; the output is bounded (``MOST_NODES``, ``DEEPEST``) however references fan out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from echolot_lsp.model import Path
from echolot_lsp.providers import gemini
from echolot_lsp.providers.conversion import Change, Kind
from echolot_lsp.schema import resolve

MOST_NODES = 2_000
"""Schemas written for one tool; references beyond that are cut."""
DEEPEST = 30
"""Levels of schemas; Google's own JSON parser stops at about 100 levels of messages, and each schema takes up to three."""

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_INTEGERS = ("minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength")
_NUMBERS = ("minimum", "maximum")
_TEXTS = ("format", "title", "description", "pattern")
_ONLY_FOR = {
    "string": ("minLength", "maxLength", "pattern", "format", "enum"),
    "number": ("minimum", "maximum", "format"),
    "integer": ("minimum", "maximum", "format"),
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required", "minProperties", "maxProperties", "propertyOrdering"),
}
_BOUND_TO_TYPE = frozenset(keyword for keywords in _ONLY_FOR.values() for keyword in keywords)


def convert(schema: object, index: int) -> tuple[dict[str, Any], tuple[Change, ...]]:
    """The ``Schema`` of a tool's input schema (plain JSON), and every change, with paths in the MCP tool."""
    converter = _Converter(schema, index)
    return converter.root(), tuple(converter.changes)


class _Converter:
    def __init__(self, root: object, index: int) -> None:
        self._root = root
        self._index = index
        self._nodes = 0
        self.changes: list[Change] = []
        self._said: set[tuple[Path, str, str]] = set()

    def root(self) -> dict[str, Any]:
        path: Path = ("inputSchema",)
        if not isinstance(self._root, dict):
            self._say(path, "inputSchema", "rewritten", "an input schema that is no object is sent as one without properties")
            return {"type": "OBJECT"}
        result = self.node(self._root, path, ())
        if not result.get("type") and not result.get("anyOf"):
            self._say(path, "type", "rewritten", "a root without a type is sent as an OBJECT")
            result = {"type": "OBJECT", **result}
        return result

    def node(self, schema: object, path: Path, refs: tuple[str, ...]) -> dict[str, Any]:
        self._nodes += 1
        if isinstance(schema, bool):
            self._say(
                path, "schema", "dropped", f"Gemini has no schema `{json.dumps(schema)}`; any value is declared", lossy=not schema
            )
            return {}
        if not isinstance(schema, dict):
            self._say(path, "schema", "dropped", "a schema that is no object is sent as one that takes any value")
            return {}
        if self._nodes > MOST_NODES or len(path) > 3 * DEEPEST or len(refs) > DEEPEST:
            self._say(
                path, "schema", "dropped", "the schema is too large or too deep to be written out, so it ends here", lossy=True
            )
            return {"type": "OBJECT"}
        node, refs, cyclic = self._inlined(schema, path, refs)
        if cyclic:
            return {"type": "OBJECT", **_texts(node)}
        node = self._merged(node, path)
        node = self._alternatives(node, path)
        return _Fields(self, node, path, refs).written()

    def _say(self, path: Path, keyword: str, kind: Kind, text: str, lossy: bool = False) -> None:
        if (path, keyword, kind) not in self._said:
            self._said.add((path, keyword, kind))
            sentence = text[:1].upper() + text[1:] + "."
            self.changes.append(Change(self._index, path, keyword, kind, sentence, lossy))

    say = _say

    def _inlined(self, schema: dict[str, Any], path: Path, refs: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...], bool]:
        """``schema`` with its reference written out; what stands beside a ``$ref`` wins over what it names."""
        while "$ref" in schema:
            reference = schema["$ref"]
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            found = resolve(reference, self._root)
            if found is None or not isinstance(found[1], dict):
                self._say(
                    (*path, "$ref"), "$ref", "dropped", f"the reference {reference!r} names nothing here and is dropped", lossy=True
                )
                return rest, refs, False
            if reference in refs:
                text = (
                    f"the reference `{reference}` is part of a cycle, which Gemini's `parameters` cannot hold: it ends as an OBJECT"
                )
                self._say((*path, "$ref"), "$ref", "dropped", text, lossy=True)
                return rest, refs, True
            text = f"Gemini's `parameters` has no `$ref`: what `{reference}` names is written out"
            self._say((*path, "$ref"), "$ref", "rewritten", text)
            refs = (*refs, reference)
            schema = {**found[1], **rest}
        return schema, refs, False

    def _merged(self, node: dict[str, Any], path: Path) -> dict[str, Any]:
        """``node`` with the members of its ``allOf`` (and what they name) merged in."""
        depth = 0
        while "allOf" in node:
            members, depth = node["allOf"], depth + 1
            node = {key: value for key, value in node.items() if key != "allOf"}
            if not isinstance(members, list) or depth > DEEPEST:
                self._say((*path, "allOf"), "allOf", "dropped", "this `allOf` cannot be merged and is dropped", lossy=True)
                break
            self._say((*path, "allOf"), "allOf", "rewritten", "Gemini has no `allOf`: its members are merged into one schema")
            for position, member in enumerate(members):
                place = (*path, "allOf", position)
                if not isinstance(member, dict):
                    self._say(place, "allOf", "dropped", "a member of `allOf` that is no object is dropped")
                    continue
                whole, _, cyclic = self._inlined(member, place, ())
                if not cyclic:
                    node = _merge(node, whole)
        return node

    def _alternatives(self, node: dict[str, Any], path: Path) -> dict[str, Any]:
        """``node`` with ``oneOf`` as ``anyOf``, ``null`` as ``nullable`` and alternatives that hold only constraints dropped."""
        if "oneOf" in node:
            node = dict(node)
            members = node.pop("oneOf")
            if "anyOf" in node:
                self._say((*path, "oneOf"), "oneOf", "dropped", "`oneOf` beside `anyOf` has no place and is dropped", lossy=True)
            else:
                node["anyOf"] = members
                text = "Gemini has no `oneOf`: it is sent as `anyOf`, so several alternatives may hold at once"
                self._say((*path, "oneOf"), "oneOf", "rewritten", text, lossy=True)
        members = node.get("anyOf")
        if "anyOf" in node and not (isinstance(members, list) and members):
            self._say((*path, "anyOf"), "anyOf", "dropped", "`anyOf` without alternatives is dropped")
            return {key: value for key, value in node.items() if key != "anyOf"}
        if not isinstance(members, list):
            return node
        kept = [member for member in members if not _is_null(member)]
        node = {**node, "anyOf": kept}
        if len(kept) < len(members):
            node["nullable"] = True
            self._say((*path, "anyOf"), "anyOf", "rewritten", "an alternative `null` is sent as `nullable`")
        if not kept:
            return {"type": "null", **{key: value for key, value in node.items() if key != "anyOf"}}
        if "type" in node or "properties" in node:
            return self._beside_type(node, path)
        if len(kept) == 1:
            rest = {key: value for key, value in node.items() if key != "anyOf"}
            whole, cyclic = self._single(kept[0], path)
            return rest if cyclic else self._alternatives(self._merged({**whole, **rest}, path), path)
        return node

    def _single(self, member: object, path: Path) -> tuple[dict[str, Any], bool]:
        if not isinstance(member, dict):
            return {}, False
        whole, _, cyclic = self._inlined(member, (*path, "anyOf", 0), ())
        return whole, cyclic

    def _beside_type(self, node: dict[str, Any], path: Path) -> dict[str, Any]:
        text = "Gemini takes no `anyOf` beside a type: the alternatives are dropped, the type is kept"
        self._say((*path, "anyOf"), "anyOf", "dropped", text, lossy=True)
        return {key: value for key, value in node.items() if key != "anyOf"}


class _Fields:
    """One schema without references, ``allOf`` and ``oneOf``: its fields as ``Schema`` has them."""

    def __init__(self, converter: _Converter, node: Mapping[str, Any], path: Path, refs: tuple[str, ...]) -> None:
        self._converter = converter
        self._node = dict(node)
        self._path = path
        self._refs = refs
        self._hints: list[str] = []

    def written(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        self._type(out)
        self._values(out)
        self._scalars(out)
        self._array(out)
        self._object(out)
        self._any_of(out)
        self._rest()
        self._spread(out)
        if self._hints:
            out["description"] = " ".join([*([out["description"]] if out.get("description") else []), *self._hints])
        return {key: out[key] for key in gemini.SCHEMA_FIELDS if key in out}

    def _drop(self, keyword: str, text: str, lossy: bool = False) -> None:
        self._converter.say((*self._path, keyword), keyword, "dropped", text, lossy)

    def _rewrite(self, keyword: str, text: str) -> None:
        self._converter.say((*self._path, keyword), keyword, "rewritten", text)

    def _type(self, out: dict[str, Any]) -> None:
        """``type``: one in capitals; of a list, ``null`` becomes ``nullable``, several become ``anyOf`` (see ``_spread``)."""
        declared = self._node.pop("type", None)
        if self._node.pop("nullable", None) is True:
            out["nullable"] = True
        names = declared if isinstance(declared, list) else [declared]
        known = [name.lower() for name in names if isinstance(name, str) and name.lower() in TYPES]
        if isinstance(declared, list):
            self._rewrite("type", "Gemini's `type` is one name, not a list")
        if declared is not None and len(known) < len(names):
            self._drop("type", "Gemini knows no such type")
        if "null" in known and len(set(known)) > 1:
            out["nullable"] = True
            known = [name for name in known if name != "null"]
        known = list(dict.fromkeys(known))
        if not known and "properties" in self._node:
            self._rewrite("properties", "a schema with properties and no type is sent as an OBJECT")
            known = ["object"]
        self._types = known
        if len(known) == 1:
            out["type"] = known[0].upper()

    def _values(self, out: dict[str, Any]) -> None:
        """``enum`` and ``const``: strings only; other values are named in the description."""
        for keyword in ("const", "enum"):
            if keyword not in self._node:
                continue
            values = self._node.pop(keyword)
            values = [values] if keyword == "const" else values
            if not isinstance(values, list):
                self._drop(keyword, f"`{keyword}` is no list and is dropped")
                continue
            given = [value for value in values if value is not None]
            if len(given) < len(values):
                out["nullable"] = True
            strings = [value for value in given if isinstance(value, str)]
            if given and strings == given and self._types in ([], ["string"]):
                out["type"], out["enum"] = "STRING", list(dict.fromkeys(strings))
                self._types = ["string"]
                if keyword == "const":
                    self._rewrite("const", "Gemini has no `const`: it is sent as an enum of one value")
                if "" in strings:
                    self._converter.say((*self._path, "enum"), "enum", "refused", "Gemini refuses an empty string in an enum")
            elif given:
                self._drop(
                    keyword, f"Gemini's enum holds strings only: the values of `{keyword}` move into the description", lossy=True
                )
                shown = ", ".join(json.dumps(value, ensure_ascii=False)[:60] for value in given[:40])
                self._hints.append(f"Always {shown}." if keyword == "const" else f"Allowed values: {shown}.")

    def _scalars(self, out: dict[str, Any]) -> None:
        checks: tuple[tuple[tuple[str, ...], Callable[[object], Any]], ...] = (
            (_INTEGERS, _integer),
            (_NUMBERS, _number),
            (_TEXTS, lambda value: value if isinstance(value, str) else None),
            (("default", "example"), _shallow),
        )
        for keywords, check in checks:
            for keyword in keywords:
                if keyword in self._node:
                    raw = self._node.pop(keyword)
                    value = check(raw)
                    if value is not None or (raw is None and keyword in ("default", "example")):
                        out[keyword] = value
                    else:
                        self._drop(
                            keyword,
                            f"this value of `{keyword}` does not fit Gemini's field",
                            lossy=keyword not in ("title", "default"),
                        )
        if "pattern" in out:
            text = "`pattern` is sent, but some Google clients' schema types have no field for it"
            self._converter.say((*self._path, "pattern"), "pattern", "kept", text)

    def _array(self, out: dict[str, Any]) -> None:
        items = self._node.pop("items", None)
        prefix = self._node.pop("prefixItems", None)
        tuple_items = items if isinstance(items, list) else prefix
        if isinstance(tuple_items, list):
            keyword = "items" if isinstance(items, list) else "prefixItems"
            self._drop(keyword, "Gemini has no tuples: each item may be any of the listed ones", lossy=True)
            forms = [self._child(item, keyword, at) for at, item in enumerate(tuple_items)]
            if isinstance(items, dict):
                forms.append(self._child(items, "items"))
            distinct = [form for at, form in enumerate(forms) if form not in forms[:at]]
            if distinct:
                out["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        elif items is not None:
            out["items"] = self._child(items, "items")
        if "array" in self._types and "items" not in out:
            text = "Gemini refuses an array whose items are not described"
            self._converter.say(self._path, "items", "refused", text)

    def _object(self, out: dict[str, Any]) -> None:
        properties = self._node.pop("properties", None)
        required = self._node.pop("required", None)
        ordering = self._node.pop("propertyOrdering", None)
        if properties is not None and ("object" not in self._types or not isinstance(properties, dict)):
            self._drop("properties", "Gemini takes `properties` only as a map on an OBJECT")
            properties = None
        if properties is not None:
            out["properties"] = {name: self._child(child, "properties", name) for name, child in properties.items()}
        if required is not None:
            names = required if isinstance(required, list) else []
            known = list(dict.fromkeys(name for name in names if isinstance(name, str) and name in (properties or {})))
            if not isinstance(required, list) or set(map(str, names)) - set(known):
                self._drop("required", "Gemini refuses a required name that `properties` does not define", lossy=True)
            if known:
                out["required"] = known
        if isinstance(ordering, list) and all(isinstance(name, str) for name in ordering):
            out["propertyOrdering"] = ordering

    def _any_of(self, out: dict[str, Any]) -> None:
        members = self._node.pop("anyOf", None)
        if isinstance(members, list):
            out["anyOf"] = [self._child(member, "anyOf", at) for at, member in enumerate(members)]

    def _child(self, schema: object, *steps: str | int) -> dict[str, Any]:
        return self._converter.node(schema, (*self._path, *steps), self._refs)

    def _rest(self) -> None:
        for keyword in self._node:
            lost = gemini.DROPPED_CONSTRAINTS.get(keyword)
            if lost is None:
                self._drop(keyword, f"Gemini's `parameters` has no field for `{keyword}`")
            elif keyword == "additionalProperties" and self._node[keyword] in (True, {}):
                self._drop(keyword, "Gemini's `parameters` has no field for `additionalProperties`; it said nothing here")
            else:
                self._drop(keyword, f"Gemini's `parameters` has no field for `{keyword}` ({lost})", lossy=True)

    def _spread(self, out: dict[str, Any]) -> None:
        """Several types: one alternative each, with the keywords that belong to it."""
        if len(self._types) < 2:
            return
        bound = {key: out.pop(key) for key in list(out) if key in _BOUND_TO_TYPE}
        out["anyOf"] = [
            {"type": name.upper(), **{key: value for key, value in bound.items() if key in _ONLY_FOR.get(name, ())}}
            for name in self._types
        ]


def _merge(left: dict[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Both schemas at once: properties and required names joined, the tighter bound, else the left one's keyword."""
    merged = dict(left)
    for key, value in right.items():
        own = merged.get(key)
        if key not in merged:
            merged[key] = value
        elif isinstance(own, dict) and isinstance(value, dict) and key in ("properties", "$defs", "definitions"):
            merged[key] = {**value, **own}
        elif isinstance(own, list) and isinstance(value, list) and key in ("required", "allOf"):
            merged[key] = [*own, *(item for item in value if item not in own)]
        elif isinstance(own, list) and isinstance(value, list) and key == "enum":
            merged[key] = [item for item in own if item in value] or own
        elif _number(own) is not None and _number(value) is not None and key.startswith(("min", "max")):
            merged[key] = max(own, value) if key.startswith("min") else min(own, value)
    return merged


def _is_null(schema: object) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or ("const" in schema and schema["const"] is None))


def _texts(node: Mapping[str, Any]) -> dict[str, Any]:
    return {key: node[key] for key in ("title", "description") if isinstance(node.get(key), str)}


def _integer(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) and abs(number) < 2**63 else None


def _number(value: object) -> Any:
    """A number that fits a double; ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, int):
        return value if abs(value) < 2**1023 else None
    return value if math.isfinite(value) else None


def _shallow(value: object, levels: int = 10) -> Any:
    """A value of at most ``levels`` levels with finite numbers only, ``None`` for anything else."""
    if isinstance(value, (dict, list)):
        members = list(value.values()) if isinstance(value, dict) else value
        fits = levels > 0 and all(member is None or _shallow(member, levels - 1) is not None for member in members)
        return value if fits else None
    return value if isinstance(value, (str, bool)) else _number(value)
