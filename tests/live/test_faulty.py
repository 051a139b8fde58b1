"""Each fault of a live server ends in the right words, in bounded time, with no process left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from echolot_lsp.extract.live import Listing, Target
from echolot_lsp.extract.live.run import Conversation, list_live, list_live_async

FAULTY = str(Path(__file__).with_name("faulty.py"))
BOUND_SECONDS = 30.0
pause = Event()


def target(fault: str, pids: Path) -> Target:
    return Target(transport="stdio", command=(sys.executable, FAULTY, fault), environment={"HARBOUR_PIDS": str(pids)})


def ask(fault: str, pids: Path, start_seconds: float = 10, list_seconds: float = 3) -> Listing:
    began = time.monotonic()
    listing = list_live(target(fault, pids), start_seconds=start_seconds, list_seconds=list_seconds)
    assert time.monotonic() - began < BOUND_SECONDS
    assert not alive(pids)
    return listing


def alive(pids: Path) -> list[int]:
    """The server's processes that still run (a zombie that waits to be reaped has ended)."""
    found = []
    for line in pids.read_text(encoding="utf-8").split() if pids.exists() else []:
        try:
            state = Path(f"/proc/{line}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(int(line))
    return found


def until_gone(pids: Path) -> None:
    deadline = time.monotonic() + 10
    while alive(pids):
        assert time.monotonic() < deadline, "the server's processes are still there"
        pause.wait(0.02)


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    return tmp_path / "pids"


CRASHES = {
    "crash-at-start": "KeyError: 'HARBOUR_TOKEN'",
    "crash-in-initialize": "harbour: no such quay",
    "crash-after-initialize": "harbour: the tide is out",
    "crash-in-list": "harbour: the quay is closed",
    "error-with-footer": "harbour.QuayError: no such quay",
}


@pytest.mark.parametrize("fault", CRASHES)
def test_a_crash_names_the_last_line_of_standard_error(fault: str, pids: Path) -> None:
    failure = ask(fault, pids).failure
    assert failure is not None
    assert (failure.kind, failure.stderr) == ("crash", CRASHES[fault])
    assert failure.message == f"The server ended before it listed its tools: {CRASHES[fault]}"


FAILURES = {
    "never-answers": ("timeout", "The server did not answer initialize within 2 seconds."),
    "hangs-in-list": ("timeout", "The server did not answer tools/list within 3 seconds."),
    "no-json": ("timeout", "The server did not answer tools/list within 3 seconds."),
    "wrong-id": ("protocol", "The server answered tools/list with the id 4711 instead of 2."),
    "list-error": ("protocol", "The server answered tools/list with an error: the list is broken"),
}


@pytest.mark.parametrize("fault", FAILURES)
def test_a_list_that_cannot_be_had_says_why(fault: str, pids: Path) -> None:
    failure = ask(
        fault, pids, start_seconds=2 if fault == "never-answers" else 10, list_seconds=3.0 if fault != "wrong-id" else 8
    ).failure
    assert failure is not None
    assert (failure.kind, failure.message) == FAILURES[fault]


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        ("stdout-noise", ["berths"]),
        ("floods-stderr", ["berths"]),
        ("late", ["berths"]),
        ("endless-cursor", ["berths"]),
        ("empty-cursor", ["berths", "tides"]),
        ("no-handshake", ["berths"]),
        ("huge", ["berths"]),
        ("invalid-utf8", ["berths"]),
        ("leaves-children", ["berths"]),
        ("ignores-the-end", ["berths"]),
        ("no-tools", []),
        ("odd-cursor", ["berths", "tides"]),
        ("answers-twice", ["berths"]),
        ("asks-back", ["berths"]),
    ],
)
def test_a_fault_that_can_be_borne_still_gives_the_list(fault: str, names: list[str], pids: Path) -> None:
    listing = ask(fault, pids, list_seconds=15)
    assert listing.failure is None
    assert [tool["name"] for tool in listing.tools] == names
    assert listing.looped == (fault == "endless-cursor")
    assert listing.noise == (("Starting the harbour…",) if fault == "stdout-noise" else ())
    assert (listing.no_tools is not None) == (fault == "no-tools")
    assert listing.handshake == (fault != "no-handshake")
    assert (listing.start_seconds > 5) == (fault == "late")


def test_a_list_without_an_end_is_cut(pids: Path) -> None:
    listing = ask("many-tools", pids)
    assert listing.failure is None
    assert (listing.truncated, len(listing.tools)) == (True, 10_500)


def test_another_order_the_second_time_is_noticed(pids: Path) -> None:
    assert ask("unstable-order", pids).stable is False


def test_one_bad_tool_does_not_hide_the_others(pids: Path) -> None:
    listing = ask("bad-schemas", pids)
    assert listing.failure is None
    assert len(listing.tools) == 5
    assert listing.tools[2] == "no tool"


def test_a_command_that_is_not_there_says_so(pids: Path) -> None:
    listing = list_live(Target(transport="stdio", command=("no-such-harbour",)))
    assert listing.failure is not None
    assert (listing.failure.kind, listing.failure.message) == ("start", "The command cannot be started: No such file or directory.")


@pytest.mark.parametrize("fault", ["never-answers", "leaves-children", "ignores-the-end"])
def test_cancelling_ends_the_servers_processes(fault: str, pids: Path) -> None:
    async def run() -> None:
        task = asyncio.create_task(
            list_live_async(target(fault if fault != "leaves-children" else "leaves-children", pids), start_seconds=60)
        )
        async with asyncio.timeout(20):
            while not pids.exists():
                await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    until_gone(pids)


@pytest.mark.parametrize("fault", ["changes", "changes-without-handshake"])
def test_a_server_that_is_kept_open_is_read_again_once_for_a_burst_of_changes(fault: str, pids: Path) -> None:
    async def run() -> None:
        conversation = await Conversation.open(target(fault, pids), follow=True, start_seconds=10)
        async with asyncio.timeout(20):
            first = await conversation.first()
            later = await conversation.next()
        assert later is not None
        assert [[tool["name"] for tool in listing.tools] for listing in (first, later)] == [["berths"], ["berths", "tides"]]
        with pytest.raises(TimeoutError):  # nothing more is told
            async with asyncio.timeout(1.5):
                await conversation.next()
        await conversation.close()

    asyncio.run(run())
    until_gone(pids)


@pytest.mark.parametrize("fault", ["never-answers", "leaves-children", "ignores-the-end"])
def test_killing_the_asking_program_ends_the_servers_processes(fault: str, pids: Path) -> None:
    program = (
        "import sys\nfrom echolot_lsp.extract.live import Target\nfrom echolot_lsp.extract.live.run import list_live\n"
        "list_live(Target(transport='stdio', command=tuple(sys.argv[1:])), start_seconds=60)\n"
    )
    # a server that answers would end by itself: it is killed while it is asked
    asker = subprocess.Popen(
        [sys.executable, "-c", program, sys.executable, FAULTY, fault], env={**os.environ, "HARBOUR_PIDS": str(pids)}
    )
    deadline = time.monotonic() + 20
    while not pids.exists():
        assert time.monotonic() < deadline
        pause.wait(0.02)
    asker.send_signal(signal.SIGKILL)
    asker.wait()
    until_gone(pids)


class Refusing(BaseHTTPRequestHandler):
    """Answers with the status in the path, whatever is asked."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path == "/slow":
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            for byte in b'{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion":':
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.2)  # a server that dribbles: the client's bound is what is tested
            return
        status = 308 if self.path == "/elsewhere" else int(self.path.strip("/"))
        self.send_response(status)
        if status == 308:
            self.send_header("location", "http://127.0.0.2:9/mcp")
        self.send_header("content-length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *arguments: object) -> None: ...


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


HTTP = {
    "/401": "The server answered 401: it wants to know who asks; give it a token with --header 'Authorization: Bearer …'.",
    "/404": "The server answered 404: there is no MCP endpoint at this URL.",
    "/429": "The server answered 429: it wants fewer requests; try again later.",
    "/500": "The server answered 500; its own log may say why.",
    "/elsewhere": "The server answered 308 and points to http://127.0.0.2:9/mcp; use that URL if you trust it.",
}


@pytest.mark.parametrize("path", HTTP)
def test_http_refusals_are_plain_sentences(path: str, refusing: str) -> None:
    listing = list_live(Target(transport="http", url=refusing + path), start_seconds=10)
    assert listing.failure is not None
    assert (listing.failure.kind, listing.failure.message) == ("http", HTTP[path])


def test_slow_bytes_are_bounded(refusing: str) -> None:
    listing = list_live(Target(transport="http", url=refusing + "/slow"), start_seconds=2)
    assert listing.failure is not None
    assert listing.failure.kind == "timeout"


def test_a_plain_server_behind_https_is_a_connection_that_is_not_secure(refusing: str) -> None:
    listing = list_live(Target(transport="http", url=refusing.replace("http:", "https:") + "/mcp"), start_seconds=10)
    assert listing.failure is not None
    assert listing.failure.message.startswith("No secure connection to the server could be made")


def test_nobody_listening_is_said(tmp_path: Path) -> None:
    listing = list_live(Target(transport="http", url="http://127.0.0.1:9/mcp"), start_seconds=10)
    assert listing.failure is not None
    assert listing.failure.message.startswith("The server cannot be reached")


def test_variables_that_an_editor_gave_to_us_alone_never_reach_a_server(
    pids: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARBOUR_SECRET", "s3cret")
    monkeypatch.setenv("ECHOLOT_SECRET_VARIABLES", "HARBOUR_SECRET")
    shown = "import os, sys; sys.exit(repr(sorted(name for name in os.environ if 'SECRET' in name)))"
    listing = list_live(Target(transport="stdio", command=(sys.executable, "-c", shown)))
    assert listing.failure is not None
    assert listing.failure.stderr == "[]"
