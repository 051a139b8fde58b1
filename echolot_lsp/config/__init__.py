"""Settings and suppression: ``[tool.echolot]`` in pyproject.toml or echolot.toml, an editor's settings, ignore comments.

``load`` reads the file for a path, ``from_mapping`` an editor's settings; ``merge`` lays the layers over one another (defaults,
file, then editor or command line); ``apply`` is the one step after ``check``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from echolot_lsp.config.find import Loaded, find, load, read_file
from echolot_lsp.config.layers import Fault, Layer, merge, read_layer
from echolot_lsp.config.own_rules import OWN_RULES, every_rule, rule_ids
from echolot_lsp.config.settings import Settings

__all__ = [
    "OWN_RULES",
    "Fault",
    "Layer",
    "Loaded",
    "Settings",
    "every_rule",
    "find",
    "from_mapping",
    "load",
    "merge",
    "read_file",
    "rule_ids",
]

EDITOR_ONLY = ("server", "trace", "enable", "inlayHints", "codeLens")
"""Keys of an editor's ``echolot`` section that are about the editor, not about the list."""


def from_mapping(data: Mapping[str, Any], origin: str = "editor", folder: str | None = None) -> tuple[Layer, tuple[Fault, ...]]:
    """An editor's settings (the ``echolot`` section, camelCase or as in TOML; ``trial.model`` may be nested) as a layer.

    ``None`` and empty values stand for "not set", as editors send every key that they know.
    """
    flat: dict[str, Any] = {}
    known = {"trial": ("model",), "context": ("window",), "client": ("prefixes",)}
    for key, value in data.items():
        if key in known and isinstance(value, Mapping):
            flat.update({f"{key}-{part}": item for part, item in value.items()})
        else:
            flat[key] = value
    said = {key: value for key, value in flat.items() if value is not None and value != "" and value != [] and value != {}}
    return read_layer(said, origin=origin, rules=rule_ids(), folder=folder, foreign=EDITOR_ONLY)
