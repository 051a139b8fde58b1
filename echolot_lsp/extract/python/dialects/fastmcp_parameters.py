"""Which parameters of a function FastMCP lists, fills itself, or refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin

from echolot_lsp.extract.python.declaration import EMPTY, Failure, FunctionDecl, NameNotFound, ParameterDecl, ToolDecl
from echolot_lsp.extract.python.dialects.fastmcp_release import Release
from echolot_lsp.extract.python.dialects.refusals import Refused, undefined
from echolot_lsp.extract.python.dialects.signature import lone_text, union_arms
from echolot_lsp.extract.python.dialects.types import FASTMCP_CONTEXT, USER_SESSION, is_dependency
from echolot_lsp.model import Fact

_REFUSED: Mapping[Any, str] = {
    Parameter.VAR_POSITIONAL: "`*",
    Parameter.VAR_KEYWORD: "`**",
    Parameter.POSITIONAL_ONLY: "the positional-only `",
}


def check_parameters(function: FunctionDecl, release: Release) -> None:
    for item in function.parameters:
        if item.kind in _REFUSED and not (item.kind is Parameter.POSITIONAL_ONLY and release.positional_only):
            text = f"FastMCP refuses {_REFUSED[item.kind]}{item.name}` as a parameter of a tool."
            path = ("inputSchema", "properties", item.name)
            raise Refused(Failure("ValueError", text, path=path, parameter=item.name))
    for item in function.parameters:
        if isinstance(item.annotation, NameNotFound):
            raise Refused(undefined("NameError", item.annotation, item.name))
    if isinstance(function.returns, NameNotFound):
        raise Refused(undefined("NameError", function.returns, None))


def listed_parameters(function: FunctionDecl, decl: ToolDecl, release: Release) -> tuple[list[ParameterDecl], list[Fact]]:
    """The parameters that a client sees, and what is odd about them."""
    excluded = decl.arguments.get("exclude_args") or ()
    excluded = excluded if isinstance(excluded, (list, tuple, set, frozenset)) else ()
    names = {item.name: item for item in function.parameters}
    for name in excluded:
        if name not in names or names[name].default is EMPTY:
            text = f"`exclude_args` names `{name}`, which is no parameter with a default."
            raise Refused(Failure("ValueError", text))
    context_seen = False
    listed: list[ParameterDecl] = []
    for item in function.parameters:
        is_context = holds_class(item.annotation, FASTMCP_CONTEXT)
        injected = is_context and not (context_seen and release.sections is None)
        context_seen = context_seen or is_context
        if item.name not in excluded and not injected and not _filled(item):
            listed.append(item)
    if release.loses_keyword_defaults and len(listed) == len(function.parameters) and _resolved(function):
        listed = [replace(item, default=EMPTY) if item.kind is Parameter.KEYWORD_ONLY else item for item in listed]
    facts = [
        Fact("py-param-underscore", ("inputSchema", "properties", item.name), {"parameter": item.name})
        for item in listed
        if item.name.startswith("_")
    ]
    return listed, facts


def _resolved(function: FunctionDecl) -> bool:
    """Whether the function's annotations are not what they are when resolved."""
    annotations = [function.returns, *(item.annotation for item in function.parameters)]
    plain = not function.postponed and not any(item is None or lone_text(item) is not None for item in annotations)
    return not function.wrapped and not plain


def _filled(item: ParameterDecl) -> bool:
    """Whether FastMCP fills a parameter itself (``Depends(fn)`` as default or in ``Annotated``, ``UserSession``)."""
    metadata = get_args(item.annotation)[1:] if get_origin(item.annotation) is Annotated else ()
    provided = is_dependency(item.default) or any(is_dependency(part) for part in metadata)
    return provided or holds_class(item.annotation, USER_SESSION)


def holds_class(annotation: Any, base: type) -> bool:
    """Whether an annotation is a class, or a union or ``Annotated`` that holds one."""
    arms = union_arms(annotation)
    if arms:
        return any(holds_class(arm, base) for arm in arms)
    origin = get_origin(annotation)
    if origin is Annotated:
        return holds_class(get_args(annotation)[0], base)
    return isinstance(origin or annotation, type) and issubclass(origin or annotation, base)
