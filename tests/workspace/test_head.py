"""What git's HEAD has of a file, and that a repository's configuration runs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from echolot_lsp.workspace.head import declared, head_of
from tests.repository import Repository


def test_a_file_has_the_text_that_was_committed(repository: Repository) -> None:
    path = repository.commit("app.py", "# 岸壁\r\n")
    path.write_text("# changed\n", encoding="utf-8")
    head = head_of(str(path))
    assert head is not None
    assert head.text == "# 岸壁\r\n"


def test_a_file_of_a_folder_of_a_larger_repository_is_found_there(repository: Repository) -> None:
    repository.commit("app.py", "# not this one\n")
    path = repository.commit("services/quay side/app.py", "# this one\n")
    head = head_of(str(path))
    assert head is not None
    assert head.text == "# this one\n"


def test_a_second_worktree_has_its_own_head(repository: Repository) -> None:
    path = repository.commit("app.py", "# one\n")
    repository.git("worktree", "add", "-q", "-b", "other", "../other")
    repository.commit("app.py", "# two\n")
    there = head_of(str(repository.folder.parent / "other" / "app.py"))
    here = head_of(str(path))
    assert there is not None
    assert here is not None
    assert (there.text, here.text) == ("# one\n", "# two\n")


def test_head_has_nothing_of_a_new_file_and_nothing_before_the_first_commit(repository: Repository) -> None:
    path = repository.folder / "new.py"
    path.write_text("# new\n", encoding="utf-8")
    before = head_of(str(path))
    repository.commit("app.py", "# one\n")
    after = head_of(str(path), before)
    for head in (before, after):
        assert head is not None
        assert (head.blob, head.text) == (None, None)


def test_without_a_repository_or_without_git_there_is_no_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "app.py"
    path.write_text("# one\n", encoding="utf-8")
    assert head_of(str(path)) is None
    assert head_of(str(tmp_path / "nowhere" / "app.py")) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert head_of(str(path)) is None


def test_git_is_asked_again_only_where_head_may_have_moved(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repository.commit("app.py", "# one\n")
    first = head_of(str(path))
    search = os.environ["PATH"]
    monkeypatch.setenv("PATH", "")
    assert head_of(str(path), first) is first
    monkeypatch.setenv("PATH", search)
    repository.commit("other.py", "# elsewhere\n")
    second = head_of(str(path), first)
    assert first is not None
    assert second is not None
    assert second.mark != first.mark
    assert second.blob == first.blob
    repository.commit("app.py", "# two\n")
    third = head_of(str(path), second)
    assert third is not None
    assert third.text == "# two\n"
    repository.git("checkout", "-q", "HEAD~1")
    fourth = head_of(str(path), third)
    assert fourth is not None
    assert fourth.text == "# one\n"


def test_nothing_that_a_repository_names_is_run(repository: Repository) -> None:
    path = repository.commit("app.py", "# one\n")
    trace = repository.folder.parent / "trace"
    program = repository.folder / "program"
    program.write_text(f"#!/bin/sh\necho run >> {trace}\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    blob = repository.git("rev-parse", "HEAD:app.py").strip()
    for name, value in {
        "core.repositoryformatversion": "1",
        "core.fsmonitor": str(program),
        "core.pager": str(program),
        "core.sshCommand": str(program),
        "core.hooksPath": str(repository.folder),
        "filter.bad.smudge": str(program),
        "diff.bad.textconv": str(program),
        "alias.rev-parse": f"!{program}",
        "alias.cat-file": f"!{program}",
        "credential.helper": str(program),
        "extensions.partialClone": "far",
        "remote.far.promisor": "true",
        "remote.far.url": f"ext::{program} %S",
        "remote.far.uploadpack": str(program),
        "protocol.allow": "always",
    }.items():
        repository.git("config", name, value)
    (repository.folder / ".gitattributes").write_text("*.py filter=bad diff=bad\n", encoding="utf-8")
    head = head_of(str(path))
    assert head is not None
    assert head.text == "# one\n"
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    missing = head_of(str(path))
    assert missing is None or missing.text is None
    assert not trace.exists()


def test_a_text_that_is_too_large_is_not_taken(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repository.commit("app.py", "# one and more\n")
    monkeypatch.setattr("echolot_lsp.workspace.head.MOST_BYTES", 5)
    head = head_of(str(path))
    assert head is not None
    assert head.text is None


def test_variables_that_name_another_repository_are_not_followed(repository: Repository, tmp_path: Path) -> None:
    path = repository.commit("app.py", "# one\n")
    code = "import sys; from echolot_lsp.workspace.head import head_of; print(head_of(sys.argv[1]).text)"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, "GIT_DIR": str(tmp_path / "nowhere")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == "# one"


def test_what_a_text_declares_is_read_with_the_other_files_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text("from typing import Literal\n\nKind = Literal['ore', 'grain']\n", encoding="utf-8")
    path = tmp_path / "app.py"
    text = "from mcp.server.fastmcp import FastMCP\nfrom kinds import Kind\n\nmcp = FastMCP('quay')\n\n\n@mcp.tool()\ndef stow(kind: Kind): ...\n"
    how = {"kind": "python", "environment": None, "framework": None, "python": None, "roots": [str(tmp_path)]}
    (server,) = declared(str(path), {str(path): text}, how)
    assert server["name"] == "quay"
    assert server["tools"][0]["inputSchema"]["properties"]["kind"]["enum"] == ["ore", "grain"]
    listed = '{"tools": [{"name": "stow", "inputSchema": {}}]}'
    (server,) = declared("/quay/tools.json", {"/quay/tools.json": listed}, {"kind": "json"})
    assert server["tools"] == [{"name": "stow", "inputSchema": {}}]
