"""Finding and reading the settings file: ``echolot.toml``, or ``pyproject.toml`` with a ``[tool.echolot]`` table, upwards from a file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from echolot_lsp.config.layers import Fault, Layer, Route, read_layer
from echolot_lsp.config.own_rules import rule_ids
from echolot_lsp.files import Files
from echolot_lsp.model import Source, Span, Trouble

OWN_FILE = "echolot.toml"
PROJECT_FILE = "pyproject.toml"
EMPTY = Layer({}, {})


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a settings file says. ``troubles`` name what is wrong with it, at their places in ``source``."""

    layer: Layer = EMPTY
    file: str | None = None
    source: Source | None = None
    troubles: tuple[Trouble, ...] = field(default=())


def find(path: str, files: Files) -> str | None:
    """The settings file for the file or folder ``path``: the nearest one upwards. ``echolot.toml`` wins in its folder."""
    folder = os.path.abspath(path)
    if not files.is_folder(folder):
        folder = os.path.dirname(folder)
    while True:
        own = os.path.join(folder, OWN_FILE)
        if files.is_file(own):
            return own
        project = os.path.join(folder, PROJECT_FILE)
        if b"echolot" in (files.bytes(project) or b"") and _speaks_of_us(project, files):
            return project
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _speaks_of_us(project: str, files: Files) -> bool:
    """Whether a project file has our table; one that cannot be read as TOML counts where its text looks like it."""
    text = files.text(project) or ""
    data, trouble = _parsed(project, text)
    if trouble is not None:
        return re.search(r"^[ \t]*\[+[ \t]*tool[ \t]*\.[ \t]*echolot\b", text, re.M) is not None
    tool = data.get("tool")
    return isinstance(tool, dict) and "echolot" in tool


def load(path: str, files: Files) -> Loaded:
    """What the settings file for ``path`` says; nothing where there is none. Never raises on bad content."""
    file = find(path, files)
    return Loaded() if file is None else read_file(file, files)


def read_file(file: str, files: Files) -> Loaded:
    """What one settings file says. A file that is no TOML says nothing, and its trouble is fatal."""
    text = files.text(file)
    if text is None:
        return Loaded(file=file, troubles=(Trouble(file, "The settings file cannot be read.", fatal=True),))
    source = Source(file, text)
    data, trouble = _parsed(file, text)
    if trouble is not None:
        return Loaded(file=file, source=source, troubles=(trouble,))
    table, prefix = _our_table(data, os.path.basename(file))
    if not isinstance(table, Mapping):
        return Loaded(file=file, source=source, troubles=(Trouble(file, "tool.echolot must be a table.", fatal=True),))
    places = _places(text)
    lines = {route[len(prefix) :]: text.count("\n", 0, place[0]) for route, place in places.items()}
    layer, faults = read_layer(table, origin=shown_path(file), rules=rule_ids(), folder=os.path.dirname(file), lines=lines)
    return Loaded(layer, file, source, tuple(_trouble(file, fault, prefix, places) for fault in faults))


def _our_table(data: Mapping[str, Any], name: str) -> tuple[Any, Route]:
    tool = data.get("tool")
    if isinstance(tool, Mapping) and "echolot" in tool:
        return tool["echolot"], ("tool", "echolot")
    return (data, ()) if name != PROJECT_FILE else ({}, ())


def _parsed(file: str, text: str) -> tuple[Mapping[str, Any], Trouble | None]:
    import tomllib

    try:
        return tomllib.loads(text), None
    except tomllib.TOMLDecodeError as error:
        message, offset = _told(str(error), text)
        return {}, Trouble(file, message, Span(file, "", offset, offset), fatal=True)
    except RecursionError:
        return {}, Trouble(file, "The settings file is nested too deeply.", Span(file, "", 0, 0), fatal=True)


def _told(error: str, text: str) -> tuple[str, int]:
    """tomllib's message without its place, and the place as an offset (code points)."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", error, re.S)
    if match is None:
        return f"This is no TOML: {error.removesuffix(' (at end of document)')}.", len(text)
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    line = min(int(match[2]), len(starts)) - 1
    return f"This is no TOML: {match[1]}.", min(starts[line] + int(match[3]) - 1, len(text))


def _places(text: str) -> Mapping[Route, tuple[int, int]]:
    from echolot_lsp.config.toml_places import key_places

    return key_places(text)


def _trouble(file: str, fault: Fault, prefix: Route, places: Mapping[Route, tuple[int, int]]) -> Trouble:
    route = (*prefix, *fault.route)
    while route and route not in places:
        route = route[:-1]
    start, end = places.get(route, (0, 0))
    return Trouble(file, fault.message, Span(file, "", start, end))


def shown_path(file: str) -> str:
    """A path as a person would write it: relative where it lies below the working folder."""
    if not os.path.isabs(file):
        return file
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # the working folder is gone, or on another drive
        return file
    return file if relative.startswith("..") else relative
