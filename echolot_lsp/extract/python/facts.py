"""What only the source shows of a tool."""

from __future__ import annotations

from typing import Any

from echolot_lsp.model import Fact


def tool_facts(run: Any, server: Any, value: Any, decl: Any, outcome: Any, places: Any, listing: Any) -> list[Fact]:
    """The facts of a tool."""
    facts = list(outcome.facts)
    for failure in outcome.failures:
        facts.append(Fact(failure.rule, failure.path, {"exception": failure.exception, "message": failure.message}, None))
    return facts
