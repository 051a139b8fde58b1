"""Questions about the shape of statements: what they bind, whether they only refuse, which nodes are their own."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def own_nodes(node: ast.AST) -> Iterable[ast.AST]:
    """The nodes of a function's own body, without those of functions and classes inside it."""
    pending: list[ast.AST] = list(ast.iter_child_nodes(node))
    while pending:
        item = pending.pop()
        yield item
        if not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(item))


def mentions(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def is_guard(body: list[ast.stmt]) -> bool:
    """A branch that only refuses to go on: a server is read as if it starts."""
    last = body[-1]
    if isinstance(last, ast.Raise):
        return not any(isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) for item in body)
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        function = last.value.func
        return (isinstance(function, ast.Attribute) and function.attr in ("exit", "_exit")) or (
            isinstance(function, ast.Name) and function.id in ("exit", "quit")
        )
    return False


def as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    return target


def bound_names(node: ast.AST) -> set[str]:
    """The names that a statement binds in its own scope."""
    names: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    for item in (node, *own_nodes(node)):
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
            names.add(item.id)
        elif isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.alias):
            names.add(item.asname or item.name.partition(".")[0])
    return names
