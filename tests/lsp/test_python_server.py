"""Python servers in the editor: as they are typed, over several files, with ignores and settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.lsp.code_lens import lenses
from echolot_lsp.lsp.convert import Announced
from echolot_lsp.lsp.hover import at
from echolot_lsp.lsp.inlay_hints import hints
from tests.lsp.desk import PYTHON, Desk, codes, run, underlined


def test_opening_a_server_publishes_its_findings(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        found = await desk.open("server.py", PYTHON)
        assert "py-unannotated" in codes(found) or "param-no-description" in codes(found)
        assert all(underlined(PYTHON, item) in ("reason", "number") for item in found)

    run(work())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_ranges_are_right_behind_japanese_and_emoji(tmp_path: Path, encoding: str) -> None:
    text = PYTHON.replace("(reason)", '(品名="📦 荷物", *, reason)')

    async def work() -> None:
        desk = Desk(tmp_path, Announced(encoding=encoding))  # type: ignore[arg-type]
        found = [item for item in await desk.open("server.py", text) if "reason" in item["message"]]
        assert found
        assert "reason" in {underlined(text, item, encoding) for item in found}

    run(work())


def test_windows_line_ends_and_form_feeds_do_not_move_anything(tmp_path: Path) -> None:
    text = PYTHON.replace("\n\n\n@mcp.tool()\ndef close", "\n\f\n\n@mcp.tool()\ndef close").replace("\n", "\r\n")

    async def work() -> None:
        found = await Desk(tmp_path).open("server.py", text)
        assert {underlined(text, item) for item in found} == {"reason", "number"}

    run(work())


def test_while_a_function_is_half_typed_nothing_else_changes(tmp_path: Path) -> None:
    """Every state between two whole texts, letter by letter."""

    async def work() -> None:
        desk = Desk(tmp_path)
        before = await desk.open("server.py", PYTHON)
        first = [item for item in before if underlined(PYTHON, item) == "number"]
        assert first
        at = PYTHON.index("(reason)")
        addition = '(reason, until: str = "evening (late)", *, by="a'
        for version, length in enumerate(range(1, len(addition) + 1), start=2):
            text = PYTHON[:at] + addition[:length] + PYTHON[at + len("(reason)") :]
            found = await desk.change("server.py", text, version)
            assert [item for item in found if underlined(text, item) == "number"] == first
        whole = PYTHON.replace("(reason)", '(reason, until: str = "evening (late)", *, by="all")')
        fresh = await Desk(tmp_path).open("server.py", whole)
        assert await desk.change("server.py", whole, 1000) == fresh

    run(work())


def test_an_edit_elsewhere_is_seen_while_a_function_is_broken(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("server.py", PYTHON)
        broken = PYTHON.replace("(reason)", "(reason")
        await desk.change("server.py", broken, 2)
        described = broken.replace('    """Looks a parcel up by its number and says where it was seen last."""\n', "")
        found = await desk.change("server.py", described, 3)
        assert "no-description" in codes(found)
        assert [underlined(described, item) for item in found if item["code"] == "no-description"] == ["find_parcel"]

    run(work())


def test_hints_lens_and_hover_stay_while_a_function_is_half_typed(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("server.py", PYTHON)
        for version, text in enumerate([PYTHON, PYTHON.replace('"""Closes', '"Closes'), PYTHON.replace("(reason)", "(")], start=2):
            await desk.change("server.py", text, version)
            view = desk.session.view(desk.uri("server.py"))
            assert view is not None
            lines = {hint.position.line for hint in hints(view, 0, 1000)}
            assert text.split("\n").index("def find_parcel(number: str) -> str:") in lines
            assert len(lines) == 2
            assert lenses(view, own_client=False)
            assert at(view, text.index("find_parcel")) is not None

    run(work())


def test_an_ignore_comment_silences_and_one_too_many_is_named(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        rules = sorted({item["code"] for item in await desk.open("server.py", PYTHON)})
        quiet = f"# echolot: ignore-file[{', '.join(rules)}]\n" + PYTHON
        assert await desk.change("server.py", quiet, 2) == []
        useless = "# echolot: ignore-file[tools-over-40]\n" + PYTHON
        assert "unused-ignore" in codes(await desk.change("server.py", useless, 3))

    run(work())


def test_a_type_from_another_file_is_followed_into_its_buffer(tmp_path: Path) -> None:
    model = "from pydantic import BaseModel, Field\n\n\nclass Parcel(BaseModel):\n    number: str\n"
    described = model.replace("number: str", 'number: str = Field(description="As printed on the parcel, such as P-1042.")')
    server = PYTHON.replace("\nmcp =", "from models import Parcel\n\nmcp =").replace("number: str", "parcel: Parcel")
    (tmp_path / "models.py").write_text(model, encoding="utf-8")

    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("server.py", server)
        assert codes(desk.told("models.py")) == ["param-no-description"] or "param-no-description" in codes(desk.told("server.py"))
        before = desk.told("server.py") + desk.told("models.py")
        await desk.open("models.py", described)
        after = desk.told("server.py") + desk.told("models.py")
        assert len([item for item in after if "number" in item["message"]]) < len(
            [item for item in before if "number" in item["message"]]
        )
        desk.session.close(desk.uri("models.py"))
        await desk.session.at_rest()
        assert desk.told("server.py") + desk.told("models.py") == before

    run(work())


def test_nothing_of_the_workspace_is_imported_or_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    (tmp_path / "helpers.py").write_text(f"open({str(trace)!r}, 'w').close()\nLIMIT = 3\n", encoding="utf-8")
    text = PYTHON.replace("\nmcp =", "from helpers import LIMIT\n\nmcp =").replace("number: str", "number: int = LIMIT")

    async def work() -> None:
        assert await Desk(tmp_path).open("server.py", text + f"\nopen({str(trace)!r}, 'w').close()\n")

    run(work())
    assert not trace.exists()


@pytest.mark.parametrize(
    "text",
    [
        PYTHON,
        PYTHON.replace("mcp = FastMCP", "def main():\n    mcp = FastMCP").split("@mcp")[0]
        + "    return mcp\n\n\nmcp = main()\n\n\n@mcp"
        + PYTHON.partition("@mcp")[2],
    ],
)
def test_the_name_of_a_server_object_is_hovered_over_as_its_class(tmp_path: Path, text: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("server.py", text)
        view = desk.session.view(desk.uri("server.py"))
        assert view is not None
        for word in ("mcp = FastMCP", "FastMCP(", '"depot"'):
            found = at(view, text.index(word))
            assert found is not None
            assert found[1].startswith("**depot** · 2 tools")
        assert at(view, text.index("from mcp")) is None
        assert at(view, text.index("mcp = FastMCP") - 1) is None

    run(work())


TYPED = '''@mcp.tool()
def weigh_parcel(number: str, unit: str = "kg") -> float:
    """Weighs a parcel (in the unit that is asked for)."""
    return {"kg": 1.0}[unit]'''


def drawn(desk: Desk, text: str) -> set[tuple[str, str]]:
    """The hints that are drawn now, each with the line that it stands behind."""
    view = desk.session.view(desk.uri("server.py"))
    assert view is not None
    lines = text.split("\n")
    found = set()
    for hint in hints(view, 0, 10_000):
        line = lines[hint.position.line]
        assert hint.position.character == len(line.encode("utf-16-le")) // 2
        found.add((line.strip(), str(hint.label)))
    return found


def test_hints_of_other_tools_never_move_or_go_while_a_function_is_typed(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("server.py", PYTHON)
        before = drawn(desk, PYTHON)
        assert len(before) == 2
        head, mark, tail = PYTHON.partition("@mcp.tool()\ndef close_depot")
        for count in range(1, len(TYPED) + 1):
            text = f"{head}{TYPED[:count]}\n\n\n{mark}{tail}"
            desk.session.change(desk.uri("server.py"), count + 1, text)
            assert before <= drawn(desk, text), TYPED[:count]  # at once, while nothing is read yet
            await desk.session.counted()
            assert before <= drawn(desk, text), TYPED[:count]
        assert len(drawn(desk, text)) == 3

    run(work())


def test_typing_in_a_body_has_nothing_drawn_anew_and_a_longer_docstring_has(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, count=True)
        await desk.open("server.py", PYTHON)
        told = desk.numbers
        body = "    place = {number: [1, '荷物']}\n"
        for count in range(1, len(body) + 1):
            await desk.change("server.py", PYTHON.replace("    return number\n", f"{body[:count]}    return number\n"), count + 1)
        assert desk.numbers == told
        await desk.change("server.py", PYTHON, 50)
        assert desk.numbers == told
        await desk.change("server.py", PYTHON.replace("seen last.", "seen last, and by whom."), 51)
        assert desk.numbers == told + 1

    run(work())
