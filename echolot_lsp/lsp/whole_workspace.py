"""``checkWorkspace``: every server and tool list of the workspace is found, read and told of, opened or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.errors import UsageError
from echolot_lsp.lsp.progress import Cancelled, Report, shown
from echolot_lsp.lsp.scanning import search
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, shown_in
from echolot_lsp.model import Severity


def register(server: EcholotServer) -> None:
    """Registers the command."""
    server.on_command("checkWorkspace", check_workspace)


async def check_workspace(ls: EcholotServer, argument: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, as Markdown; the findings are published, and followed from then on. What tests make is left out."""
    if not ls.session.roots:
        raise UsageError("Open a folder first: there is no workspace to check.")
    try:
        paths = await shown(ls, "Checking the MCP servers of the workspace", lambda report: _read(ls, report))
    except Cancelled:
        raise UsageError("The check was cancelled; what had been read by then is shown.") from None
    servers = {id(each.server): each for path in paths for each in shown_in(path, ls.session.readings.values())}
    return {"title": "MCP servers of the workspace", "language": "markdown", "text": _text(servers.values())}


async def _read(ls: EcholotServer, report: Report) -> list[str]:
    """Finds the files and has them read, one after the other: an edit comes between."""
    paths: dict[str, None] = {}
    for root in ls.session.roots:
        paths.update(dict.fromkeys(await search(root, report, lists=True) or ()))
    for number, path in enumerate(paths, start=1):
        report(f"{number} of {len(paths)} files")
        ls.session.follow(path)
        await ls.session.at_rest()
    return list(paths)


def _text(found: Iterable[Shown]) -> str:
    lines = ["| server | tools | problems | warnings | notes | file |", "|---|---|---|---|---|---|"]
    for each in sorted(found, key=lambda each: (each.server.path or "", each.server.name)):
        counts = (each.count(severity) for severity in (Severity.PROBLEM, Severity.WARNING, Severity.NOTE))
        cells = [each.server.name, len(each.server.tools), *counts, each.server.path or each.reading.path]
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines) + "\n" if len(lines) > 2 else "No MCP server and no tool list is in this workspace.\n"
