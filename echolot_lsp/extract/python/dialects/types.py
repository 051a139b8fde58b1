"""Stand-ins for the classes of ``mcp`` and ``fastmcp`` that a signature may name; the product imports neither.

How the evaluator uses them: ``stand_in("mcp.server.fastmcp.Context", profile)`` is the object to put into annotations in place
of what the source imported under that dotted name (any module path that exports it will do: only the first and the last part
count). ``None``: no special class; hand in ``declaration.framework_class(name)``, which every dialect treats as unknown where a
schema would be needed. Calls (``Depends(fn)``, ``Resolve(fn)``, ``ToolAnnotations(…)``, ``Icon(…)``) stay ``FrameworkObject``s,
as a default, in ``Annotated`` metadata and in the registration's arguments. A user's subclass of a stand-in is made by
subclassing it. ``unknown_type(why)`` stands for a type that could not be read, at any depth of an annotation or in a model's
field: the schema there, and only there, becomes ``Unknown``.
"""

from __future__ import annotations

from types import ModuleType
from typing import Annotated, Any

from echolot_lsp.extract.python.declaration import FrameworkClass, FrameworkObject, Profile, framework_class
from echolot_lsp.extract.python.dialects import mcp1, mcp2
from echolot_lsp.extract.python.dialects.unread import no_schema, unknown_type

__all__ = ["is_dependency", "mcp_major", "protocol", "stand_in", "unknown_type"]


def mcp_major(profile: Profile) -> int:
    """The major version of ``mcp`` under a profile: FastMCP 2 and 3 pin 1, FastMCP 4 pins 2."""
    return (2 if profile.major >= 4 else 1) if profile.framework == "fastmcp" else profile.major


def protocol(profile: Profile) -> ModuleType:
    """The protocol's types under a profile: ``mcp1`` or ``mcp2``."""
    return mcp2 if mcp_major(profile) >= 2 else mcp1


def _context(name: str, parameters: int) -> type:
    def subscript(cls: type, arguments: Any) -> type:
        count = len(arguments) if isinstance(arguments, tuple) else 1
        if not parameters:
            raise TypeError(f"type '{cls.__name__}' is not subscriptable")
        if count > parameters:
            raise TypeError(f"Too many arguments for {cls!r}; actual {count}, expected {parameters}")
        return cls

    body = {**no_schema("what a second Context parameter looks like"), "__class_getitem__": classmethod(subscript)}
    return framework_class(name, (), body)


SDK1_CONTEXT = _context("mcp.server.fastmcp.Context", 3)
SDK2_CONTEXT = _context("mcp.server.mcpserver.Context", 2)
FASTMCP_CONTEXT = _context("fastmcp.Context", 0)
SDK_IMAGE = framework_class("mcp.server.fastmcp.Image")
SDK_AUDIO = framework_class("mcp.server.fastmcp.Audio")
IMAGE = framework_class("fastmcp.utilities.types.Image")
AUDIO = framework_class("fastmcp.utilities.types.Audio")
FILE = framework_class("fastmcp.utilities.types.File")
TOOL_RESULT = framework_class("fastmcp.tools.ToolResult", (), no_schema("the schema of ToolResult"))
USER_SESSION = framework_class("fastmcp.server.sessions.UserSession", (), no_schema("the schema of UserSession"))
SESSION_ID = Annotated[str, FrameworkObject("fastmcp.server.sessions.SessionId")]

WITHOUT_SCHEMA = (SDK_IMAGE, SDK_AUDIO, IMAGE, AUDIO, FILE)
"""Classes of which pydantic makes no schema in the real framework either."""

_FASTMCP = {
    "Context": FASTMCP_CONTEXT,
    "Image": IMAGE,
    "Audio": AUDIO,
    "File": FILE,
    "ToolResult": TOOL_RESULT,
    "UserSession": USER_SESSION,
    "SessionId": SESSION_ID,
}
_SDK = {"Image": SDK_IMAGE, "Audio": SDK_AUDIO}


def stand_in(dotted: str, profile: Profile) -> Any:
    """What a name imported from a framework is in an annotation; ``None`` where it needs no stand-in of its own."""
    package, _, name = dotted.partition(".")
    name = name.rpartition(".")[2] or package
    if package == "fastmcp":
        return _FASTMCP.get(name)
    if package not in ("mcp", "mcp_types"):
        return None
    if name == "Context":
        return SDK2_CONTEXT if mcp_major(profile) >= 2 else SDK1_CONTEXT
    found = _SDK.get(name) or getattr(protocol(profile), name, None)
    known = isinstance(found, type) or name == "ContentBlock"
    return found if known and not name.startswith("_") and name not in ("BaseModel", "ConfigDict", "Any") else None


def is_dependency(value: object) -> bool:
    """Whether a default or a piece of ``Annotated`` metadata has FastMCP fill the parameter (``Depends(fn)``, …)."""
    return isinstance(value, FrameworkObject) and (
        value.cls.partition(".")[0] in ("docket", "uncalled_for") or ".dependencies." in value.cls
    )


def is_stand_in_without_role(value: object) -> bool:
    """Whether a class is a framework's, but none that a dialect knows the schema of."""
    return isinstance(value, FrameworkClass) and value not in WITHOUT_SCHEMA and "__get_pydantic_core_schema__" not in vars(value)
