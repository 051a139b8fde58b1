"""Imports go one way: the map in ``echolot_lsp/__init__.py``, enforced."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "echolot_lsp"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))

BELOW: dict[str, set[str]] = {
    "model": set(),
    "errors": set(),
    "files": set(),
    "text": set(),
    "examples": set(),
    "schema": {"model"},
    "words": {"model", "schema"},
    "causes": {"model"},
    "anatomy": {"model", "schema", "words", "causes"},
    "metaschema": {"model", "schema", "anatomy"},
    "providers": {"model", "schema"},
    "tokens": {"model", "schema", "providers"},
    "rules": {"model", "schema", "words", "anatomy", "metaschema", "operations", "providers", "tokens", "text"},
    "operations": {"model"},
    "safety": {"model", "operations", "rules"},
    "check": {"model", "rules", "causes", "safety"},
    "verdict": {"model", "schema", "providers", "rules", "words"},
    "config": {"model", "errors", "files", "text", "rules"},
    "extract": {"model", "errors", "files", "text", "schema"},
    "view": {"model", "errors", "render", "trial"},
    "fixes": {"model", "text", "extract"},
    "workspace": {"model", "errors", "files", "text", "schema", "extract"},
    "trial": {"model", "errors", "text", "schema", "providers", "tokens"},
    "render": {
        "model",
        "errors",
        "files",
        "text",
        "schema",
        "words",
        "anatomy",
        "providers",
        "tokens",
        "rules",
        "check",
        "verdict",
        "config",
        "trial",
    },
}
"""What each part may import, itself aside. ``cli`` and ``lsp`` may import everything but one another."""

HOMES: dict[str, tuple[str, ...]] = {
    "pygls": ("lsp/",),
    "lsprotocol": ("lsp/",),
    "libcst": ("extract/python/",),
    "mcp": ("extract/live/",),
    "httpx2": ("trial/", "extract/live/"),
    "socket": ("trial/", "extract/live/", "render/", "lsp/", "cli/"),
    "rich": ("render/", "cli/", "trial/"),
    "tiktoken": ("tokens/",),
    "pydantic": ("extract/python/", "examples/"),
}
"""Packages that only some folders may import."""

SHELLS = ("cli", "lsp")
HEAVY = {
    "libcst",
    "pydantic",
    "pydantic_core",
    "jsonschema",
    "tiktoken",
    "mcp",
    "rich",
    "httpx2",
    "genai_prices",
    "asyncio",
    "griffe",
}


def part(module: Path) -> str:
    """The part of the map that a module belongs to."""
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(module: Path) -> Iterator[str]:
    """Every absolute module name that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(module: Path) -> str:
    """A module's path inside the package."""
    return module.relative_to(PACKAGE).as_posix()


def test_the_map_names_every_part() -> None:
    parts = {part(module) for module in MODULES} - {"__init__", *SHELLS}
    assert parts <= set(BELOW), "a new part: add it to the map in echolot_lsp/__init__.py and to BELOW"


def test_a_module_imports_only_what_lies_below_it() -> None:
    parts = {part(module) for module in MODULES} - {"__init__"}
    wrong = []
    for module in MODULES:
        mine = part(module)
        allowed = parts - set(SHELLS) if mine in SHELLS else BELOW.get(mine, set())
        used = {name.split(".")[1] for name in imports(module) if name.startswith("echolot_lsp.")} & parts
        wrong += [f"{name_of(module)} imports {name}" for name in sorted(used - allowed - {mine})]
    assert wrong == []


def test_a_package_is_imported_only_where_it_belongs() -> None:
    wrong = []
    for module in MODULES:
        for name in imports(module):
            homes = HOMES.get(name.split(".")[0])
            if homes is not None and not name_of(module).startswith(homes):
                wrong.append(f"{name_of(module)} imports {name}")
    assert wrong == []


def test_every_module_starts_with_a_sentence() -> None:
    silent = []
    for module in MODULES:
        docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        if not docstring.split("\n\n")[0].rstrip().endswith((".", ":", "?", "!", "…", "::")):
            silent.append(name_of(module))
    assert silent == []


@pytest.mark.parametrize("entry", ["echolot_lsp.cli", "echolot_lsp.cli.parser", "echolot_lsp.cli.in_force", "echolot_lsp.lsp"])
def test_an_entry_point_imports_nothing_heavy(entry: str) -> None:
    code = f"import sys, {entry}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout.split()
    assert not HEAVY & set(loaded)
