"""The script that makes the vocabulary files: it takes only the packages that it names, and says where each file comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.tokens import build_vocabularies


def test_a_package_that_is_not_the_one_named_is_refused(tmp_path: Path) -> None:
    for name in build_vocabularies.PACKAGES:
        (tmp_path / name).write_bytes(b"another package")
    with pytest.raises(ValueError, match="is not the package that is named here"):
        build_vocabularies.main(tmp_path)


def test_the_note_of_origin_is_the_scripts_own() -> None:
    packed = {file.name: file.read_bytes() for file in sorted(build_vocabularies.DATA.glob("*.gz"))}
    assert (build_vocabularies.DATA / "ORIGIN.md").read_text(encoding="utf-8") == build_vocabularies._origin(packed)


def test_the_notice_names_every_file_that_is_shipped() -> None:
    notice = (Path(__file__).parents[2] / "NOTICE").read_text(encoding="utf-8")
    for file in build_vocabularies.DATA.glob("*.gz"):
        assert f"echolot_lsp/tokens/data/{file.name}" in notice
