"""``$/cancelRequest`` reaches what a command has started: a server that is being checked, a model that is being asked."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.lsp.desk import json_text, running

SILENT = "import os, pathlib, sys, time; pathlib.Path('started').write_text(str(os.getpid())); time.sleep(600)"


def editor() -> Any:
    """A client that shows no progress and says yes to everything."""
    client: Any = pytest_lsp.make_test_lsp_client()

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def _(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        return params.actions[0] if params.actions else None

    return client


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "echolot_lsp.lsp"], client_factory=editor))
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="depot")
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=types.ClientCapabilities(), process_id=None, workspace_folders=[folder])
    )
    yield
    await lsp_client.shutdown_session()


def asked(client: Any, command: str, /, **argument: Any) -> tuple[str, asyncio.Future[Any]]:
    """A command under way, with the id of its request."""
    number = str(uuid.uuid4())
    params = types.ExecuteCommandParams(command=f"echolot.server.{command}", arguments=[argument])
    return number, asyncio.ensure_future(client.protocol.send_request_async(types.WORKSPACE_EXECUTE_COMMAND, params, number))


@pytest.mark.asyncio
async def test_a_cancelled_check_ends_the_server_that_it_started(client: Any, tmp_path: Path) -> None:
    number, answer = asked(client, "checkLive", command=[sys.executable, "-c", SILENT])
    async with asyncio.timeout(60):
        while not (started := tmp_path / "started").exists() or not started.read_text(encoding="utf-8"):
            await asyncio.sleep(0)
        client.cancel_request(types.CancelParams(id=number))
        with pytest.raises(Exception, match="cancel"):
            await answer
        while running(int(started.read_text(encoding="utf-8"))):
            await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_cancelled_trial_hangs_up_on_the_model(client: Any, tmp_path: Path) -> None:
    asking, gone = asyncio.Event(), asyncio.Event()

    async def never_answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(65536):
            asking.set()
        gone.set()
        writer.close()

    model = await asyncio.start_server(never_answers, "127.0.0.1", 0)
    port = model.sockets[0].getsockname()[1]
    uri = (tmp_path / "tools.json").as_uri()
    document = types.TextDocumentItem(uri=uri, language_id="json", version=1, text=json_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    async with asyncio.timeout(60), model:
        number, answer = asked(
            client, "tryWithModel", uri=uri, prompt="Where is it?", model=f"llamacpp/tiny@http://127.0.0.1:{port}"
        )
        await asking.wait()
        client.cancel_request(types.CancelParams(id=number))
        with pytest.raises(Exception, match="cancel"):
            await answer
        await gone.wait()
    summary = await asked(client, "summary", uri=uri)[1]
    assert json.loads(json.dumps(summary))["servers"][0]["name"] == "tools"
