"""``echolot mcp try``: ask a model which tool it would call; with ``--all``, the saved prompts as a test with an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from echolot_lsp.cli import sources
from echolot_lsp.cli.streams import say, say_json
from echolot_lsp.errors import UsageError

if TYPE_CHECKING:
    from echolot_lsp.cli.sources import Gathered
    from echolot_lsp.config import Settings
    from echolot_lsp.model import Server
    from echolot_lsp.trial.run import Prompt, ToolList

SUMMARY = "Ask a model which tool it would call; nothing is called."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command. The first word is the prompt, unless ``--all`` is given."""
    parser.usage = "echolot mcp try (PROMPT | --all) [SOURCE ...] [options]"
    sources.add_arguments(parser)
    add_model_arguments(parser)
    parser.add_argument(
        "--all", action="store_true", help="try the prompts of the settings, and say which picked the expected tool"
    )
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="ask N times, and say how often each tool was picked")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or JSON")


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which model is asked, and whether it may be."""
    parser.add_argument(
        "--model", action="append", metavar="PROVIDER/MODEL[@URL]", help="the model to ask; several are asked side by side"
    )
    parser.add_argument("--yes", action="store_true", help="send the tool list to the models without asking")
    parser.add_argument("--openai-api", choices=("responses", "chat"), help="how an OpenAI model is asked")


def run(options: argparse.Namespace) -> int:
    """Ask and print; 0, 1 (an expectation failed) or 2 (nothing could be asked)."""
    from echolot_lsp.trial.command import TryOptions, run_try

    prompt = None
    if not options.all:
        if not options.sources:
            raise UsageError("Write a prompt, in quotes, or --all for the prompts of the settings.")
        prompt, options.sources = options.sources[0], options.sources[1:]
    gathered = sources.gather(options)
    server = only_server(gathered)
    if server is None:
        return 2
    settings = gathered.settings_of(server)
    wanted = TryOptions(
        prompts(prompt, settings),
        models(options, settings),
        all=options.all,
        yes=options.yes,
        runs=options.runs,
        format=options.format,
        openai_api=options.openai_api,
        workspace=workspace(settings),
    )
    return run_try(tool_list(server), wanted, environment=os.environ, say=_say, say_json=say_json, ask=asker())


def only_server(gathered: Gathered) -> Server | None:
    """The one server of a command that needs one. Raises ``UsageError`` where there are several."""
    if len(gathered.servers) > 1:
        names = ", ".join(dict.fromkeys(server.name for server in gathered.servers))
        raise UsageError(f"A model is shown one server, and there are {len(gathered.servers)}: choose with --server ({names}).")
    return gathered.servers[0] if gathered.servers else None


def tool_list(server: Server) -> ToolList:
    """What of a server is tried: its tools in plain JSON, unknown parts left out."""
    from echolot_lsp.render.listing import plain_tools
    from echolot_lsp.trial.run import ToolList

    return ToolList.of(server.name, plain_tools(server))


def prompts(given: str | None, settings: Settings) -> tuple[Prompt, ...]:
    """The prompt of the command line, else those of the settings."""
    from echolot_lsp.trial.run import Prompt

    if given is not None:
        return (Prompt(given),)
    return tuple(Prompt(saved.text, saved.expect) for saved in settings.prompts)


def models(options: argparse.Namespace, settings: Settings) -> tuple[str, ...]:
    """The models of the command line, else the one of the settings."""
    return tuple(options.model or ([settings.trial_model] if settings.trial_model else []))


def workspace(settings: Settings) -> str:
    """What a yes is remembered for: the folder of the settings, else the working folder."""
    return os.path.abspath(settings.folder or ".")


def asker() -> Callable[[str], bool] | None:
    """The question in the terminal; ``None`` where nobody sits there."""
    from echolot_lsp.trial.command import ask_in_terminal

    return ask_in_terminal if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty() else None


def _say(text: str) -> None:
    say(text)
    sys.stdout.flush()
