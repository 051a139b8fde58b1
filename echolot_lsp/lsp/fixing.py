"""From fixes to edits of the texts, for what an editor shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from echolot_lsp import fixes
from echolot_lsp.fixes import Edit
from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import Finding


def edits(shown: Shown, findings: Iterable[Finding]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that mend ``findings`` (those that have a fix)."""
    return fixes.edits(shown.server, findings)
