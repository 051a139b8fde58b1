"""Hints, hovers, lenses and symbols of a list, at rest and while it is being typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.lsp.against_head import AgainstHead
from echolot_lsp.lsp.code_lens import lenses
from echolot_lsp.lsp.hover import at, plain
from echolot_lsp.lsp.inlay_hints import hints
from echolot_lsp.lsp.server import build
from echolot_lsp.lsp.symbols import symbols
from echolot_lsp.lsp.view import View
from tests.lsp.desk import Desk, json_text, position, run

EVERYTHING = 0, 10_000


async def opened(desk: Desk, text: str, name: str = "tools.json") -> View:
    await desk.open(name, text)
    view = desk.session.view(desk.uri(name))
    assert view is not None
    return view


def with_hints(view: View) -> str:
    """The text with every hint written in, as an editor draws it."""
    text = view.document.text
    for hint in sorted(hints(view, *EVERYTHING), key=lambda hint: (hint.position.line, hint.position.character), reverse=True):
        offset = view.offset(hint.position)
        text = f"{text[:offset]}«{hint.label}»{text[offset:]}"
    return text


def test_a_hint_stands_at_the_end_of_the_line_that_names_the_tool(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        lines = [line for line in with_hints(view).splitlines() if "«" in line]
        assert [line.partition("«")[0].strip() for line in lines] == ['"name": "find_parcel",', '"name": "close_depot",']
        assert all(line.endswith(" tokens»") and "«≈" in line for line in lines)

    run(work())


def test_tools_on_one_line_have_their_hints_behind_their_names(tmp_path: Path) -> None:
    async def work() -> None:
        text = '{"tools": [{"name": "a_tool", "inputSchema": {}}, {"name": "b_tool", "inputSchema": {}}]}'
        view = await opened(Desk(tmp_path, count=True), text)
        drawn = with_hints(view)
        assert '"a_tool"«≈' in drawn
        assert '"b_tool"«≈' in drawn

    run(work())


def test_there_are_no_hints_before_tokens_are_known_and_none_outside_the_range(tmp_path: Path) -> None:
    async def work() -> None:
        assert hints(await opened(Desk(tmp_path), json_text()), *EVERYTHING) == []
        assert hints(await opened(Desk(tmp_path, count=True), json_text()), 0, 1) == []

    run(work())


def test_the_tooltip_names_each_provider(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        first = hints(view, *EVERYTHING, AgainstHead(build()))[0]
        assert [line.split(":")[0] for line in str(first.tooltip).splitlines()] == ["Anthropic", "OpenAI", "Gemini"]

    run(work())


def test_hints_keep_their_lines_while_another_tool_is_being_typed(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        text = json_text()
        await opened(desk, text)
        typed = text.replace('"close_depot",', '"close_depot", "desc', 1)
        desk.session.change(desk.uri("tools.json"), 2, typed)
        view = desk.session.view(desk.uri("tools.json"))
        assert view is not None
        assert '"name": "find_parcel",«' in with_hints(view)
        await desk.session.counted()
        view = desk.session.view(desk.uri("tools.json"))
        assert view is not None
        assert '"name": "find_parcel",«' in with_hints(view)

    run(work())


def test_the_client_draws_anew_when_a_server_appears_and_when_a_number_changed(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await opened(desk, json_text())
        assert desk.numbers == 2  # two tools; then their tokens
        await desk.change("tools.json", "\n" + json_text(), 2)
        assert desk.numbers == 2
        await desk.change("tools.json", json_text().replace("seen last", "last seen by anybody"), 3)
        assert desk.numbers == 3

    run(work())


def test_hovering_over_a_name_shows_an_aligned_table_and_the_findings(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        offset = view.document.text.index("close_depot")
        found = at(view, offset)
        assert found is not None
        (start, end), text = found
        assert view.document.text[start:end] == '"close_depot"'
        table = [line for line in text.splitlines() if line.startswith("|")]
        assert len(table) == 5
        assert len({len(line) for line in table}) == 1
        assert "2 of 2" in text
        assert "`no-description`" in text
        assert "`" not in plain(text)

    run(work())


def test_hovering_over_a_parameter_shows_its_schema(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        found = at(view, view.document.text.index('"number"') + 2)
        assert found is not None
        assert found[1].startswith("**number** · required parameter of find_parcel")
        assert '"type": "string"' in found[1]

    run(work())


@pytest.mark.parametrize("place", ["P-1042", '"required"', "Looks a"])
def test_hovering_over_anything_else_is_quiet_or_about_the_parameter(tmp_path: Path, place: str) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        found = at(view, view.document.text.index(place) + 1)
        assert found is None or found[1].startswith("**number**")

    run(work())


def test_a_lens_says_how_many_tools_there_are_and_what_they_cost(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        ours, others = lenses(view, own_client=True), lenses(view, own_client=False)
        assert ours[0].command is not None
        assert ours[0].command.title.startswith("2 tools · ≈")
        assert ours[0].command.title.endswith(" of 200k")
        assert {lens.command.command.rsplit(".", 1)[0] for lens in ours if lens.command} == {"echolot"}
        assert {lens.command.command.rsplit(".", 1)[0] for lens in others if lens.command} == {"echolot.server"}

    run(work())


def test_a_list_without_tools_has_no_lens(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("tools.json", '{"tools": []}')
        view = desk.session.view(desk.uri("tools.json"))
        assert view is None or lenses(view, own_client=True) == []

    run(work())


def test_symbols_nest_the_tools_in_their_server(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path, count=True), json_text())
        (server,) = symbols(view)
        assert [tool.name for tool in server.children or ()] == ["find_parcel", "close_depot"]
        for tool in server.children or ():
            start, end = view.offset(tool.selection_range.start), view.offset(tool.selection_range.end)
            assert view.document.text[start:end] == f'"{tool.name}"'
            assert view.offset(tool.range.start) <= start <= end <= view.offset(tool.range.end)
        assert server.range.start.line <= server.selection_range.start.line

    run(work())


def test_positions_beyond_the_text_are_taken_as_its_end(tmp_path: Path) -> None:
    async def work() -> None:
        view = await opened(Desk(tmp_path), json_text())
        assert view.offset(position(10_000, 0)) == len(view.document.text)
        assert at(view, len(view.document.text)) is None

    run(work())
