"""A call that a model wrote as plain text, as small models do: recognised, so that the reader sees what was meant.

A real client would not see such a call. Forms in use by 2026: a JSON object with a name and arguments (bare, fenced, inside
``<tool_call>`` tags or after ``[TOOL_CALLS]`` or ``<|python_tag|>``), ``<function=name>{…}</function>``, and Python calls in a
``tool_code`` fence. A name that is in the list is enough; one that is not needs the mark of a call around it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from echolot_lsp.trial.reply import Call

LONGEST_TEXT = 60_000
"""Characters of an answer that are searched."""
MOST_CALLS = 32

_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "kwargs")
_MARKS = ("<tool_call", "[TOOL_CALLS]", "<|python_tag|>", "<function_call", "functools[", "```tool_call", "<|tool_call")
_FUNCTION_TAG = re.compile(r"<function=([^>\s]{1,128})>(.*?)</function>", re.DOTALL)
_FENCE = re.compile(r"```(?:tool_code|tool_call|python)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)


def calls_in_text(text: str, names: Collection[str]) -> tuple[Call, ...]:
    """The calls that ``text`` spells out, in order; ``names`` are the tools of the list."""
    text = text[:LONGEST_TEXT]
    marked = any(mark in text for mark in _MARKS)
    found = [*_tagged(text), *_json_calls(text, names, marked), *_python_calls(text, names)]
    unique: list[Call] = []
    for call in found:
        if call not in unique:
            unique.append(call)
    return tuple(unique[:MOST_CALLS])


def _tagged(text: str) -> Iterator[Call]:
    for match in _FUNCTION_TAG.finditer(text):
        try:
            yield Call(match[1], json.loads(match[2] or "{}"), in_text=True)
        except (ValueError, RecursionError):
            yield Call(match[1], match[2], fault="The arguments are not JSON.", in_text=True)


def _json_calls(text: str, names: Collection[str], marked: bool) -> Iterator[Call]:
    decoder = json.JSONDecoder()
    position = text.find("{")
    tries = 0
    while position >= 0 and tries < 500:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position = text.find("{", position + 1)
            continue
        yield from _calls_of(value, names, marked)
        position = text.find("{", end)


def _calls_of(value: Any, names: Collection[str], marked: bool) -> Iterator[Call]:
    """The call that an object is, or the calls that its ``tool_calls`` hold."""
    if not isinstance(value, Mapping):
        return
    for inner in value.get("tool_calls", ()) if isinstance(value.get("tool_calls"), list) else ():
        yield from _calls_of(inner, names, True)
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    if name is None:
        if isinstance(value.get("function"), Mapping):
            yield from _calls_of(value["function"], names, marked)
        elif len(value) == 1:
            ((only, arguments),) = value.items()
            if only in names and isinstance(arguments, Mapping):
                yield Call(only, dict(arguments), in_text=True)
        return
    key = next((key for key in _ARGUMENT_KEYS if key in value), None)
    if name not in names and not (marked and key is not None):
        return
    arguments = value[key] if key is not None else {}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            yield Call(name, arguments, fault="The arguments are not JSON.", in_text=True)
            return
    yield Call(name, arguments, in_text=True)


def _python_calls(text: str, names: Collection[str]) -> Iterator[Call]:
    """``find_parcel(number="P-1")`` alone on a line, in a fence or as the whole answer."""
    bodies = [match[1] for match in _FENCE.finditer(text)] or [text]
    for body in bodies:
        for line in body.strip().splitlines()[:MOST_CALLS]:
            call = _python_call(line.strip(), names)
            if call is not None:
                yield call


def _python_call(line: str, names: Collection[str]) -> Call | None:
    if not line.endswith(")") or len(line) > 4_000:
        return None
    try:
        node = ast.parse(line, mode="eval").body
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" and len(node.args) == 1:
            node = node.args[0]
        if not isinstance(node, ast.Call):
            return None
        name = ast.unparse(node.func)
        short = name.rpartition(".")[2]
        name = name if name in names else short
        if name not in names or node.args:
            return None
        return Call(name, {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}, in_text=True)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None
