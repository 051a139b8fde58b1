"""What ``inspect.signature`` says of functions of the source, as a framework sees them."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from echolot_lsp.extract.python.classes import Classes
from echolot_lsp.extract.python.expressions import Expressions
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    FunctionValue,
    Instance,
    Partial,
    Postponed,
    Raised,
    Where,
)
from echolot_lsp.model import Unknown

EMPTY = inspect.Parameter.empty
Kind = inspect.Parameter


class Signatures(Classes):
    """Signatures of functions of the source."""

    def signature_of(self, function: Any, *, types: bool = True) -> Any:
        if isinstance(function, Unknown):
            return function
        if isinstance(function, Bound):
            return self._without_first(self.signature_of(function.function, types=types))
        if isinstance(function, Descriptor):
            signature = self.signature_of(function.function, types=types)
            return self._without_first(signature) if function.kind == "classmethod" else signature
        if isinstance(function, Partial):
            return self._of_partial_call(function, self.signature_of(function.function, types=types))
        if isinstance(function, Instance):
            return self.signature_of(self.attribute(function, "__call__", Where(function.cls.unit, function.cls.node)), types=types)
        if isinstance(function, ClassValue):
            initialiser = self.find_in_class(function, "__init__")
            if isinstance(initialiser, FunctionValue):
                return self._without_first(self.signature_of(initialiser, types=types))
            return Unknown("the signature of a class is not known")
        if not isinstance(function, FunctionValue):
            return Unknown("the signature of an object is not known")
        if function.signature is not None:
            return function.signature
        if function.wrapped is not None:
            return self.signature_of(function.wrapped, types=types)
        if function.own_signature is None:
            function.own_signature = self._own(function)
        return function.own_signature

    @staticmethod
    def _without_first(signature: Any) -> Any:
        if isinstance(signature, Unknown):
            return signature
        parameters = list(signature.parameters.values())
        if parameters and parameters[0].kind is not Kind.VAR_POSITIONAL:
            parameters = parameters[1:]
        return signature.replace(parameters=parameters)

    @staticmethod
    def _of_partial_call(partial: Partial, signature: Any) -> Any:
        if isinstance(signature, Unknown):
            return signature
        parameters = list(signature.parameters.values())[len(partial.args) :]
        kept: list[inspect.Parameter] = []
        keyword_only = False
        for parameter in parameters:
            if parameter.name in partial.kwargs:
                keyword_only = True
                parameter = parameter.replace(default=partial.kwargs[parameter.name], kind=Kind.KEYWORD_ONLY)
            elif keyword_only and parameter.kind is Kind.POSITIONAL_OR_KEYWORD:
                parameter = parameter.replace(kind=Kind.KEYWORD_ONLY)
            kept.append(parameter)
        return signature.replace(parameters=kept)

    def _own(self, function: FunctionValue) -> Any:
        node = function.node
        scope = self.scope_of(function)
        parameters_text = function.unit.type_parameters
        if parameters_text and not isinstance(node, ast.Lambda):
            text = parameters_text.get(function.unit.name_span(node).start)
            for variable in self.type_variables(text or "", scope):
                scope.names[variable.__name__] = variable
        for item in getattr(node, "type_params", ()):
            for variable in self.type_variables(f"[{ast.unparse(item)}]", scope):
                scope.names[variable.__name__] = variable
        arguments = node.args
        parameters: list[inspect.Parameter] = []
        positional: list[tuple[ast.arg, Any]] = [(item, Kind.POSITIONAL_ONLY) for item in arguments.posonlyargs]
        positional += [(item, Kind.POSITIONAL_OR_KEYWORD) for item in arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults += arguments.defaults
        rows: list[tuple[ast.arg, Any, ast.expr | None]] = [
            (item, kind, default) for (item, kind), default in zip(positional, defaults, strict=True)
        ]
        if arguments.vararg is not None:
            rows.append((arguments.vararg, Kind.VAR_POSITIONAL, None))
        rows += [
            (item, Kind.KEYWORD_ONLY, default) for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ]
        if arguments.kwarg is not None:
            rows.append((arguments.kwarg, Kind.VAR_KEYWORD, None))
        for item, kind, default in rows:
            value = EMPTY if default is None else self._default_value(default, scope, function)
            parameters.append(
                inspect.Parameter(item.arg, kind, default=value, annotation=self._annotation(item.annotation, scope, function))
            )
        returns = None if isinstance(node, ast.Lambda) else node.returns
        answer = inspect.Signature.empty if returns is None else self._annotation(returns, scope, function)
        try:
            return inspect.Signature(parameters, return_annotation=answer)
        except ValueError as error:
            return Unknown(str(error))

    def _default_value(self, node: ast.expr, scope: Any, function: FunctionValue) -> Any:
        try:
            return self.eval(node, scope, function.unit)
        except Raised as raised:
            return Unknown(f"its default raises {raised.name}")

    def _annotation(self, node: ast.expr | None, scope: Any, function: FunctionValue) -> Any:
        if node is None:
            return EMPTY
        if function.scope.module.postponed:
            return Postponed(node, function.unit, function, function.scope.module)
        quoted, self.quoted = self.quoted, []
        before, self._annotation_scope = self._annotation_scope, scope
        try:
            value = self.eval(node, scope, function.unit)
            if self.quoted:
                function.attributes.setdefault("\0quoted", {})[id(node)] = tuple(self.quoted)
                return Quoted(value, tuple(self.quoted))
            return value
        finally:
            self.quoted = quoted
            self._annotation_scope = before


class Quoted:
    """An annotation with names quoted inside it."""

    __slots__ = ("names", "value")

    def __init__(self, value: Any, names: tuple[str, ...]) -> None:
        self.value = value
        self.names = names


__all__ = ["Expressions", "Quoted", "Signatures"]
