"""A git repository for a test, with nothing of the machine's or the user's configuration in it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_PERSON = {"NAME": "Skipper", "EMAIL": "skipper@example.org"}


class Repository:
    """A fresh repository in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        """What git says."""
        own = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _PERSON.items()}
        environment = {**os.environ, **own, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", check=True
        )
        return done.stdout

    def commit(self, name: str, text: str) -> Path:
        """Writes a file and commits it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        self.git("add", name)
        self.git("commit", "-q", "-m", name)
        return path
