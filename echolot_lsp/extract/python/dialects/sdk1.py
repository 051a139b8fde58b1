"""SDK 1 (``mcp`` 1.x): measured against 1.9.4 and 1.30.0 on 2026-11-30."""

from __future__ import annotations

import typing
from types import GenericAlias
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, RootModel, create_model
from typing_extensions import is_typeddict

from echolot_lsp.extract.python.declaration import EMPTY, FunctionDecl, Outcome, ParameterDecl, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import mcp1, sdk, sdk_output
from echolot_lsp.extract.python.dialects.json_schema import Schema, jsonable
from echolot_lsp.extract.python.dialects.refusals import REFUSALS
from echolot_lsp.extract.python.dialects.signature import StrictWriter, is_class, union_arms, without_metadata
from echolot_lsp.model import Unknown

_FIRST = frozenset({"name", "description", "annotations"})
_SINCE = {(1, 10): {"title", "structured_output"}, (1, 15): {"icons"}, (1, 19): {"meta"}}
"""Arguments of ``tool()``, by the release that brought them (read in the released packages, 2026-11-30)."""


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as ``mcp`` 1.x lists it. Raises ``Refused``."""
    version = tuple(int(part) for part in profile.version.split(".")[:2] if part.isdecimal())
    accepted = _FIRST.union(*(names for since, names in _SINCE.items() if version >= since))
    release = sdk.Release(
        accepted=accepted,
        sees_wrapped_context=version >= (1, 14),
        output=None if version < (1, 10) else output if version >= (1, 29) else _output_with_reference,
        injected=_never,
    )
    return sdk.tool(decl, profile, release)


def _never(parameter: ParameterDecl) -> bool:
    return False


def _output_with_reference(function: FunctionDecl, structured: Any) -> Schema | Unknown | None:
    """Before 1.29 a result that contains itself was sent as a bare reference."""
    return output(function, structured, inline=False)


def output(function: FunctionDecl, structured: Any, inline: bool = True) -> Schema | Unknown | None:
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
    annotation, kind = function.returns, without_metadata(function.returns)
    sdk_output.check_union(function, union_arms(kind), mcp1.CallToolResult)
    if is_class(kind, mcp1.CallToolResult):
        if kind is annotation:
            return None
        kind, *rest = get_args(annotation)[1:]
        annotation = Annotated[(kind, *rest)] if rest else kind
    schema = sdk_output.kept(function, annotation, lambda named: _described(named, annotation, kind))
    if schema is None and structured is True:
        raise sdk_output.not_serializable(function)
    return sdk_output.inline_root(schema) if schema and inline else schema


def _described(function: FunctionDecl, annotation: Any, kind: Any) -> Schema | None:
    model = None if function.returns_quoted_inside else _model(function, annotation, kind)
    return None if model is None else _schema(model)


def _schema(model: Any) -> Schema | None:
    try:
        schema: Schema = jsonable(model.model_json_schema(schema_generator=StrictWriter))
        return schema
    except REFUSALS:
        return None


def _model(function: FunctionDecl, annotation: Any, kind: Any) -> Any:
    if isinstance(kind, GenericAlias):
        arguments = get_args(kind)
        if get_origin(kind) is dict and len(arguments) == 2 and arguments[0] is str:
            return _dictionary(function, kind)
        return sdk_output.wrapped(function, annotation)
    if not isinstance(kind, type):
        return sdk_output.wrapped(function, annotation)
    if issubclass(kind, BaseModel):
        return kind
    if is_typeddict(kind):
        return _from_typed_dict(function, kind)
    if kind in sdk_output.SCALARS:
        return sdk_output.wrapped(function, annotation)
    hints = sdk_output.hints_of(kind)
    return sdk_output.from_class(function, kind, hints) if hints else None


def _dictionary(function: FunctionDecl, kind: Any) -> Any:
    name = f"{function.name}DictOutput"
    return sdk_output.made(function, lambda: type(name, (RootModel[kind],), {"__module__": __name__}))


def _from_typed_dict(function: FunctionDecl, kind: type) -> Any:
    hints = typing.get_type_hints(kind)
    required = getattr(kind, "__required_keys__", frozenset(hints))
    fields: dict[str, Any] = {name: hint if name in required else (hint, None) for name, hint in hints.items()}
    return sdk_output.made(function, lambda: create_model(kind.__name__, __module__=__name__, **fields))
