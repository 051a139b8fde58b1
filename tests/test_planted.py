"""The planted faults in Python: 19 tools as decorated functions, the four that no decorator can write as a low-level list."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.model import Default, Finding, Server
from tests.marks import Mark, assert_marks, read
from tests.rules.lists import report_of
from tests.test_check import EXPECTED, TOOLS

FOLDER = Path(__file__).parent / "planted"
PATH = "/w/server.py"


def server_in(marked: str) -> Server:
    """The one server of a marked source."""
    (server,) = extract_python(PATH, Disk({PATH: read(marked)[0]}), python="3.12").servers
    return server


def shown(server: Server) -> list[Finding]:
    """The findings that an editor shows."""
    return [finding for finding in report_of(server).findings if finding.default is Default.ON]


@pytest.mark.parametrize("name", ["decorated.py", "low.py"])
def test_each_planted_fault_is_found_once_on_its_characters(name: str) -> None:
    marked = (FOLDER / name).read_text(encoding="utf-8")
    server = server_in(marked)
    spans = [(finding.rule, finding.span) for finding in shown(server) if finding.span is not None]
    assert_marks(marked, [Mark(*server.sources[span.file].resolve(span), rule) for rule, span in spans])


def test_both_sources_together_are_the_planted_list() -> None:
    servers = [server_in((FOLDER / name).read_text(encoding="utf-8")) for name in ("decorated.py", "low.py")]
    found = {
        str(tool.name): sorted(finding.rule for finding in shown(server) if finding.index == index)
        for server in servers
        for index, tool in enumerate(server.tools)
    }
    assert found == {tool["name"]: sorted(EXPECTED[tool["name"]]) for tool in TOOLS[:23]} | {
        "filter_raw_goods": ["params-over-25", "schema-large"]  # the SDK writes a title for each of its parameters
    }
