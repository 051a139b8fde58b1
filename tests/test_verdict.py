"""The verdicts of the three providers: refused before lossy before accepted, each with its reasons."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from echolot_lsp.check import check
from echolot_lsp.model import PROVIDERS, ProviderName, Server, Tool, Unknown, Verdict
from echolot_lsp.verdict import verdicts
from tests import schemas

PLAIN: dict[str, Any] = {
    "name": "weigh_crate",
    "description": "Weighs a crate and says where it stands.",
    "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": "Number on the lid"}}},
}


def judged(*tools: dict[str, Any]) -> dict[ProviderName, Verdict]:
    server = Server(name="depot", origin="json", path=None, tools=tuple(Tool(wire=tool) for tool in tools))
    return dict(verdicts(tools, check(server).findings))


def states(*tools: dict[str, Any]) -> list[str]:
    return [verdict.state for verdict in judged(*tools).values()]


def with_schema(**schema: Any) -> dict[str, Any]:
    return {**PLAIN, "inputSchema": {**PLAIN["inputSchema"], **schema}}


def test_a_plain_tool_is_accepted_everywhere() -> None:
    assert judged(PLAIN) == {provider: Verdict("accepted") for provider in PROVIDERS}


def test_an_empty_list_is_accepted_everywhere() -> None:
    assert states() == ["accepted"] * 3


def test_a_combinator_at_the_root_is_refused_by_anthropic_and_openai() -> None:
    verdict = judged(with_schema(anyOf=[{"required": ["id"]}, {"maxProperties": 0}]))
    assert [verdict[provider].state for provider in PROVIDERS] == ["refused", "refused", "lossy"]
    (reason,) = verdict["openai"].why
    assert (reason.index, reason.tool, reason.path) == (0, "weigh_crate", ("inputSchema", "anyOf"))


def test_a_name_with_a_dot_is_refused_where_it_is() -> None:
    assert states({**PLAIN, "name": "crates.weigh"}) == ["refused", "refused", "accepted"]


def test_lists_that_are_too_long_are_refused_by_those_that_have_a_limit() -> None:
    tools = [{**PLAIN, "name": f"weigh_crate_of_depot_{number}x"} for number in range(513)]
    assert states(*tools[:128]) == ["accepted"] * 3
    assert states(*tools[:512]) == ["accepted", "refused", "accepted"]
    assert states(*tools) == ["accepted", "refused", "refused"]


def test_two_tools_of_one_name_are_refused_where_names_must_be_unique() -> None:
    verdict = judged(PLAIN, PLAIN)
    assert [verdict[provider].state for provider in ("anthropic", "gemini")] == ["refused", "refused"]


def test_what_gemini_drops_is_a_loss_at_its_place() -> None:
    tool = with_schema(properties={"id": {"type": "integer", "description": "Number", "exclusiveMinimum": 0}})
    verdict = judged({**PLAIN, "name": "find_crate", "description": "Finds a crate by its label."}, tool)
    assert [verdict[provider].state for provider in PROVIDERS] == ["accepted", "accepted", "lossy"]
    (reason,) = verdict["gemini"].why
    assert (reason.index, reason.path) == (1, ("inputSchema", "properties", "id", "exclusiveMinimum"))


def test_closed_roots_are_one_loss_of_the_list() -> None:
    closed = with_schema(additionalProperties=False)
    (reason,) = judged({**PLAIN, "name": "list_crates"}, closed, {**closed, "name": "find_crate"})["gemini"].why
    assert (reason.index, reason.path) == (None, ())
    assert "2 of 3 tools" in reason.text


def test_annotations_and_titles_are_no_loss() -> None:
    assert (
        states({**PLAIN, "title": "Weigh", "annotations": {"readOnlyHint": True}, "outputSchema": {"type": "object"}})
        == ["accepted"] * 3
    )


def test_no_verdict_rests_on_a_part_that_is_not_known() -> None:
    assert states({**PLAIN, "name": Unknown("computed"), "inputSchema": Unknown("no package")}) == ["accepted"] * 3


@settings(max_examples=50)
@given(schemas.tool_lists(schemas.schemas() | schemas.broken_schemas()))
def test_any_list_gets_three_verdicts_with_reasons(tools: list[dict[str, Any]]) -> None:
    verdict = verdicts(tools, [])
    assert list(verdict) == list(PROVIDERS)
    assert all((each.state == "accepted") == (each.why == ()) for each in verdict.values())
