"""Golden files: what was printed must be what is stored. ``UPDATE_GOLDEN=1 pytest`` writes them anew; they are never edited by hand."""

from __future__ import annotations

import os
from pathlib import Path


def assert_golden(path: Path, text: str) -> None:
    """Compare ``text`` with the file at ``path``, or write it there when ``UPDATE_GOLDEN`` is set."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    assert path.exists(), f"{path} is missing: run UPDATE_GOLDEN=1 pytest {path.parent}"
    assert text == path.read_bytes().decode("utf-8"), f"{path} is stale: look at the change, then UPDATE_GOLDEN=1 pytest"
