"""The contract between reading and dialects: a declared tool with real typing objects, and what a framework makes of it.

The evaluator fills a ``ToolDecl`` from syntax; a dialect's ``wire(decl, profile)`` answers with an ``Outcome``. Neither knows
source offsets: an ``Outcome`` says where a text came from in the declaration's own terms, and the frontend finds the characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from inspect import _ParameterKind as ParameterKind
from typing import Any, Final, Literal, TypeAlias

from echolot_lsp.model import Fact, Path

Framework: TypeAlias = Literal["sdk", "fastmcp", "low"]


class Missing(Enum):
    """``EMPTY``: the source says nothing here (no annotation, no default, argument not given)."""

    EMPTY = "empty"


EMPTY: Final = Missing.EMPTY


@dataclass(frozen=True, slots=True)
class Profile:
    """Whose answer is wanted: the framework, its version (``"2.3.0"``; low: the version of ``mcp``), Python's (``"3.12"``)."""

    framework: Framework
    version: str
    python: str = "3.12"

    @property
    def major(self) -> int:
        """The first number of the version."""
        return int(self.version.split(".", 1)[0])

    @property
    def python_version(self) -> tuple[int, int]:
        """``(3, 12)``."""
        major, minor = self.python.split(".")[:2]
        return int(major), int(minor)


@dataclass(frozen=True, slots=True)
class NameNotFound:
    """An annotation, postponed or quoted, that the framework cannot evaluate from the function's globals.

    ``why``: the name is local to a function, imported under ``TYPE_CHECKING`` only, or defined nowhere in the module.
    """

    name: str
    why: Literal["local", "type-checking", "nowhere"]


class FrameworkClass(type):
    """The metaclass of every stand-in for a class of ``mcp`` or ``fastmcp`` (``Context``, ``Image``, ``ToolResult``, …).

    ``__qualified__`` is the canonical dotted name, ``"mcp.Context"`` style aside: the name the source imported, resolved to
    the module that defines it where known. Compare with ``qualified(obj)``.
    """

    __qualified__: str


def framework_class(qualified_name: str, bases: tuple[type, ...] = (), namespace: Mapping[str, Any] | None = None) -> type:
    """A stand-in class for a framework's class, usable inside typing constructs."""
    body = {"__qualified__": qualified_name, "__module__": qualified_name.rpartition(".")[0], **(namespace or {})}
    return FrameworkClass(qualified_name.rpartition(".")[2], bases, body)


def qualified(value: object) -> str | None:
    """The framework name of a stand-in class or of a ``FrameworkObject``; ``None`` for anything else."""
    if isinstance(value, FrameworkObject):
        return value.cls
    name = getattr(value, "__qualified__", None) if isinstance(value, type) else None
    return name if isinstance(name, str) else None


@dataclass(frozen=True, slots=True, eq=False)
class FrameworkObject:
    """A call of a framework's class or function, kept as written: ``ToolAnnotations(title="T")``, ``Depends(fn)``, ``Icon(…)``.

    ``cls`` is the dotted name as imported (``"mcp.types.ToolAnnotations"``). Values may be ``Unknown``.
    """

    cls: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDecl:
    """One parameter as the framework's ``inspect.signature`` sees it."""

    name: str
    kind: ParameterKind = ParameterKind.POSITIONAL_OR_KEYWORD
    annotation: Any = EMPTY
    """A real typing/pydantic object, resolved through quotes at every depth; ``EMPTY``, ``NameNotFound`` or ``Unknown``."""
    default: Any = EMPTY
    """A value (a real ``FieldInfo`` for ``Field(…)``), a ``FrameworkObject``, ``EMPTY`` or ``Unknown``."""
    quoted_inside: tuple[str, ...] = ()
    """Names quoted *inside* the annotation, as in ``Optional["Item"]`` (not a wholly quoted one)."""


FunctionKind: TypeAlias = Literal[
    "function", "lambda", "method", "unbound-method", "staticmethod", "classmethod", "partial", "callable", "tool"
]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDecl:
    """What is registered: a function as the framework sees it (after decorators, ``functools.wraps``, ``__signature__``)."""

    name: str
    qualname: str
    doc: Any = None
    """``__doc__`` as Python up to 3.12 keeps it (a ``str``), ``None``, or ``Unknown``. The dialect applies 3.13's cleaning."""
    doc_assigned: bool = False
    """``doc`` was assigned to ``__doc__`` at run time, so that Python 3.13's compiler did not clean it."""
    parameters: tuple[ParameterDecl, ...] = ()
    returns: Any = EMPTY
    returns_quoted_inside: tuple[str, ...] = ()
    is_async: bool = False
    is_generator: bool = False
    kind: FunctionKind = "function"
    """``method``: bound, ``self`` is not among the parameters. ``unbound-method``: ``self`` is. ``staticmethod`` and
    ``classmethod``: the descriptor itself was given. ``callable``: an object with ``__call__``. ``tool``: a function that a
    tool decorator has already taken (FastMCP 2 leaves a tool object in its place)."""
    wrapped: bool = False
    """It has ``__wrapped__`` (``functools.wraps``) or ``__signature__``."""
    postponed: bool = False
    """The module has ``from __future__ import annotations``."""
    namespace: Mapping[str, Any] = field(default_factory=dict)
    """Values for the bare names of forward references that still stand inside annotations (recursive aliases and models)."""


Via: TypeAlias = Literal["decorator", "decorator-bare", "add_tool", "from_function", "constructor", "standalone", "low"]


@dataclass(frozen=True, slots=True, eq=False)
class ToolDecl:
    """One registration. ``arguments`` are the registration's arguments by keyword (a positional name is under ``name``), only
    those that were given: ``name title description annotations meta icons structured_output output_schema tags version
    enabled exclude_args …``. ``via`` low: the keyword arguments of ``types.Tool(…)``, as spelt, and no function.
    """

    function: FunctionDecl | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    via: Via = "decorator"
    transform: FrameworkObject | None = None
    """``Tool.from_tool(…)``: its call; ``parent`` is what it transforms."""
    parent: ToolDecl | None = None
    server: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the server object that bear on its tools (``dereference_schemas``, ``strict_input_validation`` …)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text of the wire came from. ``docstring``: ``start`` and ``end`` are offsets in ``FunctionDecl.doc``.

    ``argument``: the registration's argument ``name``. ``annotation`` and ``default``: of the parameter ``name``.
    """

    kind: Literal["docstring", "argument", "annotation", "default", "name", "generated"]
    name: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """The framework raises: with which exception, and what it takes down.

    ``scope``: ``server`` (raised while the source is imported: nothing starts), ``list`` (``tools/list`` fails or never
    answers) or ``tool`` (this tool alone is missing). ``rule`` is the rule that reports it. ``path`` is where in the tool,
    e.g. ``("inputSchema", "properties", "x")``.
    """

    exception: str
    message: str
    scope: Literal["server", "list", "tool"] = "server"
    rule: str = "py-list-fails"
    path: Path = ()
    parameter: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What ``tools/list`` answers for a declaration; parts that are not known are ``model.Unknown``. ``wire`` is ``None`` when
    the tool is not listed at all (it failed, or is switched off)."""

    wire: Mapping[str, Any] | None
    failures: Sequence[Failure] = ()
    origins: Mapping[Path, Origin] = field(default_factory=dict)
    """For texts: ``("description",)``, ``("inputSchema", "properties", "limit", "description")``."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """Property name of the input schema -> parameter name, where they differ (aliases)."""
    facts: tuple[Fact, ...] = ()
    """What only this framework makes of the declaration (``py-hint-keyword-ignored``, ``py-param-underscore`` …)."""
    unsent_descriptions: Mapping[str, str] = field(default_factory=dict)
    """Property name -> text of the docstring's Args section that this framework does not send."""
