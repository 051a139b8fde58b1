"""Whose answer is wanted: which framework a server is made with, in which version, under which Python.

The framework follows from the import. Its version: what the user said, the environment that was named, the header of a script,
the project's own environment (``.venv``, ``venv``, the active one), a lock file, the bounds of a requirement, else the newest
known release. The nearest folder that knows the package wins, so that a project inside another has its own answer. Python's
version likewise. Everything is read through ``Files``; whoever calls caches by what was asked of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from packaging.version import Version

from echolot_lsp.errors import UsageError
from echolot_lsp.extract.python import installed
from echolot_lsp.extract.python.declaration import Framework, Profile
from echolot_lsp.extract.python.installed import Environment, Project
from echolot_lsp.extract.python.versions import newest_fitting, version_of
from echolot_lsp.files import Files

MCP = "1.0.0 1.1.3 1.2.1 1.3.0 1.4.1 1.5.0 1.6.0 1.7.1 1.8.1 1.9.4 1.10.1 1.11.0 1.12.4 1.13.1 1.14.1 1.15.0 1.16.0 1.17.0 1.18.0"
MCP += " 1.19.0 1.20.0 1.21.2 1.22.0 1.23.3 1.24.0 1.25.0 1.26.0 1.27.2 1.28.1 1.29.1 1.30.0 2.0.1 2.1.1 2.2.0 2.3.0"
FASTMCP = "2.0.0 2.1.2 2.2.10 2.3.5 2.4.0 2.5.2 2.6.1 2.7.1 2.8.1 2.9.2 2.10.6 2.11.3 2.12.5 2.13.3 2.14.7"
FASTMCP += " 3.0.2 3.1.1 3.2.4 3.3.1 3.4.11 4.0.11 4.1.7 4.2.3"
RELEASES = {"mcp": tuple(MCP.split()), "fastmcp": tuple(FASTMCP.split())}
"""The last release of each minor version on PyPI, as of 2026-11-30."""

PYTHONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
PACKAGE: dict[Framework, str] = {"sdk": "mcp", "low": "mcp", "fastmcp": "fastmcp"}
MCP_UNDER_FASTMCP = {2: 1, 3: 1, 4: 2}
"""The major version of ``mcp`` that a major version of FastMCP pins."""

_OPTIONS: dict[str, Framework] = {"sdk": "sdk", "mcp": "sdk", "fastmcp": "fastmcp", "low": "low"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user said, and which environments are active (``VIRTUAL_ENV``, ``CONDA_PREFIX``), as data."""

    framework: Framework | None = None
    version: str | None = None
    python: str | None = None
    environment: str | None = None
    active: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A profile, and where its version comes from: a path, ``"option"`` or ``"newest"``.

    ``misfit``: the version that is or will be installed, where the import cannot work with it (``mcp.server.fastmcp`` with
    ``mcp`` 2); the profile is then the newest release that has the import.
    """

    profile: Profile
    source: str
    misfit: str | None = None


def parse_framework(text: str) -> tuple[Framework, str | None]:
    """``NAME[==VERSION]`` of the option: ``sdk``, ``fastmcp``, ``low`` (``mcp`` is ``sdk``). Raises ``UsageError``."""
    name, _, version = (part.strip() for part in text.partition("=="))
    if name.lower() not in _OPTIONS:
        raise UsageError(f"There is no framework {name!r}: say sdk, fastmcp or low, with ==VERSION if you like.")
    if "==" in text and version_of(version) is None:
        raise UsageError(f"{version!r} is no version number.")
    return _OPTIONS[name.lower()], version or None


def parse_python(text: str) -> str:
    """``X.Y`` of the option. Raises ``UsageError``."""
    short = installed.short(text.strip())
    if short is None or not text.strip().startswith("3."):
        raise UsageError(f"{text!r} is no version of Python 3: write it like 3.12.")
    return short


def framework_of(module: str, name: str = "") -> Framework | None:
    """The framework behind ``from module import name``, where one makes servers with it."""
    if module == "fastmcp" or module.startswith("fastmcp."):
        return "fastmcp"
    if module in ("mcp.server.fastmcp", "mcp.server.mcpserver") or module.startswith(
        ("mcp.server.fastmcp.", "mcp.server.mcpserver.")
    ):
        return "sdk"
    if module in ("mcp", "mcp.server") and name in ("MCPServer", "FastMCP"):
        return "sdk"
    return "low" if module == "mcp.server" or module.startswith("mcp.server.lowlevel") else None


def majors(module: str, name: str = "") -> tuple[int, ...]:
    """The major versions of the package that have an import; empty: any."""
    if module.startswith("mcp.server.fastmcp"):
        return (1,)
    if module.startswith("mcp.server.mcpserver") or name == "MCPServer":
        return (2,)
    return ()


def running_python() -> str:
    """The version of the interpreter that runs us."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


class Profiles:
    """The profiles of the servers in one file; what is around the file is read once, when it is first needed."""

    def __init__(self, path: str, files: Files, asked: Asked | None = None) -> None:
        self._path = path
        self._files = files
        self._asked = asked or Asked()

    def of(self, framework: Framework, module: str = "", name: str = "") -> Profile:
        """The profile of a server that is made with ``from module import name``."""
        return self.find(framework, module, name).profile

    def find(self, framework: Framework, module: str = "", name: str = "") -> Found:
        """The same, with where the version comes from."""
        asked = self._asked
        if asked.framework is not None and (asked.framework == "low") == (framework == "low"):
            framework = asked.framework
            module = module if PACKAGE[framework] == module.partition(".")[0] else ""
        named = asked.version if asked.framework == framework else None
        package, fitting = PACKAGE[framework], majors(module, name)
        source, version = ("option", named) if named is not None else next(self._candidates(package), ("newest", None))
        known = version and version_of(version)
        misfit = version if known and fitting and known.major not in fitting else None
        if version is None or misfit is not None:
            version = _newest(package, fitting)
        return Found(Profile(framework, version, self.python), source, misfit)

    @cached_property
    def python(self) -> str:
        """Python's version: option, environment, what the project requires, else the one that runs us."""
        if self._asked.python is not None:
            return self._asked.python
        for project in self._script:
            if project.python_bounds is not None:
                return _python_within(project) or running_python()
        for found in self._environments:
            if found.python is not None:
                return found.python
        for project in (*self._required, *self._locked):
            version = project.python or _python_within(project)
            if version is not None:
                return version
        return running_python()

    def _candidates(self, package: str) -> Iterator[tuple[str, str]]:
        """Where a version of the package may come from, best first."""
        for found in self._environments:
            if found.folder == self._asked.environment:
                yield from _of(package, found.folder, found.packages)
        for project in self._script:
            yield from self._of_project(package, project)
        for found in self._environments:
            yield from self._fitting(package, os.path.dirname(found.folder), _of(package, found.folder, found.packages))
        for project in self._locked:
            yield from self._fitting(package, os.path.dirname(project.source), self._of_project(package, project))
        for project in self._required:
            yield from self._of_project(package, project)

    def _fitting(self, package: str, folder: str, found: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """What is found outside of the nearest project that requires the package must be within that project's bounds."""
        nearest = next((item for item in self._required if package in item.bounds), None)
        outside = nearest is not None and os.path.dirname(nearest.source).startswith(folder.rstrip(os.sep) + os.sep)
        for source, version in found:
            if nearest is None or not outside or nearest.bounds[package].contains(version, prereleases=True):
                yield source, version

    def _of_project(self, package: str, project: Project) -> Iterator[tuple[str, str]]:
        yield from _of(package, project.source, project.versions)
        if package in project.bounds:
            newest = newest_fitting(RELEASES[package], project.bounds[package])
            if newest is not None:
                yield project.source, newest
        elif package == "mcp" and "fastmcp" in project.bounds:
            above = newest_fitting(RELEASES["fastmcp"], project.bounds["fastmcp"])
            if above is not None:
                yield from _of(package, project.source, {"fastmcp": above})

    @cached_property
    def _folders(self) -> list[str]:
        """The folder of the file and those above it, nearest first, up to the root of the repository."""
        folder = os.path.dirname(os.path.abspath(self._path))
        folders = [folder]
        while os.path.dirname(folder) != folder and ".git" not in self._files.names(folder):
            folder = os.path.dirname(folder)
            folders.append(folder)
        return folders

    @cached_property
    def _script(self) -> tuple[Project, ...]:
        text = self._files.text(self._path) or ""
        project = installed.script(self._path, text) if "# /// script" in text else None
        return () if project is None else (project,)

    @cached_property
    def _environments(self) -> tuple[Environment, ...]:
        named = (self._asked.environment,) if self._asked.environment is not None else ()
        own = tuple(os.path.join(folder, name) for folder in self._folders for name in installed.ENVIRONMENTS)
        found = (installed.environment(folder, self._files) for folder in (*named, *own, *self._asked.active))
        return tuple(item for item in found if item is not None)

    @cached_property
    def _locked(self) -> tuple[Project, ...]:
        return tuple(project for folder in self._folders for project in installed.locked(folder, self._files))

    @cached_property
    def _required(self) -> tuple[Project, ...]:
        return tuple(project for folder in self._folders for project in installed.required(folder, self._files))


def _of(package: str, source: str, versions: object) -> Iterator[tuple[str, str]]:
    """The version of a package, or of ``mcp`` as far as FastMCP's version tells it."""
    if not isinstance(versions, dict):
        return
    if package in versions:
        yield source, versions[package]
    elif package == "fastmcp" and "fastmcp-slim" in versions:
        yield source, versions["fastmcp-slim"]
    elif package == "mcp" and "fastmcp" in versions:
        above = version_of(versions["fastmcp"])
        below = MCP_UNDER_FASTMCP.get(above.major) if above else None
        if below is not None:
            yield source, _newest("mcp", (below,))


def _newest(package: str, fitting: tuple[int, ...]) -> str:
    known = [version for version in RELEASES[package] if not fitting or Version(version).major in fitting]
    return max(known, key=Version)


def _python_within(project: Project) -> str | None:
    """The Python that bounds ask for: ours where it fits, else the newest that does."""
    allowed = project.python_bounds
    if allowed is None or not str(allowed):
        return None
    fitting = [version for version in PYTHONS if allowed.contains(f"{version}.99", prereleases=True)]
    exact = [version for version in PYTHONS if allowed.contains(version) or allowed.contains(f"{version}.0")]
    choice = fitting or exact
    return running_python() if running_python() in choice else max(choice, key=Version, default=None)
