"""``echolot mcp check``: what was found, and with ``--quality`` the whole report."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from echolot_lsp.cli import fix, sources
from echolot_lsp.cli.streams import complain, say, say_json
from echolot_lsp.errors import UsageError

if TYPE_CHECKING:
    from echolot_lsp.cli.sources import Gathered

SUMMARY = "Say which servers and tools are found; with --quality, what a model would stumble over."
PROVIDERS = ("anthropic", "openai", "gemini")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    sources.add_arguments(parser)
    parser.add_argument("--quality", action="store_true", help="the whole report: cost, verdicts, findings with advice")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there is a problem")
    parser.add_argument("--format", choices=("text", "json", "markdown"), help="text (default), or the report as JSON or Markdown")
    parser.add_argument("--as", dest="as_provider", choices=PROVIDERS, help="only that API's tools field, as JSON")
    parser.add_argument("--openai-api", choices=("responses", "chat"), default="responses", help="which form --as openai prints")
    parser.add_argument(
        "--gemini-form", choices=("parameters", "json-schema"), default="parameters", help="which form --as gemini prints"
    )
    parser.add_argument("--exact", action="store_true", help="ask the providers to count as well; needs keys, and your yes")
    parser.add_argument("--yes", action="store_true", help="with --exact: send the tool list to the providers without asking")
    parser.add_argument(
        "--strict-schema", action="store_true", help="what stops each tool from OpenAI's and Anthropic's strict modes"
    )
    fix.add_arguments(parser)
    parser.add_argument("--show-settings", action="store_true", help="print the settings in force, and where they come from")


def run(options: argparse.Namespace) -> int:
    """Print what is asked for; 0, 1 (``--strict`` and a problem) or 2 (something could not be read)."""
    if options.show_settings:
        return _show_settings(options)
    if fix.wanted(options):
        read = fix.run(options)
        if options.diff:
            return 0 if read else 2
    judged = options.fix or options.quality or options.strict or options.exact or options.format is not None
    gathered = sources.gather(options, schemas=bool(judged or options.as_provider or options.strict_schema))
    if options.as_provider:
        _print_as(options, gathered)
        problems = 0
    elif options.strict_schema:
        from echolot_lsp.render.strict_text import strict_text

        for server in gathered.servers:
            say(strict_text(server, gathered.settings_of(server).providers))
        problems = 0
    elif judged:
        problems = _print_reports(options, gathered)
    else:
        from echolot_lsp.cli.terminal import width
        from echolot_lsp.render.overview import overview

        if gathered.servers:
            say(overview(gathered.servers, width()))
        problems = 0
    if gathered.failed:
        return 2
    return 1 if options.strict and problems else 0


def _print_reports(options: argparse.Namespace, gathered: Gathered) -> int:
    from echolot_lsp.cli.reports import report_all
    from echolot_lsp.model import Severity

    reports = report_all(gathered.servers, gathered.settings_of)
    if options.format == "json":
        from echolot_lsp.render.report_json import report_json

        say_json(report_json(reports))
    elif options.format == "markdown":
        from echolot_lsp.render.markdown import render_markdown
        from echolot_lsp.render.report_json import report_json

        say(render_markdown(report_json(reports)).rstrip("\n"))
    elif options.quality and reports:
        from echolot_lsp.cli.terminal import colour, width
        from echolot_lsp.render.terminal import report_text

        say(report_text(reports, width=width(), colour=colour()))
    elif reports:
        from echolot_lsp.render.overview import lines_of

        say(lines_of(reports))
    if options.exact:
        from echolot_lsp.cli.exact import say_exact

        gathered.failed |= say_exact(options, reports, [gathered.settings_of(server) for server in gathered.servers])
    return sum(report.count(Severity.PROBLEM) for report in reports)


def _print_as(options: argparse.Namespace, gathered: Gathered) -> None:
    from echolot_lsp.providers import wire_form
    from echolot_lsp.schema import pointer

    if len(gathered.servers) > 1:
        names = ", ".join(dict.fromkeys(server.name for server in gathered.servers))
        raise UsageError(f"--as is for one server, and there are {len(gathered.servers)}: choose with --server ({names}).")
    for server in gathered.servers:
        tools = [tool.wire for tool in server.tools]
        form = wire_form(options.as_provider, tools, openai_api=options.openai_api, gemini_form=options.gemini_form)
        say_json(form.value)
        for part in form.unknown:
            name = None if part.index is None else server.tools[part.index].name
            complain(f"left out: {name or server.name}{pointer(part.path)}: {part.why}")


def _show_settings(options: argparse.Namespace) -> int:
    from echolot_lsp.cli.in_force import InForce
    from echolot_lsp.files import Disk
    from echolot_lsp.render.settings_text import settings_text

    in_force = InForce(options, Disk())
    for source in options.sources or ["."]:
        say(settings_text(in_force.at("." if source == sources.STDIN else source)))
    return 2 if in_force.failed else 0
