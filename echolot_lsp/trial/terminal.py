"""A trial as text for a terminal: what would be called, with what, what does not fit, and what the turn cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from echolot_lsp.schema import pointer
from echolot_lsp.trial.endpoint import stays_here
from echolot_lsp.trial.run import Judged, Run, ToolList, Trial

LONGEST_VALUE = 200
LONGEST_ANSWER = 2_000


def visible(text: str) -> str:
    """``text`` on one line without characters that steer a terminal or turn the reading direction."""
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    return {"\n": "⏎", "\t": " "}.get(character, f"\\u{ord(character):04x}")


def trial_text(tools: ToolList, trial: Trial) -> str:
    """One prompt with one model, several lines."""
    lines = [f"{trial.endpoint.reference}: “{visible(trial.prompt.text)}”"]
    if len(trial.runs) > 1:
        lines.append(f"  {shares_text(trial)}")
    for run in _different(trial.runs):
        lines.extend(f"  {line}" for line in _run_lines(tools, trial, run))
    if trial.passed is not None:
        lines.append(f"  {verdict_text(trial)}")
    return "\n".join(lines)


def verdict_text(trial: Trial) -> str:
    """Whether the expected tool was picked, in one line."""
    wanted = f"{visible(trial.prompt.expect)} expected" if trial.prompt.expect else "no call expected"
    if trial.passed:
        return f"pass: {wanted}"
    error = next((run.error for run in trial.runs if run.error is not None), None)
    if error is not None:
        return f"error: {visible(error)}"
    return f"FAIL: {wanted}, but {shares_text(trial)}"


def shares_text(trial: Trial) -> str:
    """``5 runs: find_parcel 80 %, no call 20 %``; for one run only what it picked."""
    parts = [(visible(name) if name is not None else "no call", share) for name, share in trial.shares.items()]
    if not parts:
        return "no answer"
    if len(trial.runs) == 1:
        return " and ".join(name for name, _share in parts)
    errors = sum(run.error is not None for run in trial.runs)
    failed = f", {errors} without an answer" if errors else ""
    return f"{len(trial.runs)} runs{failed}: " + ", ".join(f"{name} {share:.0%}".replace("%", " %") for name, share in parts)


def _different(runs: Sequence[Run]) -> Iterator[Run]:
    """One run of each outcome, in order: ten equal answers say no more than one."""
    seen: list[object] = []
    for run in runs:
        outcome = (run.picked, run.error)
        if outcome not in seen:
            seen.append(outcome)
            yield run


def _run_lines(tools: ToolList, trial: Trial, run: Run) -> Iterator[str]:
    if run.error is not None:
        yield visible(run.error)
        if run.tool is not None:
            yield f"The provider names the tool {visible(tools.names[run.tool])} (number {run.tool + 1} of the list)."
        return
    reply = run.reply
    if reply is None:
        return
    for judged in run.calls:
        yield from _call_lines(judged)
    if any(judged.call.in_text for judged in run.calls):
        yield "The call is written as plain text: a client would show it and call nothing."
    if not run.calls:
        yield "No call. The answer:" if reply.text else "No call and no text."
    if reply.text and not any(judged.call.in_text for judged in run.calls):
        yield from (f"| {visible(line)}" for line in _shortened(reply.text).splitlines())
    sentence = STOPS.get(reply.stop)
    if sentence:
        yield sentence
    if run.hidden:
        yield HIDDEN
    yield _facts(trial, run)


STOPS: Mapping[str, str] = {
    "cut": "The answer was cut off at the token limit.",
    "refused": "The provider stopped the answer (its content filter).",
    "broken": "The model wrote a call that the provider could not read.",
}
"""What is said where an answer did not end by itself."""

HIDDEN = "The server counts fewer tokens than the list has, so the model may not have seen it: a local server may need its template for tools."
"""What is said where a server seems to have left the list out."""


def _call_lines(judged: Judged) -> Iterator[str]:
    yield f"→ {visible(judged.call.name)}"
    arguments = judged.call.arguments
    at = {pointer(fault.path[:1]): fault for fault in reversed(judged.faults)}
    if isinstance(arguments, Mapping):
        for name, value in arguments.items():
            fault = at.get(pointer((name,)))
            mark = " " if fault is None else ("·" if fault.note else "✗")
            yield f"  {mark} {visible(str(name))}: {_value(value)}"
    elif arguments is not None:
        yield f"    {_value(arguments)}"
    for fault in judged.faults:
        where = f"{visible(pointer(fault.path))}: " if len(fault.path) > 1 else ""
        yield f"  {'·' if fault.note else '✗'} {where}{visible(fault.text)}"
        if fault.looser:
            yield f"    The model could not know: {visible(fault.looser)}"


def _facts(trial: Trial, run: Run) -> str:
    """Tokens, price and time, on one line."""
    usage = run.reply.usage if run.reply is not None else None
    parts = ["tokens not reported" if usage is None else f"{usage.input:,} tokens in, {usage.output:,} out"]
    if run.price is not None:
        parts.append(f"about {run.price.text}")
        if run.price.model != trial.endpoint.model:
            parts[-1] += f" (price of {visible(run.price.model)})"
    else:
        parts.append("on this machine" if stays_here(trial.endpoint) else "price unknown")
    return " · ".join([*parts, f"{run.seconds:.1f} s"])


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return visible(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…")


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n… ({len(text):,} characters)"


def summary_text(trials: Sequence[Trial]) -> str:
    """``3 passed, 1 failed``, with the prompts that could not be tried."""
    passed = sum(trial.passed is True for trial in trials)
    errors = sum(any(run.error is not None for run in trial.runs) and not trial.passed for trial in trials)
    failed = sum(trial.passed is False for trial in trials) - sum(
        trial.passed is False and any(run.error is not None for run in trial.runs) for trial in trials
    )
    parts = [f"{passed} passed", f"{failed} failed"] + ([f"{errors} could not be tried"] if errors else [])
    return ", ".join(parts)
