"""Whether a schema allows a value: an answer, or none, whatever the schema is."""

from __future__ import annotations

from typing import Any

import pytest

from echolot_lsp.rules import _validation


class Panic(BaseException):
    """What the library under the validator raises where it is in too deep: no ``Exception``."""


def circle(keyword: str) -> dict[str, Any]:
    """A schema that leads back to itself without taking anything of the value."""
    return {"$defs": {"a": {keyword: {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}


@pytest.mark.parametrize("keyword", ["if", "not"])
def test_a_schema_that_goes_in_a_circle_has_no_answer(keyword: str) -> None:
    schema = circle(keyword)
    assert _validation.accepts(schema, {"a": 1}, schema) is None


def test_a_panic_of_the_library_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def panic() -> Any:
        raise Panic

    monkeypatch.setattr(_validation, "_validator", panic)
    assert _validation.accepts({"minLength": 7, "contentEncoding": "x"}, "abc-panic", {}) is None


def test_an_interruption_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(_validation, "_validator", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _validation.accepts({"minLength": 7, "contentEncoding": "x"}, "abc-interrupted", {})
