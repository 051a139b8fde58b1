"""Server objects as the source builds them: what was registered, in order, and what is not sure about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from echolot_lsp.extract.python.declaration import FrameworkObject, Profile, Via
from echolot_lsp.extract.python.values import ClassValue, Raised, Where


class FrameworkRaised(Raised):
    """The framework itself raises here: nothing starts."""

    rule = "py-list-fails"

    def __init__(self, name: str, message: str = "", value: Any = None) -> None:
        super().__init__(name, message, value)
        self.stops = True


@dataclass(slots=True, eq=False)
class ToolValue:
    """A tool: a registered function, ``Tool.from_function(…)``, or a literal ``types.Tool(…)`` (``via`` low)."""

    function: Any
    arguments: dict[str, Any]
    via: Via
    site: Where
    step: int = 0
    doubt: str | None = None
    transform: FrameworkObject | None = None
    parent: ToolValue | None = None
    decorator: Where | None = None
    """The decorator or call that registers it."""
    overrides: dict[str, Any] = field(default_factory=dict)
    """Parts of the wire that the server's own code has replaced."""


@dataclass(slots=True, eq=False)
class Mounted:
    """Another server whose tools appear in this one, under a prefix."""

    server: ServerValue
    prefix: Any
    site: Where
    copied: list[Entry] | None = None
    """``import_server``: the tools at that time."""


Entry: TypeAlias = ToolValue | Mounted


@dataclass(slots=True, eq=False)
class ServerValue:
    """A ``FastMCP``, ``MCPServer`` or low-level ``Server`` object."""

    profile: Profile
    name: Any
    site: Where
    dotted: str
    cls: ClassValue | None = None
    options: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    handler: Any = None
    """What answers ``tools/list`` in place of the registered tools."""
    steps: list[tuple[str, list[Any], dict[str, Any], Where]] = field(default_factory=list)
    """Visibility, transforms and middleware, in order."""
    unsure: list[tuple[str, Where | None]] = field(default_factory=list)
    raised: list[tuple[Raised, Where | None]] = field(default_factory=list)
    misfit: str | None = None
    imported: tuple[str, Where | None] = ("", None)
    rewritten: str | None = None
    """Why any of the tools may be another than was registered."""
    ran: bool = False
    mounted: bool = False
    doubt: str | None = None
    subclass_lists: bool = False
    used: set[str] = field(default_factory=set)
    """Its attributes that the source has asked for."""

    @property
    def framework(self) -> str:
        """``sdk``, ``fastmcp`` or ``low``."""
        return self.profile.framework


@dataclass(slots=True, eq=False)
class Facet:
    """The low-level server inside another one (``mcp._mcp_server``)."""

    server: ServerValue


@dataclass(slots=True, eq=False)
class Handlers:
    """``server.request_handlers``: only the handler of ``tools/list`` matters."""

    server: ServerValue
