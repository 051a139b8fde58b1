"""The servers that a client's configuration file names: what can be done with each, as lenses and as code actions.

Nothing is started by looking at such a file: an entry offers to be checked, and once it was, what was found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from echolot_lsp.lsp.code_lens import command, summary
from echolot_lsp.lsp.documents import Document
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import View

if TYPE_CHECKING:
    from echolot_lsp.extract.live.configs import Entry

NAMES = ("mcp.json", ".mcp.json", "claude_desktop_config.json")
LARGEST = 1 << 20
"""Characters of a file that is taken for a configuration."""

Offered = tuple["Entry", list[types.Command]]


def offered(ls: EcholotServer, document: Document) -> Iterator[Offered]:
    """Each entry of a configuration file that can be started, with what is offered for it; nothing in any other document."""
    if os.path.basename(document.path) not in NAMES or len(document.text) > LARGEST or ls.options.get("trusted") is False:
        return
    from echolot_lsp.extract.live.configs import entries_of

    found = entries_of(document.path, document.text, environment=os.environ)
    checked = {shown.server.name: shown for shown in ls.live.of(document.path)}
    for entry in found.entries if found is not None else ():
        own = bool(ls.options.get("commandLinks"))
        check = {"uri": document.uri, "entry": entry.name}
        target: dict[str, Any] = {"uri": document.uri, "server": entry.name, "live": True}
        shown = checked.get(entry.name)
        if shown is None:
            yield entry, [command("Check this server", "checkLive", check, own)]
            continue
        json = {**target, "provider": "anthropic"} if not own else target
        commands = [
            command(summary(shown), "openCard", target, own),
            command("Check again", "checkLive", check, own),
            command("Provider JSON", "openProviderJson", json, own),
            *([command("Try with a model", "tryWithModel", target, own)] if own else []),
        ]
        yield entry, commands


def lenses(ls: EcholotServer, document: Document) -> list[types.CodeLens]:
    """The lenses of a configuration file."""
    view = View(document, [], ls.session.announced.encoding)
    return [
        types.CodeLens(range=view.range(entry.place.start, entry.place.end), command=each)
        for entry, commands in offered(ls, document)
        for each in commands
    ]


def actions(ls: EcholotServer, document: Document, wanted: types.Range) -> list[types.CodeAction]:
    """The same for editors without lenses, where the cursor is on an entry's name."""
    view = View(document, [], ls.session.announced.encoding)
    start, end = view.offset(wanted.start), view.offset(wanted.end)
    return [
        types.CodeAction(title=f"{entry.name}: {each.title}", kind=types.CodeActionKind.Source, command=each)
        for entry, commands in offered(ls, document)
        if entry.place.start <= end and start <= entry.place.end
        for each in commands
    ]
