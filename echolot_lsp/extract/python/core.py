"""What the parts of the interpreter share: its state, and the operations that each part offers the others."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from echolot_lsp.extract.python.budget import Budget
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import ClassValue, FunctionValue, ModuleValue, Raised, Scope, Where
from echolot_lsp.files import Files
from echolot_lsp.model import Unknown

if TYPE_CHECKING:
    from echolot_lsp.extract.python.cache import Cache
    from echolot_lsp.extract.python.declaration import Profile
    from echolot_lsp.extract.python.profile import Profiles
    from echolot_lsp.extract.python.servers import ServerValue


class Core:
    """State of one interpretation. The parts (``Expressions``, ``Statements``, …) are mixed into ``Interpreter``."""

    def __init__(
        self,
        path: str,
        files: Files,
        profiles: Profiles,
        *,
        cache: Cache,
        roots: tuple[str, ...] = (),
        libraries: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.files = files
        self.profiles = profiles
        self.profile: Profile | None = None
        """Of the server whose tools are written now."""
        self.cache = cache
        self.roots = roots
        self.libraries = libraries
        """Folders of installed packages, read where a name of the workspace leads there."""
        self.budget = Budget()
        self.schemas = True
        """Whether the schemas of tools are wanted: without them nothing of pydantic is imported."""
        self.modules: dict[str, ModuleValue] = {}
        self.units: dict[str, list[Unit | None]] = {}
        """The blocks of each module, as they were interpreted."""
        self.read = {False: 0, True: 0}
        """How many modules were read: of the project, of installed libraries."""
        self.servers: list[ServerValue] = []
        self.tries: list[set[str]] = []
        """The exceptions that the ``try`` statements around wait for, innermost last."""
        self.doubts: list[str] = []
        """Why it is not sure that what is interpreted now happens at all (innermost last)."""
        self.step = 0
        """Counts statements of modules: which names were bound when a tool was registered."""
        self.quoted: list[str] | None = None
        """Names quoted inside the annotation that is being read."""
        self.trusted: dict[int, Any] = {}
        """Callables that an allow-listed call returned."""
        self.keep: list[Any] = []
        self.failures: list[tuple[Raised, ModuleValue]] = []
        self.called: set[int] = set()
        """Definitions that were called (ids of their nodes)."""
        self.gone: list[tuple[str, Where | None]] = []
        """Imports that the installed framework does not have: the message, and where."""

    @property
    def doubt(self) -> str | None:
        """Why what is done now may not happen, or ``None``."""
        return self.doubts[-1] if self.doubts else None

    # What each part offers; see the mixins.
    def eval(self, node: ast.AST, scope: Scope, unit: Unit) -> Any:
        """The value of an expression (``expressions``)."""
        raise NotImplementedError

    def execute(self, body: list[ast.stmt], scope: Scope, unit: Unit) -> None:
        """Statements in order (``statements``)."""
        raise NotImplementedError

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A call (``calls``)."""
        raise NotImplementedError

    def construct(self, cls: ClassValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A call of a class of the source (``construction``)."""
        raise NotImplementedError

    def source_of(self, cls: type) -> ClassValue | None:
        """The class of the source that a real class was built from (``classes``)."""
        raise NotImplementedError

    def attribute(self, value: Any, name: str, site: Where) -> Any:
        """An attribute's value (``attributes``)."""
        raise NotImplementedError

    def set_attribute(self, value: Any, name: str, new: Any, site: Where) -> None:
        """An attribute is set (``attributes``)."""
        raise NotImplementedError

    def subscript(self, value: Any, index: Any, site: Where) -> Any:
        """``value[index]`` (``subscripts``)."""
        raise NotImplementedError

    def iterate(self, value: Any) -> Iterable[Any]:
        """The items of a value; raises ``Unreadable`` when they are not known (``expressions``)."""
        raise NotImplementedError

    def truth(self, value: Any) -> bool | Unknown:
        """Whether a value is true, or unknown (``expressions``)."""
        raise NotImplementedError

    def lookup(self, name: str, scope: Scope) -> Any:
        """A name's value (``expressions``)."""
        raise NotImplementedError

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> Any:
        """A function definition's value, decorated (``definitions``)."""
        raise NotImplementedError

    def define_class(self, node: ast.ClassDef, scope: Scope, unit: Unit) -> Any:
        """A class definition's value, decorated (``definitions``)."""
        raise NotImplementedError

    def complete(self, cls: ClassValue) -> None:
        """Interpret a class body that was put off (``definitions``)."""
        raise NotImplementedError

    def import_module(self, name: str, importer: ModuleValue, level: int, site: Where) -> Any:
        """A module's value (``modules``)."""
        raise NotImplementedError

    def as_type(self, value: Any, scope: Scope | None = None) -> Any:
        """A value as the typing object it stands for in an annotation (``types``)."""
        raise NotImplementedError

    def real_class(self, cls: ClassValue) -> Any:
        """The real class for a class of the source (``types``)."""
        raise NotImplementedError

    def signature_of(self, function: Any, *, types: bool = True) -> Any:
        """An ``inspect.Signature``, or ``Unknown`` (``signatures``)."""
        raise NotImplementedError

    def callable_for(self, function: FunctionValue) -> Any:
        """A Python function that interprets ``function`` (``types``)."""
        raise NotImplementedError

    def touch(self, values: Iterable[Any], why: str, site: Where) -> None:
        """Servers among ``values`` may be changed by something unknown (``servers``)."""
        raise NotImplementedError

    def call_framework(self, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A call of a framework's class or function (``frameworks``)."""
        raise NotImplementedError

    def call_server(self, server: Any, method: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """A call of a server object's method (``frameworks``)."""
        raise NotImplementedError
