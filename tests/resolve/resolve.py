"""Holds what pip would install for a server alone against what it would install for the server and Echolot together."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVERS = ("mcp==1.30.*", "mcp==2.*", "fastmcp==2.14.*", "fastmcp==3.4.*", "fastmcp==4.2.*")
THEIRS = ("mcp", "fastmcp", "pydantic", "starlette", "anyio")
"""What a user's server runs on and must not change."""


def resolved(*requirements: str) -> dict[str, str]:
    """Versions that pip would install. Raises ``CalledProcessError`` where they cannot be installed together."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        options = ["--dry-run", "--ignore-installed", "--quiet", "--disable-pip-version-check", "--report", str(report)]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, *requirements], cwd=ROOT, check=True, timeout=240)
        installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {entry["metadata"]["name"].lower(): entry["metadata"]["version"] for entry in installed}


def main() -> int:
    """Print a line a server; 1 if one of them would change."""
    failed = 0
    for server in SERVERS:
        try:
            alone, together = resolved(server), resolved(server, str(ROOT))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            print(f"{server}: cannot be installed together: {error}")
            failed += 1
            continue
        changed = [name for name in THEIRS if name in alone and together.get(name) != alone[name]]
        failed += bool(changed)
        told = ", ".join(f"{name} {alone[name]} -> {together.get(name)}" for name in changed) or "unchanged"
        print(f"{server}: {told}", flush=True)
    print(f"{len(SERVERS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
