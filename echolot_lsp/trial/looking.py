"""No model chosen: which keys and local servers there are, and how to choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from echolot_lsp.errors import TrialError
from echolot_lsp.trial.endpoint import KNOWN, Endpoint, is_loopback, resolve
from echolot_lsp.trial.send import local_models

_EXAMPLES = {"anthropic": "claude-sonnet-5", "openai": "gpt-5.6", "gemini": "gemini-3.5-flash"}
"""A model of each provider to name in advice; any other will do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was looked for: keys by provider (the variable that is set, or ``None``), models by local server (``None``: silent)."""

    keys: Mapping[str, str | None]
    servers: Mapping[str, tuple[str, tuple[str, ...] | None]]

    @property
    def references(self) -> list[str]:
        """References that would work: what runs on this machine first."""
        local = [f"{name}/{model}" for name, (_place, models) in self.servers.items() for model in models or ()]
        return local + [f"{name}/{_EXAMPLES[name]}" for name, variable in self.keys.items() if variable is not None]

    @property
    def text(self) -> str:
        """What was looked for and how to choose, a line each."""
        lines = ["No model is chosen. Looked for:"]
        for name, variable in self.keys.items():
            wanted = " or ".join(KNOWN[name].keys)
            lines.append(f"  {KNOWN[name].title}: {f'a key in {variable}' if variable else f'no key ({wanted} is not set)'}")
        for name, (place, models) in self.servers.items():
            lines.append(f"  {KNOWN[name].title} at {place}: {_models(models)}")
        example = next(iter(self.references), "anthropic/" + _EXAMPLES["anthropic"])
        lines.append(
            f'Choose with --model PROVIDER/MODEL, for example --model {example}, or trial-model = "{example}" in the settings.'
        )
        return "\n".join(lines)


def _models(models: tuple[str, ...] | None) -> str:
    if models is None:
        return "nothing answers"
    if not models:
        return "answers, but has no model"
    more = f" and {len(models) - 3} more" if len(models) > 3 else ""
    return ", ".join(models[:3]) + more


def look(environment: Mapping[str, str], ask: Callable[[Endpoint], list[str] | None] | None = None) -> Found:
    """Look for keys in the environment and for servers on this machine; servers elsewhere are not asked."""
    keys = {
        provider.name: next((key for key in provider.keys if environment.get(key, "").strip()), None)
        for provider in KNOWN.values()
        if provider.needs_key
    }
    local = {provider.name: endpoint for provider in KNOWN.values() if (endpoint := _local(provider.name, environment)) is not None}
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(ask or local_models, local.values()))
    servers = {
        name: (endpoint.origin, None if models is None else tuple(models))
        for (name, endpoint), models in zip(local.items(), answers, strict=True)
    }
    return Found(keys, servers)


def _local(name: str, environment: Mapping[str, str]) -> Endpoint | None:
    if KNOWN[name].needs_key:
        return None
    try:
        endpoint = resolve(f"{name}/-", environment)
    except TrialError:
        return None
    return replace(endpoint, key=None, key_name=None) if is_loopback(endpoint.host) else None
