"""The card page in a browser: a server on 127.0.0.1 that shows it, answers it and keeps it up to date.

Whoever asks must know the token, name a loopback host, and not come from another page. A GET only ever shows the page. The server
lives in threads of the process that started it and ends with it. `echolot mcp view` and the language server both use it.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs, urlsplit

from echolot_lsp.render.html import card_message, dumps, policy, render_card

LARGEST_BODY = 1 << 20
"""Bytes of a POST that are read."""
WAIT_SECONDS = 20.0
"""How long a page's question for something new is held."""
SETTLED_SECONDS = 0.25
LONGEST_SETTLING = 1.5
MOST_WAITING = 16
"""Pages that may wait at once; more are answered at once and ask again."""

Answer = Callable[[Mapping[str, Any], Mapping[str, Any]], "Mapping[str, Any] | None"]
"""What the host answers to a message of the page, given the report that is shown."""


class CardServer:
    """One page for one report, on a random port of 127.0.0.1. ``url`` opens it."""

    def __init__(
        self,
        report: Mapping[str, Any],
        answer: Answer,
        *,
        can: Collection[Any] = ("try",),
        model: str | None = None,
        chosen: int = 0,
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self._answer = answer
        self._can = tuple(can)
        self._model = model
        self._chosen = chosen
        self._report = report
        self._version = 1
        self._changed = threading.Condition()
        self._waiting = 0
        self._closed = False
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.card = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), name="echolot-card", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/?token={self.token}"

    def show(self, report: Mapping[str, Any]) -> None:
        """Show another report: pages that are open follow. One that says the same changes nothing."""
        with self._changed:
            if report == self._report:
                return
            self._report = report
            self._version += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End the server; pages say that it has ended."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._http.shutdown()
        self._http.server_close()

    def page(self, nonce: str) -> str:
        """The page as it is now."""
        with self._changed:
            report, version = self._report, self._version
        return render_card(
            report,
            mode="browser",
            nonce=nonce,
            token=self.token,
            can=self._can,
            model=self._model,
            chosen=self._chosen,
            version=version,
        )

    def wait(self, known: object, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """The report as soon as it is another than the one that a page knows, or word that it is not, or that all has ended."""
        deadline = time.monotonic() + seconds
        with self._changed:
            self._waiting += 1
            try:
                while self._version == known and not self._closed and self._waiting <= MOST_WAITING:
                    if not self._changed.wait(deadline - time.monotonic()):
                        break
                    self._settle()
                report, version, closed = self._report, self._version, self._closed
            finally:
                self._waiting -= 1
        if closed:
            return {"type": "ended"}
        return {"type": "same"} if version == known else card_message(report, version=version)

    def _settle(self) -> None:
        """While somebody types, a report follows another: wait for a pause, so that a page is drawn once."""
        latest = time.monotonic() + LONGEST_SETTLING
        while not self._closed and time.monotonic() < latest and self._changed.wait(SETTLED_SECONDS):
            pass

    def answer(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host's answer to a message of the page."""
        with self._changed:
            report = self._report
        return self._answer(message, report) or {"type": "none"}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    card: CardServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that went away in the middle of an answer is no event."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "echolot"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Shows the page; changes nothing."""
        parts = urlsplit(self.path)
        if not self._is_at_home():
            return
        if parts.path != "/":
            self._say(404, "There is nothing here but the page.")
            return
        given = parse_qs(parts.query).get("token", [""])[0]
        if not self._knows(given):
            self._say(403, "This page needs the address that Echolot printed, with its token.")
            return
        nonce = secrets.token_urlsafe(18)
        body = self.server.card.page(nonce).encode("utf-8")
        self._send(200, "text/html; charset=utf-8", body, policy(nonce, "browser"))

    def do_POST(self) -> None:
        """Answers the page."""
        if not self._is_at_home() or not self._is_from_the_page():
            return
        if not self._knows(self.headers.get("x-echolot-token", "")):
            self._say(403, "The token is missing or wrong.")
            return
        message = self._message()
        if message is None:
            return
        path = urlsplit(self.path).path
        if path == "/wait":
            self._json(self.server.card.wait(message.get("version")))
        elif path == "/message":
            self._json(self.server.card.answer(message))
        else:
            self._say(404, "There is nothing here but the page.")

    def _is_at_home(self) -> bool:
        """A name that leads here from elsewhere (DNS rebinding) is no loopback name."""
        if _is_loopback(self.headers.get("host", "")):
            return True
        self._say(403, "This server answers to this machine's own names only.")
        return False

    def _is_from_the_page(self) -> bool:
        """Another page's requests name their origin; ours is the host that was asked."""
        origin = self.headers.get("origin")
        site = self.headers.get("sec-fetch-site")
        foreign = origin is not None and urlsplit(origin).netloc != self.headers.get("host")
        if foreign or site not in (None, "same-origin"):
            self._say(403, "Requests of other pages are not answered.")
            return False
        if self.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            self._say(415, "A message is JSON.")
            return False
        return True

    def _knows(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.server.card.token.encode("utf-8"))

    def _message(self) -> Mapping[str, Any] | None:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()) or len(length) > 12 or int(length) > LARGEST_BODY:
            self._say(413, "The message is too long, or of unknown length.")
            return None
        try:
            message = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError, OSError):
            message = None
        if isinstance(message, dict):
            return message
        self._say(400, "The message is no JSON object.")
        return None

    def _json(self, value: Any) -> None:
        self._send(200, "application/json", dumps(value).encode("ascii"))

    def _say(self, status: int, sentence: str) -> None:
        self._send(status, "text/plain; charset=utf-8", f"{sentence}\n".encode())

    def _send(
        self, status: int, kind: str, body: bytes, content_policy: str = "default-src 'none'; frame-ancestors 'none'"
    ) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", content_policy),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Connection", "close"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Addresses hold the token: nothing is logged."""


def _is_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if name is None:
        return False
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def follow(
    server: CardServer,
    load: Callable[[], tuple[Mapping[str, Any], Collection[str]]],
    *,
    first: tuple[Mapping[str, Any], Collection[str]] | None = None,
    seconds: float = 0.7,
    ended: Callable[[], bool] = lambda: False,
) -> None:
    """Show what ``load`` answers (a report, and the paths that it rests on) whenever one of the paths changes, until ``ended``. ``first``:
    what is shown already.
    """
    shown, paths = first if first is not None else load()
    known = _stamps(paths)
    while not ended():
        time.sleep(seconds)
        now = _stamps(paths)
        if now == known:
            continue
        report, paths = load()
        known = _stamps(paths)
        if report != shown:
            shown = report
            server.show(report)


def _stamps(paths: Collection[str]) -> dict[str, tuple[int, int] | None]:
    stamps: dict[str, tuple[int, int] | None] = {}
    for path in paths:
        try:
            status = os.stat(path)
            stamps[path] = status.st_mtime_ns, status.st_size
        except (OSError, ValueError):
            stamps[path] = None
    return stamps
