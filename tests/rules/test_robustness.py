"""Whatever a list holds, no rule raises: wrong shapes, random JSON, good tools with random parts exchanged, huge and deep ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.check import check
from echolot_lsp.model import Report
from echolot_lsp.rules import all_rules
from tests.rules.lists import raise_it, server_of
from tests.rules.test_unknown import ABSENT, paths_of, put

_KEYWORDS = (
    "type properties required items prefixItems anyOf oneOf allOf not if then else enum const $ref $defs definitions $id $anchor description "
    "title default format pattern additionalProperties patternProperties minimum maximum maxLength maxItems a b object"
)
KEYWORDS = _KEYWORDS.split()
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3000),
    st.floats(allow_nan=True),
    st.text(max_size=6),
    st.sampled_from([*KEYWORDS, "#", "#/$defs/a", "#/properties/a", "#a", "null", "string", "array", "integer"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(st.sampled_from(KEYWORDS), st.text(max_size=4)), inner, max_size=5)
    ),
    max_leaves=25,
)
TOOLS = st.dictionaries(
    st.sampled_from(["name", "description", "inputSchema", "outputSchema", "annotations", "", "x"]), JSON, max_size=5
)
GOOD: list[dict[str, Any]] = [
    dict(wire) for rule in all_rules().values() for example in (*rule.bad, *rule.good) for wire in example.tools[:3]
]


def checked(tools: list[Any]) -> Report:
    """The report; a rule that raises fails the test."""
    return check(server_of(tools), on_error=raise_it)


@given(st.lists(TOOLS, max_size=4))
def test_random_json_makes_no_rule_raise(tools: list[dict[str, Any]]) -> None:
    for finding in checked(tools).findings:
        assert finding.message


@settings(max_examples=150)
@given(st.lists(st.sampled_from(GOOD), min_size=1, max_size=4), st.randoms(use_true_random=False), JSON)
def test_a_random_part_exchanged_makes_no_rule_raise(tools: list[dict[str, Any]], chance: random.Random, value: Any) -> None:
    changed = []
    for tool in tools:
        paths = list(paths_of(tool))
        path = chance.choice(paths) if paths else ()
        keep = isinstance(path[-1], int) if path else True
        changed.append(put(tool, path, ABSENT if not keep and chance.random() < 0.2 else value) if path else tool)
    checked(changed)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        None,
        [],
        "object",
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"a": True, "b": None, "c": 3, "": {}}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": True},
        {"type": "object", "required": [1, None, {"a": 1}, ["b"]]},
        {"type": {"a": 1}, "properties": {"a": {"type": [["x"], {"y": 1}], "enum": [{"z": []}, [1]]}}},
        {"type": "object", "properties": {"a": {"enum": "x", "anyOf": {}, "items": [1, True], "default": {"q": float("nan")}}}},
        {"type": "object", "$ref": "#", "properties": {"a": {"$ref": "#/properties/a"}}},
    ],
    ids=repr,
)
def test_a_schema_of_the_wrong_shape_makes_no_rule_raise(schema: Any) -> None:
    checked(
        [{"name": "a", "description": "b", "inputSchema": schema, "outputSchema": schema}, {"name": "a", "inputSchema": schema}]
    )


@pytest.mark.parametrize("name", [None, 3, True, [], {}, "", "\ud800", "a\nb", "x" * 100_000])
def test_a_name_of_any_kind_makes_no_rule_raise(name: Any) -> None:
    findings = checked([{"name": name, "description": name}, {"name": name}]).findings
    assert "name-not-accepted" in {finding.rule for finding in findings}
    assert all(len(finding.message) < 1_000 for finding in findings)


def test_a_tool_that_is_no_object_is_reported_as_nameless() -> None:
    findings = checked([{"": 5}]).findings
    assert {"name-not-accepted", "no-description", "schema-not-object"} <= {finding.rule for finding in findings}


def test_a_description_of_two_megabytes_is_cut_by_claude_code_and_nothing_worse() -> None:
    text = "The pump empties the hold. " * 80_000
    findings = checked([{"name": "pump", "description": text}, {"name": "drain", "description": text + "x"}]).findings
    assert "description-over-2048" in {finding.rule for finding in findings}
    assert all(len(finding.message) < 1_000 for finding in findings)


@pytest.mark.parametrize("keyword", ["properties", "items", "anyOf", "not", "additionalProperties", "$defs"])
def test_a_schema_a_thousand_deep_makes_no_rule_raise(keyword: str) -> None:
    schema: dict[str, Any] = {"type": "string", "default": 3}
    for _ in range(1_000):
        inner = {"a": schema} if keyword in ("properties", "$defs") else [schema] if keyword == "anyOf" else schema
        schema = {"type": "object", keyword: inner, "default": {}}
    findings = checked([{"name": "dive", "description": "Dives.", "inputSchema": schema}]).findings
    assert ("nested-over-5" in {finding.rule for finding in findings}) is (keyword not in ("not", "$defs"))


def test_references_that_fan_out_are_bounded() -> None:
    definitions: dict[str, Any] = {
        f"d{level}": {
            "type": "object",
            "properties": {"l": {"$ref": f"#/$defs/d{level + 1}"}, "r": {"$ref": f"#/$defs/d{level + 1}"}},
        }
        for level in range(60)
    }
    definitions["d60"] = {"$ref": "#/$defs/d0"}
    checked([{"name": "fan", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}}])
