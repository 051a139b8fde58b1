"""The commands that answer from what is known already."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from echolot_lsp.errors import UsageError
from echolot_lsp.lsp import commands
from echolot_lsp.lsp.server import EcholotServer, build
from tests.lsp.desk import PYTHON, Tally, json_text, run


async def opened(folder: Path, profile: str = "helix-25.01.1") -> tuple[EcholotServer, str]:
    """A server with a Python server open; Helix shows no documents by itself."""
    server = build()
    recorded = json.loads((Path(__file__).parent / "clients" / f"{profile}.json").read_text(encoding="utf-8"))["capabilities"]
    server.initialize(types.InitializeParams(capabilities=get_converter().structure(recorded, types.ClientCapabilities)))
    server.publish = lambda uri, version, items: None  # type: ignore[method-assign]
    assert server.session._counting is not None
    server.session._counting._count = Tally()
    uri = (folder / "server.py").as_uri()
    server.session.open(uri, "python", 1, PYTHON)
    await server.session.counted()
    return server, uri


def test_a_summary_has_what_a_status_bar_shows(tmp_path: Path) -> None:
    async def work() -> None:
        server, uri = await opened(tmp_path)
        (found,) = (await commands.summary(server, {"uri": uri}))["servers"]
        assert (found["name"], found["tools"], found["line"]) == ("depot", 2, 2)
        assert found["tokens"] > 0
        assert found["share"] == found["tokens"] / 200_000
        assert found["problems"] + found["warnings"] + found["notes"] > 0
        assert (await commands.summary(server, {"uri": "file:///none.py"}))["servers"] == []

    run(work())


def test_a_rule_is_explained_by_its_page(tmp_path: Path) -> None:
    async def work() -> None:
        server, _ = await opened(tmp_path)
        answer = await commands.explain_rule(server, {"rule": "no-description"})
        assert answer["text"].startswith("# no-description")
        for wrong in ("no-such-rule", "../no-description", None, 3):
            with pytest.raises(UsageError, match="There is no rule"):
                await commands.explain_rule(server, {"rule": wrong})

    run(work())


def test_debug_info_names_versions_and_what_is_seen(tmp_path: Path) -> None:
    async def work() -> None:
        server, uri = await opened(tmp_path)
        text = (await commands.show_debug_info(server, {"uri": uri}))["text"]
        assert "echolot-lsp" in text
        assert "server.py" in text
        assert "depot: 2 tools, sdk" in text

    run(work())


@pytest.mark.parametrize("profile", ["helix-25.01.1", "vscode-1.139.1_languageclient-9.0.1"])
def test_provider_json_for_clients_without_virtual_documents_is_a_private_read_only_file(
    tmp_path: Path, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        server, uri = await opened(tmp_path, profile)
        answer: dict[str, Any] = {}
        for _ in range(2):
            answer = await commands.open_provider_json(server, {"uri": uri, "provider": "gemini", "show": False})
        path = Path(answer["uri"].removeprefix("file://"))
        assert path.read_text(encoding="utf-8") == answer["text"]
        assert path.stat().st_mode & 0o777 == 0o400
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert json.loads(answer["text"])[0]["functionDeclarations"][0]["name"] == "find_parcel"

    import tempfile

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    run(work())


def test_what_cannot_be_answered_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        server, uri = await opened(tmp_path)
        with pytest.raises(UsageError, match="anthropic, openai or gemini"):
            await commands.open_provider_json(server, {"uri": uri, "provider": "acme"})
        with pytest.raises(UsageError, match="No MCP server"):
            await commands.open_provider_json(server, {"uri": "file:///none.py", "provider": "openai"})

    run(work())


def test_a_closed_list_is_no_longer_counted(tmp_path: Path) -> None:
    async def work() -> None:
        server, uri = await opened(tmp_path)
        other = (tmp_path / "tools.json").as_uri()
        server.session.open(other, "json", 1, json_text())
        await server.session.counted()
        server.session.close(other)
        await server.session.counted()
        assert [shown.server.name for shown in server.session.servers(uri)] == ["depot"]
        assert server.session.servers(other) == []

    run(work())


LOSSY = {
    "tools": [
        {
            "name": "find_parcel",
            "description": "荷物 📦",
            "inputSchema": {
                "type": "object",
                "properties": {"weight": {"type": "integer", "exclusiveMinimum": 0}, "label": {"type": "string"}},
                "additionalProperties": False,
            },
        }
    ]
}


@pytest.mark.parametrize("profile", ["helix-25.01.1", "emacs-30.1_eglot-1.17.30"])
def test_what_was_lost_is_marked_where_it_stood_and_the_text_stays_what_is_sent(
    tmp_path: Path, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        server, _ = await opened(tmp_path, profile)
        sent: dict[str, list[dict[str, Any]]] = {}
        server.publish = lambda uri, version, items: sent.__setitem__(uri, json.loads(items))  # type: ignore[method-assign]
        uri = (tmp_path / "tools.json").as_uri()
        server.session.open(uri, "json", 1, json_text(LOSSY))
        await server.session.counted()
        quiet = await commands.open_provider_json(server, {"uri": uri, "provider": "gemini", "show": False})
        assert quiet["uri"] not in sent
        for provider, lost in (("gemini", ["additionalProperties", "exclusiveMinimum"]), ("anthropic", [])):
            answer = await commands.open_provider_json(server, {"uri": uri, "provider": provider})
            lines = answer["text"].splitlines()
            assert sorted(word for mark in answer["marks"] for word in lost if f"`{word}`" in mark["text"]) == lost
            shown = sent[answer["uri"]]
            assert [(item["range"]["start"]["line"], item["message"]) for item in shown] == [
                (mark["line"], mark["text"]) for mark in answer["marks"]
            ]
            assert {item["severity"] for item in shown} <= {4}
            assert [lines[mark["line"]].strip() for mark in answer["marks"]] == ['"parameters": {', '"weight": {'][: len(lost)]

    import tempfile

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(EcholotServer, "window_show_message", lambda self, params: None)
    monkeypatch.setattr(EcholotServer, "window_show_document_async", lambda self, params: asyncio.sleep(0))
    run(work())
