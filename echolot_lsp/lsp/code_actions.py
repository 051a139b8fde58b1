"""Code actions: fixes, fix all, ignoring, explaining, and what a lens offers. Edits are made only when an action is chosen, where
the client can ask for them then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lsprotocol import types

from echolot_lsp.files import Disk
from echolot_lsp.fixes import Edit, apart
from echolot_lsp.lsp import config_entries, fixing, ignoring
from echolot_lsp.lsp.code_lens import command
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View
from echolot_lsp.lsp.workspace_edits import creates_files, workspace_edit
from echolot_lsp.model import Default, Finding

FIX_ALL = "source.fixAll.echolot"


Edits = Mapping[str, Sequence[Edit]]
Change = tuple[Edits, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Offer:
    """An action, and what it would do once it is chosen."""

    title: str
    kind: str
    finding: Finding | None = None
    change: Callable[[], Change] | None = None
    """Makes its edits, and names the texts of the files beside the document that they are of."""
    preferred: bool = False
    command: types.Command | None = None


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, types.CodeActionKind.Source]
    options = types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)
    server.on(types.TEXT_DOCUMENT_CODE_ACTION, code_actions, options)
    server.on(types.CODE_ACTION_RESOLVE, resolve)


async def code_actions(ls: EcholotServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """What can be done in a range. The text that is known is the text that is edited: the newest is waited for."""
    await ls.session.at_rest()
    only = params.context.only
    view = ls.session.view(params.text_document.uri)
    if view is None:
        document = ls.session.documents.at(params.text_document.uri)
        if document is None or not (only is None or any(_within("source", str(getattr(kind, "value", kind))) for kind in only)):
            return None
        return config_entries.actions(ls, document, params.range) or None
    return await asyncio.to_thread(_listed, ls, view, params)


def _listed(ls: EcholotServer, view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The actions of a range. In a thread: a fix reads a statement anew."""
    only = params.context.only
    start, end = view.offset(params.range.start), view.offset(params.range.end)
    given = {_key(diagnostic) for diagnostic in params.context.diagnostics}
    diagnostics = {_key(diagnostic): diagnostic for diagnostic in params.context.diagnostics}
    actions: list[types.CodeAction] = []
    for offer in offers(ls, view, start, end, given):
        if only is None or any(_within(offer.kind, str(getattr(kind, "value", kind))) for kind in only):
            actions.append(_action(ls, view, offer, diagnostics))
    return actions


async def resolve(ls: EcholotServer, action: types.CodeAction) -> types.CodeAction:
    """The edit of a chosen action: what it was offered for is looked up once more, in the text as it is now."""
    data = action.data
    if not isinstance(data, Mapping):
        return action
    await ls.session.at_rest()
    view = ls.session.view(str(data.get("uri")))
    if view is None:
        return action
    action.edit = await asyncio.to_thread(_resolved, ls, view, action.title, data.get("finding"))
    return action


def _resolved(ls: EcholotServer, view: View, title: str, wanted: Any) -> types.WorkspaceEdit | None:
    touched = [each for each in _findings(view) if wanted is not None and _name(each[1]) == wanted]
    return next((_edit(ls, view, offer) for offer in _edits(ls, view, touched) if offer.title == title), None)


def offers(ls: EcholotServer, view: View, start: int, end: int, given: set[tuple[str, int, int]]) -> Iterator[Offer]:
    """Everything that can be done from ``start`` to ``end`` (offsets), the fixes first."""
    touched = [
        (shown, finding, place)
        for shown, finding, place in _findings(view)
        if (place[0] <= end and start <= place[1]) or _place_key(view, finding, place) in given
    ]
    yield from _edits(ls, view, touched)
    own = bool(ls.options.get("commandLinks"))
    for rule in dict.fromkeys(finding.rule for _, finding, _ in touched):
        yield Offer(f"Explain {rule}", "quickfix", command=command("Explain", "explainRule", {"rule": rule}, own))
    for shown in view.servers:
        here = view.now(shown, shown.server.place)
        if here is not None and _touches_lines(view, here, start, end):
            yield from _commands(ls, view, shown, own)


def _touches_lines(view: View, place: tuple[int, int], start: int, end: int) -> bool:
    """Whether a range touches the lines of a place: a lens stands above the line, whatever the column of the cursor."""
    lines = view.lines
    first, last = (lines.position(offset, "utf-32").line for offset in place)
    return lines.position(start, "utf-32").line <= last and first <= lines.position(end, "utf-32").line


def _edits(ls: EcholotServer, view: View, touched: list[Touched]) -> Iterator[Offer]:
    for shown, finding, _ in touched:
        if finding.fix is not None and _is_now(view, shown):
            made = fixing.edits_of_one(shown, finding)
            if made:
                title = finding.fix.title if finding.fix.safe else f"{finding.fix.title} (look it over)"
                change = made, _texts(shown, made)
                yield Offer(title, "quickfix", finding, partial(_same, change), preferred=finding.fix.safe)
    yield from _fix_all(view)
    for shown, finding, place in touched:
        yield from _ignores(ls, view, shown, finding, place)


def _same(change: Change) -> Change:
    return change


Touched = tuple[Shown, Finding, tuple[int, int]]
"""A finding, its server, and where it stands in the text as it is now."""


def _findings(view: View) -> Iterator[Touched]:
    for shown in view.servers:
        for finding in shown.report.findings:
            place = view.now(shown, finding.span)
            if place is not None and finding.default is Default.ON:
                yield shown, finding, place


def _is_now(view: View, shown: Shown) -> bool:
    return view.source(shown).text == view.document.text


def _fix_all(view: View) -> Iterator[Offer]:
    """All safe fixes of the document at once."""
    safe = [
        (shown, [each for each in shown.report.findings if each.fix is not None and each.fix.safe and each.default is Default.ON])
        for shown in view.servers
        if _is_now(view, shown)
    ]
    count = sum(len(findings) for _, findings in safe)

    def change() -> Change:
        made = [edit for shown, findings in safe for edit in fixing.edits(shown, findings).get(view.path, ())]
        return {view.path: apart(made)}, {}

    if count:
        yield Offer(f"Fix all that is safe to fix ({count})", FIX_ALL, change=change)


def _ignores(ls: EcholotServer, view: View, shown: Shown, finding: Finding, place: tuple[int, int]) -> Iterator[Offer]:
    if not _is_now(view, shown):
        return
    tool = None if finding.index is None else shown.server.tools[finding.index]
    if shown.server.origin == "python":
        home = None if tool is None else view.now(shown, tool.home)
        for title, edit in ignoring.comments(view, finding, place, tool, home):
            yield Offer(title, "quickfix", finding, partial(_same, ({view.path: [edit]}, {})))
    files = Disk(ls.session.documents.buffers())
    root = next((root for root in ls.session.roots if view.path.startswith(root)), "")
    file, text, edit = ignoring.in_settings(finding, view.path, shown.server.name, files, root)
    if text is not None or (root and creates_files(ls)):
        what = f" for {tool.name}" if tool is not None and tool.name else ""
        change: Change = {file: [edit]}, {} if text is None else {file: text}
        yield Offer(f"Ignore {finding.rule}{what} in the settings", "quickfix", finding, partial(_same, change))


def _commands(ls: EcholotServer, view: View, shown: Shown, own: bool) -> Iterator[Offer]:
    target: dict[str, Any] = {"uri": view.document.uri, "server": shown.server.name}
    wanted: list[tuple[str, str, dict[str, Any]]] = [("Show how a model sees this server", "openCard", {})]
    titles = {"anthropic": "Anthropic", "openai": "OpenAI", "gemini": "Gemini"}
    wanted += [(f"Show the list as {title} receives it", "openProviderJson", {"provider": each}) for each, title in titles.items()]
    if own:
        wanted.append(("Try with a model", "tryWithModel", {}))
    wanted.append(("Check the running server", "checkLive", {}))
    for title, name, more in wanted:
        if own or f"echolot.server.{name}" in ls.protocol.fm.commands:
            yield Offer(title, "source", command=command(title, name, {**target, **more}, own))


def _texts(shown: Shown, edits: Edits) -> dict[str, str]:
    return {path: shown.server.sources[path].text for path in edits}


def _action(ls: EcholotServer, view: View, offer: Offer, diagnostics: Mapping[Any, types.Diagnostic]) -> types.CodeAction:
    action = types.CodeAction(title=offer.title, kind=offer.kind, command=offer.command)
    if offer.finding is not None:
        place = next((place for _, finding, place in _findings(view) if finding is offer.finding), None)
        known = diagnostics.get(_place_key(view, offer.finding, place)) if place is not None else None
        action.diagnostics = [known] if known is not None else None
    if offer.preferred and _prefers(ls):
        action.is_preferred = True
    if offer.change is not None:
        if _resolves(ls):
            action.data = _data(view, offer)
        else:
            action.edit = _edit(ls, view, offer)
    return action


def _data(view: View, offer: Offer) -> dict[str, Any]:
    """What finds an offer again, together with its title."""
    return {"uri": view.document.uri, "finding": None if offer.finding is None else _name(offer.finding)}


def _name(finding: Finding) -> list[Any]:
    return [finding.rule, finding.index, [str(step) for step in finding.path]]


def _edit(ls: EcholotServer, view: View, offer: Offer) -> types.WorkspaceEdit:
    assert offer.change is not None
    edits, texts = offer.change()
    return workspace_edit(ls, {view.path: view.document.text, **texts}, edits)


def _key(diagnostic: types.Diagnostic) -> tuple[str, int, int]:
    return str(diagnostic.code), diagnostic.range.start.line, diagnostic.range.start.character


def _place_key(view: View, finding: Finding, place: tuple[int, int]) -> tuple[str, int, int]:
    start = view.position(place[0])
    return finding.rule, start.line, start.character


def _within(kind: str, wanted: str) -> bool:
    return wanted == "" or kind == wanted or kind.startswith(wanted + ".")


def _code_action(ls: EcholotServer) -> types.CodeActionClientCapabilities | None:
    text = ls.capabilities.text_document
    return text.code_action if text else None


def _resolves(ls: EcholotServer) -> bool:
    able = _code_action(ls)
    return bool(able and able.data_support and able.resolve_support and "edit" in able.resolve_support.properties)


def _prefers(ls: EcholotServer) -> bool:
    able = _code_action(ls)
    return bool(able and able.is_preferred_support)
