"""How the server starts (light), ends (at once) and fails (in one sentence)."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from echolot_lsp.lsp import main
from tests.lsp.desk import Desk, codes, json_text, run, running

HEAVY = [
    "libcst",
    "pydantic",
    "jsonschema",
    "tiktoken",
    "mcp",
    "rich",
    "httpx2",
    "griffe",
    "tomllib",
    "echolot_lsp.rules",
    "echolot_lsp.check",
    "echolot_lsp.config",
    "echolot_lsp.extract",
    "echolot_lsp.tokens",
    "echolot_lsp.providers",
    "echolot_lsp.render",
    "echolot_lsp.trial",
]
SPY = """
import sys
from echolot_lsp.lsp import main
from echolot_lsp.lsp.server import EcholotProtocol
from echolot_lsp.lsp.session import Session
send = EcholotProtocol._send_response
def spied(self, msg_id, result=None, error=None):
    found = [name for name in {heavy!r} if name in sys.modules]
    print("loaded", msg_id, *found, file=sys.stderr, flush=True)
    send(self, msg_id, result, error)
EcholotProtocol._send_response = spied
main(["--stdio"])
"""


class Wire:
    """The least client: frames in, frames out."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, *command], stdin=pipe, stdout=pipe, stderr=pipe)
        assert self.process.stdin
        assert self.process.stdout
        self.input: IO[bytes] = self.process.stdin
        self.output: IO[bytes] = self.process.stdout

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.input.flush()

    def receive(self) -> Any:
        length = 0
        while (line := self.output.readline()) != b"\r\n":
            assert line, "the server is gone"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.output.read(length))

    def answer(self, number: int) -> Any:
        while (message := self.receive()).get("id") != number or "method" in message:
            pass
        return message

    def initialize(self, client: int | None = None) -> None:
        self.send(id=1, method="initialize", params={"processId": client, "rootUri": None, "capabilities": {}})
        assert "capabilities" in self.answer(1)["result"]
        self.send(method="initialized", params={})

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "json", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def leave(self) -> int:
        """Shutdown and exit; the exit code."""
        self.send(id=99, method="shutdown")
        self.answer(99)
        self.send(method="exit")
        return self.process.wait(10)

    def errors(self) -> str:
        assert self.process.stderr
        return self.process.stderr.read().decode()


@pytest.fixture
def start() -> Iterator[Callable[..., Wire]]:
    """Starts servers, and sees to it that none is left."""
    wires: list[Wire] = []

    def begin(*command: str) -> Wire:
        wires.append(Wire(*(command or ("-m", "echolot_lsp.lsp"))))
        return wires[-1]

    yield begin
    for wire in wires:
        wire.process.kill()
        wire.process.wait()
        for pipe in (wire.process.stdin, wire.process.stdout, wire.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


def test_nothing_heavy_is_loaded_where_there_is_no_mcp(start: Callable[..., Wire]) -> None:
    wire = start("-c", SPY.format(heavy=HEAVY))
    wire.initialize()
    wire.open("file:///somewhere/package-lock.json", '{"lockfileVersion": 3}')
    wire.send(
        id=2, method="textDocument/hover", params={"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
    )
    assert wire.answer(2)["result"] is None
    assert wire.leave() == 0
    loaded = [line.split()[2:] for line in wire.errors().splitlines() if line.startswith("loaded")]
    light = {"echolot_lsp.extract"}
    assert loaded[0] == []
    assert all(set(names) <= light for names in loaded)


def test_the_server_ends_at_once_with_its_counting_child(start: Callable[..., Wire]) -> None:
    wire = start()
    wire.initialize()
    wire.open("file:///somewhere/tools.json", json_text())
    assert wire.receive()["method"] == "textDocument/publishDiagnostics"
    children = Path(f"/proc/{wire.process.pid}/task/{wire.process.pid}/children")
    started = children.read_text(encoding="ascii").split() if children.exists() else []
    before = time.monotonic()
    assert wire.leave() == 0
    assert time.monotonic() - before < 2
    assert [child for child in started if running(int(child))] == []


SILENT = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"


@pytest.mark.parametrize("killed", [False, True], ids=["orderly", "killed"])
def test_a_server_that_is_being_checked_ends_with_ours(
    start: Callable[..., Wire], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    wire = start()
    wire.initialize()
    started = tmp_path / "started"
    check = {"command": [sys.executable, "-c", SILENT, str(started)]}
    wire.send(id=2, method="workspace/executeCommand", params={"command": "echolot.server.checkLive", "arguments": [check]})
    question = wire.receive()
    assert question["method"] == "window/showMessageRequest"
    wire.send(id=question["id"], result={"title": "Start"})
    deadline = time.monotonic() + 60
    while not started.exists() or not started.read_text(encoding="ascii"):
        assert time.monotonic() < deadline
    if killed:
        wire.process.kill()
    else:
        before = time.monotonic()
        assert wire.leave() == 0
        assert time.monotonic() - before < 2
    while running(int(started.read_text(encoding="ascii"))):
        assert time.monotonic() < deadline


@pytest.mark.parametrize("refused", [False, True], ids=["in silence", "refused"])
def test_a_progress_that_a_client_does_not_make_holds_no_check_up(
    start: Callable[..., Wire], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    wire = start()
    able = {"window": {"workDoneProgress": True}}
    wire.send(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": able})
    wire.answer(1)
    check = {"command": [sys.executable, "-c", ""]}
    wire.send(id=2, method="workspace/executeCommand", params={"command": "echolot.server.checkLive", "arguments": [check]})
    wire.send(id=wire.receive()["id"], result={"title": "Start"})
    while (message := wire.receive()).get("id") != 2 or "method" in message:
        assert message["method"] == "window/workDoneProgress/create"
        if refused:
            wire.send(id=message["id"], error={"code": -32601, "message": "no"})
    assert message["error"]["message"]
    assert wire.leave() == 0


def test_a_client_that_is_gone_takes_the_server_with_it_whoever_holds_the_pipe(start: Callable[..., Wire]) -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    wire = start()
    wire.initialize(client.pid)
    wire.open("file:///somewhere/tools.json", json_text())
    assert wire.receive()["method"] == "textDocument/publishDiagnostics"
    client.communicate()
    assert wire.process.wait(10) == 1


def test_a_client_that_cannot_be_seen_from_here_is_not_taken_for_gone(start: Callable[..., Wire]) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    wire = start()
    wire.initialize(gone.pid)
    wire.send(id=2, method="textDocument/documentSymbol", params={"textDocument": {"uri": "file:///x"}})
    assert wire.answer(2)["result"] is None
    assert wire.leave() == 0


def test_every_request_is_answered_also_at_the_wrong_time(start: Callable[..., Wire]) -> None:
    wire = start()
    wire.send(id=1, method="textDocument/hover", params={"textDocument": {"uri": "file:///x"}, "position": {}})
    assert wire.answer(1)["error"]["code"] == -32602
    wire.send(id=2, method="textDocument/documentSymbol", params={"textDocument": {"uri": "file:///x"}})
    assert wire.answer(2)["error"]["code"] == -32002
    wire.open("file:///somewhere/tools.json", json_text())
    wire.initialize()
    wire.send(id=3, method="initialize", params={"processId": None, "capabilities": {}})
    assert wire.answer(3)["error"]["code"] == -32600
    wire.send(id=4, method="shutdown")
    assert wire.answer(4)["result"] is None
    wire.send(id=5, method="shutdown")
    assert wire.answer(5)["error"]["code"] == -32600
    wire.send(method="exit")
    assert wire.process.wait(10) == 0


FAULTY = """
from echolot_lsp.lsp import hover, main, server
from echolot_lsp.lsp.session import Session
def fails(*arguments):
    raise RuntimeError("a fault of ours in /depot/secret.py")
async def fails_later(*arguments):
    fails()
hover.hover = fails_later
Session.close = fails
build = server.build
def built():
    made = build()
    made.on_command("faulty", fails_later)
    made.listeners.insert(0, fails)
    made.listeners.insert(0, lambda paths, numbers: made.background(fails_later()))
    return made
server.build = built
main([])
"""


def test_a_handler_that_fails_is_logged_and_the_others_go_on(start: Callable[..., Wire]) -> None:
    wire = start("-c", FAULTY)
    wire.initialize()
    uri = "file:///somewhere/tools.json"
    wire.open(uri, json_text())
    assert wire.receive()["params"]["diagnostics"]
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    requests = {
        2: ("textDocument/hover", place),
        3: ("workspace/executeCommand", {"command": "echolot.server.faulty", "arguments": []}),
    }
    for number, (method, params) in requests.items():
        wire.send(id=number, method=method, params=params)
        error = wire.answer(number)["error"]
        assert error["message"] == "Something went wrong in Echolot; its log says more."
        assert "data" not in error
    wire.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
    wire.send(id=4, method="textDocument/documentSymbol", params={"textDocument": {"uri": uri}})
    assert wire.answer(4)["result"]
    assert wire.leave() == 0
    logged = wire.errors()
    for what in ("A listener failed.", "Background work failed.", "close failed", "fails_later failed"):
        assert what in logged


NO_MESSAGES = [
    b"hello\r\n",
    b"Content-Length: many\r\n\r\n",
    b"Content-Length: 10\r\n\r\nnot json!!",
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 4\r\n\r\nnull",
    b"Content-Length: 3\r\n\r\n\xff\xfe\xfd",
    b"Content-Length: 0\r\n\r\n",
    b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000,
]


def test_what_is_no_message_is_passed_over(start: Callable[..., Wire]) -> None:
    wire = start()
    wire.initialize()
    for number, frame in enumerate(NO_MESSAGES):
        wire.input.write(frame)
        wire.open(f"file:///somewhere/{number}/tools.json", json_text())
        assert wire.receive()["params"]["uri"] == f"file:///somewhere/{number}/tools.json"
    assert wire.leave() == 0


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/depot/x.ipynb#W0sZm",
        "file:///c%3A/depot/tools.json",
        "file://server/share/tools.json",
        "file:///depot/%E5%80%89%E5%BA%AB%20a%2Fb/%zz%00.json",
        "http://[no/tools.json",
        "no uri at all",
        "git:/depot/tools.json?%7B%22ref%22%3A%22~%22%7D",
    ],
)
def test_whatever_a_document_is_called_it_is_read_and_told_of_by_that_name(tmp_path: Path, uri: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        desk.session.open(uri, "json", 1, json_text())
        await desk.session.at_rest()
        assert [(sent, codes(items)) for sent, _, items in desk.sent] == [(uri, ["no-description"])]
        assert desk.session.view(uri) is not None
        desk.session.close(uri)
        await desk.session.at_rest()
        assert desk.sent[-1][0] == uri
        assert desk.sent[-1][2] == []

    run(work())


def test_an_error_is_one_sentence_without_a_traceback(start: Callable[..., Wire]) -> None:
    wire = start()
    wire.initialize()
    requests = [
        ("workspace/executeCommand", {"command": "echolot.server.openProviderJson", "arguments": [{"uri": "file:///none.py"}]}),
        ("workspace/executeCommand", {"command": "echolot.server.explainRule", "arguments": [{"rule": "../../etc"}]}),
        ("workspace/executeCommand", {"command": "echolot.nothing", "arguments": []}),
        ("workspace/textDocumentContent", {"uri": "echolot:/x"}),
        ("textDocument/hover", {"nothing": 1}),
        ("no/such/method", {}),
    ]
    for number, (method, params) in enumerate(requests, start=10):
        wire.send(id=number, method=method, params=params)
    wire.send(id=50, method="textDocument/documentSymbol", params={"textDocument": {"uri": "file:///x"}})
    answers: list[Any] = []
    while not answers or answers[-1].get("id") != 50:
        answers.append(wire.receive())
    for message in answers[:-1]:
        error = message["error"]
        assert error.get("data") is None
        assert "Traceback" not in error["message"]
        assert "site-packages" not in error["message"]
    assert answers[-1]["result"] is None
    assert wire.leave() == 0


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), (["--version"], 0), (["--what"], 2), (["--tcp", "nowhere"], 2)])
def test_the_command_line_answers(words: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == code
    assert "echolot-lsp" in "".join(capsys.readouterr())


def test_over_tcp_one_client_is_served(start: Callable[..., Wire]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    wire = start("-m", "echolot_lsp.lsp", "--tcp", f"127.0.0.1:{port}")
    deadline = time.monotonic() + 60
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            assert wire.process.poll() is None
    with connection, connection.makefile("rwb") as stream:
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
        ).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()
        assert stream.readline().startswith(b"Content-Length")
    wire.process.wait(10)
