"""The list as a provider receives it: a virtual document where the client has those, else a read-only file of our own.

A virtual document follows its source: the client is told to ask again when a report has changed. What was lost is told beside the text,
which stays exactly what is sent: as hints, the one kind of diagnostic that no list of problems shows.
"""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from echolot_lsp.errors import UsageError
from echolot_lsp.lsp.live_reports import servers_of
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import PROVIDERS, ProviderName
from echolot_lsp.text import LineIndex

SCHEME = "echolot"


def register(server: EcholotServer) -> None:
    """Registers the feature. The handler answers in any case; the client is told of it in ``initialized``."""
    server.on(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, content)
    server.registrations.append(registration)
    opened: set[str] = set()
    server.provider_documents = opened

    def follow(paths: Collection[str], numbers: bool) -> None:
        uris = {server.session.documents.uri(path) for path in paths}
        for document in opened:
            if _source(document)[0] in uris and has_virtual_documents(server):
                params = types.TextDocumentContentRefreshParams(uri=document)
                server.background(server.workspace_text_document_content_refresh_async(params))

    server.listeners.append(follow)


def registration(ls: EcholotServer) -> types.Registration | None:
    """What ``initialized`` registers, where the client wants it registered."""
    workspace = ls.capabilities.workspace
    wanted = workspace.text_document_content if workspace else None
    if wanted is None or not wanted.dynamic_registration:
        return None
    options = types.TextDocumentContentRegistrationOptions(schemes=[SCHEME])
    return types.Registration(id="echolot-content", method=types.WORKSPACE_TEXT_DOCUMENT_CONTENT, register_options=options)


def has_virtual_documents(ls: EcholotServer) -> bool:
    """Whether the client shows documents that only the server has."""
    workspace = ls.capabilities.workspace
    return bool(workspace and workspace.text_document_content)


async def content(ls: EcholotServer, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    """The text of a virtual document."""
    uri, name, provider, live = _source(params.uri)
    await ls.session.at_rest()
    for shown in servers_of(ls, uri, live):
        if shown.server.name == name:
            ls.provider_documents.add(params.uri)
            value = text(shown, provider)
            mark(ls, params.uri, value, await asyncio.to_thread(marks, shown, provider))
            return types.TextDocumentContentResult(text=value)
    raise UsageError("The server of this document is no longer there.")


def text(shown: Shown, provider: ProviderName) -> str:
    """Exactly the value of the provider's ``tools`` field, as JSON."""
    from echolot_lsp.providers import wire_form

    conversion = wire_form(provider, [tool.wire for tool in shown.server.tools])
    return json.dumps(conversion.value, ensure_ascii=False, indent=2, default=lambda unknown: None) + "\n"


def marks(shown: Shown, provider: ProviderName) -> list[dict[str, Any]]:
    """What was lost or would be refused, by the line (from 0) at which it stood: ``line`` and ``text``."""
    from echolot_lsp.render.provider_text import provider_text

    found: dict[int, list[str]] = {}
    for each in provider_text(provider, [tool.wire for tool in shown.server.tools]).marks:
        if each.lossy or each.kind == "refused":
            found.setdefault(each.line, []).append(f"{each.why} ({each.text})" if each.text else each.why)
    return [{"line": line, "text": "\n".join(dict.fromkeys(found[line]))} for line in sorted(found)]


def mark(ls: EcholotServer, document: str, value: str, found: Sequence[Mapping[str, Any]]) -> None:
    """Publishes marks as hints of a document with a text."""
    lines = LineIndex(value)
    items = []
    for each in found:
        line = lines.line(each["line"])
        start = lines.starts[each["line"]]
        ends = [
            lines.position(start + at, ls.session.announced.encoding).character
            for at in (len(line) - len(line.lstrip()), len(line))
        ]
        where = {name: {"line": each["line"], "character": end} for name, end in zip(("start", "end"), ends, strict=True)}
        severity = types.DiagnosticSeverity.Hint.value
        items.append({"range": where, "severity": severity, "source": "echolot", "message": each["text"]})
    ls.publish(document, None, json.dumps(items))


def uri(ls: EcholotServer, source: str, shown: Shown, provider: ProviderName, value: str) -> str:
    """The address under which the client can show the list: virtual, or of a file."""
    if has_virtual_documents(ls):
        names = (shown.server.name or "server", *(["live"] if shown.checked else []), f"{provider}.json")
        path = "/".join(quote(part, safe="") for part in names)
        return f"{SCHEME}:/{path}?{quote(source, safe='')}"
    return _file(source, shown.server.name, provider, value).as_uri()


def _source(document: str) -> tuple[str, str, ProviderName, bool]:
    """The document, the server and the provider that a virtual document's address names, and whether it is of the server that ran."""
    parts = urlsplit(document)
    names = [unquote(part) for part in parts.path.split("/") if part]
    provider = names[-1].removesuffix(".json") if names else ""
    for known in PROVIDERS:
        if provider == known and names[1:-1] in ([], ["live"]):
            return unquote(parts.query), names[0], known, len(names) == 3
    raise UsageError("This is no document of Echolot's.")


def _file(source: str, server: str, provider: ProviderName, value: str) -> Path:
    """A read-only file in a folder that only this user can look into; the same file for the same server each time."""
    import hashlib
    import tempfile

    owner = getattr(os, "getuid", lambda: "user")()
    folder = Path(tempfile.gettempdir()) / f"echolot-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
        raise UsageError(f"{folder} belongs to somebody else.")
    folder.chmod(0o700)
    mark = hashlib.sha256(f"{source}\n{server}".encode()).hexdigest()[:8]
    name = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in server)[:60] or "server"
    path = folder / f"{name}-{mark}-{provider}.json"
    path.unlink(missing_ok=True)
    path.write_text(value, encoding="utf-8", newline="\n")
    path.chmod(0o400)
    return path
