"""Statements: assignments, branches, loops, imports. A branch on something unknown is read both ways, in doubt."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from echolot_lsp.extract.python.calls import Return
from echolot_lsp.extract.python.construction import Construction
from echolot_lsp.extract.python.exceptions import CATCH_ALL, PARENTS, is_expected
from echolot_lsp.extract.python.expressions import same
from echolot_lsp.extract.python.shapes import as_load, bound_names, is_guard, mentions
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    ClassValue,
    Dict,
    Exhausted,
    FileValue,
    Instance,
    List,
    Raised,
    Scope,
    Text,
    Unreadable,
    Where,
)
from echolot_lsp.model import Unknown

_NOTHING = object()


class Break(Exception):
    """A ``break`` was reached."""


class Continue(Exception):
    """A ``continue`` was reached."""


class Statements(Construction):
    """Execution of statements."""

    def execute(self, body: list[ast.stmt], scope: Scope, unit: Unit) -> None:
        for node in body:
            self.statement(node, scope, unit)

    def statement(self, node: ast.stmt, scope: Scope, unit: Unit) -> None:
        """Execute one statement."""
        self.budget.tick()
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            try:
                handler(self, node, scope, unit)
            except Unreadable as reason:
                self.give_up(node, scope, str(reason))
            except Raised as raised:
                # a server is read as if it starts: what fails here most likely works where it runs
                if raised.stops or is_expected(raised, self.tries):
                    raise
                self.give_up(node, scope, f"it raises {raised.name}")
            except RecursionError:
                raise Exhausted("it is nested too deep") from None

    def give_up(self, node: ast.stmt, scope: Scope, why: str) -> None:
        """A statement could not be evaluated: what it binds or answers is unknown."""
        if isinstance(node, ast.Return):
            raise Return(Unknown(why))
        self.forget(node, scope, why)

    def forget(self, node: ast.AST, scope: Scope, why: str) -> None:
        """The names that a statement binds become unknown."""
        for name in bound_names(node):
            self.bind_name(name, Unknown(why), scope)

    # names
    def bind_name(self, name: str, value: Any, scope: Scope) -> None:
        """``name = value`` in a scope."""
        if name in scope.globals:
            scope = scope.module.scope
        elif name in scope.nonlocals:
            at = scope.parent
            while at is not None and name not in at.names:
                at = at.parent
            scope = at or scope
        if name in scope.names:
            scope.rebound |= {name}
        scope.names[name] = value
        scope.bound_at.setdefault(name, self.step)

    def assign(self, target: ast.AST, value: Any, scope: Scope, unit: Unit) -> None:
        if isinstance(target, ast.Name):
            self.bind_name(target.id, value, scope)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value, scope, unit)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(self.eval(target.value, scope, unit), target.attr, value, Where(unit, target))
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value, scope, unit)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope, unit)

    def _unpack(self, targets: list[ast.expr], value: Any, scope: Scope, unit: Unit) -> None:
        if isinstance(value, Unknown):
            for target in targets:
                self.assign(target, value, scope, unit)
            return
        items = list(self.iterate(value))
        star = next((index for index, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
        if star is not None:
            after = len(targets) - star - 1
            items = [*items[:star], List(items[star : len(items) - after]), *items[len(items) - after :]]
        if len(items) != len(targets):
            raise Raised("ValueError", "not enough values to unpack")
        for target, item in zip(targets, items, strict=True):
            self.assign(target, item, scope, unit)

    def _set_item(self, target: ast.Subscript, value: Any, scope: Scope, unit: Unit) -> None:
        container = self.eval(target.value, scope, unit)
        key = self.eval(target.slice, scope, unit)
        if isinstance(container, (Dict, List)):
            if self.doubt:
                container.unsure = self.doubt
            if isinstance(key, Unknown):
                container.unsure = key.why
            else:
                self.store_item(container, key, value, Where(unit, target))
        elif isinstance(container, Instance):
            self.call(self.attribute(container, "__setitem__", Where(unit, target)), [key, value], {}, Where(unit, target))
        else:
            self.touch([container, value], "it is stored in an object that is not read", Where(unit, target))

    def _assign(self, node: ast.Assign, scope: Scope, unit: Unit) -> None:
        value = self.eval(node.value, scope, unit)
        for target in node.targets:
            offset = unit.start(target) if unit.aliases else -1
            if isinstance(target, ast.Name) and offset in unit.aliases:
                value = self.type_alias(target.id, node.value, unit.type_parameters.get(offset, ""), scope, unit)
            self.assign(target, value, scope, unit)

    def type_alias(self, name: str, value: ast.expr, parameters: str, scope: Scope, unit: Unit) -> Any:
        """``type name[parameters] = value`` (``types``)."""
        raise NotImplementedError

    def _type_alias(self, node: Any, scope: Scope, unit: Unit) -> None:
        parameters = ", ".join(ast.unparse(item) for item in node.type_params)
        self.bind_name(
            node.name.id, self.type_alias(node.name.id, node.value, f"[{parameters}]" if parameters else "", scope, unit), scope
        )

    def _ann_assign(self, node: ast.AnnAssign, scope: Scope, unit: Unit) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval(node.value, scope, unit), scope, unit)

    def _aug_assign(self, node: ast.AugAssign, scope: Scope, unit: Unit) -> None:
        load = ast.copy_location(as_load(node.target), node.target)
        current = self.eval(load, scope, unit)
        value = self.eval(node.value, scope, unit)
        if isinstance(current, List) and isinstance(node.op, ast.Add):
            from echolot_lsp.extract.python.methods import call_method

            call_method(self, current, "extend", [value], {}, Where(unit, node))
            return
        if isinstance(current, Dict) and isinstance(node.op, ast.BitOr):
            from echolot_lsp.extract.python.methods import call_method

            call_method(self, current, "update", [value], {}, Where(unit, node))
            return
        result = self.binary(node.op, current, value, scope)
        self.assign(node.target, Text(result, Where(unit, node)) if isinstance(result, str) else result, scope, unit)

    def _delete(self, node: ast.Delete, scope: Scope, unit: Unit) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                scope.names.pop(target.id, None)
                scope.rebound |= {target.id}
            elif isinstance(target, ast.Subscript):
                container, key = self.eval(target.value, scope, unit), self.eval(target.slice, scope, unit)
                if isinstance(container, (Dict, List)):
                    try:
                        del container[key]
                    except (LookupError, TypeError):
                        container.unsure = "an item of it is deleted"

    def _expression(self, node: ast.Expr, scope: Scope, unit: Unit) -> None:
        if not isinstance(node.value, ast.Constant):
            self.eval(node.value, scope, unit)

    # functions and classes
    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, unit: Unit) -> None:
        self.bind_name(node.name, self.define(node, scope, unit), scope)

    def _class(self, node: ast.ClassDef, scope: Scope, unit: Unit) -> None:
        self.bind_name(node.name, self.define_class(node, scope, unit), scope)

    def _return(self, node: ast.Return, scope: Scope, unit: Unit) -> None:
        raise Return(None if node.value is None else self.eval(node.value, scope, unit))

    def _global(self, node: ast.Global, scope: Scope, unit: Unit) -> None:
        scope.globals.update(node.names)

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope, unit: Unit) -> None:
        scope.nonlocals.update(node.names)

    # branches
    @contextmanager
    def doubtful(self, why: str) -> Iterator[None]:
        """What happens inside may not happen."""
        self.doubts.append(why)
        try:
            yield
        finally:
            self.doubts.pop()

    def either(self, branches: list[Callable[[], None]], scope: Scope, why: str) -> None:
        """One of several branches happens, it is not known which: names that they leave different become unknown."""
        before = dict(scope.names)
        results: list[dict[str, Any]] = []
        returns = scope.names.get("\0returns")
        for branch in branches:
            scope.names.clear()
            scope.names.update(before)
            with self.doubtful(why), self.budget.part():
                try:
                    branch()
                except Exhausted as reason:
                    self.abandoned(str(reason))
                    continue
                except Return as returned:
                    if returns is not None:
                        returns.append(returned.value)
                    continue
                except Raised:
                    continue
                except (Break, Continue):
                    pass
            results.append(dict(scope.names))
        scope.names.clear()
        scope.names.update(results[0] if results else before)
        for other in results[1:]:
            for name in {*scope.names, *other}:
                mine, theirs = scope.names.get(name, _NOTHING), other.get(name, _NOTHING)
                if mine is _NOTHING:
                    scope.names[name] = theirs
                elif theirs is not _NOTHING and not same(mine, theirs):
                    scope.names[name] = Unknown(why)

    def abandoned(self, why: str) -> None:
        """A branch that may not happen reached a bound (``interpreter``)."""
        raise NotImplementedError

    def _if(self, node: ast.If, scope: Scope, unit: Unit) -> None:
        if mentions(node.test, "TYPE_CHECKING"):
            for statement in node.body:
                scope.module.only_checking.update(bound_names(statement))
            self.execute(node.orelse, scope, unit)
            return
        if is_guard(node.body) and not node.orelse:
            self.eval(node.test, scope, unit)
            return
        truth = self.truth(self.eval(node.test, scope, unit))
        if isinstance(truth, Unknown):
            self.either(
                [lambda: self.execute(node.body, scope, unit), lambda: self.execute(node.orelse, scope, unit)], scope, truth.why
            )
        else:
            self.execute(node.body if truth else node.orelse, scope, unit)

    def _match(self, node: ast.Match, scope: Scope, unit: Unit) -> None:
        subject = self.eval(node.subject, scope, unit)
        for index, case in enumerate(node.cases):
            answer = self._matches(case.pattern, subject, scope, unit)
            if answer is True and case.guard is not None:
                answer = self.truth(self.eval(case.guard, scope, unit))
            if answer is True:
                self.execute(case.body, scope, unit)
                return
            if isinstance(answer, Unknown):
                rest = node.cases[index:]
                self.either([lambda body=item.body: self.execute(body, scope, unit) for item in rest], scope, answer.why)  # type: ignore[misc]
                return

    def _matches(self, pattern: ast.pattern, subject: Any, scope: Scope, unit: Unit) -> bool | Unknown:
        if isinstance(pattern, ast.MatchAs):
            inner = True if pattern.pattern is None else self._matches(pattern.pattern, subject, scope, unit)
            if inner is True and pattern.name is not None:
                self.bind_name(pattern.name, subject, scope)
            return inner
        if isinstance(subject, Unknown):
            return subject
        if isinstance(pattern, ast.MatchValue):
            return same(self.eval(pattern.value, scope, unit), subject)
        if isinstance(pattern, ast.MatchSingleton):
            return subject is pattern.value
        if isinstance(pattern, ast.MatchOr):
            for item in pattern.patterns:
                answer = self._matches(item, subject, scope, unit)
                if answer is not False:
                    return answer
            return False
        return Unknown("this pattern is not evaluated")

    # loops
    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope, unit: Unit) -> None:
        source = self.awaited(self.eval(node.iter, scope, unit))
        why: str | None = getattr(source, "unsure", None)
        try:
            items = [] if isinstance(source, Unknown) else self.iterate(source)
            why = source.why if isinstance(source, Unknown) else why
        except Unreadable as reason:
            items, why = [], str(reason)
        for item in items:
            self.budget.tick()
            self.assign(node.target, item, scope, unit)
            try:
                self.execute(node.body, scope, unit)
            except Break:
                break
            except Continue:
                continue
        else:
            self.execute(node.orelse, scope, unit)
        if why is not None:
            reason_why = why

            def once() -> None:
                self.assign(node.target, Unknown(reason_why), scope, unit)
                self.execute(node.body, scope, unit)

            self.either([once, lambda: None], scope, why)

    def _while(self, node: ast.While, scope: Scope, unit: Unit) -> None:
        while True:
            self.budget.tick()
            truth = self.truth(self.eval(node.test, scope, unit))
            if isinstance(truth, Unknown):
                self.either([lambda: self.execute(node.body, scope, unit), lambda: None], scope, truth.why)
                return
            if not truth:
                self.execute(node.orelse, scope, unit)
                return
            try:
                self.execute(node.body, scope, unit)
            except Break:
                return
            except Continue:
                continue

    def _break(self, node: ast.Break, scope: Scope, unit: Unit) -> None:
        raise Break

    def _continue(self, node: ast.Continue, scope: Scope, unit: Unit) -> None:
        raise Continue

    # exceptions and contexts
    def _try(self, node: ast.Try, scope: Scope, unit: Unit) -> None:
        missing = self._missing_import(node, scope, unit)
        names = {name for handler in node.handlers for name in self._names(handler)}
        depth = len(self.tries)
        self.tries.append(names)
        try:
            if missing is not None:
                branches: list[Callable[[], None]] = [lambda: self.execute(node.body, scope, unit)]
                branches += [lambda body=handler.body: self.execute(body, scope, unit) for handler in node.handlers]  # type: ignore[misc]
                self.either(branches, scope, missing)
            else:
                self.execute(node.body, scope, unit)
                del self.tries[depth:]
                self.execute(node.orelse, scope, unit)
        except Raised as raised:
            del self.tries[depth:]
            handler = next((item for item in node.handlers if self._catches(item, raised, scope, unit)), None)
            if handler is None:
                raise
            if handler.name:
                self.bind_name(handler.name, Unknown("the text of an exception is not known"), scope)
            self.execute(handler.body, scope, unit)
        finally:
            del self.tries[depth:]
            self.execute(node.finalbody, scope, unit)

    def _missing_import(self, node: ast.Try, scope: Scope, unit: Unit) -> str | None:
        """Why it is open whether an import in a ``try`` works: the module is not in sight, and no environment is known."""
        if self.libraries or not any(
            self._names(item) & {"ImportError", "ModuleNotFoundError", *CATCH_ALL} for item in node.handlers
        ):
            return None
        for item in node.body:
            names: list[tuple[str, int]] = []
            if isinstance(item, ast.Import):
                names = [(alias.name, 0) for alias in item.names]
            elif isinstance(item, ast.ImportFrom):
                names = [(item.module or "", item.level)]
            for name, level in names:
                if not self.in_sight(name, level, scope):
                    return f"whether `{name}` is installed is not known"
        return None

    def in_sight(self, name: str, level: int, scope: Scope) -> bool:
        """Whether a module is allow-listed, a framework's, of the standard library or of the workspace (``modules``)."""
        raise NotImplementedError

    @staticmethod
    def _names(handler: ast.ExceptHandler) -> set[str]:
        if handler.type is None:
            return set(CATCH_ALL)
        parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return {part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else "" for part in parts}

    def _catches(self, handler: ast.ExceptHandler, raised: Raised, scope: Scope, unit: Unit) -> bool:
        names = self._names(handler)
        parents = PARENTS.get(raised.name, set())
        if names & {"BaseException"}:
            return True
        if raised.name in ("SystemExit", "KeyboardInterrupt"):
            return raised.name in names
        if names & (CATCH_ALL | {raised.name} | parents):
            return True
        if isinstance(raised.value, Instance) and handler.type is not None:
            cls = self.eval(handler.type, scope, unit)
            return isinstance(cls, ClassValue) and cls in raised.value.cls.order()
        return False

    def _raise(self, node: ast.Raise, scope: Scope, unit: Unit) -> None:
        value = None if node.exc is None else self.eval(node.exc, scope, unit)
        if isinstance(value, Raised):
            raised = value
        elif isinstance(value, (type, ClassValue)):
            raised = Raised(value.name if isinstance(value, ClassValue) else value.__name__)
        else:
            raised = Raised(value.cls.name if isinstance(value, Instance) else "Exception", "", value)
        raised.stops = True
        raise raised

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope, unit: Unit) -> None:
        for item in node.items:
            value = self.eval(item.context_expr, scope, unit)
            if isinstance(value, Instance):
                entered = self.attribute(value, "__enter__", Where(unit, item.context_expr))
                value = self.call(entered, [], {}, Where(unit, item.context_expr)) if not isinstance(entered, Unknown) else entered
            elif isinstance(value, List) and value:
                value = value[0]
            elif not isinstance(value, (FileValue, Unknown)):
                value = Unknown("what a context gives is not known")
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, scope, unit)
        self.execute(node.body, scope, unit)

    # imports
    def _import(self, node: ast.Import, scope: Scope, unit: Unit) -> None:
        for alias in node.names:
            site = Where(unit, alias)
            module = self.import_module(alias.name, scope.module, 0, site)
            if alias.asname is not None:
                self.bind_name(alias.asname, module, scope)
            else:
                top = alias.name.partition(".")[0]
                value = module if top == alias.name else self.import_module(top, scope.module, 0, site)
                self.bind_name(top, value, scope)

    def _import_from(self, node: ast.ImportFrom, scope: Scope, unit: Unit) -> None:
        module_name = node.module or ""
        if module_name == "__future__":
            if any(alias.name == "annotations" for alias in node.names):
                scope.module.postponed = True
            return
        module = self.import_module(module_name, scope.module, node.level, Where(unit, node))
        for alias in node.names:
            if alias.name == "*":
                self.import_star(module, scope)
                continue
            self.bind_name(alias.asname or alias.name, self.import_name(module, alias.name, Where(unit, alias)), scope)

    def import_star(self, module: Any, scope: Scope) -> None:
        """``from module import *`` (``modules``)."""
        raise NotImplementedError

    def import_name(self, module: Any, name: str, site: Where) -> Any:
        """``from module import name`` (``modules``)."""
        raise NotImplementedError


_HANDLERS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Assign: Statements._assign,
    ast.AnnAssign: Statements._ann_assign,
    ast.AugAssign: Statements._aug_assign,
    ast.Delete: Statements._delete,
    ast.Expr: Statements._expression,
    ast.FunctionDef: Statements._function,
    ast.AsyncFunctionDef: Statements._function,
    ast.ClassDef: Statements._class,
    ast.Return: Statements._return,
    ast.Global: Statements._global,
    ast.Nonlocal: Statements._nonlocal,
    ast.If: Statements._if,
    ast.Match: Statements._match,
    ast.For: Statements._for,
    ast.AsyncFor: Statements._for,
    ast.While: Statements._while,
    ast.Break: Statements._break,
    ast.Continue: Statements._continue,
    ast.Try: Statements._try,
    ast.Raise: Statements._raise,
    ast.With: Statements._with,
    ast.AsyncWith: Statements._with,
    ast.Import: Statements._import,
    ast.ImportFrom: Statements._import_from,
}
if hasattr(ast, "TypeAlias"):
    _HANDLERS[ast.TypeAlias] = Statements._type_alias
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = Statements._try
