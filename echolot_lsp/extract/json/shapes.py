"""Which lists of tools a document holds: decided by what is in it, never by its name.

A list is one when most of its entries are tools beyond doubt; a ``tools/list`` result also when its entries can be nothing but
tools with something missing. Everything else is no business of ours, and nothing is said of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from echolot_lsp.extract.json import forms
from echolot_lsp.extract.json.forms import Form
from echolot_lsp.extract.json.nodes import Node
from echolot_lsp.extract.json.outline import ItemNode
from echolot_lsp.model import Unknown

_FEW = 10
"""More entries with a name and a description and nothing else are a catalogue, not tools whose author forgot every schema."""
_SPACE = re.compile(r"\s")

Expand = Callable[[Node], Node]
"""The outer structure of an item that was read in one piece."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool of a list as written: where, and in which form."""

    node: Node
    form: Form


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of tools: its entries, the characters that stand for the list, and what the document says of it."""

    entries: tuple[Entry, ...]
    place: tuple[int, int]
    name: str | None = None
    complete: bool = True
    more: bool = False
    """It is a page, and another one follows (``nextCursor``)."""


def listings(root: Node, expand: Expand) -> Iterator[Listing]:
    """Every list of tools in a value of a document."""
    if isinstance(root.value, dict):
        yield from _of_object(root, expand)
    elif isinstance(root.value, list):
        found = _of_array(root, _Context(), expand)
        if found is not None:
            yield found
            return
        for child in root.children.values():
            if isinstance(child.value, dict) and ("result" in child.value or "servers" in child.value):
                yield from _of_object(expand(child), expand)


def server_name(value: Any) -> str | None:
    """The server's name, where a document or a message introduces the server (``serverInfo``)."""
    if not isinstance(value, dict):
        return None
    for holder in (value.get("result"), value):
        info = holder.get("serverInfo") if isinstance(holder, dict) else None
        name = info.get("name") if isinstance(info, dict) else None
        if isinstance(name, str) and name:
            return name
    return None


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a list stands, which says how much it takes to believe it."""

    result: bool = False
    """It is the ``tools`` of a ``tools/list`` result and of nothing else."""
    answer: bool = False
    """It is the answer of a JSON-RPC call."""
    form: Form | None = None
    """All its entries are of this form."""


def _own_name(value: Mapping[str, Any]) -> str | None:
    name = value.get("name")
    return name if isinstance(name, str) and name else None


def _of_object(node: Node, expand: Expand) -> Iterator[Listing]:
    value: Mapping[str, Any] = node.value
    found: Listing | None = None
    if "manifest_version" in value or "dxt_version" in value:
        found = _bundle(node, expand)
    elif isinstance(value.get("contributes"), dict):
        found = _array_at(node.children.get("contributes"), "languageModelTools", _Context(form=forms.VSCODE), expand)
    elif isinstance(value.get("result"), dict):
        result = node.children["result"]
        found = _array_at(result, "tools", _Context(result=True, answer="jsonrpc" in value), expand)
        found = found and replace(found, more=bool(result.value.get("nextCursor")))
    else:
        found = _plain(node, expand)
    if found is not None:
        yield replace(found, name=server_name(value) or _own_name(value))
    elif isinstance(value.get("servers"), list):
        for child in node.children["servers"].children.values():
            if isinstance(child.value, dict) and "tools" in child.value:
                yield from _of_object(expand(child), expand)
    elif (tool := _single(node, expand)) is not None:
        yield tool


def _plain(node: Node, expand: Expand) -> Listing | None:
    found = _array_at(node, "tools", _Context(result=_is_result(node.value)), expand)
    if found is not None:
        return replace(found, more=bool(node.value.get("nextCursor")))
    found = _array_at(node, "functions", _Context(), expand)
    for key in ("functionDeclarations", "function_declarations"):
        found = found or _array_at(node, key, _Context(form=forms.GEMINI), expand)
    return found


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() <= forms.RESULT_KEYS


def _bundle(node: Node, expand: Expand) -> Listing | None:
    tools = node.value.get("tools")
    if not isinstance(tools, list) or not all(isinstance(tool, dict) and "name" in tool for tool in tools):
        return None
    found = _array_at(node, "tools", _Context(form=forms.BUNDLE), expand)
    generated = node.value.get("tools_generated") is True
    return found and replace(found, complete=not generated)


def _single(node: Node, expand: Expand) -> Listing | None:
    """A document that is one tool."""
    form = forms.form_of(node.value)
    if form is None and forms.is_faulty_tool(node.value) and isinstance(node.value.get("inputSchema"), dict):
        form = forms.MCP
    if form is None or (form is forms.OPENAI and "description" not in node.value and node.value.get("type") != "function"):
        return None
    return Listing((Entry(node, form),), (node.start, node.start + 1))


def _array_at(holder: Node | None, key: str, context: _Context, expand: Expand) -> Listing | None:
    node = holder.children.get(key) if holder is not None else None
    if node is None or not isinstance(node.value, list):
        return None
    return _of_array(node, context, expand)


def _of_array(node: Node, context: _Context, expand: Expand) -> Listing | None:
    place = node.key or (node.start, node.start + 1)
    children = [node.children[index] for index in range(len(node.value))]
    if context.form is not None:
        entries = [Entry(child, _fixed(child.value, context.form)) for child in children if isinstance(child.value, dict)]
        return Listing(tuple(entries), place)
    declared = [child for child in children if _declarations(child.value) is not None]
    if declared:
        return Listing(tuple(_declared(children, expand)), place)
    found = [forms.form_of(child.value) for child in children]
    sure = sum(form is not None for form in found)
    others = [child for form, child in zip(found, children, strict=True) if form is None and not _half_read(child)]
    doubtful = len(others)
    if forms.MCP not in found:  # a request's tools: those of the provider say nothing against the functions
        doubtful -= sum(
            isinstance(child.value, dict) and "type" in child.value and forms.is_provider_tool(child.value) for child in others
        )
    if sure and sure >= doubtful:
        main = Counter(form for form in found if form is not None).most_common(1)[0][0]
        return Listing(tuple(_entries(children, found, main)), place)
    if context.result and _are_faulty_tools(children, context.answer):
        return Listing(tuple(Entry(child, forms.MCP) for child in children), place)
    return None


def _are_faulty_tools(children: list[Node], answer: bool) -> bool:
    """Whether the entries of a result are tools, although none is one beyond doubt."""
    faulty = [child for child in children if forms.is_faulty_tool(child.value, answer=answer, half_read=_half_read(child))]
    if len(faulty) * 2 < len(children):
        return False
    if answer or not faulty or any("inputSchema" in child.value or _half_read(child) for child in faulty):
        return True
    names = [child.value["name"] for child in faulty]
    return len(names) <= _FEW and not any(isinstance(name, str) and _SPACE.search(name) for name in names)


def _fixed(value: Any, form: Form) -> Form:
    return forms.declaration_form(value) if form is forms.GEMINI else form


def _half_read(node: Node) -> bool:
    return isinstance(node.value, Unknown) or (isinstance(node, ItemNode) and node.item.lost)


def _entries(children: list[Node], found: list[Form | None], main: Form) -> Iterator[Entry]:
    """An MCP list keeps every entry in its place; a request's tools keep the functions only."""
    for child, form in zip(children, found, strict=True):
        if main is forms.MCP:
            yield Entry(child, forms.MCP)
        elif form is not None or not forms.is_provider_tool(child.value):
            yield Entry(child, form or main)


def _declarations(value: Any) -> str | None:
    """The key of Gemini's declarations in an entry of a request's tools."""
    if isinstance(value, dict):
        for key in ("functionDeclarations", "function_declarations"):
            if isinstance(value.get(key), list):
                return key
    return None


def _declared(children: list[Node], expand: Expand) -> Iterator[Entry]:
    for child in children:
        key = _declarations(child.value)
        form = forms.form_of(child.value)
        if key is not None:
            inner = expand(child).children.get(key)
            for declaration in inner.children.values() if inner is not None else ():
                if isinstance(declaration.value, dict):
                    yield Entry(declaration, forms.declaration_form(declaration.value))
        elif form is not None:
            yield Entry(child, form)
