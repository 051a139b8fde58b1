"""A description of more than 1,500 characters (from 2,049 on `description-over-2048` speaks in its place).

**Why it matters.** The description is read again on every turn of every conversation, used or not. 1,500 characters are some 350
tokens; ten such tools are a page and a half of text before the user has said a word. The sentence that decides drowns in it.

**Instead.** The first sentences of what it is and when to use it. Move tables of values into the parameters' descriptions, and
manuals into a resource or a prompt.

**Who refuses.** Nobody today: OpenAI's old limit of 1,024 characters is gone (run-llama/llama_index#18784, 2025-05). VS Code cuts at
1,024 for the gpt-4 family (microsoft/vscode-copilot-chat, 2026-08), and Claude Code at 2,048 (anthropics/claude-code#41593).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.description_over_2048 import MOST_UNITS, utf16_units

MOST = 1_500


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    description = tool.wire.get("description")
    if isinstance(description, str) and len(description) > MOST and utf16_units(description) <= MOST_UNITS:
        yield Hit(
            index,
            ("description",),
            f"The description has {len(description):,} characters, and a model reads them again every turn.",
        )


RULE = Rule(
    id="description-long",
    severity=Severity.NOTE,
    title="Long description",
    advice="Keep what decides when to use the tool; it is read again every turn.",
    bad=(
        Example(
            ({"name": "plan_dive", "description": "d" * 1_501}, {"name": "plan_dives", "description": "潜" * 2_048}),
            ((0, "/description"), (1, "/description")),
        ),
    ),
    good=(Example(({"name": "plan_dive", "description": "d" * 1_500}, {"name": "plan_dives", "description": "d" * 2_049})),),
    tool=check,
)
