"""From a source to servers. Extraction never raises on bad input: it answers with tools *and* troubles."""

from __future__ import annotations

from dataclasses import dataclass

from echolot_lsp.model import Server, Trouble


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a source holds: its servers (none: it is not about MCP), and what could not be read."""

    servers: tuple[Server, ...] = ()
    troubles: tuple[Trouble, ...] = ()
