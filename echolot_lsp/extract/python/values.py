"""What interpreting syntax gives: plain Python values that know where they stand, and symbols for functions, classes, servers.

Texts, dicts and lists carry the place that wrote them (``where``), so that a schema assembled by helper functions still points
at the literal. Nothing here runs user code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.model import Span, Unknown

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Where(NamedTuple):
    """A place that is resolved to characters only when somebody asks."""

    unit: Unit
    node: ast.AST

    def span(self) -> Span:
        """The characters of the node."""
        if isinstance(self.node, ast.keyword) and self.node.arg is not None:
            start = self.unit.start(self.node)
            return Span(self.unit.file, self.unit.key, start, start + len(self.node.arg))
        return self.unit.span(self.node)


class Text(str):
    """A string that knows where it was written."""

    __slots__ = ("where",)
    where: Where | None

    def __new__(cls, value: str, where: Where | None = None) -> Text:
        text = super().__new__(cls, value)
        text.where = where
        return text


class Dict(dict[Any, Any]):
    """A dict that knows where it was written; its keys and values know it of themselves."""

    __slots__ = ("places", "unsure", "where")

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (), where: Where | None = None) -> None:
        super().__init__(items)
        self.where = where
        self.unsure: str | None = None
        self.places: dict[Any, Where] = dict(items.places) if isinstance(items, Dict) else {}
        """Places of values that cannot carry their own (numbers, booleans)."""


class List(list[Any]):
    """A list that knows where it was written, and why it may hold something else than is known (``unsure``)."""

    __slots__ = ("unsure", "where")

    def __init__(self, items: Iterable[Any] = (), where: Where | None = None) -> None:
        super().__init__(items)
        self.where = where
        self.unsure: str | None = items.unsure if isinstance(items, List) else None


def where_of(value: object) -> Where | None:
    """Where a value was written, when it knows."""
    return value.where if isinstance(value, (Text, Dict, List)) else None


def plain(value: Any, depth: int = 40) -> Any:
    """A value without places, down to exact built-in types; symbols and real objects stay as they are."""
    if depth <= 0:
        return Unknown("nested too deep")
    kind = type(value)
    if kind is Text:
        return str.__str__(value)
    if kind is Dict or kind is dict:
        return {plain(key): plain(item, depth - 1) for key, item in value.items()}
    if kind is List or kind is list:
        return [plain(item, depth - 1) for item in value]
    if kind is tuple:
        return tuple(plain(item, depth - 1) for item in value)
    if kind is set:
        return {plain(item, depth - 1) for item in value}
    if kind is frozenset:
        return frozenset(plain(item, depth - 1) for item in value)
    return value


class Scope:
    """Names of a module, a function call or a class body."""

    __slots__ = ("bound_at", "function", "globals", "is_class", "module", "names", "nonlocals", "parent", "rebound")

    def __init__(self, module: ModuleValue, parent: Scope | None = None, *, is_class: bool = False) -> None:
        self.names: dict[str, Any] = {}
        self.module = module
        self.parent = parent
        self.is_class = is_class
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.function: FunctionValue | None = None
        self.bound_at: dict[str, int] = {}
        self.rebound: frozenset[str] = frozenset()
        """Names that were bound more than once, or deleted: what they are depends on when they are read."""


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module of the workspace: its names once it has been interpreted (in part, while it is)."""

    name: str
    path: str
    package: str
    scope: Scope = field(init=False)
    postponed: bool = False
    only_checking: set[str] = field(default_factory=set)
    """Names that are imported under ``TYPE_CHECKING`` only."""
    starred: str | None = None
    """Why names may exist that are not known: a star import of an unknown module."""
    broken: bool = False
    """A block could not be read, so a missing name may be defined there."""
    all_names: list[str] | None = None

    def __post_init__(self) -> None:
        self.scope = Scope(self)


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function of the source: never called by Python, only interpreted."""

    node: Definition
    unit: Unit
    scope: Scope
    name: str
    qualname: str
    doc: Any = None
    captured: Mapping[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    wrapped: Any = None
    """The function that ``functools.wraps`` or ``__wrapped__`` names."""
    signature: Any = None
    """``__signature__`` when it was set: an ``inspect.Signature``, or ``Unknown``."""
    annotations: Any = None
    """``__annotations__`` when it was set."""
    owner: ClassValue | None = None
    decorators: tuple[tuple[ast.expr, Any], ...] = ()
    """What was applied between the definition and where it is used, outermost last."""
    full: bool = False
    own_signature: Any = None
    """The signature of the definition, once it was read."""

    @property
    def where(self) -> Where:
        """The definition."""
        return Where(self.unit, self.node)

    @property
    def is_async(self) -> bool:
        """Whether it is an ``async def``."""
        return isinstance(self.node, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, eq=False)
class Postponed:
    """An annotation that Python keeps as a text, and that is read in the module's names when a tool is registered."""

    node: ast.expr
    unit: Unit
    function: FunctionValue | None
    module: ModuleValue


@dataclass(slots=True, eq=False)
class Bound:
    """A function with its first argument filled: a method of an instance, a class method."""

    function: Any
    receiver: Any


@dataclass(slots=True, eq=False)
class Descriptor:
    """``staticmethod``, ``classmethod`` or ``property`` around a function."""

    kind: str
    function: Any


@dataclass(slots=True, eq=False)
class Partial:
    """``functools.partial(function, …)``; ``attributes`` are what the source set on it."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the source. ``names`` is its body; ``real`` the typing or pydantic class that is built from it when asked."""

    name: str
    qualname: str
    unit: Unit
    node: ast.ClassDef
    module: ModuleValue
    scope: Scope
    bases: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    doc: Any = None
    hints: dict[str, ast.expr] = field(default_factory=dict)
    """Annotated names of the body, in order."""
    fields: dict[str, ast.AST] = field(default_factory=dict)
    """The statement of each annotated name."""
    decorations: list[Any] = field(default_factory=list)
    real: Any = None
    body: Scope | None = None
    pending: bool = False
    """The body has not been interpreted yet."""
    forward: str | None = None
    """The name under which a class that is being built is referred to."""

    def order(self) -> list[Any]:
        """The classes in which a name is looked up: depth first, left to right, each once, later positions winning."""
        found: list[Any] = [self]
        for base in self.bases:
            for item in base.order() if isinstance(base, ClassValue) else [base]:
                if item in found:
                    found.remove(item)
                found.append(item)
        return found


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class of the source."""

    cls: ClassValue
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Super:
    """``super()`` in a method: lookup goes on after ``cls``."""

    cls: ClassValue
    receiver: Any


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """A name of an allow-listed library that is looked up only when used: ``Library("pydantic", "Field")``."""

    module: str
    name: str = ""

    @property
    def dotted(self) -> str:
        """``pydantic.Field``."""
        return f"{self.module}.{self.name}" if self.name else self.module


@dataclass(frozen=True, slots=True, eq=False)
class FrameworkName:
    """A module, class or function of ``mcp`` or ``fastmcp``, by its dotted name as imported."""

    dotted: str

    @property
    def last(self) -> str:
        """The last part of the dotted name."""
        return self.dotted.rpartition(".")[2]


@dataclass(slots=True, eq=False)
class Native:
    """A function of ours that stands for a built-in or library function: ``function(run, args, kwargs, site)``."""

    name: str
    function: Callable[..., Any]


@dataclass(slots=True, eq=False)
class Method:
    """A method of a plain value: ``"a".join``."""

    receiver: Any
    name: str


@dataclass(slots=True, eq=False)
class Coroutine:
    """A call of an ``async def`` that nobody has awaited yet."""

    start: Callable[[], Any]


@dataclass(slots=True, eq=False)
class FileValue:
    """An open file of the workspace."""

    path: str
    text: str


@dataclass(slots=True, eq=False)
class PathValue:
    """A ``pathlib`` path, read only through ``Files``."""

    path: str


class Raised(Exception):
    """An exception that the interpreted source raises."""

    def __init__(self, name: str, message: str = "", value: Any = None) -> None:
        super().__init__(name, message)
        self.name = name
        self.message = message
        self.value = value
        self.where: Where | None = None
        self.stops = False
        """A ``raise`` statement or a framework says so, not the evaluation of an expression."""


class Unreadable(Exception):
    """A value that is needed here is unknown: why."""


class Exhausted(Exception):
    """A bound was reached: steps, depth, size or time."""


def unknown(value: object) -> Unknown | None:
    """The value itself if it is unknown."""
    return value if isinstance(value, Unknown) else None
