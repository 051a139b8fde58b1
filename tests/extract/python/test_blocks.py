"""Top-level blocks: what the scan cuts, and that an edited text gives the blocks of a fresh one."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.extract.python.blocks import pieces_of_broken, split, split_again
from echolot_lsp.extract.python.syntax import parse

FORMS = Path(__file__).parents[2] / "forms"
NASTY = [
    'X = """\ndef not_a_block():\n    pass\n"""\n',
    "Y = (\n1,\n2,\n)\n",
    "if A:\n    x = 1\nelse:\n    x = 2\n",
    "try:\n    import a\nexcept ImportError:\n    a = None\nfinally:\n    pass\n",
    "@mcp.tool(\n    name='a',\n)\n# between\n@other\nasync def f(\n    a: int,\n):\n    '''Doc\ndef x\n    '''\n    return 1\n",
    "z = 1 + \\\n2\n",
    "# only a comment\n\n",
    "class A:\n    @mcp.tool\n    def m(self): ...\n",
    "f(\n'a' # (\n)\n",
    's = \'it\\\'s\'\r\nt = """a\r\nb"""\r\n',
    "\fq = 1\n",
]


def texts(text: str) -> list[str]:
    """The texts of the blocks."""
    return [block.text for block in split(text)]


def test_blocks_are_the_whole_text_and_each_parses() -> None:
    for path in FORMS.glob("*/*/*.py"):
        text = path.read_text(encoding="utf-8")
        blocks = split(text)
        assert "".join(block.text for block in blocks) == text
        for block in blocks:
            assert parse("server.py", block.key, block.text) is not None


def test_each_statement_is_a_block_of_its_own() -> None:
    for piece in NASTY:
        assert texts("first = 1\n" + piece + "last = 2\n")[-1] == "last = 2\n"
        assert len(texts("first = 1\n" + piece + "last = 2\n")) <= 4


def test_a_key_stays_while_other_blocks_are_edited() -> None:
    before = split("a = 1\n\n\ndef f(): ...\n\n\nclass C: ...\n")
    after = split("a = 1000\nb = 2\n\n\ndef f(): ...\n\n\nclass C: ...\n")
    assert {block.key for block in before} <= {block.key for block in after}


def test_keys_are_unique() -> None:
    keys = [block.key for block in split("x = 1\n" * 3 + "def x(): ...\n" * 2)]
    assert len(set(keys)) == len(keys)


def test_an_open_bracket_swallows_nothing_below() -> None:
    assert texts("x = foo(\n\ndef f(a):\n    return a\n") == ["x = foo(\n\n", "def f(a):\n    return a\n"]


def test_a_string_that_never_ends_is_cut_at_the_definitions() -> None:
    text = 'def f():\n    """Doc\n    return 1\n\n\n@t\ndef g():\n    """Other."""\n\n\ndef h():\n    pass\n'
    pieces = [piece for block in split(text) for piece in pieces_of_broken(block.text)]
    assert "".join(pieces) == text
    assert any(piece.startswith("@t\ndef g") for piece in pieces)
    assert any(piece.startswith("def h") for piece in pieces)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text and what it becomes, edit by edit."""
    text = "".join(draw(st.lists(st.sampled_from(NASTY), min_size=1, max_size=6)))
    versions = []
    now = text
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(now)))
        end = min(len(now), start + draw(st.integers(0, 12)))
        now = (
            now[:start]
            + draw(st.sampled_from(["", "x", "\n", '"""', "(", ")", "'", "@t\n", "def g():\n    pass\n", "else:\n", "#"]))
            + now[end:]
        )
        versions.append(now)
    return text, versions


@given(edits())
@settings(max_examples=300, deadline=None)
def test_an_edited_text_has_the_blocks_of_a_fresh_one(case: tuple[str, list[str]]) -> None:
    text, versions = case
    blocks = split(text)
    for version in versions:
        blocks = split_again(version, blocks)
        assert blocks == split(version)
