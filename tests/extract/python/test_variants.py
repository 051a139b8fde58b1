"""The same server written otherwise gives the same tools: names changed, moved, wrapped, laid out anew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.extract.python.blocks import split
from echolot_lsp.files import Disk

FORMS = Path(__file__).parents[2] / "forms"
GUARD = re.compile(r"^if __name__ == .__main__.:.*\Z", re.M | re.S)


def seen(text: str, path: Path) -> str:
    """The tools of a text that stands in the place of ``path``, and what is not known of them."""
    extraction = extract_python(str(path), Disk({str(path): text}), python="3.12")
    servers = [
        ([tool.wire for tool in server.tools], len(server.unresolved), sorted(fact.rule for fact in server.facts))
        for server in extraction.servers[:1]
    ]
    return json.dumps(servers, sort_keys=True, default=str)


def renamed(text: str) -> str:
    """The server under another name."""
    return re.sub(r"\bmcp\b(?!\.(?:types|server|shared|client)\b)(?!\s+import)", "depot", text)


def commented(text: str) -> str:
    """A comment and blank lines before every top-level statement."""
    return "".join("\n# 日本 🧪 (\n\n" + block.text for block in split(text))


def with_windows_line_ends(text: str) -> str:
    """Lines that end as Windows ends them."""
    return text.replace("\n", "\r\n")


def under_a_decorator(text: str) -> str:
    """Every module-level tool under one more decorator that uses functools.wraps."""
    own = (
        "import functools as _tools_\n\n\ndef _counted_(function):\n    @_tools_.wraps(function)\n"
        "    def inner(*args, **kwargs):\n        return function(*args, **kwargs)\n    return inner\n\n\n"
    )
    changed = re.sub(r"^(@mcp\.tool(?:\(.*\))?\n)(?=def )", r"\1@_counted_\n", text, flags=re.M)
    start = text.index("mcp = ") if "\nmcp = " in text else 0
    return changed[:start] + own + changed[start:]


def in_a_factory(text: str) -> str:
    """Everything below the imports in a function that gives the server back."""
    body = GUARD.sub("", text)
    lines = body.splitlines(keepends=True)
    last = max(index for index, line in enumerate(lines) if line.startswith(("from ", "import "))) + 1
    inner = "".join("    " + line if line.strip() else line for line in lines[last:])
    return (
        "".join(lines[:last])
        + "\n\ndef build():\n"
        + inner
        + "\n    return mcp\n\n\nmcp = build()\nif __name__ == '__main__':\n    mcp.run()\n"
    )


PLAIN = [
    path
    for path in sorted(FORMS.glob("*/*/server.py"))
    if path.parent.name in ("fastmcp", "sdk2") and "from __future__" not in path.read_text(encoding="utf-8")
]
SIMPLE = [
    path
    for path in PLAIN
    if (text := path.read_text(encoding="utf-8")).count("mcp = ") == 1
    and re.search(r"^@mcp\.tool", text, re.M)
    and '"""' not in re.sub(r'^    """[^"\n]*"""$', "", text, flags=re.M)
    and not re.search(
        r"^(?:class|if|try|with|match|global)\b|\"[A-Z]\w*[\"\[]|list\[\"|globals|staticmethod|async def|TypeVar|import \*|def \w+\[|TypeAliasType",
        text.split("if __name__")[0],
        re.M,
    )
]
FRESH: list[Callable[[str], str]] = [commented, with_windows_line_ends]


@pytest.mark.parametrize("change", FRESH, ids=lambda change: change.__name__)
def test_layout_changes_nothing(change: Callable[[str], str]) -> None:
    for path in PLAIN[::2]:
        text = path.read_text(encoding="utf-8")
        assert seen(change(text), path) == seen(text, path), path


def test_the_name_of_the_server_changes_nothing() -> None:
    for path in PLAIN[1::2]:
        text = path.read_text(encoding="utf-8")
        if not re.search(r"_mcp_|import mcp|x-mcp", text):
            assert seen(renamed(text), path) == seen(text, path), path


@pytest.mark.parametrize("change", [in_a_factory, under_a_decorator], ids=lambda change: change.__name__)
def test_where_the_tools_stand_changes_nothing(change: Callable[[str], str]) -> None:
    assert len(SIMPLE) > 60
    for path in SIMPLE:
        text = path.read_text(encoding="utf-8")
        assert seen(change(text), path) == seen(text, path), path
