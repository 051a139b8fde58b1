"""Which files below a folder are looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from echolot_lsp.workspace import walk as walking
from echolot_lsp.workspace.walk import head, walk


def names(folder: Path) -> list[str]:
    """The candidates below a folder, relative to it."""
    return [os.path.relpath(candidate.path, folder) for candidate in walk(str(folder))]


def make(folder: Path, *files: str) -> None:
    """Empty files with their folders."""
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()


def test_python_and_json_files_are_candidates_in_the_order_of_their_names(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a.json", "c/d.jsonl", "c/e.PY", "readme.md", "b/x.jsonc", "z.py")
    assert names(tmp_path) == ["a.json", "b.py", "z.py", "b/x.jsonc", "c/d.jsonl", "c/e.PY"]


def test_what_is_nobodys_source_is_skipped(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.json", "node_modules/a/a.json", "__pycache__/a.py", ".hidden/a.py", "app.py")
    make(tmp_path, "env/pyvenv.cfg", "env/a.py", "env/lib/b.py", "lib/site-packages/x/a.py")
    assert names(tmp_path) == ["app.py"]


def test_a_folder_that_is_named_is_walked_whatever_it_is(tmp_path: Path) -> None:
    make(tmp_path, ".venv/pyvenv.cfg", ".venv/a.py")
    assert names(tmp_path / ".venv") == ["a.py"]


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "real/a.py")
    (tmp_path / "real" / "round").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "real")
    (tmp_path / "b.py").symlink_to(tmp_path / "real" / "a.py")
    assert names(tmp_path) == ["real/a.py"]


def test_special_files_are_no_candidates(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.py").mkdir()
    assert names(tmp_path) == []


def test_a_large_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "LARGEST", 3)
    (tmp_path / "small").write_bytes(b"abc")
    (tmp_path / "large").write_bytes(b"abcd")
    assert head(str(tmp_path / "small")) == b"abc"
    assert head(str(tmp_path / "large")) is None
    assert head(str(tmp_path / "absent")) is None
