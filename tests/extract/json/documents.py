"""Random JSON and random spellings of it, for the laws of the JSON frontend."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

WORDS = [
    "name",
    "type",
    "description",
    "properties",
    "required",
    "tools",
    "a/b~c",
    "",
    "é",
    "商品",
    "🦊",
    'qu"ote',
    "\\",
    "\ud83d",
    "//",
]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(WORDS),
    st.text(max_size=6),
)
values = st.recursive(
    scalars,
    lambda parts: st.one_of(st.lists(parts, max_size=3), st.dictionaries(st.sampled_from(WORDS), parts, max_size=3)),
    max_leaves=8,
)


@st.composite
def tools(draw: st.DrawFn) -> dict[str, Any]:
    """A tool of MCP with a schema, parts in any order, and parts that nobody knows."""
    wire = {
        "name": draw(st.sampled_from(["moor", "cast_off", "🦊"])),
        "description": draw(st.text(max_size=8)),
        "inputSchema": draw(st.dictionaries(st.sampled_from(WORDS), values, max_size=3)),
        **draw(st.dictionaries(st.sampled_from(["title", "_meta", "x"]), values, max_size=2)),
    }
    return {key: wire[key] for key in draw(st.permutations(list(wire)))}


@st.composite
def gaps(draw: st.DrawFn) -> str:
    """What editors allow between two words."""
    return draw(st.sampled_from(["", "", " ", "\n", "\r\n", "\t", " /* } */ ", ' // "]\n', "/**/", "\n  // 注\r\n"]))


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """A value spelled with comments, trailing commas and odd white space."""

    def write(part: Any) -> str:
        if isinstance(part, dict):
            return bracketed(
                "{", "}", [word(key) + draw(gaps()) + ":" + draw(gaps()) + write(child) for key, child in part.items()]
            )
        if isinstance(part, list):
            return bracketed("[", "]", [write(child) for child in part])
        return word(part)

    def word(part: Any) -> str:
        text = json.dumps(part, ensure_ascii=draw(st.booleans()))
        return json.dumps(part) if "\ud83d" in text else text

    def bracketed(left: str, right: str, parts: list[str]) -> str:
        comma = "," if parts and draw(st.booleans()) else ""
        inner = ",".join(draw(gaps()) + part + draw(gaps()) for part in parts)
        return left + inner + comma + draw(gaps()) + right

    return write(value)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """A text with a list of tools, and the tools."""
    wires = draw(st.lists(tools(), min_size=1, max_size=3))
    document = draw(
        st.sampled_from([wires, {"tools": wires}, {"v": [1, {}], "tools": wires, "name": "x"}, {"result": {"tools": wires}}])
    )
    layout = draw(st.sampled_from(["compact", "pretty", "tabs", "wild"]))
    if layout == "wild":
        return draw(gaps()) + draw(spelled(document)) + draw(gaps()), wires
    ascii_only = "\ud83d" in json.dumps(document, ensure_ascii=False) or draw(st.booleans())
    how: dict[str, Any] = {"compact": {"separators": (",", ":")}, "pretty": {"indent": 2}, "tabs": {"indent": "\t"}}[layout]
    text = json.dumps(document, ensure_ascii=ascii_only, **how)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), wires
