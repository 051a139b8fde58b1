"""A parameter whose name begins with `_`.

**Why it matters.** The SDK raises InvalidSignature: the server does not start. FastMCP lists it, and bridges drop such names.

**Instead.** A name without the underscore.

**Where it comes from.** Measured with mcp 1.30 and 2.3 (InvalidSignature), FastMCP 2.14 and 4.2 (listed), 2026-11-30; open-webui/mcpo#188.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, is_sdk, parameter


def say(fact: Fact, context: Context) -> str:
    if is_sdk(context):
        return f"{parameter(fact)} begins with an underscore; the SDK raises InvalidSignature and the server does not start."
    return f"{parameter(fact)} begins with an underscore; the SDK would refuse it, and clients that bridge tools drop such names."


def how_bad(context: Context) -> Severity:
    return Severity.PROBLEM if is_sdk(context) else Severity.WARNING


_PATH = ("inputSchema", "properties", "_code")

RULE = Rule(
    id="py-param-underscore",
    severity=Severity.WARNING,
    title="Parameter that begins with an underscore",
    advice="Take the underscore away.",
    bad=(
        Example(
            ({"name": "open_gate", "inputSchema": {"type": "object", "properties": {"_code": {}}}},),
            ((0, "/inputSchema/properties/_code"),),
            facts=((0, Fact("py-param-underscore", _PATH, {"parameter": "_code"})),),
            code="@mcp.tool\ndef open_gate(_code: str): ...",
        ),
    ),
    good=(Example(({"name": "open_gate"},), code="@mcp.tool\ndef open_gate(code: str): ..."),),
    tool=in_tools("py-param-underscore", say, how_bad),
    sees="python",
)
