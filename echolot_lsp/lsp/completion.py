"""Completion of rule names: in ignore comments of Python, in settings files where rules are named."""

from __future__ import annotations

import re

from lsprotocol import types

from echolot_lsp.lsp.documents import Document
from echolot_lsp.lsp.reading import kind_of
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.text import LineIndex, Position

_COMMENT = re.compile(r"#[ \t]*echolot:[ \t]*ignore(?:-file)?[ \t]*\[[^\]\r\n]*$")
_SETTINGS_LIST = re.compile(r"^[ \t]*(?:select|ignore|rules)[ \t]*=[ \t]*\[(?P<rest>[^\]]*)$")
_SETTINGS_KEY = re.compile(r"^[ \t]*[\"']?[a-z-]*$")
_RULE_TABLE = re.compile(r"^[ \t]*\[(?:tool\.echolot\.)?(?:severity|default)\]", re.M)
_ANY_TABLE = re.compile(r"^[ \t]*\[", re.M)
_WORD = re.compile(r"[a-z0-9-]*$")


def register(server: EcholotServer) -> None:
    """Registers the feature."""
    server.on(types.TEXT_DOCUMENT_COMPLETION, completion, types.CompletionOptions(trigger_characters=["[", ",", '"']))


async def completion(ls: EcholotServer, params: types.CompletionParams) -> list[types.CompletionItem] | None:
    """The rules, where a rule is named."""
    document = ls.session.documents.at(params.text_document.uri)
    if document is None:
        return None
    lines = LineIndex(document.text)
    encoding = ls.session.announced.encoding
    offset = lines.offset(Position(params.position.line, params.position.character), encoding)
    start = word_start(document, offset)
    if start is None:
        return None
    where = types.Range(start=types.Position(*lines.position(start, encoding)), end=params.position)
    from echolot_lsp.config import every_rule

    return [
        types.CompletionItem(
            label=rule.id,
            kind=types.CompletionItemKind.EnumMember,
            detail=f"{rule.severity.value}: {rule.title}",
            text_edit=types.TextEdit(range=where, new_text=rule.id),
        )
        for rule in every_rule().values()
    ]


def word_start(document: Document, offset: int) -> int | None:
    """Where the rule's name begins that is being typed at ``offset``; ``None`` where no rule is named."""
    text = document.text
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    before = text[line_start:offset]
    word = _WORD.search(before)
    assert word is not None
    start = line_start + word.start()
    kind = kind_of(document.path, document.language)
    if kind == "python":
        return start if _COMMENT.search(before) else None
    if kind == "settings" and (_in_list(text[:offset]) or _in_rule_table(text[:line_start], before)):
        return start
    return None


def _in_list(before: str) -> bool:
    """Whether a list of rules is open: ``ignore = ["a", "b``, over several lines too."""
    opening = max(before.rfind("\nselect"), before.rfind("\nignore"), before.rfind("\nrules"))
    head = before[opening + 1 :] if opening >= 0 else before
    match = _SETTINGS_LIST.match(head)
    return match is not None and match["rest"].count('"') % 2 == 1


def _in_rule_table(above: str, before: str) -> bool:
    """Whether a key of ``[severity]`` or ``[default]`` is being typed."""
    if not _SETTINGS_KEY.match(before):
        return False
    tables = list(_ANY_TABLE.finditer(above))
    return bool(tables) and _RULE_TABLE.match(above, tables[-1].start()) is not None
