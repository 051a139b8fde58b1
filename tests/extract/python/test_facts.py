"""What only the source shows: each fact once, at its place, and nothing where all is well."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server

SDK1 = "from mcp.server.fastmcp import Context, FastMCP\n"
SDK2 = "from mcp.server.mcpserver import Context, MCPServer as FastMCP\n"
FAST = "from fastmcp import Context, FastMCP\n"
MADE = "from __future__ import annotations\n"
TYPED = "from typing import TYPE_CHECKING, Optional\n"
SERVER = 'mcp = FastMCP("s")\n\n'
WRAPPER = "def logged(fn):\n    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n    return inner\n\n\n"

CASES = {
    "context-leak": (SDK1 + SERVER, "@mcp.tool()\ndef f(a: int, ctx=None): 'F'\n", "sdk==1.30.0"),
    "self-leak": (SDK1 + SERVER, "class A:\n    @mcp.tool()\n    def f(self, a: int): 'F'\n", "sdk==1.30.0"),
    "varargs": (SDK1 + SERVER, "@mcp.tool()\ndef f(a: int, *args: str): 'F'\n", "sdk==1.30.0"),
    "wrapped-signature-lost": (SDK1 + SERVER + WRAPPER, "@mcp.tool()\n@logged\ndef f(a: int): 'F'\n", "sdk==1.30.0"),
    "py-unannotated": (SDK2 + SERVER, "@mcp.tool()\ndef f(a): 'F'\n", "sdk==2.3.0"),
    "py-optional-no-default": (FAST + TYPED + SERVER, "@mcp.tool\ndef f(a: Optional[int]): 'F'\n", "fastmcp==4.2.3"),
    "py-duplicate-name": (
        FAST + SERVER,
        "@mcp.tool\ndef f(a: int): 'F'\n\n@mcp.tool(name='f')\ndef g(a: int): 'G'\n",
        "fastmcp==4.2.3",
    ),
    "py-param-underscore": (SDK2 + SERVER, "@mcp.tool()\ndef f(_a: int): 'F'\n", "sdk==2.3.0"),
    "py-param-reserved": (SDK2 + SERVER, "@mcp.tool()\ndef f(model_config: str = ''): 'F'\n", "sdk==2.3.0"),
    "py-decorator-not-called": (SDK1 + SERVER, "@mcp.tool\ndef f(a: int): 'F'\n", "sdk==1.30.0"),
    "py-hint-keyword-ignored": (
        SDK1 + SERVER + "from mcp.types import ToolAnnotations\n",
        "@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))\ndef f(a: int): 'F'\n",
        "sdk==1.30.0",
    ),
    "py-list-fails": (
        MADE + FAST + TYPED + "if TYPE_CHECKING:\n    from decimal import Decimal\n" + SERVER,
        "@mcp.tool\ndef f(a: Decimal): 'F'\n",
        "fastmcp==4.2.3",
    ),
}


def read(text: str, framework: str) -> Server:
    """The server of a source that lies on no disk."""
    return extract_python("/w/server.py", Disk({"/w/server.py": text}), framework=framework, python="3.12").servers[0]


def rules(server: Server) -> list[str]:
    """The rules of all facts."""
    return [fact.rule for fact in (*server.facts, *(fact for tool in server.tools for fact in tool.facts))]


@pytest.mark.parametrize("rule", CASES)
def test_a_fault_is_one_fact(rule: str) -> None:
    head, tool, framework = CASES[rule]
    assert rules(read(head + tool, framework)) == [rule]


@pytest.mark.parametrize("rule", CASES)
def test_a_fault_says_nothing_of_the_tool_beside_it(rule: str) -> None:
    head, tool, framework = CASES[rule]
    bare = "mcp.tool()" if framework.startswith("sdk") else "mcp.tool"
    server = read(head + f"@{bare}\ndef good(a: int = 1, b: str | None = None): 'Good.'\n\n" + tool, framework)
    assert server.tools[0].facts == ()


def test_a_context_that_is_annotated_is_no_leak() -> None:
    assert rules(read(SDK1 + SERVER + "@mcp.tool()\ndef f(ctx: Context, a: int): 'F'\n", "sdk==1.30.0")) == []


def test_a_wrapper_that_says_what_it_wraps_loses_nothing() -> None:
    kept = "import functools\n" + WRAPPER.replace("    def inner", "    @functools.wraps(fn)\n    def inner")
    server = read(SDK1 + SERVER + kept + "@mcp.tool()\n@logged\ndef f(a: int): 'F'\n", "sdk==1.30.0")
    assert rules(server) == []
    assert list(server.tools[0].wire["inputSchema"]["properties"]) == ["a"]


def test_an_import_that_the_installed_version_has_not_is_told_of_the_list(tmp_path: Path) -> None:
    source = tmp_path / "server.py"
    source.write_text(SDK1 + SERVER + "@mcp.tool()\ndef f(a: int): 'F'\n", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("mcp==2.3.0\n", encoding="utf-8")
    (server,) = extract_python(str(source), Disk(), python="3.12").servers
    assert [fact.rule for fact in server.facts] == ["py-import-gone"]
    assert server.facts[0].details["instead"] == "mcp.server.mcpserver"


def test_a_server_that_something_unknown_has_in_hand_is_not_sure() -> None:
    text = FAST + "from elsewhere import register\n" + SERVER + "register(mcp)\n\n@mcp.tool\ndef f(a: int): 'F'\n"
    assert [part.index for part in read(text, "fastmcp==4.2.3").unresolved] == [None]


def test_a_condition_that_is_not_known_makes_the_list_unsure() -> None:
    text = FAST + "from elsewhere import flag\n" + SERVER + "if flag:\n    @mcp.tool\n    def f(a: int): 'F'\n"
    server = read(text, "fastmcp==4.2.3")
    assert [tool.name for tool in server.tools] == ["f"]
    assert [part.index for part in server.unresolved] == [None]
