"""Whether a named file is Python at all."""

from __future__ import annotations

import pytest

from echolot_lsp.extract.python.nesting import is_shallow
from echolot_lsp.extract.python.whole import syntax_trouble


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\n",
        "x = 1\r\ny = 2",
        "type X = int\n",
        "def f[T](x: T) -> T: ...\n",
        "x = f'{'a'}'\n",
        "x = '\\d'\n",
        "match x:\n  case 1: pass\n",
    ],
)
def test_python_of_every_version_is_python(text: str) -> None:
    assert syntax_trouble("app.py", text) is None


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("x = 1\ndef f(:\n  pass\n", "x = 1\ndef f("),
        ("x = 1\r\n\r\nbreak x\r\n", "x = 1\r\n\r\nbreak "),
        ("é = '⛺' +\n", "é = '⛺' +"),
        ("print 'x'\n", ""),
        ("x = '\0'\n", "x = '"),
    ],
)
def test_what_is_no_python_is_told_at_its_place(text: str, before: str) -> None:
    trouble = syntax_trouble("app.py", text)
    assert trouble is not None
    assert trouble.span is not None
    assert text[: trouble.span.start] == before
    assert trouble.message.startswith("This is no Python: ")


def test_endless_nesting_is_told() -> None:
    assert syntax_trouble("app.py", "(" * 100_000) is not None


@pytest.mark.parametrize(
    "deep",
    [
        "(" * 3000,
        "[" * 3000 + "]" * 3000,
        "-" * 3000 + "1",
        "not " * 3000 + "1",
        "lambda: " * 3000 + "1",
        "a" + ".b" * 9000,
        "1+" * 9000 + "1",
    ],
)
def test_nothing_deep_reaches_a_parser_that_could_crash(deep: str) -> None:
    text = f"type X = int\nx = {deep}\n"
    assert not is_shallow(text)
    syntax_trouble("app.py", text)


def test_ordinary_source_is_shallow() -> None:
    assert is_shallow("x = [\n" + "    {'a': (1, 2), 'b': f(x)[0].y},\n" * 5000 + "]\n")
    assert is_shallow("'''" + "(" * 500 + "'''  # " + "[" * 500)
