"""A report as Markdown: complete, and without markup of others."""

from __future__ import annotations

import re

import pytest

from echolot_lsp.render.markdown import code, headline, render_markdown, text
from tests.render.card.samples import around, hostile, report


def test_a_report_has_its_costs_its_findings_and_their_places() -> None:
    made = render_markdown(report(12))
    for part in (
        "## How a model sees harbour",
        "12 tools, 1.3 % of a 200k context at Anthropic, the dearest of the three.",
        "| Google Gemini | ≈ 1,663 | gemini\\-3\\.5\\-flash | accepted, with losses |",
        "Largest tools, in tokens: `berth_ship` 261, ",
        "**2 warnings, 1 note**",
        "`src/harbour/server.py:11`",
    ):
        assert part in made
    assert made.endswith("\n")


def test_one_tool_has_no_largest_and_none_has_no_figures() -> None:
    assert "Largest" not in render_markdown(report(1))
    assert render_markdown(report(0)) == "## How a model sees harbour\n\nIt has no tools.\n"
    assert render_markdown(around([])) == "No MCP server was found.\n"


def test_long_lists_of_findings_are_cut_with_their_number() -> None:
    made = report(2)
    made["servers"][0]["findings"] *= 150
    shown = render_markdown(made)
    assert "And 50 more." in shown
    assert shown.count("gemini\\-drops\\-keyword") + shown.count("`additionalProperties`") <= 101


def test_costs_that_are_not_in_yet_are_left_out() -> None:
    made = report(2)
    made["servers"][0] |= {"cost": {}, "context": None, "largest": []}
    shown = render_markdown(made)
    assert "2 tools." in shown
    assert "| Anthropic | not counted |" in shown


def test_hostile_texts_become_no_markup() -> None:
    made = render_markdown(hostile())
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", made)
    assert "<" not in outside.replace("\\<", "")
    assert "`<script>" in made
    assert not set("\u202e\u2066\x1b\x00\u2028") & set(made)
    assert len(made) < 40_000
    rows = [line for line in made.splitlines() if line.startswith("| 🟨")]
    assert len(rows) == 9
    assert all(len(row.replace("\\|", "").split("|")) == 7 for row in rows)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("plain", "`plain`"),
        ("a`b", "``a`b``"),
        ("`a``b`", "``` `a``b` ```"),
        ("a|b", "`a\\|b`"),
        ("", "`  `"),
        ("a\nb", "`a b`"),
    ],
)
def test_a_name_is_code_whatever_it_holds(given: str, expected: str) -> None:
    assert code(given) == expected


def test_words_of_others_are_escaped() -> None:
    assert text("[link](javascript:x) *a* <b> @me #1 a|b") == r"\[link\]\(javascript\:x\) \*a\* \<b\> \@me \#1 a\|b"


def test_the_headline_counts_the_worst_first() -> None:
    found = [{"severity": severity} for severity in ("note", "warning", "problem", "warning")]
    assert headline(found) == "1 problem, 2 warnings, 1 note"
    assert headline([]) == "Nothing a model would stumble over"
