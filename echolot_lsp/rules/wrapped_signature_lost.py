"""A decorator under the tool decorator that does not keep the signature: the tool is the wrapper, not your function.

**Why it matters.** The SDK lists a tool called `inner` with the arguments "args" and "kwargs" and no description; FastMCP refuses to
start. Nothing of your function reaches the model.

**Instead.** `@functools.wraps(function)` on the wrapper; it hands on name, docstring and signature.

**Where it comes from.** xing5/mcp-google-sheets#65; measured with mcp 1.30 and 2.3, FastMCP 2.14 and 4.2, 2026-11-30.
"""

from __future__ import annotations

from echolot_lsp.model import Fact, Severity
from echolot_lsp.rules import Context, Example, Rule
from echolot_lsp.rules._facts import in_tools, told


def say(fact: Fact, context: Context) -> str:
    decorator = told(fact, "decorator", "A decorator", 60)
    return f"{decorator} hides the function: name, description and parameters are those of its wrapper, since functools.wraps is missing."


RULE = Rule(
    id="wrapped-signature-lost",
    severity=Severity.PROBLEM,
    title="Signature lost in a decorator",
    advice="Put @functools.wraps(function) on the wrapper.",
    bad=(
        Example(
            ({"name": "inner"},),
            ((0, "/name"),),
            facts=((0, Fact("wrapped-signature-lost", ("name",), {"decorator": "@logged"})),),
            code="def logged(function):\n    def inner(*args, **kwargs):\n        return function(*args, **kwargs)\n\n    return inner\n\n\n@mcp.tool()\n@logged\ndef find(berth: str): ...",
        ),
    ),
    good=(
        Example(
            ({"name": "find"},),
            code="def logged(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        return function(*args, **kwargs)\n\n    return inner",
        ),
    ),
    tool=in_tools("wrapped-signature-lost", say, at=("name",)),
    sees="python",
)
