"""The law of fixes in Python sources: every fix leaves a file that parses, with its comments and line ends; a safe one mends its
finding, brings no other and changes the list as it says."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable

import pytest

from echolot_lsp.check import check
from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.fixes import applied, edits
from echolot_lsp.model import Server
from echolot_lsp.operations import performed
from tests.rules.lists import raise_it
from tests.test_fixes import kinds

FILE = "/depot/app.py"
SDK = '''from mcp.server.fastmcp import FastMCP  # 岸壁の道具

mcp = FastMCP("depot")  # 🚢


@mcp.tool()
async def moor_ship(ship: str, berth: int = 3) -> str:  # where
    """Moors a ship at a berth and returns the time.

    Args:
        ship: Name of the ship, such as "Møwe" 🚢.
        berth: 岸壁の番号 (1 to 12).
    """
    return f"{ship} at {berth}"  # done


@mcp.tool(
    name="cast off",  # as the crew says
)
def cast_off(
    ship: str,  # its name
    lines: "list[str]",
    after=5,
):
    # no text yet
    return ship
'''
FASTMCP = """from typing import Annotated

from fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("depot")
LONG = "weigh" * 20


class Parcel(BaseModel):
    number: str  # 番号
    weight: float = Field(gt=0)  # kilograms


@mcp.tool
def weigh(parcel: Parcel, scale, unit: Annotated[str, "kg or lb"] = "kg"): return parcel.weight  # 重さ


@mcp.tool(name=LONG + "!")
def weigh_again(parcel: Parcel) -> float:
    ""
    return parcel.weight


mcp.tool(lambda number: number, name="number")
"""
LOW = """from mcp.server.lowlevel import Server
from mcp import types

server = Server("depot")


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [
        types.Tool(name="open.gate", inputSchema={"type": "object"}),  # 門
        types.Tool(
            name="close_gate",
            inputSchema={
                "type": "object",
                "properties": {"gate": {"type": "string"}},  # 🚪
                "required": ["gate", "until"],
            },
        ),
    ]
"""
SOURCES = {"sdk": SDK, "fastmcp": FASTMCP, "low-level": LOW}
WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "with Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "with tabs": lambda text: re.sub(r"(?m)^( {4})+", lambda found: "\t" * (len(found[0]) // 4), text),
    "without a last line end": lambda text: text.rstrip(),
}


def read(text: str) -> Server:
    return extract_python(FILE, Disk({FILE: text})).servers[0]


def comments(text: str) -> list[str]:
    return [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT]


def line_ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n|\n|\r", text))


def mended(text: str) -> tuple[set[str], set[str]]:
    """Tries every fix of a source by itself. The rules that had safe ones, and those that had others."""
    server = read(text)
    before = check(server, on_error=raise_it).findings
    tried: dict[bool, set[str]] = {True: set(), False: set()}
    for finding in before:
        made = edits(server, [finding])
        if finding.fix is None or not made:
            continue
        tried[finding.fix.safe].add(finding.rule)
        fresh = applied(text, made[FILE])
        ast.parse(fresh)
        assert comments(fresh) == comments(text)
        assert line_ends(fresh) <= line_ends(text)
        after = read(fresh)
        had, left = kinds(list(before)), kinds(list(check(after, on_error=raise_it).findings))
        assert left[finding.rule, finding.index] < had[finding.rule, finding.index]
        if finding.fix.safe:
            assert left <= had
            wanted = [dict(tool.wire) for tool in server.tools]
            assert finding.index is not None
            wanted[finding.index] = dict(performed(wanted[finding.index], finding.fix.operations))
            assert [dict(tool.wire) for tool in after.tools] == wanted
    return tried[True], tried[False]


@pytest.mark.parametrize("written", WRITTEN.values(), ids=list(WRITTEN))
@pytest.mark.parametrize("source", SOURCES)
def test_every_fix_of_a_source_keeps_the_law(source: str, written: Callable[[str], str]) -> None:
    safe, other = mended(written(SOURCES[source]))
    assert (safe, other) == {
        "sdk": ({"param-no-description"}, {"name-not-accepted", "no-description", "param-no-description"}),
        "fastmcp": (set(), {"no-description", "param-no-description", "param-no-type"}),
        "low-level": (
            {"required-undefined", "schema-no-properties"},
            {"name-not-accepted", "no-description", "param-no-description"},
        ),
    }[source]
