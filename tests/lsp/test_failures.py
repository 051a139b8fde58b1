"""What fails inside is logged and survived: the others are heard, and the next change finds everything in order."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from echolot_lsp.lsp import analysis
from echolot_lsp.lsp.publishing import Publishing
from tests.lsp.desk import PYTHON, Desk, codes, json_text, run


def fails(*arguments: Any, **options: Any) -> Any:
    raise RuntimeError("a fault of ours")


def test_a_file_that_cannot_be_mended_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        monkeypatch.setattr(analysis, "mend", fails)
        assert codes(await desk.open("tools.json", json_text())) == ["no-description"]
        assert "py-unannotated" in codes(await desk.open("server.py", PYTHON))

    with caplog.at_level(logging.ERROR):
        run(work())
    assert "a fault of ours" in caplog.text


def test_findings_are_told_where_settings_cannot_be_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        monkeypatch.setattr("echolot_lsp.config.apply.apply_all", fails)
        assert "no-description" in codes(await desk.open("tools.json", json_text()))

    with caplog.at_level(logging.ERROR):
        run(work())
    assert "a fault of ours" in caplog.text


def test_a_file_that_cannot_be_read_keeps_what_was_known_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        before = await desk.open("tools.json", json_text())
        monkeypatch.setattr(analysis.Analyser, "_read", fails)
        assert await desk.change("tools.json", json_text() + " ", 2) == before

    with caplog.at_level(logging.ERROR):
        run(work())
    assert "a fault of ours" in caplog.text


def test_after_a_job_that_failed_the_next_one_misses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("tools.json", "{}")
        with monkeypatch.context() as broken:
            broken.setattr(Publishing, "write", fails)
            assert await desk.change("tools.json", json_text(), 2) == []
        await desk.open("other.json", "{}")
        assert codes(desk.told("tools.json")) == ["no-description"]

    with caplog.at_level(logging.ERROR):
        run(work())
    assert "a fault of ours" in caplog.text


def test_a_count_that_failed_is_tried_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        count, asked = desk.tally.costs, 0

        async def fails_first(*arguments: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked == 1:
                raise RuntimeError("a fault of ours")
            return await count(*arguments)

        monkeypatch.setattr(desk.tally, "costs", fails_first)
        await desk.open("tools.json", json_text())
        (shown,) = desk.session.servers(desk.uri("tools.json"))
        assert shown.report.costs
        monkeypatch.setattr(desk.tally, "costs", fails)
        await desk.change("tools.json", json_text().replace("seen last", "seen first"), 2)

    with caplog.at_level(logging.ERROR):
        run(work())
    assert caplog.text.count("could not be counted") == 3
