"""Bounds, each at the bound: no source makes reading slow, large or fail, and none of it is ever run."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.python import extract_python, may_hold_server
from echolot_lsp.files import Disk

HEAD = 'from fastmcp import FastMCP\n\nmcp = FastMCP("s")\n'
TOOL = '\n@mcp.tool\ndef {name}(a: int = 0) -> str:\n    """{name}."""\n    return ""\n'


def read(text: str, **siblings: str) -> Extraction:
    """The extraction of a source that lies on no disk."""
    files = {"/w/server.py": text, **{f"/w/{name}.py": content for name, content in siblings.items()}}
    return extract_python("/w/server.py", Disk(files), framework="fastmcp==4.2.3", python="3.12")


def names(extraction: Extraction) -> list[str | None]:
    """The names of all tools."""
    return [tool.name for server in extraction.servers for tool in server.tools]


RUNAWAYS = {
    "a huge text": 'X = "a" * 10**9',
    "a text that doubles": 'X = "a"\nfor _ in range(10**6):\n    X = X + X',
    "a huge number": "X = 10 ** 10 ** 8",
    "a huge shift": "X = 1 << 10**10",
    "a huge list": "X = [0] * 10**10",
    "a huge range": "X = list(range(10**12))",
    "a sum over a huge range": "X = sum(range(10**12))",
    "nested loops": "X = [1 for a in range(10**5) for b in range(10**5)]",
    "an endless loop": "while True:\n    X = 1",
    "a wide format": 'X = f"{1:>1000000000}"',
    "a wide percent format": 'X = "%1000000000d" % 1',
    "a wide format call": 'X = "{:1000000000}".format(1)',
    "a computed width": 'X = f"{1:>{10**9}}"',
    "a wide just": 'X = "a".ljust(10**9)',
    "a blown up replace": 'X = ("a" * 1000).replace("a", "b" * 100000)',
    "a blown up join": 'X = ("b" * 100000).join(["a"] * 100000)',
    "huge tabs": 'X = ("\\t" * 10000).expandtabs(10**6)',
    "deep recursion": "def f(n):\n    return f(n + 1)\nX = f(0)",
    "mutual recursion": "def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\nX = f(0)",
    "exponential calls": "def f(n):\n    return f(n - 1) + f(n - 1) if n else 1\nX = f(35)",
    "a deep expression": "X = " + "-" * 50000 + "1",
    "deep brackets": "X = " + "(" * 500 + "1" + ")" * 500,
    "a long sum": "X = " + "1 + " * 20000 + "1",
    "bytes of a size": "X = bytes(10**10)",
    "a long number text": 'X = int("9" * 900000)',
    "a list that holds itself": "X = []\nX.append(X)\nY = str(X)",
    "an alias of itself": "X = X",
    "a class of itself": "class X(X): pass",
    "classes of one another": "class A:\n    b: 'B'\nclass B(A):\n    a: A",
    "a wrapper of itself": "def f(): ...\nf.__wrapped__ = f\nmcp.tool()(f)",
}


@pytest.mark.parametrize("runaway", RUNAWAYS.values(), ids=RUNAWAYS.keys())
def test_a_runaway_statement_costs_only_itself(runaway: str) -> None:
    start = time.process_time()
    found = names(read(HEAD + TOOL.format(name="before") + "\n" + runaway + "\n" + TOOL.format(name="after")))
    assert time.process_time() - start < 5
    assert {"before", "after"} <= set(found)


def test_what_a_runaway_makes_is_unknown_in_the_tool_that_uses_it() -> None:
    (server,) = read(HEAD + 'X = "a" * 10**9\n\n@mcp.tool(description=X)\ndef f(): ...\n').servers
    assert ("description",) in {part.path for part in server.unresolved}


def test_servers_mounted_in_a_circle_end() -> None:
    text = HEAD + 'other = FastMCP("o")\nmcp.mount(other, "o")\nother.mount(mcp, "m")\n' + TOOL.format(name="f")
    (server, *_) = read(text).servers
    assert "f" in {tool.name for tool in server.tools}
    assert server.unresolved


def test_modules_that_import_one_another_end() -> None:
    found = read("import a\n" + HEAD + TOOL.format(name="f"), a="import b\nimport server\n", b="import a\nfrom a import *\n")
    assert names(found) == ["f"]


def test_ten_thousand_generated_lines_are_read() -> None:
    text = HEAD + "".join(TOOL.format(name=f"tool_{n}") + "\n" * 5 for n in range(1000))
    assert text.count("\n") > 10_000
    start = time.process_time()
    assert len(names(read(text))) == 1000
    assert time.process_time() - start < 20


def test_a_recursive_model_and_a_cyclic_alias_end() -> None:
    text = HEAD + (
        "from pydantic import BaseModel\nfrom typing_extensions import TypeAliasType\nfrom typing import Union\n\n"
        "class Node(BaseModel):\n    kids: list['Node'] = []\n    other: 'Other | None' = None\n\n"
        "class Other(BaseModel):\n    node: Node\n\n"
        "Json = TypeAliasType('Json', 'Union[list[Json], str]')\nLoop = TypeAliasType('Loop', 'Loop')\n\n"
        "@mcp.tool\ndef f(node: Node, j: Json): ...\n\n@mcp.tool\ndef g(x: Loop): ...\n\n@mcp.tool\ndef h(): ...\n"
    )
    (server,) = read(text).servers
    assert [tool.name for tool in server.tools] == ["f", "g", "h"]
    assert server.tools[0].wire["inputSchema"]["properties"]["node"] == {"$ref": "#/$defs/Node"}


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "\x00", "def f(", '"""', "@", "class", "\\", "if", "mcp.tool(", "é" * 3, "\r", "from . import x"]
)
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert isinstance(read(text), Extraction)
    assert names(read(HEAD + TOOL.format(name="f") + text))[:1] == ["f"]


def test_a_file_that_is_not_there_is_a_trouble() -> None:
    extraction = extract_python("/w/none.py", Disk({}))
    assert extraction.servers == ()
    assert extraction.troubles[0].fatal


def test_the_source_is_neither_run_nor_imported(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    leave = f"open({str(trace)!r}, 'w').write('ran')\n"
    (tmp_path / "echolot_trace_module.py").write_text(leave + "TEXT = 'From a module'\n", encoding="utf-8")
    source = tmp_path / "server.py"
    source.write_text(
        "import os, subprocess\nfrom typing import Optional\nimport echolot_trace_module\nfrom fastmcp import FastMCP\n"
        + leave
        + f"os.system('touch {trace}')\nsubprocess.run(['touch', {str(trace)!r}])\nexec({leave!r})\neval({leave!r})\n"
        + f"__import__('os').system('touch {trace}')\n"
        + "mcp = FastMCP('s')\n"
        + "class Meta(type):\n    def __new__(cls, *a):\n        "
        + leave
        + "        return type(*a)\nclass C(metaclass=Meta):\n    x: int\n"
        + "@mcp.tool(description=echolot_trace_module.TEXT)\n"
        + f"def f(a: \"__import__('os').system('touch {trace}')\" = 1, b: Optional[\"__import__('os').system('touch {trace}')\"] = None, c: C = None): ...\n",
        encoding="utf-8",
    )
    extraction = extract_python(str(source), Disk(), framework="fastmcp==4.2.3", python="3.12")
    assert [tool.wire["description"] for server in extraction.servers for tool in server.tools] == ["From a module"]
    assert not trace.exists()
    assert "echolot_trace_module" not in sys.modules


def test_only_files_that_import_a_framework_are_worth_reading() -> None:
    assert may_hold_server(b"from mcp.server.fastmcp import FastMCP\n")
    assert may_hold_server(b"import os, fastmcp\n")
    assert may_hold_server(b"    from fastmcp import FastMCP\n")
    assert not may_hold_server(b"# about mcp and such\nimport os\n")
    assert not may_hold_server(b"import mcpx\n")
