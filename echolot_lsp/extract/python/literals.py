"""Texts and values as Python writes them, for fixes."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def is_text(text: str) -> bool:
    """Whether a place holds one plain string literal, which can be written anew."""
    return re.fullmatch(r"[uU]?(\"[^\"\\\n]*\"|'[^'\\\n]*'|\"\"\"[\s\S]*\"\"\"|'''[\s\S]*''')", text) is not None


def like(before: str, value: Any) -> str:
    """``value`` in the quotes of the literal that it replaces."""
    if not isinstance(value, str):
        return literal(value)
    if before.startswith("'") and not before.startswith("'''") and "'" not in value:
        return "'" + escaped(value, "'") + "'"
    if before.startswith(('"""', "'''")):
        return before[:3] + escaped(value, before[0]) + before[:3]
    return f'"{escaped(value)}"'


def literal(value: Any) -> str:
    """A value as Python writes it, a text in double quotes."""
    return f'"{escaped(value)}"' if isinstance(value, str) else repr(value)


def escaped(text: str, quote: str = '"') -> str:
    """What stands between the quotes of a literal of ``text``: as it is, but for what would end the literal or cannot be seen."""
    plain = text.replace("\\", "\\\\").replace(quote, "\\" + quote).replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], plain)


def docstring(text: str) -> str:
    """A docstring of ``text``."""
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"""{text if plain else escaped(text)}"""'


def described_in_quotes(annotation: cst.BaseExpression, text: str) -> str | None:
    """An annotation in quotes with a description inside them: the SDK does not find a name in quotes inside ``Annotated``."""
    if not isinstance(annotation, cst.SimpleString) or annotation.prefix or len(annotation.quote) != 1:
        return None
    inner = "'" if annotation.quote == '"' else '"'
    if not text.isprintable() or "\\" in annotation.value or any(character in text for character in "\\'\""):
        return None
    quote, content = annotation.quote, annotation.raw_value
    return f"{quote}Annotated[{content}, Field(description={inner}{text}{inner})]{quote}"
