"""How tokens are written: grouped, marked as estimates, and in the order of the providers that are shown."""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.lsp.view import Shown
from echolot_lsp.model import PROVIDERS, Cost, ProviderName

TITLES: dict[ProviderName, str] = {"anthropic": "Anthropic", "openai": "OpenAI", "gemini": "Gemini"}


def tokens(number: int, at_least: bool = False) -> str:
    """``≈2,310``; ``≥2,310`` where parts are unknown, so that it costs more."""
    return f"{'≥' if at_least else '≈'}{number:,}"


def percent(share: float) -> str:
    """``1.2 %``; below a tenth ``< 0.1 %``."""
    return "< 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def shown_costs(shown: Shown) -> Iterator[tuple[ProviderName, Cost]]:
    """The costs that are known, of the providers that the settings show."""
    settings = shown.reading.settings
    wanted = PROVIDERS if settings is None else settings.providers
    for provider in PROVIDERS:
        cost = shown.report.costs.get(provider)
        if cost is not None and provider in wanted:
            yield provider, cost


def dearest(shown: Shown) -> Cost | None:
    """The cost that hints and lenses show: where the list costs most, among the providers that the settings show."""
    return max((cost for _, cost in shown_costs(shown)), key=lambda cost: cost.total, default=None)
