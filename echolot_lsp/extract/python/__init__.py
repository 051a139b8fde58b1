"""Python sources: from a file to the servers that it makes, read from syntax and never run or imported.

``blocks`` and ``syntax`` cut the text and parse it, ``interpreter`` (with its parts ``expressions`` … ``frameworks``) interprets
it over symbolic values within bounds, ``listing`` puts a server's tools in order, ``declare`` turns a registration into a declaration
with real types, ``dialects`` say what each framework makes of it, ``places`` find the characters, ``assemble`` makes the model's
server of it, ``again`` does after a keystroke only what it bears on. ``extract_python`` is the entry; importing this package imports
nothing heavy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from echolot_lsp.extract import Extraction
from echolot_lsp.files import Files

if TYPE_CHECKING:
    from echolot_lsp.extract.python.cache import Cache

_IMPORT = re.compile(rb"\b(?:import|from)[ \t]+\.*(?:[\w.]+[ \t]*,[ \t]*)*(?:fast)?mcp(?:_types)?\b|__import__|import_module")
_REGISTERS = re.compile(rb"^[ \t]*@[\w.]+\.tool\b", re.M)


def may_hold_server(data: bytes) -> bool:
    """Whether a file is worth reading: it imports ``mcp`` or ``fastmcp``, or a module called so, or decorates with ``.tool``.

    A search over bytes, nothing is parsed.
    """
    return (b"mcp" in data and _IMPORT.search(data) is not None) or (b".tool" in data and _REGISTERS.search(data) is not None)


def extract_python(
    path: str,
    files: Files,
    *,
    environment: str | None = None,
    framework: str | None = None,
    python: str | None = None,
    schemas: bool = True,
    roots: Sequence[str] = (),
    cache: Cache | None = None,
    changed: frozenset[str] | None = None,
) -> Extraction:
    """The servers that a Python file makes, or registers tools on, with everything that it imports from the workspace.

    ``environment``: a virtual environment whose packages tell versions and hold sources; ``framework``: ``NAME[==VERSION]``;
    ``python``: ``X.Y``. Without ``schemas`` a tool has only its name and description (no pydantic is imported). ``roots``: folders in
    which imports are looked for after the file's own. ``cache`` makes the next extraction fast, the more so where the caller
    knows which paths may have ``changed`` since the last one of this file (``None``: any). Never raises for what a source holds; raises ``UsageError`` for options that are not understood.
    """
    from echolot_lsp.extract.python.extraction import extract

    return extract(
        path,
        files,
        environment=environment,
        framework=framework,
        python=python,
        schemas=schemas,
        roots=tuple(roots),
        cache=cache,
        changed=changed,
    )
