"""Function and class definitions: values that are read lazily, and the decorators that are applied to them."""

from __future__ import annotations

import ast
import re
from typing import Any

from echolot_lsp.extract.python.exceptions import is_expected
from echolot_lsp.extract.python.library import is_type
from echolot_lsp.extract.python.statements import Statements
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    FrameworkName,
    FunctionValue,
    Library,
    ModuleValue,
    Native,
    Partial,
    Raised,
    Scope,
    Text,
    Unreadable,
    Where,
)
from echolot_lsp.model import Unknown

_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_WRAPS = re.compile(r"wraps\(")
_FUNCTIONS = (FunctionValue, Bound, Descriptor, Partial, ClassValue)


class Definitions(Statements):
    """``def`` and ``class``."""

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> Any:
        function = FunctionValue(node, unit, scope, node.name, self._qualname(node.name, scope))
        function.full = unit.whole
        function.doc = docstring(node, unit)
        function.captured = self._capture(node, scope, unit)
        value: Any = function
        for decorator in reversed(node.decorator_list):
            value = self.decorate(decorator, value, scope, unit)
        return value

    def decorate(self, decorator: ast.expr, value: Any, scope: Scope, unit: Unit) -> Any:
        """Apply a decorator; one that is not read is looked through, as most of them keep the signature."""
        site = Where(unit, decorator)
        try:
            function = self.eval(decorator, scope, unit)
            if isinstance(function, Unknown) or (isinstance(function, Library) and not is_type(function)):
                function = function if isinstance(function, Library) else Unknown(function.why)
            result = self.apply_decorator(function, value, site)
        except Raised as raised:
            if raised.where is None:
                raised.where = site
            raise
        except Unreadable:
            return value
        if isinstance(value, FunctionValue) and isinstance(result, FunctionValue):
            result.decorators = (*value.decorators, (decorator, function))
            if result is not value and _hides(result):
                result.attributes["\0lost"] = site
        return result

    def apply_decorator(self, decorator: Any, value: Any, site: Where) -> Any:
        """``decorator(value)`` where ``value`` is a function or class that is being defined."""
        if isinstance(decorator, Unknown):
            if isinstance(value, FunctionValue):
                value.attributes["\0through"] = True
            return value
        result = self.call(decorator, [value], {}, site)
        if isinstance(result, Unknown) and isinstance(value, _FUNCTIONS):
            return value if self._keeps_signature(decorator) else result
        return result

    @staticmethod
    def _keeps_signature(decorator: Any) -> bool:
        function = decorator
        while isinstance(function, (Bound, Partial)):
            function = function.function
        if isinstance(function, FunctionValue):
            return function.unit.has(_WRAPS)
        return True

    @staticmethod
    def _qualname(name: str, scope: Scope) -> str:
        if scope.is_class:
            return f"{scope.names.get('__qualname__', '')}.{name}"
        return f"{scope.function.qualname}.<locals>.{name}" if scope.function is not None else name

    def _capture(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> dict[str, Any]:
        """The values, now, of the names that the signature uses: it is read later, when a tool needs it."""
        names = unit.cache.get(("free", node))
        if names is None:
            names = unit.cache[("free", node)] = free_names(node)
        captured: dict[str, Any] = {}
        for name in names:  # type: ignore[attr-defined]
            at: Scope | None = scope
            while at is not None:
                if name in at.names and (not at.is_class or at is scope):
                    captured[name] = at.names[name]
                    break
                at = at.parent
        return captured

    def define_class(self, node: ast.ClassDef, scope: Scope, unit: Unit) -> Any:
        cls = ClassValue(node.name, self._qualname(node.name, scope), unit, node, scope.module, scope)
        cls.bases = tuple(self.eval(base, scope, unit) for base in node.bases)
        for keyword in node.keywords:
            if keyword.arg is not None:
                cls.keywords[keyword.arg] = self.eval(keyword.value, scope, unit)
        cls.doc = docstring(node, unit)
        cls.pending = True
        if not self._may_wait(node, scope):
            self.complete(cls)
        value: Any = cls
        for decorator in reversed(node.decorator_list):
            value = self.decorate(decorator, value, scope, unit)
        return value

    def _may_wait(self, node: ast.ClassDef, scope: Scope) -> bool:
        """Whether reading the body later makes no difference: nothing in it can reach a server."""
        if scope.function is not None:
            return False
        for item in node.body:
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not all(self._is_harmless(decorator, scope) for decorator in item.decorator_list):
                    return False
            elif isinstance(item, (ast.Assign, ast.AnnAssign)):
                value = item.value
                if isinstance(value, ast.Call) and not self._is_harmless(value.func, scope):
                    return False
            elif not isinstance(item, (ast.Pass, ast.Expr)) or (
                isinstance(item, ast.Expr) and not isinstance(item.value, ast.Constant)
            ):
                return False
        return True

    def _is_harmless(self, node: ast.expr, scope: Scope) -> bool:
        while isinstance(node, (ast.Call, ast.Attribute)):
            node = node.func if isinstance(node, ast.Call) else node.value
        value = self.lookup(node.id, scope) if isinstance(node, ast.Name) else None
        return isinstance(value, (Library, Native)) or (isinstance(value, type) and value.__module__ == "builtins")

    def complete(self, cls: ClassValue) -> None:
        if not cls.pending:
            return
        cls.pending = False
        body = Scope(cls.module, cls.scope, is_class=True)
        body.function = None
        body.names["__qualname__"] = cls.qualname
        cls.body = body
        for item in cls.node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                cls.hints[item.target.id] = item.annotation
                cls.fields[item.target.id] = item
            self.statement(item, body, cls.unit)
        cls.names = body.names
        cls.names.pop("__qualname__", None)
        for value in list(cls.names.values()):
            inner = value.function if isinstance(value, Descriptor) else value
            if isinstance(inner, FunctionValue) and inner.owner is None:
                inner.owner = cls

    def run_module(self, module: ModuleValue, text: str) -> None:
        """Interpret a module, block by block; one that fails costs only the names that it binds."""
        from echolot_lsp.extract.python.values import Exhausted

        units = self.units[module.path] = list(self.cache.units(module.path, text))
        for unit in units:
            if unit is None:
                module.broken = True
                continue
            self.budget.new_block()
            for node in unit.tree.body:
                self.step += 1
                try:
                    self.statement(node, module.scope, unit)
                except Raised as raised:
                    if raised.name in _IMPORT_ERRORS and module.path != self.path and is_expected(raised, self.tries):
                        raise  # ``try: import extra_tools`` where what they need is not installed
                    self.raised(raised, node, module, unit)
                except Exhausted as reason:
                    self.exhausted(str(reason), node, module, unit)
                except Exception as error:
                    if not isinstance(error, (RecursionError, Unreadable)) and type(error).__module__ == "builtins":
                        self.crashed(error)
                    self.forget(node, module.scope, "it could not be evaluated")

    def raised(self, raised: Raised, node: ast.stmt, module: ModuleValue, unit: Unit) -> None:
        """An exception leaves a statement of a module (``interpreter``)."""
        raise NotImplementedError

    def exhausted(self, why: str, node: ast.stmt, module: ModuleValue, unit: Unit) -> None:
        """A statement of a module reached a bound (``interpreter``)."""
        raise NotImplementedError

    def crashed(self, error: Exception) -> None:
        """The interpreter itself failed on a statement (``interpreter``)."""
        raise NotImplementedError


def _hides(wrapper: FunctionValue) -> bool:
    """Whether a wrapper takes anything and does not say what it wraps."""
    arguments = wrapper.node.args
    return wrapper.wrapped is None and wrapper.signature is None and arguments.vararg is not None and arguments.kwarg is not None


def docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, unit: Unit) -> Any:
    """The raw ``__doc__`` of a definition, with its place; ``None`` where there is none."""
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return Text(first.value.value, Where(unit, first.value))
    return None


def free_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The names that a signature uses."""
    parts: list[ast.AST] = [node.args]
    if node.returns is not None:
        parts.append(node.returns)
    return frozenset(item.id for part in parts for item in ast.walk(part) if isinstance(item, ast.Name))


def is_framework(value: Any) -> bool:
    """Whether a value belongs to ``mcp`` or ``fastmcp``."""
    return isinstance(value, FrameworkName)
