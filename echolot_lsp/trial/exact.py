"""The providers' own counts of a list: what `check --exact` prints beside the estimate.

The count is that of the same request with the tools less that without them, so it is the tool part alone, surcharge included, as
``tokens.count`` answers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from echolot_lsp.errors import TrialError
from echolot_lsp.trial import anthropic, gemini, openai_responses
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.form import form_of
from echolot_lsp.trial.reply import Request, Unreadable
from echolot_lsp.trial.send import Sender, send

PROMPT = "Hello"
"""What the two requests say beside the tools; any short text does."""


@dataclass(frozen=True, slots=True)
class Exact:
    """An estimate beside a provider's count, both in tokens a turn."""

    model: str
    estimate: int
    count: int

    @property
    def difference(self) -> float:
        """The estimate's error as a share of the count: 0.05 is 5 % too high."""
        return (self.estimate - self.count) / self.count if self.count else 0.0

    @property
    def text(self) -> str:
        """One line: estimate, count, difference."""
        return f"{self.model}: ≈ {self.estimate:,} estimated, {self.count:,} counted, {self.difference:+.1%}"


def count(endpoint: Endpoint, tools: Sequence[Mapping[str, Any]], *, sender: Sender = send) -> int:
    """Tokens of the tool part of one request, as the provider counts them. Raises ``TrialError``.

    Two requests, none of which makes the model answer. Consent is the caller's business.
    """
    if not tools:
        return 0
    names = [str(tool.get("name", "")) for tool in tools]
    return _ask(endpoint, form_of(endpoint, tools).value, names, sender) - _ask(endpoint, [], (), sender)


def _ask(endpoint: Endpoint, form: Any, names: Sequence[str], sender: Sender) -> int:
    request, read = _adapter(endpoint, form)
    try:
        return int(read.counted(sender(endpoint, request, names)))
    except Unreadable as error:
        raise TrialError(f"The answer of {endpoint.origin} {error}: it does not count tokens.") from None


def _adapter(endpoint: Endpoint, form: Any) -> tuple[Request, Any]:
    for protocol, adapter in (("anthropic", anthropic), ("openai-responses", openai_responses), ("gemini", gemini)):
        if endpoint.protocol == protocol:
            return adapter.count_request(endpoint.base_url, endpoint.model, form, PROMPT), adapter
    raise TrialError(f"{endpoint.title} has no endpoint that counts: --exact works with Anthropic, OpenAI and Gemini.")
