"""Calls: functions of the source are interpreted, allow-listed ones are called, everything else is ``Unknown``."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Callable
from enum import Enum
from typing import Any

from echolot_lsp.extract.python import operators
from echolot_lsp.extract.python.attributes import Attributes
from echolot_lsp.extract.python.declaration import FrameworkObject
from echolot_lsp.extract.python.expressions import UNCLEAR, same
from echolot_lsp.extract.python.libcalls import LIBRARY_CALLS
from echolot_lsp.extract.python.library import is_type, may_call, real
from echolot_lsp.extract.python.methods import call_method
from echolot_lsp.extract.python.shapes import own_nodes
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Coroutine,
    Descriptor,
    Dict,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
    Method,
    Native,
    Partial,
    PathValue,
    Raised,
    Scope,
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown


class Return(Exception):
    """A ``return`` statement was reached."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Calls(Attributes):
    """What happens at a call."""

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        self.budget.tick()
        if isinstance(function, FunctionValue):
            return self.call_function(function, args, kwargs, site)
        if isinstance(function, Bound):
            return self.call(function.function, [function.receiver, *args], kwargs, site)
        if isinstance(function, Native):
            return self._built_in(lambda: function.function(self, args, self._clear(kwargs), site))
        if isinstance(function, Method):
            return self._call_method(function, args, kwargs, site)
        if isinstance(function, ClassValue):
            return self.construct(function, args, kwargs, site)
        if isinstance(function, FrameworkName):
            return self.call_framework(function.dotted, args, kwargs, site)
        if isinstance(function, Partial):
            return self.call(function.function, [*function.args, *args], {**function.kwargs, **kwargs}, site)
        if isinstance(function, Library):
            return self._call_library(function, args, kwargs, site)
        if isinstance(function, Descriptor) and function.kind == "staticmethod":
            return self.call(function.function, args, kwargs, site)
        if isinstance(function, Instance):
            return self.call(self.attribute(function, "__call__", site), args, kwargs, site)
        if isinstance(function, type):
            return self._built_in(lambda: self._call_type(function, args, kwargs, site))
        if id(function) in self.trusted:
            return self.call_real(function, args, kwargs)
        return self._call_unknown(function, args, kwargs, site)

    @staticmethod
    def _built_in(start: Callable[[], Any]) -> Any:
        """What a built-in answers; arguments that it does not take are the source's mistake, as in Python."""
        try:
            return start()
        except operators.ERRORS as error:
            raise Raised(type(error).__name__, str(error)) from None

    def same(self, left: Any, right: Any) -> bool:
        """Equality, for the natives."""
        return same(left, right)

    def printable(self, value: Any) -> Any:
        """A value as it may stand in a text."""
        return self._printable(value)

    def modules_scope(self) -> Scope:
        """The scope of some module, where only a scope's kind matters."""
        return next(iter(self.modules.values())).scope

    def _clear(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        unclear = kwargs.get(UNCLEAR)
        if unclear is not None:
            raise Unreadable(unclear.why)
        return kwargs

    def _call_unknown(self, function: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        why = function.why if isinstance(function, Unknown) else "something that is not read is called"
        self.touch([*args, *kwargs.values()], why, site)
        return Unknown(why)

    def _call_method(self, method: Method, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        from echolot_lsp.extract.python.servers import ServerValue, ToolValue

        receiver = method.receiver
        if isinstance(receiver, (ServerValue, ToolValue)):
            return self.call_server(receiver, method.name, args, kwargs, site)
        return call_method(self, receiver, method.name, args, self._clear(kwargs), site)

    def _call_library(self, function: Library, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        ours = LIBRARY_CALLS.get(function.dotted)
        if ours is not None:
            return ours(self, args, self._clear(kwargs), site)
        if may_call(function):
            target = real(function)
            if target is None:
                return Unknown(f"{function.dotted} does not exist")
            return self.call_real(target, args, self._clear(kwargs), name=function.dotted, site=site)
        coroutine = next((item for item in args if isinstance(item, Coroutine)), None)
        if coroutine is not None:
            coroutine.start()
        return Unknown(f"what {function.dotted} answers is not evaluated")

    def call_real(self, target: Any, args: list[Any], kwargs: dict[str, Any], name: str = "", site: Where | None = None) -> Any:
        """Call an allow-listed object with plain values; functions of the source become interpreting ones."""
        values = [self.for_library(item) for item in args]
        named = {str(key): self.for_library(item) for key, item in kwargs.items()}
        for item in (*values, *named.values()):
            if isinstance(item, Unknown):
                if name.endswith("Field") and item is not (values[0] if values else None):
                    continue
                raise Unreadable(item.why)
        unclear = {key: item for key, item in named.items() if isinstance(item, Unknown)}
        named = {key: item for key, item in named.items() if key not in unclear}
        try:
            result = target(*values, **named)
        except Unreadable:
            raise
        except Exception as error:
            raise Raised(type(error).__name__, str(error)) from None
        if callable(result) and not isinstance(result, type):
            self.trusted[id(result)] = result
        if name.endswith("Field"):
            self.remember_field(result, kwargs, unclear, site)
        return result

    def remember_field(self, field: Any, kwargs: dict[str, Any], unclear: dict[str, Any], site: Where | None) -> None:
        """Where a ``Field(…)`` was written, and what of it is not known (``types``)."""
        raise NotImplementedError

    def for_library(self, value: Any) -> Any:
        """A value as a library may have it: real types for classes, interpreting callables for functions."""
        if isinstance(value, Text):
            return str.__str__(value)
        if isinstance(value, FunctionValue):
            return self.callable_for(value)
        if isinstance(value, (ClassValue, FrameworkName)) or (isinstance(value, Library) and is_type(value)):
            return self.as_type(value)
        if isinstance(value, Library):
            return real(value)
        if isinstance(value, Descriptor):
            inner = self.for_library(value.function)
            return {"staticmethod": staticmethod, "classmethod": classmethod, "property": property}[value.kind](inner)
        if isinstance(value, (Dict, dict)):
            return {plain(key): self.for_library(item) for key, item in value.items()}
        if isinstance(value, (List, list)):
            return [self.for_library(item) for item in value]
        if isinstance(value, tuple):
            return tuple(self.for_library(item) for item in value)
        if isinstance(value, PathValue):
            return pathlib.PurePosixPath(value.path)
        if isinstance(value, Unknown):
            return value
        if type(value).__module__.startswith("echolot_lsp") and not isinstance(value, FrameworkObject):
            return Unknown("an object of the source is handed to a library")
        return value

    # types that are called
    def _call_type(self, cls: type, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        self._clear(kwargs)
        unknown = next((item for item in args if isinstance(item, Unknown)), None)
        if unknown is not None:
            return unknown
        if cls.__module__ == "builtins":
            return self._construct_builtin(cls, args, kwargs)
        if isinstance(cls, type) and issubclass(cls, Enum):
            return self.call_real(cls, args, kwargs)
        if issubclass(cls, tuple) or hasattr(cls, "__pydantic_fields__"):
            return self.call_real(cls, args, kwargs)
        if cls.__module__ in ("inspect", "enum"):
            return self.call_real(cls, args, kwargs)
        return Unknown(f"what {cls.__name__} makes is not evaluated")

    def _construct_builtin(self, cls: type, args: list[Any], kwargs: dict[str, Any]) -> Any:
        first = args[0] if args else None
        if isinstance(first, Unknown):
            return first
        if cls is type:
            return self._type_of(args)
        if cls is bool and len(args) == 1:
            return self.truth(first)
        if issubclass(cls, BaseException):
            return Raised(cls.__name__, str(first) if isinstance(first, str) else "")
        if cls is dict:
            made = Dict(first if isinstance(first, dict) else ())
            if args and not isinstance(first, dict):
                made.update(tuple(pair) for pair in self.iterate(first))
            made.unsure = getattr(first, "unsure", None)
            made.update(kwargs)
            return made
        if cls is list:
            listed = List(self.iterate(first) if args else ())
            listed.unsure = getattr(first, "unsure", None)
            return listed
        if cls in (tuple, set, frozenset):
            if getattr(first, "unsure", None):
                raise Unreadable(first.unsure)  # type: ignore[union-attr]
            if isinstance(first, (set, frozenset)):
                return cls(first) if cls is not tuple else tuple(self.iterate(first))
            items = list(self.iterate(first)) if args else []
            return cls(items) if cls is tuple else cls(plain(item) for item in items)
        if cls is range:
            return range(*(int(item) for item in args))
        if cls is str and args:
            return str(self._printable(first))
        if cls is object:
            return Unknown("a bare object")
        if cls in (int, float, bool, complex, str, bytes) and all(isinstance(item, (str, int, float)) for item in args):
            if isinstance(first, str):
                self.budget.size(len(first) * 200 if cls is int else len(first))
            if cls is bytes and isinstance(first, int):
                self.budget.size(first)
            try:
                return cls(*map(plain, args))
            except (ValueError, TypeError, OverflowError) as error:
                raise Raised(type(error).__name__, str(error)) from None
        raise Unreadable(f"this {cls.__name__}(…) is not evaluated")

    def _type_of(self, args: list[Any]) -> Any:
        if len(args) != 1:
            raise Unreadable("a class that is made at run time is not read")
        value = args[0]
        if isinstance(value, Instance):
            return value.cls
        if isinstance(value, (str, int, float, bool, list, dict, tuple, set, bytes)) or value is None:
            return type(plain(value))
        return self.source_of(type(value)) or Unknown("the class of an object is not known")

    # functions of the source
    def call_function(self, function: FunctionValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        """Interpret a call of a function of the source."""
        if function.is_async:
            return Coroutine(lambda: self._interpret(function, args, kwargs, site))
        return self._interpret(function, args, kwargs, site)

    def _interpret(self, function: FunctionValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        node, unit = self.body_of(function)
        self.called.add(id(function.node))
        scope = Scope(function.scope.module, function.scope)
        scope.function = function
        self.budget.enter()
        try:
            self.fill(function, node, unit, args, kwargs, scope, site)
            if isinstance(node, ast.Lambda):
                return self.eval(node.body, scope, unit)
            if not function.full and not unit.whole:
                self.touch([*args, *kwargs.values()], "a function that it is handed to could not be read", site)
                return Unknown(f"`{function.name}` could not be read")
            return self._run_body(node, scope, unit)
        except Raised as raised:
            if self.tries or not raised.stops or type(raised) is not Raised or self.budget.depth <= 1:
                raise
            return Unknown(f"`{function.name}` raises {raised.name}")
        finally:
            self.budget.leave()

    def _run_body(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> Any:
        yields = unit.cache.get(("yields", node))
        if yields is None:
            yields = unit.cache[("yields", node)] = [
                item for item in own_nodes(node) if isinstance(item, (ast.Yield, ast.YieldFrom))
            ]
        if yields:
            return self._run_generator(node, scope, unit)
        maybe: list[Any] = []
        scope.names["\0returns"] = maybe
        try:
            self.execute(node.body, scope, unit)
            result: Any = None
        except Return as returned:
            result = returned.value
        finally:
            scope.names.pop("\0returns", None)
        return self._one_of([*maybe, result])

    @staticmethod
    def _one_of(results: list[Any]) -> Any:
        first = results[-1]
        for item in results[:-1]:
            if not same(item, first):
                if isinstance(first, FunctionValue) and isinstance(item, FunctionValue) and _root(first) is _root(item):
                    continue
                if isinstance(first, List) and isinstance(item, list):
                    first.unsure = "it depends on a condition that is not known"
                    continue
                return item if isinstance(item, Unknown) else Unknown("what it answers depends on a condition that is not known")
        return first

    def _run_generator(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> Any:
        items = List(where=Where(unit, node))
        scope.names["\0yields"] = items
        try:
            self.execute(node.body, scope, unit)
        except Return:
            pass
        finally:
            scope.names.pop("\0yields", None)
        return items

    def body_of(self, function: FunctionValue) -> tuple[Any, Unit]:
        """A function's node and unit with its body parsed."""
        if isinstance(function.node, ast.Lambda) or function.unit.whole:
            return function.node, function.unit
        unit = function.unit.full()
        for node in unit.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function.node.name:
                return node, unit
        return function.node, function.unit

    def fill(
        self,
        function: FunctionValue,
        node: Any,
        unit: Unit,
        args: list[Any],
        kwargs: dict[str, Any],
        scope: Scope,
        site: Where,
    ) -> None:
        """Bind arguments to parameters. Raises ``Raised`` where Python would raise a TypeError."""
        unclear = kwargs.get(UNCLEAR)
        named = {key: value for key, value in kwargs.items() if key != UNCLEAR}
        parameters = node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        defaults = [None] * (len(positional) - len(parameters.defaults)) + list(parameters.defaults)
        outer = self.scope_of(function)
        for index, (parameter, default) in enumerate(zip(positional, defaults, strict=True)):
            if index < len(args):
                scope.names[parameter.arg] = args[index]
            elif parameter.arg in named:
                scope.names[parameter.arg] = named.pop(parameter.arg)
            else:
                scope.names[parameter.arg] = self._default(function, parameter, default, outer, unit, unclear)
        rest = args[len(positional) :]
        if parameters.vararg is not None:
            scope.names[parameters.vararg.arg] = tuple(rest)
        elif rest:
            raise Raised("TypeError", f"{function.name}() takes {len(positional)} positional arguments but {len(args)} were given")
        for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            if parameter.arg in named:
                scope.names[parameter.arg] = named.pop(parameter.arg)
            else:
                scope.names[parameter.arg] = self._default(function, parameter, default, outer, unit, unclear)
        if parameters.kwarg is not None:
            extra = Dict(named)
            if unclear is not None:
                extra.unsure = unclear.why
            scope.names[parameters.kwarg.arg] = extra
        elif named:
            raise Raised("TypeError", f"{function.name}() got an unexpected keyword argument '{next(iter(named))}'")

    def _default(self, function: FunctionValue, parameter: ast.arg, default: Any, outer: Scope, unit: Unit, unclear: Any) -> Any:
        if unclear is not None:
            return unclear
        if default is None and "\0through" in function.attributes:
            return self._option(function, parameter.arg, outer)
        if default is None:
            raise Raised("TypeError", f"{function.name}() missing 1 required argument: '{parameter.arg}'")
        return self.eval(default, outer, unit)

    def _option(self, function: FunctionValue, name: str, scope: Scope) -> Any:
        """What a command line gives a parameter when nothing is said: the default of ``@option("--name", default=…)``."""
        for decorator in getattr(function.node, "decorator_list", ()):
            if (
                not isinstance(decorator, ast.Call)
                or not isinstance(decorator.func, ast.Attribute)
                or decorator.func.attr != "option"
            ):
                continue
            flags = [item.value for item in decorator.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            if name not in {flag.lstrip("-").replace("-", "_") for flag in flags}:
                continue
            given = {item.arg: item.value for item in decorator.keywords}
            if "default" in given:
                return self.eval(given["default"], scope, function.unit)
            if "is_flag" in given:
                return False
            if "required" not in given and "multiple" not in given:
                return None
        return Unknown(f"a decorator that is not read fills `{name}`")

    # classes of the source


def _root(function: Any) -> Any:
    """The function at the bottom of wrappers that name what they wrap."""
    for _ in range(20):
        if not isinstance(function, FunctionValue) or function.wrapped is None:
            break
        function = function.wrapped
    return function


def as_text(value: Any, where: Where) -> Any:
    """A text with a place, if it has none."""
    return Text(value, where) if type(value) is str else value
