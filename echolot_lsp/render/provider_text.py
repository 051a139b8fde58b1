"""A provider's form of a list as JSON text, with the line at which each thing that was lost or rewritten stood.

The text is exactly what `--as PROVIDER` prints. The marks are beside it, so copying it copies no mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from echolot_lsp.model import Path, ProviderName
from echolot_lsp.providers import Change, wire_form
from echolot_lsp.schema import at

MOST_MARKS = 3_000
LONGEST_VALUE = 200
INDENT = 2

_SCHEMA_KEY: Mapping[ProviderName, str] = {"anthropic": "input_schema", "openai": "parameters", "gemini": "parameters"}


@dataclass(frozen=True, slots=True)
class Mark:
    """What happened to a part: ``line`` (from 0) is the line after which it is shown, ``text`` what stood there."""

    line: int
    indent: int
    kind: str
    text: str
    why: str
    lossy: bool


@dataclass(frozen=True, slots=True)
class ProviderText:
    """``tools``: for each tool its position in the list and the line at which it starts."""

    text: str
    marks: tuple[Mark, ...]
    tools: tuple[tuple[int, int], ...]


@dataclass
class _Lines:
    """JSON lines being written; ``starts`` is the line of every container by its path, ``ends`` that of the rest."""

    lines: list[str] = field(default_factory=list)
    starts: dict[Path, int] = field(default_factory=dict)

    def write(self, value: Any, path: Path, head: str, tail: str) -> None:
        """``value`` after ``head`` (indentation and key) and before ``tail`` (a comma or nothing)."""
        self.starts[path] = len(self.lines)
        members: Sequence[tuple[str | int, Any]]
        if isinstance(value, Mapping):
            opening, closing, members = "{", "}", list(value.items())
        elif isinstance(value, (list, tuple)):
            opening, closing, members = "[", "]", list(enumerate(value))
        else:
            self.lines.append(f"{head}{json.dumps(value, ensure_ascii=False)}{tail}")
            return
        if not members:
            self.lines.append(f"{head}{opening}{closing}{tail}")
            return
        blank = " " * (len(head) - len(head.lstrip(" ")))
        self.lines.append(f"{head}{opening}")
        for position, (key, member) in enumerate(members):
            name = f"{json.dumps(key, ensure_ascii=False)}: " if isinstance(key, str) else ""
            comma = "," if position < len(members) - 1 else ""
            self.write(member, (*path, key), f"{blank}{' ' * INDENT}{name}", comma)
        self.lines.append(f"{blank}{closing}{tail}")


def provider_text(provider: ProviderName, tools: Sequence[Mapping[str, Any]]) -> ProviderText:
    """The form of ``tools`` (dicts of the MCP wire) at a provider, as text with marks."""
    conversion = wire_form(provider, tools)
    lines = _Lines()
    lines.write(conversion.value, (), "", "")
    root: Path = (0, "functionDeclarations") if provider == "gemini" else ()
    starts = tuple((index, lines.starts[(*root, index)]) for index in range(len(tools)) if (*root, index) in lines.starts)
    marks = list(_marks(provider, tools, conversion.changes, root, lines))[:MOST_MARKS]
    return ProviderText("\n".join(lines.lines), tuple(marks), starts)


def _marks(
    provider: ProviderName, tools: Sequence[Mapping[str, Any]], changes: Sequence[Change], root: Path, lines: _Lines
) -> Iterator[Mark]:
    for change in changes:
        parent = change.path[:-1] if change.path[-1:] == (change.keyword,) else change.path
        place, missing = _place((*root, change.index), parent, _SCHEMA_KEY[provider], lines)
        member = (*place, change.keyword)
        sent = change.kind != "dropped" and not missing and member in lines.starts
        line = lines.starts[member if sent else place]
        indent = len(lines.lines[line]) - len(lines.lines[line].lstrip(" ")) + (0 if sent else INDENT)
        text = "" if sent else _was(tools[change.index], change, missing)
        yield Mark(line, indent, change.kind, text, change.text, change.lossy)


def _place(start: Path, path: Path, schema_key: str, lines: _Lines) -> tuple[Path, Path]:
    """The deepest part of the form that a path in the MCP tool leads to, and the steps that the form does not have."""
    place = start
    for depth, step in enumerate(path):
        name = schema_key if depth == 0 and step == "inputSchema" else step
        if (*place, name) not in lines.starts:
            return place, path[depth:]
        place = (*place, name)
    return place, ()


def _was(tool: Mapping[str, Any], change: Change, missing: Path) -> str:
    """What stood there, as a member of JSON: ``"pattern": "^P"``; with the way to it where the form has not even that."""
    name = "/".join(str(step) for step in (*missing, change.keyword))
    for path in (change.path, (*change.path, change.keyword)):
        if path[-1:] != (change.keyword,):
            continue
        try:
            value = json.dumps(at(tool, path), ensure_ascii=False, default=lambda part: "…")
        except (LookupError, TypeError, ValueError, RecursionError):
            continue
        return f"{json.dumps(name, ensure_ascii=False)}: {value if len(value) <= LONGEST_VALUE else f'{value[:LONGEST_VALUE]}…'}"
    return json.dumps(name, ensure_ascii=False) if change.kind != "rewritten" or missing else ""
