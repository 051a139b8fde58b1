"""The table of keywords gives the same answer as the 2020-12 meta-schema itself."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from echolot_lsp.anatomy import Anatomy
from echolot_lsp.metaschema import KEYWORDS, faults

META = Draft202012Validator(Draft202012Validator.META_SCHEMA)
SIMPLE = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.sampled_from([1.0, 1.5, "", "a", "#a", "a#", "string", "object", "int"])
)
VALUES = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(sorted(KEYWORDS)), st.sampled_from(["a", "x-b", "nullable"])), inner, max_size=4),
    ),
    max_leaves=12,
)
SCHEMAS = st.dictionaries(st.sampled_from([*sorted(KEYWORDS), "a", "additionalItems"]), VALUES, max_size=5)


@settings(max_examples=200)
@given(SCHEMAS)
def test_the_same_schemas_are_valid(schema: dict[str, Any]) -> None:
    places = {("inputSchema", *error.absolute_path) for error in META.iter_errors(schema)}
    found = {fault.path for fault in faults(Anatomy({"inputSchema": schema}))}
    assert bool(found) == bool(places)
    assert found <= places
