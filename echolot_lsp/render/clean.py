"""Text of others on a terminal: control signs, escape sequences and direction marks are shown, never obeyed."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    """``text`` on one line without a sign that a terminal obeys or hides: line ends and tabs become blanks, C0 controls their
    pictures (``␛``), the rest ``<U+202E>``."""
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in "\t\n\r\x0b\x0c\x85\u2028\u2029":
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
