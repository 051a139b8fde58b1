"""Typing: what is kept from one extraction to the next never changes an answer, and a broken block costs only itself."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    framework: str = "fastmcp==4.2.3"
    others: dict[str, str] = field(default_factory=dict)

    def read(self, *, fresh: bool = False, changed: str = PATH) -> Extraction:
        """The extraction of the texts as they are now; but for ``changed`` they are what they were when they were read last."""
        return extract_python(
            PATH,
            Disk({**self.others, PATH: self.text}),
            framework=self.framework,
            python="3.12",
            cache=Cache() if fresh else self.cache,
            changed=None if fresh else frozenset((changed,)),
        )

    def interpreted_anew(self) -> bool:
        """Reads, says whether the source was interpreted anew, and holds that the answer is the fresh one."""
        before = self.cache.kept.get(PATH)
        assert seen(self.read()) == seen(self.read(fresh=True))
        return before is None or self.cache.kept[PATH] is not before


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


def test_an_edit_of_one_tool_interprets_nothing_else() -> None:
    editor = Editor(SOURCE, Cache())
    editor.read()
    for old, new in (
        ("What to do (4)", "What to do now (4)"),
        ('    """Do number 5.', '    """Do the number 5.'),
        ("def tool_6(order: Order, mode: Mode", "def tool_6(order: Order, extra: list[Part], mode: Mode"),
        ('    """Do number 7.\n\n    Args:\n        order: What to do (7).\n        mode: How.\n    """\n', ""),
        ("    if count > 8:", "    if count > 8 or mode:"),
        ("@mcp.tool()\ndef tool_2(", '@mcp.tool(title="Two")\ndef tool_2('),
        ("@mcp.tool()\ndef tool_1(", "@mcp.tool\ndef tool_1("),
        ("def tool_0(", "async def tool_0("),
    ):
        assert old in editor.text
        editor.text = editor.text.replace(old, new, 1)
        assert not editor.interpreted_anew(), new


def test_a_tool_that_something_else_may_look_at_is_interpreted_anew_with_it() -> None:
    for rest in (
        "again = tool_4\n",
        'mcp.remove_tool("tool_4")\n',
        "import sys\nfor each in vars(sys.modules[__name__]): pass\n",
        "DOC = globals()['tool_' + '4'].__doc__\n",
        '__all__ = ["tool_4"]\n',
        "def main():\n    print(tool_4)\n\n\nmain()\n",
        "other = FastMCP('o')\nother.mount(mcp)\n",
        "LIMIT = 7\n",
        "def tool_4(a: int): ...\n",
        "del tool_4\n",
    ):
        editor = Editor(SOURCE + rest, Cache())
        editor.read()
        editor.text = editor.text.replace("What to do (4)", "What else to do (4)", 1)
        assert editor.interpreted_anew() or rest == "del tool_4\n", rest
        assert seen(editor.read()) == seen(editor.read(fresh=True)), rest


def test_what_a_header_names_must_be_what_it_was_where_it_stands() -> None:
    source = SOURCE.replace("@mcp.tool()\ndef tool_4(", "@mcp.tool(title=TITLE)\ndef tool_4(") + 'TITLE = "late"\n'
    for head in ("", 'TITLE = "early"\n'):
        editor = Editor(source.replace("LIMIT = 20\n", f"LIMIT = 20\n{head}"), Cache())
        editor.read()
        editor.text = editor.text.replace("What to do (4)", "What else to do (4)", 1)
        assert editor.interpreted_anew()


def test_a_body_that_begins_to_yield_makes_another_tool() -> None:
    editor = Editor(HEAD + "\n@mcp.tool()\ndef count(n: int) -> str:\n    return n\n", Cache(), "sdk==2.3.0")
    editor.read()
    editor.text = editor.text.replace("    return n\n", "    yield n\n")
    assert seen(editor.read()) == seen(editor.read(fresh=True))


def test_a_type_that_a_call_makes_is_part_of_what_a_tool_rests_on() -> None:
    head = HEAD.replace("import Annotated", "import TypedDict, Annotated") + 'Short = TypedDict("Short", {"first": int})\n'
    editor = Editor(head + '\n@mcp.tool()\ndef shorten(it: Short) -> str:\n    """Shorten."""\n', Cache())
    editor.read()
    editor.text = editor.text.replace('"first"', '"second"')
    assert seen(editor.read()) == seen(editor.read(fresh=True))


def test_classes_of_one_name_in_two_modules_keep_their_own_places() -> None:
    item = 'from pydantic import BaseModel\n\n\nclass Item(BaseModel):\n    """An item."""\n\n    {}: str\n'
    others = {"/w/one.py": item.format("first"), "/w/two.py": item.format("second")}
    text = "import one, two\nfrom fastmcp import FastMCP\n\nmcp = FastMCP('shop')\n\n\n@mcp.tool()\ndef both(a: one.Item, b: two.Item): ...\n"
    editor = Editor(text, Cache(), others=others)
    editor.read()
    editor.text = text.replace("one.Item", "two.Item")
    assert seen(editor.read()) == seen(editor.read(fresh=True))
    editor.others["/w/two.py"] = item.format("third")
    assert seen(editor.read(changed="/w/two.py")) == seen(editor.read(fresh=True))


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
