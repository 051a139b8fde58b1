"""Installed libraries: their modules are read name by name, when somebody asks, because most of a library reaches no tool."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from echolot_lsp.extract.python.blocks import Block
from echolot_lsp.extract.python.budget import Budget
from echolot_lsp.extract.python.definitions import Definitions
from echolot_lsp.extract.python.shapes import bound_names
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Exhausted,
    FunctionValue,
    Instance,
    ModuleValue,
    Partial,
    Raised,
    Unreadable,
    Where,
)
from echolot_lsp.model import Unknown

STEPS = 20_000
"""Expressions and statements for what one question to a library needs."""
CALL_STEPS = 5_000
"""The same for a call of a library's function."""
ALL_STEPS = 200_000
"""The same for all of an extraction."""
SECONDS = 1.0
"""Processor time for the same."""
NESTED = 40
"""Names of libraries that are read because another one needs them."""
_SITE = re.compile(r"(.*[\\/](?:site|dist)-packages[\\/])([^\\/]+)")
_DEFINITION = re.compile(r"(?:[@#][^\r\n]*\r?\n|\s*\r?\n)*(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)")
_FRAMEWORK = re.compile(r"^[ \t]*(?:from|import)[ \t]+(?:mcp|fastmcp|mcp_types)\b", re.M)
_MISSING = object()


def is_library(path: str, named: str) -> bool:
    """Whether a file is of an installed package, and not of the one that the ``named`` file is of."""
    found = own_package(path)
    return found[0] is not None and found != own_package(named)


@lru_cache(maxsize=4096)
def own_package(named: str) -> tuple[str | None, str | None]:
    """The folder of installed packages that a file stands in, with its package there: ``(None, None)`` elsewhere."""
    own = _SITE.match(os.path.abspath(named))
    return (own.group(1), own.group(2)) if own is not None else (None, None)


class OnDemand(dict[str, Any]):
    """The names of a library's module: one that is missing is looked for in the source, once."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def __missing__(self, name: str) -> Any:
        self.reader.read(name)
        return super().__getitem__(name) if super().__contains__(name) else self._fail(name)

    @staticmethod
    def _fail(name: str) -> Any:
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return self.get(name, _MISSING) is not _MISSING

    def get(self, name: Any, default: Any = None) -> Any:
        if not super().__contains__(name):
            self.reader.read(name)
        return super().get(name, default)


class Reader:
    """What a module's text defines, and the interpreter that evaluates it."""

    def __init__(self, run: Demand, module: ModuleValue, text: str) -> None:
        self.run = run
        self.module = module
        self.asked: set[str] = set()
        self.defined: dict[str, list[Block]] = {}
        self.rest: dict[str, list[tuple[Unit, ast.stmt]]] = {}
        self.stars: list[tuple[Unit, ast.ImportFrom]] = []
        for block in run.cache.blocks(module.path, text):
            definition = _DEFINITION.match(block.text)
            if definition is not None:
                self.defined.setdefault(definition.group(1), []).append(block)
            else:
                self._index(block)

    def _index(self, block: Block) -> None:
        unit = self.run.cache.unit(self.module.path, block)
        if unit is None:
            return
        for node in unit.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                self.module.postponed |= any(alias.name == "annotations" for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                self.stars.append((unit, node))
            else:
                for name in bound_names(node) | _changed(node):
                    self.rest.setdefault(name, []).append((unit, node))

    def read(self, name: str) -> None:
        """Evaluate what binds or changes a name; nothing where there is nothing or it was asked for before."""
        if name in self.asked or not isinstance(name, str):
            return
        self.asked.add(name)
        with_name = list(self._statements(name))
        if with_name or self.stars:
            self.run.read_library(self.module, name, with_name, self.stars)

    def names(self) -> list[str]:
        """Everything that the text itself binds, star imports aside."""
        return list(dict.fromkeys([*self.defined, *self.rest]))

    def _statements(self, name: str) -> Iterator[tuple[Unit, ast.stmt]]:
        for block in self.defined.get(name, ()):
            unit = self.run.cache.unit(self.module.path, block)
            if unit is not None:
                yield from ((unit, node) for node in unit.tree.body)
        yield from self.rest.get(name, ())


def _changed(node: ast.stmt) -> set[str]:
    """The name whose value a statement changes: ``NAME[…] = …``, ``NAME.append(…)``."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = [item for item in node.targets if isinstance(item, (ast.Subscript, ast.Attribute))]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        targets = [node.value.func]
    found: set[str] = set()
    for target in targets:
        while isinstance(target, (ast.Subscript, ast.Attribute, ast.Call)):
            target = target.func if isinstance(target, ast.Call) else target.value
        if isinstance(target, ast.Name):
            found.add(target.id)
    return found


def all_names(module: ModuleValue) -> list[str]:
    """The names of a module; those of a library's star imports where they have been asked for."""
    names = module.scope.names
    return list(dict.fromkeys([*names, *names.reader.names()])) if isinstance(names, OnDemand) else list(names)


class Demand(Definitions):
    """Reading libraries in part."""

    nested = 0
    library_steps = ALL_STEPS

    def on_demand(self, module: ModuleValue, text: str) -> bool:
        """Make a library's module read itself; false where it names a framework: then importing it may register tools."""
        if not is_library(module.path, self.path) or _FRAMEWORK.search(text):
            return False
        names = OnDemand(Reader(self, module, text))
        names.update(module.scope.names)
        module.scope.names = names
        return True

    def read_library(
        self, module: ModuleValue, name: str, statements: list[tuple[Unit, ast.stmt]], stars: list[tuple[Unit, ast.ImportFrom]]
    ) -> None:
        """Evaluate statements of a library for one name that they bind, within bounds of their own."""
        if self.nested >= NESTED:
            module.scope.names[name] = Unknown(f"module `{module.name}` is not read any deeper")
            return
        try:
            with self._apart(STEPS):
                for unit, node in statements:
                    self._library_statement(module, name, unit, node)
                if not dict.__contains__(module.scope.names, name):
                    self._from_stars(module, name, stars)
        except Exhausted as reason:
            module.scope.names[name] = Unknown(f"`{name}` of module `{module.name}` is not read to its end: {reason}")

    @contextmanager
    def _apart(self, steps: int) -> Iterator[None]:
        """What happens inside is a library's: it costs the statement that asks nothing, and all of them together ``ALL_STEPS``."""
        budget, doubts, depth = self.budget, self.doubts, self.budget.depth
        given = min(steps, self.library_steps)
        if not self.nested:
            self.budget = Budget(given, SECONDS)
        self.budget.depth, self.doubts = 0, []
        self.nested += 1
        try:
            yield
        finally:
            self.nested -= 1
            if not self.nested:
                self.library_steps -= given - max(0, self.budget.left)
            self.budget, self.doubts = budget, doubts
            self.budget.depth = depth

    def apply_decorator(self, decorator: Any, value: Any, site: Where) -> Any:
        """A library's decorator is looked through like one that cannot be read: few of them change what a framework sees."""
        function = decorator
        while isinstance(function, (Bound, Partial)):
            function = function.function
        owner = function.cls if isinstance(function, Instance) else function
        module = owner.scope.module if isinstance(owner, (FunctionValue, ClassValue)) else None
        if not self.nested and module is not None and isinstance(module.scope.names, OnDemand):
            if isinstance(value, FunctionValue):
                value.attributes["\0through"] = True
            return value
        return super().apply_decorator(decorator, value, site)

    def _interpret(self, function: FunctionValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if self.nested or not isinstance(function.scope.module.scope.names, OnDemand):
            return super()._interpret(function, args, kwargs, site)
        doubts = self.doubts
        try:
            with self._apart(CALL_STEPS):
                self.doubts = doubts
                return super()._interpret(function, args, kwargs, site)
        except Exhausted as reason:
            self.touch([*args, *kwargs.values()], f"`{function.name}` is not evaluated to its end", site)
            return Unknown(f"`{function.name}` is not evaluated to its end: {reason}")

    def _library_statement(self, module: ModuleValue, name: str, unit: Unit, node: ast.stmt) -> None:
        self.step += 1
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            wanted = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) == name]
            node = (
                ast.Import(wanted)
                if isinstance(node, ast.Import)
                else ast.copy_location(ast.ImportFrom(node.module, wanted, node.level), node)
            )
        try:
            self.statement(node, module.scope, unit)
        except Raised as raised:
            self.forget(node, module.scope, f"it raises {raised.name}")
        except Unreadable as reason:
            self.forget(node, module.scope, str(reason))

    def _from_stars(self, module: ModuleValue, name: str, stars: list[tuple[Unit, ast.ImportFrom]]) -> None:
        if name.startswith("__"):
            return
        for unit, node in reversed(stars):
            try:
                other = self.import_module(node.module or "", module, node.level, Where(unit, node))
            except Raised:
                continue
            if isinstance(other, ModuleValue):
                found = other.scope.names.get(name, _MISSING)
                if found is not _MISSING:
                    module.scope.names[name] = found
                    return
            elif isinstance(other, Unknown):
                module.starred = other.why

    def whole_library(self, module: ModuleValue) -> None:
        """A package of which a module registers tools is run like any source."""
        text = self.files.text(module.path)
        if isinstance(module.scope.names, OnDemand) and text:
            module.scope.names = dict(module.scope.names)
            self.run_module(module, text)
