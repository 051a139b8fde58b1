"""An argument that fails where the source is read is unknown; the server and the tool that it belongs to are not lost."""

from __future__ import annotations

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server, Unknown

FAILING = {
    "a variable of the environment": 'os.environ["HUT"]',
    "a file": 'open("hut.txt").read()',
    "a file by its path": 'Path("hut.txt").read_text()',
    "a number that is none": 'int("hut")',
    "an item that is missing": '{"a": 1}["b"]',
    "JSON of the environment": 'json.loads(os.environ["HUT"])["name"]',
    "a name that is not bound": "hut_name",
}
HEAD = "import json\nimport os\nfrom pathlib import Path\n\nfrom fastmcp import FastMCP\n\n"
TOOL = '\n@{server}.tool{arguments}\ndef find_hut(place: str = {default}) -> str:\n    """Finds huts."""\n'


def servers(text: str) -> tuple[Server, ...]:
    """The servers of a source that lies on no disk."""
    return extract_python("/w/server.py", Disk({"/w/server.py": HEAD + text}), framework="fastmcp==4.2.3", python="3.12").servers


@pytest.mark.parametrize("failing", FAILING.values(), ids=list(FAILING))
def test_a_server_whose_arguments_fail_is_there_with_its_tools(failing: str) -> None:
    tool = TOOL.format(server="mcp", arguments="", default="''")
    for call in (f"FastMCP({failing})", f"FastMCP(name={failing})", f'FastMCP("huts", instructions={failing})'):
        (server,) = servers(f"mcp = {call}\n{tool}")
        assert [tool.name for tool in server.tools] == ["find_hut"]


@pytest.mark.parametrize("failing", FAILING.values(), ids=list(FAILING))
def test_a_tool_whose_arguments_fail_is_there_and_the_part_is_unknown(failing: str) -> None:
    tool = TOOL.format(server="mcp", arguments=f"(description={failing}, tags={{{failing}}})", default=failing)
    (server,) = servers(f'mcp = FastMCP("huts")\n{tool}')
    (found,) = server.tools
    assert found.name == "find_hut"
    assert isinstance(found.wire["description"], Unknown)
    assert isinstance(found.wire["inputSchema"]["properties"]["place"]["default"], Unknown)


def test_a_failing_argument_that_is_caught_goes_where_it_is_caught() -> None:
    text = 'try:\n    mcp = FastMCP(os.environ["HUT"])\nexcept KeyError:\n    mcp = FastMCP("huts")\n'
    (server,) = servers(text + TOOL.format(server="mcp", arguments="", default="''"))
    assert server.name == "huts"


def test_a_failing_item_of_a_list_costs_that_item() -> None:
    text = (
        'NAMES = ["find_hut", os.environ["HUT"], "book_bed"]\nmcp = FastMCP("huts")\n\n\ndef any_hut() -> str:\n    """Any."""\n\n\n'
        "for name in NAMES:\n    mcp.tool(any_hut, name=name)\n"
    )
    (server,) = servers(text)
    assert [tool.name for tool in server.tools] == ["find_hut", None, "book_bed"]
