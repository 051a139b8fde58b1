"""A tool without a description: missing, `null`, empty, nothing but white space, or no text at all.

**Why it matters.** The description is what a model reads to decide whether this tool is the one. Without it only the name and the
parameters are left, and a model guesses. An f-string in the docstring's place is no docstring: the framework sends nothing.

**Instead.** One or two sentences: what the tool does, what it needs, what it returns, and when to prefer it to a tool like it.

**Who refuses.** Amazon Bedrock wants at least one character; VS Code shows `<empty>`. Anthropic, OpenAI and Gemini take the tool
(checked against the documentation, 2026-08).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Fix, Operation, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import quoted

PLACEHOLDER = "TODO: what it does, what it needs, what it returns."


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    description = tool.wire.get("description")
    if isinstance(description, Unknown):
        return
    if not isinstance(description, str) or is_blank(description):
        who = f"{quoted(tool.name)} has" if tool.name else "The tool has"
        lack = "no description" if description is None else "an empty description"
        if description is not None and not isinstance(description, str):
            lack = "a description that is no text"
        fix = Fix("Insert a description to fill in", False, (Operation("set", index, ("description",), PLACEHOLDER),))
        yield Hit(index, ("name",), f"{who} {lack}, so a model has only the name to go by.", fix=fix)


def is_blank(text: str) -> bool:
    """Whether nothing of ``text`` can be seen."""
    return not text.strip().strip("\u200b\u200c\u200d\u2060\ufeff").strip()


RULE = Rule(
    id="no-description",
    severity=Severity.PROBLEM,
    title="Tool without a description",
    advice="Say what the tool does, what it needs and what it returns.",
    bad=(
        Example(
            ({"name": "close_lock"}, {"name": "open_lock", "description": ""}, {"name": "test_lock", "description": " \n\t"}),
            ((0, "/name"), (1, "/name"), (2, "/name")),
        ),
        Example(
            ({"name": "flood_lock", "description": None}, {"name": "drain_lock", "description": 5}), ((0, "/name"), (1, "/name"))
        ),
    ),
    good=(
        Example(({"name": "close_lock", "description": "Closes the canal lock and returns when it is watertight."},)),
        Example(({"name": "close_lock", "description": "水門を閉じ、密閉された時刻を返す。"},)),
    ),
    tool=check,
    fix="inserts a placeholder (unsafe: the words are yours to find)",
)
