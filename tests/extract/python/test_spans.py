"""Every place of a tool: its text is what it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server, Span, Tool

FORMS = Path(__file__).parents[2] / "forms"


def text_of(server: Server, span: Span) -> str:
    """The characters of a span."""
    source = server.sources[span.file]
    start, end = source.resolve(span)
    assert 0 <= start <= end <= len(source.text)
    return source.text[start:end]


def read(text: str, framework: str = "fastmcp==4.2.3", path: str = "/w/server.py", **siblings: str) -> Server:
    """The server of a source that lies on no disk."""
    files = {path: text, **{f"/w/{name}.py": content for name, content in siblings.items()}}
    return extract_python(path, Disk(files), framework=framework, python="3.12").servers[0]


def shown(server: Server, tool: Tool, *path: str | int) -> tuple[str | None, str | None]:
    """The texts under the key and the value of a place."""
    place = tool.places[path]
    return (
        None if place.key is None else text_of(server, place.key),
        None if place.value is None else text_of(server, place.value),
    )


HEAD = 'from typing import Annotated\nfrom pydantic import BaseModel, Field\nfrom fastmcp import FastMCP\n\nmcp = FastMCP("s")\n'


@pytest.mark.parametrize("source", sorted(FORMS.glob("*/*/server.py")), ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_every_place_of_the_forms_lies_in_its_text(source: Path) -> None:
    for server in extract_python(str(source), Disk(), python="3.12").servers:
        for tool in server.tools:
            assert tool.home is not None
            for path, place in tool.places.items():
                for span in (place.key, place.value):
                    if span is not None:
                        text = text_of(server, span)
                        assert text
                        assert text == text.strip()
                if len(path) > 2 and path[-2] == "properties" and place.key is not None and isinstance(path[-1], str):
                    assert text_of(server, place.key).strip("\"'").isidentifier() or "-" in path[-1]


def test_a_name_is_the_def_or_the_literal() -> None:
    server = read(HEAD + '@mcp.tool\ndef find(q: str): "Find."\n\n@mcp.tool(name="get", description="Get it.")\ndef other(): ...\n')
    find, other = server.tools
    assert shown(server, find, "name") == (None, "find")
    assert shown(server, find, "description") == (None, '"Find."')
    assert shown(server, other, "name") == ("name", '"get"')
    assert shown(server, other, "description") == ("description", '"Get it."')


def test_a_parameter_is_its_name_and_its_description_the_literal() -> None:
    server = read(
        HEAD
        + '@mcp.tool\ndef find(q: Annotated[str, Field(description="Words")], limit: int = Field(3, description="日本")): "F"\n'
    )
    (tool,) = server.tools
    assert shown(server, tool, "inputSchema", "properties", "q")[0] == "q"
    assert shown(server, tool, "inputSchema", "properties", "q", "description")[1] == '"Words"'
    assert shown(server, tool, "inputSchema", "properties", "limit", "description")[1] == '"日本"'


def test_a_string_in_annotated_is_the_description() -> None:
    server = read(HEAD + '@mcp.tool\ndef find(q: Annotated[str, "Words 🧪"]): "F"\n')
    assert shown(server, server.tools[0], "inputSchema", "properties", "q", "description") == (None, '"Words 🧪"')


def test_an_args_line_is_the_text_of_that_line() -> None:
    doc = '"""検索 🧪 Find.\n\n    Args:\n        q: The words\n            to look for.\n        limit (int): How many.\n    """'
    server = read(HEAD + f"@mcp.tool\ndef find(q: str, limit: int = 3):\n    {doc}\n")
    (tool,) = server.tools
    assert shown(server, tool, "inputSchema", "properties", "limit", "description")[1] == "How many."
    text = shown(server, tool, "inputSchema", "properties", "q", "description")[1]
    assert text is not None
    assert text.split() == ["The", "words", "to", "look", "for."]


def test_a_parameter_inherited_from_a_model_points_into_the_model() -> None:
    models = 'class Base(BaseModel):\n    id: int = Field(description="Number")\n\n\nclass Item(Base):\n    name: str = "x"\n'
    server = read(HEAD + models + '\n@mcp.tool\ndef put(item: Item): "P"\n')
    (tool,) = server.tools
    prefix = ("inputSchema", "properties", "item", "properties")
    assert shown(server, tool, *prefix, "id")[0] == "id"
    assert shown(server, tool, *prefix, "id", "description")[1] == '"Number"'
    assert shown(server, tool, *prefix, "name", "default")[1] == '"x"'


def test_a_constant_is_the_constant_also_in_another_file() -> None:
    server = read(
        'from fastmcp import FastMCP\nfrom texts import ABOUT\n\nmcp = FastMCP("s")\n\n@mcp.tool(description=ABOUT)\ndef f(): ...\n',
        texts='# 日本\nABOUT = "About it."\n',
    )
    (tool,) = server.tools
    span = tool.places[("description",)].value
    assert span is not None
    assert span.file == "/w/texts.py"
    assert text_of(server, span) == '"About it."'


def test_a_literal_list_points_at_every_member() -> None:
    text = (
        "import mcp.types as types\nfrom mcp.server import Server\n\nserver = Server('s')\n\n\ndef string(text):\n"
        "    return {'type': 'string', 'description': text}\n\n\n@server.list_tools()\nasync def listed():\n"
        "    return [types.Tool(name='a', description='A', inputSchema={'type': 'object', 'properties': {'q': string('Words')}, 'required': ['q']})]\n"
    )
    server = read(text, "low==1.30.0")
    (tool,) = server.tools
    assert shown(server, tool, "name") == ("name", "'a'")
    assert shown(server, tool, "inputSchema", "properties", "q")[0] == "'q'"
    assert shown(server, tool, "inputSchema", "properties", "q", "description") == ("'description'", "'Words'")
    assert shown(server, tool, "inputSchema", "required", 0) == (None, "'q'")


def test_windows_line_ends_and_a_wide_character_before_do_not_shift_a_place() -> None:
    text = (
        HEAD + '# 🧪 前\n@mcp.tool\ndef find(q: str, limit: int = 3):\n    """Find.\n\n    Args:\n        q: 語 Words\n    """\n'
    ).replace("\n", "\r\n")
    server = read(text)
    assert shown(server, server.tools[0], "inputSchema", "properties", "q", "description")[1] == "語 Words"
    assert shown(server, server.tools[0], "inputSchema", "properties", "limit", "default")[1] == "3"
