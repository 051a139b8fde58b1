"""What the card page asks for, answered: `try` and `ready`. The host (editor or browser server) passes the messages on.

Messages in: ``{"type": "ready"}``, ``{"type": "try", "id", "server": 0, "prompts": […], "models": […], "runs": 1}``; with ``"saved":
true`` the saved prompts are tried instead. Messages out: ``{"type": "models", "models": […], "prompts": [{"text", "expect"}]}``, ``{"type": "trial", "id", "result": {…}}`` or ``{"type": "trial", "id", "error": "…"}``.
The page decides nothing: consent is asked by the host, never by the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from echolot_lsp.errors import EcholotError, UsageError
from echolot_lsp.trial.abort import Abort
from echolot_lsp.trial.command import TryOptions, agree, chosen
from echolot_lsp.trial.consent import Consents
from echolot_lsp.trial.looking import look
from echolot_lsp.trial.result import as_json
from echolot_lsp.trial.run import Prompt, ToolList, run
from echolot_lsp.trial.send import Sender, send

MOST_PROMPTS = 20
MOST_MODELS = 6
LONGEST_PROMPT = 20_000


@dataclass(frozen=True, slots=True)
class PageHost:
    """How the host answers for a page. Blocking: an event loop calls ``answer`` in a thread.

    ``environment`` holds the keys (an editor lays its secret store over ``os.environ``). ``ask`` puts the consent question to the
    person (``None``: nobody can be asked). ``model`` is used where the page names none. ``prompts``: the saved ones.
    """

    environment: Mapping[str, str]
    workspace: str
    consents: Consents
    ask: Callable[[str], bool] | None = None
    yes: bool = False
    model: str | None = None
    prompts: tuple[Prompt, ...] = ()
    openai_api: Literal["responses", "chat"] | None = None
    sender: Sender = send
    abort: Abort = field(default_factory=Abort)
    """Ends what the host is asked; a host that was ended asks nothing more."""

    def answer(self, message: Any, tools: Sequence[ToolList]) -> dict[str, Any] | None:
        """The message to post back, or ``None`` where there is nothing to say. ``tools``: the lists, in the order of the report."""
        if not isinstance(message, Mapping):
            return None
        if message.get("type") == "ready":
            saved = [{"text": prompt.text, "expect": prompt.expect} for prompt in self.prompts]
            return {"type": "models", "models": look(self.environment).references, "prompts": saved}
        if message.get("type") != "try":
            return None
        identity = message.get("id")
        try:
            return {"type": "trial", "id": identity, "result": self._try(message, tools)}
        except EcholotError as error:
            return {"type": "trial", "id": identity, "error": str(error)}

    def _try(self, message: Mapping[str, Any], tools: Sequence[ToolList]) -> dict[str, Any]:
        position = message.get("server", 0)
        if not isinstance(position, int) or not 0 <= position < len(tools):
            raise UsageError("That server is no longer here: it may have been renamed.")
        prompts = self.prompts if message.get("saved") is True else _prompts(message.get("prompts"))
        if not prompts:
            raise UsageError("There is no prompt.")
        models = _texts(message.get("models"), MOST_MODELS) or ([self.model] if self.model else [])
        runs = message.get("runs", 1)
        options = TryOptions(
            prompts,
            tuple(models),
            yes=self.yes,
            runs=runs if isinstance(runs, int) else 1,
            openai_api=self.openai_api,
            workspace=self.workspace,
        )
        chosen_list = tools[position]
        endpoints = chosen(options, self.environment)
        agree(endpoints, {chosen_list.name: len(chosen_list.tools)}, options, self.consents, self.ask)
        sender = partial(send, abort=self.abort) if self.sender is send else self.sender
        trials = run(chosen_list, prompts, endpoints, runs=options.runs, sender=sender, cancelled=self.abort.said)
        return as_json(chosen_list, trials)


def tool_lists(report: Mapping[str, Any]) -> list[ToolList]:
    """The lists of a JSON report, as they are tried."""
    return [ToolList.of(str(server["name"]), server["tools"]) for server in report["servers"]]


def _prompts(value: Any) -> tuple[Prompt, ...]:
    return tuple(Prompt(text[:LONGEST_PROMPT]) for text in _texts(value, MOST_PROMPTS) if text.strip())


def _texts(value: Any, most: int) -> list[str]:
    return [text for text in value if isinstance(text, str)][:most] if isinstance(value, list) else []
