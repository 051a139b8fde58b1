"""From registered functions to declarations with real types: what a dialect reads."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from typing import Any, Literal, TypeAlias

from echolot_lsp.extract.python.declaration import EMPTY, FunctionDecl, NameNotFound, ParameterDecl, ToolDecl
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.library import is_type, real
from echolot_lsp.extract.python.servers import ToolValue
from echolot_lsp.extract.python.signatures import Quoted
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    Dict,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
    ModuleValue,
    Partial,
    Postponed,
    Raised,
    Text,
    Unreadable,
    plain,
)
from echolot_lsp.model import Unknown

Kind: TypeAlias = Literal["function", "lambda", "method", "unbound-method", "staticmethod", "classmethod", "partial", "callable"]
YIELD = re.compile(r"\byield\b")


def tool_decl(run: Interpreter, tool: ToolValue, options: dict[str, Any]) -> ToolDecl:
    """A registration with real types."""
    function = None if tool.function is None else function_decl(run, tool.function, tool.step)
    arguments = {str(key): handed(run, value) for key, value in tool.arguments.items()}
    parent = None if tool.parent is None else tool_decl(run, tool.parent, options)
    transform = None if tool.transform is None else handed(run, tool.transform)
    return ToolDecl(function, arguments, tool.via, transform, parent, options)


def handed(run: Interpreter, value: Any) -> Any:
    """A registration's argument as a dialect may have it."""
    from echolot_lsp.extract.python.declaration import FrameworkObject

    if isinstance(value, FrameworkObject):
        return FrameworkObject(
            value.cls,
            tuple(handed(run, item) for item in value.args),
            {str(key): handed(run, item) for key, item in value.kwargs.items()},
        )
    if isinstance(value, Text):
        return plain(value)
    if isinstance(value, (Dict, dict)):
        if isinstance(value, Dict) and value.unsure:
            return Unknown(value.unsure)
        return {plain(key): handed(run, item) for key, item in value.items()}
    if isinstance(value, (List, list)):
        if isinstance(value, List) and value.unsure:
            return Unknown(value.unsure)
        return [handed(run, item) for item in value]
    if isinstance(value, tuple):
        return tuple(handed(run, item) for item in value)
    if isinstance(value, (ClassValue, FrameworkName)) or (isinstance(value, Library) and is_type(value)):
        return run.as_type(value)
    if isinstance(value, Library):
        return real(value)
    if isinstance(value, (FunctionValue, Bound, Partial, Descriptor, Instance)):
        return (
            Unknown("it is a function or an object of the source")
            if not isinstance(value, FunctionValue)
            else run.callable_for(value)
        )
    return value


def function_decl(run: Interpreter, function: Any, step: int) -> FunctionDecl:
    """A function as the framework sees it."""
    inner = innermost(function)
    signature = _signature(run, function)
    name = _text(run, function, "__name__", "")
    parameters: tuple[ParameterDecl, ...] = ()
    returns: Any = EMPTY
    returns_quoted: tuple[str, ...] = ()
    if isinstance(signature, Unknown):
        returns = signature
        parameters = (ParameterDecl("unknown", annotation=signature),)
    else:
        parameters = tuple(_parameter(run, item, function, step) for item in signature.parameters.values())
        returns, returns_quoted = annotation(run, signature.return_annotation, inner, step)
    module = inner.scope.module if isinstance(inner, FunctionValue) else None
    return FunctionDecl(
        name=name,
        qualname=_text(run, function, "__qualname__", name),
        doc=_doc(run, function),
        parameters=parameters,
        returns=returns,
        returns_quoted_inside=returns_quoted,
        is_async=isinstance(inner, FunctionValue) and inner.is_async,
        is_generator=isinstance(inner, FunctionValue) and inner.unit.has(YIELD) and _yields(inner),
        kind=kind_of(function),
        postponed=module.postponed if module is not None else False,
        namespace=run.forward_namespace,
    )


def innermost(function: Any) -> Any:
    """The function of the source inside methods, partials and descriptors."""
    while isinstance(function, (Bound, Partial, Descriptor)):
        function = function.function
    return function


def _signature(run: Interpreter, function: Any) -> Any:
    try:
        return run.signature_of(function)
    except (Raised, Unreadable) as error:
        if isinstance(error, Raised) and error.where is not None:
            raise
        return Unknown(str(error))


def _yields(function: FunctionValue) -> bool:
    from echolot_lsp.extract.python.shapes import own_nodes

    node = function.unit.full().tree.body[-1] if not function.unit.whole else function.node
    return any(isinstance(item, (ast.Yield, ast.YieldFrom)) for item in own_nodes(node))


def kind_of(function: Any) -> Kind:
    """What kind of callable was handed to the framework."""
    if isinstance(function, Bound):
        return "method"
    if isinstance(function, Descriptor):
        return "staticmethod" if function.kind == "staticmethod" else "classmethod"
    if isinstance(function, Partial):
        return "partial"
    if isinstance(function, (Instance, ClassValue)):
        return "callable"
    if isinstance(function, FunctionValue):
        if isinstance(function.node, ast.Lambda):
            return "lambda"
        first = next(iter((*function.node.args.posonlyargs, *function.node.args.args)), None)
        if function.scope.is_class and first is not None and first.arg in ("self", "cls"):
            return "unbound-method"
    return "function"


def _text(run: Interpreter, function: Any, name: str, default: str) -> str:
    from echolot_lsp.extract.python.values import Where

    where = function.where if isinstance(function, FunctionValue) else Where(Unit("", "", "", ast.Module([], [])), ast.Pass())
    try:
        found = run.attribute(function, name, where)
    except (Raised, Unreadable):
        return default
    return str(plain(found)) if isinstance(found, str) else default


def _doc(run: Interpreter, function: Any) -> Any:
    if isinstance(function, Instance):
        doc: Any = function.cls.doc
    elif isinstance(function, Partial):
        doc = function.attributes.get("__doc__", Unknown("the docstring of a partial is its class's"))
    else:
        inner = innermost(function)
        doc = inner.doc if isinstance(inner, FunctionValue) else None
    if isinstance(doc, str):
        return plain(doc)
    return doc if doc is None or isinstance(doc, Unknown) else Unknown("its docstring is not known")


def _parameter(run: Interpreter, item: inspect.Parameter, function: Any, step: int) -> ParameterDecl:
    kept, quoted = annotation(run, item.annotation, innermost(function), step)
    default: Any = EMPTY if item.default is inspect.Parameter.empty else default_value(run, item.default)
    return ParameterDecl(item.name, item.kind, kept, default, quoted)


def default_value(run: Interpreter, value: Any) -> Any:
    """A parameter's default as pydantic may have it."""
    from echolot_lsp.extract.python.declaration import FrameworkObject

    if isinstance(value, FrameworkObject):
        return value
    if isinstance(value, (Dict, List)) and value.unsure:
        return Unknown(value.unsure)
    if isinstance(value, (Bound, Instance, Partial)):
        return Unknown("its default is an object of the source")
    answer = run.for_library(value)
    return Unknown("its default is not known") if _holds_unknown(answer) else plain(answer)


def _holds_unknown(value: Any) -> bool:
    if isinstance(value, Unknown):
        return True
    if isinstance(value, dict):
        return any(map(_holds_unknown, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_holds_unknown, value))


def annotation(run: Interpreter, raw: Any, function: Any, step: int) -> tuple[Any, tuple[str, ...]]:
    """An annotation as a real type (or ``EMPTY``, ``NameNotFound``, ``Unknown``), and the names quoted inside it."""
    if raw is inspect.Parameter.empty:
        return EMPTY, ()
    if isinstance(raw, Unknown):
        return raw, ()
    try:
        if isinstance(raw, Quoted):
            if isinstance(raw.value, Unknown):
                return raw.value, ()
            return run.as_type(raw.value), raw.names
        if isinstance(raw, Postponed):
            return _late(run, raw.node, raw.unit, raw.function or function, raw.module, step), ()
        if isinstance(raw, str):
            return _quoted(run, raw, function, step), ()
        return run.as_type(raw), ()
    except Unreadable as reason:
        return Unknown(str(reason)), ()


def _quoted(run: Interpreter, text: str, function: Any, step: int) -> Any:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return Unknown("its annotation is a text that is no type")
    if not isinstance(function, FunctionValue):
        return Unknown("its annotation is a text")
    return _late(run, node, Unit("", "", text, ast.Module([], [])), function, function.scope.module, step)


def _late(run: Interpreter, node: ast.expr, unit: Unit, function: Any, module: ModuleValue, step: int) -> Any:
    """An annotation that the framework reads from the function's globals when the tool is registered."""
    for item in ast.walk(node):
        if isinstance(item, ast.Name):
            missing = _missing(item.id, function, module, step)
            if missing is not None:
                return missing
    before, run._annotation_scope = run._annotation_scope, module.scope
    try:
        value = run.eval(node, module.scope, unit)
    finally:
        run._annotation_scope = before
    return value if isinstance(value, Unknown) else run.as_type(value, module.scope)


def _missing(name: str, function: Any, module: ModuleValue, step: int) -> Any:
    bound = module.scope.bound_at.get(name)
    if name in module.scope.names and (bound is None or bound <= step):
        return None
    if hasattr(builtins, name):
        return None
    if isinstance(function, FunctionValue):
        at = function.scope
        while at is not None and at is not module.scope:
            if name in at.names and not at.is_class:
                return NameNotFound(name, "local")
            at = at.parent  # type: ignore[assignment]
    if name in module.only_checking:
        return NameNotFound(name, "type-checking")
    if module.starred is not None or module.broken:
        return Unknown(f"`{name}` is not defined in what could be read")
    return NameNotFound(name, "nowhere")
