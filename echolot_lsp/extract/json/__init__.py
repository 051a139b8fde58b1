"""The JSON frontend: tool lists in files, in whatever shape they are kept, with the place of every part.

``scan`` reads JSON as editors allow it, ``items`` reads each tool once, ``outline`` finds the lists, ``shapes`` and ``forms``
tell what they are, ``reader`` makes servers of them, ``edits`` turns a fix into text.
"""

from __future__ import annotations

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.json.reader import JsonReader

__all__ = ["JsonReader", "extract_json", "may_hold_tools"]

_WORDS = (
    "inputSchema",
    "input_schema",
    '"parameters',
    "functionDeclarations",
    "function_declarations",
    "languageModelTools",
    '"tools"',
)
_BYTES = tuple(word.encode() for word in _WORDS)


def may_hold_tools(data: bytes | str) -> bool:
    """Whether a JSON text could hold a list of tools: a search for a few words, about 2 ms a megabyte. Never false where there
    is one (keys written with escapes aside)."""
    if isinstance(data, str):
        return any(word in data for word in _WORDS)
    return any(word in data for word in _BYTES)


def extract_json(file: str, text: str, *, name: str | None = None) -> Extraction:
    """The servers of one JSON text; ``name`` overrides what the document says of its name.

    ``file`` is the key of spans and sources, and the server's path; ``-`` is standard input. A document that holds no list of
    tools gives no server. What is wrong in the JSON is a ``Trouble`` with its place in block ``""`` (offsets of the text), fatal
    where no list was found: a caller that was not asked about this very file says nothing of those.
    """
    return JsonReader().read(file, text, name=name)
