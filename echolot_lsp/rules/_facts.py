"""Rules that say in words what only the Python source or the live listing shows: each turns the facts of its id into hits.

What the ``details`` of a fact hold (all text; each may be missing):

- ``parameter``: context-leak, self-leak, varargs, py-unannotated, py-optional-no-default, py-param-underscore, py-param-reserved
- ``annotation``: context-leak (what stands there instead of Context), py-optional-no-default
- ``decorator``: wrapped-signature-lost · ``kept`` (``first`` or ``last``): py-duplicate-name
- ``exception``, ``message``, ``scope`` (``server``, ``list`` or ``tool``), ``parameter``: py-list-fails, py-decorator-not-called
- ``name``, ``version``, ``instead``: py-import-gone · ``keyword``, ``instead``: py-hint-keyword-ignored
- ``returns``, ``literal``: output-schema-from-annotation · ``why``: py-dynamic
- live rules: ``message``, ``stderr``, ``pages``, ``lines``, ``first``, ``seconds``, ``why``, ``source``, ``live``, ``missing``, ``what``, ``at``
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from echolot_lsp.model import Fact, Path, Server, Severity, Tool
from echolot_lsp.rules import Context, Hit, ListCheck, ToolCheck
from echolot_lsp.words import quoted, shown

Say = Callable[[Fact, Context], str]


def in_tools(rule: str, say: Say, severity: Callable[[Context], Severity] | None = None, at: Path | None = None) -> ToolCheck:
    """The check of a rule whose facts hang on tools; ``at``: where its findings stand, whatever the fact says."""

    def check(index: int, tool: Tool, context: Context) -> Iterator[Hit]:
        for fact in tool.facts:
            if fact.rule == rule:
                yield Hit(
                    index,
                    fact.path if at is None else at,
                    say(fact, context),
                    severity=severity(context) if severity else None,
                    span=fact.span,
                )

    return check


def in_list(rule: str, say: Say) -> ListCheck:
    """The check of a rule whose facts hang on the list."""

    def check(server: Server, context: Context) -> Iterator[Hit]:
        for fact in server.facts:
            if fact.rule == rule:
                yield Hit(None, fact.path, say(fact, context), span=fact.span)

    return check


def told(fact: Fact, key: str, otherwise: str = "", most: int = 120) -> str:
    """A detail as it stands in a message; ``otherwise`` where the fact does not have it."""
    value = fact.details.get(key)
    return shown(str(value).strip(), most) if value else otherwise


def parameter(fact: Fact) -> str:
    """The parameter that a fact is about, quoted."""
    last = fact.path[-1] if len(fact.path) > 2 else None
    name = fact.details.get("parameter") or last
    return quoted(str(name)) if name is not None else "a parameter"


def is_sdk(context: Context) -> bool:
    """Whether the server runs on the MCP SDK rather than on FastMCP."""
    return (context.server.framework or "").lower() in ("sdk", "mcp", "mcpserver")


def framework(context: Context, start: bool = False) -> str:
    """The framework in words, ``the SDK 2.3.0``; with a capital at the ``start`` of a sentence."""
    version = f" {context.server.framework_version}" if context.server.framework_version else ""
    name = "the SDK" if is_sdk(context) else "FastMCP" if (context.server.framework or "").lower() == "fastmcp" else "the framework"
    return (name[0].upper() + name[1:] if start else name) + version
