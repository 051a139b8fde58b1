"""The laws of a list's cost: what is counted, what adds up, what is remembered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from echolot_lsp import tokens
from echolot_lsp.model import PROVIDERS, ProviderName, ToolCost, Unknown
from echolot_lsp.providers.plain import content_key
from echolot_lsp.tokens import claude, counting
from echolot_lsp.tokens.cache import Cache, Counted
from echolot_lsp.tokens.families import DEFAULT_MODELS, FAMILIES, family_of
from tests import schemas

WEIGH: dict[str, Any] = {
    "name": "weigh_crate",
    "description": "Weighs a crate and says where it stands.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "crate_id": {"type": "string", "description": "Number on the lid, such as C-7", "title": "Crate Id"},
            "unit": {"enum": ["kg", "lb"], "default": "kg"},
        },
        "required": ["crate_id"],
    },
}
PING: dict[str, Any] = {"name": "ping", "inputSchema": {"type": "object", "properties": {}}}
MODELS: list[tuple[ProviderName, str]] = [
    ("anthropic", "claude-haiku-4-5"),
    ("anthropic", "claude-sonnet-4-20250514"),
    ("anthropic", "claude-3-5-haiku-latest"),
    ("anthropic", "claude-sonnet-5"),
    ("openai", "gpt-4o"),
    ("openai", "gpt-5.2"),
    ("gemini", "gemini-2.0-flash"),
    ("gemini", "gemini-2.5-flash"),
    ("gemini", "gemini-3.5-flash"),
]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_no_tools_cost_nothing(provider: ProviderName) -> None:
    assert tokens.count(provider, []) == 0
    assert tokens.cost(provider, []).total == 0


@pytest.mark.parametrize(("provider", "model"), MODELS)
def test_the_total_is_what_count_answers_and_the_surcharge_is_what_the_tools_do_not_cost(
    provider: ProviderName, model: str
) -> None:
    tools = [WEIGH, PING, WEIGH]
    cost = tokens.cost(provider, tools, model)
    assert cost.total == tokens.count(provider, tools, model)
    assert cost.surcharge == cost.total - sum(tool.tokens for tool in cost.tools)
    assert (cost.provider, cost.model, cost.at_least) == (provider, model, False)


@pytest.mark.parametrize(("provider", "model"), MODELS)
def test_another_tool_adds_its_own_cost_and_nothing_else(provider: ProviderName, model: str) -> None:
    one, two = tokens.cost(provider, [WEIGH], model), tokens.cost(provider, [WEIGH, PING], model)
    assert two.surcharge == one.surcharge
    assert two.total == one.total + two.tools[1].tokens
    assert two.tools[0] == one.tools[0]


@pytest.mark.parametrize(("provider", "model"), MODELS)
def test_the_share_of_a_schema_is_the_tools_cost_less_that_with_an_empty_schema(provider: ProviderName, model: str) -> None:
    empty = {**WEIGH, "inputSchema": {"type": "object", "properties": {}}}
    cost, bare = tokens.cost(provider, [WEIGH], model).tools[0], tokens.cost(provider, [empty], model).tools[0]
    assert cost.schema == cost.tokens - bare.tokens > 0
    assert bare.schema == 0


def test_a_longer_description_costs_more_at_every_provider() -> None:
    longer = {**WEIGH, "description": WEIGH["description"] + " 木箱の番号が要ります。 Die Größe nicht."}
    before, after = tokens.costs([WEIGH]), tokens.costs([longer])
    assert all(after[provider].total > before[provider].total for provider in PROVIDERS)


def test_models_are_picked_per_provider() -> None:
    picked = tokens.costs([WEIGH], {"openai": "gpt-4o"})
    assert {provider: cost.model for provider, cost in picked.items()} == {**DEFAULT_MODELS, "openai": "gpt-4o"}


def test_a_forced_choice_and_the_api_change_the_surcharge_only_where_the_provider_does() -> None:
    anthropic = {
        choice: tokens.count("anthropic", [WEIGH], "claude-haiku-4-5", tool_choice=choice)
        for choice in ("auto", "none", "any", "tool")
    }
    assert anthropic["auto"] == anthropic["none"] < anthropic["any"] < anthropic["tool"]
    chat = tokens.count("openai", [WEIGH], "gpt-4o", api="chat")
    assert tokens.count("openai", [WEIGH], "gpt-4o", api="chat", has_system=True) == chat - 4
    assert tokens.count("openai", [WEIGH], "gpt-4o") == chat - 6


def test_a_model_that_is_not_known_borrows_from_the_newest_and_says_so() -> None:
    for provider in PROVIDERS:
        cost = tokens.cost(provider, [WEIGH], "a-model-of-next-year")
        assert cost.borrowed is not None
        assert cost.total == tokens.cost(provider, [WEIGH]).total
        assert tokens.cost(provider, [WEIGH]).borrowed is None


def test_the_basis_of_a_count_names_the_model_and_says_what_is_unofficial_or_borrowed() -> None:
    assert "claude-sonnet-5" in tokens.basis("anthropic")
    assert "unofficial" in tokens.basis("anthropic")
    assert "unofficial" not in tokens.basis("openai")
    assert "the figures are Gemini 3's" in tokens.basis("gemini", "gemini-9")


def test_every_family_has_a_surcharge_for_every_request() -> None:
    for families in FAMILIES.values():
        for family in families:
            for api in ("messages", "chat", "chat+system", "responses", "generateContent"):
                assert family.surcharge(api, "auto") >= 0


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-4-6", "Claude 4.5 and 4.6 (since about 2025-12)"),
        ("claude-sonnet-4-0", "Claude Sonnet 4"),
        ("claude-opus-4-20250514", "Claude Sonnet 4"),
        ("claude-opus-4-8", "Claude Opus 4.7 and later"),
        ("claude-3-opus-20240229", "Claude Opus 3"),
        ("claude-sonnet-4.5", "Claude 4.5 and 4.6 (since about 2025-12)"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "Claude 4.5 and 4.6 (since about 2025-12)"),
        ("claude-sonnet-5", "Claude Sonnet 5"),
        ("claude-opus-5", "Claude Opus 4.7 and later"),
        ("claude-3.5-haiku", "Claude Haiku 3.5"),
        ("gpt-4", "gpt-3.5 and gpt-4"),
        ("gpt-4o-mini", "gpt-4o and gpt-4.1"),
        ("gpt-4.1-nano", "gpt-4o and gpt-4.1"),
        ("openai/o4-mini", "o-series"),
        ("gpt-5.2", "gpt-5"),
        ("gpt-6-astra", "later than gpt-5"),
        ("gemini-2.0-flash", "Gemini 2.0"),
        ("gemini-2.5-pro", "Gemini 2.5"),
        ("models/gemini-3.5-flash", "Gemini 3"),
        ("gemini-flash-latest", "later than Gemini 3"),
    ],
)
def test_a_models_id_names_its_family(model: str, name: str) -> None:
    provider: ProviderName = "gemini" if "gemini" in model else "anthropic" if "claude" in model else "openai"
    assert family_of(provider, model).name == name


def test_unknown_parts_are_left_out_and_the_cost_is_a_lower_bound() -> None:
    known = tokens.costs([PING, WEIGH])
    parts = [{**WEIGH, "description": Unknown("computed")}, {**WEIGH, "inputSchema": Unknown("a missing package")}]
    for tool in parts:
        for provider, cost in tokens.costs([PING, tool]).items():
            assert cost.at_least
            assert cost.total < known[provider].total
    assert all(cost.tools[0].schema == 0 for cost in tokens.costs([parts[1]]).values())


@settings(max_examples=60)
@given(schemas.tool_lists(schemas.schemas() | schemas.broken_schemas(), most=2))
def test_any_list_is_counted_and_no_tool_exceeds_its_bound(tools: list[dict[str, Any]]) -> None:
    for provider, cost in tokens.costs(tools, cache=Cache()).items():
        assert cost.total == tokens.count(provider, tools)
        for tool, counted in zip(tools, cost.tools, strict=True):
            assert 0 <= counted.schema <= counted.tokens <= tokens.at_most(tool)


def test_a_list_of_references_that_fan_out_is_bounded() -> None:
    definitions: dict[str, Any] = {
        f"D{level}": {"type": "object", "properties": {f"p{at}": {"$ref": f"#/$defs/D{level + 1}"} for at in range(10)}}
        for level in range(20)
    }
    definitions["D20"] = {"type": "string"}
    tool = {"name": "fan", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": definitions}}
    assert all(cost.total < 100_000 for cost in tokens.costs([tool]).values())


def test_a_tool_that_was_counted_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache()
    first = tokens.costs([WEIGH, PING], cache=cache)
    monkeypatch.setattr(counting, "tool_tokens", lambda *_: pytest.fail("counted again"))
    assert tokens.costs([WEIGH, PING], cache=cache) == first
    reparsed = {**WEIGH, "inputSchema": {**WEIGH["inputSchema"]}}
    assert tokens.costs([PING, reparsed], cache=cache)["gemini"].tools == first["gemini"].tools[::-1]


def test_the_key_of_a_tool_tells_apart_what_is_sent_differently() -> None:
    swapped = {key: WEIGH[key] for key in reversed(WEIGH)}
    one, true = {"inputSchema": {"const": 1}}, {"inputSchema": {"const": True}}
    unknown, other = {"name": Unknown("a")}, {"name": Unknown("b")}
    keys = [content_key(tool) for tool in (WEIGH, swapped, PING, one, true, unknown, other, {"name": "\ud800"})]
    assert len(set(keys)) == len(keys)
    assert content_key(WEIGH) == content_key({**WEIGH})


def test_a_full_cache_forgets_its_oldest_entries() -> None:
    cache = Cache(most=8)
    counted = Counted(ToolCost(1, 0), False, False)
    for number in range(9):
        cache.put(("family", False, bytes([number])), counted)
    kept = [number for number in range(9) if cache.get(("family", False, bytes([number]))) is not None]
    assert kept == [2, 3, 4, 5, 6, 7, 8]


def test_without_claudes_vocabulary_the_count_is_borrowed_by_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    own = tokens.cost("anthropic", [WEIGH], cache=Cache())

    def missing(_version: str) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(claude, "counter", missing)
    counting._counter.cache_clear()
    counting.text_counter.cache_clear()
    try:
        borrowed = tokens.cost("anthropic", [WEIGH], cache=Cache())
        assert "ratio" in str(borrowed.borrowed)
        assert borrowed.total == pytest.approx(own.total, rel=0.1)
    finally:
        counting._counter.cache_clear()
        counting.text_counter.cache_clear()
