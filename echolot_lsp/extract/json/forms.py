"""How a tool is written in each kind of list, and how it is read back into a tool of MCP."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from echolot_lsp import schema
from echolot_lsp.model import Path, Unknown

TOOL_KEYS = frozenset({"name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution"})
"""The members of an MCP tool (specification 2025-11-25, ``Tool``)."""
RESULT_KEYS = frozenset({"tools", "nextCursor", "_meta", "resultType", "ttlMs", "cacheScope", "$schema", "$comment"})
"""The members of a saved ``tools/list`` result."""
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
_NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """One way to write a tool, told apart by ``name``. ``keys``: where the source has each part of the MCP tool; empty: it is an MCP tool."""

    name: str
    keys: Mapping[str, Path] = field(default_factory=dict)
    google: bool = False
    """The schema is Google's own: types in upper case, counts as text."""
    schema_unknown: bool = False
    """This kind of list holds no schemas."""


def _form(name: str, schema_key: str, *, inside: Path = (), google: bool = False) -> Form:
    keys = {"name": (*inside, "name"), "description": (*inside, "description"), "inputSchema": (*inside, schema_key)}
    return Form(name, keys, google=google)


MCP = Form("mcp")
ANTHROPIC = _form("anthropic", "input_schema")
OPENAI = _form("openai", "parameters")
OPENAI_NESTED = _form("openai-function", "parameters", inside=("function",))
GEMINI = _form("gemini", "parameters", google=True)
GEMINI_SCHEMA = _form("gemini-schema", "parametersJsonSchema")
GEMINI_SCHEMA_SNAKE = _form("gemini-schema-snake", "parameters_json_schema")
VSCODE = Form(
    "vscode",
    {"name": ("name",), "title": ("displayName",), "description": ("modelDescription",), "inputSchema": ("inputSchema",)},
)
"""``contributes.languageModelTools`` of an extension's package.json."""
BUNDLE = Form(
    "bundle",
    {"name": ("name",), "description": ("description",), "inputSchema": ("inputSchema",)},
    schema_unknown=True,
)
"""A tool of an MCP bundle's manifest: names and descriptions only."""


def form_of(entry: Any) -> Form | None:
    """The form of a list's entry that is a tool beyond doubt; ``None`` where it is none, or might be anything."""
    if not isinstance(entry, dict):
        return None
    name = entry.get("name")
    if "inputSchema" in entry:
        has_schema = isinstance(entry["inputSchema"], (dict, Unknown))
        return MCP if has_schema and ("name" in entry or "description" in entry) else None
    function = entry.get("function")
    if isinstance(function, dict) and entry.get("type", "function") == "function" and isinstance(function.get("name"), str):
        return OPENAI_NESTED
    if not isinstance(name, str):
        return None
    if isinstance(entry.get("input_schema"), dict):
        return ANTHROPIC
    return _function_form(entry)


def _function_form(entry: Mapping[str, Any]) -> Form | None:
    if isinstance(entry.get("parametersJsonSchema"), dict):
        return GEMINI_SCHEMA
    if isinstance(entry.get("parameters_json_schema"), dict):
        return GEMINI_SCHEMA_SNAKE
    parameters = entry.get("parameters")
    if isinstance(parameters, dict):
        kind = parameters.get("type")
        if kind == "OBJECT":
            return GEMINI
        if kind == "object" or isinstance(parameters.get("properties"), dict):
            return OPENAI
    return OPENAI if entry.get("type") == "function" else None


def declaration_form(entry: Any) -> Form:
    """The form of an entry of Gemini's ``functionDeclarations``."""
    found = _function_form(entry) if isinstance(entry, dict) else None
    return found if found in (GEMINI_SCHEMA, GEMINI_SCHEMA_SNAKE) else GEMINI


def is_faulty_tool(entry: Any, *, answer: bool = False, half_read: bool = False) -> bool:
    """Whether an entry of a ``tools/list`` result is a tool with something missing or wrong, not a thing of another kind.
    ``answer``: the result is that of a JSON-RPC call; ``half_read``: more stands there than could be read."""
    if not isinstance(entry, dict):
        return False
    if answer:
        return "name" in entry
    if not all(key in TOOL_KEYS or key.startswith("x-") for key in entry):
        return False
    return "inputSchema" in entry or ("name" in entry and (half_read or "description" in entry))


def is_provider_tool(entry: Any) -> bool:
    """Whether an entry of a request's tools is one of the provider's own (``web_search``), which has no schema to look at."""
    if not isinstance(entry, dict):
        return True
    return entry.get("type", "function") not in ("function", "custom") or not ({"name", "description", "function"} & entry.keys())


def read_name(entry: Any, form: Form) -> Any:
    """The tool's name as the entry has it; ``None`` where it has none."""
    try:
        return schema.at(entry, form.keys.get("name", ("name",)))
    except LookupError:
        return None


def read_back(entry: Any, form: Form, *, lost: bool = False) -> dict[str, Any]:
    """The MCP tool that an entry stands for: the entry itself in an MCP list. ``lost``: parts of it could not be read, so what
    is missing is not known."""
    if not isinstance(entry, dict):
        return {"": entry}
    if not form.keys:
        wire = dict(entry) if lost else entry
    else:
        wire = {}
        for key, path in form.keys.items():
            with suppress(LookupError):
                wire[key] = schema.at(entry, path)
        if form.google and "inputSchema" in wire:
            wire["inputSchema"] = _plain_schema(wire["inputSchema"])
    if form.schema_unknown:
        wire.setdefault("inputSchema", Unknown("a bundle's manifest holds no schemas"))
    if lost:
        for key in ("name", "description", "inputSchema"):
            wire.setdefault(key, Unknown("the tool is not finished"))
    elif form.keys:
        wire.setdefault("inputSchema", dict(_NO_PARAMETERS))
    return wire


def _plain_schema(value: Any) -> Any:
    """JSON Schema for Google's own: types in lower case, counts as numbers (proto JSON writes 64-bit numbers as text)."""
    copy = _copy(value)
    for node in schema.walk(copy):
        part = node.schema
        if not isinstance(part, dict):
            continue
        kind = part.get("type")
        if kind == "TYPE_UNSPECIFIED":
            del part["type"]
        elif isinstance(kind, str):
            part["type"] = kind.lower()
        for key in _COUNTS:
            count = part.get(key)
            if isinstance(count, str) and count.isdecimal():
                part[key] = int(count)
    return copy


def google_value(value: Any, path: Path) -> Any:
    """A part of a JSON schema as Google's own form writes it: types in upper case. ``path``: where it stands in the tool."""
    if isinstance(value, str):
        return value.upper() if path[-1:] == ("type",) and schema_keyword(path) else value
    copy = _copy(value)
    for node in schema.walk(copy) if isinstance(copy, dict) and schema_position(path) else ():
        if isinstance(node.schema, dict) and isinstance(node.schema.get("type"), str):
            node.schema["type"] = node.schema["type"].upper()
    return copy


def schema_position(path: Path) -> bool:
    """Whether a subschema stands at a path of a tool."""
    if path[:1] != ("inputSchema",):
        return False
    at = 1
    while at < len(path):
        step = path[at]
        indexed = step == "items" and at + 1 < len(path) and isinstance(path[at + 1], int)
        if indexed or step in schema.SCHEMA_MAPS or step in schema.SCHEMA_LISTS:
            at += 2
        elif step in schema.SCHEMAS:
            at += 1
        else:
            return False
    return at == len(path)


def schema_keyword(path: Path) -> bool:
    """Whether a path of a tool is that of a keyword of a subschema."""
    return len(path) > 1 and schema_position(path[:-1])


def _copy(value: Any) -> Any:
    """A copy of JSON (at most ``MAX_DEPTH`` levels: the scanner cuts the rest)."""
    if isinstance(value, dict):
        return {key: _copy(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copy(part) for part in value]
    return value
