"""Signatures as Python itself sees them: the suite's own servers, run under stub packages that record what is registered.

The stubs take the place of ``mcp`` and ``fastmcp`` while a server of ``tests/forms`` is executed; nothing of the real packages is
imported. What the stubs cannot record (mounts, middleware, generated lists) raises ``NotRecorded``.
"""

from __future__ import annotations

import asyncio
import builtins
import functools
import importlib.abc
import importlib.machinery
import inspect
import json
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ForwardRef, get_args, get_origin

import typing_extensions

from echolot_lsp.extract.python import dialects
from echolot_lsp.extract.python.declaration import (
    EMPTY,
    Failure,
    FrameworkObject,
    FunctionDecl,
    NameNotFound,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
    framework_class,
)
from echolot_lsp.extract.python.dialects import types as stand_ins
from echolot_lsp.extract.python.dialects import wire

FORMS = Path(__file__).parents[3] / "forms"
MISSING = object()


class NotRecorded(Exception):
    """The form registers in a way that the stubs do not know."""


class Failed(Exception):
    """The framework would refuse to start here."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def function_decl(fn: Any) -> FunctionDecl:
    """What a reader of the source would declare of a live function."""
    target = fn.__func__ if isinstance(fn, staticmethod) else fn
    kind = _kind(fn)
    signature = inspect.signature(target)
    inner = inspect.unwrap(target)
    if isinstance(inner, functools.partial):
        inner = inner.func
    scope = getattr(inner, "__globals__", {})
    parameters = []
    for item in signature.parameters.values():
        annotation, quoted = _annotation(item.annotation, scope)
        default = EMPTY if item.default is inspect.Parameter.empty else item.default
        parameters.append(ParameterDecl(item.name, item.kind, annotation, default, quoted))
    returns, quoted = _annotation(signature.return_annotation, scope)
    return FunctionDecl(
        name=getattr(fn, "__name__", "") or "",
        qualname=getattr(fn, "__qualname__", ""),
        doc=fn.__doc__,
        parameters=tuple(parameters),
        returns=returns,
        returns_quoted_inside=quoted,
        is_async=inspect.iscoroutinefunction(inner),
        kind=kind,
        wrapped=hasattr(target, "__wrapped__") or hasattr(target, "__signature__"),
        namespace={name: value for name, value in scope.items() if isinstance(value, type) or not name.startswith("_")},
    )


def _kind(fn: Any) -> Any:
    if isinstance(fn, functools.partial):
        return "partial"
    if isinstance(fn, staticmethod):
        return "staticmethod"
    if isinstance(fn, classmethod):
        return "classmethod"
    if not inspect.isroutine(fn):
        return "callable"
    return "lambda" if fn.__name__ == "<lambda>" else "function"


def _annotation(annotation: Any, scope: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    if annotation is inspect.Parameter.empty:
        return EMPTY, ()
    try:
        if isinstance(annotation, str):
            annotation = eval(annotation, scope)
        quoted = tuple(_quoted(annotation))
        if not quoted:
            return annotation, ()
        holder = types.SimpleNamespace(__annotations__={"x": annotation})
        return typing_extensions.get_type_hints(holder, globalns=scope, include_extras=True)["x"], quoted
    except NameError as error:
        return NameNotFound(error.name, "nowhere"), ()


def _quoted(annotation: Any) -> Iterator[str]:
    for item in get_args(annotation) if get_origin(annotation) is not typing_extensions.Literal else ():
        if isinstance(item, ForwardRef):
            yield item.__forward_arg__
        elif isinstance(item, str) and isinstance(annotation, types.GenericAlias):
            yield item
        else:
            yield from _quoted(item)


class Recorder:
    """A server object of the frameworks' high-level kind."""

    profile: Profile

    def __init__(self, name: str = "", *args: Any, tools: Any = (), **kwargs: Any) -> None:
        self.decls: list[ToolDecl] = []
        self.server = kwargs
        SERVERS.append(self)
        refused = dialects.server(kwargs, self.profile)
        if refused is not None:
            raise Failed(refused)
        for item in tools:
            if isinstance(item, ToolDecl):
                self.decls.append(item)
            else:
                self._record(item, {}, "constructor")

    def _record(self, fn: Any, arguments: dict[str, Any], via: Any) -> None:
        declared = replace(fn.function, kind="tool") if isinstance(fn, ToolDecl) else function_decl(fn)
        self.decls.append(ToolDecl(declared, arguments, via, server=self.server))
        failures = wire(self.decls[-1], self.profile).failures
        if failures and failures[0].scope == "server":
            raise Failed(failures[0])

    def tool(self, *args: Any, **kwargs: Any) -> Any:
        arguments = dict(kwargs)
        if args and callable(args[0]):
            self._record(args[0], arguments, "decorator-bare")
            return self.decls[-1] if self._replaces() else args[0]
        if args and args[0] is not None:
            if not isinstance(args[0], str):
                raise NotRecorded(str(args[0]))
            arguments["name"] = args[0]

        def decorate(fn: Any) -> Any:
            self._record(fn, arguments, "decorator")
            return self.decls[-1] if self._replaces() else fn

        return decorate

    def _replaces(self) -> bool:
        """FastMCP 2 leaves a tool object in the place of the function."""
        return self.profile.framework == "fastmcp" and self.profile.major == 2

    def add_tool(self, tool: Any, **kwargs: Any) -> Any:
        if isinstance(tool, ToolDecl):
            self.decls.append(tool)
        else:
            marked = getattr(tool, "registration", None)
            self._record(tool, kwargs if marked is None else marked, "add_tool" if marked is None else "standalone")
        return tool

    def __getattr__(self, name: str) -> Any:
        raise NotRecorded(name)

    def remove_tool(self, name: str) -> None:
        if self.profile.framework == "fastmcp" and self.profile.major >= 4:
            raise NotRecorded("remove_tool")
        self.decls = [item for item in self.decls if _name(item) != name]

    def run(self, *args: Any, **kwargs: Any) -> None:
        raise NotRecorded("run")

    @classmethod
    def from_openapi(cls, *args: Any, **kwargs: Any) -> Any:
        raise NotRecorded("from_openapi")


class LowServer:
    """A server object of the low-level kind."""

    def __init__(self, name: str = "", *args: Any, on_list_tools: Any = None, **kwargs: Any) -> None:
        self.handler = on_list_tools
        SERVERS.append(self)

    def list_tools(self) -> Any:
        def decorate(fn: Any) -> Any:
            self.handler = fn
            return fn

        return decorate

    def call_tool(self, *args: Any, **kwargs: Any) -> Any:
        return lambda fn: fn

    def __getattr__(self, name: str) -> Any:
        raise NotRecorded(name)

    @property
    def decls(self) -> list[ToolDecl]:
        if self.handler is None:
            raise NotRecorded("no handler")
        takes = len(inspect.signature(self.handler).parameters)
        answer = asyncio.run(self.handler(*[None] * takes))
        tools = answer.kwargs["tools"] if isinstance(answer, FrameworkObject) else answer
        return [ToolDecl(None, item.kwargs, "low") for item in tools]


SERVERS: list[Any] = []


def _name(decl: ToolDecl) -> Any:
    return decl.arguments.get("name") or (decl.function.name if decl.function else None)


class CalledObject(FrameworkObject):
    """A framework object that the source may copy."""

    def model_copy(self, update: Any) -> Any:
        return CalledObject(self.cls, self.args, {**self.kwargs, **update})


class Caller(type):
    """A framework's class that is called: calls are kept as ``FrameworkObject``s."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return CalledObject(cls.dotted, args, kwargs)

    def model_validate(cls, value: Any) -> Any:
        return FrameworkObject(cls.dotted, (), value)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(Tools, name) if cls.dotted.endswith(".Tool") else MISSING


class Tools:
    """``Tool`` of the high-level frameworks."""

    @staticmethod
    def from_function(fn: Any, *args: Any, **kwargs: Any) -> ToolDecl:
        return ToolDecl(function_decl(fn), {**({"name": args[0]} if args else {}), **kwargs}, "from_function")

    @staticmethod
    def from_tool(tool: Any, **kwargs: Any) -> ToolDecl:
        parent = tool if isinstance(tool, ToolDecl) else ToolDecl(function_decl(tool), {})
        return ToolDecl(parent.function, {}, "add_tool", transform=FrameworkObject("Tool.from_tool", (), kwargs), parent=parent)


def standalone(*args: Any, **kwargs: Any) -> Any:
    """FastMCP's decorator that marks a function for a later ``add_tool``."""

    def decorate(fn: Any) -> Any:
        fn.registration = {**({"name": args[0]} if args and isinstance(args[0], str) else {}), **kwargs}
        return fn

    return decorate(args[0]) if args and callable(args[0]) else decorate


CALLED = {
    "ToolAnnotations",
    "Icon",
    "Depends",
    "CurrentContext",
    "Resolve",
    "Tool",
    "ListToolsResult",
    "ArgTransform",
    "ToolExecution",
}


class StubModule(types.ModuleType):
    """Any module of the frameworks."""

    profile: Profile

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        dotted = f"{self.__name__}.{name}"
        if name in ("FastMCP", "MCPServer"):
            return type(name, (Recorder,), {"profile": self.profile})
        if name == "Server":
            return LowServer
        if name == "tool":
            return standalone
        if name in CALLED:
            return Caller(name, (), {"dotted": dotted})
        if name in ("types", "server", "tools", "lowlevel"):
            return importlib.import_module(dotted)
        found = stand_ins.stand_in(dotted, self.profile)
        return framework_class(dotted) if found is None else found


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of ``mcp`` and ``fastmcp`` as a stub."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname.partition(".")[0] not in ("mcp", "mcp_types", "fastmcp"):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        module = StubModule(spec.name)
        module.profile = self.profile
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


@contextmanager
def stubs(profile: Profile, folder: Path) -> Iterator[None]:
    """The frameworks' packages replaced, and the modules beside the server importable; all as before afterwards."""
    before = dict(sys.modules)
    for name in list(sys.modules):
        if name.partition(".")[0] in ("mcp", "mcp_types", "fastmcp"):
            del sys.modules[name]
    finder = StubFinder(profile)
    sys.meta_path.insert(0, finder)
    sys.path.insert(0, str(folder))
    SERVERS.clear()
    typed_dict = typing.TypedDict
    typing.TypedDict = typing_extensions.TypedDict  # pydantic refuses typing's below Python 3.12
    try:
        yield
    finally:
        typing.TypedDict = typed_dict
        sys.meta_path.remove(finder)
        sys.path.remove(str(folder))
        for name in set(sys.modules) - set(before):
            if name.partition(".")[0] in ("mcp", "mcp_types", "fastmcp") or _inside(sys.modules[name], folder):
                del sys.modules[name]
        sys.modules.update(before)


def _inside(module: Any, folder: Path) -> bool:
    return str(getattr(module, "__file__", "") or "").startswith(str(folder))


def outcomes(form: Path, profile: Profile) -> list[Outcome]:
    """What the dialect makes of each registration of a form's server."""
    with stubs(profile, form):
        module = types.ModuleType("form_server")
        module.__file__ = str(form / "server.py")
        sys.modules["form_server"] = module
        try:
            with warnings.catch_warnings():  # the servers' own: shadowed names and the like
                warnings.simplefilter("ignore")
                code = compile((form / "server.py").read_text(encoding="utf-8"), module.__file__, "exec", dont_inherit=True)
                exec(code, module.__dict__)
                server = _served(module)
                return [wire(decl, profile) for decl in _kept(server.decls, profile)]
        finally:
            del sys.modules["form_server"]


def _served(module: types.ModuleType) -> Any:
    named = [value for name in ("mcp", "server", "app") if (value := vars(module).get(name)) in SERVERS]
    if named:
        return named[0]
    if len(SERVERS) != 1:
        raise NotRecorded("which server")
    return SERVERS[0]


def _kept(decls: list[ToolDecl], profile: Profile) -> list[ToolDecl]:
    if profile.framework == "low" or any(decl.via == "low" for decl in decls):
        return decls
    kept: dict[Any, ToolDecl] = {}
    for decl in decls:
        name = _name(decl if decl.transform is None else ToolDecl(decl.function, decl.transform.kwargs))
        if profile.framework == "fastmcp" or name not in kept:
            kept[name] = decl
    return list(kept.values())


def expectation(path: Path) -> Any:
    """The recorded answer: ``{"tools": […]}`` or ``{"error": …}``."""
    return json.loads(path.read_text(encoding="utf-8"))


def runs_here(form: Path) -> bool:
    """Whether this Python can compile the server (``type X = …`` needs 3.12)."""
    try:
        builtins.compile((form / "server.py").read_text(encoding="utf-8"), "server.py", "exec")
    except SyntaxError:
        return False
    return True
