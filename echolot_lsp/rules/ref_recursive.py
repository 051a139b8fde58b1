"""A cycle of `$ref`s, in the input or the output schema: a definition that contains itself.

**Why it matters.** It cannot be written out, so every client that does that cuts it somewhere or fails; a model below the cut sees
nothing. Of an output schema the same holds for clients that read it.

**Instead.** Bound it: children as a list of ids, or two levels written out. A tree can also be sent as flat rows with a parent id.

**Who refuses.** Gemini: cyclic references are "an invalid argument" in `parametersJsonSchema` (google-gemini/gemini-cli#14945, 2025-12,
open), google-genai 3.6.1 cuts to an array without items; anomalyco/opencode#16899, anthropics/claude-code#77106 (output),
mastra-ai/mastra#15341. FastMCP 2 cannot list it at all (measured, 2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import Anatomy, anatomy, output_anatomy
from echolot_lsp.model import Path, Severity, Tool, Unknown
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.schema import label
from echolot_lsp.words import quoted

MOST_TARGETS = 300


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for shape in (anatomy(tool), output_anatomy(tool)):
        for path in recursive_targets(shape):
            name = quoted(label(path)) if label(path) else "The root"
            which, who = ("output", "Claude Code") if path[0] == "outputSchema" else ("input", "Gemini")
            yield Hit(
                index,
                path,
                f"{name} of the {which} schema contains itself through $ref; {who} and clients that write references out cut it or fail.",
            )


def recursive_targets(shape: Anatomy) -> list[Path]:
    """The targets of references that lie on a cycle, in document order."""
    references = [
        (part.path, found[0])
        for part in shape.having("$ref")
        if (found := shape.target(part.schema["$ref"])) and not isinstance(found[1], Unknown)
    ]
    targets = {target for _, target in references}
    if not targets or len(targets) > MOST_TARGETS:
        return []
    leads: dict[Path, set[Path]] = {target: set() for target in targets}
    for path, target in references:
        for length in range(1, len(path) + 1):
            if path[:length] in leads:
                leads[path[:length]].add(target)
    order = {part.path: position for position, part in enumerate(shape.parts)}
    return sorted((target for target in targets if _reaches(target, leads)), key=lambda target: order.get(target, len(order)))


def _reaches(start: Path, leads: Mapping[Path, set[Path]]) -> bool:
    seen, pending = set[Path](), list(leads[start])
    while pending:
        target = pending.pop()
        if target == start:
            return True
        if target not in seen:
            seen.add(target)
            pending.extend(leads[target])
    return False


_NODE = {"Node": {"type": "object", "properties": {"below": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}}
_PAIR = {
    "A": {"anyOf": [{"$ref": "#/$defs/B"}]},
    "B": {"type": "array", "items": {"$ref": "#/$defs/A"}},
    "C": {"$ref": "#/$defs/A"},
}


def _tool(key: str, definitions: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return {
        "name": "save_chart",
        key: {"type": "object", "properties": {"root": {"$ref": f"#/$defs/{name}"}}, "$defs": definitions},
    }


RULE = Rule(
    id="ref-recursive",
    severity=Severity.WARNING,
    title="Recursive schema",
    advice="Bound it: ids instead of nested parts, or a fixed number of levels.",
    bad=(
        Example(
            (_tool("inputSchema", _NODE, "Node"), _tool("outputSchema", _NODE, "Node")),
            ((0, "/inputSchema/$defs/Node"), (1, "/outputSchema/$defs/Node")),
        ),
        Example((_tool("inputSchema", _PAIR, "C"),), ((0, "/inputSchema/$defs/A"), (0, "/inputSchema/$defs/B")), "A cycle of two"),
        Example(
            ({"name": "save_chart", "inputSchema": {"type": "object", "properties": {"sub": {"$ref": "#"}}}},),
            ((0, "/inputSchema"),),
        ),
    ),
    good=(Example((_tool("inputSchema", {"Node": {"type": "string"}}, "Node"),)),),
    tool=check,
)
