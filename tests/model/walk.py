"""A random walk through what an editor may do to a workspace: after every step, what is published is what a fresh reading says.

``Walk`` edits, breaks, opens, closes, saves, renames and deletes files in two roots, writes settings and lock files, checks out other
branches, and compares at rest: the findings of every file with those of a fresh extraction and check of the same texts, the tools and
all their spans with those of the fresh extraction, and now and then with the command line's own answer on a copy of the workspace.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from echolot_lsp import config
from echolot_lsp.config.apply import apply_all
from echolot_lsp.lsp.reading import kind_of
from echolot_lsp.model import Report
from echolot_lsp.workspace.importers import server_files
from tests.lsp.desk import Desk
from tests.model import fresh
from tests.model.texts import EDITOR, SCRIBBLES, text_of

FILES = ["app.py", "tools.py", "list.json", "more.json", "place.py", "limits.py"]
PACKAGE = ["depot/__init__.py", "depot/app.py", "depot/tools.py", "depot/place.py", "depot/limits.py"]
BRANCH = 150
"""Files that another branch has beside the known ones."""


class Walk:
    """One walk, reproducible from its seed. Files are named ``ROOT/NAME``."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder / "work"
        self.roots = [self.folder / "one", self.folder / "two"]
        for root in self.roots:
            (root / "depot").mkdir(parents=True)
        self.scratch = folder / "copy"
        self.random = random.Random(seed)
        self.desk = Desk(self.folder)
        self.desk.session.roots = tuple(str(root) for root in self.roots)
        self.names = [f"one/{name}" for name in (*FILES, *PACKAGE)] + [f"two/{name}" for name in FILES[:-1]]
        self.behind = ["one/echolot.toml", "one/uv.lock", "two/echolot.toml", "two/uv.lock"]
        """Files that bear on others and are not opened."""
        self.open: dict[str, str] = {}
        self.versions: Counter[str] = Counter()
        self.editor: Mapping[str, Any] = {}
        self.done: list[str] = []
        self.taken: Counter[str] = Counter()
        """How often each kind of step was taken."""
        self.compared = 0
        self.found: dict[str, frozenset[str]] = {}
        """Server files on the disk, with what they import."""
        self.moved_on = True
        """The disk is not what it was when it was searched."""
        self.fresh = fresh.Fresh(self.roots)

    async def step(self) -> None:
        """Does one thing, and compares."""
        steps = {
            self.edit: 320,
            self.scribble: 260,
            self.open_one: 130,
            self.close_one: 60,
            self.write: 80,
            self.save: 40,
            self.rename: 25,
            self.rename_folder: 5,
            self.delete: 25,
            self.settings: 35,
            self.check_out: 10,
            self.folders: 5,
        }
        choice = self.random.choices(list(steps), list(steps.values()))[0]
        self.taken[choice.__name__] += 1
        choice()
        self.search()
        await self.desk.session.at_rest()
        self.compare()

    # What may be done

    def edit(self) -> None:
        if self.open:
            name = self.random.choice(sorted(self.open))
            self.change(name, text_of(name, self.random))

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
        self.show(self.random.choice(self.names))

    def close_one(self) -> None:
        if self.open:
            self.hide(self.random.choice(sorted(self.open)))

    def write(self) -> None:
        name = self.random.choice(self.names)
        self.put(name)
        self.changed(name)

    def save(self) -> None:
        for name in sorted(self.open):
            self.put(name, self.open[name])
        self.changed(*self.open)

    def rename(self) -> None:
        """A file gets another name, and mostly its own back. What is open of it is closed and opened by the editor."""
        name = self.random.choice(self.names)
        path, there = self.folder / name, (self.folder / name).with_name("old_" + Path(name).name)
        if path.exists():
            was_open = self.hide(name)
            self.move(path, there)
            if self.random.random() < 0.7:
                self.move(there, path)
                if was_open:
                    self.show(name)

    def rename_folder(self) -> None:
        for name in [name for name in self.open if name.startswith("one/depot/")]:
            self.hide(name)
        folder = self.folder / "one/depot"
        self.move(folder, folder.with_name("shed"))
        self.move(folder.with_name("shed"), folder)

    def delete(self) -> None:
        gone = [self.folder / self.random.choice(self.names), *self.folder.rglob("old_*")]
        for path in gone:
            path.unlink(missing_ok=True)
        self.changed(*(path.relative_to(self.folder).as_posix() for path in gone))

    def settings(self) -> None:
        if self.random.random() < 0.3:
            self.editor = self.random.choice(EDITOR)
            self.note(f"editor {self.editor}")
            self.desk.session.set_settings(self.editor)
        else:
            name = self.random.choice(self.behind)
            self.put(name)
            self.changed(name)

    def check_out(self) -> None:
        """Another branch: hundreds of files at once, some of them known. Open texts that were not edited are read anew by the editor."""
        there = self.folder / "one/branch"
        branch = [f"one/branch/m{number}.py" for number in range(BRANCH)]
        if there.exists():
            shutil.rmtree(there)
        else:
            there.mkdir()
            for name in branch:
                (self.folder / name).write_text(f"NUMBER = {len(name)}\n", encoding="utf-8")
        known = self.random.sample([*self.names, *self.behind], 8)
        for name in known:
            if name in self.open and self.text(name) == self.open[name]:
                self.put(name)
                self.change(name, self.text(name) or "")
            elif self.random.random() < 0.2:
                (self.folder / name).unlink(missing_ok=True)
            else:
                self.put(name)
        self.changed(*known, *branch)

    def folders(self) -> None:
        """A root leaves the workspace and comes back."""
        self.note("a root leaves and comes back")
        self.moved_on = True
        self.desk.session.set_roots([str(self.roots[1])])
        self.desk.session.set_roots([str(root) for root in self.roots])

    # How it is done

    def note(self, what: str) -> None:
        self.done = [*self.done[-11:], what]

    def text(self, name: str) -> str | None:
        """What the disk has."""
        path = self.folder / name
        return path.read_bytes().decode() if path.exists() else None

    def show(self, name: str) -> None:
        if name not in self.open:
            known = self.text(name)
            self.open[name] = text = text_of(name, self.random) if known is None else known
            self.versions[name] += 1
            self.note(f"open {name}: {text!r}")
            self.desk.session.open(self.desk.uri(name), kind_of(name), self.versions[name], text)

    def hide(self, name: str) -> bool:
        if name not in self.open:
            return False
        del self.open[name]
        self.note(f"close {name}")
        self.desk.session.close(self.desk.uri(name))
        return True

    def change(self, name: str, text: str) -> None:
        self.open[name] = text
        self.versions[name] += 1
        self.note(f"change {name}: {text!r}")
        self.desk.session.change(self.desk.uri(name), self.versions[name], text)

    def search(self) -> None:
        """Looks for servers where something changed on the disk, as the server's child does."""
        if self.moved_on:
            self.moved_on = False
            self.found = {}
            for root in self.roots:
                found = {each.path: each.imports for each in server_files(str(root))}
                self.desk.session.found(str(root), found)
                self.found |= found

    def put(self, name: str, text: str | None = None) -> None:
        text = text_of(name, self.random) if text is None else text
        self.note(f"write {name}: {text!r}")
        (self.folder / name).write_text(text, encoding="utf-8", newline="")

    def move(self, path: Path, there: Path) -> None:
        self.moved_on = True
        path.rename(there)
        self.note(f"rename {path.name} to {there.name}")
        self.desk.session.renamed(str(path), str(there))

    def changed(self, *names: str) -> None:
        self.moved_on = True
        self.desk.session.files_changed([str(self.folder / name) for name in names])

    # What must hold

    def compare(self) -> None:
        """What is published is what a fresh reading says, wherever nothing is half typed."""
        session = self.desk.session
        buffers = {str(self.folder / name): text for name, text in self.open.items()}
        texts = {name: self.open.get(name, self.text(name)) for name in (*self.names, *self.behind)}
        if not set(buffers) <= set(session.readings):
            self.fail("readings", sorted(session.readings), sorted(buffers))
        self.taken["(servers found beside)"] += len(session.readings.keys() & self.found.keys() - buffers.keys())
        half_typed = {file for reading in session.readings.values() for file in reading.moved}
        told = {path: fresh.told(items) for path, items in session.published().items()}
        expected: dict[str, fresh.Told] = {}
        once: set[Any] = set()
        found: list[tuple[str, Report, config.Settings]] = []
        for path, reading in sorted(session.readings.items()):
            if kind_of(path) == "settings" or half_typed & {*reading.sources, path} or session.broken(path):
                half_typed |= {*reading.sources, path}
                continue
            root = Path(path).relative_to(self.folder).parts[0]
            code = tuple(text for name, text in texts.items() if name.startswith(root) and name.endswith((".py", ".lock")))
            servers = self.fresh.servers(path, buffers, code)
            mine, theirs = [fresh.shape(each) for each in reading.servers], [fresh.shape(each) for each in servers]
            if mine != theirs:
                self.fail(path, mine, theirs)
            settings = repr(self.editor), texts[f"{root}/echolot.toml"]
            found += [(path, *each) for each in self.fresh.reports(path, servers, buffers, self.editor, settings)]
        settings_of = {id(report.server): settings for _, report, settings in found}
        reports = apply_all([report for _, report, _ in found], lambda server: settings_of[id(server)])
        fullest = fresh.fullest([(path, report.server) for path, report, _ in found])
        for number, report in enumerate(reports):
            fresh.add(expected, report, once, whole=number in fullest)
        for path in {*told, *expected} - half_typed:
            if told.get(path, Counter()) != expected.get(path, Counter()):
                self.fail(path, told.get(path), expected.get(path))
            self.compared += 1
        for path, text in buffers.items():
            _inside(told.get(path, Counter()), text)

    async def compare_with_command_line(self) -> None:
        """The command line, on a copy of what the editor shows, finds the same: in every file without half-typed code."""
        session = self.desk.session
        session.set_settings({})  # the command line knows nothing of the editor's
        self.editor = {}
        await session.at_rest()
        self.compare()
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.folder, self.scratch)
        for name, text in self.open.items():
            (self.scratch / name).write_text(text, encoding="utf-8", newline="")
        tellings = Counter(server.name for reading in session.readings.values() for server in reading.servers)
        for path, reading in session.readings.items():
            if reading.moved or session.broken(path) or not reading.servers:
                continue
            if any(tellings[server.name] > 1 for server in reading.servers):
                continue  # of what several files tell, the command line is asked for one
            mine = fresh.session_line(reading.reports)
            theirs = fresh.command_line(self.scratch / Path(path).relative_to(self.folder))
            if mine != theirs:
                self.fail(path, mine, theirs)

    def fail(self, path: str, told: Any, expected: Any) -> None:
        """Says what differs and how it came to that."""
        steps = "\n".join(self.done)
        raise AssertionError(f"{path}\ntold: {told}\nexpected: {expected}\nlast steps:\n{steps}")


def _inside(told: fresh.Told, text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for _, _, line, character, last_line, last_character in told:
        assert 0 <= line <= last_line < len(lines)
        assert character <= len(lines[line].encode("utf-16-le")) // 2
        assert last_character <= len(lines[last_line].encode("utf-16-le")) // 2
