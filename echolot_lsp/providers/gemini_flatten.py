"""The first half of the way to Gemini's ``Schema``: a schema without ``$ref``, ``allOf``, ``oneOf`` and alternatives of ``null``.

References are written out (a cycle ends), ``allOf`` is merged, ``oneOf`` becomes ``anyOf``, an alternative ``null`` becomes ``nullable``,
a single alternative becomes the schema itself, and ``anyOf`` beside a type is folded into it, since Gemini takes only one of the two.
Bounded: ``MOST_NODES`` schemas a tool, however references fan out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from echolot_lsp.model import Path
from echolot_lsp.providers.conversion import Notes
from echolot_lsp.schema import resolve

MOST_NODES = 2_000
"""Schemas below references that are written for one tool; what references would add beyond that is cut."""
DEEPEST = 30
"""Levels of schemas and of references. Google's own JSON parser stops at about 100 messages inside one another, three a schema."""

_ALTERNATIVE_KEYS = ("$ref", "type", "enum", "const", "properties", "items", "anyOf", "oneOf", "allOf")


@dataclass(frozen=True, slots=True)
class Flat:
    """A flattened schema: its keywords, where they stand in the tool, and the references that led to it."""

    node: dict[str, Any]
    path: Path
    refs: tuple[str, ...]
    cut: bool = False
    """A cycle, or the bounds: nothing below is looked at."""


class Flattener:
    """Flattens the schemas of one tool's input schema (plain JSON)."""

    def __init__(self, root: object, notes: Notes) -> None:
        self._root = root
        self._notes = notes
        self._nodes = 0

    def flat(self, schema: Mapping[str, Any], path: Path, refs: tuple[str, ...]) -> Flat:
        """``schema`` without references and combinators, except an ``anyOf`` of at least two schemas without a type beside it."""
        self._nodes += bool(refs)
        if refs and self._nodes > MOST_NODES:
            text = "What references add up to here is too large to be written out, so it ends here."
            self._notes.add(path, "schema", "dropped", text, lossy=True)
            return Flat(_texts(schema), path, refs, cut=True)
        found = self._inlined(schema, path, refs)
        if found.cut:
            return found
        return self._one_of_any(self._merged(found))

    def _inlined(self, schema: Mapping[str, Any], path: Path, refs: tuple[str, ...]) -> Flat:
        node = dict(schema)
        while "$ref" in node:
            reference = node.pop("$ref")
            place = (*path, "$ref")
            found = resolve(reference, self._root)
            if found is None or not isinstance(found[1], dict):
                self._notes.add(
                    place, "$ref", "dropped", f"The reference {reference!r} names no schema here and is dropped.", lossy=True
                )
                return Flat(node, path, refs)
            if reference in refs or len(refs) >= DEEPEST:
                text = f"The reference `{reference}` is part of a cycle, which Gemini's `parameters` cannot hold; it ends as an OBJECT."
                self._notes.add(place, "$ref", "dropped", text, lossy=True)
                return Flat(_texts(node), path, refs, cut=True)
            text = f"Gemini's `parameters` has no `$ref`; what `{reference}` names is written out."
            self._notes.add(place, "$ref", "rewritten", text)
            refs, path = (*refs, reference), ("inputSchema", *found[0])
            node = {**found[1], **node}
        return Flat(node, path, refs)

    def _merged(self, flat: Flat) -> Flat:
        """``allOf``: its members, flattened, merged into their owner."""
        if "allOf" not in flat.node:
            return flat
        node = dict(flat.node)
        members, place, refs = node.pop("allOf"), (*flat.path, "allOf"), flat.refs
        if not isinstance(members, list):
            self._notes.add(place, "allOf", "dropped", "An `allOf` that is no list is dropped.")
            return Flat(node, flat.path, refs)
        self._notes.add(place, "allOf", "rewritten", "Gemini has no `allOf`; its members are merged into one schema.")
        for position, member in enumerate(members):
            if isinstance(member, dict):
                part = self.flat(member, (*place, position), flat.refs)
                node = _merge(node, part.node)
                refs = tuple(dict.fromkeys((*refs, *part.refs)))
        return Flat(node, flat.path, refs)

    def _one_of_any(self, flat: Flat) -> Flat:
        """``oneOf`` and ``anyOf``: at most an ``anyOf`` of several schemas is left, and that only without a type beside it."""
        node = dict(flat.node)
        if "oneOf" in node:
            members = node.pop("oneOf")
            place = (*flat.path, "oneOf")
            if "anyOf" in node:
                self._notes.add(place, "oneOf", "dropped", "`oneOf` beside `anyOf` has no place and is dropped.", lossy=True)
            else:
                text = "Gemini has no `oneOf`; it is sent as `anyOf`, so that several alternatives may hold at once."
                self._notes.add(place, "oneOf", "rewritten", text, lossy=True)
                node["anyOf"] = members
        if "anyOf" not in node:
            return Flat(node, flat.path, flat.refs)
        alternatives = node.pop("anyOf")
        place = (*flat.path, "anyOf")
        if not isinstance(alternatives, list) or not alternatives:
            self._notes.add(place, "anyOf", "dropped", "An `anyOf` without alternatives is dropped.")
            return Flat(node, flat.path, flat.refs)
        kept = [member for member in alternatives if not _is_null(member)]
        if len(kept) < len(alternatives):
            node["nullable"] = True
            self._notes.add(place, "anyOf", "rewritten", "The alternative `null` is sent as `nullable`.")
        if not kept:
            return Flat({"type": "null", **node}, flat.path, flat.refs)
        if "type" in node or "properties" in node:
            return self._beside_type(Flat(node, flat.path, flat.refs), kept)
        if len(kept) == 1:
            return self._single(Flat(node, flat.path, flat.refs), kept[0])
        return Flat({**node, "anyOf": kept}, flat.path, flat.refs)

    def _single(self, owner: Flat, member: object) -> Flat:
        if not isinstance(member, dict):
            return owner
        part = self.flat(member, (*owner.path, "anyOf", 0), owner.refs)
        if part.cut:
            return Flat(_texts({**part.node, **owner.node}), owner.path, part.refs, cut=True)
        return Flat({**part.node, **owner.node}, part.path, part.refs)

    def _beside_type(self, owner: Flat, members: list[Any]) -> Flat:
        """An object takes the properties of its alternatives, required where all require them; another type gives way to
        alternatives that say what they are; alternatives that only constrain are dropped."""
        place = (*owner.path, "anyOf")
        if "properties" in owner.node or owner.node.get("type") == "object":
            parts = [
                self.flat(member, (*place, at), owner.refs).node for at, member in enumerate(members) if isinstance(member, dict)
            ]
            text = "Gemini takes no `anyOf` beside a type; the properties of all alternatives are offered together."
            self._notes.add(place, "anyOf", "rewritten", text, lossy=True)
            return Flat(_united(owner.node, parts), owner.path, owner.refs)
        if all(isinstance(member, dict) and any(key in member for key in _ALTERNATIVE_KEYS) for member in members):
            self._notes.add(
                place, "anyOf", "rewritten", "Gemini takes no type beside `anyOf`; the alternatives are kept.", lossy=True
            )
            node = {
                key: value for key, value in owner.node.items() if key in ("title", "description", "nullable", "default", "example")
            }
            rest = Flat(node, owner.path, owner.refs)
            return self._single(rest, members[0]) if len(members) == 1 else Flat({**node, "anyOf": members}, owner.path, owner.refs)
        self._notes.add(place, "anyOf", "dropped", "Gemini takes no `anyOf` beside a type; the type is kept.", lossy=True)
        return owner


def _united(owner: Mapping[str, Any], parts: list[dict[str, Any]]) -> dict[str, Any]:
    properties = dict(_mapping(owner.get("properties")))
    for part in parts:
        for name, schema in _mapping(part.get("properties")).items():
            properties.setdefault(name, schema)
    always = [set(_names(part.get("required"))) for part in parts]
    shared = set.intersection(*always) if always else set()
    required = [*_names(owner.get("required")), *sorted(shared)]
    united = {**owner, "properties": properties}
    if required:
        united["required"] = list(dict.fromkeys(required))
    return united


def _merge(left: dict[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Both schemas at once: properties and required names joined, the tighter bound, else the left one's keyword."""
    merged = dict(left)
    for key, value in right.items():
        own = merged.get(key)
        if key not in merged:
            merged[key] = value
        elif isinstance(own, dict) and isinstance(value, dict) and key == "properties":
            merged[key] = {**own, **{name: member for name, member in value.items() if name not in own}}
        elif isinstance(own, list) and isinstance(value, list) and key == "required":
            merged[key] = list(dict.fromkeys([*_names(own), *_names(value)]))
        elif isinstance(own, list) and isinstance(value, list) and key == "enum":
            allowed = set(map(repr, value))
            merged[key] = [item for item in own if repr(item) in allowed] or own
        elif _is_number(own) and _is_number(value) and key.startswith(("min", "max")):
            merged[key] = max(own, value) if key.startswith("min") else min(own, value)
    return merged


def _is_null(schema: object) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or ("const" in schema and schema["const"] is None))


def _texts(node: Mapping[str, Any]) -> dict[str, Any]:
    return {key: node[key] for key in ("title", "description") if isinstance(node.get(key), str)}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _names(value: object) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
