"""A trial as JSON: what `echolot mcp try --format json` prints and the card page draws.

::

    {"version": 1, "server": "depot",
     "trials": [{"prompt": "…", "expect": "find_parcel" | "" | null, "passed": true | false | null,
                 "model": "openai/gpt-…", "endpoint": "https://api.openai.com", "on_this_machine": false,
                 "picked": [{"tool": "find_parcel" | null, "share": 0.6}],
                 "runs": [{"calls": [{"tool": "…", "index": 0 | null, "arguments": …, "in_text": false,
                                      "faults": [{"at": "/number", "text": "…", "looser": "…" | null, "note": false}]}],
                           "text": "…", "stop": "end|calls|cut|refused|broken", "seconds": 1.2, "model": "…" | null,
                           "usage": {"input": 812, "output": 24, "cache_read": 0, "cache_write": 0} | null,
                           "price": {"dollars": "0.0021", "text": "$0.0021", "model": "…"} | null,
                           "list_hidden": false,
                           "error": null | {"text": "…", "tool": "…" | null, "index": 3 | null}}]}],
     "summary": {"passed": 1, "failed": 0, "errors": 0}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from echolot_lsp.schema import pointer
from echolot_lsp.trial.endpoint import stays_here
from echolot_lsp.trial.run import Judged, Run, ToolList, Trial


def as_json(tools: ToolList, trials: Sequence[Trial]) -> dict[str, Any]:
    """The trials of one list."""
    return {
        "version": 1,
        "server": tools.name,
        "trials": [_trial(tools, trial) for trial in trials],
        "summary": {
            "passed": sum(trial.passed is True for trial in trials),
            "failed": sum(trial.passed is False for trial in trials),
            "errors": sum(run.error is not None for trial in trials for run in trial.runs),
        },
    }


def _trial(tools: ToolList, trial: Trial) -> dict[str, Any]:
    return {
        "prompt": trial.prompt.text,
        "expect": trial.prompt.expect,
        "passed": trial.passed,
        "model": trial.endpoint.reference,
        "endpoint": trial.endpoint.origin,
        "on_this_machine": stays_here(trial.endpoint),
        "picked": [{"tool": name, "share": round(share, 4)} for name, share in trial.shares.items()],
        "runs": [_run(tools, run) for run in trial.runs],
    }


def _run(tools: ToolList, run: Run) -> dict[str, Any]:
    reply = run.reply
    usage = reply.usage if reply is not None else None
    return {
        "calls": [_call(judged) for judged in run.calls],
        "text": reply.text if reply is not None else "",
        "stop": reply.stop if reply is not None else None,
        "seconds": round(run.seconds, 2),
        "model": reply.model if reply is not None else None,
        "usage": None
        if usage is None
        else {"input": usage.input, "output": usage.output, "cache_read": usage.cache_read, "cache_write": usage.cache_write},
        "price": None
        if run.price is None
        else {"dollars": str(run.price.dollars), "text": run.price.text, "model": run.price.model},
        "list_hidden": run.hidden,
        "error": None if run.error is None else {"text": run.error, "tool": _name(tools, run.tool), "index": run.tool},
    }


def _call(judged: Judged) -> Mapping[str, Any]:
    return {
        "tool": judged.call.name,
        "index": judged.index,
        "arguments": judged.call.arguments,
        "in_text": judged.call.in_text,
        "faults": [
            {"at": pointer(fault.path), "text": fault.text, "looser": fault.looser, "note": fault.note} for fault in judged.faults
        ],
    }


def _name(tools: ToolList, index: int | None) -> str | None:
    return None if index is None else tools.names[index]
