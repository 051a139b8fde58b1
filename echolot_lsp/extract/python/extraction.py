"""One extraction: the interpretation of a file, and the servers that come of it."""

from __future__ import annotations

import os
import sys
import typing
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.python.again import Kept, read_again
from echolot_lsp.extract.python.assemble import Assembly
from echolot_lsp.extract.python.cache import Cache
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.memo import Keys
from echolot_lsp.extract.python.profile import Asked, Profiles, parse_framework, parse_python
from echolot_lsp.extract.python.servers import ServerValue
from echolot_lsp.files import Files
from echolot_lsp.model import Trouble


def extract(
    path: str,
    files: Files,
    *,
    environment: str | None,
    framework: str | None,
    python: str | None,
    schemas: bool,
    roots: tuple[str, ...],
    cache: Cache | None,
    changed: frozenset[str] | None,
) -> Extraction:
    """See ``extract_python``."""
    name, version = parse_framework(framework) if framework else (None, None)
    asked = Asked(name, version, parse_python(python) if python else None, environment, _active())
    cache = cache if cache is not None else Cache()
    options = (asked, schemas, roots)
    with _quiet():
        again = None if changed is None else read_again(cache, path, files, changed, options)
        if again is not None:
            return again
        run = Interpreter(
            path, files, Profiles(path, files, asked), cache=cache, roots=roots, libraries=_libraries(environment, files)
        )
        run.schemas = schemas
        module = run.run()
        if module is None:
            return Extraction((), (Trouble(path, "This file cannot be read.", fatal=True),))
        keys = Keys(run)
        lists = tuple(Assembly(run, value, keys) for value in _chosen(run))
        extraction = Extraction(tuple(each.server() for each in lists), tuple(run.troubles))
    cache.forget_unused(path)
    if cache.again:
        cache.kept[path] = Kept(options, run, lists, extraction, frozenset(getattr(files, "asked", ())))
    return extraction


@contextmanager
def _quiet() -> Iterator[None]:
    """What is needed around the making of schemas from real types."""
    for forget in getattr(typing, "_cleanups", ()):
        forget()  # equal unions of another order, that another file has made
    with warnings.catch_warnings(), deeper():
        warnings.simplefilter("ignore")  # what pydantic says of the source's models is not ours to print
        yield


RECURSION = 8_000
"""Frames of Python: interpreted calls and imports take a dozen each, and are themselves bounded."""


@contextmanager
def deeper() -> Iterator[None]:
    """Room for the interpreter's own recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _active() -> tuple[str, ...]:
    return tuple(value for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if (value := os.environ.get(name)))


def _libraries(environment: str | None, files: Files) -> tuple[str, ...]:
    """The folders of installed packages of an environment."""
    if environment is None:
        return ()
    found = [os.path.join(environment, "Lib", "site-packages")]
    lib = os.path.join(environment, "lib")
    found += [os.path.join(lib, name, "site-packages") for name in files.names(lib) if name.startswith("python")]
    return tuple(folder for folder in found if files.is_folder(folder))


def _chosen(run: Interpreter) -> list[ServerValue]:
    """The servers worth showing: those that are started first, then the others; without those that live inside another."""
    shown = [server for server in run.servers if not server.mounted and (run.has_tools(server) or server.ran)]
    if not shown:
        shown = [server for server in run.servers if run.has_tools(server)] or run.servers[-1:]
    return sorted(shown, key=lambda server: not server.ran)
