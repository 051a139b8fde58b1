"""Patterns in settings: names with ``*``, and paths with ``*`` and ``**``."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from functools import cache


def name_matches(name: str | None, pattern: str) -> bool:
    """Whether a name fits a pattern with ``*``."""
    return name is not None and fnmatchcase(name, pattern)


def path_matches(path: str | None, pattern: str, folder: str) -> bool:
    """Whether a file fits: ``*`` stays inside a folder's name, ``**`` does not; without a slash it is a file's or folder's name
    at any depth; a folder stands for all that is below it. Relative to ``folder``."""
    if path is None:
        return False
    relative = os.path.relpath(os.path.abspath(path), folder or os.getcwd()).replace(os.sep, "/")
    return _compiled(pattern).fullmatch(relative) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    anywhere = "/" not in pattern.strip("/")
    text = pattern.replace("\\", "/").removeprefix("./").strip("/")
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(meaning.get(part) or re.escape(part) for part in parts)
    return re.compile(("(?:.*/)?" if anywhere else "") + body + "(?:/.*)?", re.S)
