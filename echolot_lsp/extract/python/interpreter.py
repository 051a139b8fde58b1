"""One interpretation: the named file as Python would run it, then the functions that only an entry point would call."""

from __future__ import annotations

import ast
import logging
import os
import re
from typing import Any

from echolot_lsp.extract.python.cache import Cache
from echolot_lsp.extract.python.calls import Return
from echolot_lsp.extract.python.frameworks import Frameworks
from echolot_lsp.extract.python.profile import Profiles
from echolot_lsp.extract.python.servers import FrameworkRaised, ServerValue, ToolValue
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    ClassValue,
    Coroutine,
    Exhausted,
    FunctionValue,
    ModuleValue,
    Raised,
    Unreadable,
    Where,
)
from echolot_lsp.files import Files
from echolot_lsp.model import Span, Trouble, Unknown

log = logging.getLogger(__name__)
_MAKES_SERVER = re.compile(r"\b(?:FastMCP|MCPServer|Server)\s*\(|\.\s*(?:tool|add_tool|list_tools|mount)\b|\bregister")
_ENTRY_NAMES = ("main", "run", "serve", "cli", "run_server", "start", "async_main", "_main", "amain")


class Interpreter(Frameworks):
    """Everything together."""

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
        super().__init__(path, files, profiles, cache=cache, roots=roots, libraries=libraries)
        self.prepare_types()
        self.imports = {}
        self.troubles: list[Trouble] = []
        self.stopped: list[tuple[Raised, Span | None]] = []
        """What a framework raises while the source is imported."""
        self.incomplete: list[tuple[str, Span | None]] = []
        """Statements that reached a bound."""

    def run(self) -> ModuleValue | None:
        """Interpret the named file; ``None`` where it cannot be read."""
        text = self.files.text(self.path)
        if text is None:
            return None
        name, package = self._module_name()
        module = ModuleValue(name, self.path, package)
        self.modules[self.path] = module
        self.prepare(module)
        module.scope.names["__name__"] = "__main__"
        self.run_module(module, text)
        self._run_entries(module)
        return module

    def _module_name(self) -> tuple[str, str]:
        """The dotted name and the package of the named file, from the ``__init__.py`` files beside and above it."""
        folder, base = os.path.split(self.path)
        parts: list[str] = []
        while folder and self.files.is_file(os.path.join(folder, "__init__.py")):
            folder, name = os.path.split(folder)
            parts.insert(0, name)
            if not name:
                break
        stem = os.path.splitext(base)[0]
        if not parts:
            return "__main__", ""
        package = ".".join(parts)
        return (package if stem == "__init__" else f"{package}.{stem}"), package

    def _run_entries(self, module: ModuleValue) -> None:
        candidates = [
            value
            for value in module.scope.names.values()
            if isinstance(value, FunctionValue) and value.scope is module.scope and not isinstance(value.node, ast.Lambda)
        ]
        for function in candidates:
            if function.name in _ENTRY_NAMES and id(function.node) not in self.called:
                self._call_entry(function)
        if any(self.has_tools(server) for server in self.servers):
            return
        for function in candidates:
            if id(function.node) not in self.called and function.unit.has(_MAKES_SERVER):
                self._call_entry(function)
        if any(self.has_tools(server) for server in self.servers):
            return
        for cls in [value for value in module.scope.names.values() if isinstance(value, ClassValue) and value.module is module]:
            if cls.unit.has(_MAKES_SERVER):
                self._enter(lambda cls=cls: self._construct_unknown(cls), Where(cls.unit, cls.node))

    @staticmethod
    def has_tools(server: ServerValue) -> bool:
        """Whether anything is known of a server's list."""
        return bool(server.entries or server.handler is not None or server.unsure)

    def _call_entry(self, function: FunctionValue) -> None:
        arguments = function.node.args
        count = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
        if "\0through" in function.attributes:  # a command line's decorator fills them
            self._enter(lambda: self.awaited(self.call(function, [], {}, function.where)), function.where)
            return
        unknown = Unknown("an argument of an entry point is not known")
        names = {
            item.arg: unknown for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
        }
        self._enter(lambda: self.awaited(self.call(function, [unknown] * count, dict(names), function.where)), function.where)

    def _construct_unknown(self, cls: ClassValue) -> Any:
        initialiser = self.find_in_class(cls, "__init__")
        count = 0
        if isinstance(initialiser, FunctionValue):
            arguments = initialiser.node.args
            count = max(0, len(arguments.args) - 1 - len(arguments.defaults))
        instance = self.construct(cls, [Unknown("an argument is not known")] * count, {}, Where(cls.unit, cls.node))
        for name in self.members(cls):
            value = cls.names.get(name)
            if isinstance(value, FunctionValue) and id(value.node) not in self.called and _MAKES_SERVER.search(_text_of(value)):
                if any(self.has_tools(server) for server in self.servers):
                    break
                self._call_method_unknown(instance, value)
        return instance

    def _call_method_unknown(self, instance: Any, method: FunctionValue) -> None:
        count = max(0, len(method.node.args.args) - 1 - len(method.node.args.defaults))
        unknown = [Unknown("an argument is not known")] * count
        self.awaited(self.call(method, [instance, *unknown], {}, method.where))

    def _enter(self, start: Any, where: Where) -> None:
        self.step += 1
        self.budget.new_block()
        try:
            start()
        except FrameworkRaised as raised:
            self.stopped.append((raised, (raised.where or where).span()))
        except (Raised, Unreadable, Return):
            return
        except Exhausted as reason:
            self.incomplete.append((str(reason), where.span()))
        except Exception as error:
            self.crashed(error)

    # what leaves a statement of a module
    def raised(self, raised: Raised, node: ast.stmt, module: ModuleValue, unit: Unit) -> None:
        self.forget(node, module.scope, f"it raises {raised.name}")
        if isinstance(raised, FrameworkRaised):
            self.stopped.append((raised, (raised.where or Where(unit, node)).span()))

    def exhausted(self, why: str, node: ast.stmt, module: ModuleValue, unit: Unit) -> None:
        self.forget(node, module.scope, why)
        self.incomplete.append((f"this is not evaluated to its end: {why}", unit.span(node)))

    def abandoned(self, why: str) -> None:
        if self.nested:
            raise Exhausted(why)  # inside a library: what was asked of it is unknown, the list is not
        if (f"a branch is not evaluated to its end: {why}", None) not in self.incomplete:
            self.incomplete.append((f"a branch is not evaluated to its end: {why}", None))

    def crashed(self, error: Exception) -> None:
        log.debug("interpretation failed", exc_info=error)
        self.keep.append(error)


def _text_of(function: FunctionValue) -> str:
    return function.unit.text[function.unit.start(function.node) : function.unit.end(function.node)]


__all__ = ["Coroutine", "Interpreter", "ToolValue"]
