"""Layers of settings lie over one another, and each value remembers where it comes from."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.config import from_mapping, merge
from echolot_lsp.config.layers import Layer, read_layer
from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.config.settings import Settings
from echolot_lsp.model import Severity


def layer(origin: str, **said: Any) -> Layer:
    """A layer without faults."""
    found, faults = read_layer(said, origin=origin, rules=rule_ids())
    assert faults == ()
    return found


def test_without_layers_the_defaults_are_in_force() -> None:
    assert merge() == Settings()


def test_lists_are_replaced_and_tables_are_merged() -> None:
    below = layer("file", ignore=["no-description"], severity={"no-description": "note", "param-no-type": "note"})
    above = layer("editor", ignore=["uses-ref"], severity={"param-no-type": "warning"})
    merged = merge(below, above)
    assert merged.ignore == ("uses-ref",)
    assert merged.severity == {"no-description": Severity.NOTE, "param-no-type": Severity.WARNING}
    assert merged.origins["ignore"] == "editor"
    assert merged.origins["severity.no-description"] == "file"
    assert merged.origins["severity.param-no-type"] == "editor"


def test_an_editors_settings_are_in_camel_case() -> None:
    found, faults = from_mapping(
        {"contextWindow": 1000, "serverName": "depot", "trial": {"model": "openai/gpt"}, "server": {"command": []}, "python": None}
    )
    assert faults == ()
    merged = merge(found)
    assert (merged.context_window, merged.server_name, merged.trial_model, merged.python) == (1000, "depot", "openai/gpt", None)


def test_an_editors_wrong_key_is_a_fault_with_the_near_miss() -> None:
    found, (fault,) = from_mapping({"contextWindw": 1000, "budget": 5})
    assert merge(found).budget == 5
    assert fault.route == ("contextWindw",)
    assert "'context-window'" in fault.message


LAYERS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "budget": st.integers(1, 5),
            "ignore": st.lists(st.sampled_from(["*", "uses-ref"]), max_size=1),
            "models": st.dictionaries(st.sampled_from(["openai", "gemini"]), st.sampled_from("ab"), max_size=2),
        },
    ).map(lambda said: layer("x", **said)),
    max_size=4,
)


@given(LAYERS, LAYERS)
def test_layers_can_be_merged_in_steps(below: list[Layer], above: list[Layer]) -> None:
    step = merge(*below)
    values = {name: getattr(step, name) for name in ("budget", "ignore", "models") if any(name in each.values for each in below)}
    assert merge(Layer(values, step.origins), *above) == merge(*below, *above)
