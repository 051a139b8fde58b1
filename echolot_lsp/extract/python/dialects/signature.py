"""From a signature to JSON schemas: pydantic over the real types, in the two ways in which the frameworks ask it.

The SDK makes a model of the parameters (``as_model``), FastMCP hands the function itself to pydantic (``as_call``). A part that
is not known is left out before and put back as ``Unknown`` at its place; a type that pydantic refuses is traced to its
parameter.
"""

from __future__ import annotations

import inspect
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, WithJsonSchema, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from echolot_lsp.extract.python.declaration import EMPTY, FunctionDecl, NameNotFound, ParameterDecl
from echolot_lsp.extract.python.dialects.json_schema import Schema, jsonable
from echolot_lsp.extract.python.dialects.refusals import REFUSALS, Refused, refusal, undefined
from echolot_lsp.extract.python.dialects.types import is_stand_in_without_role
from echolot_lsp.model import Unknown


class Writer(GenerateJsonSchema):
    """pydantic's schema writer, silent where it would warn; an ``Unknown`` default stays what it is."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        pass

    def encode_default(self, dft: Any) -> Any:
        return dft if dft is None or type(dft) in (str, int, bool, Unknown) else super().encode_default(dft)


class StrictWriter(Writer):
    """Raises ``ValueError`` where pydantic would warn, as the SDK does for a tool's result."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        raise ValueError(f"JSON schema warning: {kind} - {detail}")


Build = Callable[[Sequence[ParameterDecl]], Schema]


class Arguments(BaseModel):
    """What the SDK derives its model of the arguments from."""

    model_config = ConfigDict(arbitrary_types_allowed=True)


def as_model(function: FunctionDecl) -> Build:
    """The SDK's way: a model ``<function>Arguments`` with a field for each parameter."""

    def build(parameters: Sequence[ParameterDecl]) -> Schema:
        fields: dict[str, Any] = {}
        for parameter in parameters:
            name = parameter.name
            options: dict[str, Any] = {}
            metadata: list[Any] = []
            annotation = parameter.annotation
            if annotation is EMPTY:
                annotation = Any
                metadata.append(WithJsonSchema({"title": name, "type": "string"}))
            if callable(getattr(BaseModel, name, None)):
                name, options = f"field_{name}", {"alias": name}
            annotated = with_metadata(annotation, *metadata, Field(**options))
            fields[name] = annotated if parameter.default is EMPTY else (annotated, parameter.default)
        with _quiet() if any(hasattr(BaseModel, name) for name in fields) else nullcontext():
            model = create_model(f"{function.name}Arguments", __base__=Arguments, __module__=__name__, **fields)
        if function.namespace:
            model.model_rebuild(raise_errors=False, _types_namespace=function.namespace)
        return model.model_json_schema(schema_generator=Writer)

    return build


@contextmanager
def _quiet() -> Iterator[None]:
    """Without pydantic's warning about a field that shadows an attribute of its models."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def as_call(function: FunctionDecl) -> Build:
    """FastMCP's way: pydantic reads the function's signature; a lone text in ``Annotated`` is a description."""

    def build(parameters: Sequence[ParameterDecl]) -> Schema:
        def call() -> None: ...

        empty = inspect.Parameter.empty
        hints = {item.name: described(item.annotation) for item in parameters if item.annotation is not EMPTY}
        call.__annotations__ = hints
        call.__name__ = call.__qualname__ = function.name if isinstance(function.name, str) else "call"
        signature = [
            inspect.Parameter(
                item.name,
                item.kind,
                default=empty if item.default is EMPTY else item.default,
                annotation=hints.get(item.name, empty),
            )
            for item in parameters
        ]
        call.__signature__ = inspect.Signature(signature, __validate_parameters__=False)  # type: ignore[attr-defined]
        return adapter(call, function.namespace).json_schema(schema_generator=Writer)

    return build


def adapter(what: Any, namespace: Mapping[str, Any]) -> TypeAdapter[Any]:
    """A type adapter that finds the names of forward references in ``namespace``."""
    if not namespace:
        return TypeAdapter(what)
    late: TypeAdapter[Any] = TypeAdapter(what, config=ConfigDict(defer_build=True) if inspect.isfunction(what) else None)
    late.rebuild(force=True, raise_errors=True, _types_namespace=namespace)
    return late


def described(annotation: Any) -> Any:
    """``Annotated[T, "text"]``, where the text is all there is, as ``Annotated[T, Field(description="text")]``."""
    text = lone_text(annotation)
    return annotation if text is None else Annotated[get_args(annotation)[0], Field(description=text)]


def lone_text(annotation: Any) -> str | None:
    """The text of ``Annotated[T, "text"]``."""
    if get_origin(annotation) is not Annotated:
        return None
    arguments = get_args(annotation)
    return arguments[1] if len(arguments) == 2 and isinstance(arguments[1], str) else None


@dataclass(frozen=True, slots=True)
class Input:
    """An input schema, and the parameter behind each property."""

    schema: Schema
    parameters: Mapping[str, str]


def input_schema(parameters: Sequence[ParameterDecl], build: Build) -> Input:
    """The schema of ``parameters``, unknown ones as ``Unknown``. Raises ``Refused``."""
    for parameter in parameters:
        if isinstance(parameter.annotation, NameNotFound):
            raise Refused(undefined("NameError", parameter.annotation, parameter.name))
    known = [item for item in parameters if not isinstance(item.annotation, Unknown)]
    try:
        schema = jsonable(build(known))
    except RecursionError:
        return _with_unknown(_unreadable(known, "RecursionError"), parameters, known)
    except REFUSALS as error:
        guilty = _guilty(known, build)
        if guilty is None:
            raise Refused(refusal(error)) from error
        if _holds_unread_class(guilty.annotation):
            unread = Unknown("the schema of a framework's class")
            return input_schema([replace(item, annotation=unread) if item is guilty else item for item in parameters], build)
        raise Refused(refusal(error, guilty.name)) from error
    except Exception as error:  # not something a framework is known to say: nothing is claimed
        schema = _unreadable(known, type(error).__name__)
    return _with_unknown(schema, parameters, known)


def _unreadable(parameters: Sequence[ParameterDecl], error: str) -> Schema:
    why = Unknown(f"pydantic could not read the parameters ({error})")
    return {"type": "object", "properties": {item.name: why for item in parameters}}


def _with_unknown(schema: Schema, parameters: Sequence[ParameterDecl], known: Sequence[ParameterDecl]) -> Input:
    found = schema.get("properties", {})
    sent = [item.name for item in known if item.name != "model_config" or item.name in found]
    names = dict(zip(found, sent, strict=True)) if len(found) == len(sent) else {}
    names = names or {name: name for name in found}
    if len(known) == len(parameters):
        return Input(schema, names)
    by_parameter = {parameter: name for name, parameter in names.items()}
    properties: Schema = {}
    required: list[str] = []
    listed = schema.get("required", [])
    for item in parameters:
        name = by_parameter.get(item.name, item.name)
        if isinstance(item.annotation, Unknown):
            properties[name] = item.annotation
            names[name] = item.name
            if item.default is EMPTY:
                required.append(name)
        elif name in found:
            properties[name] = found[name]
            if name in listed:
                required.append(name)
    schema = {**schema, "properties": properties}
    if required:
        schema["required"] = required
    return Input(schema, names)


def _guilty(parameters: Sequence[ParameterDecl], build: Build) -> ParameterDecl | None:
    for parameter in parameters:
        try:
            build([parameter])
        except REFUSALS:
            return parameter
        except Exception:
            continue
    return None


def walk_type(annotation: Any) -> Iterator[Any]:
    """An annotation and everything inside it, metadata of ``Annotated`` included."""
    pending, seen = [annotation], 0
    while pending and seen < 1000:
        item = pending.pop()
        seen += 1
        yield item
        pending.extend(item if isinstance(item, (list, tuple)) else get_args(item))


def _holds_unread_class(annotation: Any) -> bool:
    return any(is_stand_in_without_role(item) for item in walk_type(annotation))


def with_metadata(annotation: Any, *metadata: Any) -> Any:
    """``Annotated[annotation, …]``."""
    annotated: Any = Annotated
    return annotated[(annotation, *metadata)]


_LIBRARY = frozenset({"builtins", "typing", "typing_extensions", "types", "collections", "collections.abc", "datetime", "decimal"})


def cache_key(annotation: Any) -> str | None:
    """A name for an annotation of library types only, by which what was made of it may be kept; ``None`` for all others."""
    if all(getattr(item, "__module__", None) in _LIBRARY or item in (None, ...) for item in walk_type(annotation)):
        return repr(annotation)
    return None


def without_metadata(annotation: Any) -> Any:
    """``T`` of ``Annotated[T, …]``."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def is_class(annotation: Any, base: type) -> bool:
    """Whether an annotation is a subclass of ``base``."""
    return inspect.isclass(annotation) and issubclass(annotation, base)


def union_arms(annotation: Any) -> tuple[Any, ...]:
    """The arms of a union, in either spelling; empty for anything else."""
    origin = get_origin(annotation)
    return get_args(annotation) if origin is typing.Union or getattr(origin, "__name__", "") == "UnionType" else ()
