"""Running servers through the command line: what a person reads, where findings stand, and how it exits."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from echolot_lsp.cli import main

FAULTY = str(Path(__file__).with_name("faulty.py"))

SOURCE = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("harbour")


@mcp.tool()
def berths(quay: str) -> int:
    """Count the free berths of a quay; returns a number."""
    return len(quay)


@mcp.tool()
def tides(day: str) -> str:
    """Say when the water is high on a day."""
    return day
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def faulty(fault: str) -> list[str]:
    return ["--", sys.executable, FAULTY, fault]


def echolot(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["mcp", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def report(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    _, out, _ = echolot(capsys, "check", "--format", "json", *words)
    data: dict[str, Any] = json.loads(out)
    return data


def rules(data: dict[str, Any]) -> list[str]:
    return [finding["rule"] for server in data["servers"] for finding in server["findings"]]


def test_a_server_that_ends_says_its_last_line_and_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = echolot(capsys, "check", *faulty("crash-at-start"))
    assert code == 2
    assert err == "echolot: The server ended before it listed its tools: KeyError: 'HARBOUR_TOKEN'\n"
    assert "Traceback" not in out + err


def test_with_strict_a_server_that_ends_is_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = echolot(capsys, "check", "--strict", *faulty("crash-in-list"))
    assert code == 1
    assert "live-crash" in out
    assert "harbour: the quay is closed" in out


def test_a_server_that_does_not_list_exits_with_2_even_with_strict(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = echolot(capsys, "check", "--strict", *faulty("list-error"))
    assert (code, err) == (2, "echolot: The server answered tools/list with an error: the list is broken\n")


def test_a_cursor_that_comes_again_is_a_problem_and_each_tool_is_there_once(capsys: pytest.CaptureFixture[str]) -> None:
    data = report(capsys, *faulty("endless-cursor"))
    assert rules(data) == ["live-pagination-loop"]
    assert [tool["name"] for tool in data["servers"][0]["tools"]] == ["berths"]


def test_every_page_is_read_and_a_bare_list_is_the_servers_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = echolot(capsys, "list", "--bare", *faulty("empty-cursor"))
    assert (code, err) == (0, "")
    assert [tool["name"] for tool in json.loads(out)["tools"]] == ["berths", "tides"]


def test_noise_on_standard_output_is_told_and_on_standard_error_it_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = report(capsys, *faulty("stdout-noise"))["servers"][0]["findings"]
    assert finding["message"].startswith("1 line on standard output is no JSON-RPC (first: Starting the harbour…)")
    assert rules(report(capsys, *faulty("floods-stderr"))) == []


def test_a_slow_start_is_a_note_with_its_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = report(capsys, *faulty("late"))["servers"][0]["findings"]
    assert (finding["rule"], finding["severity"]) == ("live-slow-start", "note")
    seconds = float(finding["message"].split("took ")[1].split(" ")[0])
    assert 6 <= seconds < 30


def test_an_empty_list_beside_tools_on_another_object_is_a_warning_at_the_source(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "harbour.py").write_text(SOURCE, encoding="utf-8")
    data = report(capsys, "harbour.py", *faulty("empty-list"))
    finding = next(finding for server in data["servers"] for finding in server["findings"] if finding["rule"] == "live-empty")
    assert finding["message"] == "The running server lists no tool, although its source declares 2."
    assert (finding["path"], finding["range"]["start"]["line"]) == ("harbour.py", 2)


def test_fewer_tools_and_other_schemas_than_the_source_stand_at_the_source(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "harbour.py").write_text(SOURCE, encoding="utf-8")
    (server,) = report(capsys, "harbour.py", *faulty("none"))["servers"]
    found = {finding["rule"]: finding for finding in server["findings"]}
    assert found["list-shrunk"]["message"] == "The running server lists 1 tools, its source declares 2; missing: tides."
    differs = [finding for finding in server["findings"] if finding["rule"] == "live-differs"]
    assert {finding["field"].split("/")[1] for finding in differs} == {"inputSchema", "outputSchema"}
    assert {finding["path"] for finding in differs} == {"harbour.py"}


def test_the_heading_says_how_the_server_was_reached(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    _, out, _ = echolot(capsys, "check", "--quality", *faulty("none"))
    assert out.splitlines()[0] == "faulty  live over stdio"
    (folder / "harbour.py").write_text(SOURCE, encoding="utf-8")
    _, out, _ = echolot(capsys, "check", "harbour.py", *faulty("none"))
    heading = out.splitlines()[0].split(" · ")
    assert heading[2:] == ["live over stdio", "harbour.py", "1 tool"]


def test_findings_of_a_configured_server_stand_at_its_entry(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    entry = {"command": sys.executable, "args": [FAULTY, "stdout-noise"], "env": {"HARBOUR_KEY": "s3cret"}}
    (folder / "mcp.json").write_text(json.dumps({"servers": {"harbour": entry}}, indent=1), encoding="utf-8")
    code, out, err = echolot(capsys, "check", "--quality", "--config", "mcp.json", "--entry", "harbour")
    assert code == 0
    assert "mcp.json:3:3" in out
    assert "s3cret" not in out + err


def test_an_order_that_changes_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = echolot(capsys, "check", *faulty("unstable-order"))
    assert (code, err) == (0, "Listed twice, the tools came in another order: prompt caches depend on it, so sort them.\n")


class Moving(BaseHTTPRequestHandler):
    """A server that has moved: within its origin, or to another, or in a circle; it notes what it was sent."""

    asked: list[tuple[str, str | None]]
    elsewhere: str

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.asked.append((self.path, self.headers.get("x-harbour-key")))
        to = {"/old": "/mcp", "/away": self.elsewhere + "/mcp", "/circle": "/circle"}.get(self.path.partition("?")[0])
        message = json.loads(body)
        if to is not None:
            self.send_response(307)
            self.send_header("location", to)
        elif "id" not in message:
            self.send_response(202)
        else:
            result: dict[str, Any] = {"tools": []}
            if message["method"] == "initialize":
                result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "moved"}}
            answer = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
            # keep-alive noise, as servers behind proxies send it
            data = f": keep-alive\r\n\r\nevent: ping\ndata: \n\nevent: message\ndata: {answer}\n\n".encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            return
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.send_response(405)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None: ...


def moving(elsewhere: str) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    handler = type("Handler", (Moving,), {"asked": [], "elsewhere": elsewhere})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", handler.asked  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


@pytest.fixture
def other() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    yield from moving("")


@pytest.fixture
def home(other: tuple[str, list[Any]]) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    yield from moving(other[0])


def test_a_redirect_within_the_origin_is_followed_with_its_headers(capsys: pytest.CaptureFixture[str], home: Any) -> None:
    url, asked = home
    code, out, err = echolot(capsys, "check", "--url", f"{url}/old?key=hidden", "--header", "X-Harbour-Key: s3cret")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"moved · live at {url}/old · 0 tools"
    assert ("/mcp", "s3cret") in asked


def test_another_origin_is_not_followed_and_gets_no_header(capsys: pytest.CaptureFixture[str], home: Any, other: Any) -> None:
    code, _, err = echolot(capsys, "check", "--url", f"{home[0]}/away", "--header", "X-Harbour-Key: s3cret")
    assert code == 2
    assert f"points to {other[0]}/mcp" in err
    assert "s3cret" not in err
    assert other[1] == []


def test_a_circle_of_redirects_ends(capsys: pytest.CaptureFixture[str], home: Any) -> None:
    code, _, err = echolot(capsys, "check", "--url", f"{home[0]}/circle")
    assert code == 2
    assert len(home[1]) < 60
    assert err.count("\n") == 1


def test_a_proxy_of_the_environment_is_used(capsys: pytest.CaptureFixture[str], home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.lower() in ("no_proxy", "http_proxy", "all_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HTTP_PROXY", home[0])
    code, _, _ = echolot(capsys, "check", "--url", "http://harbour.invalid/mcp")
    assert home[1][0][0] == "http://harbour.invalid/mcp"
    assert code == 0
