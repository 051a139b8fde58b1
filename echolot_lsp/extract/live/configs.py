"""The servers that a client's configuration file names: ``.vscode/mcp.json``, ``.mcp.json``, ``mcp.json``, Claude Desktop's, Cursor's.

Variables are expanded as the file's owner does it, and only those; one that has no value is reported as missing, to be asked for,
never guessed. (VS Code: docs "MCP configuration reference" and "Variables reference"; Claude Code: docs "MCP", environment
variable expansion in .mcp.json; Cursor: docs "MCP", config interpolation; all read 2026-11. Claude Desktop expands nothing.)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from echolot_lsp.extract.json.nodes import Node
from echolot_lsp.extract.json.scan import Scanner
from echolot_lsp.extract.live import Target
from echolot_lsp.files import Files
from echolot_lsp.model import Source, Span, Unknown

Owner = Literal["vscode", "claude-code", "claude-desktop", "cursor"]

NAMES = (".vscode/mcp.json", ".mcp.json", "mcp.json", ".cursor/mcp.json")
"""Where configuration files lie, seen from a workspace's folder."""

_VSCODE = re.compile(r"\$\{(?:(input|env|config|command):)?([^}]*)\}")
_CLAUDE_CODE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_ENV_LINE = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=([^\r\n]*)", re.MULTILINE)
INPUT_PREFIX = "ECHOLOT_INPUT_"
"""A variable of the environment that gives an input's value where nobody can be asked: ``ECHOLOT_INPUT_KEY`` for ``${input:key}``."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A variable without a value: what to ask for, whether it is a secret, and which variable of the environment would give it.

    ``default`` may be offered, never taken unasked; ``options`` are the only values that fit, where there are some.
    """

    variable: str
    prompt: str
    secret: bool = False
    default: str | None = None
    options: tuple[str, ...] = ()
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One server of a configuration file. ``target`` is ``None`` where the entry names neither a command nor a URL, or a variable
    is missing; ``problem`` then says why in one sentence."""

    name: str
    place: Span
    target: Target | None
    missing: tuple[Missing, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """What a configuration file names, and its text."""

    source: Source
    owner: Owner
    entries: tuple[Entry, ...]


def read_entries(
    path: str,
    files: Files,
    *,
    environment: Mapping[str, str],
    workspace: str | None = None,
    answers: Mapping[str, str] | None = None,
) -> Entries | None:
    """The entries of a configuration file; ``None`` where it is none. ``answers`` holds values for variables that were missing."""
    text = files.text(path)
    if text is None:
        return None
    return entries_of(path, text, environment=environment, workspace=workspace, answers=answers, files=files)


def entries_of(
    path: str,
    text: str,
    *,
    environment: Mapping[str, str],
    workspace: str | None = None,
    answers: Mapping[str, str] | None = None,
    files: Files | None = None,
) -> Entries | None:
    """The entries in a configuration file's text; half-typed files give those that are whole. ``files``: what an ``envFile`` is
    read through."""
    if '"mcpServers"' not in text and '"servers"' not in text:
        return None
    scan = Scanner(text, tree=True).run()
    document = scan.value
    if not isinstance(document, dict) or scan.node is None:
        return None
    section = next((key for key in ("mcpServers", "servers") if isinstance(document.get(key), dict)), None)
    if section is None or not all(isinstance(entry, (dict, Unknown)) for entry in document[section].values()):
        return None
    owner = _owner(path, section)
    expand = _Expander(owner, document.get("inputs"), environment, workspace or _workspace(path), answers or {}, files)
    nodes = scan.node.children[section].children
    found = tuple(
        _entry(name, entry, nodes[name], path, expand)
        for name, entry in document[section].items()
        if isinstance(entry, dict) and _is_server(entry)
    )
    return Entries(Source(path, text), owner, found) if found or not document[section] else None


def _is_server(entry: Mapping[str, Any]) -> bool:
    return any(key in entry for key in ("command", "url", "serverUrl", "type"))


def _owner(path: str, section: str) -> Owner:
    folder, name = os.path.split(path.replace("\\", "/"))
    if section == "servers":
        return "vscode"
    if os.path.basename(folder) == ".cursor":
        return "cursor"
    return "claude-desktop" if name == "claude_desktop_config.json" else "claude-code"


def _workspace(path: str) -> str:
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.dirname(folder) if os.path.basename(folder) in (".vscode", ".cursor") else folder


def _entry(name: str, entry: Mapping[str, Any], node: Node, path: str, expand: _Expander) -> Entry:
    start, end = node.key or (node.start, node.end)
    place = Span(path, "", start, end)
    asked = expand.copy()
    target = _target(name, entry, asked)
    if target is None:
        return Entry(name, place, None, problem=f"{name} names neither a command nor a URL.")
    if asked.missing:
        wanted = ", ".join(missing.variable for missing in asked.missing)
        instead = ", ".join(missing.environment for missing in asked.missing if missing.environment)
        hint = f": set {instead} in the environment" if instead else ""
        return Entry(name, place, None, tuple(asked.missing), f"{name} needs a value for {wanted}{hint}.")
    if asked.problem:
        return Entry(name, place, None, problem=f"{name}: {asked.problem}")
    return Entry(name, place, target)


def _target(name: str, entry: Mapping[str, Any], expand: _Expander) -> Target | None:
    url = entry.get("url", entry.get("serverUrl"))
    command = entry.get("command")
    if isinstance(command, str) and command:
        arguments = entry.get("args")
        words = [command, *(str(word) for word in arguments)] if isinstance(arguments, list) else [command]
        folder = entry.get("cwd")
        return Target(
            transport="stdio",
            command=tuple(map(expand, words)),
            folder=expand(folder) if isinstance(folder, str) else expand.workspace,
            environment={**expand.file(entry.get("envFile")), **_strings(entry.get("env"), expand)},
            name=name,
        )
    if isinstance(url, str) and url:
        kind: Literal["http", "sse"] = "sse" if entry.get("type", entry.get("transport")) == "sse" else "http"
        return Target(transport=kind, url=expand(url), headers=_strings(entry.get("headers"), expand), name=name)
    return None


def _strings(value: Any, expand: _Expander) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key): expand(part) if isinstance(part, str) else str(part) for key, part in value.items() if part is not None}


class _Expander:
    """Puts values for variables; what has none is collected in ``missing``."""

    def __init__(
        self,
        owner: Owner,
        inputs: Any,
        environment: Mapping[str, str],
        workspace: str,
        answers: Mapping[str, str],
        files: Files | None,
    ) -> None:
        self.owner = owner
        self.workspace = workspace
        self.missing: list[Missing] = []
        self.problem: str | None = None
        self._files = files
        self._inputs = (
            {item["id"]: item for item in inputs if isinstance(item, dict) and "id" in item} if isinstance(inputs, list) else {}
        )
        self._environment = environment
        self._answers = answers
        own: dict[Owner, tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = {
            "vscode": (_VSCODE, self._editor_variable),
            "cursor": (_VSCODE, self._editor_variable),
            "claude-code": (_CLAUDE_CODE, self._environment_variable),
        }
        self._rule = own.get(owner)

    def copy(self) -> _Expander:
        """The same, with nothing missing yet."""
        return _Expander(self.owner, list(self._inputs.values()), self._environment, self.workspace, self._answers, self._files)

    def __call__(self, text: str) -> str:
        return text if self._rule is None else self._rule[0].sub(self._rule[1], text)

    def file(self, name: Any) -> dict[str, str]:
        """The variables of an ``envFile``, where the file's owner knows such a thing."""
        if not isinstance(name, str) or self.owner not in ("vscode", "cursor") or self._files is None:
            return {}
        path = os.path.join(self.workspace, self(name))
        text = self._files.text(path)
        if text is None:
            self.problem = f"its envFile {name} cannot be read."
        return {match[1]: _unquoted(match[2]) for match in _ENV_LINE.finditer(text or "")}

    def _environment_variable(self, match: re.Match[str]) -> str:
        value = self._environment.get(match[1], match[2])
        if value is None:
            return self._asked(Missing(match[1], f"The environment variable {match[1]}", environment=match[1]))
        return value

    def _editor_variable(self, match: re.Match[str]) -> str:
        kind, name = match[1], match[2]
        if kind == "env":
            value = self._environment.get(name, "" if self.owner == "vscode" else None)
            if value is None:
                return self._asked(Missing(f"env:{name}", f"The environment variable {name}", environment=name))
            return value
        if kind == "input":
            return self._input(name)
        if kind is None and name in _PLACES:
            return _PLACES[name](self.workspace)
        return self._asked(Missing(match[0][2:-1], f"The value of {match[0]}"))

    def _input(self, name: str) -> str:
        instead = INPUT_PREFIX + re.sub(r"[^A-Za-z0-9]", "_", name).upper()
        if instead in self._environment:
            return self._environment[instead]
        described = self._inputs.get(name, {})
        default, options = described.get("default"), described.get("options")
        return self._asked(
            Missing(
                f"input:{name}",
                str(described.get("description") or name),
                secret=described.get("password") is True,
                default=default if isinstance(default, str) else None,
                options=tuple(map(_option, options)) if isinstance(options, list) else (),
                environment=instead,
            )
        )

    def _asked(self, missing: Missing) -> str:
        if missing.variable in self._answers:
            return self._answers[missing.variable]
        if all(each.variable != missing.variable for each in self.missing):
            self.missing.append(missing)
        return ""


def _option(option: Any) -> str:
    """An entry of a ``pickString``: a text, or a label with its value."""
    return str(option.get("value", option.get("label"))) if isinstance(option, Mapping) else str(option)


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text.split(" #")[0].rstrip()


_PLACES: Mapping[str, Callable[[str], str]] = {
    "workspaceFolder": lambda workspace: workspace,
    "workspaceFolderBasename": os.path.basename,
    "userHome": lambda workspace: os.path.expanduser("~"),
    "pathSeparator": lambda workspace: os.sep,
    "/": lambda workspace: os.sep,
    "cwd": lambda workspace: os.getcwd(),
}
