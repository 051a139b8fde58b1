"""Making a name known in a source that does not import it: the smallest edits, behind the imports that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from echolot_lsp.model import Source

HOMES = {"Annotated": "typing", "Any": "typing", "Field": "pydantic"}
"""Where the names come from that fixes write."""


def import_edits(source: Source, names: Iterable[str]) -> list[tuple[int, int, str]]:
    """What makes ``names`` known in a file that does not import them: members added to a ``from`` import, or lines behind the last
    import of the file (its docstring and ``__future__`` imports stay first)."""
    text = source.text
    missing: dict[str, list[str]] = {}
    for name in sorted(names):
        if not re.search(
            rf"^(?:from\s[^\n]*import\b[^\n]*\b{name}\b|[^\n]*\bimport\b[^\n]*\bas\s+{name}\b)", text, re.MULTILINE
        ) and not (re.search(rf"^from\s+[\w.]+\s+import\s*\([^)]*\b{name}\b[^)]*\)", text, re.MULTILINE)):
            missing.setdefault(HOMES[name], []).append(name)
    newline = "\r\n" if "\r\n" in text else "\n"
    made: list[tuple[int, int, str]] = []
    fresh: list[str] = []
    for module, members in sorted(missing.items(), key=lambda item: item[0] != "typing"):  # the standard library first
        line = re.search(rf"^from {module} import (?!\()([^\r\n#(]*[^\r\n#(\s,])", text, re.MULTILINE)
        if line is not None and "\\" not in line[0] and line[1] != "*":
            made.append((line.end(), line.end(), "".join(f", {member}" for member in members)))
        else:
            fresh.append(f"from {module} import {', '.join(members)}{newline}")
    if fresh:
        at = _behind_imports(text)
        made.append((at, at, "".join(fresh)))
    return made


def _behind_imports(text: str) -> int:
    """The start of the line behind the last top-level import; behind the docstring where there is none."""
    end = 0
    for match in re.finditer(
        r"^(?:from\s+[\w.]+\s+import\s*(?:\([^)]*\)|[^\r\n]*)|import\s[^\r\n]*)(?:\r\n|\n|\r|\Z)", text, re.MULTILINE
    ):
        end = match.end()
    if end == 0:
        docstring = re.match(r'\s*(?:#[^\r\n]*(?:\r\n|\n|\r)\s*)*[rR]?("""|\'\'\')[\s\S]*?\1[^\r\n]*(?:\r\n|\n|\r)', text)
        end = docstring.end() if docstring else 0
    return end
