"""What every test has in common: no network by accident of the environment, and property tests that repeat themselves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.repository import Repository

settings.register_profile("echolot", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("echolot")


# the environment that runs the tests is not the one that the servers in them run on; programs that tests start inherit this
for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(name, None)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see neither the developer's colours nor their keys."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A fresh git repository."""
    return Repository(tmp_path / "depot")
