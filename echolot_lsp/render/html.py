"""The card page, "how a model sees this server": one self-contained HTML text that draws a JSON report.

The page, its style and its script are the files in ``card/``. Nothing of a report becomes markup: it travels as JSON in one script
element that is no script, and the script writes text only. The same page serves a VS Code webview (messages), a browser (POST to
where it came from) and a saved file (nobody to talk to).
"""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from echolot_lsp.model import PROVIDERS
from echolot_lsp.render.markdown import render_markdown
from echolot_lsp.render.provider_text import provider_text

_NONCE = re.compile(r"[A-Za-z0-9+/_-]{8,200}={0,2}")

Mode = Literal["file", "browser", "webview"]


def render_card(
    report: Mapping[str, Any],
    *,
    mode: Mode = "file",
    nonce: str | None = None,
    token: str = "",
    can: Sequence[Literal["open", "try", "checkLive"]] = (),
    models: Sequence[str] = (),
    model: str | None = None,
    chosen: int = 0,
    version: int = 0,
) -> str:
    """The page for a JSON report (``report.schema.json``).

    ``nonce`` marks its style and script for the content security policy (made here when not given, or no nonce). ``token`` goes with every POST
    of a browser. ``can``: what the host does for the page. ``models``: references to offer; ``model``: the one that is filled in.
    ``chosen``: the position of the server that is shown first. ``version``: counts the reports that were shown.
    """
    if nonce is None or not _NONCE.fullmatch(nonce):
        nonce = secrets.token_urlsafe(18)
    data = card_message(report, version=version) | {
        "mode": mode,
        "token": token,
        "can": list(can),
        "models": list(models),
        "model": model,
        "chosen": chosen,
    }
    parts = {
        "csp": "" if mode == "browser" else f'<meta http-equiv="Content-Security-Policy" content="{policy(nonce, mode)}">',
        "nonce": nonce,
        "style": _part("card.css"),
        "script": _part("card.js"),
        "data": embedded(data),
    }
    pieces = _part("page.html").split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, _, rest in (piece.partition("}}") for piece in pieces[1:]))


def card_message(report: Mapping[str, Any], *, version: int = 0) -> dict[str, Any]:
    """What the page draws, and the message that shows it a new report: the report, and for each server its forms and Markdown."""
    servers = [
        {
            "forms": {provider: _form(provider, server["tools"]) for provider in PROVIDERS} if server["tools"] else {},
            "markdown": render_markdown({**report, "servers": [server]}),
        }
        for server in report["servers"]
    ]
    return {"type": "report", "version": version, "report": report, "servers": servers}


def _form(provider: Any, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    form = provider_text(provider, tools)
    return {
        "text": form.text,
        "marks": [
            {"line": mark.line, "indent": mark.indent, "kind": mark.kind, "text": mark.text, "why": mark.why, "lossy": mark.lossy}
            for mark in form.marks
        ],
        "tools": [{"index": index, "line": line, "name": str(tools[index].get("name", ""))} for index, line in form.tools],
    }


def policy(nonce: str, mode: Mode) -> str:
    """The content security policy: this style, this script, and in a browser this server; nothing else is loaded or asked.

    A webview brings a style of its own, so styles are told apart by nothing there; no text of the page can become a style.
    """
    style = "'unsafe-inline'" if mode == "webview" else f"'nonce-{nonce}'"
    connect = "'self'" if mode == "browser" else "'none'"
    rest = "; frame-ancestors 'none'" if mode == "browser" else ""
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src {style}; connect-src {connect};"
        f" base-uri 'none'; form-action 'none'{rest}"
    )


def embedded(value: Any) -> str:
    """JSON that may stand inside a script element: no ``<``, ``>``, ``&`` and nothing but ASCII; numbers that JSON lacks are text."""
    text = dumps(value)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def dumps(value: Any) -> str:
    """JSON in ASCII, also of values with numbers that JSON lacks (infinite, not a number: they become text)."""
    try:
        return json.dumps(value, allow_nan=False, default=str)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


@cache
def _part(name: str) -> str:
    return files("echolot_lsp.render").joinpath("card", name).read_text(encoding="utf-8")
