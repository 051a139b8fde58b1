"""Fixes as edits of Python text: what is asked for is there when the text is read again, and nothing else has changed."""

from __future__ import annotations

from typing import Any

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.extract.python.edits import edits
from echolot_lsp.files import Disk
from echolot_lsp.model import Fix, Operation, Path, Server

HEAD = 'import os\nfrom fastmcp import FastMCP\n\nmcp = FastMCP("s")\n'
PATH = "/w/server.py"


def read(text: str) -> Server:
    """The server of a text."""
    return extract_python(PATH, Disk({PATH: text}), framework="fastmcp==4.2.3", python="3.12").servers[0]


def mended(text: str, path: Path, value: str) -> str:
    """``text`` with the first tool's part set."""
    server = read(text)
    changes = edits(server, server.tools[0], [Fix("", True, (Operation("set", 0, path, value),))])
    for start, end, new in sorted(changes.get(PATH, ()), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def part(server: Server, path: Path) -> Any:
    """A part of the first tool."""
    found: Any = server.tools[0].wire
    for step in path:
        found = found[step]
    return found


LIMIT: Path = ("inputSchema", "properties", "limit", "description")
VALUE = 'How "many" 日本 🧪'


@pytest.mark.parametrize(
    "parameter",
    [
        "limit: int",
        "limit: int = 3",
        "limit",
        "limit: Annotated[int, Field(ge=1)]",
        "limit: Annotated[int, 'Other']",
        "limit: int = Field(3)",
        "limit: int = Field(3, ge=1, description='Before')",
        "limit: str = Field('a)')",
        "limit: Optional[dict[str, int]] = None",
    ],
)
def test_a_parameter_gets_its_description(parameter: str) -> None:
    text = (
        HEAD + f"from typing import Annotated, Optional\nfrom pydantic import Field\n\n@mcp.tool\ndef find({parameter}):\n    'F'\n"
    )
    assert part(read(mended(text, LIMIT, VALUE)), LIMIT) == VALUE


def test_the_imports_that_are_missing_are_added() -> None:
    after = mended(HEAD + "\n@mcp.tool\ndef find(limit: int):\n    'F'\n", LIMIT, VALUE)
    assert "from typing import Annotated\nfrom pydantic import Field\n" in after
    assert part(read(after), LIMIT) == VALUE


@pytest.mark.parametrize(
    "function",
    [
        "@mcp.tool\ndef find(limit: int):\n    return 1\n",
        "@mcp.tool()\nasync def find(\n    limit: int,\n) -> int:\n    # why\n    return 1\n",
        '@mcp.tool\ndef find(limit: int):\n    """Before."""\n    return 1\n',
        "@mcp.tool(description='Before')\ndef find(limit: int):\n    return 1\n",
        "@mcp.tool\ndef find(limit: int): return 1\n",
        "@mcp.tool\ndef find(limit: int = {1: 2}[1]) -> dict[str, int]:\n\treturn {}\n",
    ],
)
def test_a_tool_gets_its_description(function: str) -> None:
    after = mended(HEAD + "\n" + function, ("description",), "Finds it.")
    assert part(read(after), ("description",)) == "Finds it."
    assert "Before" not in after


@pytest.mark.parametrize(
    "decorator", ["@mcp.tool", "@mcp.tool()", "@mcp.tool(name='a b')", "@mcp.tool('a b')", "@mcp.tool(tags={'x'},)"]
)
def test_a_tool_gets_its_name(decorator: str) -> None:
    after = mended(HEAD + f"\n{decorator}\ndef find(limit: int):\n    'F'\n", ("name",), "a_b")
    assert part(read(after), ("name",)) == "a_b"
    assert "def find(limit: int)" in after


def test_a_parameter_without_a_type_gets_one() -> None:
    after = mended(HEAD + "\n@mcp.tool\ndef find(limit=3):\n    'F'\n", (*LIMIT[:3], "type"), "string")
    assert "def find(limit: str = 3)" in after


@pytest.mark.parametrize("schema", ["{}", "{'type': 'object'}", "{\n        'type': 'object',\n    }"])
def test_a_dict_literal_gets_a_member(schema: str) -> None:
    text = f"from mcp.types import Tool\nfrom mcp.server import Server\n\ns = Server('s')\n\n@s.list_tools()\nasync def listed():\n    return [Tool(name='a', inputSchema={schema})]\n"
    server = extract_python(PATH, Disk({PATH: text}), framework="low==1.30.0").servers[0]
    changes = edits(server, server.tools[0], [Fix("", True, (Operation("set", 0, ("inputSchema", "properties"), {}),))])
    for start, end, new in changes[PATH]:
        text = text[:start] + new + text[end:]
    again = extract_python(PATH, Disk({PATH: text}), framework="low==1.30.0").servers[0]
    assert again.tools[0].wire["inputSchema"]["properties"] == {}


def test_what_python_cannot_say_there_gives_no_edit() -> None:
    text = HEAD + "\n@mcp.tool\ndef find(limit: int):\n    'F'\n"
    assert mended(text, ("inputSchema", "properties", "limit", "anyOf"), "x") == text


HALF = "def find(limit: int, notes: 'list[str]'):\n    'F'\n"


def test_a_safe_fix_that_cannot_be_made_whole_is_not_made_and_of_another_what_can_be() -> None:
    text = HEAD + "\n@mcp.tool\n" + HALF
    server = read(text)
    both = tuple(Operation("set", 0, (*LIMIT[:2], name, "description"), 'Up to 5\\" of it') for name in ("limit", "notes"))
    assert edits(server, server.tools[0], [Fix("", True, both)]) == {}
    assert edits(server, server.tools[0], [Fix("", False, both)]) == edits(server, server.tools[0], [Fix("", True, both[:1])]) != {}


TAKEN = ["from dataclasses import field as Field\n", "class Field: ...\n", "from attr import Field\n", "Field = dict\n"]


@pytest.mark.parametrize("taken", TAKEN)
def test_a_name_that_means_something_else_is_not_written(taken: str) -> None:
    text = HEAD + taken + "\n@mcp.tool\ndef find(limit: int):\n    'F'\n"
    assert mended(text, LIMIT, VALUE) == text


def test_an_import_comes_before_the_functions_that_need_it() -> None:
    prompt = 'TEXT = """\nfrom here import there\nimport nothing\n"""\n'
    late = "\n\nfrom app import more  # at the end, for it needs the server\n"
    text = HEAD + prompt + "\n@mcp.tool\ndef find(limit: int):\n    'F'\n" + late
    after = mended(text, LIMIT, VALUE)
    assert after.startswith(HEAD.split("\n\n")[0] + "\nfrom typing import Annotated\nfrom pydantic import Field\n")
    assert prompt in after
    assert after.endswith(late)


def test_a_parameter_of_a_lambda_has_no_place_for_an_annotation() -> None:
    text = HEAD + "mcp.tool(lambda limit: limit, name='find')\n"
    assert mended(text, LIMIT, VALUE) == text
    assert mended(text, (*LIMIT[:3], "type"), "string") == text


@pytest.mark.parametrize("given", ['name="a" * 90', '"a." + "b"', "**NAMES"])
def test_a_name_that_is_computed_is_not_given_twice(given: str) -> None:
    text = HEAD + f"NAMES = {{'name': 'a'.strip()}}\n\n@mcp.tool({given})\ndef find(limit: int):\n    'F'\n"
    assert mended(text, ("name",), "found") == text
