"""May this list and this prompt go there? Asked once for each endpoint and workspace, remembered in the user's state folder.

What stays on this machine does not ask. A model that a local port only passes on to a cloud does, and so does any other machine,
also one of the local network. A damaged record counts as no consent.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from echolot_lsp.trial.endpoint import Endpoint, is_cloud_model, is_loopback, stays_here


def needs_consent(endpoint: Endpoint) -> bool:
    """Whether what is sent to an endpoint leaves this machine, as far as its address and its model's name tell."""
    return not stays_here(endpoint)


def question(endpoint: Endpoint, servers: Mapping[str, int], *, proxy: str | None = None) -> str:
    """What is asked: what goes where. ``servers``: the number of tools by server name."""
    lists = " and ".join(
        f"the {count} tools of {name}" if count != 1 else f"the one tool of {name}" for name, count in servers.items()
    )
    what = f"your prompts and {lists or 'the tool list'} (names, descriptions, schemas)"
    if is_loopback(endpoint.host):
        where = f"{endpoint.title} at {endpoint.origin}, which passes them on to the cloud model {endpoint.model}"
    else:
        where = f"{endpoint.title} at {endpoint.origin}"
    extra = "" if proxy is None else f" by the proxy {proxy}"
    key = "" if endpoint.key_name is None else f" The key in {endpoint.key_name} goes along."
    plain = " The way there is not encrypted." if _is_plain(endpoint) else ""
    return f"Send {what} to {where}{extra}? Nothing is called.{key}{plain} This is asked once for this endpoint and workspace."


def _is_plain(endpoint: Endpoint) -> bool:
    return endpoint.base_url.startswith("http://") and not is_loopback(endpoint.host)


def no_consent(endpoint: Endpoint) -> str:
    """What is said where nobody can be asked, or the answer was no."""
    return f"Nothing was sent to {endpoint.origin}: that needs your yes (--yes on the command line, or the question in the editor)."


def state_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder where this user's answers are kept: ``XDG_STATE_HOME``, Windows' ``LOCALAPPDATA``, the Library of a Mac."""
    environment = os.environ if environment is None else environment
    given = environment.get("XDG_STATE_HOME", "")
    if given and os.path.isabs(given):
        return Path(given) / "echolot"
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "echolot" / "state"
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or os.path.expanduser("~"))
    if platform == "darwin":
        return home / "Library" / "Application Support" / "echolot"
    return home / ".local" / "state" / "echolot"


@dataclass(frozen=True, slots=True)
class Consents:
    """The answers of a user. ``file`` is the record, made when the first yes is given."""

    file: Path

    @classmethod
    def of_user(cls, environment: Mapping[str, str] | None = None) -> Consents:
        """The record of the user whose environment this is."""
        return cls(state_folder(environment) / "trial-consent.json")

    def given(self, endpoint: Endpoint, workspace: str) -> bool:
        """Whether a yes is on record for this endpoint and workspace (an absolute folder)."""
        return any(
            entry.get("endpoint") == _name(endpoint) and entry.get("workspace") == os.path.abspath(workspace)
            for entry in self._entries()
        )

    def give(self, endpoint: Endpoint, workspace: str) -> None:
        """Record a yes. A folder that cannot be written to costs only the memory: the next time asks again."""
        if self.given(endpoint, workspace):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entries = [*self._entries(), {"endpoint": _name(endpoint), "workspace": os.path.abspath(workspace), "when": now}]
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self.file.with_name(f"{self.file.name}.{os.getpid()}")
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump({"version": 1, "given": entries}, file, indent=1)
            os.replace(fresh, self.file)
        except OSError:
            return

    def forget(self) -> None:
        """Take every yes back."""
        self.file.unlink(missing_ok=True)

    def _entries(self) -> list[dict[str, Any]]:
        try:
            record = json.loads(self.file.read_text(encoding="utf-8"))
            return [entry for entry in record["given"] if isinstance(entry, dict)]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return []


def _name(endpoint: Endpoint) -> str:
    """An endpoint in the record: its origin; a cloud model behind a local port by its name as well."""
    return (
        f"{endpoint.origin} {endpoint.model}" if is_loopback(endpoint.host) and is_cloud_model(endpoint.model) else endpoint.origin
    )
