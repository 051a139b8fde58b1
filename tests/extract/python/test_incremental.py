"""Typing: what is kept from one extraction to the next never changes an answer, and a broken block costs only itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.python import extract_python
from echolot_lsp.extract.python.cache import Cache
from echolot_lsp.files import Disk

PATH = "/w/server.py"
HEAD = '''"""A server."""

from enum import Enum
from typing import Annotated, Literal, Optional

from pydantic import BaseModel, Field
from fastmcp import Context, FastMCP

mcp = FastMCP("shop")

LIMIT = 20
Mode = Literal["fast", "slow"]
Count = Annotated[int, Field(description="How many", ge=1)]


class Level(Enum):
    """How much."""

    LOW = "low"
    HIGH = "high"


class Part(BaseModel):
    """A part."""

    name: str = Field(description="Its name")
    level: Level = Level.LOW


class Order(BaseModel):
    parts: list[Part]
    note: Optional[str] = None

'''
TOOL = '''
@mcp.tool()
def tool_{n}(order: Order, mode: Mode = "fast", count: Count = LIMIT, ctx: Context = None) -> str:
    """Do number {n}.

    Args:
        order: What to do ({n}).
        mode: How.
    """
    text = f"{{order}} {{mode}}"
    if count > {n}:
        text += """
not a block
"""
    return text

'''
SOURCE = HEAD + "".join(TOOL.format(n=n) for n in range(9))


@dataclass
class Editor:
    """A buffer that is typed into, and a cache over it."""

    text: str
    cache: Cache

    def read(self, *, fresh: bool = False) -> Extraction:
        """The extraction of the text as it is now."""
        cache = Cache() if fresh else self.cache
        return extract_python(PATH, Disk({PATH: self.text}), framework="fastmcp==4.2.3", python="3.12", cache=cache)


def seen(extraction: Extraction) -> Any:
    """Everything that a user could see of an extraction, with absolute places."""
    servers = []
    for server in extraction.servers:
        tools = []
        for tool in server.tools:
            spans = {}
            for path, place in tool.places.items():
                for kind, span in (("key", place.key), ("value", place.value)):
                    if span is not None:
                        spans[path, kind] = (span.file, *server.sources[span.file].resolve(span))
            assert tool.home is not None
            home = server.sources[tool.home.file].resolve(tool.home)
            facts = [(fact.rule, fact.path, dict(fact.details)) for fact in tool.facts]
            tools.append((dict(tool.wire), spans, home, facts, dict(tool.hints)))
        servers.append((server.name, tools, [(part.index, part.path, part.why) for part in server.unresolved]))
    return servers


def test_a_fresh_and_a_kept_answer_agree_after_each_keystroke() -> None:
    editor = Editor(SOURCE, Cache())
    editor.read()
    for old, new in (
        ("LIMIT = 20", "LIMIT = 30"),
        ('"low"', '"lower"'),
        ("Its name", "Its full name"),
        ('"fast", "slow"', '"fast", "slow", "safe"'),
        ("How many", "How many parts"),
        ("ge=1", "ge=2"),
        ("def tool_3(order", "def tool_three(order"),
        ("What to do (4)", "What to do now (4)"),
        ('"""A server."""\n', '"""A server.\n\nLonger.\n"""\n'),
        ("class Part(BaseModel):", "class Part(BaseModel, title='P'):"),
        ('FastMCP("shop")', 'FastMCP("store")'),
        ("    text = f", "    text = g"),
    ):
        assert old in editor.text
        editor.text = editor.text.replace(old, new, 1)
        assert seen(editor.read()) == seen(editor.read(fresh=True))


def test_an_untouched_tool_is_the_same_object() -> None:
    editor = Editor(SOURCE, Cache())
    before = editor.read().servers[0].tools
    editor.text = editor.text.replace("What to do (4)", "What else (4)")
    after = editor.read().servers[0].tools
    assert [one is other for one, other in zip(before, after, strict=True)] == [index != 4 for index in range(9)]


def test_a_body_edit_changes_no_tool() -> None:
    editor = Editor(SOURCE, Cache())
    before = editor.read().servers[0].tools
    editor.text = editor.text.replace("if count > 4:", "if count >= 4 or (")
    after = editor.read().servers[0].tools
    assert all(one.wire == other.wire for one, other in zip(before, after, strict=True))


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_sequence_of_edits_gives_the_fresh_answer(data: st.DataObject) -> None:
    editor = Editor(HEAD + "".join(TOOL.format(n=n) for n in range(3)), Cache())
    editor.read()
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(editor.text)))
        end = min(len(editor.text), start + data.draw(st.sampled_from([0, 0, 1, 5, 40])))
        typed = data.draw(
            st.sampled_from(["", "x", "\n", '"""', "(", "1", "@mcp.tool\ndef new(a: int): ...\n", "# 日本\n", "\r\n", ": "])
        )
        editor.text = editor.text[:start] + typed + editor.text[end:]
        assert seen(editor.read()) == seen(editor.read(fresh=True))


def test_for_every_prefix_the_tools_above_the_one_being_typed_stay() -> None:
    text = HEAD + "".join(TOOL.format(n=n) for n in range(11))
    assert text.count("\n") >= 200
    whole = [dict(tool.wire) for tool in Editor(text, Cache()).read().servers[0].tools]
    starts = [text.index(f"@mcp.tool()\ndef tool_{n}(") for n in range(11)]
    editor = Editor("", Cache())
    stops = sorted({*range(starts[0], len(text), 23), *range(starts[-2], len(text))})
    for stop in stops:
        editor.text = text[:stop]
        done = max(0, sum(start < stop for start in starts) - 1)
        wires = [dict(tool.wire) for server in editor.read().servers for tool in server.tools]
        assert wires[:done] == whole[:done], stop


def test_a_broken_tool_in_the_middle_leaves_the_others() -> None:
    names = {f"tool_{n}" for n in range(9)}
    for old, new in (
        ("def tool_4(order: Order,", "def tool_4(order: Order, ("),
        ("def tool_4(", "def tool_4"),
        ('"""Do number 4.', '"Do number 4.'),
        ('"""Do number 4.', '""" """ """Do number 4.'),
        ('        order: What to do (4).\n        mode: How.\n    """', "        order: What to do (4).\n        mode: How.\n"),
        ("@mcp.tool()\ndef tool_4", "@mcp.tool(\ndef tool_4"),
        ("@mcp.tool()\ndef tool_4", "@mcp.\ndef tool_4"),
    ):
        editor = Editor(SOURCE, Cache())
        editor.read()
        assert old in editor.text
        editor.text = editor.text.replace(old, new)
        left = {tool.name for server in editor.read().servers for tool in server.tools}
        assert names - {"tool_4"} <= left, new
