"""What only the source shows of a tool: parameters that leak, signatures that are lost, declarations that fail."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from inspect import Parameter
from typing import Any

from echolot_lsp.extract.python.declaration import EMPTY, Failure, FunctionDecl, Outcome, ParameterDecl, ToolDecl, qualified
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.listing import Listing
from echolot_lsp.extract.python.places import functions_of, span_of
from echolot_lsp.extract.python.servers import ServerValue, ToolValue
from echolot_lsp.extract.python.values import FunctionValue, Where
from echolot_lsp.model import Fact, Path, Span, Unknown

_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_CONTEXT_NAMES = frozenset({"ctx", "context"})


def tool_facts(
    run: Interpreter,
    server: ServerValue,
    value: ToolValue,
    decl: ToolDecl | None,
    outcome: Outcome,
    wire: Mapping[str, Any],
    listing: Listing | None,
) -> list[Fact]:
    """The facts of a tool."""
    facts = [_failure(failure, value) for failure in outcome.failures]
    facts += _duplicates(listing, value)
    lost = _lost(value)
    if lost is not None:
        return [*facts, lost]
    facts += outcome.facts
    if decl is not None and decl.function is not None and not outcome.failures:
        facts += _parameters(decl.function, server, outcome, wire)
    return facts


def _failure(failure: Failure, value: ToolValue) -> Fact:
    details = {"exception": failure.exception, "message": failure.message, "scope": failure.scope}
    span: Span | None = None
    if failure.parameter is not None:
        details["parameter"] = failure.parameter
        span = _parameter_span(value, failure.parameter)
    if failure.rule == "py-decorator-not-called" and value.decorator is not None:
        span = span_of(value.decorator)
    if span is None and not failure.path:
        span = _return_span(value) if "return" in failure.message else None
    return Fact(failure.rule, failure.path, details, span)


def _parameter_span(value: ToolValue, name: str) -> Span | None:
    for function in reversed(functions_of(value.function)):
        arguments = function.node.args
        for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if item is not None and item.arg == name and function.unit.file:
                start = function.unit.start(item)
                return Span(function.unit.file, function.unit.key, start, start + len(item.arg))
    return None


def _return_span(value: ToolValue) -> Span | None:
    for function in reversed(functions_of(value.function)):
        returns = getattr(function.node, "returns", None)
        if returns is not None:
            return span_of(Where(function.unit, returns))
    return None


def _duplicates(listing: Listing | None, value: ToolValue) -> Iterator[Fact]:
    if listing is None:
        return
    kept = "first" if listing.server.framework == "sdk" else "last"
    for winner, loser in listing.replaced:
        if winner is value:
            functions = functions_of(loser.function)
            span = None
            if functions and not hasattr(functions[-1].node.args, "missing"):
                span = _name_span(functions[-1])
            yield Fact("py-duplicate-name", ("name",), {"kept": kept}, span)


def _name_span(function: FunctionValue) -> Span | None:
    import ast

    if isinstance(function.node, ast.Lambda) or not function.unit.file:
        return span_of(function.where)
    return function.unit.name_span(function.node)


def _lost(value: ToolValue) -> Fact | None:
    for function in functions_of(value.function):
        lost = function.attributes.get("\0lost")
        if isinstance(lost, Where):
            text = lost.unit.text[lost.unit.start(lost.node) : lost.unit.end(lost.node)]
            return Fact("wrapped-signature-lost", ("name",), {"decorator": f"@{text}"}, span_of(lost))
    return None


def _parameters(function: FunctionDecl, server: ServerValue, outcome: Outcome, wire: Mapping[str, Any]) -> Iterator[Fact]:
    schema = wire.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return
    required = schema.get("required") if isinstance(schema, Mapping) else ()
    names = {parameter: name for name, parameter in outcome.properties.items()}
    told = {fact.details.get("parameter") for fact in outcome.facts}
    for index, parameter in enumerate(function.parameters):
        name = names.get(parameter.name, parameter.name)
        if name not in properties or parameter.name in told:
            continue
        path: Path = ("inputSchema", "properties", name)
        leak = _leak(parameter, index, function)
        if leak is not None:
            yield Fact(leak[0], path, {"parameter": parameter.name, **leak[1]})
        elif parameter.annotation is EMPTY and server.framework == "sdk":
            yield Fact("py-unannotated", path, {"parameter": parameter.name})
        elif is_optional(parameter.annotation) and parameter.default is EMPTY and name in (required or ()):
            yield Fact("py-optional-no-default", path, {"parameter": parameter.name})


def _leak(parameter: ParameterDecl, index: int, function: FunctionDecl) -> tuple[str, dict[str, str]] | None:
    if parameter.kind in _VARIADIC:
        return "varargs", {}
    if index == 0 and function.kind == "unbound-method" and parameter.name in ("self", "cls"):
        return "self-leak", {}
    named = (qualified(parameter.annotation) or "").rpartition(".")[2]
    if named == "Context" or (parameter.name in _CONTEXT_NAMES and parameter.annotation is EMPTY):
        return "context-leak", {"annotation": named} if named else {}
    return None


def is_optional(annotation: Any, depth: int = 5) -> bool:
    """Whether an annotation is ``T | None`` (at its top, through ``Annotated``)."""
    if isinstance(annotation, Unknown) or depth <= 0:
        return False
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return is_optional(typing.get_args(annotation)[0], depth - 1)
    if origin is typing.Union or origin is types.UnionType:
        arguments = typing.get_args(annotation)
        return type(None) in arguments and len(arguments) > 1
    return False
