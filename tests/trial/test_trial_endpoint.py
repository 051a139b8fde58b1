"""Where a model is, which key it gets, what may leave this machine, and what a turn costs."""

from __future__ import annotations

import json
import os
import stat
from decimal import Decimal
from pathlib import Path

import pytest

from echolot_lsp.errors import TrialError
from echolot_lsp.trial.consent import Consents, needs_consent, question, state_folder
from echolot_lsp.trial.endpoint import Endpoint, resolve
from echolot_lsp.trial.looking import look
from echolot_lsp.trial.price import dollars, price
from echolot_lsp.trial.reply import Usage

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-1", "OPENAI_API_KEY": "sk-2", "GOOGLE_API_KEY": "AI-3"}


@pytest.mark.parametrize(
    ("reference", "more", "expected"),
    [
        ("anthropic/claude-x", {}, ("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY")),
        ("openai/gpt-x", {}, ("openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY")),
        ("gemini/g", {}, ("gemini", "https://generativelanguage.googleapis.com", "GOOGLE_API_KEY")),
        ("gemini/g", {"GEMINI_API_KEY": "AI-4"}, ("gemini", "https://generativelanguage.googleapis.com", "GEMINI_API_KEY")),
        ("ollama/qwen3:0.6b", {}, ("openai-chat", "http://127.0.0.1:11434/v1", None)),
        ("ollama/q", {"OLLAMA_HOST": "0.0.0.0"}, ("openai-chat", "http://127.0.0.1:11434/v1", None)),
        ("ollama/q", {"OLLAMA_HOST": "10.0.0.7:99"}, ("openai-chat", "http://10.0.0.7:99/v1", None)),
        ("ollama/q", {"OLLAMA_HOST": "https://models.example"}, ("openai-chat", "https://models.example:443/v1", None)),
        ("lmstudio/google/gemma-3", {}, ("openai-chat", "http://127.0.0.1:1234/v1", None)),
        ("llamacpp/x@http://127.0.0.1:8081", {}, ("openai-chat", "http://127.0.0.1:8081/v1", None)),
        ("vllm/org/model", {"VLLM_API_KEY": "v"}, ("openai-chat", "http://127.0.0.1:8000/v1", "VLLM_API_KEY")),
        (
            "openai/m",
            {"OPENAI_BASE_URL": "https://gateway.example/v1/"},
            ("openai-chat", "https://gateway.example/v1", "OPENAI_API_KEY"),
        ),
        ("anthropic/m", {"ANTHROPIC_BASE_URL": "http://[::1]:9/v1"}, ("anthropic", "http://[::1]:9", "ANTHROPIC_API_KEY")),
    ],
)
def test_a_reference_leads_to_a_protocol_a_place_and_a_key(
    reference: str, more: dict[str, str], expected: tuple[str, str, str | None]
) -> None:
    endpoint = resolve(reference, {**KEYS, **more})
    assert (endpoint.protocol, endpoint.base_url, endpoint.key_name) == expected
    assert endpoint.reference == reference.partition("@http")[0]


def test_a_key_never_follows_an_address_that_a_project_could_have_written() -> None:
    with pytest.raises(TrialError, match="set ECHOLOT_API_KEY"):
        resolve("openai/m@https://elsewhere.example/v1", KEYS)
    endpoint = resolve("openai/m@https://elsewhere.example/v1", {**KEYS, "ECHOLOT_API_KEY": "own"})
    assert (endpoint.key, endpoint.key_name) == ("own", "ECHOLOT_API_KEY")
    assert resolve("openai/m@http://127.0.0.1:5/v1", KEYS).key is None


def test_which_of_openais_protocols_is_spoken_can_be_said() -> None:
    assert resolve("openai/m", KEYS, openai_api="chat").protocol == "openai-chat"
    other = {**KEYS, "OPENAI_BASE_URL": "https://gateway.example"}
    assert resolve("openai/m", other, openai_api="responses").protocol == "openai-responses"


@pytest.mark.parametrize(
    ("reference", "environment", "part"),
    [
        ("gpt-x", {}, "write PROVIDER/MODEL"),
        ("aimodels/x", {}, "write PROVIDER/MODEL"),
        ("openai/", {}, "names no model"),
        ("", {}, "names no model"),
        ("anthropic/c", {}, "set ANTHROPIC_API_KEY"),
        ("gemini/g", {"GEMINI_API_KEY": "  "}, "set GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("openai/m", {"OPENAI_API_KEY": "a\nb"}, "characters that no key has"),
        ("openai/m", {**KEYS, "OPENAI_BASE_URL": "ftp://x"}, "OPENAI_BASE_URL is no http or https address"),
        ("openai/m", {**KEYS, "OPENAI_BASE_URL": "https://user:secret@x"}, "holds more than an address"),
        ("openai/m", {**KEYS, "OPENAI_BASE_URL": "http://[bad"}, "is no http or https address"),
        ("ollama/m@http://", {}, "is no http or https address"),
    ],
)
def test_a_reference_that_leads_nowhere_says_why(reference: str, environment: dict[str, str], part: str) -> None:
    with pytest.raises(TrialError) as caught:
        resolve(reference, environment)
    assert part in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "model", "asks"),
    [
        ("http://127.0.0.1:11434/v1", "qwen3", False),
        ("http://127.9.9.9/v1", "qwen3", False),
        ("http://[::1]:8080/v1", "qwen3", False),
        ("http://localhost:8080/v1", "qwen3", False),
        ("http://models.localhost/v1", "qwen3", False),
        ("http://127.0.0.1:11434/v1", "gpt-oss:120b-cloud", True),
        ("http://127.0.0.1:11434/v1", "glm-5:cloud", True),
        ("http://192.168.1.7:11434/v1", "qwen3", True),
        ("http://10.0.0.1/v1", "qwen3", True),
        ("http://localhost.example/v1", "qwen3", True),
        ("http://0x7f000001.example/v1", "qwen3", True),
        ("http://host.docker.internal:1234/v1", "qwen3", True),
        ("https://api.openai.com/v1", "gpt-x", True),
    ],
)
def test_only_what_stays_on_this_machine_does_not_ask(url: str, model: str, asks: bool) -> None:
    assert needs_consent(Endpoint("ollama", model, "openai-chat", url)) is asks


def test_the_question_says_what_goes_where() -> None:
    cloud = Endpoint("openai", "gpt-x", "openai-responses", "https://api.openai.com/v1", "sk-2", "OPENAI_API_KEY")
    asked = question(cloud, {"lanterns": 2}, proxy="http://proxy.example:3128")
    for part in (
        "your prompts",
        "the 2 tools of lanterns",
        "OpenAI at https://api.openai.com",
        "by the proxy http://proxy.example:3128",
        "OPENAI_API_KEY",
    ):
        assert part in asked
    assert "sk-2" not in asked
    lan = question(Endpoint("vllm", "m", "openai-chat", "http://192.168.1.7:8000/v1"), {"a": 1, "b": 3})
    assert "not encrypted" in lan
    assert "the one tool of a and the 3 tools of b" in lan
    passed_on = question(Endpoint("ollama", "glm-5:cloud", "openai-chat", "http://127.0.0.1:11434/v1"), {"a": 1})
    assert "passes them on to the cloud model glm-5:cloud" in passed_on


def test_a_yes_is_remembered_for_one_endpoint_and_one_workspace(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "state" / "consent.json")
    one = Endpoint("openai", "gpt-x", "openai-responses", "https://api.openai.com/v1", "sk-2", "OPENAI_API_KEY")
    other_model = Endpoint("openai", "gpt-y", "openai-responses", "https://api.openai.com/v1")
    elsewhere = Endpoint("gemini", "g", "gemini", "https://generativelanguage.googleapis.com")
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    assert not consents.given(one, here)
    consents.give(one, here)
    consents.give(one, here)
    assert consents.given(one, here)
    assert consents.given(other_model, here)
    assert not consents.given(one, there)
    assert not consents.given(elsewhere, here)
    record = consents.file.read_text(encoding="utf-8")
    assert len(json.loads(record)["given"]) == 1
    assert "sk-2" not in record
    assert stat.S_IMODE(os.stat(consents.file).st_mode) == 0o600
    consents.forget()
    assert not consents.given(one, here)


def test_a_cloud_model_behind_a_local_port_is_remembered_by_its_name(tmp_path: Path) -> None:
    consents = Consents(tmp_path / "consent.json")
    url = "http://127.0.0.1:11434/v1"
    consents.give(Endpoint("ollama", "glm-5:cloud", "openai-chat", url), "/w")
    assert consents.given(Endpoint("ollama", "glm-5:cloud", "openai-chat", url), "/w")
    assert not consents.given(Endpoint("ollama", "other:cloud", "openai-chat", url), "/w")


@pytest.mark.parametrize(
    "record", ["", "{", "[]", '{"given": 3}', '{"given": [1, {"endpoint": "https://api.openai.com"}]}', "\x00"]
)
def test_a_damaged_record_counts_as_no_consent(tmp_path: Path, record: str) -> None:
    consents = Consents(tmp_path / "consent.json")
    consents.file.write_text(record, encoding="utf-8")
    endpoint = Endpoint("openai", "m", "openai-responses", "https://api.openai.com/v1")
    assert not consents.given(endpoint, "/w")
    consents.give(endpoint, "/w")
    assert consents.given(endpoint, "/w")


def test_a_record_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    consents = Consents(blocked / "consent.json")
    consents.give(Endpoint("openai", "m", "openai-responses", "https://api.openai.com/v1"), "/w")
    assert blocked.read_text(encoding="utf-8") == ""


def test_the_record_lies_where_each_system_keeps_state() -> None:
    assert state_folder({"XDG_STATE_HOME": "/s"}, "linux") == Path("/s/echolot")
    assert state_folder({"HOME": "/h", "XDG_STATE_HOME": "relative"}, "linux") == Path("/h/.local/state/echolot")
    assert state_folder({"HOME": "/h"}, "darwin") == Path("/h/Library/Application Support/echolot")
    assert state_folder({"LOCALAPPDATA": "/l"}, "win32") == Path("/l/echolot/state")


def test_what_was_looked_for_is_listed_with_a_way_to_choose() -> None:
    asked: list[str] = []

    def ask(endpoint: Endpoint) -> list[str] | None:
        asked.append(endpoint.base_url)
        assert endpoint.key is None
        return ["gemma3:270m", "b", "c", "d"] if endpoint.provider == "ollama" else ([] if endpoint.provider == "vllm" else None)

    found = look({"OPENAI_API_KEY": "sk-secret", "VLLM_API_KEY": "v-secret"}, ask)
    assert len(asked) == 4
    assert found.references[0] == "ollama/gemma3:270m"
    assert found.references[-1].startswith("openai/")
    for part in (
        "Anthropic: no key (ANTHROPIC_API_KEY is not set)",
        "OpenAI: a key in OPENAI_API_KEY",
        "no key (GEMINI_API_KEY or GOOGLE_API_KEY is not set)",
        "Ollama at http://127.0.0.1:11434: gemma3:270m, b, c and 1 more",
        "vLLM at http://127.0.0.1:8000: answers, but has no model",
        "LM Studio at http://127.0.0.1:1234: nothing answers",
        "--model ollama/gemma3:270m",
    ):
        assert part in found.text
    assert "secret" not in found.text


def test_a_server_elsewhere_is_not_looked_for() -> None:
    found = look({"OLLAMA_HOST": "10.0.0.9"}, lambda endpoint: None)
    assert "ollama" not in found.servers


def test_a_known_model_has_a_price_and_an_unknown_one_has_none() -> None:
    cloud = Endpoint("anthropic", "claude-sonnet-4-5", "anthropic", "https://api.anthropic.com", "k", "K")
    known = price(cloud, Usage(20_000, 300))
    assert known is not None
    assert known.dollars == Decimal("0.0645")
    assert known.text == "$0.065"
    cached = price(cloud, Usage(20_000, 300, cache_read=19_000))
    assert cached is not None
    assert cached.dollars < known.dollars
    assert price(cloud, None) is None
    assert price(Endpoint("openai", "no-such-model", "openai-responses", "https://api.openai.com/v1"), Usage(1, 1)) is None
    assert price(Endpoint("ollama", "gpt-4o", "openai-chat", "http://127.0.0.1:11434/v1"), Usage(1, 1)) is None
    assert price(Endpoint("anthropic", "claude-sonnet-4-5", "anthropic", "http://127.0.0.1:9"), Usage(1, 1)) is None


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("12.3", "$12.30"),
        ("0.1", "$0.10"),
        ("0.0234", "$0.023"),
        ("0.00012", "$0.00012"),
        ("0.000001", "less than $0.0001"),
        ("0", "$0"),
    ],
)
def test_a_small_sum_keeps_two_digits(amount: str, text: str) -> None:
    assert dollars(Decimal(amount)) == text
