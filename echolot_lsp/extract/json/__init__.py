"""The JSON frontend: tool lists in files, in whatever shape they are kept, with the place of every part.

``scan`` reads JSON as editors allow it, ``items`` reads each tool once, ``outline`` finds the lists, ``shapes`` and ``forms``
tell what they are, ``reader`` makes servers of them, ``edits`` turns a fix into text.
"""

from __future__ import annotations

import re

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.json.reader import JsonReader

__all__ = ["JsonReader", "extract_json", "may_hold_tools"]

_SCHEMA_KEYS = (b'nputSchema"', b'"input_schema"', b'"parameters"', b'arametersJsonSchema"', b'"parameters_json_schema"')
_LIST = re.compile(rb'"(?:tools|functions)"\s*:')
_DECLARATIONS = (b'"functionDeclarations"', b'"function_declarations"', b'"languageModelTools"')


def may_hold_tools(data: bytes | str) -> bool:
    """Whether a JSON text could hold a list of tools: a search for a few words, without parsing. Never false where there is one
    (keys written with escapes aside)."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if any(word in raw for word in (*_SCHEMA_KEYS, *_DECLARATIONS)):
        return True
    return b'"tools"' in raw and _LIST.search(raw) is not None


def extract_json(file: str, text: str, *, name: str | None = None) -> Extraction:
    """The servers of one JSON text; ``name`` overrides what the document says of its name.

    ``file`` is the key of spans and sources, and the server's path; ``-`` is standard input. A document that holds no list of
    tools gives no server. What is wrong in the JSON is a ``Trouble`` with its place in block ``""`` (offsets of the text), fatal
    where no list was found: a caller that was not asked about this very file says nothing of those.
    """
    return JsonReader().read(file, text, name=name)
