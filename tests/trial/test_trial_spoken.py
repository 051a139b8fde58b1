"""Calls that small models write as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.trial.run import Prompt, run
from echolot_lsp.trial.spoken import calls_in_text
from tests.trial.lists import LANTERNS, at
from tests.trial.model_servers import answer_with, model_server

NAMES = ("find_lantern", "light_lantern")


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "find_lantern", "arguments": {"number": "L-1"}}',
        '{"name": "find_lantern", "parameters": {"number": "L-1"}}',
        'Sure!\n```json\n{"tool": "find_lantern", "args": {"number": "L-1"}}\n```\nDone.',
        '<tool_call>\n{"name": "find_lantern", "arguments": {"number": "L-1"}}\n</tool_call>',
        '[TOOL_CALLS][{"name": "find_lantern", "arguments": {"number": "L-1"}}]',
        '<|python_tag|>{"type": "function", "name": "find_lantern", "parameters": {"number": "L-1"}}',
        '<function=find_lantern>{"number": "L-1"}</function>',
        '{"type": "function", "function": {"name": "find_lantern", "arguments": "{\\"number\\": \\"L-1\\"}"}}',
        '{"tool_calls": [{"function": {"name": "find_lantern", "arguments": {"number": "L-1"}}}]}',
        '{"find_lantern": {"number": "L-1"}}',
        '```tool_code\nfind_lantern(number="L-1")\n```',
        '```python\nprint(default_api.find_lantern(number="L-1"))\n```',
        'find_lantern(number="L-1")',
        'Thought: I need it.\nAction:\n{"action": "find_lantern", "action_input": {"number": "L-1"}}',
    ],
)
def test_a_call_in_plain_text_is_recognised(text: str) -> None:
    (call,) = calls_in_text(text, NAMES)
    assert (call.name, call.arguments, call.in_text, call.fault) == ("find_lantern", {"number": "L-1"}, True, None)


def test_a_marked_call_of_a_tool_that_does_not_exist_is_a_call() -> None:
    (call,) = calls_in_text('<tool_call>{"name": "weather", "arguments": {}}</tool_call>', NAMES)
    assert call.name == "weather"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would use find_lantern for that.",
        'A user looks like {"name": "Ada", "parameters": {}}.',
        "Use find_lantern(number) to find one.",
        '{"name": ["find_lantern"]}',
        "{" * 5_000,
        'weather(city="Oslo")',
        'find_lantern(number=secret()) and then "quotes',
    ],
)
def test_what_is_no_call_is_none(text: str) -> None:
    assert calls_in_text(text, NAMES) == ()


def test_a_call_with_broken_arguments_shows_them() -> None:
    (call,) = calls_in_text('<function=find_lantern>{"number": </function>', NAMES)
    assert call.fault == "The arguments are not JSON."


def test_a_call_in_plain_text_counts_as_no_call() -> None:
    answer = answer_with("openai-chat", [], '{"name": "find_lantern", "arguments": {"number": 1}}')
    with model_server("openai-chat", answer) as server:
        (trial,) = run(LANTERNS, [Prompt("Find it", "find_lantern")], [at(server)])
    (judged,) = trial.runs[0].calls
    assert judged.call.in_text
    assert len(judged.faults) == 1
    assert trial.passed is False
    assert dict(trial.shares) == {None: 1.0}


@given(st.text(alphabet='{}[]"(),:= \nfind_lanternTOOL_CALLS<>|`', max_size=200))
def test_no_text_makes_it_fail(text: str) -> None:
    assert all(call.in_text for call in calls_in_text(text, NAMES))
