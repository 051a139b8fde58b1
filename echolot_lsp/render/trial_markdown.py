"""A trial as Markdown, for editors: what the model would call, what does not fit, what it cost. Reads well raw, too.

What a model or a server wrote is text or stands in a fence: nothing in it becomes a link or markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from echolot_lsp.render.markdown import code, text

_PLAIN = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*")


def trial_markdown(result: Mapping[str, Any]) -> str:
    """The Markdown of a trial's JSON (``trial.result``)."""
    parts = [part for trial in result["trials"] for part in _trial(trial)]
    return "\n\n".join([*parts, "Nothing was called."]) + "\n"


def _trial(trial: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {text(trial['prompt'])}"
    yield f"{code(trial['model'])} at {code(trial['endpoint'])}"
    runs = trial["runs"]
    if len(runs) > 1:
        yield "\n".join(
            f"- {_name(pick['tool']) if pick['tool'] else 'no call'}: {pick['share']:.0%} of {len(runs)} runs"
            for pick in trial["picked"]
        )
    for number, run in enumerate(runs, 1):
        if len(runs) > 1:
            yield f"## Run {number}"
        yield from _run(run)


def _run(run: Mapping[str, Any]) -> Iterator[str]:
    if run["error"] is not None:
        yield text(run["error"]["text"])
        return
    for call in run["calls"]:
        yield from _call(call)
    if not run["calls"]:
        yield "No call; the model answered:"
    if run["text"]:
        yield _fenced(run["text"], "text")
    if run["stop"] == "cut":
        yield "The answer was cut off at the most tokens that were asked for."
    if run["list_hidden"]:
        yield "The server counted fewer tokens than the list has: the model may not have seen the tools."
    yield _spent(run)


def _call(call: Mapping[str, Any]) -> Iterator[str]:
    how = " (written as text: a client would not call it)" if call["in_text"] else ""
    yield f"**{_name(call['tool'])}**{how}"
    yield _fenced(json.dumps(call["arguments"], ensure_ascii=False, indent=2), "json")
    if call["faults"]:
        yield "\n".join(f"- {_fault(fault)}" for fault in call["faults"])


def _fault(fault: Mapping[str, Any]) -> str:
    at = f"{code(fault['at'])}: " if fault["at"] else ""
    looser = f" {text(fault['looser'])}" if fault["looser"] else ""
    return f"{at}{text(fault['text'])}{looser}"


def _spent(run: Mapping[str, Any]) -> str:
    usage, price = run["usage"], run["price"]
    tokens = "tokens not reported" if usage is None else f"{usage['input']:,} tokens in, {usage['output']:,} out"
    return f"{tokens} · {price['text'] if price else 'price unknown'} · {run['seconds']:g} s"


def _name(name: str) -> str:
    """A tool's name: as it is where nothing in it is markup."""
    return name if _PLAIN.fullmatch(name) else text(name)


def _fenced(content: str, language: str) -> str:
    """A block whose fence is longer than any run of backticks inside."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", content)), default=0))
    return f"{fence}{language}\n{content}\n{fence}"
