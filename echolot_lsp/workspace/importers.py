"""Which servers below a folder rest on which of its files: found by a search over bytes and import lines, nothing is parsed or run.

An approximation for finding what to read: a server that imports a file counts as resting on it, used or not. What tests make is left
out: they register tools of their own on the servers that they try.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from echolot_lsp.extract.json import may_hold_tools
from echolot_lsp.extract.python import may_hold_server
from echolot_lsp.files import decode
from echolot_lsp.workspace.walk import head, walk

MOST_FILES = 200_000
"""Python files that are looked at; a folder that holds more is no project."""

_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#;]*)"
    r"|import[ \t]+(?P<modules>[^\n#;]*))",
    re.M,
)
_TEST = re.compile(r"(?:test_.*|.*_test|conftest)\.py")


class ServerFile(NamedTuple):
    """A file that may declare a server, and the files of the folder that it imports, itself included."""

    path: str
    imports: frozenset[str]


def server_files(
    folder: str, looked_at: Callable[[int], None] = lambda count: None, *, lists: bool = False
) -> Iterator[ServerFile]:
    """The files below ``folder`` that may declare servers, with ``lists`` also JSON files that may hold tools. ``looked_at`` is told
    how many Python files have been searched."""
    files: set[str] = set()
    may_declare: list[str] = []
    for candidate in walk(folder):
        if candidate.kind != "python":
            if lists and may_hold_tools(head(candidate.path) or b""):
                yield ServerFile(candidate.path, frozenset((candidate.path,)))
            continue
        files.add(candidate.path)
        if len(files) > MOST_FILES:
            break
        looked_at(len(files))
        if not _is_test(os.path.relpath(candidate.path, folder)) and may_hold_server(head(candidate.path) or b""):
            may_declare.append(candidate.path)
    imports = _Imports(os.path.normpath(folder), files)
    for path in may_declare:
        yield ServerFile(path, imports.all_of(path))


def _is_test(path: str) -> bool:
    *folders, name = path.split(os.sep)
    return _TEST.fullmatch(name) is not None or not {"test", "tests"}.isdisjoint(folders)


class _Imports:
    """Import lines, followed over the files of one folder."""

    def __init__(self, folder: str, files: set[str]) -> None:
        self._folder = folder
        self._files = files
        self._known: dict[str, frozenset[str]] = {}

    def all_of(self, path: str) -> frozenset[str]:
        """A file and all that it imports, at whatever remove."""
        found, pending = {path}, [path]
        while pending:
            new = self._direct(pending.pop()) - found
            found |= new
            pending += new
        return frozenset(found)

    def _direct(self, path: str) -> frozenset[str]:
        known = self._known.get(path)
        if known is None:
            text = decode(head(path) or b"")
            known = self._known[path] = frozenset(file for line in _IMPORTS.finditer(text) for file in self._named(path, line))
        return known

    def _named(self, path: str, line: re.Match[str]) -> Iterator[str]:
        if line["modules"] is not None:
            for part in line["modules"].split(","):
                yield from self._module(path, (part.split() or [""])[0].split("."), ())
            return
        names = tuple(part.split()[0] for part in line["names"].strip("() \t").split(",") if part.split())
        parts = [part for part in line["module"].split(".") if part]
        if line["dots"]:
            base = path
            for _ in line["dots"]:
                base = os.path.dirname(base)
            yield from self._below(base, parts, names)
        else:
            yield from self._module(path, parts, names)

    def _module(self, path: str, parts: list[str], names: tuple[str, ...]) -> Iterator[str]:
        """The files of an absolute import: of the first root that has some."""
        own = top = os.path.dirname(path)
        while os.path.join(top, "__init__.py") in self._files:
            top = os.path.dirname(top)
        roots = (own, top, os.path.join(top, "src"), self._folder, os.path.join(self._folder, "src"))
        for root in dict.fromkeys(roots):
            found = list(self._below(root, parts, names)) if parts and parts[0] else []
            if found:
                yield from found
                return

    def _below(self, base: str, parts: list[str], names: tuple[str, ...]) -> Iterator[str]:
        """The files that make ``base/parts``, the packages above it and its submodules ``names`` among them."""
        for part in parts[:-1]:
            base = os.path.join(base, part)
            yield from self._there(os.path.join(base, "__init__.py"))
        base = os.path.join(base, parts[-1]) if parts else base
        for file in (base + ".py", os.path.join(base, "__init__.py"), *(os.path.join(base, f"{name}.py") for name in names)):
            yield from self._there(file)
        for name in names:
            yield from self._there(os.path.join(base, name, "__init__.py"))

    def _there(self, file: str) -> Iterator[str]:
        if file in self._files:
            yield file
