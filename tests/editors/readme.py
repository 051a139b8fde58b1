"""The configuration blocks of the README, as they stand there. usage: readme.py HEADING LANGUAGE; prints the first one below the heading."""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(heading: str, language: str) -> list[str]:
    """The fenced blocks of a language below a heading of the README's section on editors."""
    section = re.search(rf"^### {re.escape(heading)}.*?\n(.*?)(?=^###? |^<!--)", README.read_text(encoding="utf-8"), re.M | re.S)
    assert section is not None, f"The README has no heading {heading}."
    return re.findall(rf"^```{language}\n(.*?)^```$", section[1], re.M | re.S)


if __name__ == "__main__":
    print(blocks(sys.argv[1], sys.argv[2])[0], end="")
