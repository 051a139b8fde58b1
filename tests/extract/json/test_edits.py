"""A fix changes the part that it names, and nothing else of the document."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.json.edits import edits
from echolot_lsp.model import Operation, Path
from tests.extract.json.documents import documents, values

Change = tuple[str, Path, Any]


def apply(text: str, changes: list[tuple[int, int, str]]) -> str:
    last = 0
    pieces = []
    for start, end, new in changes:
        assert last <= start <= end <= len(text)
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def edited(text: str, *changes: Change, index: int = 0) -> str:
    (server,) = extract_json("a.json", text).servers
    operations = [Operation("set" if kind == "set" else "remove", index, path, value) for kind, path, value in changes]
    return apply(text, edits(server.sources["a.json"], server.tools[index], operations))


PRETTY = """{
  "tools": [
    {
      "name": "moor", // the berth is chosen by us
      "description": "Moor a boat.", /* short */
      "inputSchema": {
        "type": "object",
        "properties": {
          "buoy": {},
          "rope": { "type": "string" }, // in metres
        },
        "required": ["buoy", "knot", "rope"] // all
      }
    },
  ]
}
"""
ROOT: Path = ("inputSchema",)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ([("set", ("name",), "moor_boat")], '"moor"', '"moor_boat"'),
        ([("set", ("description",), "係留する")], '"Moor a boat."', '"係留する"'),
        ([("remove", (*ROOT, "required", 1), None)], '"knot", ', ""),
        ([("remove", (*ROOT, "required", 2), None)], ', "rope"]', "]"),
        ([("remove", (*ROOT, "required", 0), None), ("remove", (*ROOT, "required", 1), None)], '"buoy", "knot", ', ""),
        ([("remove", (*ROOT, "required"), None)], ',\n        "required": ["buoy", "knot", "rope"] // all', ""),
        ([("remove", ("description",), None)], '      "description": "Moor a boat.", /* short */\n', ""),
        ([("remove", (*ROOT, "properties", "rope"), None)], '          "rope": { "type": "string" }, // in metres\n', ""),
        ([("set", (*ROOT, "properties", "buoy", "type"), "string")], "{},", '{\n            "type": "string"\n          },'),
        (
            [("set", (*ROOT, "properties", "rope", "description"), "m")],
            '{ "type": "string" }',
            '{ "type": "string", "description": "m" }',
        ),
        (
            [("set", (*ROOT, "properties", "knot"), {"type": "string"})],
            " // in metres\n",
            ' // in metres\n          "knot": {\n            "type": "string"\n          },\n',
        ),
        ([("set", (*ROOT, "minProperties"), 1)], " // all", ', // all\n        "minProperties": 1'),
        (
            [("set", ("annotations", "readOnlyHint"), True)],
            "      }\n    }",
            '      },\n      "annotations": {\n        "readOnlyHint": true\n      }\n    }',
        ),
        ([("set", (*ROOT, "required", 3), "end")], '"rope"]', '"rope", "end"]'),
    ],
)
def test_an_edit_keeps_the_layout_and_the_comments(changes: list[Change], old: str, new: str) -> None:
    assert PRETTY.count(old) == 1
    assert edited(PRETTY, *changes) == PRETTY.replace(old, new)


def test_windows_line_ends_stay() -> None:
    text = PRETTY.replace("\n", "\r\n")
    result = edited(text, ("set", (*ROOT, "properties", "buoy"), {"type": "string"}))
    assert result.count("\n") == result.count("\r\n") == text.count("\n") + 2


def test_a_compact_document_stays_compact() -> None:
    text = '[{"name":"moor","description":"Moor.","inputSchema":{"type":"object"}}]'
    assert edited(text, ("set", (*ROOT, "properties"), {})) == text.replace('"object"', '"object","properties":{}')


def test_a_document_in_escapes_stays_in_escapes() -> None:
    text = json.dumps([{"name": "moor", "description": "係留", "inputSchema": {}}])
    assert edited(text, ("set", ("description",), "係留する")).isascii()


def test_every_spelling_of_a_repeated_name_is_removed() -> None:
    text = '{"tools": [{"name": "moor", "title": "a", "description": "d", "title": "b", "inputSchema": {}}]}'
    assert edited(text, ("remove", ("title",), None)) == '{"tools": [{"name": "moor", "description": "d", "inputSchema": {}}]}'


def test_an_edit_of_a_providers_list_uses_its_own_keys() -> None:
    function = {"name": "moor", "description": "Moor.", "parameters": {"type": "object", "properties": {"buoy": {}}}}
    text = json.dumps([{"type": "function", "function": function}])
    result = json.loads(edited(text, ("set", (*ROOT, "properties", "buoy", "type"), "string"), ("set", ("description",), "Moors.")))
    assert result[0]["function"]["parameters"]["properties"] == {"buoy": {"type": "string"}}
    assert result[0]["function"]["description"] == "Moors."
    assert edited(text, ("set", ("annotations",), {})) == text


def test_an_edit_of_googles_own_schema_writes_types_in_upper_case() -> None:
    parameters = {"type": "OBJECT", "properties": {"type": {"description": "kind"}}}
    text = json.dumps({"functionDeclarations": [{"name": "moor", "description": "Moor.", "parameters": parameters}]})
    more = {"type": "array", "items": {"type": "string", "enum": ["type"]}}
    result = json.loads(
        edited(text, ("set", (*ROOT, "properties", "type", "type"), "string"), ("set", (*ROOT, "properties", "x"), more))
    )
    assert result["functionDeclarations"][0]["parameters"]["properties"] == {
        "type": {"description": "kind", "type": "STRING"},
        "x": {"type": "ARRAY", "items": {"type": "STRING", "enum": ["type"]}},
    }


@pytest.mark.parametrize(
    ("path", "value", "written"),
    [
        ((*ROOT, "properties", "a", "items", 0), {"type": "null"}, {"type": "NULL"}),
        ((*ROOT, "properties", "a", "default"), {"type": "string"}, {"type": "string"}),
        ((*ROOT, "properties", "a", "items"), {"type": "string"}, {"type": "STRING"}),
        ((*ROOT, "properties", "a", "description"), "type", "type"),
        ((*ROOT, "properties", "type"), {"type": ["string"]}, {"type": ["string"]}),
    ],
)
def test_only_the_types_of_schemas_are_written_in_googles_way(path: Path, value: Any, written: Any) -> None:
    parameters = {"type": "OBJECT", "properties": {"a": {"items": []} if path[-1] == 0 else {}}}
    text = json.dumps({"functionDeclarations": [{"name": "moor", "description": "Moor.", "parameters": parameters}]})
    result = json.loads(edited(text, ("set", path, value)))
    assert at(result["functionDeclarations"][0]["parameters"], path[1:]) == written


def test_a_broken_tool_is_not_edited() -> None:
    text = PRETTY.replace('"type": "string"', '"type": ')
    assert edited(text, ("set", ("name",), "x")) == text


@pytest.mark.parametrize(
    "path", [("inputSchema", "required", 9), ("title", 0, "x"), ("title", "x"), ("name", "x"), ("inputSchema", "required", "x"), ()]
)
def test_an_operation_that_fits_nowhere_changes_nothing(path: Path) -> None:
    assert edited(PRETTY, ("remove", path, None)) == PRETTY
    if path and path != ("title", "x"):
        assert edited(PRETTY, ("set", path, 1)) == PRETTY


def paths_of(value: Any, path: Path = ()) -> list[Path]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, child in children for found in paths_of(child, (*path, key)))]


@st.composite
def changed_documents(draw: st.DrawFn) -> tuple[str, list[Any], int, list[Operation], Any]:
    """A document, its tools, which tool is changed and how, and that tool afterwards."""
    text, wires = draw(documents())
    index = draw(st.integers(0, len(wires) - 1))
    result = copy.deepcopy(wires[index])
    operations: list[Operation] = []
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(paths_of(result)))
        here = at(result, path)
        if isinstance(here, dict):
            path = (*path, draw(st.sampled_from(["type", "description", "商品", "new"])))
        elif isinstance(here, list):
            path = (*path, len(here))
        elif not path:
            continue
        value = draw(values)
        put(result, path, value)
        operations.append(Operation("set", index, path, copy.deepcopy(value)))
    removed = draw(st.lists(st.sampled_from(paths_of(result)), max_size=3, unique=True)) if draw(st.booleans()) else []
    removed = [path for path in removed if path and not any(path[:size] in removed for size in range(1, len(path)))]
    operations += [Operation("remove", index, path) for path in removed]
    for path in sorted(
        removed, key=lambda path: [(step, "") if isinstance(step, int) else (-1, step) for step in path], reverse=True
    ):
        del at(result, path[:-1])[path[-1]]
    return text, wires, index, operations, result


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: Path, new: Any) -> None:
    parent = at(value, path[:-1])
    if isinstance(parent, list) and path[-1] == len(parent):
        parent.append(new)
    else:
        parent[path[-1]] = new


@settings(deadline=None, max_examples=200)
@given(changed_documents())
def test_the_tool_read_again_is_the_tool_with_the_change(case: tuple[str, list[Any], int, list[Operation], Any]) -> None:
    text, wires, index, operations, expected = case
    (server,) = extract_json("a.json", text).servers
    assume(isinstance(expected.get("inputSchema"), dict) and "name" in expected)
    changes = edits(server.sources["a.json"], server.tools[index], operations)
    result = extract_json("a.json", apply(text, changes))
    assert not result.troubles
    assert json.dumps([tool.wire for tool in result.servers[0].tools]) == json.dumps(
        [*wires[:index], expected, *wires[index + 1 :]]
    )
    start, end = server.sources["a.json"].resolve(server.tools[index].home or server.place)  # type: ignore[arg-type]
    assert all(start <= change[0] and change[1] <= end for change in changes)
    assert bool(changes) == bool(operations)
