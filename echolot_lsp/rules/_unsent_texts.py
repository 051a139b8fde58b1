"""Texts on parameters that the source has and the framework does not send with them: how that is said."""

from __future__ import annotations

from collections.abc import Mapping

from echolot_lsp.model import Path, Tool
from echolot_lsp.rules._grouping import has, named

WITH_TEXT = 'Write it as Field(description="…").'


def unsent_texts(tool: Tool, places: list[Path]) -> dict[Path, str]:
    """The texts that the source has for places among the top-level parameters and the framework does not send."""
    texts = tool.hints.get("unsent_descriptions")
    if not isinstance(texts, Mapping):
        return {}
    return {path: str(texts[path[2]]) for path in places if len(path) == 3 and path[2] in texts}


def lacks_a_description(tool: Tool, framework: str | None, places: list[Path], unsent: Mapping[Path, str]) -> str:
    """What is wrong, and where the source has a text all the same what becomes of it."""
    lacks = f"{named(places)} {has(places)} no description"
    if not unsent:
        return f"{lacks}."
    own = "of its own" if has(places) == "has" else "of their own"
    who = {"sdk": "the SDK", "mcp": "the SDK", "fastmcp": "this version of FastMCP"}.get(framework or "", "the framework")
    description = " ".join(str(tool.wire.get("description")).split())
    in_docstring = [" ".join(text.split()) in description for text in unsent.values()]
    if all(in_docstring):
        where = f"{who} sends the docstring's text on {{}} inside the tool's description only"
    elif not any(in_docstring):
        where = f"{who} does not send the text that Annotated holds for {{}}"
    else:
        where = f"{who} does not send the source's text on {{}} as such"
    how_many = "it" if len(places) == 1 else "them" if len(unsent) == len(places) else f"{len(unsent)} of them"
    return f"{lacks} {own}: {where.format(how_many)}."
