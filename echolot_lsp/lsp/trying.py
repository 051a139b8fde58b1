"""``tryWithModel``: which tool would a model call? Nothing is called; what leaves this machine was agreed to."""

from __future__ import annotations

from typing import Any

from echolot_lsp.errors import TrialError, UsageError
from echolot_lsp.lsp.card import ended_with, page_host, report_of
from echolot_lsp.lsp.commands import Argument, answer, target
from echolot_lsp.lsp.progress import Cancelled, shown
from echolot_lsp.lsp.server import EcholotServer


def register(server: EcholotServer) -> None:
    """Registers the command."""
    server.on_command("tryWithModel", try_with_model)


async def try_with_model(ls: EcholotServer, argument: Argument) -> dict[str, Any]:
    """The calls that a model would make, as text and as JSON."""
    prompt = argument.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        raise UsageError("Say what somebody might ask an agent to do.")
    chosen = await target(ls, argument)
    host = page_host(ls, chosen)
    model = argument.get("model")
    message = {"type": "try", "id": 0, "server": 0, "prompts": [prompt], "runs": argument.get("runs", 1)}
    if isinstance(model, str):
        message["models"] = [model]

    def ask() -> dict[str, Any]:
        from echolot_lsp.trial.page import tool_lists

        return host.answer(message, tool_lists(report_of([chosen]))) or {}

    try:
        reply = await shown(ls, f"Trying {chosen.server.name} with a model", lambda _: ended_with(host, ask), after=1.0)
    except Cancelled:
        raise UsageError("The trial was cancelled.") from None
    if "error" in reply:
        raise TrialError(str(reply["error"]))
    from echolot_lsp.render.trial_markdown import trial_markdown

    result = reply["result"]
    title = f"{chosen.server.name}: {prompt}"
    return await answer(ls, argument, {"title": title, "language": "markdown", "text": trial_markdown(result), "result": result})
