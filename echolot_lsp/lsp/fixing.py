"""From fixes to edits of the texts, for what an editor shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from echolot_lsp import fixes
from echolot_lsp.fixes import Edit
from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import Finding, Server


def edits(shown: Shown, findings: Iterable[Finding]) -> Mapping[str, list[Edit]]:
    """The edits, by file, that mend ``findings`` (those that have a fix)."""
    return fixes.edits(shown.server, findings)


def edits_of_one(shown: Shown, finding: Finding) -> Mapping[str, list[Edit]]:
    """The edits for one finding. Editors ask at every move of the cursor, so the last answers are kept."""
    return _made(shown.server, _Same(finding))


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A finding, told apart by being the same object."""

    finding: Finding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.finding is other.finding

    def __hash__(self) -> int:
        return id(self.finding)


@lru_cache(maxsize=16)
def _made(server: Server, same: _Same) -> Mapping[str, list[Edit]]:
    return fixes.edits(server, [same.finding])
