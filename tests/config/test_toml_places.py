"""Every key of a TOML text is found where it stands."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.config.toml_places import key_places

TEXT = """\
# [tool.echolot]
title = "a # b [x]"  # [no]
[tool.echolot]
budget = 5
"context-window" = 1
severity.no-description = "note"
text = '''
[not.a.table]
'''
prompts = [
  { text = "one", expect = "a" },
  { text = "two" },  # }
]
matrix = [[1, 2], [3]]
[tool.echolot.models]
anthropic = "x"
[[tool.echolot.ignored]]
tool = "a"
[[tool.echolot.ignored]]
tool = "b"
[tool.other]
budget = 7
"""


def routes(value: Any, route: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every key of a TOML document."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [each for step, item in items for each in [(*route, step), *routes(item, (*route, step))]]


def test_every_key_of_a_document_has_a_place() -> None:
    assert set(routes(tomllib.loads(TEXT))) == set(key_places(TEXT))


def test_a_place_holds_the_key() -> None:
    for route, (start, end) in key_places(TEXT).items():
        step = route[-1]
        if isinstance(step, str):
            assert TEXT[start:end].strip("\"'") == step


def test_tables_of_a_list_are_told_apart() -> None:
    places = key_places(TEXT)
    first, second = places["tool", "echolot", "ignored", 0, "tool"], places["tool", "echolot", "ignored", 1, "tool"]
    assert TEXT[first[0] :].startswith('tool = "a"')
    assert TEXT[second[0] :].startswith('tool = "b"')


@given(st.text(alphabet="[]{}=.,\"'#\n ab\\", max_size=60))
def test_any_text_ends_and_every_place_is_in_the_text(text: str) -> None:
    assert all(0 <= start <= end <= len(text) for start, end in key_places(text).values())
