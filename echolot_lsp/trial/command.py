"""`echolot mcp try PROMPT | --all`: asks models, prints what they would call, answers with an exit code.

0: every model answered, and did what was expected. 1: an expectation failed. 2: nothing could be asked, or a model gave an error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from echolot_lsp.errors import TrialError, UsageError
from echolot_lsp.trial.consent import Consents, needs_consent, no_consent, question
from echolot_lsp.trial.endpoint import Endpoint, resolve
from echolot_lsp.trial.looking import look
from echolot_lsp.trial.result import as_json
from echolot_lsp.trial.run import Prompt, ToolList, Trial, run
from echolot_lsp.trial.send import Sender, proxy_of, send
from echolot_lsp.trial.terminal import summary_text, trial_text

PATIENCE = 30.0
"""Seconds that a regression test of many prompts waits where a provider asks for it."""


@dataclass(frozen=True, slots=True)
class TryOptions:
    """What the command line says. ``prompts``: the one that was given, or with ``all`` those of the settings."""

    prompts: tuple[Prompt, ...]
    models: tuple[str, ...] = ()
    all: bool = False
    yes: bool = False
    runs: int = 1
    format: Literal["text", "json"] = "text"
    openai_api: Literal["responses", "chat"] | None = None
    workspace: str = "."


def run_try(
    tools: ToolList,
    options: TryOptions,
    *,
    environment: Mapping[str, str],
    say: Callable[[str], None] = print,
    say_json: Callable[[Any], None] = lambda value: print(json.dumps(value, default=str)),
    ask: Callable[[str], bool] | None = None,
    sender: Sender = send,
    consents: Consents | None = None,
) -> int:
    """Try prompts on one tool list; the exit code. Raises ``EcholotError`` where nothing can be asked.

    ``ask`` puts a question to the person (``None``: nobody is there to answer). ``say`` and ``say_json`` write to the output.
    """
    if not options.prompts:
        raise UsageError("There is no prompt: give one, or save some under [[tool.echolot.prompts]] for --all.")
    if not tools.tools:
        raise UsageError(f"{tools.name} has no tools: there is nothing to choose from.")
    unknown = [prompt.expect for prompt in options.prompts if prompt.expect and prompt.expect not in tools.names]
    if unknown:
        raise UsageError(f"A saved prompt expects {unknown[0]}, but {tools.name} has no such tool.")
    endpoints = chosen(options, environment)
    agree(endpoints, {tools.name: len(tools.tools)}, options, consents or Consents.of_user(environment), ask)

    def done(trial: Trial) -> None:
        if options.format == "text":
            say(f"{trial_text(tools, trial)}\n")

    patience = PATIENCE if options.all else 0.0
    trials = run(tools, options.prompts, endpoints, runs=options.runs, patience=patience, sender=sender, done=done)
    if options.format == "json":
        say_json(as_json(tools, trials))
    else:
        say("Nothing was called." + (f" {summary_text(trials)}." if options.all else ""))
    return exit_code(trials)


def chosen(options: TryOptions, environment: Mapping[str, str]) -> list[Endpoint]:
    """The endpoints of the models that were chosen. Raises ``TrialError``: none was, and this is what there is."""
    if not options.models:
        raise TrialError(look(environment).text)
    return [resolve(model, environment, openai_api=options.openai_api) for model in options.models]


def agree(
    endpoints: Sequence[Endpoint],
    servers: Mapping[str, int],
    options: TryOptions,
    consents: Consents,
    ask: Callable[[str], bool] | None,
) -> None:
    """Ask once for each endpoint that is not on this machine. Raises ``TrialError`` for a no, or where nobody answers."""
    for endpoint in endpoints:
        if options.yes or not needs_consent(endpoint) or consents.given(endpoint, options.workspace):
            continue
        if ask is None or not ask(question(endpoint, servers, proxy=proxy_of(endpoint))):
            raise TrialError(no_consent(endpoint))
        consents.give(endpoint, options.workspace)


def ask_in_terminal(text: str) -> bool:
    """Put a question on standard error and read the answer; anything but a yes is a no."""
    print(f"{text} [y/N] ", end="", file=sys.stderr, flush=True)
    try:
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    except (OSError, ValueError, KeyboardInterrupt):
        return False


def exit_code(trials: Sequence[Trial]) -> int:
    """0, 1 (an expectation failed) or 2 (a model could not be asked)."""
    if any(run.error is not None for trial in trials for run in trial.runs):
        return 2
    return 1 if any(trial.passed is False for trial in trials) else 0
