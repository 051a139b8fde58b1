"""The command line as a process: pipes that close, interruptions, other encodings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.commands import EXAMPLE, GOOD, tool_list

ECHOLOT = [sys.executable, "-c", "import sys; from echolot_lsp.cli import main; sys.exit(main())"]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    tools = [{**GOOD, "name": f"tool_{number}", "description": "A long text. " * 100} for number in range(2000)]
    (tmp_path / "many.json").write_text(tool_list(*tools), encoding="utf-8")
    process = subprocess.Popen(
        [*ECHOLOT, "mcp", "list", str(tmp_path / "many.json")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    process.stderr.close()


def test_an_interruption_ends_quietly() -> None:
    process = subprocess.Popen(
        [*ECHOLOT, "mcp", "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, err) == (b"", b"")
    assert process.returncode == 130


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process waits for standard input: it has asked for more than the pipe held."""
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)  # more than a pipe holds: returns once it is being read
    process.stdin.flush()


def test_a_terminal_without_utf8_gets_a_report() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [*ECHOLOT, "mcp", "check", "--quality", str(EXAMPLE)], capture_output=True, env=environment, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b" problems, " in result.stdout
