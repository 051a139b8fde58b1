"""What the page asks for, answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.trial.consent import Consents
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.page import PageHost, tool_lists
from echolot_lsp.trial.reply import Request
from echolot_lsp.trial.run import Prompt, ToolList
from tests.render.card.samples import report
from tests.trial.lists import LANTERNS
from tests.trial.model_servers import answer_with

ASK = {"type": "try", "id": "t1", "prompts": ["Where is L-17?"], "models": ["openai/gpt-x"]}


def host(tmp_path: Path, **more: Any) -> PageHost:
    def sender(endpoint: Endpoint, request: Request, names: object) -> Any:
        return answer_with(endpoint.protocol, [("find_lantern", {"number": "L-17"})]).body

    return replace(PageHost({"OPENAI_API_KEY": "sk-secret"}, str(tmp_path), Consents(tmp_path / "c.json"), sender=sender), **more)


def test_a_try_is_answered_with_its_result(tmp_path: Path) -> None:
    answer = host(tmp_path, yes=True).answer(ASK, [LANTERNS])
    assert answer is not None
    assert (answer["type"], answer["id"]) == ("trial", "t1")
    assert answer["result"]["trials"][0]["runs"][0]["calls"][0]["tool"] == "find_lantern"


def test_the_saved_prompts_are_tried_on_request(tmp_path: Path) -> None:
    saved = (Prompt("Where is L-17?", "find_lantern"), Prompt("Light it.", "light_lantern"))
    page = host(tmp_path, yes=True, prompts=saved)
    answer = page.answer({**ASK, "saved": True, "prompts": ["ignored"]}, [LANTERNS])
    assert answer is not None
    assert answer["result"]["summary"] == {"passed": 1, "failed": 1, "errors": 0}


def test_a_tool_without_a_known_name_is_not_tried() -> None:
    assert ToolList.of("x", ({"description": "a"}, {"name": "b"}, {"name": 3})).names == ["b"]


def test_the_page_cannot_give_consent(tmp_path: Path) -> None:
    answer = host(tmp_path).answer({**ASK, "yes": True, "consent": True}, [LANTERNS])
    assert answer is not None
    assert "needs your yes" in answer["error"]
    asked: list[str] = []
    yes = host(tmp_path, ask=lambda text: asked.append(text) is None)
    assert "result" in (yes.answer(ASK, [LANTERNS]) or {})
    assert "result" in (yes.answer(ASK, [LANTERNS]) or {})
    assert len(asked) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"prompts": "text"},
        {"prompts": [1, None]},
        {"prompts": ["  "]},
        {"server": 7},
        {"server": -1},
        {"server": "x"},
        {"models": {"a": 1}},
        {"models": ["x"]},
        {"models": [], "runs": "many"},
    ],
)
def test_a_message_that_makes_no_sense_is_answered_in_words(
    tmp_path: Path, message: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echolot_lsp.trial.looking.local_models", lambda endpoint: None)
    answer = host(tmp_path, yes=True).answer({**ASK, **message}, [LANTERNS])
    assert answer is not None
    assert answer["error"]


def test_other_messages_are_for_somebody_else(tmp_path: Path) -> None:
    assert host(tmp_path).answer({"type": "open"}, [LANTERNS]) is None
    assert host(tmp_path).answer("text", [LANTERNS]) is None


def test_the_models_that_could_be_asked_are_offered_without_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "echolot_lsp.trial.looking.local_models", lambda endpoint: ["gemma"] if endpoint.provider == "ollama" else None
    )
    answer = host(tmp_path).answer({"type": "ready"}, [])
    assert answer is not None
    assert answer["type"] == "models"
    assert answer["models"][0] == "ollama/gemma"
    assert "sk-secret" not in str(answer)


def test_the_lists_of_a_report_are_what_is_tried() -> None:
    (tools,) = tool_lists(report(2))
    assert (tools.name, tools.names) == ("harbour", ["open_gate", "close_gate"])
