"""``@server.list_tools()`` exists below mcp 2 only: it tells which release is meant, where nothing else does."""

from __future__ import annotations

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Server

SOURCE = """\
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("huts")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name="find_hut", description="Finds huts.", inputSchema={"type": "array"})]
"""


def server_with(requirement: str) -> Server:
    """The server of a script with this requirement."""
    text = f'# /// script\n# dependencies = ["{requirement}"]\n# ///\n{SOURCE}' if requirement else SOURCE
    (server,) = extract_python("/w/server.py", Disk({"/w/server.py": text}), python="3.12").servers
    return server


@pytest.mark.parametrize("requirement", ["", "mcp", "mcp<2", "mcp==1.30.0"])
def test_a_list_that_mcp_1_sends_is_read_as_mcp_1_sends_it(requirement: str) -> None:
    server = server_with(requirement)
    assert server.framework_version is not None
    assert server.framework_version.startswith("1.")
    assert server.tools[0].wire["inputSchema"] == {"type": "array"}


def test_with_mcp_2_the_decorator_is_gone() -> None:
    server = server_with("mcp>=2")
    (fact,) = server.facts
    assert fact.rule == "py-import-gone"
    assert "no decorator `list_tools`" in fact.details["message"]
    assert [tool.name for tool in server.tools] == ["find_hut"]
