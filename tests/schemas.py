"""Hypothesis strategies for what a server may send: JSON of any shape, JSON schemas that are valid, schemas that are broken, tools.

``schemas()`` writes valid JSON Schema 2020-12 with an object at the root: nested objects, arrays, tuples, combinators, local and
recursive references, enums of any kind, bounds, boolean schemas. ``broken_schemas()`` puts values of the wrong shape under real
keywords. ``tools(schema)`` and ``tool_lists(schema)`` make MCP tools of them.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

KEYWORDS = [
    "type",
    "properties",
    "required",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "const",
    "enum",
    "$ref",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minProperties",
    "maxProperties",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "nullable",
    "$schema",
    "$id",
    "$comment",
    "x-order",
    "propertyOrdering",
    "example",
]
"""Keywords of JSON Schema 2020-12, of older drafts and of Gemini's ``Schema``."""

NAMES = st.one_of(
    st.sampled_from(
        ["id", "name", "city", "from", "type", "properties", "$ref", "items", "größe", "名前", "a.b", "a/b", "", "x y"]
    ),
    st.text(max_size=12),
)
TEXTS = st.one_of(
    st.text(max_size=40), st.sampled_from(["Number of the crate, such as C-7", "荷物の番号", "a\nb\n\nc", "\N{FROG FACE}"])
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), TEXTS)


def any_json(leaves: int = 20) -> st.SearchStrategy[Any]:
    """JSON of any shape, with numbers that are not finite (Python's parser reads them) and text of any script."""
    scalars = st.one_of(SCALARS, st.floats())
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=leaves
    )


def schemas(definitions: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Valid JSON schemas with an object at the root; ``definitions``: with local references, some of them recursive."""
    names = ["Crate", "Label"] if definitions else []
    inner = st.recursive(_leaves(names), _branches, max_leaves=12)

    @st.composite
    def root(draw: st.DrawFn) -> dict[str, Any]:
        schema = draw(_objects(inner))
        if names:
            where = draw(st.sampled_from(["$defs", "definitions"]))
            schema[where] = {name: draw(inner) for name in names}
            schema = _pointed(schema, where)
        schema.update(
            draw(st.fixed_dictionaries({}, optional={"$schema": st.just("https://json-schema.org/draft/2020-12/schema")}))
        )
        return schema

    return root()


def broken_schemas() -> st.SearchStrategy[Any]:
    """What stands where a schema should: real keywords over JSON of any shape, or no object at all."""
    wild = st.recursive(
        any_json(4),
        lambda inner: st.dictionaries(st.sampled_from(KEYWORDS), inner | st.lists(inner, max_size=3), max_size=5),
        max_leaves=20,
    )
    references = st.sampled_from(["#", "#/", "#/$defs/A", "#/properties/a", "http://x/y", "", "#nowhere", "#/anyOf/0"]).map(
        lambda to: {"$ref": to}
    )
    return st.one_of(
        wild, st.dictionaries(st.sampled_from(KEYWORDS), wild | references | st.lists(references, max_size=3), max_size=6)
    )


def tools(schema: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """MCP tools with input schemas drawn from ``schema``, and now and then the wire's other members."""
    return st.fixed_dictionaries(
        {"name": st.from_regex(r"[a-z][a-z0-9_]{0,15}", fullmatch=True), "inputSchema": schema},
        optional={
            "description": TEXTS,
            "title": TEXTS,
            "annotations": st.fixed_dictionaries({"readOnlyHint": st.booleans()}),
            "outputSchema": st.just({"type": "object", "properties": {}}),
            "_meta": st.dictionaries(st.text(max_size=5), SCALARS, max_size=2),
        },
    )


def tool_lists(schema: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Lists of MCP tools."""
    return st.lists(tools(schema), max_size=most)


def _noted(schema: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    notes = st.fixed_dictionaries(
        {},
        optional={
            "title": TEXTS,
            "description": TEXTS,
            "default": SCALARS,
            "examples": st.lists(SCALARS, max_size=2),
            "$comment": TEXTS,
        },
    )
    return st.builds(lambda one, two: {**one, **two}, schema, notes)


def _leaves(names: list[str]) -> st.SearchStrategy[Any]:
    lengths = {"minLength": st.integers(0, 9), "maxLength": st.integers(9, 99), "pattern": st.sampled_from(["^[a-z]+$", "x{2}"])}
    bounds = {
        "minimum": st.integers(-9, 0),
        "maximum": st.floats(1, 9),
        "exclusiveMinimum": st.integers(-9, 0),
        "exclusiveMaximum": st.integers(1, 9),
        "multipleOf": st.integers(1, 5),
    }
    formats = {"format": st.sampled_from(["date-time", "uri", "uuid", "int64"])}
    plain: list[st.SearchStrategy[dict[str, Any]]] = [
        st.fixed_dictionaries({"type": st.just("string")}, optional={**lengths, **formats}),
        st.fixed_dictionaries({"type": st.sampled_from(["number", "integer"])}, optional=bounds),
        st.fixed_dictionaries({"type": st.sampled_from(["boolean", "null"])}),
        st.fixed_dictionaries(
            {"type": st.lists(st.sampled_from(["string", "integer", "null"]), min_size=1, unique=True)}, optional=lengths
        ),
        st.fixed_dictionaries(
            {"enum": st.lists(SCALARS, min_size=1, max_size=4, unique_by=repr)}, optional={"type": st.just("string")}
        ),
        st.fixed_dictionaries({"const": SCALARS}),
        st.just({}),
    ]
    if names:
        plain.append(st.fixed_dictionaries({"$ref": st.sampled_from(names)}, optional={"description": TEXTS}))
    return _noted(st.one_of(plain)) | st.booleans()


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    @st.composite
    def build(draw: st.DrawFn) -> dict[str, Any]:
        properties = draw(st.dictionaries(NAMES, inner, max_size=4))
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        some_required: bool = draw(st.booleans())
        if properties and some_required:
            schema["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
        more = {
            "additionalProperties": inner,
            "minProperties": st.integers(0, 3),
            "maxProperties": st.integers(3, 9),
            "patternProperties": st.dictionaries(st.just("^x-"), inner, max_size=1),
            "propertyNames": st.just({"maxLength": 9}),
            "dependentRequired": st.just({"id": ["name"]}),
        }
        schema.update(draw(st.fixed_dictionaries({}, optional=more)))
        return schema

    return _noted(build())


def _branches(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    limits = {"minItems": st.integers(0, 3), "maxItems": st.integers(3, 9), "uniqueItems": st.booleans(), "contains": inner}
    return _noted(
        st.one_of(
            _objects(inner),
            st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional=limits),
            st.fixed_dictionaries({"type": st.just("array"), "prefixItems": several}, optional={"items": inner}),
            st.fixed_dictionaries({"type": st.just("array")}),
            st.fixed_dictionaries({"anyOf": several}, optional={"type": st.sampled_from(["object", "string"])}),
            st.fixed_dictionaries({"oneOf": several}, optional={"anyOf": several}),
            st.fixed_dictionaries(
                {"allOf": several}, optional={"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=2)}
            ),
            st.fixed_dictionaries({"not": inner}),
            st.fixed_dictionaries({"if": inner, "then": inner}, optional={"else": inner}),
        )
    )


def _pointed(value: Any, where: str) -> Any:
    """``value`` with the bare names under ``$ref`` made pointers into ``where``."""
    if isinstance(value, dict):
        return {
            key: f"#/{where}/{item}" if key == "$ref" and isinstance(item, str) else _pointed(item, where)
            for key, item in value.items()
        }
    return [_pointed(item, where) for item in value] if isinstance(value, list) else value
