"""Hypothesis strategies for tool lists as real servers send them: what pydantic writes, what people write by hand, and their slips.

``tests/schemas.py`` draws anything that is allowed; here the shapes are the common ones, so that few examples meet many of them:
titles, optional parameters, models under ``$defs`` (shared, nested, enums, tagged unions), closed and open objects, names in
``required`` that nothing defines, schemas without ``properties``.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

VERBS = ("find", "book", "moor", "weigh", "list", "cancel")
NOUNS = ("berth", "parcel", "crane", "tide", "貨物", "été")
TEXTS = st.sampled_from(
    [
        "Number of the berth, such as N-4.",
        "How much it weighs, in kilograms.",
        "岸壁の番号 🚢",
        "The manifest as a JSON string.",
        "Either “quayside” or a path\\on\\disk; one a line:\n- this\n- that",
    ]
)
MODELS = ("Berth", "Weight", "Route", "Kind")
Schema = dict[str, Any]


def realistic_lists(most: int = 5) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Lists of tools, some of which come twice."""
    return st.lists(_tools(), min_size=1, max_size=most).flatmap(
        lambda tools: st.lists(st.sampled_from(tools), max_size=1).map(lambda again: [*tools, *again])
    )


@st.composite
def _tools(draw: st.DrawFn) -> dict[str, Any]:
    name = f"{draw(st.sampled_from(VERBS))}_{draw(st.sampled_from(NOUNS))}"
    tool: dict[str, Any] = {"name": name, "inputSchema": draw(_inputs())}
    if draw(st.booleans()):
        tool["description"] = draw(TEXTS)
    return tool


@st.composite
def _inputs(draw: st.DrawFn) -> Schema:
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([{"type": "object"}, {"type": "object", "additionalProperties": False}, {}]))
    models = draw(st.dictionaries(st.sampled_from(MODELS), _models(), max_size=3))
    properties = draw(st.dictionaries(st.sampled_from(("berth", "route", "weight", "limit", "重さ")), _parameters(list(models))))
    schema: Schema = {"type": "object", "properties": properties}
    if models:
        schema["$defs"] = models
    schema.update(
        draw(st.fixed_dictionaries({}, optional={"additionalProperties": st.just(False), "title": st.just("moorArguments")}))
    )
    required = draw(st.lists(st.sampled_from([*properties, "until"]), unique=True, max_size=3))
    return {**schema, "required": required} if required else schema


def _parameters(models: list[str]) -> st.SearchStrategy[Schema]:
    text = st.just({"type": "string"})
    plain = st.one_of(
        text,
        st.fixed_dictionaries({"type": st.just("integer")}, optional={"minimum": st.just(1), "exclusiveMaximum": st.just(100)}),
        st.just({"enum": ["day", "night"], "type": "string"}),
        st.just({"type": "object", "additionalProperties": True}),
        st.just({"type": "array", "items": {"type": "string"}}),
    )
    references = st.sampled_from(models).map(lambda name: {"$ref": f"#/$defs/{name}"}) if models else text
    parts = st.one_of(plain, references, references.map(lambda part: {"type": "array", "items": part}))
    unions = st.lists(references, min_size=2, max_size=2).map(_tagged)
    return _noted(st.one_of(parts, parts.map(lambda part: {"anyOf": [part, {"type": "null"}], "default": None}), unions))


def _tagged(branches: list[Schema]) -> Schema:
    mapping = {str(number): branch.get("$ref", "") for number, branch in enumerate(branches)}
    return {"oneOf": branches, "discriminator": {"propertyName": "kind", "mapping": mapping}}


def _models() -> st.SearchStrategy[Schema]:
    fields = st.dictionaries(st.sampled_from(("quay", "side", "notes", "next")), _parameters(["Kind"]), max_size=3)
    objects = fields.map(lambda properties: {"type": "object", "properties": properties, "required": sorted(properties)[:1]})
    enums = st.just({"enum": ["ore", "grain"], "type": "string"})
    unions = st.just({"anyOf": [{"type": "string"}, {"type": "integer"}]})
    return _noted(st.one_of(objects, objects, enums, unions))


def _noted(schema: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    notes = st.fixed_dictionaries({}, optional={"title": st.sampled_from(["Berth", "Route"]), "description": TEXTS})
    return st.builds(lambda one, two: {**one, **two}, schema, notes)
