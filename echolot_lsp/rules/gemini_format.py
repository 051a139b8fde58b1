"""A string `format` other than `date-time`.

**Why it matters.** Older Gemini `parameters` refused it and Google's own clients still take it out, so the model is not told that a
web address or a date is wanted.

**Instead.** Say it in the description: "an https address", "a day as YYYY-MM-DD".

**Who refuses.** Gemini in 2025: "only 'enum' and 'date-time' are supported for STRING type" (google-gemini/gemini-cli#2237, #3178, 2025-07;
OpenHands/OpenHands#8595); its description allows any value since 2026-10. OpenAI's strict mode: "'uri' is not a valid format"
(can1357/oh-my-pi#206, 2026-02; posit-dev/chatlas#255, 2026-01).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, named_one
from echolot_lsp.schema import at, is_of_type
from echolot_lsp.words import listed, shown


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    places = [
        (*part.path, "format")
        for part in anatomy(tool).having("format")
        if isinstance(part.schema["format"], str) and part.schema["format"] != "date-time" and is_of_type(part.schema, "string")
    ]
    if not places:
        return []
    told = listed([f"{named_one(path[:-1])} ({shown(at(tool.wire, path), 20)})" for path in places])
    message = (
        f"A format is set on {told}; Google's clients take formats other than date-time out, and OpenAI's strict mode refuses some."
    )
    return grouped(index, places, message, lambda path: f"a format on {named_one(path[:-1])}")


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "fetch_chart", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="gemini-format",
    severity=Severity.NOTE,
    title="Format that Gemini's clients take out",
    advice="Say in the description what the text looks like.",
    bad=(
        Example((_tool(url={"type": "string", "format": "uri"}),), ((0, "/inputSchema/properties/url/format"),)),
        Example(
            (_tool(url={"type": "string", "format": "uri"}, day={"type": "string", "format": "date"}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
    ),
    good=(
        Example(
            (
                _tool(
                    at={"type": "string", "format": "date-time"},
                    size={"type": "integer", "format": "int32"},
                    format={"type": "string"},
                ),
            )
        ),
    ),
    tool=check,
    default=Default.REPORT,
)
