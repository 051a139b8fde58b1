"""SDK 2 (``mcp`` 2.x, ``MCPServer``): measured against 2.3.0 on 2026-11-30."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import GenericAlias
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Field
from typing_extensions import is_typeddict

from echolot_lsp.extract.python.declaration import (
    EMPTY,
    Failure,
    FrameworkObject,
    FunctionDecl,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
)
from echolot_lsp.extract.python.dialects import mcp2, sdk, sdk_output
from echolot_lsp.extract.python.dialects.json_schema import Schema, jsonable
from echolot_lsp.extract.python.dialects.refusals import REFUSALS, Refused
from echolot_lsp.extract.python.dialects.signature import StrictWriter, adapter, is_class, union_arms, without_metadata
from echolot_lsp.extract.python.dialects.types import SDK_AUDIO, SDK_IMAGE
from echolot_lsp.model import Path, Unknown

ACCEPTED = frozenset({"name", "title", "description", "annotations", "icons", "meta", "structured_output"})
CONTENT = (*get_args(mcp2.ContentBlock), SDK_IMAGE, SDK_AUDIO)


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as ``mcp`` 2.x lists it in the handshake protocol (up to 2025-11-25). Raises ``Refused``."""
    release = sdk.Release(ACCEPTED, True, output, resolved, invalid_header)
    outcome = sdk.tool(decl, profile, release)
    schema = outcome.wire and outcome.wire.get("outputSchema")
    if isinstance(schema, dict) and schema.get("type") != "object" and not isinstance(schema.get("type"), Unknown):
        text = "`tools/list` fails for every tool: the result of this one is no object, and the protocol takes only objects."
        raise Refused(Failure("tools/list error", text, scope="list", path=("outputSchema",)))
    return outcome


def resolved(parameter: ParameterDecl) -> bool:
    """Whether ``Annotated[T, Resolve(fn)]`` has the server fill the parameter."""
    if get_origin(parameter.annotation) is not Annotated:
        return False
    return any(isinstance(item, FrameworkObject) and item.cls.endswith(".Resolve") for item in get_args(parameter.annotation)[1:])


def output(function: FunctionDecl, structured: Any) -> Schema | Unknown | None:
    """The schema of the result."""
    if structured is False or (function.returns is EMPTY and not structured):
        return None
    if isinstance(structured, Unknown):
        return structured
    if function.returns is EMPTY:
        raise sdk_output.not_serializable(function)
    unread = sdk_output.unread_return(function)
    if unread is not None:
        return unread
    annotation, kind = _without_requests(function, function.returns)
    if kind is None or is_class(kind, mcp2.InputRequiredResult):
        return None
    if is_class(kind, mcp2.CallToolResult):
        if get_origin(annotation) is not Annotated:
            return None
        kind, *rest = get_args(annotation)[1:]
        annotation = Annotated[(kind, *rest)] if rest else kind
    if structured is None and returns_content(kind):
        return None
    schema = sdk_output.kept(function, annotation, lambda named: _described(named, annotation, kind))
    if schema is None and structured is True:
        raise sdk_output.not_serializable(function)
    return schema


def _without_requests(function: FunctionDecl, annotation: Any) -> tuple[Any, Any]:
    """The annotation and its type, without arms that only ask the client for input; type ``None``: there is no other."""
    kind = without_metadata(annotation)
    kind = type(None) if kind is None else kind
    arms = union_arms(kind)
    data = tuple(arm for arm in arms if not is_class(arm, mcp2.InputRequiredResult))
    if arms and not data:
        return annotation, None
    if len(data) > 1:
        sdk_output.check_union(function, data, mcp2.CallToolResult)
    if len(data) != len(arms):
        annotation = data[0] if len(data) == 1 else Union[data]  # noqa: UP007 - a union of a tuple
        kind = without_metadata(annotation)
    return annotation, kind


def returns_content(annotation: Any) -> bool:
    """Whether a result is content for the model (blocks, Image, Audio, alone or in lists and unions), not data."""
    origin = get_origin(annotation)
    if origin is None:
        return any(is_class(annotation, content) for content in CONTENT)
    if origin is Annotated:
        return returns_content(get_args(annotation)[0])
    if union_arms(annotation) or origin in (list, tuple, Sequence):
        return any(returns_content(item) for item in get_args(annotation))
    return False


def _described(function: FunctionDecl, annotation: Any, kind: Any) -> Schema | None:
    model = None if function.returns_quoted_inside else _model(function, annotation, kind)
    return None if model is None else _schema(function, model)


def _schema(function: FunctionDecl, model: Any) -> Schema | None:
    namespace = {} if is_class(model, BaseModel) else function.namespace
    try:
        return sdk_output.inline_root(jsonable(adapter(model, namespace).json_schema(schema_generator=StrictWriter)))
    except REFUSALS:
        return None


def _model(function: FunctionDecl, annotation: Any, kind: Any) -> Any:
    if isinstance(kind, GenericAlias):
        arguments = get_args(kind)
        if get_origin(kind) is dict and len(arguments) == 2 and arguments[0] is str:
            return Annotated[kind, Field(title=f"{function.name}DictOutput")]
        return sdk_output.wrapped(function, annotation)
    if not isinstance(kind, type):
        return sdk_output.wrapped(function, annotation)
    if issubclass(kind, BaseModel) or is_typeddict(kind):
        return kind
    if kind in sdk_output.SCALARS:
        return sdk_output.wrapped(function, annotation)
    hints = sdk_output.hints_of(kind)
    return sdk_output.from_class(function, kind, hints) if hints else None


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def invalid_header(schema: Schema) -> Failure | None:
    """What stops the server when an ``x-mcp-header`` stands where it cannot be sent."""
    seen: set[str] = set()
    for path, node in _headers(schema, (), True):
        header, kind = node["x-mcp-header"], node.get("type")
        fits = isinstance(header, str) and _TOKEN.fullmatch(header) and kind in ("integer", "string", "boolean")
        if not path or not fits or header.lower() in seen:
            text = "An `x-mcp-header` must be a token that is used once, on a property of type string, integer or boolean."
            return Failure("InvalidSignature", text, path=("inputSchema", *path))
        seen.add(header.lower())
    return None


def _headers(node: Any, path: Path, reachable: bool) -> Iterator[tuple[Path, Schema]]:
    if isinstance(node, list):
        for item in node:
            yield from _headers(item, (), False)
    if not isinstance(node, dict):
        return
    if "x-mcp-header" in node:
        yield (path if reachable else ()), node
    for key, value in node.items():
        if key == "properties" and isinstance(value, dict):
            for name, item in value.items():
                yield from _headers(item, (*path, key, name), reachable)
        elif key not in ("default", "const", "examples", "enum", "x-mcp-header"):
            yield from _headers(value, (), False)
