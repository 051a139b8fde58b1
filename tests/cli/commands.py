"""Running the command line in this process, as a test sees it."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from echolot_lsp.cli import main

EXAMPLE = Path(__file__).parents[2] / "echolot_lsp" / "examples" / "outdoor_shop.json"


@dataclass(frozen=True)
class Result:
    """What a command did: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def run(*words: str | Path, stdin: bytes = b"", encoding: str = "utf-8") -> Result:
    """Run ``echolot`` with these words. ``encoding`` is that of the output."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with patch.object(sys, "stdout", out), patch.object(sys, "stderr", err), patch.object(sys, "stdin", source):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:  # argparse, after --help and --version
            code = end.code if isinstance(end.code, int) else 0
    return Result(code, _content(out, encoding), _content(err, encoding))


def _content(stream: io.TextIOWrapper, encoding: str) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(encoding)


def tool_list(*tools: Any, **more: Any) -> str:
    """A JSON tool list as text."""
    return json.dumps({"tools": list(tools), **more}, ensure_ascii=False)


GOOD = {
    "name": "find_hut",
    "description": "Mountain huts near a place with free beds; returns name, height and telephone number.",
    "inputSchema": {
        "type": "object",
        "properties": {"place": {"type": "string", "description": "A village or a summit, such as Watzmann."}},
        "required": ["place"],
    },
}
"""A tool that no rule says anything about."""
NAMELESS = {**GOOD, "name": "book bed", "description": "Reserves a bed in one hut for one night and returns the booking number."}
"""A tool with one problem."""
