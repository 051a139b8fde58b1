"""A short random walk; tests/model/run.sh takes the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.desk import run
from tests.model.walk import Walk


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_published_is_what_a_fresh_reading_says(tmp_path: Path, seed: int) -> None:
    async def work() -> None:
        walk = Walk(tmp_path, seed)
        for _ in range(100):
            await walk.step()
        await walk.compare_with_command_line()
        assert walk.compared > 50

    run(work())
