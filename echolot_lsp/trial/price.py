"""What a turn cost, from the price list that genai-prices carries; nothing is ever downloaded.

A failure of any kind only hides the price.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from echolot_lsp.trial.endpoint import Endpoint, stays_here
from echolot_lsp.trial.reply import Usage

_PROVIDERS = {"anthropic": "anthropic", "openai": "openai", "gemini": "google"}


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars of one turn, and the model whose price it is."""

    dollars: Decimal
    model: str

    @property
    def text(self) -> str:
        """``$0.0023``, with as many digits as a small sum needs."""
        return dollars(self.dollars)


def price(endpoint: Endpoint, usage: Usage | None) -> Price | None:
    """The price of a turn; ``None`` where it is not known, or where nothing is charged (a model on this machine)."""
    provider = _PROVIDERS.get(endpoint.provider)
    if usage is None or provider is None or stays_here(endpoint):
        return None
    try:
        from genai_prices import Usage as Counted
        from genai_prices import calc_price

        counted = Counted(
            input_tokens=usage.input,
            output_tokens=usage.output,
            cache_read_tokens=usage.cache_read or None,
            cache_write_tokens=usage.cache_write or None,
        )
        found = calc_price(counted, endpoint.model, provider_id=provider)
        return Price(Decimal(found.total_price), str(found.model.id))
    except Exception:
        # An unknown model is a LookupError; a changed library may raise anything. Neither may cost the trial.
        return None


def dollars(amount: Decimal) -> str:
    """``$12.30``, ``$0.0023``: two significant digits below a cent."""
    if amount >= Decimal("0.1"):
        return f"${amount:.2f}"
    if amount == 0:
        return "$0"
    return f"${float(amount):.2g}" if amount >= Decimal("0.0001") else "less than $0.0001"
