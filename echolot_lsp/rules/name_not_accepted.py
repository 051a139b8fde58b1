"""A tool's name that Anthropic or OpenAI refuses: anything but 1 to 64 of `A`–`Z`, `a`–`z`, `0`–`9`, `_` and `-`, or no string.

**Why it matters.** The name goes into the request as it is. One such name and the provider answers the whole request with an
error: the model gets none of the server's tools. Some clients replace the characters instead, so that the tool is called by a
name that your documentation never mentions.

**Instead.** Letters, digits, `_` and `-`. Dots and up to 128 characters are legal in MCP itself, so the server runs without
complaint and the failure shows only at the provider.

**Who refuses.** Anthropic: `^[a-zA-Z0-9_-]{1,64}$` (documentation, 2026-08-22; the API's own error has said 128 since 2025-06,
while tool search and Claude Desktop stop at 64, anthropics/claude-code#20643, 2026-01). OpenAI: `^[a-zA-Z0-9_-]+$` with at most 64
characters (brekkylab/ailoy#109, 2025-06; nanbingxyz/5ire#403, 2026-01; OpenAPI text, 2026-08). Gemini takes `.` and `:` as well, also
64 at most (GitHubSecurityLab/seclab-taskflow-agent#287, 2026-07). MCP: `[A-Za-z0-9_.-]{1,128}` (specification 2025-11-25).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from echolot_lsp.model import Fix, Operation, ProviderName, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.words import listed, quoted

MOST = 64
ACCEPTED = re.compile(r"[A-Za-z0-9_-]{1,64}")
_GEMINI = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_MCP = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    name = tool.wire.get("name")
    if isinstance(name, Unknown) or (isinstance(name, str) and ACCEPTED.fullmatch(name)):
        return
    if not isinstance(name, str) or not name:
        what = "has no name" if name in (None, "") else "has a name that is no string"
        yield Hit(
            index,
            ("name",),
            f"The tool {what}, so no provider takes it and nothing can call it.",
            refused_by=("anthropic", "openai", "gemini"),
        )
        return
    refusing: tuple[ProviderName, ...] = ("anthropic", "openai") if _GEMINI.fullmatch(name) else ("anthropic", "openai", "gemini")
    yield Hit(index, ("name",), _message(name, refusing), fix=_fix(index, name), refused_by=refusing)


def _message(name: str, refusing: tuple[ProviderName, ...]) -> str:
    who = listed([{"anthropic": "Anthropic", "openai": "OpenAI", "gemini": "Gemini"}[provider] for provider in refusing])
    legal = ", although MCP itself allows it" if _MCP.fullmatch(name) else ""
    wrong = list(dict.fromkeys(character for character in name if not re.fullmatch(r"[A-Za-z0-9_-]", character)))
    if not wrong:
        return f"The name {quoted(name)} has {len(name)} characters; {who} take at most {MOST} and refuse the whole request{legal}."
    holds = listed([_shown(character) for character in wrong[:5]] + (["others"] if len(wrong) > 5 else []))
    return f"The name {quoted(name)} holds {holds}; {who} refuse the whole request for such a name{legal}."


def _shown(character: str) -> str:
    return "a space" if character == " " else f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


def sanitised(name: str) -> str:
    """``name`` with every refused run of characters as one ``_``, at most 64 long; empty where nothing is left."""
    plain = "".join(character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character))
    kept = re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_-")
    return (f"_{kept}" if kept[:1].isdigit() else kept)[:MOST]


def _fix(index: int, name: str) -> Fix | None:
    better = sanitised(name)
    if not better:
        return None
    return Fix(f'Name the tool "{better}"', False, (Operation("set", index, ("name",), better),))


RULE = Rule(
    id="name-not-accepted",
    severity=Severity.PROBLEM,
    title="Name that providers refuse",
    advice="Use 1 to 64 letters, digits, _ and - in the name.",
    bad=(
        Example(({"name": "tide.report", "inputSchema": {"type": "object", "properties": {}}},), ((0, "/name"),), "A dot"),
        Example(({"name": "Book Berth"}, {"name": "潮汐"}, {"name": "a" * 65}), ((0, "/name"), (1, "/name"), (2, "/name"))),
        Example(({"name": 7}, {}), ((0, "/name"), (1, "/name")), "No string"),
    ),
    good=(Example(({"name": "tide_report"}, {"name": "get-depth"}, {"name": "a" * 64})),),
    tool=check,
    fix="names the tool by what is left when each refused run of characters becomes `_` (in Python as `name=`, so that the function's callers are untouched; clients must follow, so it is unsafe)",
    refused_by=("anthropic", "openai"),
)
