"""Fixes, fix all, ignoring and explaining, for clients of every kind."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from echolot_lsp.lsp.code_actions import code_actions, resolve
from echolot_lsp.lsp.server import EcholotServer, build
from tests.lsp.desk import PYTHON, json_text, run

PROFILES = Path(__file__).parent / "clients"
FIXABLE = {
    "tools": [
        {
            "name": "find parcel",
            "description": "Looks a parcel up by its number and says where it was seen last.",
            "inputSchema": {"type": "object"},
        },
        {
            "name": "close_depot",
            "description": "Closes the depot for the day; nothing is taken in until it is opened again.",
            "inputSchema": {"type": "object", "properties": {}, "required": ["reason"]},
        },
    ]
}


class Editor:
    """A server spoken to without a transport, by a client with recorded capabilities."""

    def __init__(self, folder: Path, profile: str) -> None:
        self.folder = folder
        self.server: EcholotServer = build()
        self.server.listeners.clear()  # nothing is drawn, and the folder is not searched by a process of its own
        self.sent: list[Any] = []
        self.server.publish = lambda uri, version, items: self.sent.append(items)  # type: ignore[method-assign]
        capabilities = json.loads((PROFILES / f"{profile}.json").read_text(encoding="utf-8"))["capabilities"]
        structured = get_converter().structure(capabilities, types.ClientCapabilities)
        self.server.initialize(types.InitializeParams(capabilities=structured))
        self.server.session.roots = (str(folder),)
        self.server.session._counting = None

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def actions(self, name: str, text: str, mark: str = "", only: list[str] | None = None) -> list[types.CodeAction]:
        """What is offered where ``mark`` stands (in all of the text without one), resolved."""
        self.server.session.open(self.uri(name), "json" if name.endswith("json") else "python", 1, text)
        await self.server.session.at_rest()
        view = self.server.session.view(self.uri(name))
        assert view is not None
        start = text.index(mark) if mark else 0
        where = view.range(start, start + len(mark) if mark else len(text))
        context = types.CodeActionContext(diagnostics=[], only=only)
        document = types.TextDocumentIdentifier(uri=self.uri(name))
        found = await code_actions(self.server, types.CodeActionParams(text_document=document, range=where, context=context))
        return [await resolve(self.server, action) for action in found or []]

    def applied(self, text: str, action: types.CodeAction, name: str) -> str:
        """The text after an action, whichever way its edit is written."""
        assert action.edit is not None
        edits: list[Any] = list((action.edit.changes or {}).get(self.uri(name), ()))
        for step in action.edit.document_changes or ():
            if isinstance(step, types.TextDocumentEdit) and step.text_document.uri == self.uri(name):
                edits += step.edits
        view = self.server.session.view(self.uri(name))
        assert view is not None
        for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
            text = text[: view.offset(edit.range.start)] + edit.new_text + text[view.offset(edit.range.end) :]
        return text


def titled(actions: list[types.CodeAction], part: str) -> types.CodeAction:
    return next(action for action in actions if part in action.title)


def test_a_safe_fix_is_preferred_and_changes_only_its_place(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "vscode-1.139.1_languageclient-11.0.0")
        text = json_text(FIXABLE)
        actions = await editor.actions("tools.json", text, '"reason"')
        fix = next(action for action in actions if action.is_preferred)
        assert fix.edit is not None
        assert fix.edit.document_changes is not None
        after = json.loads(editor.applied(text, fix, "tools.json"))
        expected = json.loads(text)
        assert after["tools"][0] == expected["tools"][0]
        assert "reason" not in json.dumps(after["tools"][1])

    run(work())


def test_a_client_without_document_changes_gets_plain_ones(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.10.4")
        actions = await editor.actions("tools.json", json_text(FIXABLE), '"reason"')
        edits = [action.edit for action in actions if action.edit is not None]
        assert edits
        assert all(edit.document_changes is None for edit in edits)

    run(work())


def test_fix_all_makes_the_safe_fixes_and_no_others(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "emacs-30.1_eglot-1.17.30")
        text = json_text(FIXABLE)
        (action,) = await editor.actions("tools.json", text, only=["source.fixAll.echolot"])
        after = json.loads(editor.applied(text, action, "tools.json"))
        assert after["tools"][0]["inputSchema"] == {"type": "object", "properties": {}}
        assert after["tools"][0]["name"] == "find parcel"
        assert not after["tools"][1]["inputSchema"].get("required")

    run(work())


def test_what_is_asked_for_by_kind_is_all_that_is_offered(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.11.4")
        kinds = {action.kind for action in await editor.actions("tools.json", json_text(FIXABLE), only=["quickfix"])}
        assert kinds == {"quickfix"}
        assert await editor.actions("tools.json", json_text(FIXABLE), only=["refactor"]) == []

    run(work())


def test_a_list_s_finding_is_ignored_in_the_settings(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.10.4")
        (tmp_path / "echolot.toml").write_text("context-window = 100_000\n", encoding="utf-8")
        text = json_text(FIXABLE)
        action = titled(
            await editor.actions("tools.json", text, '"find parcel"'), "name-not-accepted for find parcel in the settings"
        )
        assert action.edit is not None
        assert action.edit.changes is not None
        ((uri, edits),) = action.edit.changes.items()
        assert uri == editor.uri("echolot.toml")
        settings = (tmp_path / "echolot.toml").read_text(encoding="utf-8") + edits[0].new_text
        (tmp_path / "echolot.toml").write_text(settings, encoding="utf-8")
        editor.server.session.files_changed([str(tmp_path / "echolot.toml")])
        await editor.server.session.at_rest()
        assert "name-not-accepted" not in editor.sent[-1]
        assert "required-undefined" in editor.sent[-1]

    run(work())


def test_settings_are_made_only_by_clients_that_make_files(tmp_path: Path) -> None:
    async def work() -> None:
        text = json_text(FIXABLE)
        able = Editor(tmp_path, "vscode-1.139.1_languageclient-11.0.0")
        made = titled(await able.actions("tools.json", text, '"find parcel"'), "in the settings")
        assert made.edit is not None
        assert isinstance((made.edit.document_changes or [None])[0], types.CreateFile)
        unable = Editor(tmp_path, "neovim-0.10.4")
        titles = [action.title for action in await unable.actions("tools.json", text, '"find parcel"')]
        assert not [title for title in titles if "in the settings" in title]

    run(work())


def test_each_rule_in_the_range_can_be_explained(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "helix-25.01.1")
        action = titled(await editor.actions("tools.json", json_text(FIXABLE), '"find parcel"'), "Explain name-not-accepted")
        assert action.command is not None
        assert action.command.command == "echolot.server.explainRule"
        assert action.command.arguments == [{"rule": "name-not-accepted"}]

    run(work())


def test_an_action_that_was_offered_for_an_older_text_is_made_for_the_newest(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "vscode-1.139.1_languageclient-11.0.0")
        text = json_text(FIXABLE)
        offered = next(each for each in await editor.actions("tools.json", text, '"reason"') if each.is_preferred)
        offered.edit = None
        newer = "\n\n" + text
        editor.server.session.change(editor.uri("tools.json"), 2, newer)
        again = await resolve(editor.server, offered)
        assert "reason" not in editor.applied(newer, again, "tools.json")

    run(work())


def test_every_edit_comes_with_the_version_that_it_is_for(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "vscode-1.139.1_languageclient-11.0.0")
        await asyncio.sleep(0)
        for action in await editor.actions("tools.json", json_text(FIXABLE), '"reason"'):
            for step in (action.edit.document_changes or ()) if action.edit else ():
                if isinstance(step, types.TextDocumentEdit) and step.text_document.uri == editor.uri("tools.json"):
                    assert step.text_document.version == 1

    run(work())


async def codes_after(editor: Editor, text: str, name: str = "server.py") -> list[str]:
    editor.server.session.change(editor.uri(name), 99, text)
    await editor.server.session.at_rest()
    return sorted(item["code"] for item in json.loads(editor.sent[-1]))


def test_a_python_fix_brings_its_import_and_mends_its_finding(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "vscode-1.139.1_languageclient-11.0.0")
        text = PYTHON.replace("(reason)", "(reason: str)")
        actions = await editor.actions("server.py", text, "number")
        fix = next(action for action in actions if action.kind == "quickfix" and "(look it over)" in action.title)
        after = editor.applied(text, fix, "server.py")
        assert "import Field" in after
        assert "param-no-description" in await codes_after(editor, text)
        assert (await codes_after(editor, after)).count("param-no-description") == 1

    run(work())


@pytest.mark.parametrize("where", ["on this line", "for find_parcel", "in this file"])
def test_an_ignore_comment_silences_its_finding_and_nothing_else(tmp_path: Path, where: str) -> None:
    text = PYTHON.replace("(number: str)", "(\n    number: str,\n)").replace("(reason)", "(reason: str)")

    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.11.4")
        action = titled(await editor.actions("server.py", text, "number"), f"Ignore param-no-description {where}")
        after = editor.applied(text, action, "server.py")
        assert len(after.splitlines()) - len(text.splitlines()) == (1 if where == "in this file" else 0)
        expected = [] if where == "in this file" else ["param-no-description"]
        assert await codes_after(editor, after) == expected

    run(work())


def test_a_second_rule_joins_the_comment_that_is_there(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.11.4")
        text = PYTHON.replace(
            "def close_depot(reason) -> str:", "def close_depot(reason) -> str:  # echolot: ignore[py-unannotated]"
        )
        actions = await editor.actions("server.py", text, "reason)")
        after = editor.applied(text, titled(actions, "Ignore param-no-description on this line"), "server.py")
        assert "# echolot: ignore[py-unannotated, param-no-description]" in after

    run(work())


def test_a_line_that_ends_inside_a_string_is_offered_no_comment(tmp_path: Path) -> None:
    text = PYTHON.replace('"""Closes the depot for the day, so', '"""Close depot\n    ')

    async def work() -> None:
        editor = Editor(tmp_path, "neovim-0.11.4")
        for action in await editor.actions("server.py", text):
            if action.edit is not None and "on this line" in action.title:
                after = editor.applied(text, action, "server.py")
                rule = action.title.split()[1]
                assert (await codes_after(editor, after)).count(rule) < (await codes_after(editor, text)).count(rule)

    run(work())


def test_a_server_object_offers_what_its_lens_offers(tmp_path: Path) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "helix-25.01.1")
        actions = await editor.actions("server.py", PYTHON, 'mcp = FastMCP("depot")')
        commands = {action.command.command for action in actions if action.command is not None}
        assert {"echolot.server.openCard", "echolot.server.openProviderJson", "echolot.server.checkLive"} <= commands

    run(work())


@pytest.mark.parametrize("mark", ["mcp = ", "FastMCP(", '"depot"'])
def test_what_a_lens_offers_is_offered_on_the_whole_line_of_the_server(tmp_path: Path, mark: str) -> None:
    async def work() -> None:
        editor = Editor(tmp_path, "helix-25.01.1")
        titles = [action.title for action in await editor.actions("server.py", PYTHON, mark)]
        assert "Show how a model sees this server" in titles
        assert "Show the list as OpenAI receives it" in titles
        elsewhere = [action.title for action in await editor.actions("server.py", PYTHON, "def find_parcel")]
        assert "Show how a model sees this server" not in elsewhere

    run(work())
