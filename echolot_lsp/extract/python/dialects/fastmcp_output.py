"""How FastMCP describes a tool's result from the return annotation."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import TypeAliasType, TypeVar

from echolot_lsp.extract.python.declaration import EMPTY, Failure, FunctionDecl
from echolot_lsp.extract.python.dialects import mcp1, mcp2
from echolot_lsp.extract.python.dialects.json_schema import Schema, is_object, jsonable
from echolot_lsp.extract.python.dialects.refusals import REFUSALS, Refused, refusal
from echolot_lsp.extract.python.dialects.signature import Writer, adapter, cache_key, union_arms, walk_type
from echolot_lsp.extract.python.dialects.types import AUDIO, FILE, IMAGE, TOOL_RESULT, is_stand_in_without_role
from echolot_lsp.model import Unknown

T = TypeVar("T", default=Any)


@dataclass
class Wrapped(Generic[T]):
    """What a result that is no object is put into."""

    result: T


class NoSchema:
    """Takes the place of what never has a schema: pydantic refuses it."""


WRAPPED_TEXT = "Generic wrapper for non-object return types."
"""FastMCP 2 sends this with every wrapped result (fastmcp 2.14.7, 2026-11-30)."""

_CONTENT_NAMES = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")


@dataclass(frozen=True, slots=True)
class Style:
    """What is particular to a release."""

    mcp: int
    wrapped_text: bool = False
    """The wrapper's own description is sent."""
    references_are_objects: bool = False
    """A schema that is a ``$ref`` at its root counts as an object."""
    bytes_have_none: bool = False
    """``bytes`` make no schema."""
    free_sequences_have_none: bool = False
    """``list``, ``list[Any]`` and the like make no schema."""
    aliases: str = "all"
    """By which names fields are called: ``all`` aliases, as the first ``model`` says, or as ``each`` model says."""


class EachModelWriter(Writer):
    """Names the fields of each model by alias only where the model serialises by alias (FastMCP 4)."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return self._by(schema["cls"].model_config, super().model_schema, schema)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return self._by(schema.get("config") or {}, super().dataclass_schema, schema)

    def _by(self, config: Any, write: Callable[[Any], JsonSchemaValue], schema: Any) -> JsonSchemaValue:
        before, self.by_alias = self.by_alias, bool(config.get("serialize_by_alias"))
        try:
            return write(schema)
        finally:
            self.by_alias = before


def schema(function: FunctionDecl, style: Style, shorten: Callable[[Schema], Schema]) -> Schema | Unknown | None:
    """The schema of a function's result. Raises ``Refused``."""
    returns = function.returns
    if isinstance(returns, Unknown):
        return returns
    if returns in (EMPTY, None, Any, ...):
        return None
    if any(is_stand_in_without_role(item) for item in walk_type(returns)):
        return Unknown("the schema of a framework's class")
    try:
        annotation = _data(returns, style)
        hash(annotation)  # FastMCP keeps what it makes by type
        shortened = shorten(_described(annotation, function, style))
        if shortened and style.references_are_objects and not is_object(shortened):
            text = "FastMCP takes only an object for a result, and finds out too late that this one is none."
            raise Refused(Failure("ValueError", text, path=("outputSchema",)))
        return shortened or None
    except Refused:
        raise
    except RecursionError:
        return Unknown("pydantic could not read the result (RecursionError)")
    except PydanticSchemaGenerationError:
        return None
    except REFUSALS as error:
        failure = refusal(error, what="the return value")
        raise Refused(Failure(failure.exception, failure.message, path=("outputSchema",))) from error
    except Exception as error:
        return Unknown(f"pydantic could not read the result ({type(error).__name__})")


def _described(annotation: Any, function: FunctionDecl, style: Style) -> Schema:
    """The schema of a result, put into an object where it is none; that of library types is kept."""
    key = cache_key(annotation)
    kept = None if key is None else _KEPT.get((key, style))
    if kept is not None:
        return kept
    written = _written(annotation, function, style)
    if not is_object(written) and not (style.references_are_objects and "$ref" in written):
        wrapper: Any = Wrapped
        written = _written(wrapper[annotation], function, style)
        written["x-fastmcp-wrap-result"] = True
        written.pop("description", None)
        if style.wrapped_text:
            written["description"] = WRAPPED_TEXT
    if key is not None and len(_KEPT) < MAX_KEPT:
        _KEPT[key, style] = written
    return written


MAX_KEPT = 1000
_KEPT: dict[tuple[str, Style], Schema] = {}


def _written(annotation: Any, function: FunctionDecl, style: Style) -> Schema:
    by_alias = style.aliases == "all" or (style.aliases == "model" and _by_alias(annotation))
    writer = EachModelWriter if style.aliases == "each" else Writer
    made = adapter(annotation, {} if _is_model(annotation) else function.namespace)
    written: Schema = jsonable(made.json_schema(mode="serialization", by_alias=by_alias, schema_generator=writer))
    return written


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _by_alias(annotation: Any) -> bool:
    """Whether the first model of a result serialises by alias (FastMCP 3); without a word on it, it does."""
    if get_origin(annotation) is Annotated:
        return _by_alias(get_args(annotation)[0])
    if get_origin(annotation) is Wrapped:
        return _by_alias(get_args(annotation)[0])
    for item in union_arms(annotation) or (annotation,):
        kind = get_args(item)[0] if get_origin(item) is Annotated else item
        if _is_model(kind):
            return kind.model_config.get("serialize_by_alias") is not False
    return True


def _data(annotation: Any, style: Style) -> Any:
    """The annotation with ``NoSchema`` in place of what is no data."""
    if style.mcp >= 2:
        annotation = _without_requests(annotation)
    if style.bytes_have_none and _holds(annotation, lambda item: item is bytes):
        return NoSchema
    if style.aliases != "all" and _holds(annotation, lambda item: _is_a(item, TOOL_RESULT)):
        return NoSchema
    if style.mcp >= 2:
        result_types = (mcp2.CallToolResult, mcp2.InputRequiredResult)
        if _is_a(annotation, result_types[0]) or _holds(_unaliased(annotation), lambda item: _is_a(item, result_types[1])):
            return NoSchema
    if style.free_sequences_have_none and _is_free_sequence(annotation):
        return NoSchema
    protocol = mcp2 if style.mcp >= 2 else mcp1
    content = [getattr(protocol, name) for name in _CONTENT_NAMES]
    return _replaced(annotation, (IMAGE, AUDIO, FILE, TOOL_RESULT, *content))


def _is_a(annotation: Any, base: type) -> bool:
    origin = get_origin(annotation) or annotation
    return isinstance(origin, type) and issubclass(origin, base)


def _holds(annotation: Any, test: Callable[[Any], bool]) -> bool:
    if test(annotation):
        return True
    inner = get_args(annotation) if get_origin(annotation) is Annotated else union_arms(annotation)
    return any(_holds(item, test) for item in inner)


def _replaced(annotation: Any, without: tuple[Any, ...]) -> Any:
    hash(annotation)  # FastMCP looks every part up, and fails for a list of argument types
    if any(annotation is item for item in without):
        return NoSchema
    origin = get_origin(annotation)
    if not origin:
        return annotation
    arguments = tuple(_replaced(item, without) for item in get_args(annotation))
    return Union[arguments] if origin is types.UnionType else origin[arguments]  # noqa: UP007 - a union of a tuple


def _unaliased(annotation: Any) -> Any:
    while isinstance(annotation, TypeAliasType):
        annotation = annotation.__value__
    return annotation


def _is_free_sequence(annotation: Any) -> bool:
    """``list``, ``tuple``, ``Sequence``, and those of ``Any``: a schema that says nothing."""
    annotation = _unaliased(annotation)
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    sequences = (list, tuple, Sequence)
    origin = get_origin(annotation)
    if annotation in sequences:
        return True
    if origin not in sequences:
        return False
    arguments = get_args(annotation)
    if origin is tuple and arguments:
        return len(arguments) == 2 and arguments[0] is Any and arguments[1] is Ellipsis
    return all(item is Any for item in arguments)


def _without_requests(annotation: Any) -> Any:
    """Without arms that only ask the client for input."""
    plain = _unaliased(annotation)
    if get_origin(plain) is Annotated:
        inner, *metadata = get_args(plain)
        stripped = _without_requests(inner)
        return annotation if stripped is inner else Annotated[(stripped, *metadata)]
    arms = union_arms(plain)
    data = [_without_requests(arm) for arm in arms if not _is_a(_unaliased(arm), mcp2.InputRequiredResult)]
    if not arms or not data or (len(data) == len(arms) and all(new is old for new, old in zip(data, arms, strict=True))):
        return annotation
    return data[0] if len(data) == 1 else Union[tuple(data)]  # noqa: UP007 - a union of a tuple
