"""A fix is called safe only where nothing else comes of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from echolot_lsp.check import check
from echolot_lsp.model import Finding, Operation, Server, Tool
from echolot_lsp.operations import performed
from tests.rules.lists import raise_it, server_of

QUAY = {
    "type": "object",
    "properties": {
        "quay": {"type": "string", "description": "Quay, e.g. North 4"},
        "berth": {"type": "string", "description": "Berth on that quay, such as B12 or C3"},
    },
}


def moor(properties: dict[str, Any], name: str = "moor", **definitions: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties, "$defs": definitions}}


def inlined(*tools: dict[str, Any]) -> list[Finding]:
    """The findings of uses-ref that have a fix."""
    found = check(server_of(tools), on_error=raise_it).findings
    return [finding for finding in found if finding.rule == "uses-ref" and finding.fix is not None]


def is_safe(*tools: dict[str, Any]) -> list[bool]:
    return [finding.fix.safe for finding in inlined(*tools) if finding.fix is not None]


def test_writing_a_sound_part_out_is_safe() -> None:
    assert is_safe(moor({"at": {"$ref": "#/$defs/Quay"}}, Quay=QUAY)) == [True]


def test_a_part_that_becomes_a_union_in_a_union_is_to_be_looked_over() -> None:
    union = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert is_safe(moor({"at": {"anyOf": [{"$ref": "#/$defs/Quay"}, {"type": "null"}]}}, Quay=union)) == [False]


def test_a_fault_of_a_part_that_would_stand_in_two_places_is_to_be_looked_over() -> None:
    stops = {"type": "array", "description": "The stops"}
    twice = moor({"one": {"$ref": "#/$defs/Stops"}, "two": {"$ref": "#/$defs/Stops"}}, Stops=stops)
    assert is_safe(twice) == [False]
    assert is_safe(moor({"one": {"$ref": "#/$defs/Stops"}}, Stops=stops)) == [True]


def test_what_the_list_would_repeat_is_to_be_looked_over() -> None:
    away = {"name": "leave", "inputSchema": {"type": "object", "properties": {"from": {**QUAY, "description": "The berth"}}}}
    here = moor({"at": {"$ref": "#/$defs/Quay", "description": "The berth"}}, Quay={**QUAY, "description": "A berth"})
    other = moor({"at": {"$ref": "#/$defs/Kind"}}, "weigh", Kind={"enum": ["ore"], "description": "What it is"})
    assert is_safe(away, here, other) == [False, True]


def test_a_large_schema_does_not_grow_by_itself() -> None:
    many = {f"quay_{number}": {"$ref": "#/$defs/Quay", "description": f"Quay number {number}"} for number in range(12)}
    assert is_safe(moor(many, Quay={"type": "string", "description": "A quay", "examples": ["North " * 20]})) == [False]


def test_what_a_discriminator_names_is_still_there_after_a_safe_fix() -> None:
    ship = {"oneOf": [{"$ref": "#/$defs/Tug"}], "discriminator": {"propertyName": "kind", "mapping": {"tug": "#/$defs/Tug"}}}
    assert is_safe(moor({"ship": ship}, Tug=QUAY)) == [False]


def test_data_that_looks_like_a_reference_stays() -> None:
    part = {"type": "object", "properties": {"default": {"$ref": "#/$defs/Kind"}}, "default": {"$ref": "#/$defs/Kind"}}
    (finding,) = inlined(moor({"at": {"$ref": "#/$defs/Part"}}, Part=part, Kind={"enum": ["ore"]}))
    assert finding.fix is not None
    assert finding.fix.operations[0].value == {**part, "properties": {"default": {"enum": ["ore"]}}}
    assert finding.fix.safe is False


def test_a_part_with_a_name_of_its_own_is_not_written_out() -> None:
    assert inlined(moor({"at": {"$ref": "#/$defs/Quay"}}, Quay={**QUAY, "$anchor": "quay"})) == []


def test_two_fixes_of_one_tool_are_both_safe_though_one_is_in_the_others_way() -> None:
    tool = moor({"at": {"$ref": "#/$defs/Quay"}}, Quay={**QUAY, "required": ["tide"]})
    found = check(server_of([tool]), on_error=raise_it).findings
    assert [finding.fix.safe for finding in found if finding.fix and finding.rule in ("uses-ref", "required-undefined")] == [
        True,
        True,
    ]


def test_a_text_that_would_itself_be_found_fault_with_is_to_be_looked_over() -> None:
    schema = {"type": "object", "properties": {"manifest": {"type": "string"}}}
    for text, safe in (("What is aboard, one piece a line.", True), ("The manifest as a JSON string.", False)):
        tool = Tool({"name": "stow", "inputSchema": schema}, hints={"unsent_descriptions": {"manifest": text}})
        server = Server(name="", origin="python", path=None, tools=(tool,), framework="mcp")
        (fix,) = [finding.fix for finding in check(server).findings if finding.rule == "param-no-description"]
        assert fix is not None
        assert fix.safe is safe


@pytest.mark.parametrize(("characters", "count", "safe"), [(20, 4, True), (500, 4, False), (500, 40, True)])
def test_texts_that_would_make_a_schema_large_are_to_be_looked_over(characters: int, count: int, safe: bool) -> None:
    names = [f"option_{number}" for number in range(count)]
    noted = {"type": "string", "examples": ["x" * 60]}
    schema = {"type": "object", "properties": dict.fromkeys(names, noted)}
    tool = Tool({"name": "stow", "inputSchema": schema}, hints={"unsent_descriptions": dict.fromkeys(names, "x" * characters)})
    server = Server(name="", origin="python", path=None, tools=(tool,), framework="mcp")
    (fix,) = [finding.fix for finding in check(server).findings if finding.rule == "param-no-description"]
    assert fix is not None
    assert fix.safe is safe
    assert re.fullmatch(r"Send the text that the source has \(about [\d,]+ tokens more\)", fix.title)


def test_operations_are_performed_without_touching_the_tool() -> None:
    wire = {"name": "stow", "inputSchema": {"required": ["a", "b", "c"], "properties": {"a": {}}}}
    operations = [
        Operation("remove", 0, ("inputSchema", "required", 0)),
        Operation("remove", 0, ("inputSchema", "required", 2)),
        Operation("set", 0, ("inputSchema", "properties", "a", "type"), "string"),
        Operation("set", 0, ("annotations", "title"), "Stow"),
    ]
    after = performed(wire, operations)
    schema = {"required": ["b"], "properties": {"a": {"type": "string"}}}
    assert after == {"name": "stow", "inputSchema": schema, "annotations": {"title": "Stow"}}
    assert wire == {"name": "stow", "inputSchema": {"required": ["a", "b", "c"], "properties": {"a": {}}}}
