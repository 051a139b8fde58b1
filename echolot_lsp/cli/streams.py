"""Writing to standard output and standard error on any terminal, pipe or code page."""

from __future__ import annotations

import contextlib
import os
import sys

_PLAIN = str.maketrans({"│": "|", "█": "#", "▌": "#", "→": "->", "≈": "~", "…": "...", "·": "-", "×": "x", "–": "-", "›": ">"})


def say(text: str) -> None:
    """Write a report to standard output. Signs that its encoding does not have are replaced."""
    sys.stdout.write(_fitting(text, sys.stdout.encoding) + "\n")


def complain(text: str) -> None:
    """Write one line to standard error. Never fails."""
    from echolot_lsp.render.clean import clean

    try:
        sys.stderr.write(_fitting("\n".join(clean(line) for line in text.split("\n")), sys.stderr.encoding) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def say_json(value: object, *, indent: int | None = 2) -> None:
    """Write JSON to standard output: as UTF-8 where that is its encoding, else with escapes."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, indent=indent)
    sys.stdout.write(text + "\n")


def silence_output() -> None:
    """Point standard output nowhere, so that the interpreter's last flush does not fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fitting(text: str, encoding: str | None) -> str:
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
