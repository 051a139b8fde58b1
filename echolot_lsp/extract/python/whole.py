"""Whether a whole file is Python. Extraction reads headers only and goes on over what is broken; whoever names a file wants to know."""

from __future__ import annotations

import ast
import re
import warnings

from echolot_lsp.extract.python.nesting import is_shallow
from echolot_lsp.model import Span, Trouble

_LINE_END = re.compile(r"\r\n|\n|\r")


def syntax_trouble(path: str, text: str) -> Trouble | None:
    """What keeps a text from being Python, at its place (block ``""``); ``None`` where any Python that we know takes it."""
    null = text.find("\0")
    if null >= 0:
        return Trouble(path, "This is no Python: it holds a null character.", Span(path, "", null, null + 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
        return None
    except SyntaxError as error:
        if _newer(text):
            return None
        message = f"This is no Python: {(error.msg or 'invalid syntax').rstrip('.')}."
        offset = _offset(text, error.lineno or 1, error.offset or 1)
        return Trouble(path, message, Span(path, "", offset, offset))
    except (RecursionError, MemoryError, ValueError):
        return Trouble(path, "This cannot be parsed: it is nested too deeply.")


def _newer(text: str) -> bool:
    """Whether it is the syntax of a Python that is newer than the one that runs us."""
    if not is_shallow(text):
        return False
    import libcst

    try:
        libcst.parse_module(text)
    except Exception:  # libcst's own errors, and those of its native parser
        return False
    return True


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a line and column, both from 1."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    return min(starts[min(line, len(starts)) - 1] + column - 1, len(text))
