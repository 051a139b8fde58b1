"""A name that begins with a digit or `-`: Anthropic and OpenAI take it, Gemini and Moonshot do not.

**Why it matters.** It works with the client that you test with and fails for the user of another model, with the whole request.

**Instead.** Begin with a letter or `_`: `model_3d` rather than `3d_model`.

**Who refuses.** Gemini: "Invalid function name. Must start with a letter or an underscore" (Finerestaurant/kicad-mcp-python#2, 2026-01;
GitHubSecurityLab/seclab-taskflow-agent#287, 2026-07). Moonshot (MoonshotAI/kimi-cli#2531, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules.name_not_accepted import ACCEPTED
from echolot_lsp.words import quoted


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    name = tool.name
    if name is not None and ACCEPTED.fullmatch(name) and (name[0].isdigit() or name[0] == "-"):
        yield Hit(
            index,
            ("name",),
            f'{quoted(name)} begins with "{name[0]}"; Gemini and Moonshot refuse the whole request for such a name.',
        )


RULE = Rule(
    id="name-first-char",
    severity=Severity.PROBLEM,
    title="Name that begins with a digit or a hyphen",
    advice="Begin the name with a letter or _.",
    bad=(Example(({"name": "3d_chart"}, {"name": "-chart"}), ((0, "/name"), (1, "/name"))),),
    good=(Example(({"name": "chart_3d"}, {"name": "_chart"}, {"name": "3d chart"})),),
    tool=check,
    refused_by=("gemini",),
)
