"""Making a name known in a source that does not import it: the smallest edits, among the imports that are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from echolot_lsp.extract.python.blocks import split
from echolot_lsp.model import Source

HOMES = {
    "Annotated": ("typing", "typing_extensions"),
    "Any": ("typing", "typing_extensions"),
    "Field": ("pydantic", "pydantic.fields"),
}
"""Where the names come from that fixes write; the first is what is imported where there is none."""

_BEFORE_CODE = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*")
_IMPORT = re.compile(
    r"(?:from\s+[\w.]+\s+import\s*(?:\([^)]*\)|(?:[^\r\n\\]|\\(?:\r\n|\n|\r))*)|import\s(?:[^\r\n\\]|\\(?:\r\n|\n|\r))*)[^\r\n]*"
)
_DOCSTRING = re.compile(r"[rRuU]?(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"[^\"\r\n]*\"|'[^'\r\n]*')[^\r\n]*")
_DEFINES = re.compile(r"@|(?:async\s+)?def\b|class\b")
_LINE_END = re.compile(r"\r\n|\n|\r")


def import_edits(source: Source, names: Iterable[str]) -> list[tuple[int, int, str]] | None:
    """What makes ``names`` known: members added to a ``from`` import, or lines behind the imports that come before all functions.

    ``None`` where one of them is the name of something else here.
    """
    text = source.text
    imports = _imports(text)
    known = {name: module for _, _, statement in imports for name, module in _brought(statement)}
    missing: dict[str, list[str]] = {}
    for name in sorted(names):
        if name not in known and re.search(rf"^(?:(?:class|def)[ \t]+{name}\b|{name}[ \t]*[:=])", text, re.MULTILINE):
            return None
        if name not in known:
            missing.setdefault(HOMES[name][0], []).append(name)
        elif known[name] not in HOMES[name]:
            return None
    made: list[tuple[int, int, str]] = []
    fresh: list[str] = []
    newline = "\r\n" if "\r\n" in text else "\n"
    for module, members in sorted(missing.items(), key=lambda item: item[0] != "typing"):  # the standard library first
        at = next((at for at in (_end_of_names(module, *each) for each in imports) if at is not None), None)
        if at is not None:
            made.append((at, at, "".join(f", {member}" for member in members)))
        else:
            fresh.append(f"from {module} import {', '.join(members)}{newline}")
    if fresh:
        at = _behind(text, imports)
        before = newline if at and text[at - 1] not in "\r\n" else ""
        made.append((at, at, before + "".join(fresh)))
    return made


@lru_cache(maxsize=8)
def _imports(text: str) -> list[tuple[int, int, str]]:
    """Start, end and text of the imports that come before the first function or class. Asked for once a fix, of one text."""
    imports: list[tuple[int, int, str]] = []
    for block in split(text):
        code = _BEFORE_CODE.match(block.text)
        start = code.end() if code else 0
        if _DEFINES.match(block.text, start):
            break
        found = _IMPORT.match(block.text, start)
        if found is not None:
            imports.append((block.start + start, block.start + found.end(), found[0]))
    return imports


def _brought(statement: str) -> Iterator[tuple[str, str]]:
    """The names that an import makes known, each with the module that it comes from."""
    try:
        parsed = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return
    for each in parsed:
        if isinstance(each, ast.ImportFrom):
            for alias in each.names:
                same = alias.asname in (None, alias.name)
                yield alias.asname or alias.name, f"{'.' * each.level}{each.module or ''}" if same else ""
        elif isinstance(each, ast.Import):
            yield from ((alias.asname or alias.name.split(".")[0], "") for alias in each.names)


def _end_of_names(module: str, start: int, end: int, statement: str) -> int | None:
    """Where another name goes into a ``from`` import of a module that is written on one line."""
    line = re.match(rf"from {re.escape(module)} import (?!\()([^\r\n#(;]*[^\r\n#(;\s,])", statement)
    return start + line.end() if line is not None and "\\" not in line[0] and line[1] != "*" else None


def _behind(text: str, imports: list[tuple[int, int, str]]) -> int:
    """The start of the line behind the last of ``imports``; behind the docstring where there is none."""
    end = imports[-1][1] if imports else None
    if end is None:
        code = _BEFORE_CODE.match(text)
        docstring = _DOCSTRING.match(text, code.end() if code else 0)
        if docstring is None:
            return 0
        end = docstring.end()
    line = _LINE_END.match(text, end)
    return line.end() if line else end
