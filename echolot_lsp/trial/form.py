"""The list as an endpoint gets it, and where that form says less than the tool's schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from echolot_lsp.model import Path
from echolot_lsp.providers import Change, wire_form
from echolot_lsp.trial.arguments import Looser
from echolot_lsp.trial.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class Form:
    """``value`` is the request's ``tools``; ``changes`` what the conversion did."""

    value: Any
    changes: tuple[Change, ...] = ()

    def looser(self, index: int) -> Looser:
        """Why this form does not carry the constraint at a path inside the input schema of a tool."""
        lost = [change for change in self.changes if change.index == index and change.lossy]

        def why(path: Path) -> str | None:
            place: Path = ("inputSchema", *path)
            for change in lost:
                for start in ((*change.path, change.keyword), change.path if change.path[-1:] == (change.keyword,) else None):
                    if start is not None and place[: len(start)] == start:
                        return change.text
            return None

        return why


def form_of(endpoint: Endpoint, tools: Sequence[Mapping[str, Any]]) -> Form:
    """The tools in the form that an endpoint's protocol takes."""
    api: Literal["responses", "chat"] = "chat" if endpoint.protocol == "openai-chat" else "responses"
    conversion = wire_form(endpoint.form, tools, openai_api=api)
    return Form(conversion.value, conversion.changes)
