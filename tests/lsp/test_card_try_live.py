"""The card, a trial and a live check through the real server over stdio; what is started or sent was agreed to."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.lsp.desk import PYTHON, json_text
from tests.trial.model_servers import answer_with, model_server

PROFILE = Path(__file__).parent / "clients" / "neovim-0.11.4.json"

SERVER = '''"""A server that speaks just enough; it leaves a trace when it is started."""
import json, pathlib, sys
pathlib.Path("started").touch()
TOOL = {"name": "find_parcel", "description": "Looks a parcel up by its number and says where it is.", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "depot", "version": "1"}}
    if message.get("method") == "tools/list":
        result = {"tools": [TOOL]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
'''


SILENT = "import os, pathlib, sys, time; pathlib.Path('started').write_text(str(os.getpid())); time.sleep(600)"

GROWING = SERVER.replace(
    "        result = {",
    "        if pathlib.Path('grown').exists():\n            TOOL['description'] = 'Looks two parcels up.'\n        result = {",
    1,
).replace(
    "for line in sys.stdin:",
    """import threading, time
def tell():
    while not pathlib.Path("grown").exists():
        time.sleep(0.02)
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), flush=True)
threading.Thread(target=tell, daemon=True).start()
for line in sys.stdin:""",
)


def editor() -> Any:
    client: Any = pytest_lsp.make_test_lsp_client()
    client.answers, client.questions = [], []

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(params: types.RegistrationParams) -> None: ...

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def _(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        client.questions.append(params.message)
        return types.MessageActionItem(title=client.answers.pop(0)) if client.answers else None

    for refresh in ("inlayHint", "codeLens", "textDocumentContent"):
        client.feature(f"workspace/{refresh}/refresh")(lambda params: None)
    return client


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "echolot_lsp.lsp"], client_factory=editor))
async def client(lsp_client: LanguageClient, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    announced = get_converter().structure(json.loads(PROFILE.read_text(encoding="utf-8"))["capabilities"], types.ClientCapabilities)
    trusted = "untrusted" not in request.node.name
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=announced,
            process_id=None,
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="depot")],
            initialization_options={"echolot": {"trusted": trusted}},
        )
    )
    lsp_client.folder = tmp_path  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


async def opened(client: Any, name: str, text: str) -> str:
    uri: str = (client.folder / name).as_uri()
    (client.folder / name).parent.mkdir(exist_ok=True)
    (client.folder / name).write_text(text, encoding="utf-8")
    language = "python" if name.endswith(".py") else "json"
    document = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    return uri


async def run(client: Any, name: str, /, **argument: Any) -> Any:
    params = types.ExecuteCommandParams(command=f"echolot.server.{name}", arguments=[argument])
    return await client.workspace_execute_command_async(params)


@pytest.mark.asyncio
async def test_the_card_is_a_page_for_a_webview_and_an_address_for_a_browser(client: Any) -> None:
    uri = await opened(client, "tools.json", json_text())
    page = await run(client, "openCard", uri=uri, mode="webview", nonce="n0nce4ThePage1234567890")
    assert page["title"] == "tools as a model sees it"
    assert "script-src 'nonce-n0nce4ThePage1234567890'" in page["text"]
    assert "find_parcel" in page["text"]
    card = await run(client, "openCard", uri=uri, mode="browser", show=False)
    with urllib.request.urlopen(card["uri"], timeout=10) as answer:
        assert "find_parcel" in answer.read().decode("utf-8")
    drawn = await run(client, "cardMessage", uri=uri, message={"type": "refresh"})
    assert drawn["report"]["servers"][0]["tools"][0]["name"] == "find_parcel"
    markdown = await run(client, "copyMarkdown", uri=uri)
    assert markdown["text"].startswith("## How a model sees tools")


@pytest.mark.asyncio
async def test_the_card_and_the_copied_report_say_what_each_provider_makes_of_the_list_whatever_is_silenced(client: Any) -> None:
    tools = [{"name": "find.parcel", "description": "Looks a parcel up.", "inputSchema": {"type": "object", "properties": {}}}]
    uri = await opened(client, "tools.json", json.dumps({"tools": tools}))

    async def verdict() -> dict[str, str]:
        drawn = await run(client, "cardMessage", uri=uri, message={"type": "refresh"})
        return {provider: each["state"] for provider, each in drawn["report"]["servers"][0]["verdict"].items()}

    assert await verdict() == {"anthropic": "refused", "openai": "refused", "gemini": "accepted"}
    assert "refused" in (await run(client, "copyMarkdown", uri=uri))["text"].lower()
    Path(client.folder, "echolot.toml").write_text('ignore = ["name-not-accepted"]\nproviders = ["openai"]\n', encoding="utf-8")
    client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            changes=[types.FileEvent(uri=Path(client.folder, "echolot.toml").as_uri(), type=types.FileChangeType.Created)]
        )
    )
    assert await verdict() == {"openai": "refused"}


@pytest.mark.asyncio
async def test_a_trial_on_this_machine_asks_nobody_and_shows_the_call(client: Any) -> None:
    uri = await opened(client, "tools.json", json_text())
    with model_server("openai-chat", answer_with("openai-chat", [("find_parcel", {"number": 7})])) as model:
        answer = await run(client, "tryWithModel", uri=uri, prompt="Where is P-1042?", model=f"llamacpp/tiny@{model.url}")
    assert client.questions == []
    assert "**find_parcel**" in answer["text"]
    assert answer["result"]["trials"][0]["runs"][0]["calls"][0]["faults"]


@pytest.mark.asyncio
async def test_without_a_model_the_answer_says_how_to_choose_one(client: Any) -> None:
    uri = await opened(client, "tools.json", json_text())
    with pytest.raises(Exception, match="model"):
        await run(client, "tryWithModel", uri=uri, prompt="Where is P-1042?")


@pytest.mark.asyncio
async def test_a_server_is_started_after_a_yes_and_its_findings_stand_at_the_entry(client: Any) -> None:
    (client.folder / "server.py").write_text(SERVER, encoding="utf-8")
    entry = json.dumps({"servers": {"depot": {"command": sys.executable, "args": ["server.py"]}}}, indent=2)
    uri = await opened(client, ".vscode/mcp.json", entry)
    with pytest.raises(Exception, match="needs your yes"):
        await run(client, "checkLive", uri=uri)
    assert not (client.folder / "started").exists()
    assert "server.py" in client.questions[0]
    client.answers = ["Start"]
    answer = await run(client, "checkLive", uri=uri)
    assert (client.folder / "started").exists()
    assert [tool["name"] for tool in answer["servers"][0]["tools"]] == ["find_parcel"]
    assert [item.code for item in client.diagnostics[uri]] == ["schema-no-properties"]
    asked = len(client.questions)
    await run(client, "checkLive", uri=uri)
    assert len(client.questions) == asked


async def lenses(client: Any, uri: str) -> list[str]:
    if uri.endswith(".py"):
        await run(client, "openProviderJson", uri=uri, show=False)  # the file has been read
    document = types.TextDocumentIdentifier(uri=uri)
    found = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    return [lens.command.title for lens in found or []]


@pytest.mark.asyncio
async def test_from_a_configuration_the_card_and_the_provider_json_of_a_checked_server_are_reached(client: Any) -> None:
    (client.folder / "server.py").write_text(SERVER, encoding="utf-8")
    entry = json.dumps({"servers": {"depot": {"command": sys.executable, "args": ["server.py"]}}}, indent=2)
    uri = await opened(client, ".vscode/mcp.json", entry)
    assert await lenses(client, uri) == ["Check this server"]
    with pytest.raises(Exception, match="Check one of its servers first"):
        await run(client, "openCard", uri=uri, mode="webview", nonce="n0nce4ThePage1234567890")
    client.answers = ["Start"]
    await run(client, "checkLive", uri=uri, entry="depot")
    first, *others = await lenses(client, uri)
    assert first.startswith("1 tool · ≈")
    assert others == ["Check again", "Provider JSON"]
    at = types.Range(start=types.Position(line=2, character=6), end=types.Position(line=2, character=6))
    context = types.CodeActionContext(diagnostics=[])
    offered = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=types.TextDocumentIdentifier(uri=uri), range=at, context=context)
    )
    assert [action.title for action in offered][-1] == "depot: Provider JSON"

    page = await run(client, "openCard", uri=uri, server="depot", mode="webview", nonce="n0nce4ThePage1234567890")
    assert page["title"] == "depot, running, as a model sees it"
    assert '"checkLive"' in page["text"]
    listed = await run(client, "openProviderJson", uri=uri, provider="gemini", show=False)
    assert json.loads(listed["text"])[0]["functionDeclarations"][0]["name"] == "find_parcel"
    assert (await run(client, "summary", uri=uri))["servers"][0]["name"] == "depot"


@pytest.mark.asyncio
async def test_a_live_card_says_what_another_check_changed_and_what_was_saved_since(client: Any) -> None:
    (client.folder / "server.py").write_text(SERVER, encoding="utf-8")
    entry = json.dumps({"servers": {"depot": {"command": sys.executable, "args": ["server.py"]}}}, indent=2)
    uri = await opened(client, ".vscode/mcp.json", entry)
    client.answers = ["Start"]
    await run(client, "checkLive", uri=uri)

    async def checked(kind: str) -> Any:
        drawn = await run(client, "cardMessage", uri=uri, server="depot", live=True, message={"type": kind})
        return drawn["report"]["servers"][0]["checked"]

    first = await checked("refresh")
    assert (first["changes"], first["since"]) == (None, [])
    (client.folder / "server.py").write_text(SERVER.replace("where it is", "where it was seen"), encoding="utf-8")
    ahead = datetime.fromisoformat(first["at"]).timestamp() + 5
    os.utime(client.folder / "server.py", (ahead, ahead))
    assert (await checked("refresh"))["since"] == ["server.py"]
    description, tokens = (await checked("checkLive"))["changes"]
    assert description == "find_parcel has another description"
    assert tokens.startswith("+")
    assert tokens.endswith(" tokens a turn")
    assert (await checked("checkLive"))["changes"] == []


async def until(client: Any, uri: str, kind: str, wanted: str) -> Any:
    """The card's note on the last check, as soon as what changed holds ``wanted``."""
    async with asyncio.timeout(60):
        while True:
            drawn = await run(client, "cardMessage", uri=uri, server="depot", live=True, message={"type": kind})
            checked = drawn["report"]["servers"][0]["checked"]
            if wanted in " ".join(checked["changes"] or ()):
                return checked


async def checked_once(client: Any, server: str, when: str) -> str:
    (client.folder / "server.py").write_text(server, encoding="utf-8")
    (client.folder / "echolot.toml").write_text(f'live-check = "{when}"\n', encoding="utf-8")
    entry = json.dumps({"servers": {"depot": {"command": sys.executable, "args": ["server.py"]}}}, indent=2)
    uri = await opened(client, ".vscode/mcp.json", entry)
    client.answers = ["Start"]
    await run(client, "checkLive", uri=uri)
    return uri


def save(client: Any, name: str, text: str) -> None:
    (client.folder / name).write_text(text, encoding="utf-8")
    document = types.TextDocumentIdentifier(uri=(client.folder / name).as_uri())
    client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document))


async def another_check(client: Any) -> None:
    """A whole check of another server: whatever was started before it has come at least as far."""
    (client.folder / "other.py").write_text(SERVER.replace('"started"', '"other"'), encoding="utf-8")
    client.answers = ["Start"]
    await run(client, "checkLive", command=[sys.executable, "other.py"])
    assert (client.folder / "other").exists()


@pytest.mark.asyncio
async def test_where_the_settings_say_so_a_saved_file_has_its_server_checked_again(client: Any) -> None:
    uri = await checked_once(client, SERVER, "saved")
    save(client, "server.py", SERVER.replace("where it is", "where it was seen"))
    checked = await until(client, uri, "refresh", "another description")
    assert checked["changes"][0] == "find_parcel has another description"
    assert len(client.questions) == 1


@pytest.mark.asyncio
async def test_a_saved_file_has_nothing_started_otherwise(client: Any) -> None:
    await checked_once(client, SERVER, "asked")
    (client.folder / "started").unlink()
    save(client, "server.py", SERVER.replace("where it is", "where it was seen"))
    await another_check(client)
    assert not (client.folder / "started").exists()


@pytest.mark.asyncio
async def test_a_saved_configuration_with_another_command_starts_nothing(client: Any) -> None:
    uri = await checked_once(client, SERVER, "saved")
    (client.folder / "started").unlink()
    entry = {"servers": {"depot": {"command": sys.executable, "args": ["server.py"], "env": {"A": "1"}}}}
    document = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    whole = types.TextDocumentContentChangeWholeDocument(text=json.dumps(entry))
    client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=document, content_changes=[whole]))
    save(client, ".vscode/mcp.json", json.dumps(entry))
    await another_check(client)
    assert not (client.folder / "started").exists()
    assert len(client.questions) == 2


@pytest.mark.asyncio
async def test_a_server_that_is_followed_is_read_again_when_it_says_that_its_list_has_changed(client: Any) -> None:
    uri = await checked_once(client, GROWING, "followed")
    (client.folder / "grown").touch()
    checked = await until(client, uri, "refresh", "another description")
    assert checked["changes"][1].endswith("tokens a turn")


@pytest.mark.asyncio
async def test_cancelling_the_progress_of_a_server_that_never_answers_ends_it(client: Any) -> None:
    client.answers = ["Start"]
    checking = asyncio.create_task(run(client, "checkLive", command=[sys.executable, "-c", SILENT]))
    async with asyncio.timeout(60):
        while not (started := client.folder / "started").exists() or not started.read_text(encoding="utf-8"):
            await asyncio.sleep(0)
        (token,) = client.progress_reports
        client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
        with pytest.raises(Exception, match="cancel"):
            await checking
        while running(int(started.read_text(encoding="utf-8"))):
            await asyncio.sleep(0)


def running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.asyncio
async def test_the_question_names_the_variables_that_are_set_and_never_their_values(client: Any) -> None:
    entry = {"servers": {"depot": {"command": "depot", "args": ["--quiet"], "env": {"DEPOT_KEY": "s3cret"}}}}
    uri = await opened(client, ".vscode/mcp.json", json.dumps(entry))
    with pytest.raises(Exception, match="needs your yes"):
        await run(client, "checkLive", uri=uri)
    assert "depot --quiet" in client.questions[0]
    assert "DEPOT_KEY" in client.questions[0]
    assert "s3cret" not in client.questions[0]


@pytest.mark.asyncio
async def test_findings_of_another_language_stand_where_the_tool_is_registered(client: Any) -> None:
    (client.folder / "server.py").write_text(SERVER, encoding="utf-8")
    source = client.folder / "index.ts"
    source.write_text("// 小包 📦\nserver.registerTool('find_parcel', {}, run)\n", encoding="utf-8")
    client.answers = ["Start"]
    await run(client, "checkLive", command=[sys.executable, "server.py"])
    found = client.diagnostics[source.as_uri()]
    assert [(item.code, item.range.start.line) for item in found] == [("schema-no-properties", 1)]


@pytest.mark.asyncio
async def test_opening_files_and_configurations_starts_nothing(client: Any) -> None:
    (client.folder / "server.py").write_text(SERVER, encoding="utf-8")
    entry = json.dumps({"mcpServers": {"depot": {"command": sys.executable, "args": ["server.py"]}}})
    for name in (".mcp.json", "mcp.json", ".vscode/mcp.json"):
        uri = await opened(client, name, entry)
        await run(client, "summary", uri=uri)
        assert await lenses(client, uri) == ["Check this server"]
    assert not (client.folder / "started").exists()
    assert client.questions == []


DYNAMIC = """from mcp.server.fastmcp import FastMCP
import requests

mcp = FastMCP("depot")
for tool in requests.get("http://127.0.0.1/tools").json():
    mcp.add_tool(tool)
"""


@pytest.mark.asyncio
async def test_a_python_server_can_be_checked_from_a_lens_even_where_its_list_is_made_at_run_time(client: Any) -> None:
    uri = await opened(client, "depot.py", PYTHON)
    assert (await lenses(client, uri))[-1] == "Check the running server"
    assert await lenses(client, await opened(client, "dynamic.py", DYNAMIC)) == ["Check the running server"]
    assert client.questions == []


@pytest.mark.asyncio
async def test_in_an_untrusted_workspace_no_lens_would_start_anything(client: Any) -> None:
    uri = await opened(client, "depot.py", PYTHON)
    first, *others = await lenses(client, uri)
    assert first.startswith("2 tools")
    assert others == ["Provider JSON"]
    uri = await opened(client, ".mcp.json", json.dumps({"mcpServers": {"depot": {"command": "depot"}}}))
    assert await lenses(client, uri) == []


@pytest.mark.asyncio
async def test_an_untrusted_workspace_never_starts_one(client: Any) -> None:
    client.answers = ["Start"]
    with pytest.raises(Exception, match="untrusted"):
        await run(client, "checkLive", command=[sys.executable, "-c", ""])
    assert client.questions == []
