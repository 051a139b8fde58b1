"""The published schema of the settings is the one that the reader holds to."""

from __future__ import annotations

from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.config.layers import read_layer
from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.config.schema import FILE, readme_with_table, rendered, settings_schema
from echolot_lsp.config.settings import Settings, keys


def test_the_published_schema_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == rendered(), "run python -m echolot_lsp.config.schema"


def test_the_readmes_table_is_up_to_date() -> None:
    text = (FILE.parents[2] / "README.md").read_text(encoding="utf-8")
    assert text == readme_with_table(text), "run python -m echolot_lsp.config.schema"


def test_every_setting_is_described() -> None:
    members = settings_schema()["properties"]
    assert members.keys() == keys(Settings).keys()
    assert all(member["description"].endswith(".") for member in members.values())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["note", "off", "openai", "no-description", "name-*", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["no-description", "tool", "paths", "text", "command", "rules"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*keys(Settings), "unknown"]), VALUES, max_size=3))
def test_reader_and_schema_agree(data: dict[str, Any]) -> None:
    _, faults = read_layer(data, origin="test", rules=rule_ids())
    valid = jsonschema.Draft202012Validator(settings_schema()).is_valid(data)
    assert valid == (not faults)
