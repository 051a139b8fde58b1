"""An enum of numbers or booleans.

**Why it matters.** Gemini's `parameters` takes enums of strings only: the client turns the values into text or leaves the enum out, so
the model may send any number. In Python it is `Literal[1, 2]`, or an `IntEnum`.

**Instead.** Strings that the server reads (`"1"`), or a plain number with its values in the description.

**Who refuses.** Gemini raw: "enum: only allowed for STRING type" (Draculabo/AntigravityManager#260, 2026-08); Grok and Kimi
(hyperdxio/hyperdx#2967; kensho-technologies/kfinance#128; microsoft/azure-devops-mcp#139, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.anatomy import anatomy
from echolot_lsp.model import Severity, Tool, is_known
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import named_one
from echolot_lsp.rules.enum_type_mismatch import misfits


def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
    for part in anatomy(tool).having("enum"):
        values = part.schema["enum"]
        if not isinstance(values, list) or not is_known(values) or not is_known(part.schema.get("type")):
            continue
        kinds = {"booleans" if isinstance(value, bool) else "numbers" for value in values if isinstance(value, (bool, int, float))}
        if kinds and not misfits(part.schema):
            message = f"The enum of {named_one(part.path)} holds {' and '.join(sorted(kinds))}; Gemini, Grok and Kimi take strings only, so the choice is lost or refused."
            yield Hit(index, (*part.path, "enum"), message)


def _tool(**parameter: Any) -> Mapping[str, Any]:
    return {"name": "reef_sail", "inputSchema": {"type": "object", "properties": {"reefs": parameter}}}


RULE = Rule(
    id="enum-not-string",
    severity=Severity.WARNING,
    title="Enum of numbers or booleans",
    advice="Use strings, or a plain number with its values in the description.",
    bad=(
        Example(
            (_tool(type="integer", enum=[1, 2]), _tool(enum=[True])),
            ((0, "/inputSchema/properties/reefs/enum"), (1, "/inputSchema/properties/reefs/enum")),
        ),
    ),
    good=(Example((_tool(type="string", enum=["1"]), _tool(type="string", enum=[1]), _tool(enum=["one", None]))),),
    tool=check,
)
