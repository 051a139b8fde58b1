"""The real server over stdio, with the capabilities that seven editors announced: what they get, and in which encoding."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.lsp.desk import PYTHON, json_text, underlined

PROFILES = sorted((Path(__file__).parent / "clients").glob("*.json"))
URI = "file:///depot/tools.json"
TEXT = json_text().replace('"name": "close_depot"', '"title": "倉庫を閉める 🏠", "name": "close_depot"')


def editor() -> Any:
    """A client that answers what real editors answer."""
    client: Any = pytest_lsp.make_test_lsp_client()
    client.registered = []
    client.refreshed = set()

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(params: types.RegistrationParams) -> None:
        client.registered.extend(params.registrations)

    for refresh in ("inlayHint", "codeLens", "textDocumentContent"):
        client.feature(f"workspace/{refresh}/refresh")(lambda params, refresh=refresh: client.refreshed.add(refresh))
    return client


def announced(profile: Path) -> types.ClientCapabilities:
    capabilities = json.loads(profile.read_text(encoding="utf-8"))["capabilities"]
    return get_converter().structure(capabilities, types.ClientCapabilities)


@pytest_lsp.fixture(
    params=PROFILES,
    ids=lambda profile: profile.stem,
    config=ClientServerConfig(server_command=[sys.executable, "-m", "echolot_lsp.lsp"], client_factory=editor),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    result = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=announced(request.param), root_uri="file:///depot", process_id=None)
    )
    chosen = result.capabilities.position_encoding
    lsp_client.encoding = getattr(chosen, "value", chosen)  # type: ignore[attr-defined]
    document = types.TextDocumentItem(uri=URI, language_id="json", version=1, text=TEXT)
    lsp_client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    await lsp_client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    yield
    await lsp_client.shutdown_session()


def at(client: Any, text: str) -> types.Position:
    """The position of the first character of ``text``, in the agreed encoding."""
    head = TEXT[: TEXT.index(text)]
    line = head.rpartition("\n")[2]
    units = {"utf-8": len(line.encode()), "utf-32": len(line), "utf-16": len(line.encode("utf-16-le")) // 2}
    return types.Position(line=head.count("\n"), character=units[encoding(client)])


def encoding(client: Any) -> str:
    return str(client.encoding)


@pytest.mark.asyncio
async def test_an_editor_gets_what_it_announced(client: Any) -> None:
    """One session an editor: starting the server is what costs."""
    document = types.TextDocumentIdentifier(uri=URI)
    (found,) = client.diagnostics[URI]
    assert found.code == "no-description"
    start, end = found.range.start, found.range.end
    place = {"start": {"line": start.line, "character": start.character}, "end": {"line": end.line, "character": end.character}}
    assert underlined(TEXT, {"range": place}, encoding(client)) == '"close_depot"'

    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=at(client, "close_depot")))
    assert isinstance(hover.contents, types.MarkupContent)
    assert "close_depot" in hover.contents.value
    formats = client.capabilities.text_document.hover.content_format
    assert hover.contents.kind in (formats or list(types.MarkupKind))

    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert symbols
    everything = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=99, character=0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document, range=everything))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert lenses[0].command.title.startswith("2 tools")
    workspace = client.capabilities.workspace
    able = {"inlayHint": workspace.inlay_hint, "codeLens": workspace.code_lens}
    assert hints or (able["inlayHint"] is not None and able["inlayHint"].refresh_support), (
        "hints that nobody asks for again are complete"
    )
    assert client.refreshed == {name for name, each in able.items() if each is not None and each.refresh_support}

    answer = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="echolot.server.openProviderJson", arguments=[{"uri": URI, "provider": "openai"}])
    )
    assert json.loads(answer["text"])[0]["type"] == "function"
    virtual = client.capabilities.workspace.text_document_content is not None
    assert answer["uri"].startswith("echolot:/" if virtual else "file:/")
    if virtual:
        assert types.WORKSPACE_TEXT_DOCUMENT_CONTENT in [each.method for each in client.registered]
    content = await client.workspace_text_document_content_async(
        types.TextDocumentContentParams(uri=f"echolot:/tools/openai.json?{URI}")
    )
    assert content.text

    await answers_are_seen(client, answer)
    await python_too(client)

    change = types.TextDocumentContentChangeWholeDocument(text="{}")
    versioned = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=versioned, content_changes=[change]))
    while list(client.diagnostics[URI]):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


async def answers_are_seen(client: Any, provider_json: Any) -> None:
    """An editor that opens documents is asked to; one that cannot is told where the file is, or how the answer begins."""
    window = client.capabilities.window
    if window is not None and window.show_document is not None:
        assert [shown.uri for shown in client.shown_documents] == [provider_json["uri"]]
        assert client.messages == []
        return
    await run(client, "explainRule", {"rule": "no-description"})
    await run(client, "showDebugInfo", {"uri": URI})
    await run(client, "showDebugInfo", {"uri": URI, "show": False})
    assert client.shown_documents == []
    told = [message.message for message in client.messages]
    assert told[0] == f"tools as openai receives it: {provider_json['uri'].removeprefix('file://')}"
    assert told[1].startswith("no-description: ")
    assert told[2].startswith("Echolot: debug info: echolot-lsp ")
    assert len(told) == 3


async def run(client: Any, command: str, argument: Any) -> None:
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command=f"echolot.server.{command}", arguments=[argument])
    )


async def python_too(client: Any) -> None:
    """A Python server in the same session: ranges behind Japanese text and an emoji, hints, a parameter's cost."""
    uri = "file:///depot/server.py"
    text = PYTHON.replace("(reason)", '(品名="📦 荷物", *, reason)')
    document = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    while uri not in client.diagnostics:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    shown = set()
    for each in client.diagnostics[uri]:
        start, end = each.range.start, each.range.end
        place = {"start": {"line": start.line, "character": start.character}, "end": {"line": end.line, "character": end.character}}
        shown.add(underlined(text, {"range": place}, encoding(client)))
    assert "reason" in shown
    assert shown <= {"reason", "品名", "number", "close_depot", "find_parcel"}
    identifier = types.TextDocumentIdentifier(uri=uri)
    place = text.split("\n").index("def find_parcel(number: str) -> str:")
    position = types.Position(line=place, character=len("def find_parcel(n"))
    for _ in range(60):  # the counting child may still be loading its vocabularies
        hover = await client.text_document_hover_async(types.HoverParams(text_document=identifier, position=position))
        if "Anthropic ≈" in hover.contents.value:
            break
    assert "number" in hover.contents.value
    assert "Anthropic ≈" in hover.contents.value
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=identifier))
