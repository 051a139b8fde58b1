"""How numbers, providers and verdicts are said, the same in every report."""

from __future__ import annotations

from collections.abc import Sequence

from echolot_lsp.model import Cost, ProviderName, Report, Server, Severity
from echolot_lsp.render.clean import clean

NAMES: dict[ProviderName, str] = {"anthropic": "Anthropic", "openai": "OpenAI", "gemini": "Gemini"}
VERDICTS = {"accepted": "accepted", "lossy": "accepted with losses", "refused": "refused"}
NOTHING = "Nothing a model would stumble over"


def counted(number: int, word: str) -> str:
    """``1 tool``, ``12 tools``."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def headline(reports: Sequence[Report]) -> str:
    """``1 problem, 2 warnings``; a kind without any is left out."""
    counts = [(severity, sum(report.count(severity) for report in reports)) for severity in Severity]
    return ", ".join(counted(number, severity.value) for severity, number in counts if number) or NOTHING


def dearest(report: Report) -> Cost | None:
    """The cost at the provider with the largest total; ``None`` where costs are not known."""
    return max(report.costs.values(), key=lambda cost: cost.total, default=None)


def largest(cost: Cost, most: int = 5) -> list[tuple[int, int]]:
    """(position, tokens) of the tools that cost most, the dearest first."""
    ranked = sorted(enumerate(cost.tools), key=lambda item: (-item[1].tokens, item[0]))
    return [(index, tool.tokens) for index, tool in ranked[:most]]


def share(tokens: int, window: int) -> str:
    """A share of the context: ``1.2 %``."""
    percent = 100 * tokens / window
    return f"{percent:.2f} %" if percent < 0.1 else f"{percent:.1f} %"


def window(tokens: int) -> str:
    """``200k``, or the number where it is not a round one."""
    return f"{tokens // 1000}k" if tokens % 1000 == 0 else f"{tokens:,}"


def made_with(server: Server) -> str:
    """``fastmcp 4.2.3, Python 3.12``, ``JSON``, ``live``."""
    if server.framework is not None:
        python = f", Python {server.python}" if server.python else ""
        return clean(f"{server.framework} {server.framework_version or ''}".rstrip() + python)
    return {"json": "JSON", "python": "Python", "live": "live"}[server.origin]


def from_where(server: Server) -> str:
    """What a server was made with and read from: ``fastmcp 4.2.3, Python 3.12 · server.py``, ``live over stdio``."""
    parts = [] if server.origin == "live" and server.framework is None else [made_with(server)]
    if server.origin == "live":
        parts.append(f"live {clean(server.reached)}" if server.reached else "live")
    if server.path is not None:
        parts.append(clean(server.path))
    elif server.origin != "live":
        parts.append("standard input")
    return " · ".join(parts)


def server_name(server: Server) -> str:
    """The server's name for a reader; it may have none, or one that is only known at run time."""
    return clean(server.name) if server.name.strip() else "unnamed server"


def tool_name(name: str | None, index: int | None) -> str:
    """The tool's name for a reader; one without a name is called by its position."""
    if name is not None and name.strip():
        return clean(name)
    return "the list" if index is None else f"tool {index + 1}"
