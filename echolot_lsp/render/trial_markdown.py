"""A trial as Markdown, for editors: what the model would call, what does not fit, what it cost. Reads well raw, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def trial_markdown(result: Mapping[str, Any]) -> str:
    """The Markdown of a trial's JSON (``trial.result``)."""
    parts = [part for trial in result["trials"] for part in _trial(trial)]
    return "\n\n".join([*parts, "Nothing was called."]) + "\n"


def _trial(trial: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {_line(trial['prompt'])}"
    yield f"{trial['model']} at {trial['endpoint']}"
    runs = trial["runs"]
    if len(runs) > 1:
        yield "\n".join(f"- {pick['tool'] or 'no call'}: {pick['share']:.0%} of {len(runs)} runs" for pick in trial["picked"])
    for number, run in enumerate(runs, 1):
        if len(runs) > 1:
            yield f"## Run {number}"
        yield from _run(run)


def _run(run: Mapping[str, Any]) -> Iterator[str]:
    if run["error"] is not None:
        yield run["error"]["text"]
        return
    for call in run["calls"]:
        yield from _call(call)
    if not run["calls"]:
        yield "No call; the model answered:"
    if run["text"]:
        yield "\n".join(f"> {line}" for line in run["text"].splitlines())
    if run["stop"] == "cut":
        yield "The answer was cut off at the most tokens that were asked for."
    if run["list_hidden"]:
        yield "The server counted fewer tokens than the list has: the model may not have seen the tools."
    yield _spent(run)


def _call(call: Mapping[str, Any]) -> Iterator[str]:
    how = " (written as text: a client would not call it)" if call["in_text"] else ""
    yield f"**{call['tool']}**{how}"
    yield "```json\n" + json.dumps(call["arguments"], ensure_ascii=False, indent=2) + "\n```"
    if call["faults"]:
        lines = [f"- {fault['at'] + ': ' if fault['at'] else ''}{fault['text']}{_looser(fault)}" for fault in call["faults"]]
        yield "\n".join(lines)


def _looser(fault: Mapping[str, Any]) -> str:
    return f" {fault['looser']}" if fault["looser"] else ""


def _spent(run: Mapping[str, Any]) -> str:
    usage, price = run["usage"], run["price"]
    tokens = "tokens not reported" if usage is None else f"{usage['input']:,} tokens in, {usage['output']:,} out"
    return f"{tokens} · {price['text'] if price else 'price unknown'} · {run['seconds']:g} s"


def _line(text: str) -> str:
    return " ".join(text.split())
