"""The rules' pages and the README's table say what the rules say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from echolot_lsp.config import every_rule
from echolot_lsp.render.pages import FOLDER, page, table, with_table
from echolot_lsp.rules import Rule

README = Path(__file__).parent.parent / "README.md"
REPAIR = "run UPDATE_GOLDEN=1 pytest tests/test_docs.py"


@pytest.mark.parametrize("rule", every_rule().values(), ids=every_rule())
def test_a_page_is_what_its_rule_says(rule: Rule) -> None:
    assert_current(FOLDER / f"{rule.id}.md", page(rule))


def test_there_is_no_page_without_a_rule() -> None:
    for left in FOLDER.glob("*.md"):
        if left.stem not in every_rule() and os.environ.get("UPDATE_GOLDEN"):
            left.unlink()
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted(every_rule()), REPAIR


def test_the_table_in_the_readme_is_what_the_rules_say() -> None:
    assert_current(README, with_table(README.read_text(encoding="utf-8")))
    assert table().count("\n| [") == len(every_rule())


def test_the_markers_are_added_where_there_are_none() -> None:
    assert with_table("# X\n").startswith("# X\n\n## Rules\n\n<!-- rules -->\n\n| Rule |")
    assert with_table(with_table("# X\n")) == with_table("# X\n")


def assert_current(path: Path, text: str) -> None:
    """Compare a generated file, or write it when ``UPDATE_GOLDEN`` is set."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), REPAIR
    assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: {REPAIR}"
