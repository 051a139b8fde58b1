"""What the user agreed to start, remembered in the user's own state folder by exact command line and workspace."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Agreements:
    """A file of keys (digests; it holds no command line). A damaged file is no agreement."""

    file: Path

    @classmethod
    def of_user(cls, environment: Mapping[str, str]) -> Agreements:
        """The user's own: below ``XDG_STATE_HOME``, or ``~/.local/state``."""
        state = environment.get("XDG_STATE_HOME", "")
        home = (
            Path(state) if os.path.isabs(state) else Path(environment.get("HOME") or os.path.expanduser("~")) / ".local" / "state"
        )
        return cls(home / "echolot" / "live.json")

    def holds(self, key: str) -> bool:
        """Whether this was agreed to before."""
        return key in self._keys()

    def add(self, key: str) -> None:
        """Remembers a yes. A folder that cannot be written means asking again."""
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.file.with_name(f"{self.file.name}.{os.getpid()}")
            fresh.write_text(json.dumps(sorted({*self._keys(), key})), encoding="utf-8")
            fresh.replace(self.file)

    def _keys(self) -> set[str]:
        try:
            keys = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return set()
        return {key for key in keys if isinstance(key, str)} if isinstance(keys, list) else set()
