"""A mistake in the JSON is told once, at its place, and costs no more than the part that it is in."""

from __future__ import annotations

import json
import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.json import extract_json
from echolot_lsp.model import Unknown, is_known

GOOD = """{
  "tools": [
    {
      "name": "first",
      "description": "The first.",
      "inputSchema": {"type": "object", "properties": {}}
    },
    {
      "name": "second",
      "description": "The second.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "buoy": {
            "type": "string"
          }
        },
        "required": ["buoy"]
      }
    },
    {
      "name": "third",
      "description": "The third.",
      "inputSchema": {"type": "object", "properties": {}}
    }
  ]
}
"""


def names(extraction: Extraction) -> list[object]:
    return [tool.wire.get("name") for server in extraction.servers for tool in server.tools]


def told(text: str, extraction: Extraction) -> list[tuple[str, str]]:
    spans = [trouble.span for trouble in extraction.troubles]
    return [
        (trouble.message, text[span.start : span.end]) for trouble, span in zip(extraction.troubles, spans, strict=True) if span
    ]


@pytest.mark.parametrize(
    ("old", "new", "message", "at"),
    [
        ('"type": "string"', '"type": ', "This name has no value.", '"type"'),
        ('"type": "string"', '"type"', "This name has no value.", '"type"'),
        ('"type": "string"', '"ty', "This text is not closed: a double quote is missing.", '"ty'),
        ('"type": "string"', '"type": "str', "This text is not closed: a double quote is missing.", '"str'),
        ('"type": "string"', '"type": str', "`str` is no JSON value.", "str"),
        ('"type": "string"', "\"type\": 'str'", "JSON wants double quotes around a text.", "'str'"),
        ('"type": "string"', 'type: "string"', "A name needs double quotes.", "type"),
        ('"type": "string"', '"type" "string"', "A colon is missing before this value.", '"string"'),
        ('"type": "string"', '"minimum": NaN', "JSON has no NaN.", "NaN"),
        ('"type": "string"', '"minimum": 01', "`01` is no JSON value.", "01"),
        ('"type": "string"', '"type": "a\\x"', "JSON has no such escape.", "\\x"),
        ('"type": "string"', '"type": "a\tb"', "A control character must be written as an escape here.", "\t"),
        ('"type": "string"', '"type": "string",,', "A value is missing before this comma.", ","),
        ('"type": "string"', '"type": "string", {', "A name in double quotes is expected here.", "{"),
        ('"The second.",', '"The second."', "A comma is missing before this name.", '"inputSchema"'),
        ('["buoy"]', '["buoy"', "This bracket is not closed: a `]` is missing.", "["),
        ('"buoy": {', '"buoy": ', "A colon does not belong here.", ":"),
        ('"inputSchema": {\n        "type"', '"inputSchema": \n        "type"', "A colon does not belong here.", ":"),
        ('"second",', '"second"},', "This does not belong here: a bracket before it closes too early.", ":"),
        ('"second",', '"second", /*', "This comment is not closed: a `*/` is missing.", "/*"),
    ],
)
def test_a_mistake_in_one_tool_keeps_the_others(old: str, new: str, message: str, at: str) -> None:
    text = GOOD.replace(old, new, 1)
    extraction = extract_json("a.json", text)
    assert told(text, extraction) == [(message, at)]
    assert not extraction.troubles[0].fatal
    assert names(extraction)[0] == "first"
    assert names(extraction)[-1] == "third"
    assert len(names(extraction)) == 3


def test_what_was_not_read_is_unknown_and_the_rest_is_kept() -> None:
    (server,) = extract_json("a.json", GOOD.replace('"type": "string"', '"type": ')).servers
    wire = server.tools[1].wire
    assert isinstance(wire["inputSchema"]["properties"]["buoy"], Unknown)
    assert wire["inputSchema"]["required"] == ["buoy"]
    assert [(part.index, part.path) for part in server.unresolved] == [(1, ("inputSchema", "properties", "buoy"))]


def test_a_tool_that_is_being_typed_lacks_nothing_that_is_known() -> None:
    text = '{\n  "tools": [\n    {"name": "a", "description": "b", "inputSchema": {}},\n    {\n      "name": "c",\n      "desc\n    }\n  ]\n}'
    (server,) = extract_json("a.json", text).servers
    wire = server.tools[1].wire
    assert wire["name"] == "c"
    assert isinstance(wire["description"], Unknown)
    assert isinstance(wire["inputSchema"], Unknown)


def test_the_only_tool_stays_a_tool_while_it_is_typed() -> None:
    for rest in ['"name": "moor", "desc', '"name": "moor", "description": "x', '"name": "moor", "inputSchema": {"ty']:
        (server,) = extract_json("a.json", '{"tools": [{' + rest).servers
        assert [tool.name for tool in server.tools] == ["moor"]


def test_a_missing_comma_between_tools_keeps_both() -> None:
    text = GOOD.replace("},\n    {", "}\n    {", 1)
    extraction = extract_json("a.json", text)
    assert told(text, extraction) == [("A comma is missing before this value.", "{")]
    assert all(is_known(tool.wire) for tool in extraction.servers[0].tools)
    assert names(extraction) == ["first", "second", "third"]


@pytest.mark.parametrize("end", ["]", "", "\n]}}", "]} x"])
def test_a_document_that_ends_wrong_keeps_its_tools(end: str) -> None:
    text = GOOD.rstrip().removesuffix("}").rstrip().removesuffix("]") + end
    extraction = extract_json("a.json", text)
    assert names(extraction) == ["first", "second", "third"]
    assert len(extraction.troubles) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty."),
        (" \n", "The file is empty."),
        ("\ufeff", "The file is empty."),
        ("hello", "This is not a JSON object or list."),
        ("{", "This bracket is not closed: a `}` is missing."),
        ("[" * 50, "This bracket is not closed: a `]` is missing."),
        ('{"a": [', "This bracket is not closed: a `]` is missing."),
    ],
)
def test_a_text_without_a_list_says_why(text: str, message: str) -> None:
    extraction = extract_json("a.json", text)
    assert [(trouble.message, trouble.fatal) for trouble in extraction.troubles] == [(message, True)]


def test_bytes_that_were_not_utf_8_are_told() -> None:
    text = GOOD.replace("The first", "The \ufffdirst")
    extraction = extract_json("a.json", text)
    assert told(text, extraction) == [("This is U+FFFD, which stands for bytes that are not UTF-8.", "\ufffd")]


def test_numbers_that_python_does_not_read_are_unknown() -> None:
    text = json.dumps({"tools": [{"name": "a", "description": "b", "inputSchema": {"maximum": 0, "minimum": 1, "default": 2}}]})
    huge = text.replace('"maximum": 0', '"maximum": ' + "9" * 5000).replace('"minimum": 1', '"minimum": 1e999')
    extraction = extract_json("a.json", huge)
    schema = extraction.servers[0].tools[0].wire["inputSchema"]
    assert not extraction.troubles
    assert isinstance(schema["maximum"], Unknown)
    assert isinstance(schema["minimum"], Unknown)
    assert schema["default"] == 2


def test_lone_surrogates_stay() -> None:
    text = '{"tools": [{"name": "a", "description": "\\ud83d", "inputSchema": {}}]}'
    assert extract_json("a.json", text).servers[0].tools[0].wire["description"] == "\ud83d"


@pytest.mark.parametrize("depth", [150, 300, 1_000, 100_000])
def test_deep_nesting_is_cut_and_told(depth: int) -> None:
    nested = '{"properties": ' * depth + "{}" + "}" * depth
    text = '{"tools": [{"name": "a", "description": "b", "inputSchema": ' + nested + "}]}"
    extraction = extract_json("a.json", text)
    tool = extraction.servers[0].tools[0]
    assert tool.name == "a"
    assert is_known(tool.wire) == (depth < 200)
    assert [trouble.message for trouble in extraction.troubles] == (
        [] if depth < 200 else ["This is nested deeper than 200 levels; what is inside is not read."]
    )
    assert max(len(path) for path in tool.places) == min(depth + 1, 200)
    assert extract_json("a.json", "[" * depth).servers == ()


def test_a_wide_tool_is_not_a_deep_one() -> None:
    wide = {"type": "object", "properties": {f"berth_{number}": {"enum": [[]]} for number in range(300)}}
    extraction = extract_json("a.json", json.dumps({"tools": [{"name": "a", "description": "b", "inputSchema": wide}]}))
    assert not extraction.troubles
    assert extraction.servers[0].tools[0].wire["inputSchema"] == wide


def test_what_follows_a_bracket_that_closes_too_early_is_lost_with_its_tool_only() -> None:
    text = GOOD.replace('"second",', '"second" /* x */},', 1)
    extraction = extract_json("a.json", text)
    assert [trouble.message for trouble in extraction.troubles] == [
        "This does not belong here: a bracket before it closes too early."
    ]
    assert names(extraction) == ["first", "second", "third"]
    assert isinstance(extraction.servers[0].tools[1].wire["inputSchema"], Unknown)
    text = GOOD.replace('"second",', '"second" "title": 01 },', 1)
    assert names(extract_json("a.json", text)) == ["first", "second", "third"]


def test_odd_white_space_after_the_document_is_told_where_it_is() -> None:
    extraction = extract_json("a.json", GOOD + "\v")
    assert told(GOOD + "\v", extraction) == [("The document ends before this.", "\v")]


@settings(deadline=None)
@given(st.data())
def test_no_damage_to_a_document_stops_the_reading(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 30)))
    text = GOOD[:start] + data.draw(st.text('{}[]:,"/*\\ \nab1', max_size=4)) + GOOD[end:]
    extraction = extract_json("a.json", text)
    for server in extraction.servers:
        for tool in server.tools:
            assert server.sources["a.json"].resolve(tool.home or server.place)[1] <= len(text)
            assert len(list(tool.places)) > 0
    for trouble in extraction.troubles:
        assert trouble.span is not None
        assert 0 <= trouble.span.start <= trouble.span.end <= len(text)


def broken(kind: str, count: int) -> str:
    tools = [
        {"name": f"tool_{number}", "description": "Does a thing.", "inputSchema": {"type": "object"}} for number in range(count)
    ]
    indent, old, new = {
        "comments": (2, '"inputSchema"', '/* c */ "inputSchema"'),
        "open comments": (2, '"inputSchema"', '/* "inputSchema"'),
        "missing quotes": (2, '"description": "', '"description": '),
        "missing quotes, one line": (None, '"description": "', '"description": '),
        "early brackets": (2, '"inputSchema"', '}, "inputSchema"'),
        "missing brackets": (None, "}}, {", "}, {"),
        "control characters": (None, "thing", "\tthing"),
    }[kind]
    return re.sub(re.escape(old), new.replace("\\", "\\\\"), json.dumps({"tools": tools}, indent=indent))


@pytest.mark.parametrize(
    "kind",
    [
        "comments",
        "open comments",
        "missing quotes",
        "missing quotes, one line",
        "early brackets",
        "missing brackets",
        "control characters",
    ],
)
def test_the_time_grows_with_the_text_and_no_faster(kind: str) -> None:
    def seconds(count: int) -> float:
        text = broken(kind, count)
        times = []
        for _ in range(2):
            start = process_time()
            extract_json("a.json", text)
            times.append(process_time() - start)
        return min(times)

    assert seconds(1_200) < 3 * 8 * max(seconds(150), 0.002)
