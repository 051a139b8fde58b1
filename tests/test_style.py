"""The house rules that a tool can hold: style, types, sizes, and what the wheel must contain."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "echolot_lsp"
MODULES = sorted(PACKAGE.rglob("*.py"))

MODULE_LINES, RULE_LINES, FUNCTION_LINES = 300, 120, 50
LONGER_MODULES: dict[str, int] = {
    "extract/python/attributes.py": 560,
    "extract/python/calls.py": 430,
    "extract/python/expressions.py": 580,
    "extract/python/frameworks.py": 510,
    "extract/python/libcalls.py": 400,
    "extract/python/listing.py": 380,
    "extract/python/methods.py": 330,
    "extract/python/natives.py": 390,
    "extract/python/places.py": 380,
    "extract/python/statements.py": 520,
    "extract/python/types.py": 330,
    "extract/python/values.py": 350,
    "model.py": 390,
}
"""Modules over the limit, by name, with the lines they may have. The list only shrinks."""
LONGER_FUNCTIONS: dict[str, int] = {}
"""Functions over the limit (``module.py:function``), with the lines they may have. The list only shrinks."""
VENDORED = ("tokens/_ctok/",)
"""Code of others, kept as it came."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run one of this environment's tools in the project's folder."""
    words = [sys.executable, "-m", *command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)


def test_ruff_finds_nothing() -> None:
    result = run("ruff", "check", "--quiet", "--output-format", "concise", ".")
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_format_is_ruffs() -> None:
    result = run("ruff", "format", "--check", "--quiet", ".")
    assert result.returncode == 0, result.stdout + result.stderr


def test_mypy_finds_nothing() -> None:
    result = run("mypy", "--no-error-summary")
    assert result.returncode == 0, result.stdout + result.stderr


def own_modules() -> Iterator[tuple[str, str]]:
    """Name and text of each module that is ours."""
    for module in MODULES:
        name = module.relative_to(PACKAGE).as_posix()
        if not name.startswith(VENDORED):
            yield name, module.read_text(encoding="utf-8")


def limit_of(name: str) -> int:
    """How many lines a module may have."""
    is_rule = name.startswith("rules/") and not Path(name).name.startswith("_")
    return RULE_LINES if is_rule else MODULE_LINES


def test_modules_are_short() -> None:
    lengths = {name: len(text.splitlines()) for name, text in own_modules()}
    too_long = {name: lines for name, lines in lengths.items() if lines > LONGER_MODULES.get(name, limit_of(name))}
    assert too_long == {}


def test_functions_are_short() -> None:
    too_long = {}
    for name, text in own_modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGER_FUNCTIONS.get(f"{name}:{node.name}", FUNCTION_LINES):
                    too_long[f"{name}:{node.name}"] = lines
    assert too_long == {}


def test_the_lists_of_exceptions_only_shrink() -> None:
    lengths = {name: len(text.splitlines()) for name, text in own_modules()}
    assert {name: lines for name, lines in LONGER_MODULES.items() if lengths.get(name, 0) <= limit_of(name)} == {}


def test_nothing_names_the_place_where_it_was_written() -> None:
    words = ("/wo" + "rk/", "../sha" + "red", ".libr" + "ary/")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    named = [ROOT / name for name in tracked.stdout.decode("utf-8").split("\0") if name]
    files = named or [*MODULES, *ROOT.glob("*.md"), *(ROOT / "tests").rglob("*.py")]
    found = []
    for file in files:
        if file.is_file() and file.stat().st_size < 2_000_000:
            text = file.read_bytes()
            found += [f"{file.relative_to(ROOT)}: {word}" for word in words if word.encode() in text]
    assert found == []


def test_files_are_opened_with_an_encoding() -> None:
    silent = []
    for name, text in own_modules():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and called(node) in ("open", "read_text", "write_text"):
                words = {keyword.arg for keyword in node.keywords}
                binary = any(
                    isinstance(each, ast.Constant) and isinstance(each.value, str) and "b" in each.value for each in node.args
                )
                if "encoding" not in words and not binary:
                    silent.append(f"{name}:{node.lineno}")
    assert silent == []


def called(node: ast.Call) -> str:
    """The name that a call calls: ``open``, ``read_text`` of ``path.read_text()``."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr if node.func.attr != "open" else ""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def test_the_wheel_holds_every_data_file(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    packed = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", "-z", "echolot_lsp"], cwd=ROOT, capture_output=True, check=False).stdout
    wanted = {name for name in listed.decode("utf-8").split("\0") if name and (ROOT / name).is_file()}
    assert wanted <= packed
    assert {"echolot_lsp/render/report.schema.json", "echolot_lsp/config/settings.schema.json"} <= packed
    assert any(name.endswith("licenses/LICENSE") for name in packed)


def test_the_typed_marker_is_there() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_every_dependency_has_a_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [each for each in project["dependencies"] if not set("<>=~") & set(each)] == []
