"""The text of a value: what Python would write, or unresolved; never how a value looks inside the reader."""

from __future__ import annotations

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server, Unknown

HEAD = (
    "import elsewhere\nfrom enum import Enum\nfrom fastmcp import FastMCP\n\n"
    "mcp = FastMCP('harbour')\nthing = elsewhere.thing\n\n"
    "class Quay:\n    pass\n\n\nclass Tide(Enum):\n    LOW = 'low'\n    HIGH = 'high'\n\n\nquay = Quay()\n\n\ndef berth(): ...\n"
)


def described(expression: str) -> Server:
    """The server of a tool whose description is an expression."""
    text = f"{HEAD}\n@mcp.tool(description={expression})\ndef moor() -> None: ...\n"
    return extract_python("/w/server.py", Disk({"/w/server.py": text}), framework="fastmcp==4.2.3", python="3.12").servers[0]


@pytest.mark.parametrize(
    "expression",
    [
        'f"{[thing]}"',
        'f"{[quay]}"',
        'f"{(1, quay)}"',
        "str([thing])",
        "str({'a': [quay]})",
        "repr([quay])",
        "'%s' % [thing]",
        "'{}'.format([berth])",
        "format([quay])",
        'f"{mcp}"',
        'f"{[mcp]}"',
        'f"{[item for item in thing]}"',
        "f\"{ {'ebb', 'flood'} }\"",
        "'in ' + str((thing,))",
    ],
)
def test_the_text_of_what_is_only_a_symbol_is_unresolved(expression: str) -> None:
    server = described(expression)
    assert isinstance(server.tools[0].wire["description"], Unknown)
    assert [part.path for part in server.unresolved] == [("description",)]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("f\"{['a', 1, None]}\"", "['a', 1, None]"),
        ("str({'a': (1.5,)})", "{'a': (1.5,)}"),
        ("repr(['it'])", "['it']"),
        ('f"{ {7} }"', "{7}"),
        ("Tide['HIGH'].value", "high"),
        ("f\"{Tide['LOW'].name}\"", "LOW"),
    ],
)
def test_the_text_of_plain_values_is_what_python_writes(expression: str, text: str) -> None:
    server = described(expression)
    assert server.tools[0].wire["description"] == text
    assert server.unresolved == ()


@pytest.mark.parametrize(
    "expression", ["range(quay)", "len(3)", "sorted([1, 'a'])", "int('x')", "max([])", "chr('a')", "int(elsewhere.F())"]
)
def test_a_built_in_that_refuses_its_arguments_costs_only_its_statement(expression: str) -> None:
    text = f"{HEAD}\ndef main():\n    level = {expression}\n    mcp.run()\n\n@mcp.tool\ndef moor() -> None:\n    'Moor.'\n\nX = {expression}\n"
    found = extract_python("/w/server.py", Disk({"/w/server.py": text}), framework="fastmcp==4.2.3", python="3.12")
    assert [(tool.name, tool.wire["description"]) for tool in found.servers[0].tools] == [("moor", "Moor.")]
    assert found.servers[0].unresolved == ()


def test_hints_that_are_validated_from_a_dict_are_those_of_the_dict() -> None:
    text = (
        "from mcp.server.mcpserver import MCPServer\nfrom mcp.types import ToolAnnotations\nimport elsewhere\n\nmcp = MCPServer('harbour')\n"
        "hints = {'readOnlyHint': True}\nhints['idempotentHint'] = False\n\n"
        "@mcp.tool(annotations=ToolAnnotations.model_validate(hints))\ndef moor() -> None:\n    'Moor.'\n\n"
        "@mcp.tool(annotations=ToolAnnotations.model_validate(elsewhere.hints))\ndef sail() -> None:\n    'Sail.'\n"
    )
    found = extract_python("/w/server.py", Disk({"/w/server.py": text}), framework="sdk==2.3.0", python="3.12").servers[0]
    assert found.tools[0].wire["annotations"] == {"readOnlyHint": True, "idempotentHint": False}
    assert [(part.index, part.path) for part in found.unresolved] == [(1, ("annotations",))]
