"""Where rules are named, their names are offered; nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from echolot_lsp.config import every_rule
from echolot_lsp.lsp.completion import completion
from echolot_lsp.lsp.server import build
from tests.lsp.desk import run

NAMED = [
    ("server.py", "x = 1  # echolot: ignore[|"),
    ("server.py", "x = 1  # echolot: ignore[no-description, par|]"),
    ("server.py", "# echolot: ignore-file[no-|"),
    ("echolot.toml", 'ignore = ["|'),
    ("echolot.toml", 'select = [\n  "no-description",\n  "par|'),
    ("echolot.toml", '[[ignored]]\ntool = "x"\nrules = ["|"]'),
    ("echolot.toml", "[severity]\nno-|"),
    ("pyproject.toml", "[tool.echolot.default]\n|"),
]
ELSEWHERE = [
    ("server.py", "x = [|"),
    ("server.py", "x = 1  # echolot: ignore[no-description] and |"),
    ("echolot.toml", 'framework = "|'),
    ("echolot.toml", 'ignore = ["no-description"]\n|'),
    ("echolot.toml", '[severity]\nno-description = "|'),
    ("pyproject.toml", "[project]\nna|"),
    ("tools.json", '{"tools": [|'),
]


async def offered(folder: Path, name: str, text: str) -> list[types.CompletionItem]:
    """What is offered at the bar, which is no part of the text."""
    server = build()
    server.session._counting = None
    server.publish = lambda uri, version, items: None  # type: ignore[method-assign]
    head, _, tail = text.partition("|")
    uri = (folder / name).as_uri()
    language = {"py": "python", "json": "json"}.get(name.rpartition(".")[2], "toml")
    server.session.open(uri, language, 1, head + tail)
    place = types.Position(line=head.count("\n"), character=len(head.rpartition("\n")[2]))
    found = await completion(server, types.CompletionParams(text_document=types.TextDocumentIdentifier(uri=uri), position=place))
    await server.session.at_rest()
    return found or []


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_rules_are_offered_where_one_is_named(tmp_path: Path, name: str, text: str) -> None:
    async def work() -> None:
        items = await offered(tmp_path, name, text)
        assert [item.label for item in items] == list(every_rule())
        head = text.partition("|")[0]
        for item in items:
            assert isinstance(item.text_edit, types.TextEdit)
            start = item.text_edit.range.start.character
            assert head.rpartition("\n")[2][start:].replace("-", "").isalnum() or head.rpartition("\n")[2][start:] == ""

    run(work())


@pytest.mark.parametrize(("name", "text"), ELSEWHERE)
def test_nothing_is_offered_elsewhere(tmp_path: Path, name: str, text: str) -> None:
    async def work() -> None:
        assert await offered(tmp_path, name, text) == []

    run(work())
