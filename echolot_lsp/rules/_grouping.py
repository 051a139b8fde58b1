"""One finding for many places of a tool: all of them named, and pointed at by the longest pointer that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from echolot_lsp.model import Fix, Path
from echolot_lsp.rules import Hit, Mark
from echolot_lsp.schema import common_path, label
from echolot_lsp.words import counted, listed, quoted


def grouped(index: int, places: Sequence[Path], message: str, note: Callable[[Path], str], fix: Fix | None = None) -> list[Hit]:
    """One hit for ``places`` (none: no hit); ``note`` says a few words of each place when there is more than one."""
    if not places:
        return []
    related = tuple(Mark(index, path, note(path)) for path in places) if len(places) > 1 else ()
    return [Hit(index, common_path(places), message, related, fix)]


def named(places: Sequence[Path]) -> str:
    """The places by their labels, each once: ``"limit" and "filter.owner"``; a place without one is ``the root``."""
    return listed(list(dict.fromkeys(named_one(path) for path in places)))


def named_one(path: Path) -> str:
    """One place by its label."""
    return quoted(label(path)) if label(path) else "the root"


def has(places: Sequence[Path]) -> str:
    """``has`` or ``have``, after ``named(places)``."""
    return "has" if len({named_one(path) for path in places}) == 1 else "have"


def rough_tokens(value: Any) -> int:
    """About how many tokens a piece of JSON costs: a quarter of its characters. For "saves about …", never for a cost."""
    import json

    try:
        return -(-len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) // 4)
    except (TypeError, ValueError, RecursionError):
        return 0


def once(tools: Sequence[tuple[int, int]], message: str, note: Callable[[int], str]) -> list[Hit]:
    """One hit for the list. ``tools`` holds (index, count) for each tool concerned; none: no hit."""
    if not tools:
        return []
    return [Hit(None, (), message, tuple(Mark(index, (), note(count)) for index, count in tools))]


def of_tools(some: int, all_of_them: int) -> str:
    """``3 of 12 tools``, ``The only tool``, ``Both tools``, ``All 12 tools``."""
    if some == all_of_them:
        return {1: "The only tool", 2: "Both tools"}.get(some, f"All {some:,} tools")
    return f"{some:,} of {counted(all_of_them, 'tool')}"
