"""What a client is told, and when: opening, typing, closing, the disk, folders, settings."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.request import urlopen

import pytest

from echolot_lsp.config import every_rule
from echolot_lsp.lsp.convert import Announced, page_uri
from tests.lsp.desk import LIST, Desk, codes, json_text, run, underlined


def test_opening_a_list_publishes_its_findings_with_the_version(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        found = await desk.open("tools.json", json_text(), version=7)
        assert codes(found) == ["no-description"]
        assert found[0]["source"] == "echolot"
        assert found[0]["severity"] == 1
        assert underlined(json_text(), found[0]) == '"close_depot"'
        assert desk.sent[-1][1] == 7

    run(work())


def test_a_file_that_has_nothing_to_do_with_mcp_is_never_spoken_of(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("package.json", '{"name": "x"}')
        await desk.open("main.py", "print('hello')\n")
        await desk.open("notes.txt", '"tools"', language="plaintext")
        assert desk.sent == []
        assert desk.session.view(desk.uri("package.json")) is None

    run(work())


def test_each_version_is_answered_once_and_only_the_newest(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        await desk.open("tools.json", json_text())
        desk.sent.clear()
        for version in range(2, 12):
            desk.session.change(desk.uri("tools.json"), version, json_text() + " " * version)
        await desk.session.at_rest()
        versions = [version for _, version, _ in desk.sent]
        assert versions[-1] == 11
        assert versions == sorted(set(versions))

    run(work())


def test_nothing_is_sent_again_that_the_client_knows(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        (tmp_path / "tools.json").write_text(json_text(), encoding="utf-8")
        await desk.open("tools.json", json_text())
        desk.sent.clear()
        desk.session.files_changed([str(tmp_path / "tools.json")])
        await desk.session.at_rest()
        assert desk.sent == []

    run(work())


def test_a_closed_file_that_the_disk_does_not_have_is_cleared(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        assert await desk.open("tools.json", json_text())
        desk.session.close(desk.uri("tools.json"))
        assert await desk.shown("tools.json") == []
        assert desk.session.published() == {}

    run(work())


def test_a_closed_file_shows_the_state_of_the_disk_until_it_is_deleted(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        path = tmp_path / "tools.json"
        path.write_text(json_text(), encoding="utf-8")
        fixed = json.loads(json.dumps(LIST))
        fixed["tools"][1]["description"] = "Closes the depot for the day: nothing is taken in until it opens again."
        assert await desk.open("tools.json", json_text(fixed)) == []
        desk.session.close(desk.uri("tools.json"))
        assert codes(await desk.shown("tools.json")) == ["no-description"]
        path.write_text(json_text(fixed), encoding="utf-8")
        desk.session.files_changed([str(path)])
        assert await desk.shown("tools.json") == []
        path.write_text(json_text(), encoding="utf-8")
        desk.session.files_changed([str(path)])
        assert await desk.shown("tools.json")
        path.unlink()
        desk.session.files_changed([str(path)])
        assert await desk.shown("tools.json") == []

    run(work())


def test_a_renamed_closed_file_is_followed(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "tools.json").write_text(json_text(), encoding="utf-8")
        await desk.open("old/tools.json", json_text())
        desk.session.close(desk.uri("old/tools.json"))
        assert await desk.shown("old/tools.json")
        (tmp_path / "old").rename(tmp_path / "new")
        desk.session.renamed(str(tmp_path / "old"), str(tmp_path / "new"))
        assert await desk.shown("new/tools.json")
        assert desk.told("old/tools.json") == []

    run(work())


def test_a_list_that_is_emptied_clears_its_findings(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        assert await desk.open("tools.json", json_text())
        assert await desk.change("tools.json", "{}", 2) == []
        assert await desk.change("tools.json", json_text(), 3)

    run(work())


def test_reopening_a_file_tells_its_findings_again(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        (tmp_path / "tools.json").write_text(json_text(), encoding="utf-8")
        await desk.open("tools.json", json_text())
        desk.session.close(desk.uri("tools.json"))
        await desk.session.at_rest()
        desk.sent.clear()
        assert await desk.open("tools.json", json_text())
        assert desk.sent[-1][1] == 1

    run(work())


def test_settings_of_the_editor_and_of_a_file_take_effect_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        assert await desk.open("tools.json", json_text())
        desk.session.set_settings({"ignore": ["no-description"]})
        assert await desk.shown("tools.json") == []
        desk.session.set_settings({})
        assert await desk.shown("tools.json")
        settings = tmp_path / "echolot.toml"
        settings.write_text('[severity]\nno-description = "note"\n', encoding="utf-8")
        desk.session.files_changed([str(settings)])
        assert [item["severity"] for item in await desk.shown("tools.json")] == [3]
        await desk.open("echolot.toml", 'ignore = ["no-description"]\n', language="toml")
        assert await desk.shown("tools.json") == []

    run(work())


def test_a_mistake_in_the_settings_is_shown_at_its_place(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        text = 'ignore = ["no-descriptoin"]\n'
        found = await desk.open("echolot.toml", text, language="toml")
        assert len(found) == 1
        assert "no-description" in found[0]["message"]
        assert "no-descriptoin" in underlined(text, found[0])
        assert await desk.change("echolot.toml", 'ignore = ["no-description"]\n', 2) == []

    run(work())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_ranges_are_right_behind_japanese_and_emoji(tmp_path: Path, encoding: str) -> None:
    async def work() -> None:
        desk = Desk(tmp_path, Announced(encoding=encoding))  # type: ignore[arg-type]
        text = (
            '{"tools": [{"title": "荷物を探す 📦🚚", "name": "find_parcel", "inputSchema": {"type": "object", "properties": {}}}]}'
        )
        found = await desk.open("tools.json", text)
        assert [underlined(text, item, encoding) for item in found if item["code"] == "no-description"] == ['"find_parcel"']

    run(work())


def test_related_places_and_links_are_sent_only_to_clients_that_take_them(tmp_path: Path) -> None:
    same = {"description": "Says where a parcel was seen last.", "inputSchema": {"type": "object", "properties": {}}}
    text = json_text({"tools": [{"name": "one_way", **same}, {"name": "other_way", **same}]})

    async def work() -> None:
        rich = await Desk(tmp_path).open("tools.json", text)
        poor = await Desk(tmp_path, Announced(related=False, links=False)).open("tools.json", text)
        assert codes(rich) == codes(poor) == ["descriptions-same", "descriptions-same"]
        place = rich[0]["relatedInformation"][0]["location"]
        assert place["uri"] == (tmp_path / "tools.json").as_uri()
        assert "relatedInformation" not in poor[0]
        assert "codeDescription" not in poor[0]

    run(work())


def test_a_rule_that_raises_is_logged_and_the_others_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from dataclasses import replace

    from echolot_lsp import rules

    def fail(index: int, tool: object, context: object) -> list[rules.Hit]:
        raise RuntimeError("on purpose")

    broken = {**rules.all_rules(), "name-not-accepted": replace(rules.all_rules()["name-not-accepted"], tool=fail)}
    monkeypatch.setattr(rules, "all_rules", lambda: broken)

    async def work() -> None:
        assert codes(await Desk(tmp_path).open("tools.json", json_text())) == ["no-description"]

    run(work())
    assert "name-not-accepted" in caplog.text


def test_an_untitled_document_is_read_like_any_other(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        desk.session.open("untitled:Untitled-1", "json", 1, json_text())
        await desk.session.at_rest()
        assert desk.sent[-1][0] == "untitled:Untitled-1"
        desk.session.close("untitled:Untitled-1")
        await desk.session.at_rest()
        assert desk.sent[-1][2] == []

    run(work())


def test_the_client_s_own_spelling_of_a_uri_is_used(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        uri = desk.uri("a b.json").replace("%20", "%20").replace("/", "/") + ""
        spelt = uri.replace("tmp", "t%6Dp")
        desk.session.open(spelt, "json", 1, json_text())
        await desk.session.at_rest()
        assert desk.sent[-1][0] == spelt

    run(work())


def test_every_rule_s_link_opens_its_page(tmp_path: Path) -> None:
    async def work() -> None:
        (item,) = await Desk(tmp_path).open("tools.json", json_text())
        assert item["codeDescription"]["href"] == page_uri("no-description")

    run(work())
    for rule in every_rule():
        link = page_uri(rule)
        assert link is not None
        with urlopen(link) as page:
            assert page.readline().decode("utf-8").strip() == f"# {rule}"


def test_a_server_whose_own_folder_is_deleted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        (tmp_path / "echolot.toml").write_text('ignore = ["no-description"]\n', encoding="utf-8")
        desk = Desk(tmp_path)
        assert await desk.open("tools.json", json_text()) == []
        desk.session.set_settings({"severity": {"no-description": "note"}})
        assert await desk.change("tools.json", json_text() + " ", 2) == []

    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    run(work())


def test_whatever_takes_the_place_of_a_file_on_the_disk_holds_nobody_up(tmp_path: Path) -> None:
    async def work() -> None:
        place = tmp_path / "tools.json"
        place.write_text(json_text(), encoding="utf-8")
        desk = Desk(tmp_path)
        await desk.open("tools.json", json_text())
        desk.session.close(desk.uri("tools.json"))
        makers = [place.mkdir, lambda: os.mkfifo(place), lambda: place.symlink_to(place), lambda: place.symlink_to("/dev/zero")]
        for make in makers:
            assert codes(await desk.shown("tools.json")) == ["no-description"]
            place.unlink()
            make()
            desk.session.files_changed([str(place)])
            assert await desk.shown("tools.json") == []
            place.rmdir() if place.is_dir() else place.unlink()
            place.write_text(json_text(), encoding="utf-8")
            await desk.open("tools.json", json_text())
            desk.session.close(desk.uri("tools.json"))

    run(work())
