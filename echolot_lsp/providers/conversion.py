"""What a conversion to a provider's form answers: the value, and everything that changed on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from echolot_lsp.model import Path, ProviderName, Unresolved

Kind: TypeAlias = Literal["kept", "dropped", "rewritten", "refused"]
"""``kept``: sent, but not every client of the provider carries it. ``dropped``: not sent. ``rewritten``: said in another way.
``refused``: sent as it is, and the provider's API answers with an error."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a conversion did to a tool: where in the MCP tool, to which keyword, what, and one sentence about it.

    ``lossy``: a constraint on the arguments is gone, so a model may send what the server refuses.
    """

    index: int
    path: Path
    keyword: str
    kind: Kind
    text: str
    lossy: bool = False


@dataclass(frozen=True, slots=True)
class Conversion:
    """A tool list in a provider's own form.

    ``value`` is exactly the value of that API's ``tools`` request field, in dicts, lists and scalars. ``unknown`` names the parts
    that are left out because the source does not say them (paths in the MCP tool).
    """

    provider: ProviderName
    value: list[Any]
    changes: tuple[Change, ...] = ()
    unknown: tuple[Unresolved, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolForm:
    """One tool in a provider's form, its changes, and what is unknown in it."""

    value: dict[str, Any]
    changes: tuple[Change, ...] = ()
    unknown: tuple[Unresolved, ...] = ()


class Notes:
    """The changes of one tool while they are being made; the same step at the same place is noted once."""

    def __init__(self, index: int) -> None:
        self._index = index
        self._changes: dict[tuple[Path, str, Kind], Change] = {}

    def add(self, path: Path, keyword: str, kind: Kind, text: str, lossy: bool = False) -> None:
        """Note a step. ``text`` is one plain sentence."""
        self._changes.setdefault((path, keyword, kind), Change(self._index, path, keyword, kind, text, lossy))

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was noted, in the order of the conversion."""
        return tuple(self._changes.values())
