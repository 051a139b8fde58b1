"""The next extraction of a file from the one before it: where only bodies were edited that nobody reads, or the header of one tool.

A keystroke changes one block. Where that block is a function that a decorator registers, and nothing else can tell the new function
from the old one, the interpretation is still good but for this one registration, which is done again in its place. Whenever
that is not certain the answer is ``None``, and everything is interpreted anew: both ways give the same list.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.python.assemble import Assembly
from echolot_lsp.extract.python.budget import Budget
from echolot_lsp.extract.python.cache import Cache
from echolot_lsp.extract.python.definitions import free_names
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.servers import ServerValue, ToolValue
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import FrameworkName, FunctionValue, Library, ModuleValue
from echolot_lsp.files import Files
from echolot_lsp.model import Unknown

_LOOKS_AROUND = frozenset(
    (
        *("globals", "locals", "vars", "dir", "eval", "exec", "getattr", "attrgetter", "getmembers", "modules"),
        *("__dict__", "__getattribute__", "_getframe", "stack", "currentframe"),
    )
)
"""What may reach a function of a module without its name."""
_HARMLESS = frozenset(
    (
        *("tool", "resource", "prompt", "custom_route", "completion", "add_resource", "add_prompt"),
        *("name", "settings", "instructions", "sse_app", "streamable_http_app", "http_app"),
    )
)
"""Attributes of a server through which nothing reads its list (``run…`` beside)."""


@dataclass(slots=True)
class Kept:
    """An extraction, with everything that it was made of."""

    options: Hashable
    run: Interpreter
    lists: tuple[Assembly, ...]
    extraction: Extraction
    asked: frozenset[str]
    """The paths that it rests on."""


def read_again(cache: Cache, path: str, files: Files, changed: frozenset[str], options: Hashable) -> Extraction | None:
    """What a fresh extraction of ``path`` would give, from the one before, after nothing but ``changed`` has changed; or ``None``."""
    kept: Kept | None = cache.kept.pop(path, None)  # put back once it is known to be good
    if kept is None or kept.options != options or not changed & kept.asked <= kept.run.units.keys():
        return None
    kept.run.files = files
    differing: list[tuple[str, int, Unit | None]] = []
    for file in changed & kept.run.units.keys():
        text = files.text(file)
        before = kept.run.units[file]
        units = [] if text is None else list(cache.units(file, text))
        if len(units) != len(before):
            return None
        differing += [(file, index, new) for index, (old, new) in enumerate(zip(before, units, strict=True)) if old is not new]
        if len(differing) > 1:
            return None
    if not all(_registered_again(kept, *each) for each in differing):
        return None
    servers = tuple(
        each.made() if differing else replace(server, sources=each.sources(server.tools))
        for each, server in zip(kept.lists, kept.extraction.servers, strict=True)
    )
    kept.extraction = Extraction(servers, tuple(kept.run.troubles))
    cache.kept[path] = kept
    asked = getattr(files, "asked", None)
    if asked is not None:
        asked.update(kept.asked)
    return kept.extraction


def _registered_again(kept: Kept, file: str, index: int, new: Unit | None) -> bool:
    """Does the registration of one block again; whether everything else is what it was."""
    run = kept.run
    old, module = run.units[file][index], run.modules.get(file)
    if old is None or new is None or module is None or not old.opaque or new.whole:
        return False
    row = _row_of(kept, old)
    if row is None:
        return False
    each, number = row
    server, entry = each.value, each.rows[number].value
    node = new.tree.body[0] if len(new.tree.body) == 1 else None
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not isinstance(entry.function, FunctionValue):
        return False
    name = entry.function.node.name  # type: ignore[union-attr]
    if node.name != name or module.scope.names.get(name) not in (entry.function, entry) or name in module.scope.rebound:
        return False
    if not _is_plain_list(each, entry) or not _reads_alike(node, module, server, entry.step):
        return False
    if any(name in _mentioned(unit) or _LOOKS_AROUND & _mentioned(unit) for unit in _others(run, old)):
        return False
    fresh = _registration(run, node, module, new, server, entry)
    if fresh is None:
        return False
    run.units[file][index] = new
    assert each.listing is not None
    each.listing.tools[each.listing.tools.index(entry)] = fresh
    before = each.rows[number]
    run.profile = server.profile
    each.rows[number] = after = each.row(fresh)
    run.cache.replace_tool(run.path, before.key, after.key, after.kept)
    return True


def _row_of(kept: Kept, unit: Unit) -> tuple[Assembly, int] | None:
    """The one row whose function stands in a block."""
    found = [
        (each, number)
        for each in kept.lists
        for number, row in enumerate(each.rows)
        if isinstance(row.value.function, FunctionValue) and row.value.function.unit is unit
    ]
    return found[0] if len(found) == 1 else None


def _is_plain_list(each: Assembly, entry: ToolValue) -> bool:
    """Whether the list is what decorators have registered, one after the other, and this tool stands in it as such."""
    server, listing = each.value, each.listing
    if (
        listing is None
        or server.handler is not None
        or server.cls is not None
        or server.steps
        or server.rewritten
        or server.mounted
    ):
        return False
    if any(name not in _HARMLESS and not name.startswith("run") for name in server.used):
        return False
    if server.options.keys() & {"include_tags", "exclude_tags", "on_duplicate", "on_duplicate_tools", "tools"}:
        return False
    if (
        not all(isinstance(other, ToolValue) for other in server.entries)
        or entry not in server.entries
        or entry not in listing.tools
    ):
        return False
    if id(entry) in listing.versions or any(entry in pair for pair in listing.replaced):
        return False
    if not each.run.schemas or entry.transform is not None or entry.parent is not None or entry.overrides:
        return False
    return entry.via in ("decorator", "decorator-bare") and entry.doubt is None


def _reads_alike(node: ast.FunctionDef | ast.AsyncFunctionDef, module: ModuleValue, server: ServerValue, step: int) -> bool:
    """Whether a definition means the same when it is read after the whole module as where it stands."""
    scope = module.scope

    def lasting(name: str) -> bool:
        return name not in scope.rebound and scope.bound_at.get(name, 0) <= step

    if len(node.decorator_list) != 1 or not all(lasting(name) for name in free_names(node)):
        return False
    decorator = node.decorator_list[0]
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not (isinstance(target, ast.Attribute) and target.attr == "tool" and isinstance(target.value, ast.Name)):
        return False
    if scope.names.get(target.value.id) is not server or not lasting(target.value.id):
        return False
    if not isinstance(decorator, ast.Call):
        return True
    given = [*decorator.args, *(keyword.value for keyword in decorator.keywords)]
    return all(keyword.arg for keyword in decorator.keywords) and all(_is_constant(item, module, lasting) for item in given)


def _is_constant(node: ast.expr, module: ModuleValue, lasting: Any) -> bool:
    """Whether an expression is the same whenever it is evaluated: literals, names of constants, objects of libraries made of such."""
    root: ast.expr = node
    while isinstance(root, (ast.Attribute, ast.Call)):
        if isinstance(root, ast.Call):
            given = [*root.args, *(keyword.value for keyword in root.keywords)]
            if not all(_is_constant(item, module, lasting) for item in given):
                return False
        root = root.func if isinstance(root, ast.Call) else root.value
    if isinstance(root, ast.Name):
        value = module.scope.names.get(root.id)
        kinds: tuple[type, ...] = (FrameworkName, Library)
        return lasting(root.id) and isinstance(value, kinds if root is not node else (*kinds, str, int, float, bool))
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return all(_is_constant(item, module, lasting) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(item is not None and _is_constant(item, module, lasting) for item in (*node.keys, *node.values))
    if isinstance(node, ast.UnaryOp):
        return _is_constant(node.operand, module, lasting)
    return isinstance(node, ast.BinOp) and _is_constant(node.left, module, lasting) and _is_constant(node.right, module, lasting)


def _others(run: Interpreter, unit: Unit) -> Iterator[Unit]:
    return (other for units in run.units.values() for other in units if other is not None and other is not unit)


def _mentioned(unit: Unit) -> frozenset[str]:
    """The names, and the texts that may be names, in everything that was read of a block."""
    key = "mentioned", unit.opaque
    known = unit.cache.get(key)
    if known is None:
        known = unit.cache[key] = frozenset(_mentions(unit.tree if unit.opaque else unit.full().tree))
    return known  # type: ignore[return-value]


def _mentions(tree: ast.AST) -> Iterator[str]:
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.value


def _registration(
    run: Interpreter,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    module: ModuleValue,
    unit: Unit,
    server: ServerValue,
    before: ToolValue,
) -> ToolValue | None:
    """The tool that a definition registers now, put in the place of what it registered before; ``None`` where anything else happens."""
    state = _state(run)
    run.budget, run.step = Budget(), before.step
    run.budget.new_block()
    try:
        value = run.define(node, module.scope, unit)
    except Exception:
        return None
    fresh = server.entries.pop() if server.entries else None
    if _state(run) != state or not isinstance(fresh, ToolValue) or not isinstance(fresh.function, FunctionValue):
        return None
    name = run.name_of(fresh)
    if fresh.function.node is not node or isinstance(name, Unknown) or name != run.name_of(before):
        return None
    if fresh.arguments.get("version") != before.arguments.get("version"):
        return None
    server.entries[server.entries.index(before)] = fresh
    module.scope.names[node.name] = value
    return fresh


def _state(run: Interpreter) -> tuple[Any, ...]:
    """What a definition may change, but for the tool that it registers."""
    servers = [(len(server.unsure), len(server.raised), len(server.steps), server.rewritten) for server in run.servers]
    parts = (run.stopped, run.incomplete, run.troubles, run.gone, run.failures, run.doubts, run.tries)
    return servers, [len(part) for part in parts], [len(server.entries) for server in run.servers]
