"""Ignoring a finding: a comment on its line, on its tool or for its file (Python), or an entry in the settings (everything)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

from echolot_lsp.files import Files
from echolot_lsp.fixes import Edit
from echolot_lsp.lsp.view import View
from echolot_lsp.model import Finding, Tool

_COMMENT = re.compile(r"#[ \t]*echolot:[ \t]*ignore[ \t]*\[(?P<rules>[^\]\r\n]*)\]")
_FILE_COMMENT = re.compile(r"^[ \t]*#[ \t]*echolot:[ \t]*ignore-file[ \t]*\[(?P<rules>[^\]\r\n]*)\]", re.M)
_FIRST_LINES = re.compile(r"(?:#!.*(?:\r\n|\n|\r))?(?:[ \t\f]*#.*coding[:=].*(?:\r\n|\n|\r))?")
_DEF = re.compile(r"^[ \t]*(?:async[ \t]+)?def\b", re.M)


def comments(
    view: View, finding: Finding, place: tuple[int, int], tool: Tool | None, home: tuple[int, int] | None
) -> Iterator[tuple[str, Edit]]:
    """Titles and edits of the comments that would hide a finding at ``place`` in a Python text."""
    here = _on_line(view, place[0], finding.rule)
    if here is not None:
        yield f"Ignore {finding.rule} on this line", here
    if tool is not None and home is not None:
        there = _on_line(view, _def_line(view.document.text, home), finding.rule)
        if there is not None and there != here:
            yield f"Ignore {finding.rule} for {tool.name or 'this tool'}", there
    yield f"Ignore {finding.rule} in this file", _in_file(view.document.text, finding.rule)


def _def_line(text: str, home: tuple[int, int]) -> int:
    """The offset of the line that speaks for the whole tool: its ``def``, else its first."""
    match = _DEF.search(text, home[0], home[1])
    return home[0] if match is None else match.end()


def _on_line(view: View, offset: int, rule: str) -> Edit | None:
    """A comment at the end of a line, or one more rule in the comment that is there; ``None`` where the line cannot take one."""
    number = view.lines.position(offset, "utf-32").line
    start, line = view.lines.starts[number], view.lines.line(number)
    known = _COMMENT.search(line)
    if known is not None:
        return _added(start + known.end("rules"), known["rules"], rule)
    if line.rstrip().endswith("\\") or _inside_string(view.document.text, start, start + len(line)):
        return None
    end = start + len(line.rstrip())
    return end, start + len(line), f"  # echolot: ignore[{rule}]"


def _inside_string(text: str, start: int, end: int) -> bool:
    """Whether the end of a line lies in a string: a comment there would be text."""
    if not any(quotes in text for quotes in ('"""', "'''")):
        return False
    from echolot_lsp.config.comments import read_comments

    probe = "  # echolot: ignore[probe]"
    found = read_comments(f"{text[:end]}{probe}{text[end:]}")
    return not any(start <= each.start <= end + 2 and each.rules and each.rules[0].rule == "probe" for each in found.ignores)


def _in_file(text: str, rule: str) -> Edit:
    known = _FILE_COMMENT.search(text)
    if known is not None:
        return _added(known.end("rules"), known["rules"], rule)
    match = _FIRST_LINES.match(text)
    at = match.end() if match else 0
    newline = "\r\n" if "\r\n" in text else "\n"
    return at, at, f"# echolot: ignore-file[{rule}]{newline}"


def _added(end: int, rules: str, rule: str) -> Edit:
    return end, end, f", {rule}" if rules.strip() else rule


def in_settings(finding: Finding, path: str, server: str, files: Files, root: str) -> tuple[str, str | None, Edit]:
    """The settings file to edit, its text (``None``: it has to be made), and the edit that silences the rule for the tool there."""
    from echolot_lsp import config

    found = config.find(path, files)
    file = found or os.path.join(root, "echolot.toml")
    text = None if found is None else files.text(found) or ""
    table = "tool.echolot.ignored" if os.path.basename(file) == "pyproject.toml" else "ignored"
    where = os.path.relpath(path, os.path.dirname(file)).replace(os.sep, "/") if os.path.isabs(path) else None
    parts = [("path", where), ("server", None if where else server), ("tool", finding.tool)]
    lines = [f"[[{table}]]", *(f"{key} = {_toml(value)}" for key, value in parts if value), f"rules = [{_toml(finding.rule)}]"]
    before = "" if not text else ("\n" if text.endswith("\n") else "\n\n")
    end = len(text or "")
    return file, text, (end, end, before + "\n".join(lines) + "\n")


def _toml(value: str) -> str:
    """A basic string: JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
