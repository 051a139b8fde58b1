"""What a session should have told: every file read with nothing known before, checked, and placed by the command line's own ranges."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from echolot_lsp import cli, config
from echolot_lsp.check import check
from echolot_lsp.config.apply import running
from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.python import extract_python, may_hold_server
from echolot_lsp.files import Disk
from echolot_lsp.model import Default, Report, Server, Tool, all_spans
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.rules import all_rules

Told = Counter[tuple[Any, ...]]
"""Findings of one file: rule, severity and range each, with how often."""

SEVERITY = {"problem": 1, "warning": 2, "note": 3}
Checked = list[tuple[Report, config.Settings]]
COMMENTS = "unused-ignore", "unknown-rule"
"""Rules about ignore comments."""
KEPT = 500
"""Fresh readings that are remembered: of a whole workspace that is what it was, the next one would be the same."""


class Fresh:
    """Reads files as if for the first time."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = [str(root) for root in roots]
        self._read: dict[Any, list[Server]] = {}
        self._checked: dict[Any, tuple[list[Server], Checked]] = {}

    def servers(self, path: str, buffers: Mapping[str, str], state: object) -> list[Server]:
        """The servers of a file. ``state``: all that the answer may rest on; where it is the same, the file is not read again."""
        text = Disk(buffers).text(path)
        key = path, text, state if path.endswith(".py") else None
        if key not in self._read:
            if len(self._read) > KEPT:
                self._read.clear()
            self._read[key] = [] if text is None else self._servers(path, text, buffers)
        return self._read[key]

    def reports(
        self, path: str, servers: list[Server], buffers: Mapping[str, str], editor: Mapping[str, Any], state: object
    ) -> Checked:
        """The servers checked, with the settings that are in force for their file. ``state``: all that those may rest on."""
        key = path, id(servers), state
        if key not in self._checked:
            if len(self._checked) > KEPT:
                self._checked.clear()
            layer, _ = config.from_mapping(editor)
            settings = config.merge(config.load(path, Disk(buffers)).layer, layer)
            rules = running(all_rules().values(), settings)
            self._checked[key] = servers, [(check(server, rules=rules), settings) for server in servers]
        return self._checked[key][1]

    def _servers(self, path: str, text: str, buffers: Mapping[str, str]) -> list[Server]:
        if path.endswith(".json"):
            return list(extract_json(path, text).servers)
        if not may_hold_server(text.encode("utf-8", "surrogatepass")):
            return []
        inside = [root for root in self.roots if path.startswith(root + "/")]
        return list(extract_python(path, Disk(buffers), roots=inside).servers)


def told(items: str) -> Told:
    """What diagnostics (a JSON array) say."""
    found: Told = Counter()
    for item in json.loads(items):
        ends = item["range"]["start"], item["range"]["end"]
        found[(item["code"], item["severity"], *(value for end in ends for value in (end["line"], end["character"])))] += 1
    return found


def fullest(told: Sequence[tuple[str, Server]]) -> set[int]:
    """Which of the tellings of servers (the file that was read, the server) is the one that speaks of each server's list as a whole:
    the one with the most tools, then the one of the file that makes the server, then the first."""
    same: dict[Any, list[int]] = {}
    for number, (_, server) in enumerate(told):
        same.setdefault((server.name, server.path, server.place) if server.place else number, []).append(number)
    return {max(group, key=lambda each: (len(told[each][1].tools), told[each][0] == told[each][1].path)) for group in same.values()}


def add(found: dict[str, Told], report: Report, once: set[Any], *, whole: bool = True) -> None:
    """The findings of a report that are diagnostics, those on the list only where it is ``whole``. What is said of one place in the
    same words is said once (of a file that two servers share)."""
    ranges = Ranges(report.server)
    for finding in report.findings:
        on_list = finding.index is None and finding.rule not in COMMENTS
        if finding.default is not Default.ON or (on_list and not whole):
            continue
        place = ranges.of(finding.span)
        file = finding.span.file if finding.span is not None else report.server.path or ""
        key = (finding.rule, SEVERITY[finding.severity.value], *(place[0] if place else (0, 0)), *(place[1] if place else (0, 0)))
        placed = [(each, ranges.of(each.span)) for each in finding.related]
        beside = tuple((each.message, each.span and each.span.file, where) for each, where in placed if where)
        said = file, key, finding.message, beside
        if said not in once:
            once.add(said)
            found.setdefault(file, Counter())[key] += 1


def command_line(path: Path) -> Told:
    """What the command line finds in a file, but for ``apart``."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        cli.main(["mcp", "check", "--quality", "--format", "json", str(path)])
    found: Told = Counter()
    for server in json.loads(output.getvalue())["servers"]:
        for each in server["findings"]:
            if each["default"] == "on" and not apart(each["rule"]):
                place = each["range"]["start"], each["range"]["end"]
                found[(each["rule"], SEVERITY[each["severity"]], *(value for end in place for value in end.values()))] += 1
    return found


def session_line(reading_reports: Iterable[Report]) -> Told:
    """What a session found in a file, but for ``apart``."""
    own: dict[str, Told] = {}
    for report in reading_reports:
        add(own, report, set())
    found: Told = Counter()
    for each in own.values():
        found += Counter({key: count for key, count in each.items() if not apart(key[0])})
    return found


def apart(rule: str) -> bool:
    """Rules that are not compared with the command line: the walk counts no tokens, and what a comment is worth depends on which
    servers are looked at together."""
    found = all_rules().get(rule)
    return rule in COMMENTS or (found is not None and found.needs_costs)


def shape(server: Server) -> Any:
    """A server as it must be, however it was read: its tools with every place, and what is not known of it."""
    tools = [(repr(tool.wire), sorted(_spans(server, tool))) for tool in server.tools]
    return server.name, tools, [(each.index, each.path, each.why) for each in server.unresolved], sorted(server.sources)


def _spans(server: Server, tool: Tool) -> Iterable[tuple[str, int, int]]:
    for span in all_spans(tool):
        yield (span.file, *server.sources[span.file].resolve(span))
