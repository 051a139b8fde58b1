"""A random walk through what an editor may do to a workspace: after every step, what is published is what a fresh reading says.

``walk`` edits, breaks, opens, closes, saves, renames and deletes files, writes settings, and compares at rest: the findings of every
file with those of a fresh extraction and check of the same texts, the tools and all their spans with those of the fresh extraction,
and now and then with the command line's own answer on a copy of the workspace.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from echolot_lsp import cli, config
from echolot_lsp.check import check
from echolot_lsp.config.apply import apply_all, running
from echolot_lsp.extract.json import extract_json
from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk
from echolot_lsp.lsp.reading import kind_of
from echolot_lsp.model import Default, Report, Server, Tool, all_spans
from echolot_lsp.render.ranges import Ranges
from echolot_lsp.rules import all_rules
from tests.lsp.desk import Desk

Told = Counter[tuple[Any, ...]]
"""Findings of one file: rule, severity and range each, with how often."""

SEVERITY = {"problem": 1, "warning": 2, "note": 3}
NAMES = ["find_parcel", "find parcel", "close_depot", "closeDepot", "list_vans", "van_2", "倉庫を開く", "open_depot"]
DOCS = [
    '"""Looks a parcel up by its number and says where it was seen last."""',
    '"""荷物📦を番号で探し、最後に見られた場所を返します。"""',
    '"""Find parcel."""',
    "",
    '"""Lists the vans that are out, with their drivers and the parcels in them."""',
    '"""Opens the gate.\n\n    Args:\n        number: As printed on the parcel, such as P-1042.\n    """',
]
PARAMETERS = [
    "",
    "number: str",
    "number",
    "limit: int = 10",
    "options: dict = {}",
    "place: Place",
    'note: str | None = None, 品="📦"',
]
PLACES = [
    "from pydantic import BaseModel, Field\n\n\nclass Place(BaseModel):\n    street: str\n    town: str = 'Köln 🏙️'\n",
    "from pydantic import BaseModel, Field\n\n\nclass Place(BaseModel):\n    street: str = Field(description='With number.')\n",
    "from typing import TypedDict\n\n\nclass Place(TypedDict):\n    street: int\n",
]
SETTINGS = [
    "",
    'ignore = ["param-no-description"]\n',
    '[severity]\nno-description = "note"\n',
    '[default]\nparam-no-type = "report"\n',
    'context-window = "many"\n',
    '[[ignored]]\ntool = "find_*"\n',
]
EDITOR = [{}, {"ignore": ["no-description"]}, {"severity": {"param-no-description": "note"}}]
SCRIBBLES = ["(", ")", '"', "\n", "x", "#", "🙂", "    ", "\r\n", ",", "def f(", "  # echolot: ignore[no-description]"]


class Walk:
    """One walk, reproducible from its seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.scratch = folder / "copy"
        self.random = random.Random(seed)
        self.desk = Desk(self.folder)
        self.open: dict[str, str] = {}
        self.versions: Counter[str] = Counter()
        self.editor: Mapping[str, Any] = {}
        self.done: list[str] = []
        self.compared = 0
        self._fresh: dict[Any, list[Server]] = {}

    async def step(self) -> None:
        """Does one thing, and compares."""
        choice = self.random.choices(
            [
                self.edit,
                self.scribble,
                self.open_one,
                self.close_one,
                self.write,
                self.save,
                self.rename,
                self.delete,
                self.settings,
            ],
            [34, 26, 12, 6, 8, 4, 3, 3, 4],
        )[0]
        choice()
        await self.desk.session.at_rest()
        self.compare()

    # What may be done

    def names(self) -> list[str]:
        return ["app.py", "tools.py", "list.json", "more.json", "place.py"]

    def edit(self) -> None:
        if self.open:
            name = self.random.choice(sorted(self.open))
            self.change(name, self.text(name))

    def scribble(self) -> None:
        """A few characters anywhere, as one types or deletes them; mostly undone soon after, as people do."""
        if not self.open:
            return
        name = self.random.choice(sorted(self.open))
        before = text = self.open[name]
        for _ in range(self.random.randint(1, 3)):
            start = self.random.randint(0, len(text))
            end = min(len(text), start + self.random.choice([0, 0, 0, 1, 3]))
            text = text[:start] + self.random.choice(["", *SCRIBBLES]) + text[end:]
            self.change(name, text)
        if self.random.random() < 0.6:
            self.change(name, before)

    def open_one(self) -> None:
        name = self.random.choice(self.names())
        if name not in self.open:
            path = self.folder / name
            text = path.read_bytes().decode() if path.exists() else self.text(name)
            self.open[name] = text
            self.versions[name] += 1
            self.note(f"open {name}")
            self.desk.session.open(self.desk.uri(name), kind_of(name), self.versions[name], text)

    def close_one(self) -> None:
        if self.open:
            name = self.random.choice(sorted(self.open))
            del self.open[name]
            self.note(f"close {name}")
            self.desk.session.close(self.desk.uri(name))

    def write(self) -> None:
        name = self.random.choice(self.names())
        self.put(name, self.text(name))
        self.changed(name)

    def save(self) -> None:
        for name in sorted(self.open):
            self.put(name, self.open[name])
        self.changed(*self.open)

    def rename(self) -> None:
        name = self.random.choice(self.names())
        path = self.folder / name
        if path.exists() and name not in self.open:
            there = self.folder / f"old_{name}"
            path.rename(there)
            self.note(f"rename {name}")
            self.desk.session.renamed(str(path), str(there))
            if self.random.random() < 0.7:
                there.rename(path)
                self.desk.session.renamed(str(there), str(path))

    def delete(self) -> None:
        for path in [self.folder / self.random.choice(self.names()), *self.folder.glob("old_*")]:
            if path.exists():
                path.unlink()
                self.changed(path.name)

    def settings(self) -> None:
        if self.random.random() < 0.3:
            self.editor = self.random.choice(EDITOR)
            self.note(f"editor {self.editor}")
            self.desk.session.set_settings(self.editor)
        else:
            self.put("echolot.toml", self.random.choice(SETTINGS))
            self.changed("echolot.toml")

    # How it is done

    def note(self, what: str) -> None:
        self.done = [*self.done[-11:], what]

    def change(self, name: str, text: str) -> None:
        self.open[name] = text
        self.versions[name] += 1
        self.note(f"change {name}: {text!r}")
        self.desk.session.change(self.desk.uri(name), self.versions[name], text)

    def put(self, name: str, text: str) -> None:
        self.note(f"write {name}: {text!r}")
        (self.folder / name).write_text(text, encoding="utf-8", newline="")

    def changed(self, *names: str) -> None:
        self.desk.session.files_changed([str(self.folder / name) for name in names])

    def text(self, name: str) -> str:
        if name == "place.py":
            return self.random.choice(PLACES)
        if name.endswith(".json"):
            return self.list()
        imports = "from place import Place\n" if self.random.random() < 0.7 else ""
        text = f'from mcp.server.fastmcp import FastMCP\n{imports}\nmcp = FastMCP("{name}")\n'
        for _ in range(self.random.randint(0, 3)):
            title, doc = self.random.choice(NAMES), self.random.choice(DOCS)
            function = title.replace(" ", "_")
            text += f'\n\n@mcp.tool(name="{title}")\ndef {function}({self.random.choice(PARAMETERS)}) -> str:\n    {doc}\n    return ""\n'
        return text.replace("\n", "\r\n") if self.random.random() < 0.2 else text

    def list(self) -> str:
        tools: list[Any] = []
        for _ in range(self.random.randint(0, 4)):
            tool: dict[str, Any] = {"name": self.random.choice(NAMES), "inputSchema": {"type": "object"}}
            if self.random.random() < 0.7:
                tool["description"] = self.random.choice(DOCS).strip('"')
            if self.random.random() < 0.7:
                tool["inputSchema"]["properties"] = {"品📦": {"type": "string"}, "number": {}}
            tools.append(tool)
        return json.dumps({"tools": tools}, ensure_ascii=False, indent=self.random.choice([None, 2]))

    # What must hold

    def compare(self) -> None:
        """What is published is what a fresh reading says, wherever nothing is half typed."""
        session = self.desk.session
        buffers = {str(self.folder / name): text for name, text in self.open.items()}
        half_typed = {file for reading in session.readings.values() for file in reading.moved}
        told = {path: _told(items) for path, items in session.published().items()}
        expected: dict[str, Told] = {}
        once: set[Any] = set()
        found: list[tuple[Report, config.Settings]] = []
        for path, reading in sorted(session.readings.items()):
            if kind_of(path) == "settings" or half_typed & {*reading.sources, path} or session.broken(path):
                half_typed |= {*reading.sources, path}
                continue
            servers = self.fresh(path, buffers)
            _same_servers(reading.servers, servers, self)
            found += self.reports(path, servers, buffers)
        settings_of = {id(report.server): settings for report, settings in found}
        for report in apply_all([report for report, _ in found], lambda server: settings_of[id(server)]):
            _add(expected, report, once)
        for path in {*told, *expected} - half_typed:
            if told.get(path, Counter()) != expected.get(path, Counter()):
                self.fail(path, told.get(path), expected.get(path))
            self.compared += 1
        for path, text in buffers.items():
            _inside(told.get(path, Counter()), text)

    def fresh(self, path: str, buffers: Mapping[str, str]) -> list[Server]:
        """The servers of a file, read with nothing known before. Texts that were read so already are not read again."""
        texts = {name: self.open.get(name, _read(self.folder / name)) for name in self.names()}
        key = (path, Disk(buffers).text(path), tuple(texts.items()) if path.endswith(".py") else ())
        if key not in self._fresh:
            files = Disk(buffers)
            text = files.text(path)
            if text is None:
                found = []
            elif path.endswith(".json"):
                found = list(extract_json(path, text).servers)
            else:
                found = list(extract_python(path, files, roots=(str(self.folder),)).servers) if "mcp" in text else []
            if len(self._fresh) > 500:
                self._fresh.clear()
            self._fresh[key] = found
        return self._fresh[key]

    def reports(self, path: str, servers: list[Server], buffers: Mapping[str, str]) -> list[tuple[Report, config.Settings]]:
        layer, _ = config.from_mapping(self.editor)
        settings = config.merge(config.load(path, Disk(buffers)).layer, layer)
        rules = running(all_rules().values(), settings)
        return [(check(server, rules=rules), settings) for server in servers]

    def compare_with_command_line(self) -> None:
        """The command line, on a copy of what the editor shows, finds the same: in every file without half-typed code."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.folder, self.scratch)
        for name, text in self.open.items():
            (self.scratch / name).write_text(text, encoding="utf-8", newline="")
        if self.editor:
            return
        session = self.desk.session
        for path, reading in session.readings.items():
            if reading.moved or session.broken(path) or not reading.servers:
                continue
            answer = _command_line(self.scratch / Path(path).name)
            found: Told = Counter()
            for server in answer["servers"]:
                for each in server["findings"]:
                    if each["default"] == "on" and not _apart(each["rule"]):
                        place = each["range"]["start"], each["range"]["end"]
                        found[(each["rule"], SEVERITY[each["severity"]], *(value for end in place for value in end.values()))] += 1
            own: dict[str, Told] = {}
            for report in reading.reports:
                _add(own, report, set())
            total = Counter({key: count for told in own.values() for key, count in told.items() if not _apart(key[0])})
            if total != found:
                self.fail(path, total, found)

    def fail(self, path: str, told: Any, expected: Any) -> None:
        """Says what differs and how it came to that."""
        steps = "\n".join(self.done)
        raise AssertionError(f"{path}\ntold: {told}\nexpected: {expected}\nlast steps:\n{steps}")


def _apart(rule: str) -> bool:
    """Rules that the walk does not compare: it counts no tokens, and a comment's use depends on which servers are looked at."""
    found = all_rules().get(rule)
    return rule == "unused-ignore" or (found is not None and found.needs_costs)


def _command_line(path: Path) -> Any:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        cli.main(["mcp", "check", "--quality", "--format", "json", str(path)])
    return json.loads(output.getvalue())


def _read(path: Path) -> str | None:
    return path.read_bytes().decode() if path.exists() else None


def _told(items: str) -> Told:
    found: Told = Counter()
    for item in json.loads(items):
        ends = item["range"]["start"], item["range"]["end"]
        found[(item["code"], item["severity"], *(value for end in ends for value in (end["line"], end["character"])))] += 1
    return found


def _add(found: dict[str, Told], report: Report, once: set[Any]) -> None:
    """The findings of a report that are diagnostics, placed by the command line's own ranges. What is said of one place in the same
    words is said once (of a file that two servers share)."""
    ranges = Ranges(report.server)
    for finding in report.findings:
        if finding.default is not Default.ON:
            continue
        place = ranges.of(finding.span)
        file = finding.span.file if finding.span is not None else report.server.path or ""
        key = (finding.rule, SEVERITY[finding.severity.value], *(place[0] if place else (0, 0)), *(place[1] if place else (0, 0)))
        said = file, key, finding.message, tuple(each.message for each in finding.related)
        if said not in once:
            once.add(said)
            found.setdefault(file, Counter())[key] += 1


def _inside(told: Told, text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for _, _, line, character, last_line, last_character in told:
        assert 0 <= line <= last_line < len(lines)
        assert character <= len(lines[line].encode("utf-16-le")) // 2
        assert last_character <= len(lines[last_line].encode("utf-16-le")) // 2


def _same_servers(known: Iterable[Server], fresh: Iterable[Server], walk: Walk) -> None:
    """Reading again what changed gives the tools, and the places, that reading everything gives."""
    mine, theirs = [_server(each) for each in known], [_server(each) for each in fresh]
    if mine != theirs:
        walk.fail("servers", mine, theirs)


def _server(server: Server) -> Any:
    tools = [(repr(tool.wire), sorted(_spans(server, tool))) for tool in server.tools]
    return server.name, tools, [(each.index, each.path, each.why) for each in server.unresolved]


def _spans(server: Server, tool: Tool) -> Iterable[tuple[str, int, int]]:
    for span in all_spans(tool):
        yield (span.file, *server.sources[span.file].resolve(span))
