"""What each provider charges, by model family: dated data.

Every figure was fitted on requests whose token counts the provider reported (public recordings of 2023 to 2026-08-19, read
2026-11-30). ``once`` is what is added because there are tools at all; it stands for the tool-use prompt or the frame round the list.

How far the counts are off on 239 of those requests, median and 95th percentile: Claude 3 to 4.6 0.1 and 0.3 %, Sonnet 5 0.2 and
0.5 %; gpt-5 and o-series 0 and 1.6 % (Responses), 0.3 and 1 % (Chat); gpt-4o and 4.1 0 and 4.8 % (Chat), 0 and 9.5 % (Responses,
without a request whose parallel calls were off and one whose report does not fit it); Gemini 3 exact; Gemini 2.5 0 and 3.1 %.
OpenAI adds 17 tokens on gpt-4o and 78 on gpt-5 where ``parallel_tool_calls`` is false; that is not counted here. gpt-4o with arrays
of objects whose members are described is known to charge more (a fifth, one tool); no request at hand shows how it writes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from echolot_lsp.model import ProviderName

Rendering: TypeAlias = Literal["claude", "typescript", "gemma", "gemini-2.5", "gemini-texts"]
Vocabulary: TypeAlias = Literal["claude_v3", "claude_v4", "o200k", "gemma3"]

DEFAULT_MODELS: Mapping[ProviderName, str] = {"anthropic": "claude-sonnet-5", "openai": "gpt-5.6-sol", "gemini": "gemini-3.6-flash"}
"""The newest model of each provider that there are reported counts of (2026-11-30)."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are charged alike.

    ``models``: a pattern for the model's id. ``each``: tokens added per tool. ``once``: tokens added once a list, by
    ``"api choice"`` with ``*`` for any; the first key that fits holds. ``titles``: OpenAI's APIs in which a schema's ``title`` is
    written out. ``borrowed``: why the figures are not this family's own.
    """

    name: str
    provider: ProviderName
    models: str
    rendering: Rendering
    vocabulary: Vocabulary
    once: Mapping[str, int]
    each: int = 0
    titles: tuple[str, ...] = ()
    borrowed: str | None = None
    fits: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fits", re.compile(self.models))

    def surcharge(self, api: str, tool_choice: str) -> int:
        """Tokens that are added once a list for this API and this ``tool_choice``."""
        for key, tokens in self.once.items():
            wanted_api, wanted_choice = key.split()
            if wanted_api in ("*", api) and wanted_choice in ("*", tool_choice):
                return tokens
        raise KeyError(f"{self.name} has no surcharge for {api} {tool_choice}")


_NEWEST_CLAUDE = {"* any": 473, "* any_noparallel": 473, "* tool": 482, "* tool_noparallel": 482, "* *": 354}
_GPT_5 = {"chat *": 90, "chat+system *": 90, "* *": 9}

ANTHROPIC = (
    # "none" costs what "auto" does; _noparallel: disable_parallel_tool_use. These lie 2 below what a list of one
    # tool is charged, since each tool brings 2 (its line and what joins it to the next).
    Family(
        "Claude 4.5 and 4.6 (since about 2025-12)",
        "anthropic",
        r"(haiku|sonnet|opus)-4[-.][56]",
        "claude",
        "claude_v3",
        {"* any": 586, "* any_noparallel": 586, "* tool": 591, "* tool_noparallel": 601, "* auto_noparallel": 286, "* *": 495},
        each=2,
    ),
    Family(
        "Claude Sonnet 4",
        "anthropic",
        r"(haiku|sonnet|opus)-4(?![-.][4-9](?!\d))|claude-4-(haiku|sonnet|opus)",
        "claude",
        "claude_v3",
        {"* any": 314, "* any_noparallel": 314, "* tool": 318, "* tool_noparallel": 285, "* *": 312},
        each=2,
    ),
    Family("Claude Haiku 3.5", "anthropic", r"3[-.]5-haiku", "claude", "claude_v3", {"* tool": 359, "* *": 263}, each=2),
    Family("Claude Sonnet 3.5", "anthropic", r"3[-.][57]-sonnet", "claude", "claude_v3", {"* *": 290}, each=2),
    Family("Claude Opus 3", "anthropic", r"claude-3-opus", "claude", "claude_v3", {"* *": 532}, each=2),
    Family(
        "Claude 3",
        "anthropic",
        r"claude-3-",
        "claude",
        "claude_v3",
        {"* *": 262},
        each=2,
        borrowed="the surcharge is the documented one, not a measured one",
    ),
    Family("Claude Sonnet 5", "anthropic", r"sonnet-5", "claude", "claude_v4", _NEWEST_CLAUDE, each=2),
    Family(
        "Claude Opus 4.7 and later",
        "anthropic",
        r"",
        "claude",
        "claude_v4",
        _NEWEST_CLAUDE,
        each=2,
        borrowed="the surcharge is Sonnet 5's",
    ),
)

OPENAI = (
    # chat+system: a Chat request with a system message.
    Family(
        "gpt-3.5 and gpt-4",
        "openai",
        r"gpt-(3|4-|4$)",
        "typescript",
        "o200k",
        {"chat+system *": 5, "chat *": 9, "* *": 3},
        titles=("chat", "chat+system", "responses"),
        borrowed="the vocabulary is gpt-4o's",
    ),
    Family(
        "gpt-4o and gpt-4.1",
        "openai",
        r"gpt-4(o|\.)|chatgpt-4o",
        "typescript",
        "o200k",
        {
            "chat+system named": 14,
            "chat+system *": 5,
            "chat named": 18,
            "chat *": 9,
            "responses required": 12,
            "responses named": 12,
            "* *": 3,
        },
        titles=("chat", "chat+system", "responses"),
    ),
    Family(
        "o-series",
        "openai",
        r"(^|/)o\d",
        "typescript",
        "o200k",
        {"chat *": 10, "chat+system *": 10, "* *": 9},
        titles=("chat", "chat+system"),
    ),
    Family("gpt-5", "openai", r"gpt-5", "typescript", "o200k", _GPT_5, titles=("chat", "chat+system")),
    Family(
        "later than gpt-5",
        "openai",
        r"",
        "typescript",
        "o200k",
        _GPT_5,
        titles=("chat", "chat+system"),
        borrowed="the figures are gpt-5's",
    ),
)

GEMINI = (
    # On the Gemini API; Vertex AI meters the texts only.
    Family("Gemini 2.0", "gemini", r"gemini-(1|2\.0)", "gemini-texts", "gemma3", {"* *": 3}),
    Family("Gemini 2.5", "gemini", r"gemini-2\.", "gemini-2.5", "gemma3", {"* *": 0}),
    Family("Gemini 3", "gemini", r"gemini-3", "gemma", "gemma3", {"* *": 0}, each=2),
    Family("later than Gemini 3", "gemini", r"", "gemma", "gemma3", {"* *": 0}, each=2, borrowed="the figures are Gemini 3's"),
)

FAMILIES: Mapping[ProviderName, tuple[Family, ...]] = {"anthropic": ANTHROPIC, "openai": OPENAI, "gemini": GEMINI}
"""The families of each provider; the first whose pattern fits a model's id is the model's."""


def family_of(provider: ProviderName, model: str) -> Family:
    """The family that a model's id belongs to; the provider's newest (``borrowed``) where none is known."""
    return next(family for family in FAMILIES[provider] if family.fits.search(model))


def basis(family: Family, model: str) -> str:
    """One sentence for the reader of a count: which model it is for, whose vocabulary, and where the figures come from."""
    vocabulary = {
        "claude_v3": "Claude's vocabulary as ctok reconstructed it by measuring (unofficial)",
        "claude_v4": "Claude's vocabulary as ctok reconstructed it by measuring (unofficial)",
        "o200k": "OpenAI's published vocabulary o200k",
        "gemma3": "Google's published vocabulary of Gemma 3",
    }[family.vocabulary]
    figures = family.borrowed or "the rest is fitted on counts that the provider reported until 2026-08"
    return f"An estimate for {model}, with {vocabulary}; {figures}."
