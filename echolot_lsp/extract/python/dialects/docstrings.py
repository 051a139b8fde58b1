"""Docstrings as the frameworks send them: cleaned like Python does, and cut into sections like FastMCP 3 and 4 do.

Every cleaned text remembers where each of its characters stands in the raw docstring, so that a place can be shown.
griffelib reads the sections, as in FastMCP; it is imported when the first docstring with sections is read.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

STYLES = ("google", "numpy", "sphinx")
ADMONITIONS = frozenset(
    {"attention", "caution", "danger", "error", "example", "hint", "important", "note", "notes"}
    | {"raise", "references", "return", "see-also", "tip", "todo", "warning", "yield"}
)
"""Headings that griffe takes for admonitions and FastMCP 4 for the end of the description (fastmcp 4.2.3, 2026-11-30)."""

_PARAMETERS = re.compile(
    r"^[ \t]*(?:(?:args|arguments|params|parameters|keyword args|keyword arguments|other parameters)\s*:?\s*$|[:@]param\b)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A cleaned docstring, and for each of its characters the offset in the raw one (a character made from a tab: the tab's)."""

    text: str
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the raw docstring of ``text[start:end]``."""
        if start >= end:
            return (0, 0)
        return self.offsets[start], self.offsets[end - 1] + 1


@dataclass(frozen=True, slots=True)
class Sections:
    """The free text before the first section, and the text of each parameter."""

    description: str | None
    parameters: Mapping[str, str] = field(default_factory=dict)


def _lines(doc: str) -> list[list[tuple[str, int]]]:
    """The lines as (character, offset) pairs, tabs expanded to columns of 8, split at line feeds only, as ``str.expandtabs``."""
    lines: list[list[tuple[str, int]]] = [[]]
    column = 0
    for offset, character in enumerate(doc):
        if character == "\t":
            width = 8 - column % 8
            lines[-1].extend([(" ", offset)] * width)
            column += width
        elif character == "\n":
            lines[-1].append((character, offset))
            lines.append([])
            column = 0
        else:
            lines[-1].append((character, offset))
            column = 0 if character == "\r" else column + 1
    return lines


def _indent(line: list[tuple[str, int]], only_spaces: bool) -> int:
    count = 0
    for character, _ in line:
        if not (character == " " if only_spaces else character.isspace() and character != "\n"):
            break
        count += 1
    return count


def _dedented(doc: str, only_spaces: bool) -> list[list[tuple[str, int]]]:
    lines = _lines(doc)
    rest = [line for line in lines[1:] if _indent(line, only_spaces) < len(line) and line[_indent(line, only_spaces)][0] != "\n"]
    margin = min((_indent(line, only_spaces) for line in rest), default=0)
    first = lines[0][_indent(lines[0], only_spaces) :]
    return [first, *(line[min(margin, _content(line)) :] for line in lines[1:])]


def _content(line: list[tuple[str, int]]) -> int:
    return len(line) - 1 if line and line[-1][0] == "\n" else len(line)


def _joined(lines: list[list[tuple[str, int]]]) -> Cleaned:
    pairs = [pair for line in lines for pair in line]
    return Cleaned("".join(character for character, _ in pairs), tuple(offset for _, offset in pairs))


@lru_cache(maxsize=4096)
def compiled(doc: str) -> Cleaned:
    """``__doc__`` from Python 3.13 on: the compiler expands tabs and removes the common indentation, and keeps outer lines."""
    return _joined(_dedented(doc, only_spaces=True))


@lru_cache(maxsize=4096)
def cleaned(doc: str) -> Cleaned:
    """What ``inspect.getdoc`` makes of a raw docstring: as ``compiled``, and without empty first and last lines."""
    lines = _dedented(doc, only_spaces=False)
    while lines and _content(lines[-1]) == 0:
        lines.pop()
    while lines and _content(lines[0]) == 0:
        lines.pop(0)
    if lines and lines[-1] and lines[-1][-1][0] == "\n":
        lines[-1] = lines[-1][:-1]
    return _joined(lines)


@lru_cache(maxsize=4096)
def sections(text: str, any_section: bool) -> Sections:
    """A cleaned docstring cut up: google, numpy and sphinx style in turn, the first that is recognised.

    ``any_section``: a Returns, Raises, Note … section counts as recognised (FastMCP 4); else only parameters do (FastMCP 3).
    """
    griffe = _griffe()
    kinds = griffe.DocstringSectionKind
    for style in STYLES:
        description: str | None = None
        parameters: dict[str, str] = {}
        structured = False
        for section in griffe.Docstring(text, lineno=1, parser=style).parse():
            if section.kind == kinds.text:
                description = section.value if description is None else description
            elif section.kind == kinds.parameters:
                parameters.update({item.name: item.description for item in section.value})
                structured = True
            elif section.kind != kinds.admonition or section.value.kind in ADMONITIONS:
                structured = True
        if parameters or (structured and any_section):
            return Sections(description, parameters)
    return Sections(text)


@lru_cache(maxsize=1)
def _griffe() -> Any:
    import griffe

    logging.getLogger("griffe").setLevel(logging.ERROR)  # it warns about types that a docstring need not have
    return griffe


def parameter_texts(text: str) -> Mapping[str, str]:
    """The texts of a docstring's parameters, for frameworks that do not send them; cheap where there is no such section."""
    return sections(text, any_section=False).parameters if _PARAMETERS.search(text) else {}


def locate(doc: Cleaned, name: str, text: str) -> tuple[int, int] | None:
    """Where in the raw docstring the text of the parameter ``name`` stands: from its first to its last line."""
    lines = text.split("\n")
    first, last = lines[0].strip(), lines[-1].strip()
    for match in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", doc.text):
        start = doc.text.find(first, match.end())
        if not first or start < 0 or doc.text.count("\n", match.end(), start) > 1:
            continue
        end = start + len(first)
        if len(lines) > 1:
            end = doc.text.find(last, end)
            if end < 0:
                continue
            end += len(last)
        return doc.span(start, end)
    return None
