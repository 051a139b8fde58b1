"""``echolot mcp check --exact``: the providers' own counts beside the estimates."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from echolot_lsp.cli.streams import complain, say
from echolot_lsp.cli.try_ import asker, tool_list, workspace
from echolot_lsp.errors import TrialError
from echolot_lsp.model import Cost, Report

if TYPE_CHECKING:
    from echolot_lsp.config import Settings


def say_exact(options: argparse.Namespace, reports: Sequence[Report], settings: Sequence[Settings]) -> bool:
    """Ask each provider, and print estimate, count and difference. Whether no provider counted."""
    counted = 0
    for report, setting in zip(reports, settings, strict=True):
        say(f"{report.server.name}, counted by the providers:")
        for cost in report.costs.values():
            try:
                say(f"  {_counted(options, report, cost, workspace(setting))}")
                counted += 1
            except TrialError as error:
                complain(f"{cost.provider}: {error}")
    return counted == 0


def _counted(options: argparse.Namespace, report: Report, cost: Cost, folder: str) -> str:
    from echolot_lsp.trial.command import TryOptions, agree
    from echolot_lsp.trial.consent import Consents
    from echolot_lsp.trial.endpoint import resolve
    from echolot_lsp.trial.exact import Exact, count

    tools = tool_list(report.server)
    endpoint = resolve(f"{cost.provider}/{cost.model}", os.environ, openai_api="responses")
    agree(
        [endpoint], {tools.name: len(tools.tools)}, TryOptions((), yes=options.yes, workspace=folder), Consents.of_user(), asker()
    )
    return Exact(endpoint.reference, cost.total, count(endpoint, tools.tools)).text
