"""Prompts × models × runs: what each model would call. Blocking; a thread for each model, never an event loop."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from echolot_lsp.errors import TrialError
from echolot_lsp.trial.arguments import Fault, faults, unknown_tool
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.form import Form, form_of
from echolot_lsp.trial.price import Price, price
from echolot_lsp.trial.refusal import Refusal
from echolot_lsp.trial.reply import Call, Reply, Unreadable, is_too_deep
from echolot_lsp.trial.send import ADAPTERS, Sender, send
from echolot_lsp.trial.spoken import calls_in_text

MOST_RUNS = 20


@dataclass(frozen=True, slots=True)
class Prompt:
    """What somebody might ask an agent that has this server. ``expect``: the tool that should be called, ``""`` for no call."""

    text: str
    expect: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A call, the position of its tool in the list (``None``: there is no such tool), and what does not fit."""

    call: Call
    index: int | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One turn: the reply with its calls judged, or the error that came instead. ``tool``: the position that an error names."""

    seconds: float
    reply: Reply | None = None
    calls: tuple[Judged, ...] = ()
    price: Price | None = None
    error: str | None = None
    tool: int | None = None
    again: float | None = None
    """Seconds after which the provider would take the request, where it says so."""
    final: bool = False
    """The same request would meet the same error again."""
    hidden: bool = False
    """The server counted fewer tokens than the list has at the least: it may not have shown the list to the model."""

    @property
    def picked(self) -> frozenset[str]:
        """The tools that a client would call now: calls in plain text are none."""
        return frozenset(judged.call.name for judged in self.calls if not judged.call.in_text)


@dataclass(frozen=True, slots=True)
class Trial:
    """All runs of one prompt with one model."""

    prompt: Prompt
    endpoint: Endpoint
    runs: tuple[Run, ...]

    @property
    def shares(self) -> Mapping[str | None, float]:
        """The share of the answered runs that picked each tool, largest first; ``None`` stands for no call."""
        answered = [run for run in self.runs if run.error is None]
        counts = Counter(name for run in answered for name in (run.picked or (None,)))
        return {name: count / len(answered) for name, count in counts.most_common()}

    @property
    def passed(self) -> bool | None:
        """Whether more than half of the runs did what was expected; ``None`` where nothing is expected."""
        if self.prompt.expect is None:
            return None
        wanted = self.prompt.expect
        good = sum(run.error is None and (wanted in run.picked if wanted else not run.picked) for run in self.runs)
        return good * 2 > len(self.runs)


@dataclass(frozen=True, slots=True)
class ToolList:
    """What is tried: the server's name and its tools as on the wire, without the parts that are unknown."""

    name: str
    tools: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, name: str, tools: Iterable[Mapping[str, Any]]) -> ToolList:
        """The list without the tools whose name is not known: no provider takes those, and no model could call them."""
        return cls(name, tuple(tool for tool in tools if isinstance(tool.get("name"), str)))

    @property
    def names(self) -> list[str]:
        """The tools' names in order; an empty one where there is none."""
        return [str(tool.get("name", "")) for tool in self.tools]


def run(
    tools: ToolList,
    prompts: Sequence[Prompt],
    endpoints: Sequence[Endpoint],
    *,
    runs: int = 1,
    patience: float = 0.0,
    sender: Sender = send,
    pause: Callable[[float], None] = time.sleep,
    done: Callable[[Trial], None] = lambda trial: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Trial]:
    """Every prompt with every model, in the order prompt, then model. ``done`` is told of each trial as it ends (from a thread).

    ``patience``: seconds that a provider may ask to wait (429) before the one request more. Consent is the caller's business.
    Errors become part of a ``Run``; one that asking again would not change is not asked again.
    """
    count = max(1, min(runs, MOST_RUNS))

    def ask(endpoint: Endpoint, form: Form, prompt: Prompt) -> Run:
        made = _ask(tools, endpoint, form, prompt, sender)
        if made.again is not None and made.again <= patience:
            pause(made.again)
            made = _ask(tools, endpoint, form, prompt, sender)
        return made

    def ask_all(endpoint: Endpoint) -> list[Trial]:
        form = form_of(endpoint, tools.tools)
        trials: list[Trial] = []
        final: Run | None = None
        for prompt in prompts:
            made: list[Run] = []
            while len(made) < count and final is None and not cancelled():
                made.append(ask(endpoint, form, prompt))
                final = made[-1] if made[-1].final else None
            trials.append(Trial(prompt, endpoint, tuple(made) or (final or Run(0.0, error="Cancelled."),)))
            done(trials[-1])
        return trials

    with ThreadPoolExecutor(max_workers=max(1, min(len(endpoints), 4))) as pool:
        columns = list(pool.map(ask_all, endpoints))
    return [column[row] for row in range(len(prompts)) for column in columns]


def _ask(tools: ToolList, endpoint: Endpoint, form: Form, prompt: Prompt, sender: Sender) -> Run:
    adapter = ADAPTERS[endpoint.protocol]
    request = adapter.request(endpoint.base_url, endpoint.model, form.value, prompt.text)
    start = time.monotonic()
    try:
        answer = sender(endpoint, request, tools.names)
        reply = adapter.reply(answer)
    except Refusal as error:
        seconds = time.monotonic() - start
        return Run(seconds, error=str(error), tool=error.tool, again=error.again, final=error.final)
    except TrialError as error:
        return Run(time.monotonic() - start, error=str(error))
    except Unreadable as error:
        return Run(time.monotonic() - start, error=f"The answer of {endpoint.origin} {error}: it does not speak this protocol.")
    seconds = time.monotonic() - start
    calls = reply.calls or calls_in_text(reply.text, tools.names)
    judged = tuple(judge(call, tools, form) for call in calls)
    return Run(seconds, reply, judged, price(endpoint, reply.usage), hidden=_is_hidden(form, reply))


CHARACTERS_A_TOKEN = 12
"""More characters than a token of JSON has in any vocabulary, and than any template saves by writing the list shorter."""


def _is_hidden(form: Form, reply: Reply) -> bool:
    """Servers without a template for tools leave the list out and say nothing of it; the number of input tokens tells."""
    if reply.usage is None or reply.calls:
        return False
    size = len(json.dumps(form.value, ensure_ascii=False, default=str))
    return reply.usage.input * CHARACTERS_A_TOKEN < size


def judge(call: Call, tools: ToolList, form: Form) -> Judged:
    """A call held against the list."""
    if is_too_deep(call.arguments):
        return Judged(replace(call, arguments=None), None, (Fault((), "The arguments nest too deeply to be shown."),))
    names = tools.names
    if call.name not in names:
        return Judged(call, None, (unknown_tool(call.name, names),))
    index = names.index(call.name)
    return Judged(call, index, faults(call, tools.tools[index].get("inputSchema"), form.looser(index)))
