"""What a fix costs: how much larger or smaller it makes an input schema, roughly, as rules know no tokens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from echolot_lsp.anatomy import Anatomy
from echolot_lsp.model import Operation
from echolot_lsp.operations import performed
from echolot_lsp.words import counted

BYTES_OF_A_TOKEN = 2
"""Bytes of JSON for one token of a schema at the dearest provider: 1.8 to 2.4 in ten real schemas (measured 2026-11-30)."""
LARGE = 1_800
"""Bytes of JSON from which on a schema may cost more than 1,000 tokens."""
SURELY_LARGE = 2_600
"""Bytes of JSON from which on it does."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Bytes of an input schema before and after a fix, and its JSON after it."""

    before: int
    text: bytes

    @property
    def words(self) -> str:
        """``about 21 tokens more``."""
        more = round((len(self.text) - self.before) / BYTES_OF_A_TOKEN)
        return f"about {counted(abs(more), 'token')} {'more' if more > 0 else 'less'}" if more else "about as many tokens"

    @property
    def makes_it_large(self) -> bool:
        """Whether a schema that was not large may be so afterwards."""
        return self.is_large and self.before <= SURELY_LARGE

    @property
    def is_large(self) -> bool:
        """Whether it grows, and may then cost more than 1,000 tokens."""
        return len(self.text) > max(self.before, LARGE)


def growth(shape: Anatomy, operations: Sequence[Operation]) -> Growth:
    """What operations on an input schema make of its size. Raises as ``performed`` does."""
    key = str(shape.parts[0].path[0])
    return Growth(len(_json(shape.root)), _json(performed({key: shape.root}, operations)[key]))


def _json(schema: Any) -> bytes:
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"), default=lambda unknown: None)
    return text.encode("utf-8", "surrogatepass")
