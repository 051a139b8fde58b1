"""Fixes in Python source: the smallest edits, after which the tool has what was asked for and nothing else is changed."""

from __future__ import annotations

from typing import Any

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.extract.python.edits import edits
from echolot_lsp.files import Disk
from echolot_lsp.model import Fix, Operation, Path, Server
from echolot_lsp.schema import at

FILE = "/depot/app.py"
PARAMETER = ("inputSchema", "properties")
SDK = "from mcp.server.mcpserver import MCPServer\n\nmcp = MCPServer('depot')\n\n\n"
FASTMCP = "from fastmcp import FastMCP\n\nmcp = FastMCP('depot')\n\n\n"


def read(text: str) -> Server:
    return extract_python(FILE, Disk({FILE: text})).servers[0]


def fixed(text: str, *operations: tuple[str, Path, Any], index: int = 0) -> str:
    server = read(text)
    wanted = [Operation(kind, index, path, value) for kind, path, value in operations]  # type: ignore[arg-type]
    made = edits(server, server.tools[index], [Fix("", True, tuple(wanted))])
    for start, end, new in sorted(made.get(FILE, []), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def lines(text: str, before: str) -> list[str]:
    """The lines that a fix made or changed."""
    known = before.splitlines()
    return [line for line in text.splitlines() if line not in known]


NAMES = {
    "@mcp.tool()\ndef look(a: int): ...\n": '@mcp.tool(name="look_up")',
    '@mcp.tool(description="x")\ndef look(a: int): ...\n': '@mcp.tool(name="look_up", description="x")',
    '@mcp.tool("look.up")\ndef look(a: int): ...\n': '@mcp.tool("look_up")',
    "@mcp.tool(name='look.up')\ndef look(a: int): ...\n": "@mcp.tool(name='look_up')",
    'LOOK = "look.up"\n\n\n@mcp.tool(name=LOOK)\ndef look(a: int): ...\n': 'LOOK = "look_up"',
}


@pytest.mark.parametrize("source", NAMES)
def test_a_name_is_set_where_it_is_given_and_callers_of_the_function_are_untouched(source: str) -> None:
    text = SDK + source
    after = fixed(text, ("set", ("name",), "look_up"))
    assert lines(after, text) == [NAMES[source]]
    assert read(after).tools[0].name == "look_up"


def test_a_decorator_that_is_not_called_gets_its_name_too() -> None:
    text = FASTMCP + "@mcp.tool\nasync def look(a: int): ...\n"
    after = fixed(text, ("set", ("name",), "look_up"))
    assert lines(after, text) == ['@mcp.tool(name="look_up")']


DESCRIPTIONS = {
    "@mcp.tool()\ndef look(a: int):\n    return a\n": ['    """Looks."""'],
    "@mcp.tool()\ndef look(a: int): return a\n": ["def look(a: int):", '    """Looks."""', "    return a"],
    '@mcp.tool()\ndef look(a: int):\n    ""\n    return a\n': ['    "Looks."'],
    '@mcp.tool()\ndef look(a: int):\n\t"""  """\n\treturn a\n': ['\t"""Looks."""'],
    '@mcp.tool()\ndef look(a: int):\n    f"""Looks {1}"""\n    return a\n': ['    """Looks."""'],
    "@mcp.tool()\nasync def look(\n    a: int,  # 岸壁 🚢\n) -> int:\n    # first\n    return a\n": ['    """Looks."""'],
}


@pytest.mark.parametrize("source", DESCRIPTIONS)
def test_a_docstring_is_written_in_the_functions_own_indentation(source: str) -> None:
    text = SDK + source
    after = fixed(text, ("set", ("description",), "Looks."))
    assert lines(after, text) == DESCRIPTIONS[source]
    assert read(after).tools[0].wire["description"] == "Looks."


PARAMETERS = {
    "a: int": 'a: Annotated[int, Field(description="A \\"number\\".")]',
    "a: int = 3": 'a: Annotated[int, Field(description="A \\"number\\".")] = 3',
    "a": 'a: Annotated[str, Field(description="A \\"number\\".")]',
    "a=3": 'a: Annotated[str, Field(description="A \\"number\\".")] = 3',
    "a: int = Field(3)": 'a: int = Field(3, description="A \\"number\\".")',
    "a: Annotated[int, Field(ge=1)]": 'a: Annotated[int, Field(ge=1, description="A \\"number\\".")]',
    "a: Annotated[int, Field()]": 'a: Annotated[int, Field(description="A \\"number\\".")]',
    'a: Annotated[int, Field(description="old")]': 'a: Annotated[int, Field(description="A \\"number\\".")]',
    'a: Annotated[int, "plain"]': 'a: Annotated[int, Field(description="A \\"number\\".")]',
    "a: list[dict[str, int]] | None = None": 'a: Annotated[list[dict[str, int]] | None, Field(description="A \\"number\\".")] = None',
}


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_a_description_goes_into_the_parameters_annotation(parameter: str) -> None:
    imports = "from typing import Annotated\nfrom pydantic import Field\n"
    text = f"{imports}{SDK}@mcp.tool()\ndef look({parameter}, 日本: str = '📦'):\n    '''Looks.'''\n"
    after = fixed(text, ("set", (*PARAMETER, "a", "description"), 'A "number".'))
    assert lines(after, text) == [f"def look({PARAMETERS[parameter]}, 日本: str = '📦'):"]
    assert at(read(after).tools[0].wire, (*PARAMETER, "a", "description")) == 'A "number".'


QUOTED = {
    "'int'": """'Annotated[int, Field(description="In kg.")]'""",
    '"list[int]"': """"Annotated[list[int], Field(description='In kg.')]\"""",
}


@pytest.mark.parametrize("quoted", QUOTED)
def test_an_annotation_in_quotes_is_described_inside_them(quoted: str) -> None:
    text = SDK + f"@mcp.tool()\ndef look(a: {quoted}):\n    'Looks.'\n"
    after = fixed(text, ("set", (*PARAMETER, "a", "description"), "In kg."))
    assert f"def look(a: {QUOTED[quoted]}):" in after
    assert at(read(after).tools[0].wire, (*PARAMETER, "a", "description")) == "In kg."


def test_an_annotation_in_quotes_is_left_alone_where_the_text_has_some_too() -> None:
    text = SDK + "@mcp.tool()\ndef look(a: 'int'):\n    '''Looks.'''\n"
    assert fixed(text, ("set", (*PARAMETER, "a", "description"), "It's one.")) == text


def test_a_field_of_a_model_is_described_in_the_model() -> None:
    model = "from pydantic import BaseModel\n\n\nclass Parcel(BaseModel):\n    weight: float = 1.0\n\n\n"
    text = model + SDK + "@mcp.tool()\ndef look(a: Parcel):\n    '''Looks.'''\n"
    after = fixed(text, ("set", ("inputSchema", "$defs", "Parcel", "properties", "weight", "description"), "In kg."))
    assert '    weight: Annotated[float, Field(description="In kg.")] = 1.0' in after
    assert "from pydantic import BaseModel, Field\n" in after


IMPORTS = {
    "": "from typing import Annotated\nfrom pydantic import Field\n",
    "from typing import Annotated, Any\nfrom pydantic import Field\n": "",
    "from typing import (\n    Annotated,\n    Any,\n)\nfrom pydantic import Field\n": "",
    "from typing_extensions import Annotated\n": "from pydantic import Field\n",
    "from typing import Any  # names\n": "",
}


@pytest.mark.parametrize("imports", IMPORTS)
def test_what_an_edit_needs_is_imported_once(imports: str) -> None:
    text = f"'''A depot.'''\nfrom __future__ import annotations\n{imports}{SDK}@mcp.tool()\ndef look(a: int):\n    '''Looks.'''\n"
    after = fixed(text, ("set", (*PARAMETER, "a", "description"), "x"))
    assert after.count("import Field") + after.count(", Field") - after.count(", Field(") == 1
    assert after.index("__future__") < after.index("Field")
    assert IMPORTS[imports] in after
    assert at(read(after).tools[0].wire, (*PARAMETER, "a", "description")) == "x"


def test_an_annotation_placeholder_is_a_string() -> None:
    text = FASTMCP + "@mcp.tool\ndef look(a, b=3):\n    '''Looks.'''\n"
    after = fixed(text, ("set", (*PARAMETER, "a", "type"), "string"), ("set", (*PARAMETER, "b", "type"), "string"))
    assert "def look(a: str, b: str = 3):" in after


LOW = """from mcp.server.lowlevel import Server
import mcp.types as types

server = Server("depot")


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [
        types.Tool(name="look", inputSchema={"type": "object"}),
        types.Tool(
            name="find",
            inputSchema={
                "type": "object",
                "properties": {"a": {}},  # 小包 📦
                "required": ["a", "b"],
            },
        ),
    ]
"""


def test_a_schema_that_is_written_out_gets_members_and_loses_items() -> None:
    after = fixed(LOW, ("set", PARAMETER, {}))
    assert 'types.Tool(name="look", inputSchema={"type": "object", "properties": {}}),' in after
    after = fixed(LOW, ("remove", ("inputSchema", "required", 1), None), ("set", (*PARAMETER, "a", "type"), "string"), index=1)
    assert '                "properties": {"a": {"type": "string"}},  # 小包 📦' in after
    assert '                "required": ["a"],' in after


def test_a_literal_tool_gets_its_description_behind_its_name() -> None:
    after = fixed(LOW, ("set", ("description",), "Looks."))
    assert 'types.Tool(name="look", description="Looks.", inputSchema={"type": "object"}),' in after


def test_windows_line_ends_stay() -> None:
    text = (SDK + "@mcp.tool()\ndef look(a: int):\n    return a\n").replace("\n", "\r\n")
    after = fixed(text, ("set", ("description",), "Looks."), ("set", (*PARAMETER, "a", "description"), "x"))
    assert after.replace("\r\n", "").count("\n") == 0
    assert read(after).tools[0].wire["description"] == "Looks."


def test_a_broken_function_elsewhere_keeps_nobody_from_mending_this_one() -> None:
    text = SDK + "@mcp.tool()\ndef look(a: int):\n    return a\n\n\n@mcp.tool()\ndef half(\n"
    assert '"""Looks."""' in fixed(text, ("set", ("description",), "Looks."))


def test_a_tool_in_a_factory_is_mended_in_its_own_indentation() -> None:
    text = SDK + "def register(server):\n    @server.tool()\n    def look(a: int):\n        return a\n\n\nregister(mcp)\n"
    after = fixed(text, ("set", ("description",), "Looks."))
    assert '    def look(a: int):\n        """Looks."""\n        return a\n' in after
