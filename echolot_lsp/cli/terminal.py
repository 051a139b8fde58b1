"""What the terminal can show: colours and width."""

from __future__ import annotations

import os
import shutil
import sys

NARROWEST, WIDEST, UNKNOWN = 40, 120, 100


def colour() -> bool:
    """Whether to colour: only on a terminal; NO_COLOR and FORCE_COLOR (https://no-color.org, 2026-11) overrule it."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write in: the terminal's, or ``COLUMNS``; a fixed width in a pipe."""
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return max(NARROWEST, min(shutil.get_terminal_size((UNKNOWN, 24)).columns, WIDEST))
    return UNKNOWN
