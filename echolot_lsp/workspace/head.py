"""A file as git's HEAD has it: which blob, its text, and (in a child process) the tools that it would declare.

Nothing that a repository's configuration names is run: only ``rev-parse`` and ``cat-file`` are asked, which read no index and apply no
filter; hooks, monitors and pagers are switched off all the same, and no missing object is fetched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from echolot_lsp.files import Disk, decode
from echolot_lsp.model import is_known

GIT_SECONDS = 5.0
MOST_BYTES = 4_000_000
_SETTINGS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.pager=cat"),
    *("-c", "safe.bareRepository=explicit"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
_ABOUT_OTHERS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE")
"""Variables that would point git at another repository (a hook that starts an editor sets them)."""
_MOVES = ("HEAD", os.path.join("logs", "HEAD"), "packed-refs", os.path.join("reftable", "tables.list"))
"""Files of which one changes when HEAD moves, beside the branch's own."""


@dataclass(frozen=True, slots=True)
class Head:
    """A file at HEAD. ``mark`` changes whenever HEAD may have moved; without ``blob`` HEAD does not have the file."""

    folders: tuple[str, ...]
    """Where the repository keeps HEAD and its branches."""
    mark: object
    blob: str | None = None
    text: str | None = None


def head_of(path: str, known: Head | None = None) -> Head | None:
    """A file at HEAD; ``None`` where there is no git or no repository. ``known`` is what was found last: git is asked only where HEAD
    may have moved since. Takes milliseconds: not for an event loop."""
    if known is not None and mark(known.folders) == known.mark:
        return known
    folder, name = os.path.split(path)
    folders = (
        known.folders
        if known is not None
        else tuple(
            (_git(folder, "rev-parse", "--absolute-git-dir", "--git-common-dir") or b"")
            .decode("utf-8", "surrogateescape")
            .splitlines()
        )
    )
    if len(folders) < 2:
        return None
    folders = tuple(os.path.join(folder, each) for each in folders)
    now = mark(folders)
    answer = _git(folder, "rev-parse", "--verify", "--quiet", f"HEAD:./{name}")
    blob = None if answer is None else answer.decode("ascii", "replace").strip()
    if known is not None and blob == known.blob:
        return Head(folders, now, blob, known.text)
    return Head(folders, now, blob, None if blob is None else _text(folder, blob))


def mark(folders: Sequence[str]) -> object:
    """What is otherwise when HEAD may have moved: the times and sizes of the files that say where it is."""
    return tuple(_stat(os.path.join(folder, name)) for folder in folders for name in (*_MOVES, _branch(folders[0])))


def _branch(folder: str) -> str:
    """The file of the branch that HEAD names, below the folder of the branches."""
    try:
        with open(os.path.join(folder, "HEAD"), encoding="utf-8", errors="replace") as file:
            name = file.read(4096)
    except OSError:
        return "HEAD"
    reference = name.removeprefix("ref:").strip()
    return reference if name.startswith("ref:") and ".." not in reference and not os.path.isabs(reference) else "HEAD"


def _stat(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _text(folder: str, blob: str) -> str | None:
    size = _git(folder, "cat-file", "-s", blob)
    if size is None or not size.strip().isdigit() or int(size) > MOST_BYTES:
        return None
    data = _git(folder, "cat-file", "blob", blob)
    return None if data is None else decode(data)


def _git(folder: str, *arguments: str) -> bytes | None:
    """What git says; ``None`` where there is none, it refuses, or it takes too long."""
    program = shutil.which("git")
    if program is None or not os.path.isabs(program) or not os.path.isdir(folder):
        return None
    environment = {name: value for name, value in os.environ.items() if name not in _ABOUT_OTHERS}
    try:
        done = subprocess.run(
            [program, "--no-pager", *_SETTINGS, *arguments],
            cwd=folder,
            env={**environment, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def declared(path: str, buffers: Mapping[str, str], how: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The servers of a file: ``name`` and ``tools``, those that are known whole. ``how``: ``kind`` (python, json), and for Python the
    arguments of ``extract_python``."""
    if how["kind"] == "json":
        from echolot_lsp.extract.json import extract_json

        servers = extract_json(path, Disk(buffers).text(path) or "").servers
    else:
        from echolot_lsp.extract.python import extract_python

        options = {name: how[name] for name in ("environment", "framework", "python", "roots")}
        servers = extract_python(path, Disk(buffers), **options).servers
    return [{"name": each.name, "tools": [dict(tool.wire) for tool in each.tools if is_known(tool.wire)]} for each in servers]


def main() -> None:
    """The child: a JSON object with the arguments of ``declared`` on standard input, its answer on standard output."""
    if hasattr(os, "nice"):
        os.nice(10)
    asked = json.loads(sys.stdin.buffer.read())
    answer = declared(asked["path"], asked["buffers"], asked["how"])
    sys.stdout.buffer.write(json.dumps(answer).encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
