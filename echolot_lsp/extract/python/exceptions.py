"""Which exceptions of the source a ``try`` waits for."""

from __future__ import annotations

from collections.abc import Iterable

from echolot_lsp.extract.python.values import Raised

CATCH_ALL = frozenset({"Exception", "BaseException"})
PARENTS = {
    "ModuleNotFoundError": {"ImportError"},
    "KeyError": {"LookupError"},
    "IndexError": {"LookupError"},
    "FileNotFoundError": {"OSError", "IOError"},
    "JSONDecodeError": {"ValueError"},
    "ZeroDivisionError": {"ArithmeticError"},
    "UnicodeDecodeError": {"ValueError"},
}


def is_expected(raised: Raised, tries: Iterable[set[str]]) -> bool:
    """Whether a ``try`` around waits for this very exception, or for anything where a file or module may be missing.

    ``tries``: the names that each ``try`` around catches.
    """
    kinds = {raised.name, *PARENTS.get(raised.name, ())}
    if kinds & {"ImportError", "OSError", "ValueError"}:
        kinds |= CATCH_ALL
    return any(kinds & names for names in tries)
