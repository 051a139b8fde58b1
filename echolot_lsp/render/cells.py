"""Columns that text takes on a terminal, and cutting text to them."""

from __future__ import annotations


def cells(text: str) -> int:
    """Columns of ``text``: two for wide characters such as Japanese ones and most emoji."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` columns, with ``…`` where something is missing."""
    if cells(text) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cells(text[:middle]) <= width - 1 else (low, middle - 1)
    return text[:low].rstrip() + "…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """``text`` filled with blanks to ``width`` columns."""
    return text + " " * max(0, width - cells(text))
