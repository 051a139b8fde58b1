"""Operators and formatting over plain values, refused before they grow beyond the bounds."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from echolot_lsp.extract.python.budget import Budget
from echolot_lsp.extract.python.values import Dict, List, Raised, Unreadable

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_WIDTH = re.compile(r"\d{4,}")
_PERCENT_WIDTH = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(?:\d{4,}|\d*\.\d{4,})")
_FIELD_WIDTH = re.compile(r"\{[^{}]*:[^{}]*\d{4,}[^{}]*\}")
_CONVERSIONS: dict[int, Callable[[Any], str]] = {115: str, 114: repr, 97: ascii}
_STAR_WIDTH = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(?:\*|\d*\.\*)")
BITS = 20_000
ERRORS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


def binary(operation: ast.operator, left: Any, right: Any, budget: Budget) -> Any:
    """``left <operation> right`` on plain values. Raises ``Raised`` as Python would, ``Exhausted`` at a bound."""
    kind = type(operation)
    _bound(kind, left, right, budget)
    if kind is ast.MatMult:
        raise Unreadable("a matrix product is not evaluated")
    try:
        result = _BINARY[kind](left, right)
    except ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None
    if kind is ast.Add and isinstance(left, List):
        combined = List(result)
        combined.unsure = left.unsure or getattr(right, "unsure", None)
        return combined
    if kind is ast.BitOr and isinstance(left, Dict):
        merged = Dict(result)
        merged.places = {**left.places, **getattr(right, "places", {})}
        return merged
    return result


def _bound(kind: type[ast.operator], left: Any, right: Any, budget: Budget) -> None:
    if kind is ast.Mult:
        for many, times in ((left, right), (right, left)):
            if isinstance(many, (str, bytes, list, tuple)) and isinstance(times, int):
                budget.size(len(many) * max(0, times))
        if isinstance(left, int) and isinstance(right, int):
            _bits(left.bit_length() + right.bit_length(), budget)
    elif kind is ast.Add and isinstance(left, (str, bytes, list, tuple)) and isinstance(right, (str, bytes, list, tuple)):
        budget.size(len(left) + len(right))
    elif kind is ast.Pow and isinstance(left, int) and isinstance(right, int):
        _bits(left.bit_length() * max(0, right), budget)
    elif kind is ast.LShift and isinstance(left, int) and isinstance(right, int):
        _bits(left.bit_length() + max(0, right), budget)
    elif kind is ast.Mod and isinstance(left, (str, bytes)):
        text = left if isinstance(left, str) else left.decode("latin-1")
        if _PERCENT_WIDTH.search(text):
            budget.size(float("inf"))
        if _STAR_WIDTH.search(text):
            raise Unreadable("a computed width is not evaluated")


def _bits(count: int, budget: Budget) -> None:
    if count > BITS:
        budget.size(float("inf"))


def template(text: str, budget: Budget) -> None:
    """A format string: the widths in its fields stay small."""
    if _FIELD_WIDTH.search(text):
        budget.size(float("inf"))


def unary(operation: ast.unaryop, value: Any) -> Any:
    """``<operation> value`` on a plain value."""
    try:
        return _UNARY[type(operation)](value)
    except ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None


def compare(operation: ast.cmpop, left: Any, right: Any) -> bool:
    """``left <operation> right`` on plain values, ``in`` excepted."""
    try:
        return bool(_COMPARE[type(operation)](left, right))
    except ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None


def formatted(value: Any, specification: str, conversion: int, budget: Budget) -> str:
    """A replacement field of an f-string."""
    if _WIDTH.search(specification):
        budget.size(float("inf"))
    converted = _CONVERSIONS[conversion](value) if conversion in _CONVERSIONS else value
    try:
        result = format(converted, specification)
    except ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None
    budget.size(len(result))
    return result
