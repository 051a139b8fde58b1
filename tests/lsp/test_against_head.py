"""The difference to git's HEAD in the tooltips of hints."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from echolot_lsp.lsp import against_head
from echolot_lsp.lsp.against_head import AgainstHead
from echolot_lsp.lsp.inlay_hints import hints
from tests.lsp.desk import PYTHON, Desk, json_text, run
from tests.repository import Repository

LONGER = PYTHON.replace("where it was seen last.", "where it was seen last, and by whom, and when that was.")


class Shell:
    """As much of a server as the numbers of HEAD need, round a session that counts a token a character."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.desk = Desk(folder, count=True)
        self.session = self.desk.session
        self.options = options
        self.capabilities = types.ClientCapabilities()
        self.head = AgainstHead(self)  # type: ignore[arg-type]
        self.tasks: list[asyncio.Future[Any]] = []

    def background(self, work: Awaitable[Any]) -> asyncio.Future[Any]:
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    async def tooltips(self, name: str, text: str) -> list[str]:
        """The last lines of the tooltips of a document with a text, once HEAD is known."""
        if self.session.documents.at(self.desk.uri(name)) is None:
            await self.desk.open(name, text)
        else:
            await self.desk.change(name, text, 2)
        view = self.session.view(self.desk.uri(name))
        assert view is not None
        work = self.head.want(view)
        if work is not None:
            await work
        return [str(hint.tooltip).splitlines()[-1] for hint in hints(view, 0, 10_000, self.head)]

    def end(self) -> None:
        for task in self.tasks:
            task.cancel()


def test_a_document_that_is_what_head_has_tells_the_numbers_itself(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_child(asked: Any) -> Any:
        raise AssertionError("no process is needed")

    async def work() -> None:
        shell = Shell(repository.folder)
        assert all("HEAD" not in each for each in await shell.tooltips("app.py", PYTHON))
        first, second = await shell.tooltips("app.py", LONGER)
        assert first == f"+{len(LONGER) - len(PYTHON)} tokens against HEAD"
        assert "HEAD" not in second
        assert (await shell.tooltips("app.py", PYTHON.replace(" last.", ".")))[0] == "−5 tokens against HEAD"
        shell.end()

    repository.commit("app.py", PYTHON.replace("\n", "\r\n"))
    monkeypatch.setattr(against_head, "_asked_of_a_child", no_child)
    run(work())


@pytest.mark.parametrize(
    ("name", "committed", "shown"),
    [("app.py", PYTHON, LONGER), ("tools.json", json_text(), json_text().replace("seen last", "seen last of all"))],
)
def test_a_document_that_was_changed_before_it_was_opened_is_held_against_head_too(
    repository: Repository, name: str, committed: str, shown: str
) -> None:
    async def work() -> None:
        shell = Shell(repository.folder)
        first, second = await shell.tooltips(name, shown)
        assert first == f"+{len(shown) - len(committed)} tokens against HEAD"
        assert "HEAD" not in second
        shell.end()

    repository.commit(name, committed)
    run(work())


def test_a_new_tool_a_renamed_one_and_a_new_file_have_no_difference(repository: Repository) -> None:
    async def work() -> None:
        shell = Shell(repository.folder)
        for name in ("app.py", "new.py"):
            assert all("HEAD" not in each for each in await shell.tooltips(name, PYTHON))
            renamed = PYTHON.replace("def close_depot", "def close_the_depot")
            assert all("HEAD" not in each for each in await shell.tooltips(name, renamed))
        shell.end()

    repository.commit("app.py", PYTHON)
    run(work())


def test_two_servers_of_one_name_are_not_mixed_up(repository: Repository) -> None:
    async def work() -> None:
        shell = Shell(repository.folder)
        both = PYTHON + PYTHON.replace("mcp", "other").replace("from other.server", "from mcp.server")
        repository.commit("app.py", both)
        await shell.tooltips("app.py", both)
        assert all("HEAD" not in each for each in await shell.tooltips("app.py", both.replace(" last.", ".", 1)))
        shell.end()

    run(work())


def test_no_process_is_started_in_a_workspace_that_is_not_trusted(repository: Repository) -> None:
    async def work() -> None:
        shell = Shell(repository.folder, trusted=False)
        await shell.tooltips("app.py", PYTHON)
        assert shell.tasks == []

    repository.commit("app.py", PYTHON)
    run(work())


def test_outside_a_repository_git_is_asked_once(tmp_path: Path) -> None:
    async def work() -> None:
        shell = Shell(tmp_path)
        for _ in range(3):
            await shell.tooltips("app.py", PYTHON)
        assert len(shell.tasks) == 1

    run(work())


def test_a_child_that_fails_says_nothing() -> None:
    async def work() -> None:
        assert await against_head._asked_of_a_child({"path": 7}) == []

    run(work())


def editor() -> Any:
    """A client that counts how often it was told to ask for hints again."""
    client: Any = pytest_lsp.make_test_lsp_client()
    client.told = asyncio.Event()
    client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda params: client.told.set())
    return client


@pytest_lsp.fixture(
    params=[["tooltip"], []],
    ids=["tooltips are asked for", "tooltips come with the hints"],
    config=ClientServerConfig(server_command=[sys.executable, "-m", "echolot_lsp.lsp"], client_factory=editor),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    lazy = types.ClientInlayHintResolveOptions(properties=request.param)
    hint = types.InlayHintClientCapabilities(resolve_support=lazy if request.param else None)
    again = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(inlay_hint=hint),
        workspace=types.WorkspaceClientCapabilities(inlay_hint=again),
    )
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, process_id=None, root_uri=None))
    lsp_client.lazy = bool(request.param)  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


async def told(client: Any, uri: str, wanted: Any) -> list[str]:
    """The last line of each tooltip, as soon as they are as they should be: asked for once at first, then whenever the client is told."""
    while True:
        client.told.clear()
        everything = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=99, character=0))
        document = types.TextDocumentIdentifier(uri=uri)
        found = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document, range=everything)) or []
        if client.lazy:
            assert all(hint.tooltip is None for hint in found)
            found = [await client.inlay_hint_resolve_async(hint) for hint in found]
        lines = [str(hint.tooltip).splitlines()[-1] for hint in found]
        if wanted(lines):
            return lines
        await asyncio.wait_for(client.told.wait(), 60)


@pytest.mark.asyncio
async def test_the_difference_follows_the_text_and_head(client: Any, repository: Repository) -> None:
    path = repository.commit("app.py", PYTHON)
    uri = path.as_uri()
    item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=PYTHON)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    assert not any("HEAD" in line for line in await told(client, uri, lambda lines: len(lines) == 2))
    change = types.TextDocumentContentChangeWholeDocument(text=LONGER)
    versioned = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=versioned, content_changes=[change]))
    first, second = await told(client, uri, lambda lines: any("HEAD" in line for line in lines))
    assert first.startswith("+")
    assert first.endswith(" tokens against HEAD")
    assert "HEAD" not in second
    repository.commit("app.py", LONGER)
    assert len(await told(client, uri, lambda lines: not any("HEAD" in line for line in lines))) == 2
