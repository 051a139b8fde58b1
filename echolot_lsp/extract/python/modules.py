"""Imports: sibling modules, packages and installed sources, read through ``Files`` and never by the import system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from echolot_lsp.extract.python.demand import Demand, OnDemand, all_names, is_library, own_package
from echolot_lsp.extract.python.library import MODULES, STANDARD, is_type, resolved
from echolot_lsp.extract.python.values import (
    Exhausted,
    FrameworkName,
    Library,
    List,
    ModuleValue,
    Raised,
    Scope,
    Where,
)
from echolot_lsp.model import Unknown

FRAMEWORKS = frozenset({"mcp", "fastmcp", "mcp_types", "docket", "uncalled_for"})
_TAKEN = frozenset({"pydantic", "annotated_types", "typing_extensions", "pydantic_core", "anyio", "pydantic_settings"})
"""Packages beside the standard library that are never read where they are installed."""
_ALIKE = {
    ("pydantic_settings", "BaseSettings"): Library("pydantic", "BaseModel"),
    ("pydantic_settings", "SettingsConfigDict"): Library("pydantic", "ConfigDict"),
}
"""What stands for a name that is not ours to run: settings have their defaults where nothing is known of an environment."""
MAX_MODULES = 400
"""Modules of the project, and as many of installed libraries, that one extraction reads."""
MAX_BYTES = 2_000_000
"""Size of a module that is read."""


class Modules(Demand):
    """From a module's name to its value."""

    def import_module(self, name: str, importer: ModuleValue, level: int, site: Where) -> Any:
        if level:
            name = self._absolute(name, importer, level)
            if name is None:
                return Unknown("this relative import leaves its package")
        root = name.partition(".")[0]
        if root in FRAMEWORKS and not level and self._find(root, importer, beside=True) is None:
            return self.import_framework(name, site)
        taken = root in STANDARD or name in MODULES or root in _TAKEN
        found = self._find(name, importer, beside=taken)
        if found is not None:
            return self._load(name, found, importer)
        if taken:
            return Library(name)
        if self.libraries and not self._find(root, importer):
            raise Raised("ModuleNotFoundError", f"No module named '{name}'")
        return Unknown(f"module `{name}` is not in the workspace")

    def import_framework(self, name: str, site: Where) -> Any:
        """A module of a framework (``frameworks``)."""
        raise NotImplementedError

    @staticmethod
    def _absolute(name: str, importer: ModuleValue, level: int) -> Any:
        package = importer.package
        for _ in range(level - 1):
            if "." not in package:
                return None
            package = package.rpartition(".")[0]
        if not package:
            return name or None
        return f"{package}.{name}" if name else package

    def _roots(self, importer: ModuleValue) -> Iterator[str]:
        """Where a module is looked for: beside the file, the package's root, ``src``, the workspace, installed packages."""
        own = os.path.dirname(importer.path)
        top = own
        for _ in range(importer.package.count(".") + 1 if importer.package else 0):
            top = os.path.dirname(top)
        named = os.path.dirname(self.path)
        seen: set[str] = set()
        beside = () if is_library(importer.path, self.path) else (named, own) if not importer.package else (named,)
        for root in (
            top,
            *beside,
            os.path.join(top, "src"),
            *self.roots,
            *(os.path.join(root, "src") for root in self.roots),
            *self.libraries,
        ):
            if root not in seen:
                seen.add(root)
                yield root

    def _find(self, name: str, importer: ModuleValue, *, beside: bool = False) -> str | None:
        parts = name.split(".")
        site, own = own_package(self.path)
        for root in self._roots(importer):
            installed = root in self.libraries or (site is not None and os.path.join(os.path.abspath(root), "") == site)
            if beside and installed and parts[0] not in (own, f"{own}.py"):
                continue
            base = os.path.join(root, *parts)
            for path in (os.path.join(base, "__init__.py"), base + ".py"):
                if self.files.is_file(path):
                    return path
            mine = not installed or parts[0] == own
            if mine and self.files.is_folder(base) and any(item.endswith(".py") for item in self.files.names(base)):
                return os.path.join(base, "__init__.py")
        return None

    def _load(self, name: str, path: str, importer: ModuleValue) -> Any:
        path = os.path.normpath(path) if not os.path.isabs(path) else path
        known = self.modules.get(path)
        if known is not None:
            return known
        library = is_library(path, self.path)
        self.read[library] += 1
        if self.read[library] > MAX_MODULES:
            return Unknown("too many modules are imported")
        if "." in name:
            parent = name.rpartition(".")[0]
            parent_path = self._find(parent, importer)
            if parent_path is not None and parent_path not in self.modules:
                self._load(parent, parent_path, importer)
                if path in self.modules:
                    return self.modules[path]
        package = name if os.path.basename(path) == "__init__.py" else name.rpartition(".")[0]
        module = ModuleValue(name, path, package)
        self.modules[path] = module
        self.prepare(module)
        text = self.files.text(path)
        if text is None and os.path.basename(path) != "__init__.py":
            return Unknown(f"module `{name}` cannot be read")
        if text and len(text) <= MAX_BYTES:
            doubts, self.doubts = self.doubts, []
            depth, self.budget.depth = self.budget.depth, 0
            try:
                if not self.on_demand(module, text):
                    self.run_module(module, text)
                    self._whole_parents(module, importer)
            except Exhausted as reason:
                module.starred = str(reason)
            except Raised:
                del self.modules[path]
                raise
            finally:
                self.budget.depth = depth
                self.doubts = doubts
        if "." in name:
            parent_value = self.modules.get(self._find(name.rpartition(".")[0], importer) or "")
            if parent_value is not None and not isinstance(parent_value.scope.names, OnDemand):
                parent_value.scope.names.setdefault(name.rpartition(".")[2], module)
        return module

    def _whole_parents(self, module: ModuleValue, importer: ModuleValue) -> None:
        """The packages above a library's module that names a framework may import others that register tools."""
        name = module.name.rpartition(".")[0] if is_library(module.path, self.path) else ""
        while name:
            parent = self.modules.get(self._find(name, importer) or "")
            if parent is not None:
                self.whole_library(parent)
            name = name.rpartition(".")[0]

    def prepare(self, module: ModuleValue) -> None:
        """The names that a module has before its first statement."""
        module.scope.names.update(
            {"__name__": module.name, "__file__": module.path, "__package__": module.package, "__doc__": None}
        )
        if os.path.basename(module.path) == "__init__.py":
            module.scope.names["__path__"] = List([os.path.dirname(module.path)])

    def import_name(self, module: Any, name: str, site: Where) -> Any:
        if isinstance(module, Unknown):
            return module
        if isinstance(module, FrameworkName):
            return self.framework_member(module, name, site)
        if isinstance(module, Library):
            if (module.dotted, name) in _ALIKE:
                return _ALIKE[module.dotted, name]
            if f"{module.module}.{name}" in MODULES and not module.name:
                return Library(f"{module.module}.{name}")
            return resolved(Library(module.dotted, name))
        if isinstance(module, ModuleValue) and name not in module.scope.names:
            submodule_path = self._find(f"{module.name}.{name}", module)
            if submodule_path is not None and os.path.basename(module.path) == "__init__.py":
                return self._load(f"{module.name}.{name}", submodule_path, module)
        return self.attribute(module, name, site)

    def framework_member(self, module: FrameworkName, name: str, site: Where) -> Any:
        """A name that is imported from a framework's module (``frameworks``)."""
        raise NotImplementedError

    def import_star(self, module: Any, scope: Scope) -> None:
        if isinstance(module, ModuleValue):
            listed = module.scope.names.get("__all__")
            names = (
                [str(item) for item in listed]
                if isinstance(listed, (list, tuple)) and not any(isinstance(item, Unknown) for item in listed)
                else [name for name in all_names(module) if not name.startswith("_")]
            )
            for name in names:
                if name in module.scope.names:
                    self.bind_name(name, module.scope.names[name], scope)
            if module.starred:
                scope.module.starred = module.starred
        elif isinstance(module, Library) and module.module in MODULES:
            import importlib

            loaded = importlib.import_module(module.module)
            for name in getattr(loaded, "__all__", None) or [item for item in vars(loaded) if not item.startswith("_")]:
                self.bind_name(name, resolved(Library(module.module, name)), scope)
        elif isinstance(module, FrameworkName):
            for name in ("FastMCP", "MCPServer", "Context", "Tool", "TextContent", "Server"):
                self.bind_name(name, FrameworkName(f"{module.dotted}.{name}"), scope)
        else:
            scope.module.starred = module.why if isinstance(module, Unknown) else "a star import is not read"

    def in_sight(self, name: str, level: int, scope: Scope) -> bool:
        root = name.partition(".")[0]
        if level or root in STANDARD or root in FRAMEWORKS or name in MODULES or root in ("pydantic", "anyio", "typing_extensions"):
            return True
        return self._find(name, scope.module) is not None


def is_annotation(value: Any) -> bool:
    """Whether a value may stand in an annotation."""
    return is_type(value)
