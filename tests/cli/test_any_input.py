"""Whatever a file holds, the command line ends with a report or a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.commands import run
from tests.cli.test_check import SCHEMA
from tests.schemas import any_json, broken_schemas, tool_lists

PYTHON = st.lists(
    st.sampled_from(
        [
            "from fastmcp import FastMCP\n",
            'mcp = FastMCP("a")\n',
            "@mcp.tool\n",
            "@mcp.tool(name='b c', ",
            "def find(a: int = 1, *b, c: 'X' = None) -> str:\n",
            '    """Find ⛺.\n',
            '    """\n',
            "    return a\n",
            "class X(BaseModel):\n    y: list[X]\n",
            "# echolot: ignore[no-description, x]\n",
            "# echolot: ignore\n",
            ")\n",
            "\r",
            "\x0c",
            "type Y[T] = list[T]\n",
            "for i in range(3):\n",
        ]
    ),
    max_size=14,
).map("".join)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ends_well(name: str) -> None:
    """The JSON report of a file is one, or there is a sentence, and never a traceback."""
    result = run("mcp", "check", "--format", "json", name)
    assert result.code in (0, 2)
    assert (result.code == 2) <= bool(result.err)
    assert "Traceback" not in result.err
    jsonschema.validate(result.json, SCHEMA)
    assert run("mcp", "check", "--quality", name).code == result.code


@given(value=tool_lists(broken_schemas()) | any_json().map(lambda value: [value]))
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_any_json(folder: Path, value: Any) -> None:
    (folder / "a.json").write_text(json.dumps({"tools": value}), encoding="utf-8")
    ends_well("a.json")


@given(content=st.binary(max_size=60) | st.text('{}[]",:\\ntools name"', max_size=60).map(str.encode))
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_any_bytes(folder: Path, content: bytes) -> None:
    (folder / "a.json").write_bytes(content)
    (folder / "a.py").write_bytes(content)
    ends_well("a.json")
    ends_well("a.py")


@given(text=PYTHON)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_any_python(folder: Path, text: str) -> None:
    (folder / "a.py").write_text("import mcp\n" + text, encoding="utf-8", newline="")
    ends_well("a.py")
