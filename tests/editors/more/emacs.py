"""Emacs against the command line. usage: emacs.py EMACS SERVER FOLDER; prints one line a step: ``ok NAME`` or ``failed NAME``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))
from tests.editors.nvim.test_nvim import ROOT, expected, with_wide_text  # noqa: E402
from tests.editors.readme import blocks  # noqa: E402


def main(emacs: str, server: str, folder: Path) -> None:
    shop = folder / "shop.py"
    shop.write_text(with_wide_text((ROOT / "echolot_lsp/examples/outdoor_shop.py").read_text(encoding="utf-8")), encoding="utf-8")
    wanted = sorted(finding["text"] for finding in expected(shop))
    config = folder / "init.el"
    config.write_text(blocks("Emacs", "elisp")[0], encoding="utf-8")
    given = {"config": str(config), "file": str(shop), "count": len(wanted)}
    path = f"{Path(server).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [emacs, "--batch", "-q", "-l", str(HERE / "emacs.el")],
        env={
            **os.environ,
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
            "LANG": "C.UTF-8",
            "PATH": path,
            "CHECK": json.dumps(given),
        },
        cwd=folder,
        capture_output=True,
        timeout=400,
        encoding="utf-8",
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    seen: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    holds: dict[str, Callable[[], bool]] = {
        "findings, on the characters that the command line names": lambda: sorted(seen["findings"]) == wanted,
        "hints": lambda: len(seen["hints"]) == 7 and all("≈" in hint for hint in seen["hints"]),
        "hover": lambda: "| Anthropic |" in seen["hover"],
        "provider JSON": lambda: "functionDeclarations" in seen["json"]["answer"] and seen["json"]["shown"].endswith("gemini.json"),
        "quick fix": lambda: seen["fix"]["done"] and seen["fix"]["left"] == len(wanted) - 1,
        "ignore": lambda: seen["ignore"]["done"] and seen["ignore"]["left"] == len(wanted) - 2,
        "asked before a process starts": lambda: "needs your yes" in seen["consent"],
    }
    for name, held in holds.items():
        try:
            good = bool(held())
        except (KeyError, TypeError):
            good = False
        print("ok" if good else "failed", name, flush=True)
        if not good:
            print(json.dumps(seen, ensure_ascii=False), done.stderr[-1500:], file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
