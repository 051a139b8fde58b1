"""The commands that need nothing but what is known already: provider JSON, summary, rule pages, Markdown, debug info.

``target`` and ``answer`` are for the other command files (card, trial, live) too: which server is meant, and an answer that the
client shows by itself where it can.
"""

from __future__ import annotations

import asyncio
import json
import platform
import sys
from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from echolot_lsp import __version__
from echolot_lsp.errors import UsageError
from echolot_lsp.lsp import provider_json
from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.live_reports import servers_of
from echolot_lsp.lsp.numbers import dearest
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import PROVIDERS, ProviderName, Severity

Argument = Mapping[str, Any]


def register(server: EcholotServer) -> None:
    """Registers the commands."""
    server.on_command("openProviderJson", open_provider_json)
    server.on_command("explainRule", explain_rule)
    server.on_command("summary", summary)
    server.on_command("showDebugInfo", show_debug_info)


async def target(ls: EcholotServer, argument: Argument) -> Shown:
    """The server that a command is about, of the text as it is now: by ``uri`` and ``server``, else the first in the file.

    Raises ``UsageError`` with one sentence where there is none.
    """
    uri = argument.get("uri")
    if not isinstance(uri, str):
        raise UsageError("Say which document is meant.")
    await ls.session.at_rest()
    found = servers_of(ls, uri, argument.get("live") is True)
    name = argument.get("server")
    if isinstance(name, str):
        found = [shown for shown in found if shown.server.name == name] or found
    if not found:
        configuration = path_of(uri).endswith("mcp.json")
        raise UsageError("Check one of its servers first." if configuration else "No MCP server is declared in this file.")
    return found[0]


async def answer(ls: EcholotServer, argument: Argument, result: dict[str, Any]) -> dict[str, Any]:
    """``result``, after the client was asked to show its ``uri`` (unless it shows answers by itself, ``show: false``). One that shows no
    documents is told where the file is, or how the text begins."""
    if argument.get("show") is False:
        return result
    window = ls.capabilities.window
    if not (window and window.show_document and window.show_document.support):
        ls.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message=_in_a_line(result)))
    elif "uri" in result:
        external = result["uri"].startswith("http")
        params = types.ShowDocumentParams(uri=result["uri"], external=external, take_focus=True)
        await ls.window_show_document_async(params)
    return result


def _in_a_line(result: Mapping[str, Any]) -> str:
    """What a status line can show of an answer."""
    uri = result.get("uri")
    if isinstance(uri, str):
        return f"{result['title']}: {path_of(uri) if uri.startswith('file:') else uri}"
    lines = (line.strip().lstrip("#-*> ").replace("**", "").replace("`", "") for line in str(result.get("text", "")).splitlines())
    first = next((line for line in lines if line and not str(result["title"]).startswith(line)), "")
    return f"{result['title']}: {first}" if first else str(result["title"])


async def open_provider_json(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """The list as a provider receives it."""
    shown = await target(ls, argument)
    provider = argument.get("provider", "anthropic")
    if provider not in PROVIDERS:
        raise UsageError("Say which provider is meant: anthropic, openai or gemini.")
    wanted: ProviderName = provider
    text = provider_json.text(shown, wanted)
    uri = provider_json.uri(ls, str(argument["uri"]), shown, wanted, text)
    title = f"{shown.server.name} as {provider} receives it"
    lost = await asyncio.to_thread(provider_json.marks, shown, wanted)
    if argument.get("show") is not False:
        provider_json.mark(ls, uri, text, lost)
    return await answer(ls, argument, {"title": title, "language": "json", "text": text, "uri": uri, "marks": lost})


async def explain_rule(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """A rule's page."""
    from echolot_lsp.lsp.convert import page_uri
    from echolot_lsp.lsp.hover import rule_page

    rule = argument.get("rule")
    page = rule_page(rule) if isinstance(rule, str) else None
    if page is None:
        raise UsageError(f"There is no rule {rule!r}.")
    result = {"title": str(rule), "language": "markdown", "text": page}
    link = page_uri(str(rule))
    await answer(ls, argument, {**result, "uri": link} if link else result)
    return result


async def summary(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """A line for each server of a document, for status bars."""
    uri = argument.get("uri")
    servers: list[dict[str, Any]] = []
    for shown in servers_of(ls, uri) if isinstance(uri, str) else []:
        cost = dearest(shown)
        place = shown.server.place
        source = None if place is None else shown.server.sources.get(place.file)
        line = 0 if place is None or source is None else source.text.count("\n", 0, source.resolve(place)[0])
        servers.append(
            {
                "name": shown.server.name,
                "tools": len(shown.server.tools),
                "tokens": None if cost is None else cost.total,
                "share": None if cost is None else cost.total / shown.report.window,
                "problems": shown.count(Severity.PROBLEM),
                "warnings": shown.count(Severity.WARNING),
                "notes": shown.count(Severity.NOTE),
                "line": line,
            }
        )
    return {"servers": servers}


async def show_debug_info(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """What runs here, which servers are seen, from where, and what of them is not known."""
    from importlib.metadata import PackageNotFoundError, version

    lines = [f"echolot-lsp {__version__}, Python {platform.python_version()} ({sys.executable}), {platform.platform()}"]
    for package in ("pygls", "lsprotocol", "libcst", "pydantic", "mcp"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} is not installed")
    lines.append(f"Position encoding: {ls.session.announced.encoding}")
    lines.append("Workspace: " + (", ".join(ls.session.roots) or "none"))
    parts = ["# Echolot", "\n".join(f"- {line}" for line in lines)]
    wanted = argument.get("uri")
    for path, reading in sorted(ls.session.readings.items()):
        if isinstance(wanted, str) and path != path_of(wanted) and not reading.about_mcp:
            continue
        parts.append(f"## {path}\n\n{_reading_text(reading)}")
    return await answer(ls, argument, {"title": "Echolot: debug info", "language": "markdown", "text": "\n\n".join(parts) + "\n"})


def _reading_text(reading: Any) -> str:
    lines: list[str] = []
    for shown in (Shown(server, report, reading) for server, report in zip(reading.servers, reading.reports, strict=True)):
        server = shown.server
        framework = " ".join(part for part in (server.framework, server.framework_version) if part) or server.origin
        python = f", Python {server.python}" if server.python else ""
        lines.append(f"- {server.name}: {len(server.tools)} tools, {framework}{python}")
        for unresolved in server.unresolved:
            tool = "the list" if unresolved.index is None else server.tools[unresolved.index].name or f"tool {unresolved.index + 1}"
            lines.append(f"  - {tool}{'' if not unresolved.path else ' ' + json.dumps(list(unresolved.path))}: {unresolved.why}")
    lines += [f"- {trouble.message}" for trouble in reading.troubles]
    return "\n".join(lines) or "- nothing about MCP"
