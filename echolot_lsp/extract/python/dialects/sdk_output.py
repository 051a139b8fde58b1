"""What the releases of the SDK do alike to describe a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ConfigDict, create_model
from typing_extensions import get_type_hints

from echolot_lsp.extract.python.declaration import EMPTY, Failure, FunctionDecl
from echolot_lsp.extract.python.dialects.json_schema import Schema
from echolot_lsp.extract.python.dialects.refusals import REFUSALS, Refused, refusal
from echolot_lsp.extract.python.dialects.signature import cache_key, is_class, without_metadata
from echolot_lsp.extract.python.dialects.types import SDK1_CONTEXT, SDK2_CONTEXT, is_stand_in_without_role
from echolot_lsp.model import Unknown

SCALARS = (str, int, float, bool, bytes, type(None))


def wrapped(function: FunctionDecl, annotation: Any) -> Any:
    """The model ``<function>Output`` with the result as its only field. Raises ``Refused``."""
    return made(function, lambda: create_model(f"{function.name}Output", __module__=__name__, result=annotation))


def from_class(function: FunctionDecl, cls: type, hints: Mapping[str, Any]) -> Any:
    """A model with the fields of an annotated class. Raises ``Refused``."""
    fields: dict[str, Any] = {}
    for name, hint in hints.items():
        if not name.startswith("_"):
            default = getattr(cls, name, EMPTY)
            fields[name] = hint if default is EMPTY else (hint, default)
    config = ConfigDict(from_attributes=True)
    return made(function, lambda: create_model(cls.__name__, __config__=config, __module__=__name__, **fields))


def made(function: FunctionDecl, make: Callable[[], Any]) -> Any:
    """A model of the result, its forward references resolved. Raises ``Refused`` where pydantic refuses the type."""
    try:
        model = make()
        if function.namespace:
            model.model_rebuild(raise_errors=False, _types_namespace=function.namespace)
    except REFUSALS as error:
        failure = refusal(error, what="the return value")
        raise Refused(Failure(failure.exception, failure.message, path=("outputSchema",))) from error
    return model


MAX_KEPT = 1000
_KEPT: dict[tuple[str, str], Schema] = {}


def kept(function: FunctionDecl, annotation: Any, make: Callable[[FunctionDecl], Schema | None]) -> Schema | None:
    """What ``make`` makes of a result; for library types it is made once, since only the title holds the function's name."""
    key = None if function.returns_quoted_inside else cache_key(annotation)
    if key is None or not function.name:
        return make(function)
    place = (make.__module__, key)
    if place not in _KEPT:
        made = make(replace(function, name=""))
        if made is None or len(_KEPT) >= MAX_KEPT:
            return made and {**made, "title": f"{function.name}{made['title']}"}
        _KEPT[place] = made
    return {**_KEPT[place], "title": f"{function.name}{_KEPT[place]['title']}"}


def hints_of(cls: type) -> dict[str, Any]:
    """The annotations of a class and its bases."""
    return {} if cls is Any else get_type_hints(cls)


def inline_root(schema: Schema) -> Schema:
    """A root that is a bare ``$ref`` takes the place of its definition; the ``$defs`` stay."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/$defs/"):
        return schema
    return {**schema["$defs"][reference.removeprefix("#/$defs/")], **{k: v for k, v in schema.items() if k != "$ref"}}


def not_serializable(function: FunctionDecl) -> Refused:
    """``structured_output=True`` for a result that has no schema."""
    text = f"The result of `{function.name}` has no schema, which `structured_output=True` asks for."
    return Refused(Failure("InvalidSignature", text, path=("outputSchema",)))


def unread_return(function: FunctionDecl) -> Unknown | None:
    """Why nothing can be said of the result."""
    if isinstance(function.returns, Unknown):
        return function.returns
    kind = without_metadata(function.returns)
    unread = is_stand_in_without_role(kind) or is_class(kind, SDK1_CONTEXT) or is_class(kind, SDK2_CONTEXT)
    return Unknown("the schema of a framework's class") if unread else None


def check_union(function: FunctionDecl, arms: Sequence[Any], result: type) -> None:
    """Raises ``Refused`` for a ``CallToolResult`` beside other results."""
    if any(is_class(arm, result) for arm in arms):
        text = "`CallToolResult` cannot be one of several results."
        raise Refused(Failure("InvalidSignature", text, path=("outputSchema",)))
