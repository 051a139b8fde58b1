"""The words of a text, as the rules that compare names and descriptions count them.

Lower case, split at what is no letter or digit, at ``_`` and at camelCase; a CJK character is a word; plurals are folded; words
that say nothing are left out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SAY_NOTHING = (
    "a all also an and any are as at be by can do each for from has have if in into is it its may more no not of on one only or "
    "other per so such than that the their them then there these they this those to use used using via was what when where which "
    "who will with within without you your"
)
_LEFT_OUT = frozenset(_SAY_NOTHING.split())

_CJK = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u30ff\u3105-\u312f\u3131-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_SECTION = re.compile(
    r"^[ \t]*(?:[#*_]+[ \t]*)?(?:"
    r"(?:args|arguments|parameters|params|returns?|raises|examples?)[ \t]*[*_]*:"
    r"|(?:parameters|returns|raises|examples)[ \t]*\r?\n[ \t]*[-=~]{3,}"
    r"|#+[ \t]*(?:args|arguments|parameters|returns|raises|examples?)[ \t]*$"
    r"|:(?:param|parameter|arg|argument|type|returns?|rtype|raises?|except)\b"
    r")",
    re.IGNORECASE | re.MULTILINE,
)


@lru_cache(maxsize=16384)
def words(text: str) -> frozenset[str]:
    """The set of words of ``text``."""
    return frozenset(word_list(text))


def word_list(text: str) -> list[str]:
    """The words of ``text`` in order, repeated ones too."""
    split = _CAMEL.sub(" ", text)
    plain = split.isascii()
    found = _ASCII_WORD.findall(split.lower()) if plain else _WORD.findall(unicodedata.normalize("NFKC", split).lower())
    return [folded for word in found if word not in _LEFT_OUT and (folded := fold(word)) not in _LEFT_OUT]


def fold(word: str) -> str:
    """The same word for singular and plural: ``queries`` and ``query``, ``boxes`` and ``box``, ``pages`` and ``page``."""
    if not word.isascii() or len(word) <= 3:
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("es"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


@lru_cache(maxsize=16384)
def before_sections(text: str) -> str:
    """``text`` before its first Args, Parameters, Returns, Raises or Examples section (Google, NumPy, Sphinx or Markdown style)."""
    match = _SECTION.search(text)
    return text if match is None else text[: match.start()]


def shown(text: str, most: int = 60) -> str:
    """``text`` as it stands in a message: on one line, cut after ``most`` characters."""
    line = text[: most + 1]
    if not line.isprintable():
        line = "".join(character if character.isprintable() else " " for character in line)
    return line if len(line) <= most else line[: most - 1] + "…"


def quoted(text: str) -> str:
    """A name in a message: ``"limit"``."""
    return f'"{shown(text)}"'


def listed(items: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """``1 tool``, ``1,204 tools``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
