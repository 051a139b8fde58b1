"""What can be set, as one frozen dataclass: the single truth for reading, for the JSON Schema and for the README's table.

Every number is a whole one from 1. In TOML a field is spelt with hyphens (``context-window``), in an editor's settings in camelCase (``contextWindow``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NewType

from echolot_lsp.model import PROVIDERS, Default, ProviderName, Severity

RuleId = NewType("RuleId", str)
"""The id of a rule."""
RulePattern = NewType("RulePattern", str)
"""The id of a rule, or a pattern with ``*`` that several match (``py-*``)."""


def _key(doc: str, default: Any) -> Any:
    """A field with its one-sentence description."""
    if isinstance(default, dict):
        return field(default_factory=dict, metadata={"doc": doc})
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """What differs for some files."""

    paths: tuple[str, ...] = _key("Files, relative to the settings file, with `*` and `**`.", ())
    select: tuple[RulePattern, ...] | None = _key("The rules that speak there.", None)
    ignore: tuple[RulePattern, ...] = _key("Rules that are silent there.", ())
    severity: Mapping[RuleId, Severity] = _key("Severity of single rules there.", {})
    default: Mapping[RuleId, Default] = _key("Where single rules speak there: `on`, `report` or `off`.", {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Servers and tools that are not judged: every part that is given must match."""

    server: str | None = _key("The server's name, with `*`.", None)
    tool: str | None = _key("The tool's name, with `*`. Left out: the whole server.", None)
    path: str | None = _key("The file, relative to the settings file, with `*` and `**`.", None)
    rules: tuple[RulePattern, ...] = _key("The rules that are silent. Left out: all of them.", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPrompt:
    """Something a user might ask, and the tool that a model should call for it."""

    text: str = _key("What the user says.", "")
    expect: str | None = _key('The tool that should be called; `""`: none.', None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveServer:
    """How a running server is reached: a command to start, or an address."""

    command: str | None = _key("The program to start.", None)
    args: tuple[str, ...] = _key("Its arguments.", ())
    env: Mapping[str, str] = _key("Environment variables that are added.", {})
    cwd: str | None = _key("The folder to start it in.", None)
    url: str | None = _key("The address of a running server.", None)
    type: Literal["stdio", "http", "sse"] | None = _key("The transport, where it is not plain from the rest.", None)
    headers: Mapping[str, str] = _key("HTTP headers that are sent.", {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. ``origins`` says for each key (TOML spelling) where its value comes from."""

    select: tuple[RulePattern, ...] | None = _key("The rules that run. Left out: every rule that is not off.", None)
    ignore: tuple[RulePattern, ...] = _key("Rules that do not run.", ())
    severity: Mapping[RuleId, Severity] = _key("Severity of single rules: `problem`, `warning` or `note`.", {})
    default: Mapping[RuleId, Default] = _key(
        "Where single rules speak: `on` (a diagnostic), `report` (only in the report) or `off`.", {}
    )
    overrides: tuple[Override, ...] = _key("What differs for some files; the last one that matches wins.", ())
    ignored: tuple[Ignored, ...] = _key("Servers and tools that are not judged.", ())
    server_name: str | None = _key("The server's name in the clients' settings, where it is not the one in the source.", None)
    client_prefixes: tuple[str, ...] = _key("What clients put before each tool's name, such as `mcp__depot__`.", ())
    context_window: int = _key("The context, in tokens, that shares are given of.", 200_000)
    budget: int | None = _key("Tokens a turn that the list may cost at the dearest provider.", None)
    framework: str | None = _key("The framework, and its version if need be: `fastmcp==3.4`.", None)
    python: str | None = _key("The Python version that the server runs on: `3.12`.", None)
    environment: str | None = _key("The server's virtual environment, relative to the settings file.", None)
    providers: tuple[ProviderName, ...] = _key("The providers that are shown.", PROVIDERS)
    models: Mapping[ProviderName, str] = _key("The model that a provider's tokens are counted for.", {})
    trial_model: str | None = _key("The model that prompts are tried with: `provider/model`.", None)
    prompts: tuple[SavedPrompt, ...] = _key("Prompts that `echolot mcp try --all` tries.", ())
    servers: Mapping[str, LiveServer] = _key("Running servers that can be checked by name.", {})
    live_check: Literal["asked", "saved", "followed"] = _key(
        "When the editor checks a running server again that you had it check: when you ask (`asked`), also when a file that it runs"
        " from is saved (`saved`), or also when it tells that its list has changed (`followed`: it is kept running).",
        "asked",
    )
    folder: str = field(default="", repr=False)
    """The folder of the settings file: what relative paths start from."""
    origins: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By key, and by ``key.part`` for tables: ``echolot.toml:3``, ``editor``, ``--python``. Missing: the default."""


INTERNAL = ("folder", "origins")
"""Fields that nobody sets."""


def spelling(name: str) -> str:
    """A field's name as TOML spells it."""
    return name.replace("_", "-")


def keys(of: type) -> Mapping[str, str]:
    """TOML keys of a settings class to its field names."""
    return {spelling(each.name): each.name for each in fields(of) if each.name not in INTERNAL}
