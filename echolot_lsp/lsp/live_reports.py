"""What running servers answered when they were checked last: kept for the card and the provider JSON of the documents that name them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.view import Checked, Shown

if TYPE_CHECKING:
    from echolot_lsp.lsp.reading import Reading
    from echolot_lsp.lsp.server import EcholotServer
    from echolot_lsp.model import Report, Tool


class LiveReports:
    """The last report on each running server, with the documents from which it can be reached."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[frozenset[str], Shown]] = {}

    def keep(self, reading: Reading, documents: Collection[str], argument: Mapping[str, Any], started_from: Iterable[str]) -> Shown:
        """Keeps the report on the server of ``reading``, whose path is the server's label, in place of the one before.

        ``argument`` is what ``checkLive`` was asked, to be asked again; ``started_from``: files that the server runs from.
        """
        known, before = self._kept.get(reading.path, (frozenset(), None))
        server = reading.servers[0]
        report = reading.reports[0]
        changes = () if before is None else (*differences(before.server.tools, server.tools), *dearer(before.report, report))
        files = frozenset((*started_from, *server.sources))
        checked = Checked(time.time(), before is not None, changes, files, {**argument, "live": False})
        shown = Shown(server, report, reading, checked)
        self._kept[reading.path] = known | frozenset(documents), shown
        return shown

    def documents(self, label: str) -> frozenset[str]:
        """The paths of the documents from which a server's report can be reached."""
        return self._kept[label][0]

    def of(self, path: str) -> list[Shown]:
        """The reports that can be reached from a document."""
        return [shown for documents, shown in self._kept.values() if path in documents]

    def started_from(self, path: str) -> list[Shown]:
        """The reports on servers that run from a file."""
        return [shown for _, shown in self._kept.values() if shown.checked is not None and path in shown.checked.files]


def servers_of(ls: EcholotServer, uri: str, live: bool = False) -> list[Shown]:
    """The servers that a command on a document is about: those that it declares; where it declares none (a client's configuration)
    or ``live`` is asked for, those that ran."""
    declared = [] if live else ls.session.servers(uri)
    return declared or ls.live.of(path_of(uri))


def note(checked: Checked) -> dict[str, Any]:
    """What the card says of a live report: when it was read (ISO 8601, local time), what that changed, what was saved since."""
    since = sorted(os.path.basename(path) for path in checked.files if _saved_after(path, checked.at))
    return {
        "at": datetime.fromtimestamp(checked.at).astimezone().isoformat(timespec="seconds"),
        "changes": list(checked.changes) if checked.again else None,
        "since": since,
    }


def differences(before: Sequence[Tool], now: Sequence[Tool]) -> tuple[str, ...]:
    """What another check of the same server showed, a line each: tools that came, went or changed."""
    old, new = ({tool.name or f"tool {index + 1}": tool.wire for index, tool in enumerate(tools)} for tools in (before, now))
    lines = [f"{name} is new" for name in new if name not in old]
    lines += [f"{name} is gone" for name in old if name not in new]
    for name in [name for name in new if name in old and new[name] != old[name]]:
        parts = [key for key in dict.fromkeys((*old[name], *new[name])) if old[name].get(key) != new[name].get(key)]
        lines.append(f"{name} has another {' and another '.join(parts)}")
    return tuple(lines)


def dearer(before: Report, now: Report) -> tuple[str, ...]:
    """What another check means for the tokens of a turn, at the provider where the list costs most now; empty where nothing."""
    cost = max(now.costs.values(), key=lambda cost: cost.total, default=None)
    old = before.costs.get(cost.provider) if cost is not None else None
    if cost is None or old is None or old.total == cost.total:
        return ()
    return (f"{cost.total - old.total:+,} tokens a turn".replace("-", "−"),)


def _saved_after(path: str, moment: float) -> bool:
    try:
        return os.stat(path).st_mtime > moment
    except OSError:
        return False
