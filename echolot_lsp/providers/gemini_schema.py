"""From a JSON schema to Gemini's ``Schema``: what the API's ``parameters`` field takes.

Each schema is flattened first (``gemini_flatten``), then its fields are written: types in capitals, ``const`` as an enum of one, values
that are no strings named in the description, and what ``Schema`` has no field for dropped. Every such step is noted. Never raises.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from echolot_lsp.model import Path
from echolot_lsp.providers import gemini
from echolot_lsp.providers.conversion import Change, Notes
from echolot_lsp.providers.gemini_flatten import DEEPEST, Flat, Flattener

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
    return converter.root(), converter.notes.changes


class _Converter:
    def __init__(self, root: object, index: int) -> None:
        self.notes = Notes(index)
        self._root = root
        self._flattener = Flattener(root, self.notes)

    def root(self) -> dict[str, Any]:
        path: Path = ("inputSchema",)
        if not isinstance(self._root, dict):
            text = "An input schema that is no object is sent as one without properties."
            self.notes.add(path, "inputSchema", "rewritten", text)
            return {"type": "OBJECT"}
        result = self.node(self._root, path, (), 0)
        if "type" not in result and "anyOf" not in result:
            self.notes.add(path, "type", "rewritten", "A root without a type is sent as an OBJECT.")
            result = {"type": "OBJECT", **result}
        return result

    def node(self, schema: object, path: Path, refs: tuple[str, ...], depth: int) -> dict[str, Any]:
        if not isinstance(schema, dict):
            lossy = schema is False
            text = f"Gemini has no schema `{json.dumps(schema)[:40]}`; one that takes any value is sent."
            self.notes.add(path, "schema", "dropped", text, lossy)
            return {}
        if depth >= DEEPEST:
            self.notes.add(path, "schema", "dropped", "The schema is too deep to be written out, so it ends here.", lossy=True)
            return {"type": "OBJECT"}
        flat = self._flattener.flat(schema, path, refs)
        if flat.cut:
            return {"type": "OBJECT", **flat.node}
        return _Fields(self, flat, depth).written()


class _Fields:
    """One schema without references, ``allOf`` and ``oneOf``: its fields as ``Schema`` has them."""

    def __init__(self, converter: _Converter, flat: Flat, depth: int) -> None:
        self._converter = converter
        self._notes = converter.notes
        self._node = dict(flat.node)
        self._path = flat.path
        self._refs = flat.refs
        self._depth = depth
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
        self._notes.add((*self._path, keyword), keyword, "dropped", text, lossy)

    def _rewrite(self, keyword: str, text: str) -> None:
        self._notes.add((*self._path, keyword), keyword, "rewritten", text)

    def _type(self, out: dict[str, Any]) -> None:
        """``type``: one in capitals; of a list, ``null`` becomes ``nullable``, several become ``anyOf`` (see ``_spread``)."""
        declared = self._node.pop("type", None)
        if self._node.pop("nullable", None) is True:
            out["nullable"] = True
        names = declared if isinstance(declared, list) else [declared]
        known = [name.lower() for name in names if isinstance(name, str) and name.lower() in TYPES]
        if isinstance(declared, list):
            self._rewrite("type", "Gemini's `type` is one name, not a list.")
        if declared is not None and len(known) < len(names):
            self._drop("type", "Gemini knows no such type.")
        if "null" in known and len(set(known)) > 1:
            out["nullable"] = True
            known = [name for name in known if name != "null"]
        known = list(dict.fromkeys(known))
        if not known and "properties" in self._node:
            self._rewrite("properties", "A schema with properties and no type is sent as an OBJECT.")
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
                self._drop(keyword, f"An `{keyword}` that is no list is dropped.")
                continue
            given = [value for value in values if value is not None]
            if len(given) < len(values):
                out["nullable"] = True
            strings = [value for value in given if isinstance(value, str)]
            if given and strings == given and self._types in ([], ["string"]):
                out["type"], out["enum"] = "STRING", list(dict.fromkeys(strings))
                self._types = ["string"]
                if keyword == "const":
                    self._rewrite("const", "Gemini has no `const`; it is sent as an enum of one value.")
                if "" in strings:
                    self._notes.add((*self._path, "enum"), "enum", "refused", "Gemini refuses an empty string in an enum.")
            elif given:
                self._drop(
                    keyword, f"Gemini's enum holds strings only; the values of `{keyword}` move into the description.", lossy=True
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
                            f"This value of `{keyword}` does not fit Gemini's field.",
                            lossy=keyword not in ("title", "default"),
                        )
        if "pattern" in out:
            text = "`pattern` is sent, but some Google clients' schema types have no field for it."
            self._notes.add((*self._path, "pattern"), "pattern", "kept", text)

    def _array(self, out: dict[str, Any]) -> None:
        items = self._node.pop("items", None)
        prefix = self._node.pop("prefixItems", None)
        tuple_items = items if isinstance(items, list) else prefix
        if isinstance(tuple_items, list):
            keyword = "items" if isinstance(items, list) else "prefixItems"
            self._drop(keyword, "Gemini has no tuples; each item may be any of the listed ones.", lossy=True)
            forms = [self._child(item, keyword, at) for at, item in enumerate(tuple_items)]
            if isinstance(items, dict):
                forms.append(self._child(items, "items"))
            distinct = list({json.dumps(form): form for form in forms}.values())
            if distinct:
                out["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        elif items is not None:
            out["items"] = self._child(items, "items")
        if "array" in self._types and "items" not in out:
            text = "Gemini refuses an array whose items are not described."
            self._notes.add(self._path, "items", "refused", text)

    def _object(self, out: dict[str, Any]) -> None:
        properties = self._node.pop("properties", None)
        required = self._node.pop("required", None)
        ordering = self._node.pop("propertyOrdering", None)
        if properties is not None and ("object" not in self._types or not isinstance(properties, dict)):
            self._drop("properties", "Gemini takes `properties` only as a map on an OBJECT.")
            properties = None
        if properties is not None:
            out["properties"] = {name: self._child(child, "properties", name) for name, child in properties.items()}
        if required is not None:
            names = required if isinstance(required, list) else []
            known = list(dict.fromkeys(name for name in names if isinstance(name, str) and name in (properties or {})))
            if not isinstance(required, list) or set(map(str, names)) - set(known):
                self._drop("required", "Gemini refuses a required name that `properties` does not define.", lossy=True)
            if known:
                out["required"] = known
        if isinstance(ordering, list) and all(isinstance(name, str) for name in ordering):
            out["propertyOrdering"] = ordering

    def _any_of(self, out: dict[str, Any]) -> None:
        members = self._node.pop("anyOf", None)
        if isinstance(members, list):
            out["anyOf"] = [self._child(member, "anyOf", at) for at, member in enumerate(members)]

    def _child(self, schema: object, *steps: str | int) -> dict[str, Any]:
        return self._converter.node(schema, (*self._path, *steps), self._refs, self._depth + 1)

    def _rest(self) -> None:
        for keyword in self._node:
            lost = gemini.DROPPED_CONSTRAINTS.get(keyword)
            if lost is None:
                self._drop(keyword, f"Gemini's `parameters` has no field for `{keyword}`.")
            elif keyword == "additionalProperties" and self._node[keyword] in (True, {}):
                self._drop(keyword, "Gemini's `parameters` has no field for `additionalProperties`; it said nothing here.")
            else:
                self._drop(keyword, f"Gemini's `parameters` has no field for `{keyword}` ({lost}).", lossy=True)

    def _spread(self, out: dict[str, Any]) -> None:
        """Several types: one alternative each, with the keywords that belong to it."""
        if len(self._types) < 2:
            return
        bound = {key: out.pop(key) for key in list(out) if key in _BOUND_TO_TYPE}
        out["anyOf"] = [
            {"type": name.upper(), **{key: value for key, value in bound.items() if key in _ONLY_FOR.get(name, ())}}
            for name in self._types
        ]


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
