"""``echolot mcp view``: the card page, in a browser from 127.0.0.1 or as one file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echolot_lsp.cli import live, sources
from echolot_lsp.cli.streams import complain, say
from echolot_lsp.cli.try_ import add_model_arguments, asker, models, prompts, workspace
from echolot_lsp.errors import SourceError

if TYPE_CHECKING:
    from echolot_lsp.config import Settings

SUMMARY = "Show how a model sees a server: a page in the browser that follows the source."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    sources.add_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument("--html", metavar="FILE", help="write the page into a file instead")
    parser.add_argument("--no-browser", action="store_true", help="only print the page's address")


def run(options: argparse.Namespace) -> int:
    """Write the page, or serve it until Ctrl+C; 0, or 2 where a named source could not be read."""
    from echolot_lsp.render.html import render_card

    parent = os.getppid()
    gathered = sources.gather(options)
    report, paths = _report(options, gathered)
    if options.html is not None:
        _write(options.html, render_card(report))
        return 2 if gathered.failed else 0
    if not gathered.servers:
        return 2 if gathered.failed else 0
    return _serve(options, report, paths, gathered.settings_of(gathered.servers[0]), parent)


def _write(path: str, page: str) -> None:
    try:
        Path(path).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None
    say(f"Written to {path}.")


def _report(options: argparse.Namespace, gathered: sources.Gathered) -> tuple[Mapping[str, Any], Collection[str]]:
    """The report, and the files and folders whose changes are followed."""
    from echolot_lsp.cli.reports import report_all
    from echolot_lsp.render.report_json import report_json

    report = report_json(report_all(gathered.servers, gathered.settings_of))
    if live.wanted(options) or sources.STDIN in options.sources:
        return report, ()  # a server is started once, at the person's word; standard input is read once
    paths = {path for server in gathered.servers for path in server.sources}
    return report, paths | {source for source in options.sources or ["."] if source != sources.STDIN}


def _serve(options: argparse.Namespace, report: Mapping[str, Any], paths: Collection[str], settings: Settings, parent: int) -> int:
    from echolot_lsp.trial.consent import Consents
    from echolot_lsp.trial.page import PageHost, tool_lists
    from echolot_lsp.view import CardServer, follow

    named = models(options, settings)
    host = PageHost(
        os.environ,
        workspace(settings),
        Consents.of_user(),
        ask=asker(),
        yes=options.yes,
        model=named[0] if named else None,
        prompts=prompts(None, settings),
        openai_api=options.openai_api,
    )
    server = CardServer(report, lambda message, shown: host.answer(message, tool_lists(shown)), model=", ".join(named) or None)
    follows = "It follows the source." if paths else "It shows the list as it was just now."
    say(f"The page is at {server.url}\n{follows} Ctrl+C ends it.")
    sys.stdout.flush()
    if not options.no_browser:
        _open(server.url)
    shown = report, paths

    def load() -> tuple[Mapping[str, Any], Collection[str]]:
        nonlocal shown
        gathered = sources.gather(options)
        if gathered.servers:  # half-typed code keeps the last good list
            shown = _report(options, gathered)
        return shown

    try:
        follow(server, load, first=shown, ended=lambda: os.getppid() != parent)  # it does not outlive its terminal
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
    return 0


def _open(url: str) -> None:
    """Open a browser where there is a screen; a text browser would take the terminal."""
    import webbrowser

    if sys.platform not in ("darwin", "win32") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(url)
    except (webbrowser.Error, OSError):
        complain("No browser could be started: open the address above.")
