"""Which version of a package a project has or will have: from its environment, its lock file, or what it requires.

Everything is read through ``Files``; nothing is run and nothing is installed. A file that is broken or half-typed says nothing.
Names of packages are normalised (``packaging.utils``).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echolot_lsp.extract.python.versions import bounds, normalised, version_of
from echolot_lsp.files import Files

if TYPE_CHECKING:  # most of ``packaging`` is for files that say versions, which many folders have not
    from packaging.specifiers import SpecifierSet

ENVIRONMENTS = (".venv", "venv", "env", ".env")
TOML_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
MAX_INCLUDES = 20
FRAMEWORKS = ("mcp", "fastmcp")
"""Beginnings of the packages that are looked for in an environment; the rest of it is not read."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual or Conda environment: Python's version, and packages (normalised name -> version)."""

    folder: str
    python: str | None
    packages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Project:
    """What one file says: exact versions, bounds, and Python's version or bounds. ``source``: its path."""

    source: str
    versions: Mapping[str, str]
    bounds: Mapping[str, SpecifierSet]
    python: str | None = None
    python_bounds: SpecifierSet | None = None


def environment(folder: str, files: Files) -> Environment | None:
    """The environment in ``folder``; ``None`` where there is none."""
    if not files.is_folder(folder):
        return None
    config = files.text(os.path.join(folder, "pyvenv.cfg"))
    python = _config_python(config) if config is not None else None
    libraries = list(_site_packages(folder, files))
    if config is None and not libraries:
        return None
    packages: dict[str, str] = {}
    for library, found in libraries:
        python = python or found
        for name in files.names(library):
            stem, dot, suffix = name.rpartition(".")
            package, dash, version = stem.partition("-")
            if (
                dot
                and dash
                and name.lower().startswith(FRAMEWORKS)
                and suffix in ("dist-info", "egg-info")
                and version_of(version.partition("-")[0]) is not None
            ):
                packages.setdefault(normalised(package), version.partition("-")[0])
    return Environment(folder, python or _conda_python(folder, files), packages)


def _config_python(text: str) -> str | None:
    values = dict(re.findall(r"^\s*(\w+)\s*=\s*(.*?)\s*$", text, re.MULTILINE))
    return short(values.get("version_info") or values.get("version") or "")


def _site_packages(folder: str, files: Files) -> Iterator[tuple[str, str | None]]:
    for library in ("lib", "lib64"):
        for name in files.names(os.path.join(folder, library)):
            if name.startswith("python"):
                path = os.path.join(folder, library, name, "site-packages")
                if files.is_folder(path):
                    yield path, short(name.removeprefix("python"))
    windows = os.path.join(folder, "Lib", "site-packages")
    if files.is_folder(windows):
        yield windows, None


def _conda_python(folder: str, files: Files) -> str | None:
    for name in files.names(os.path.join(folder, "conda-meta")):
        match = re.match(r"python-(\d+\.\d+)", name)
        if match:
            return match.group(1)
    return None


def short(text: str) -> str | None:
    """``"3.12"`` of ``"3.12.1.final.0"`` or ``"cpython-3.12.1-linux"``; ``None`` where there is no such number."""
    match = re.search(r"(?<!\d)(\d+\.\d+)", text)
    return match.group(1) if match else None


def locked(folder: str, files: Files) -> Iterator[Project]:
    """What the lock files of a folder say."""
    for name in TOML_LOCKS:
        path = os.path.join(folder, name)
        text = files.text(path)
        if text is not None:
            yield Project(path, _toml_versions(text), {}, None, _toml_python(text))
    path = os.path.join(folder, "Pipfile.lock")
    text = files.text(path)
    if text is not None:
        yield _pipfile(path, text)
    for name in files.names(folder):
        if name.startswith("requirements") and name.endswith(".txt"):
            yield _requirements(os.path.join(folder, name), files)
    for name in files.names(os.path.join(folder, "requirements")):
        if name.endswith(".txt"):
            yield _requirements(os.path.join(folder, "requirements", name), files)


def _toml_versions(text: str) -> dict[str, str]:
    """Names and versions of the packages of a lock file, one table at a time: such files are long."""
    versions: dict[str, str] = {}
    for table in re.split(r"^\[\[packages?\]\][ \t]*(?:#.*)?\r?$", text, flags=re.MULTILINE)[1:]:
        head = re.split(r"^\s*\[", table, maxsplit=1, flags=re.MULTILINE)[0]
        match = re.search(r"^name\s*=\s*[\"']([^\"']+)[\"']", head, re.MULTILINE)
        version = re.search(r"^version\s*=\s*[\"']([^\"']+)[\"']", head, re.MULTILINE)
        if match and version and version_of(version.group(1)) is not None:
            versions.setdefault(normalised(match.group(1)), version.group(1))
    return versions


def _toml_python(text: str) -> SpecifierSet | None:
    match = re.search(r"^(?:requires-python|requires_python|python-versions)\s*=\s*[\"']([^\"']+)[\"']", text, re.MULTILINE)
    return bounds(match.group(1)) if match else None


def _pipfile(path: str, text: str) -> Project:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return Project(path, {}, {})
    versions: dict[str, str] = {}
    for section in ("default", "develop"):
        for name, entry in _table(document, section).items():
            version = entry.get("version") if isinstance(entry, dict) else None
            if isinstance(version, str) and version_of(version.lstrip("=")) is not None:
                versions.setdefault(normalised(name), version.lstrip("="))
    python = _table(document, "_meta", "requires").get("python_version")
    return Project(path, versions, {}, short(python) if isinstance(python, str) else None)


def _requirements(path: str, files: Files) -> Project:
    versions: dict[str, str] = {}
    found: dict[str, SpecifierSet] = {}
    pending, seen = [path], set[str]()
    while pending and len(seen) < MAX_INCLUDES:
        current = pending.pop(0)
        text = files.text(current) if current not in seen else None
        seen.add(current)
        for line in re.sub(r"\\\r?\n", " ", text or "").splitlines():
            include = re.match(r"\s*(?:-r|--requirement|-c|--constraint)[ =]+(\S+)", line)
            if include:
                pending.append(os.path.normpath(os.path.join(os.path.dirname(current), include.group(1))))
            _add(re.split(r"\s+(?:#|--hash)|^\s*#", line, maxsplit=1)[0], versions, found)
    return Project(path, versions, found)


def _add(line: str, versions: dict[str, str], found: dict[str, SpecifierSet]) -> None:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(line.strip())
    except InvalidRequirement:
        return
    name = normalised(requirement.name)
    exact = [item.version for item in requirement.specifier if item.operator in ("==", "===") and not item.version.endswith(".*")]
    if exact and version_of(exact[0]) is not None:
        versions.setdefault(name, exact[0])
    found[name] = found[name] & requirement.specifier if name in found else requirement.specifier


def required(folder: str, files: Files) -> Iterator[Project]:
    """What a folder's ``pyproject.toml`` and ``.python-version`` require."""
    path = os.path.join(folder, ".python-version")
    text = files.text(path)
    if text is not None:
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
        yield Project(path, {}, {}, short(lines[0]) if lines else None)
    path = os.path.join(folder, "pyproject.toml")
    text = files.text(path)
    if text is not None:
        yield from _pyproject(path, text)


def _pyproject(path: str, text: str) -> Iterator[Project]:
    document = _toml(text)
    lines = [*_list(document, "project", "dependencies")]
    for group in _table(document, "project", "optional-dependencies").values():
        lines.extend(group if isinstance(group, list) else ())
    for group in _table(document, "dependency-groups").values():
        lines.extend(group if isinstance(group, list) else ())
    lines.extend(_list(document, "tool", "uv", "dev-dependencies"))
    versions: dict[str, str] = {}
    found: dict[str, SpecifierSet] = {}
    for line in lines:
        if isinstance(line, str):
            _add(line, versions, found)
    poetry = _table(document, "tool", "poetry")
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    tables.extend(_table(group, "dependencies") for group in _table(poetry, "group").values())
    for table in tables:
        for name, wanted in table.items():
            specifier = bounds(_poetry(wanted))
            if specifier is not None and name != "python":
                found.setdefault(normalised(name), specifier)
    python = _table(document, "project").get("requires-python") or _poetry(tables[0].get("python"))
    yield Project(path, versions, found, None, bounds(python) if isinstance(python, str) else None)


def _poetry(wanted: object) -> str:
    """PEP 440 bounds of Poetry's ``^1.2``, ``~1.2``, ``*`` or a table with ``version``."""
    if isinstance(wanted, Mapping):
        wanted = wanted.get("version")
    if not isinstance(wanted, str):
        return ""
    parts = []
    for part in wanted.split(","):
        match = re.fullmatch(r"\s*([\^~])\s*(\d+(?:\.\d+)*)\S*\s*", part)
        if not match:
            parts.append("" if part.strip() == "*" else part if re.match(r"\s*[=<>!~]", part) else f"=={part.strip()}")
            continue
        numbers = [int(number) for number in match.group(2).split(".")]
        keep = (
            next((i for i, n in enumerate(numbers) if n), len(numbers) - 1) if match.group(1) == "^" else min(1, len(numbers) - 1)
        )
        upper = [*numbers[:keep], numbers[keep] + 1]
        parts.append(f">={match.group(2)},<{'.'.join(map(str, upper))}")
    return ",".join(part for part in parts if part)


_SCRIPT = re.compile(r"^# /// script[ \t]*\r?\n((?:^#(?:| .*)\r?\n)+?)^# ///[ \t]*\r?$", re.MULTILINE)


def script(path: str, text: str) -> Project | None:
    """What the header of a single-file script requires (PEP 723)."""
    match = _SCRIPT.search(text)
    if match is None:
        return None
    document = _toml("\n".join(line[2:] for line in match.group(1).splitlines()))
    versions: dict[str, str] = {}
    found: dict[str, SpecifierSet] = {}
    for line in _list(document, "dependencies"):
        if isinstance(line, str):
            _add(line, versions, found)
    python = document.get("requires-python")
    return Project(path, versions, found, None, bounds(python) if isinstance(python, str) else None)


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _table(document: object, *path: str) -> Mapping[str, Any]:
    for step in path:
        document = document.get(step) if isinstance(document, Mapping) else None
    return document if isinstance(document, Mapping) else {}


def _list(document: Mapping[str, Any], *path: str) -> list[Any]:
    found = _table(document, *path[:-1]).get(path[-1])
    return found if isinstance(found, list) else []
