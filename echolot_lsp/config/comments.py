"""Ignore comments in Python source: ``# echolot: ignore[rule, …]`` and ``# echolot: ignore-file[rule, …]``.

Found by a string-aware scan that works on half-typed code too; what looks like a comment inside a string is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEXT = re.compile(
    r"#[^\r\n]*"
    r'|"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'(?:[^\\]|\\.)*?(?:\'\'\'|\Z)'
    r'|"(?:[^"\\\r\n]|\\.)*"?|\'(?:[^\'\\\r\n]|\\.)*\'?',
    re.S,
)
_OURS = re.compile(r"#[ \t]*echolot:[ \t]*(?P<rest>[^#\r\n]*)")
_IGNORE = re.compile(r"(?P<kind>ignore-file|ignore)[ \t]*(?P<rules>\[[^\]]*\])?(?![\w\[-])")
_RULE = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A rule that a comment names; offsets (code points) in the file."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ignore:
    """One ignore comment. ``rules`` is ``None`` where it names none: it stands for all. Offsets (code points) in the file."""

    start: int
    end: int
    whole_file: bool
    rules: tuple[Named, ...] | None


@dataclass(frozen=True, slots=True)
class Comments:
    """The ignore comments of a file in order, and the places of comments that begin like one and are none."""

    ignores: tuple[Ignore, ...] = ()
    misspelt: tuple[tuple[int, int], ...] = ()


def read_comments(text: str) -> Comments:
    """The ignore comments of a Python text."""
    if "echolot:" not in text:
        return Comments()
    ignores: list[Ignore] = []
    misspelt: list[tuple[int, int]] = []
    for token in _TEXT.finditer(text):
        if not token[0].startswith("#"):
            continue
        for ours in _OURS.finditer(token[0]):
            start = token.start() + ours.start()
            match = _IGNORE.match(ours["rest"])
            if match is None:
                misspelt.append((start, token.start() + ours.start() + len(ours[0].rstrip())))
                continue
            base = token.start() + ours.start("rest")
            ignores.append(Ignore(start, base + match.end(), match["kind"] == "ignore-file", _named(match, base)))
    return Comments(tuple(ignores), tuple(misspelt))


def _named(match: re.Match[str], base: int) -> tuple[Named, ...] | None:
    if match["rules"] is None:
        return None
    start = base + match.start("rules") + 1
    inside = match["rules"][1:-1]
    return tuple(Named(found[0], start + found.start(), start + found.end()) for found in _RULE.finditer(inside))
