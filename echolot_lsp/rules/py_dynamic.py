"""A list, or a part of one, that reading the source cannot know: it is built at run time, or by something that Echolot does not follow.

**Why it matters.** Nothing is reported on such a part, and the token figures are a lower bound. It is said rather than guessed.

**Instead.** Nothing need change. Check the running server for the whole truth (`--command`, `--url`, or "check live" in the editor).

**Where it comes from.** Names from loops and variables, schemas from files or the network, tools registered in functions that are called
elsewhere: 4 in 100 tools of 104 real servers (measured 2026-11-30).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from echolot_lsp.model import Fact, Path, Server, Severity, Span, Tool
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._grouping import of_tools
from echolot_lsp.schema import label
from echolot_lsp.words import quoted, shown


def check(server: Server, context: Context) -> Iterator[Hit]:
    if server.origin != "python":
        return
    parts = list(_parts(server))
    of_many = Counter(why for index, path, why, _ in parts if index is not None and not path)
    shared = {why: count for why, count in of_many.items() if count > 1}
    for why, count in shared.items():
        message = f"{of_tools(count, len(server.tools))} may differ from what the source says{_because(why)}."
        yield Hit(None, (), message)
    told = {_reason(why) for why in shared}
    said: set[tuple[int | None, Path | Span]] = set()
    for index, path, why, span in parts:
        if not path and (why in shared or (index is None and why in told)):
            continue  # one cause, one note: what is done to every tool is said of the list
        places: set[tuple[int | None, Path | Span]] = {(index, path), (index, path if span is None else span)}
        if not places & said:  # one for each place: a computed name is the title too
            said |= places
            yield Hit(index, path, f"{_what(index, path)} is not known from the source{_because(why)}.", span=span)


def _because(why: str) -> str:
    return f" ({shown(_reason(why), 160)})" if why else ""


def _reason(why: str) -> str:
    return why.rstrip(".").removesuffix(", which may change it")


def _parts(server: Server) -> Iterator[tuple[int | None, Path, str, Span | None]]:
    for part in server.unresolved:
        if part.index is None or not _is_never_made(server.tools[part.index]):
            yield part.index, part.path, part.why, part.span
    for fact in server.facts:
        if fact.rule == "py-dynamic":
            yield None, fact.path, fact.details.get("why", ""), fact.span
    for index, tool in enumerate(server.tools):
        for fact in tool.facts:
            if fact.rule == "py-dynamic":
                yield index, fact.path, fact.details.get("why", ""), fact.span


def _is_never_made(tool: Tool) -> bool:
    """Whether the framework raises over the tool: that is said once, as the failure."""
    return any("exception" in fact.details or fact.rule == "py-decorator-not-called" for fact in tool.facts)


def _what(index: int | None, path: Path) -> str:
    if index is None:
        return "Part of this list"
    if not path:
        return "This tool"
    if path[0] == "inputSchema":
        return quoted(label(path)) if label(path) else "The input schema"
    return {"name": "The name", "description": "The description", "outputSchema": "The output schema"}.get(
        str(path[0]), f"The {path[0]}"
    )


RULE = Rule(
    id="py-dynamic",
    severity=Severity.NOTE,
    title="Part that is not known from the source",
    advice="Check the running server to see it.",
    bad=(
        Example(
            ({"name": "a"},),
            ((None, ""), (0, "/description")),
            facts=(
                (None, Fact("py-dynamic", (), {"why": "tools are added in a loop over a file"})),
                (0, Fact("py-dynamic", ("description",))),
            ),
            code="for row in load():\n    mcp.add_tool(make(row))",
        ),
    ),
    good=(Example(({"name": "a"},), code='@mcp.tool()\ndef a() -> str:\n    """Answers."""'),),
    list=check,
    sees="python",
)
