"""Reading again after an edit: what did not change is the very same object, and nothing differs from a fresh reading."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.json import JsonReader, extract_json
from echolot_lsp.model import Server

TOOLS = [
    {"name": f"sluice_{number}", "description": f"Open gate {number}.", "inputSchema": {"type": "object", "properties": {}}}
    for number in range(6)
]


def text_of(tools: list[Any]) -> str:
    return json.dumps({"tools": tools}, indent=2)


def everything(extraction: Extraction) -> list[Any]:
    return [extraction.troubles, [server_facts(server) for server in extraction.servers]]


def server_facts(server: Server) -> Any:
    (source,) = server.sources.values()
    tools = [(tool.wire, dict(tool.places), tool.home) for tool in server.tools]
    return (server.name, server.path, server.place, server.complete, server.unresolved, source, tools)


def test_an_edit_in_one_tool_leaves_the_others_the_same_objects() -> None:
    reader = JsonReader()
    (before,) = reader.read("a.json", text_of(TOOLS)).servers
    changed = [dict(tool) for tool in TOOLS]
    changed[2]["description"] = "Opens the second gate."
    (after,) = reader.read("a.json", text_of(changed)).servers
    assert [new is old for new, old in zip(after.tools, before.tools, strict=True)] == [True, True, False, True, True, True]
    assert after.tools[2].wire == changed[2]


def test_a_tool_that_moves_or_is_joined_by_another_stays_the_same_object() -> None:
    reader = JsonReader()
    (before,) = reader.read("a.json", text_of(TOOLS)).servers
    new = {"name": "weir", "description": "Lower the weir.", "inputSchema": {}}
    (after,) = reader.read("a.json", text_of([new, TOOLS[5], *TOOLS[:5]])).servers
    assert after.tools[1] is before.tools[5]
    assert after.tools[2:] == before.tools[:5]


def test_equal_tools_are_blocks_of_their_own() -> None:
    (server,) = extract_json("a.json", text_of([TOOLS[0], TOOLS[0]])).servers
    source = server.sources["a.json"]
    first, second = (source.resolve(tool.home) for tool in server.tools if tool.home)
    assert first[1] < second[0]


def test_a_reader_forgets() -> None:
    reader = JsonReader()
    (before,) = reader.read("a.json", text_of(TOOLS)).servers
    reader.forget("a.json")
    (after,) = reader.read("a.json", text_of(TOOLS)).servers
    assert after.tools[0] is not before.tools[0]


@st.composite
def edit_sequences(draw: st.DrawFn) -> list[str]:
    text = text_of(TOOLS[: draw(st.integers(1, 6))])
    if draw(st.booleans()):
        text = json.dumps(json.loads(text))
    texts = [text]
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 3, 40, 200])))
        piece = draw(st.sampled_from(["", "x", '"', "{", "}", ",", "[", "]", "/*", "*/", "//", "\\", "\n", text[end : end + 150]]))
        text = text[:start] + piece + text[end:]
        texts.append(text)
        if draw(st.booleans()):
            text = texts[draw(st.integers(0, len(texts) - 1))]
            texts.append(text)
    return texts


@settings(deadline=None)
@given(edit_sequences())
def test_reading_again_equals_a_fresh_reading(texts: list[str]) -> None:
    reader = JsonReader()
    for text in texts:
        assert everything(reader.read("a.json", text)) == everything(extract_json("a.json", text))
