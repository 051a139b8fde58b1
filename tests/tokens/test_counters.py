"""The text counters equal the libraries that they stand for, on strings of many scripts, and stay fast on hostile ones."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echolot_lsp.tokens import _ctok, claude, counting, data
from echolot_lsp.tokens._ctok.constants import BOW_G, CAPS_G, EOW_G, SHIFT_G
from echolot_lsp.tokens.families import Vocabulary

VOCABULARIES: tuple[Vocabulary, ...] = ("o200k", "gemma3", "claude_v3", "claude_v4")
TEXTS = json.loads((Path(__file__).parent / "texts.json").read_text(encoding="utf-8"))
"""Own strings with the counts of tiktoken 0.14.0, tokenizers 0.23 with Gemma 3's tokenizer.json, and ctok 1.3.0 (2026-11-30)."""
DATA = Path(data.__file__).parent


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_counter_equals_its_reference(vocabulary: Vocabulary) -> None:
    count = counting.text_counter(vocabulary)
    counted = {row["text"]: count(row["text"]) for row in TEXTS}
    assert counted == {row["text"]: row[vocabulary] for row in TEXTS}


def test_a_text_counted_again_costs_the_same() -> None:
    for vocabulary in VOCABULARIES:
        count = counting.text_counter(vocabulary)
        assert [count(row["text"]) for row in TEXTS] == [count(row["text"]) for row in TEXTS]


@given(st.text(alphabet=st.sampled_from(list("abcXYZ '\"s tdé1٣,.{}\n\x07_荷ë\N{FROG FACE}\u0301—")), max_size=40))
def test_looking_words_up_changes_no_count_of_claude(text: str) -> None:
    for version in ("v3", "v4"):
        counter = claude.counter("v3" if version == "v3" else "v4").__self__  # type: ignore[attr-defined]
        assert counter.count(text) == counter._whole(text)


@pytest.mark.parametrize("version", ["v3", "v4"])
def test_no_piece_of_claude_crosses_the_border_of_a_word(version: str) -> None:
    counter = claude.counter("v3" if version == "v3" else "v4").__self__  # type: ignore[attr-defined]
    inside = f"[^{BOW_G}{EOW_G}{SHIFT_G}{CAPS_G}]"
    shape = re.compile(f"[{SHIFT_G}{CAPS_G}]?{BOW_G}?{inside}*{EOW_G}?", re.DOTALL)
    assert [piece for piece in counter._pieces if not shape.fullmatch(piece)] == []


HOSTILE: dict[str, Callable[[], str]] = {
    "one letter": lambda: "a" * 100_000,
    "spaces": lambda: " " * 100_000,
    "line breaks": lambda: "\n" * 100_000,
    "dashes": lambda: "-" * 100_000,
    "no spaces": lambda: hashlib.sha512(b"crate").hexdigest() * 800,
    "Japanese": lambda: "木箱の重さを量り、置き場所を返します" * 4_000,
    "emoji": lambda: "\N{HEDGEHOG}\N{MAN}\u200d\N{WOMAN}" * 20_000,
    "combining marks": lambda: "e" + "\u0301" * 60_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_counted_in_bounded_time(name: str) -> None:
    text = HOSTILE[name]()
    for vocabulary in VOCABULARIES:
        assert 0 < counting.text_counter(vocabulary)(text) <= counting.most_tokens(text)


def test_a_text_beyond_the_longest_is_taken_to_go_on_as_it_began() -> None:
    count = counting.text_counter("o200k")
    sentence = "Weighs a crate and says where it stands. "
    long = sentence * (2 * counting.LONGEST // len(sentence))
    assert count(long) == pytest.approx(count(sentence * 1_000) * len(long) / (1_000 * len(sentence)), rel=0.001)


def test_the_vocabularies_are_those_that_their_origin_names() -> None:
    origin = (DATA / "ORIGIN.md").read_text(encoding="utf-8")
    files = sorted(DATA.glob("*.gz"))
    assert [file.name for file in files] == ["claude_v3.gz", "claude_v4.gz", "gemma3.gz", "o200k.gz"]
    for file in files:
        assert f"`{hashlib.sha256(file.read_bytes()).hexdigest()}`" in origin


def test_the_licences_of_what_is_shipped_are_shipped() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (Path(_ctok.__file__).parent / "LICENSE", *DATA.glob("LICENSE-*"))]
    assert len(texts) == 3
    assert any("Sander Land" in text for text in texts)
    assert any("Shantanu Jain" in text for text in texts)
    assert any("Apache License" in text for text in texts)
