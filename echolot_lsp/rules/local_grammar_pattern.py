"""A `pattern` that does not run from `^` to `$`, or that looks ahead or behind.

**Why it matters.** llama.cpp, and with it Ollama and LM Studio, turns the schema into a grammar. Such a pattern stops the request, or is
left out.

**Instead.** Anchor it where the whole value is meant (mind that this changes what is accepted where it was not), and say the rest in
the description.

**Who refuses.** llama.cpp: "Pattern must start with '^' and end with '$'" (ggml-org/llama.cpp#26930, 2026-08-11;
containers/kubernetes-mcp-server#758, 2026-02-10; codefuturist/email-mcp#58). OpenAI's strict mode takes no lookaround.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Default, Severity, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, has, named, named_one

_LOOKAROUND = re.compile(r"(?<!\\)\(\?(?:[=!]|<[=!])")


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    places = [
        (*part.path, "pattern")
        for part in anatomy(tool).having("pattern")
        if isinstance(part.schema["pattern"], str) and not is_local(part.schema["pattern"])
    ]
    where = [path[:-1] for path in places]
    if not places:
        return []
    message = f"{named(where)} {has(where)} a pattern that is not anchored (^…$) or looks around; llama.cpp, Ollama and LM Studio cannot use it."
    return grouped(index, places, message, lambda path: f"the pattern of {named_one(path[:-1])}")


def is_local(pattern: str) -> bool:
    """Whether a grammar can be made of it."""
    return pattern.startswith("^") and pattern.endswith("$") and not pattern.endswith("\\$") and not _LOOKAROUND.search(pattern)


def _tool(**properties: Any) -> Mapping[str, Any]:
    return {"name": "send_letter", "inputSchema": {"type": "object", "properties": properties}}


RULE = Rule(
    id="local-grammar-pattern",
    severity=Severity.NOTE,
    title="Pattern that local models cannot use",
    advice="Anchor it where the whole value is meant, and say the rest in the description.",
    bad=(
        Example((_tool(to={"type": "string", "pattern": "[A-Z]+"}),), ((0, "/inputSchema/properties/to/pattern"),)),
        Example(
            (_tool(to={"type": "string", "pattern": "^(?!A).*$"}, by={"type": "string", "pattern": "^a"}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
    ),
    good=(Example((_tool(to={"type": "string", "pattern": "^[A-Z]+$"}, pattern={"type": "string"}),)),),
    tool=check,
    default=Default.REPORT,
)
