"""The JSON Schema of the settings, for completion in TOML editors, and their table in the README.

``python -m echolot_lsp.config.schema`` writes both anew.
"""

from __future__ import annotations

import json
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.config.settings import INTERNAL, RuleId, RulePattern, Settings, spelling

FILE = Path(__file__).with_name("settings.schema.json")


def settings_schema() -> dict[str, Any]:
    """The schema of ``echolot.toml`` and of ``[tool.echolot]``, made from the ``Settings`` dataclass."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of Echolot",
        "$defs": {"rule": {"enum": sorted(rule_ids())}},
        **_record(Settings),
    }


def _record(of: type) -> dict[str, Any]:
    hints = typing.get_type_hints(of)
    members = {}
    for field in fields(of):
        if field.name not in INTERNAL:
            members[spelling(field.name)] = {"description": field.metadata["doc"], **_schema(hints[field.name])}
    return {"type": "object", "properties": members, "additionalProperties": False}


def _schema(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _schema(next(each for each in arguments if each is not NoneType))
    if hint is RuleId:
        return {"$ref": "#/$defs/rule"}
    if hint is RulePattern:
        return {"anyOf": [{"$ref": "#/$defs/rule"}, {"type": "string", "pattern": "\\*"}]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0])}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _table(arguments)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [each.value for each in hint]}
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    return {"type": "integer", "minimum": 1} if hint is int else {"type": "string"}


def _table(arguments: tuple[Any, ...]) -> dict[str, Any]:
    table = {"type": "object", "additionalProperties": _schema(arguments[1])}
    return table if arguments[0] is str else {**table, "propertyNames": _schema(arguments[0])}


def rendered() -> str:
    """The schema as the file holds it."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


def settings_table() -> str:
    """The settings as a Markdown table."""
    defaults = Settings()
    rows = ["| key | default | |", "|---|---|---|"]
    for field in fields(Settings):
        if field.name not in INTERNAL:
            default = getattr(defaults, field.name)
            shown = "" if not default else ", ".join(default) if isinstance(default, tuple) else f"{default}"
            rows.append(f"| `{spelling(field.name)}` | {shown} | {field.metadata['doc']} |")
    return "\n".join(rows)


def readme_with_table(text: str) -> str:
    """A README with the table between its two marks."""
    start, end = "<!-- settings -->\n", "<!-- /settings -->"
    head, rest = text.split(start)
    return head + start + settings_table() + "\n" + end + rest.split(end)[1]


if __name__ == "__main__":
    FILE.write_text(rendered(), encoding="utf-8")
    readme = FILE.parents[2] / "README.md"
    readme.write_text(readme_with_table(readme.read_text(encoding="utf-8")), encoding="utf-8")
