"""The settings in force, each with where it comes from, as TOML with comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from echolot_lsp.config.settings import INTERNAL, Settings, spelling
from echolot_lsp.render.cells import padded
from echolot_lsp.render.clean import clean


def settings_text(settings: Settings) -> str:
    """One line a setting: ``context-window = 200000   # default``. A setting without a value is commented out."""
    lines: list[tuple[str, str]] = []
    for field in fields(settings):
        if field.name not in INTERNAL:
            lines += _lines(spelling(field.name), getattr(settings, field.name), settings.origins)
    width = min(60, max(len(text) for text, _ in lines))
    return "\n".join(f"{padded(clean(text), width)}  # {clean(origin)}" for text, origin in lines)


def _lines(key: str, value: Any, origins: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    origin = origins.get(key, "default")
    if isinstance(value, Mapping) and value:
        for part, item in value.items():
            yield f"{key}.{_toml_key(part)} = {_toml(item)}", origins.get(f"{key}.{part}", origin)
    elif value is None or value == {}:
        yield f"# {key} is not set", origin
    else:
        yield f"{key} = {_toml(value)}", origin


def _toml(value: Any) -> str:
    if isinstance(value, Enum):
        return json.dumps(value.value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if is_dataclass(value):
        said = {spelling(field.name): getattr(value, field.name) for field in fields(value)}
        return _inline({key: item for key, item in said.items() if item is not None and item != {} and item != ()})
    if isinstance(value, Mapping):
        return _inline(value)
    return json.dumps(value, ensure_ascii=False)


def _inline(table: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in table.items()) + " }"


def _toml_key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)
