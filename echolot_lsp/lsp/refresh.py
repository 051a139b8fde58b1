"""Telling the client that what it drew is out of date: hints and lenses when numbers changed, cards when a report did."""

from __future__ import annotations

from collections.abc import Collection

from lsprotocol import types

from echolot_lsp.lsp.server import EcholotServer


def register(server: EcholotServer) -> None:
    """Listens for changes."""

    def listen(paths: Collection[str], numbers: bool) -> None:
        if numbers:
            refresh(server)
        if server.options.get("serversChanged"):
            for path in paths:
                if server.session.documents.get(path) is not None:
                    server.protocol.notify("echolot/serversChanged", {"uri": server.session.documents.uri(path)})

    server.listeners.append(listen)


def refresh(ls: EcholotServer) -> None:
    """Has hints and lenses asked for again, where the client can be told so."""
    refresh_hints(ls)
    workspace = ls.capabilities.workspace
    if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
        ls.background(ls.protocol.send_request_async(types.WORKSPACE_CODE_LENS_REFRESH))


def refresh_hints(ls: EcholotServer) -> None:
    """Has hints asked for again, where the client can be told so."""
    workspace = ls.capabilities.workspace
    if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
        ls.background(ls.protocol.send_request_async(types.WORKSPACE_INLAY_HINT_REFRESH))
