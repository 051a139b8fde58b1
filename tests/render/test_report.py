"""What is drawn of a report, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from echolot_lsp.model import Report
from echolot_lsp.render.cells import cells
from echolot_lsp.render.overview import lines_of, overview
from echolot_lsp.render.report_json import report_json
from echolot_lsp.render.terminal import report_text
from echolot_lsp.render.words import headline, largest, share, window
from tests.golden import assert_golden
from tests.render.reports import as_text, cost, report, server

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = json.loads(files("echolot_lsp.render").joinpath("report.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("columns", [44, 100])
def test_the_report_on_a_terminal(columns: int) -> None:
    assert_golden(GOLDEN / f"terminal.{columns}.txt", report_text([report()], width=columns, colour=False) + "\n")


def test_the_report_in_colour() -> None:
    assert_golden(GOLDEN / "terminal.colour.txt", report_text([report()], width=80, colour=True) + "\n")


def test_the_report_as_json() -> None:
    drawn = report_json([report()])
    jsonschema.validate(drawn, SCHEMA)
    assert_golden(GOLDEN / "report.json", as_text(drawn))


def test_the_short_texts() -> None:
    assert_golden(GOLDEN / "overview.txt", overview([server()]) + "\n")
    assert_golden(GOLDEN / "lines.txt", lines_of([report()]) + "\n")


@pytest.mark.parametrize("columns", range(40, 121, 9))
def test_prose_keeps_to_the_width(columns: int) -> None:
    lines = report_text([report(), report()], width=columns, colour=False).split("\n")
    assert [line for line in lines if cells(line) > columns] == []


def test_a_list_without_tools_has_no_table() -> None:
    empty = Report(replace(server(), tools=()), (), costs={"openai": cost("openai", "gpt-1", 0)})
    assert report_text([empty], width=80, colour=False).split("\n")[1:] == [
        "  No tools.",
        "",
        "Nothing a model would stumble over.",
    ]
    assert report_json([empty])["servers"][0]["largest"] == []


def test_one_tool_is_not_compared_with_itself() -> None:
    one = Report(replace(server(), tools=server().tools[:1]), (), costs={"openai": cost("openai", "gpt-1", 0, 20)})
    assert "Largest" not in report_text([one], width=80, colour=False)
    assert report_json([one])["servers"][0]["largest"] == []


def test_several_servers_are_summed_up() -> None:
    assert report_text([report(), report()], width=80, colour=False).split("\n")[-1] == "2 servers: 4 problems, 2 warnings, 4 notes"


def test_words() -> None:
    assert headline([report()]) == "2 problems, 1 warning, 2 notes"
    assert headline([]) == "Nothing a model would stumble over"
    assert (share(2469, 200_000), share(10, 200_000), share(0, 1000)) == ("1.2 %", "0.01 %", "0.00 %")
    assert (window(200_000), window(1_047_576)) == ("200k", "1,047,576")
    assert largest(cost("openai", "m", 0, 3, 9, 9, 1, 2, 4)) == [(1, 9), (2, 9), (5, 4), (0, 3), (4, 2)]
