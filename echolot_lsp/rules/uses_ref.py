"""`$ref` in the input schema: a part that is written elsewhere, mostly under `$defs`.

**Why it matters.** Not every form of the list has references. Gemini's `parameters` has no field for them, so the client must write
the parts out, and a client that does not fails or sends an argument that accepts anything. The SDK writes one for every Enum,
model and dataclass.

**Instead.** Write the part where it is used; the quick fix says what that costs. Where the same part is used many times inside one
tool, the reference is cheaper: then leave it, and know which clients write it out.

**Who refuses.** Gemini `parameters`: raw `$ref` is 400 (google-gemini/gemini-cli#13326, 2025-11; anomalyco/opencode#12295, 2026-02);
google-genai 3.6.1 and google-adk 2.13 write it out. OpenAI's strict mode takes `#/$defs/…` without siblings. Amazon Bedrock AgentCore
and Anthropic's Managed Agents refuse `$ref` (documentation, 2026-08-22).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from echolot_lsp.anatomy import Anatomy, anatomy
from echolot_lsp.model import Path, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import grouped, has, named, named_one
from echolot_lsp.rules._inlining import inline_fix
from echolot_lsp.words import counted

_DEFINITIONS = frozenset({"$defs", "definitions"})


def check(index: int, tool: Tool, context: Context) -> Iterable[Hit]:
    shape = anatomy(tool)
    places = [part.path for part in shape.having("$ref") if _has_target(shape, part.schema["$ref"])]
    if not places:
        return []
    outside = [path for path in places if not is_definition(path)]
    places = [(*path, "$ref") for path in outside or places]
    fix = inline_fix(index, shape) if outside and context.server.origin == "json" else None
    holders = [path[:-1] for path in places]
    where, verb = named(holders), "is" if has(holders) == "has" else "are"
    message = f'{where} {verb} written as $ref, which Gemini\'s "parameters" has no field for: clients write it out or fail.'
    if len(places) > 12:
        message = f'{counted(len(places), "$ref")} at {where}: Gemini\'s "parameters" has no field for it, so clients write it out or fail.'
    return grouped(index, places, message, lambda path: f"$ref at {named_one(path[:-1])}", fix)


def _has_target(shape: Anatomy, reference: object) -> bool:
    target = shape.target(reference)
    return target is not None and not isinstance(target[1], Unknown)


def is_definition(path: Path) -> bool:
    """Whether a path of an input schema leads into its ``$defs``."""
    return len(path) > 1 and path[1] in _DEFINITIONS


def _tool(**members: object) -> Mapping[str, object]:
    return {
        "name": "rig_sail",
        "inputSchema": {"type": "object", "$defs": {"Sail": {"enum": ["jib"], "description": "A sail"}}, **members},
    }


RULE = Rule(
    id="uses-ref",
    severity=Severity.WARNING,
    title="Schema with $ref",
    advice="Write the part where it is used; clients differ in how they read references.",
    bad=(
        Example((_tool(properties={"sail": {"$ref": "#/$defs/Sail"}}),), ((0, "/inputSchema/properties/sail/$ref"),)),
        Example(
            (_tool(properties={"one": {"$ref": "#/$defs/Sail"}, "two": {"type": "array", "items": {"$ref": "#/$defs/Sail"}}}),),
            ((0, "/inputSchema/properties"),),
            "Grouped",
        ),
    ),
    good=(
        Example((_tool(properties={"sail": {"enum": ["jib"]}}), _tool(properties={"$ref": {"type": "string"}}))),
        Example((_tool(properties={"sail": {"$ref": "#/$defs/Mast"}}),), title="No target: ref-unresolved speaks"),
    ),
    tool=check,
    fix="in JSON, writes the parts where they are used, unless they are recursive (safe where no other finding comes of it; the title says what it costs)",
)
