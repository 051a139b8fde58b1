"""OpenAI's o200k_base: tiktoken counts, from ranks that are read from ``data`` (nothing is downloaded or cached on disk)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise

from echolot_lsp.tokens import data

_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
"""The pattern that o200k_base cuts a text with (tiktoken 0.14.0, ``tiktoken_ext/openai_public.py``, read 2026-11-30)."""


@cache
def counter() -> Callable[[str], int]:
    """A function from a text to its tokens. The first call reads the ranks (about half a second, 70 MB)."""
    import tiktoken

    raw = data.read("o200k.gz")
    size = 199_998
    ends = list(accumulate(raw[:size], initial=size))
    ranks = {raw[start:end]: rank for rank, (start, end) in enumerate(pairwise(ends))}
    encoding = tiktoken.Encoding("o200k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count
