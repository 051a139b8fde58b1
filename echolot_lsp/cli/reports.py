"""From servers to reports: costs, rules, verdicts, then settings and ignore comments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from echolot_lsp.check import check
from echolot_lsp.config.apply import apply_all, running
from echolot_lsp.config.settings import Settings
from echolot_lsp.model import Report, Server
from echolot_lsp.rules import all_rules
from echolot_lsp.tokens import costs
from echolot_lsp.verdict import verdicts


def report_all(servers: Sequence[Server], settings_of: Callable[[Server], Settings]) -> list[Report]:
    """The report of each server, in the order of the servers."""
    by_server = {id(server): settings_of(server) for server in servers}
    reports = [_report(server, by_server[id(server)]) for server in servers]
    return apply_all(reports, lambda server: by_server[id(server)])


def _report(server: Server, settings: Settings) -> Report:
    tools = [tool.wire for tool in server.tools]
    report = check(
        server,
        costs=costs(tools, settings.models),
        rules=running(all_rules().values(), settings),
        window=settings.context_window,
        client_prefixes=prefixes(settings),
    )
    shown = settings.providers
    judged = verdicts(tools, report.findings)
    return replace(
        report,
        costs={provider: cost for provider, cost in report.costs.items() if provider in shown},
        verdicts={provider: verdict for provider, verdict in judged.items() if provider in shown},
    )


def prefixes(settings: Settings) -> tuple[str, ...]:
    """What clients put before a tool's name, as far as the settings say."""
    if settings.client_prefixes or settings.server_name is None:
        return settings.client_prefixes
    return (f"mcp__{settings.server_name}__",)
