"""Drives Neovim over the bundled examples and holds what it shows against `echolot mcp check` on the same text.

usage: check.py NVIM        Japanese text and an emoji are put before the marked places. Ends with `N passed, N failed`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "echolot_lsp" / "examples"
CASES: dict[str, dict[str, str]] = {
    "outdoor_shop.py": {"hover": "def check_stock", "fix": "no-description", "action": "Ignore no-description on this line"},
    "outdoor_shop.json": {"hover": '"check_stock"', "fix": "schema-no-properties", "action": '"properties": {}'},
}
SEVERITY = {"problem": 1, "warning": 2, "note": 3}


def with_wide_text(name: str, text: str) -> str:
    """Japanese text and an emoji on the lines of the marked places, before them."""
    if name.endswith(".py"):
        return text.replace("(\n    article:", "(  # 商品 ⛺\n    article:").replace(
            ', branch: str = ""', ', 支店="🏕️", branch: str = ""'
        )
    return text.replace('"branch": {', '"支店🏕️": {"type": "string", "description": "どの店か"}, "branch": {')


def expected(file: Path) -> list[dict[str, Any]]:
    """What the command line finds, with the characters that its UTF-16 ranges name."""
    start = "import sys; from echolot_lsp.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "mcp", "check", "--quality", "--format", "json", str(file)]
    answer = json.loads(subprocess.run(command, capture_output=True, check=False, encoding="utf-8").stdout)
    lines = file.read_text(encoding="utf-8").split("\n")
    found = []
    for finding in (
        finding for server in answer["servers"] for finding in server["findings"] if finding.get("default", "on") == "on"
    ):
        start, end = finding["range"]["start"], finding["range"]["end"]
        line = lines[start["line"]].encode("utf-16-le")
        text = line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le") if start["line"] == end["line"] else None
        found.append({"code": finding["rule"], "line": start["line"], "severity": SEVERITY[finding["severity"]], "text": text})
    return found


def order(item: dict[str, Any]) -> tuple[int, str, str]:
    return item["line"], item["code"], str(item["text"])


def editor(nvim: str, name: str, case: dict[str, str], home: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What Neovim showed, and what the command line says."""
    root = home / "work"
    root.mkdir()
    file = root / name
    file.write_text(with_wide_text(name, (EXAMPLES / name).read_text(encoding="utf-8")), encoding="utf-8")
    wanted = expected(file)
    rules = sorted({finding["code"] for finding in wanted})
    settings = f"ignore = {json.dumps(rules)}\n"
    check = {"cmd": [sys.executable, "-m", "echolot_lsp.lsp"], "file": str(file), "root": str(root), "settings": settings, **case}
    folders = {each: str(home) for each in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    command = [nvim, "--headless", "--clean", "-n", "-i", "NONE", "-c", f"luafile {HERE / 'check.lua'}", "-c", "cquit 3"]
    run = subprocess.run(
        command,
        env={**os.environ, **folders, "CHECK": json.dumps(check)},
        capture_output=True,
        timeout=240,
        encoding="utf-8",
        check=False,
    )
    line = next((line for line in run.stdout.splitlines() if line.startswith("{")), None)
    if line is None:
        raise SystemExit(f"Neovim said nothing: {run.stderr[-2000:]}\n0 passed, 1 failed")
    return json.loads(line), wanted


def checks(seen: dict[str, Any], wanted: list[dict[str, Any]], case: dict[str, str]) -> dict[str, Callable[[], bool]]:
    """What must hold, by what it says."""
    shown = sorted(seen.get("diagnostics", ()), key=order)
    hover = seen.get("hover") or []
    table = [line for line in hover if line.startswith("|")]
    return {
        "nothing failed in the editor": lambda: "error" not in seen,
        "the editor and the server speak of bytes": lambda: seen["encoding"] == "utf-8",
        "every finding underlines what the command line names": lambda: bool(shown) and shown == sorted(wanted, key=order),
        "each tool has its tokens": lambda: bool(seen["hints"]) and all(hint["label"].endswith("tokens") for hint in seen["hints"]),
        "no two hints are on one line": lambda: len({hint["line"] for hint in seen["hints"]}) == len(seen["hints"]),
        "the lens counts the tools": lambda: " tools · ≈" in seen["lenses"][0]["title"],
        "the hover holds an aligned table": lambda: len(table) == 5 and len({len(line) for line in table}) == 1,
        "provider JSON is Gemini's": lambda: bool(json.loads(seen["provider"]["text"])[0]["functionDeclarations"]),
        "the chosen action silenced its finding": lambda: case["action"] in seen["chosen"] and len(seen["after"]) < len(shown),
        "settings take effect without a restart": lambda: seen["silenced"],
    }


def main(nvim: str) -> int:
    passed, failed = 0, 0
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            seen, wanted = editor(nvim, name, case, Path(folder))
        for title, holds in checks(seen, wanted, case).items():
            try:
                good = holds()
            except (KeyError, IndexError, TypeError, ValueError):
                good = False
            passed, failed = passed + good, failed + (not good)
            print(f"{name}: {title}: {'passed' if good else 'FAILED'}")
        if failed:
            print(json.dumps({"seen": seen, "wanted": wanted}, ensure_ascii=False, indent=1)[:6000])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
