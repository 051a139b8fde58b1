"""Servers that open files are part of are found in the workspace, shown where the client shows progress, and never at a price."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from echolot_lsp.lsp.related import MOST, Related
from echolot_lsp.workspace.importers import server_files
from tests.lsp.desk import Desk, codes, json_text, run, running

APP = 'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("depot")\n'
TOOLS = '''from depot.app import mcp


@mcp.tool()
def close_depot(reason) -> str:
    """Closes the depot for the day, so that nothing is taken in until it is opened again."""
    return ""
'''
MAIN = '''from depot.app import mcp
from depot import tools


@mcp.tool()
def find_parcel(number) -> str:
    """Looks a parcel up by its number and says where it was seen last."""
    return ""
'''


def workspace(folder: Path) -> Path:
    """A server over three files, with a test of it and a server that has nothing to do with it."""
    texts = {
        "depot/__init__.py": "",
        "depot/app.py": APP,
        "depot/tools.py": TOOLS,
        "main.py": MAIN,
        "tests/test_main.py": MAIN.replace("find_parcel", "made_up"),
        "other.py": APP.replace("depot", "other"),
        "node_modules/third.py": MAIN,
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def imports(folder: Path) -> dict[str, set[str]]:
    """What a search finds, by names relative to the folder."""

    def short(path: str) -> str:
        return Path(path).relative_to(folder).as_posix()

    return {short(found.path): {short(path) for path in found.imports} for found in server_files(str(folder))}


def test_a_server_file_is_found_with_all_that_it_imports(tmp_path: Path) -> None:
    depot = {"depot/__init__.py", "depot/app.py"}
    assert imports(workspace(tmp_path)) == {
        "depot/app.py": {"depot/app.py"},
        "depot/tools.py": {*depot, "depot/tools.py"},
        "main.py": {*depot, "depot/tools.py", "main.py"},
        "other.py": {"other.py"},
    }


@pytest.mark.parametrize(
    "line",
    [
        "import depot.places",
        "import os, depot.places as places",
        "from depot import places",
        "from depot import (\n    rates as r,\n    places,\n)",
        "from depot.places import *",
        "def late():\n    from depot.places import Place",
        "\tfrom  depot . places  import Place".replace(" . ", "."),
        "from depot import rates, places  # 倉庫",
    ],
)
def test_however_a_file_is_imported_it_is_found(tmp_path: Path, line: str) -> None:
    workspace(tmp_path)
    (tmp_path / "depot/places.py").write_text("", encoding="utf-8")
    (tmp_path / "main.py").write_bytes((APP + line + "\n").replace("\n", "\r\n").encode("utf-8"))
    assert "depot/places.py" in imports(tmp_path)["main.py"]


@pytest.mark.parametrize("line", ["from . import places", "from .places import Place", "from ..depot.places import Place"])
def test_relative_imports_are_followed(tmp_path: Path, line: str) -> None:
    workspace(tmp_path)
    (tmp_path / "depot/places.py").write_text("", encoding="utf-8")
    (tmp_path / "depot/app.py").write_text(APP + line + "\n", encoding="utf-8")
    assert "depot/places.py" in imports(tmp_path)["depot/app.py"]


def test_a_circle_of_imports_and_files_that_cannot_be_read_end_no_search(tmp_path: Path) -> None:
    workspace(tmp_path)
    (tmp_path / "depot/app.py").write_text(APP + "from depot import tools\n", encoding="utf-8")
    (tmp_path / "depot/round").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "bytes.py").write_bytes(b"from mcp import x\nfrom \xff\xfe import \x00\n")
    assert "depot/tools.py" in imports(tmp_path)["depot/app.py"]


def test_of_many_servers_that_import_a_file_the_nearest_are_read() -> None:
    related = Related()
    assert related.put(
        "/w",
        {f"/w/far/{number}/a.py": frozenset(["/w/near/x.py"]) for number in range(50)}
        | {"/w/near/s.py": frozenset(["/w/near/x.py"])},
    )
    found = related.of(["/w/near/x.py"])
    assert len(found) == MOST
    assert found[0] == "/w/near/s.py"
    related.keep([])
    assert related.of(["/w/near/x.py"]) == []


def test_the_server_of_an_open_file_is_shown_whole_and_forgotten_with_it(tmp_path: Path) -> None:
    async def work() -> None:
        workspace(tmp_path)
        desk = Desk(tmp_path)
        await desk.open("depot/tools.py", TOOLS)
        assert desk.told("main.py") == []
        desk.session.found(str(tmp_path), {each.path: each.imports for each in server_files(str(tmp_path))})
        await desk.session.at_rest()
        assert "py-unannotated" in codes(desk.told("main.py"))
        (shown,) = desk.session.servers(desk.uri("depot/tools.py"))
        assert {tool.name for tool in shown.server.tools} == {"find_parcel", "close_depot"}
        assert not [uri for uri, _, _ in desk.sent if "test_main" in uri or "other" in uri]
        desk.session.close(desk.uri("depot/tools.py"))
        await desk.session.at_rest()
        assert desk.told("main.py") == []

    run(work())


def test_a_script_that_only_starts_the_server_is_read_once_and_again_when_it_changes(tmp_path: Path) -> None:
    async def work() -> None:
        workspace(tmp_path)
        start = tmp_path / "start.py"
        start.write_text("from depot.app import mcp\n\nmcp.run()\n", encoding="utf-8")
        desk = Desk(tmp_path)
        app = APP + MAIN[MAIN.index("\n\n@mcp") :]
        await desk.open("depot/app.py", app)
        desk.session.found(str(tmp_path), {str(start): frozenset([str(start), str(tmp_path / "depot/app.py")])})
        await desk.session.at_rest()
        await desk.change("depot/app.py", app + "\n", 2)
        assert set(desk.session.readings) == {str(tmp_path / "depot/app.py")}
        start.write_text(MAIN.replace("find_parcel", "list_vans"), encoding="utf-8")
        desk.session.files_changed([str(start)])
        await desk.session.at_rest()
        assert "py-unannotated" in codes(desk.told("start.py"))
        (shown,) = desk.session.servers(desk.uri("depot/app.py"))
        assert {tool.name for tool in shown.server.tools} >= {"find_parcel", "list_vans"}

    run(work())


SLOW = """
import json, os, pathlib, sys, time
print(json.dumps({"server": sys.argv[1] + "/main.py", "imports": []}), flush=True)
print(json.dumps({"files": 12000}), flush=True)
(pathlib.Path(sys.argv[1]) / "searching").write_text(str(os.getpid()))
time.sleep(600)
"""
SERVE = "from echolot_lsp.lsp import main, scanning; scanning.MOMENT = 0.0; scanning.CHILD = {child!r}; main([])"


def editor() -> Any:
    client: Any = pytest_lsp.make_test_lsp_client()
    for name in ("inlayHint", "codeLens"):
        client.feature(f"workspace/{name}/refresh")(lambda params: None)
    return client


def client_with(child: str) -> Any:
    """A client of a server that shows every search at once."""
    config = ClientServerConfig(server_command=[sys.executable, "-c", SERVE.format(child=child)], client_factory=editor)

    @pytest_lsp.fixture(config=config)
    async def client(lsp_client: LanguageClient, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[None]:
        shows = "without_progress" not in request.node.name
        window = types.WindowClientCapabilities(work_done_progress=shows)
        folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="depot")
        workspace(tmp_path)
        await lsp_client.initialize_session(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(window=window), process_id=None, workspace_folders=[folder]
            )
        )
        yield
        if not lsp_client.stopped:
            await lsp_client.shutdown_session()

    return client


quick = client_with("echolot_lsp.workspace.child")
slow = client_with("slow_search")


@pytest.fixture(autouse=True)
def slow_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "path").mkdir()
    (tmp_path / "path/slow_search.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "path"))


def opened(client: Any, folder: Path, name: str) -> str:
    uri = (folder / name).as_uri()
    text = (folder / name).read_text(encoding="utf-8")
    document = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    return uri


async def diagnosed(client: Any, uri: str) -> list[str]:
    """The rules that speak in a file, as soon as there are some."""
    async with asyncio.timeout(60):
        while not client.diagnostics.get(uri):
            await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return sorted(str(item.code) for item in client.diagnostics[uri])


def kinds(client: Any) -> list[str]:
    """The kinds of progress that the client was told of."""
    return [report.kind for reports in client.progress_reports.values() for report in reports]


@pytest.mark.asyncio
async def test_a_search_is_shown_from_its_begin_to_its_end(quick: Any, tmp_path: Path) -> None:
    opened(quick, tmp_path, "depot/tools.py")
    assert "py-unannotated" in await diagnosed(quick, (tmp_path / "main.py").as_uri())
    async with asyncio.timeout(60):
        while "end" not in kinds(quick):
            await asyncio.sleep(0)
    assert kinds(quick) == ["begin", "end"]
    ((begin, _),) = quick.progress_reports.values()
    assert begin.title.startswith("Looking for MCP servers in ")
    assert begin.cancellable


@pytest.mark.asyncio
async def test_a_client_without_progress_is_asked_for_none_and_gets_the_same(quick: Any, tmp_path: Path) -> None:
    opened(quick, tmp_path, "depot/tools.py")
    assert "py-unannotated" in await diagnosed(quick, (tmp_path / "main.py").as_uri())
    assert kinds(quick) == []


@pytest.mark.asyncio
async def test_a_new_file_on_the_disk_is_found_by_the_next_search(quick: Any, tmp_path: Path) -> None:
    opened(quick, tmp_path, "depot/tools.py")
    await diagnosed(quick, (tmp_path / "main.py").as_uri())
    late = tmp_path / "late.py"
    late.write_text(MAIN.replace("find_parcel", "list_vans"), encoding="utf-8")
    change = types.FileEvent(uri=late.as_uri(), type=types.FileChangeType.Created)
    quick.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[change]))
    assert "py-unannotated" in await diagnosed(quick, late.as_uri())


@pytest.mark.asyncio
async def test_a_cancelled_search_ends_and_loses_nothing(slow: Any, tmp_path: Path) -> None:
    uri = opened(slow, tmp_path, "depot/tools.py")
    assert "py-unannotated" in await diagnosed(slow, uri)
    searching = tmp_path / "searching"
    async with asyncio.timeout(60):
        while "report" not in kinds(slow) or not searching.exists() or not searching.read_text(encoding="utf-8"):
            await asyncio.sleep(0)
        (token,) = slow.progress_reports
        assert slow.progress_reports[token][1].message == "12,000 files"
        slow.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
        while "end" not in kinds(slow) or running(int(searching.read_text(encoding="utf-8"))):
            await asyncio.sleep(0)
    assert "py-unannotated" in await diagnosed(slow, uri)


@pytest.mark.asyncio
async def test_without_progress_a_search_that_never_ends_ends_with_the_server(slow: Any, tmp_path: Path) -> None:
    await diagnosed(slow, opened(slow, tmp_path, "depot/tools.py"))
    searching = tmp_path / "searching"
    async with asyncio.timeout(60):
        while not searching.exists() or not searching.read_text(encoding="utf-8"):
            await asyncio.sleep(0)
        await slow.shutdown_session()
        while running(int(searching.read_text(encoding="utf-8"))):
            await asyncio.sleep(0)


def check_workspace(client: Any) -> asyncio.Future[Any]:
    params = types.ExecuteCommandParams(command="echolot.server.checkWorkspace", arguments=[])
    return asyncio.ensure_future(client.workspace_execute_command_async(params))


@pytest.mark.asyncio
async def test_the_whole_workspace_is_checked_on_a_word(quick: Any, tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/tools.json").write_text(json_text(), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"name": "depot", "tools": 3}', encoding="utf-8")
    answer = await check_workspace(quick)
    told = {Path(uri[len("file://") :]).relative_to(tmp_path).as_posix() for uri, items in quick.diagnostics.items() if items}
    assert told == {"main.py", "depot/tools.py", "lists/tools.json"}
    assert "| depot | 2 |" in answer["text"]
    assert "| other | 0 | 0 | 0 | 0 |" in answer["text"]
    assert "| tools | 2 | 1 |" in answer["text"]
    assert "test_main" not in answer["text"]
    assert kinds(quick)[0] == "begin"
    assert kinds(quick)[-1] == "end"


@pytest.mark.asyncio
async def test_a_check_of_the_workspace_can_be_cancelled(slow: Any, tmp_path: Path) -> None:
    answer = check_workspace(slow)
    searching = tmp_path / "searching"
    async with asyncio.timeout(60):
        while "report" not in kinds(slow) or not searching.exists() or not searching.read_text(encoding="utf-8"):
            await asyncio.sleep(0)
        (token,) = slow.progress_reports
        slow.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
        with pytest.raises(Exception, match="cancelled"):
            await answer
        while running(int(searching.read_text(encoding="utf-8"))):
            await asyncio.sleep(0)
