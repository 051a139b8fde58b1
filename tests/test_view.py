"""The page's server: who may ask, what a GET does, how a page follows the source."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from echolot_lsp import view
from echolot_lsp.view import CardServer, follow
from tests.render.card.samples import report

Answered = tuple[int, Mapping[str, str], bytes]


class Running:
    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.card = CardServer(report(2), self.answer)
        self.port = urlsplit(self.card.url).port or 0

    def answer(self, message: Mapping[str, Any], shown: Mapping[str, Any]) -> Mapping[str, Any] | None:
        self.messages.append(message)
        return {"type": "notice", "text": shown["servers"][0]["name"]} if message.get("type") != "open" else None

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Answered:
        sent = (
            {"host": f"127.0.0.1:{self.port}", "content-length": str(len(body))}
            if method != "GET"
            else {"host": f"127.0.0.1:{self.port}"}
        )
        if method == "POST":
            sent |= {"content-type": "application/json", "x-echolot-token": self.card.token}
        for name, value in headers.items():
            name = name.replace("_", "-")
            sent.pop(name, None)
            if value is not None:
                sent[name] = value
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(body or None)
        response = connection.getresponse()
        answered = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        connection.close()
        return answered

    def post(self, path: str, message: Any, **headers: str | None) -> Answered:
        return self.ask("POST", path, json.dumps(message).encode(), **headers)


@pytest.fixture(scope="module")
def shared() -> Iterator[Running]:
    server = Running()
    yield server
    server.card.close()


@pytest.fixture
def running(shared: Running) -> Running:
    """A server whose report nobody changes."""
    shared.messages.clear()
    return shared


@pytest.fixture
def fresh() -> Iterator[Running]:
    server = Running()
    yield server
    server.card.close()


def test_the_page_is_shown_to_whoever_has_its_address(running: Running) -> None:
    status, headers, body = running.ask("GET", f"/?token={running.card.token}")
    assert status == 200
    assert b"How a model sees" in body
    nonce = headers["content-security-policy"].split("'nonce-")[1].split("'")[0]
    assert f'<script nonce="{nonce}">'.encode() in body
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    again = running.ask("GET", f"/?token={running.card.token}")[1]["content-security-policy"]
    assert nonce not in again
    assert running.card.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?token=%ff%fe", "/?Token=x", "//?token=x"])
def test_without_the_token_there_is_no_page(running: Running, path: str) -> None:
    status, headers, body = running.ask("GET", path)
    assert status in (403, 404)
    assert b"harbour" not in body
    assert running.card.token.encode() not in body
    assert "default-src 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/message", "/wait", "/data", "/favicon.ico", "/../etc/passwd"])
def test_a_get_does_nothing(running: Running, path: str) -> None:
    status, _, body = running.ask("GET", f"{path}?token={running.card.token}&type=try")
    assert (status, running.messages) == (404, [])
    assert b"harbour" not in body


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"])
def test_other_methods_are_refused(running: Running, method: str) -> None:
    status, headers, _ = running.ask(method, f"/message?token={running.card.token}")
    assert (status, running.messages) == (501, [])
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.168.0.7",
        "",
        "[::ffff:1.2.3.4]",
        "[bad",
        None,
    ],
)
def test_a_host_that_is_not_this_machine_is_refused(running: Running, host: str | None) -> None:
    assert running.ask("GET", f"/?token={running.card.token}", host=host)[0] == 403
    assert running.post("/message", {"type": "try"}, host=host)[0] == 403
    assert running.messages == []


@pytest.mark.parametrize("host", ["localhost:9999", "127.0.0.1", "[::1]:80", "card.localhost"])
def test_any_name_of_this_machine_will_do(running: Running, host: str) -> None:
    assert running.ask("GET", f"/?token={running.card.token}", host=host)[0] == 200
    assert running.post("/message", {"type": "x"}, host=host, origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://localhost"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"x_echolot_token": None},
        {"x_echolot_token": "wrong"},
        {"x_echolot_token": ""},
    ],
)
def test_a_post_of_another_page_or_without_the_token_is_refused(running: Running, headers: dict[str, str | None]) -> None:
    status, answered, body = running.post("/message", {"type": "try"}, **headers)
    assert (status, running.messages) == (403, [])
    assert "access-control-allow-origin" not in answered
    assert running.card.token.encode() not in body
    assert running.post("/wait", {"version": 0}, **headers)[0] == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None])
def test_a_form_is_no_message(running: Running, kind: str | None) -> None:
    assert running.post("/message", {"type": "try"}, content_type=kind)[0] == 415
    assert running.messages == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b"null", b"\xff", b"[" * 200_000])
def test_what_is_no_json_object_is_refused(running: Running, body: bytes) -> None:
    assert running.ask("POST", "/message", body)[0] == 400
    assert running.messages == []


@pytest.mark.parametrize("length", ["99999999999", "-1", "x", "", "1e3", None])
def test_a_body_of_unknown_or_endless_length_is_not_read(running: Running, length: str | None) -> None:
    assert running.ask("POST", "/message", b"", content_length=length)[0] == 413


def test_a_message_is_answered_by_the_host(running: Running) -> None:
    status, headers, body = running.post("/message", {"type": "try", "id": "1"}, sec_fetch_site="same-origin")
    assert (status, json.loads(body)) == (200, {"type": "notice", "text": "harbour"})
    assert headers["content-type"] == "application/json"
    assert json.loads(running.post("/message", {"type": "open"})[2]) == {"type": "none"}
    assert running.messages == [{"type": "try", "id": "1"}, {"type": "open"}]
    assert running.post("/elsewhere", {})[0] == 404


def test_a_page_that_waits_is_told_of_the_next_report(fresh: Running) -> None:
    got: list[Any] = []
    waiting = threading.Thread(target=lambda: got.append(fresh.card.wait(1)))
    waiting.start()
    fresh.card.show(report(3, "newer"))
    waiting.join(10)
    assert (got[0]["type"], got[0]["version"], got[0]["report"]["servers"][0]["name"]) == ("report", 2, "newer")
    _, _, body = fresh.post("/wait", {"version": 1})
    assert json.loads(body)["servers"][0]["forms"]["gemini"]["text"].startswith("[")
    assert b"newer" in fresh.ask("GET", f"/?token={fresh.card.token}")[2]


def test_while_somebody_types_a_page_is_told_once(fresh: Running) -> None:
    got: list[Any] = []
    waiting = threading.Thread(target=lambda: got.append(fresh.card.wait(1)))
    waiting.start()
    for count in range(3, 9):
        fresh.card.show(report(count))
    waiting.join(10)
    assert (got[0]["version"], len(got[0]["report"]["servers"][0]["tools"])) == (7, 8)
    fresh.card.show(report(8))
    assert fresh.card.wait(7, seconds=0.01) == {"type": "same"}


def test_waiting_ends_by_itself_and_too_many_do_not_wait(fresh: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fresh.card.wait(1, seconds=0.05) == {"type": "same"}
    monkeypatch.setattr(view, "MOST_WAITING", 0)
    assert fresh.card.wait(1, seconds=60) == {"type": "same"}


def test_a_server_that_ends_frees_whoever_waits() -> None:
    server = Running()
    got: list[Any] = []
    waiting = threading.Thread(target=lambda: got.append(server.card.wait(1, seconds=60)))
    waiting.start()
    server.card.close()
    waiting.join(10)
    assert got == [{"type": "ended"}]
    with pytest.raises(OSError, match=r"."):
        server.ask("GET", "/")


def test_a_page_follows_the_files_that_it_rests_on(tmp_path: Path, fresh: Running) -> None:
    source = tmp_path / "server.py"
    source.write_text("one", encoding="utf-8")
    loads: list[str] = []
    shown = threading.Event()

    def load() -> tuple[Mapping[str, Any], list[str]]:
        loads.append(source.read_text(encoding="utf-8"))
        if loads[-1] == "another":
            shown.set()
        return report(len(loads[-1]), loads[-1]), [str(source), str(tmp_path / "absent.py")]

    following = threading.Thread(target=lambda: follow(fresh.card, load, seconds=0.01, ended=shown.is_set))
    following.start()
    source.write_text("another", encoding="utf-8")
    following.join(10)
    assert not following.is_alive()
    assert fresh.card.wait(0, seconds=5)["report"]["servers"][0]["name"] in ("another", "harbour")
    assert loads[-1] == "another"
