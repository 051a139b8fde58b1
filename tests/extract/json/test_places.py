"""Every part of a tool stands where its place says, however the document is spelled."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings

from echolot_lsp import schema
from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.json.scan import Scanner
from echolot_lsp.model import Server, Tool, all_spans, place_of
from tests.extract.json.documents import documents


def text_at(server: Server, tool: Tool, path: tuple[str | int, ...], part: str = "value") -> str:
    (source,) = server.sources.values()
    start, end = source.resolve(getattr(tool.places[path], part))
    return source.text[start:end]


def size(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(size(child) for child in children)


@settings(deadline=None)
@given(documents())
def test_the_text_of_every_place_is_the_part(document: tuple[str, list[Any]]) -> None:
    text, wires = document
    (server,) = extract_json("a.json", text).servers
    assert [tool.wire for tool in server.tools] == wires
    for tool in server.tools:
        assert len(tool.places) == size(tool.wire)
        for path, place in tool.places.items():
            value = Scanner(text_at(server, tool, path), strict=True).run().value
            assert json.dumps(value) == json.dumps(schema.at(tool.wire, path))
            if place.key is not None:
                assert json.loads(text_at(server, tool, path, "key")) == path[-1]
            assert (place.key is not None) == (bool(path) and isinstance(path[-1], str))


@settings(deadline=None)
@given(documents())
def test_all_spans_lie_in_the_text(document: tuple[str, list[Any]]) -> None:
    text, _ = document
    (server,) = extract_json("a.json", text).servers
    (source,) = server.sources.values()
    for tool in server.tools:
        for span in all_spans(tool):
            start, end = source.resolve(span)
            assert 0 <= start < end <= len(text)
            assert text[start].strip()
            assert text[end - 1].strip()


def test_the_last_of_a_repeated_name_counts() -> None:
    text = '{"tools": [{"name": "moor", "name": "cast_off", "description": "d", "inputSchema": {"type": 1, "type": "object"}}]}'
    (server,) = extract_json("a.json", text).servers
    tool = server.tools[0]
    assert tool.name == "cast_off"
    assert text_at(server, tool, ("name",)) == '"cast_off"'
    assert text_at(server, tool, ("inputSchema", "type")) == '"object"'
    assert server.sources["a.json"].resolve(tool.places["name",].value or server.place)[0] == text.index('"cast_off"')


def test_a_byte_order_mark_and_windows_line_ends_shift_nothing() -> None:
    text = '\ufeff{\r\n  "tools": [\r\n    {"name": "moor", "description": "係留する", "inputSchema": {}}\r\n  ]\r\n}\r\n'
    (server,) = extract_json("a.json", text).servers
    assert text_at(server, server.tools[0], ("description",)) == '"係留する"'
    assert server.place is not None
    assert text[slice(*server.sources["a.json"].resolve(server.place))] == '"tools"'


def test_parts_of_a_list_read_back_stand_at_the_lists_own_keys() -> None:
    function = {
        "name": "moor",
        "description": "Moor.",
        "parameters": {"type": "OBJECT", "properties": {"buoy": {"type": "STRING"}}},
    }
    text = json.dumps({"tools": [{"functionDeclarations": [function]}]})
    (server,) = extract_json("a.json", text).servers
    tool = server.tools[0]
    assert text_at(server, tool, ("inputSchema",), "key") == '"parameters"'
    assert text_at(server, tool, ("inputSchema", "properties", "buoy"), "key") == '"buoy"'
    assert text_at(server, tool, ("inputSchema", "type")) == '"OBJECT"'
    assert set(tool.places) == {
        (),
        ("name",),
        ("description",),
        ("inputSchema",),
        ("inputSchema", "type"),
        ("inputSchema", "properties"),
        ("inputSchema", "properties", "buoy"),
        ("inputSchema", "properties", "buoy", "type"),
    }
    assert tool.places.get(("outputSchema",)) is None


def test_a_part_that_the_source_lacks_is_shown_at_the_name() -> None:
    text = json.dumps({"functionDeclarations": [{"name": "moor", "description": "Moor."}]})
    (server,) = extract_json("a.json", text).servers
    span = place_of(server.tools[0], ("inputSchema", "properties"))
    assert span is not None
    assert text[slice(*server.sources["a.json"].resolve(span))] == '"moor"'
