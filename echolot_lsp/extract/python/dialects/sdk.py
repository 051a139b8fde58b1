"""What all releases of the SDK (``mcp``) do alike: a model of the arguments, the docstring as it is, a schema of the result.

A release is a ``Release``: which arguments it takes, how it finds its Context, how it describes a result.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from pydantic import ConfigDict, create_model
from pydantic.fields import FieldInfo
from typing_extensions import get_type_hints

from echolot_lsp.extract.python.declaration import (
    EMPTY,
    Failure,
    FunctionDecl,
    NameNotFound,
    Origin,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
)
from echolot_lsp.extract.python.dialects import docstrings
from echolot_lsp.extract.python.dialects.json_schema import Schema
from echolot_lsp.extract.python.dialects.registration import as_sent, icons_as_sent, ignored_hints, in_order, plain, refuse_unknown
from echolot_lsp.extract.python.dialects.signature import (
    REFUSALS,
    Input,
    Refused,
    as_model,
    input_schema,
    is_class,
    lone_text,
    refusal,
    undefined,
    without_metadata,
)
from echolot_lsp.extract.python.dialects.types import SDK1_CONTEXT, SDK2_CONTEXT, is_stand_in_without_role, protocol
from echolot_lsp.model import Fact, Path, Unknown

SCALARS = (str, int, float, bool, bytes, type(None))

_EVALUATED_ANYWAY = frozenset(dir(builtins)) | {"Any", "Annotated", "Sequence", "Callable", "Awaitable", "Field", "BaseModel"}
"""Names that the SDK's own module holds too: quoted inside an annotation they are found there."""


@dataclass(frozen=True, slots=True)
class Release:
    """What is particular to a release of the SDK."""

    accepted: frozenset[str]
    """Arguments of ``tool(…)`` and ``add_tool(…)``."""
    sees_wrapped_context: bool
    """A Context is found inside ``Optional`` and ``Annotated`` too."""
    output: Callable[[FunctionDecl, Any], Schema | Unknown | None] | None
    """The schema of the result, from the function and ``structured_output`` (None: not said). Raises ``Refused``. ``None``:
    this release says nothing of results."""
    injected: Callable[[ParameterDecl], bool]
    """Whether a parameter is filled by the server, beside the Context."""
    check: Callable[[Schema], Failure | None] = lambda schema: None
    """What the release refuses in a finished input schema."""


def tool(decl: ToolDecl, profile: Profile, release: Release) -> Outcome:
    """The tool as the SDK lists it. Raises ``Refused``."""
    function = _function(decl, release)
    given = decl.arguments
    name = _name(function, given)
    _check_annotations(function, release)
    context = _context(function, release)
    listed = [item for item in function.parameters if item.name != context and not release.injected(item)]
    _check_quotes(listed)
    output = None if release.output is None else release.output(function, given.get("structured_output"))
    found = input_schema(listed, as_model(function))
    failure = release.check(found.schema)
    if failure is not None:
        raise Refused(failure)
    types = protocol(profile)
    description, origins = _description(function, given, profile)
    wire = in_order(
        {
            "name": name,
            "title": given.get("title"),
            "description": description,
            "inputSchema": found.schema,
            "outputSchema": output,
            "annotations": as_sent(given.get("annotations"), types.ToolAnnotations, "annotations"),
            "icons": icons_as_sent(given.get("icons"), types),
            "_meta": plain(given.get("meta")),
        }
    )
    facts = [*reserved_facts(listed), *ignored_hints(given.get("annotations"), types)]
    return Outcome(
        wire=wire,
        origins={**origins, **name_origins(given), **property_origins(found, listed)},
        properties={name: item for name, item in found.parameters.items() if name != item},
        facts=tuple(facts),
        unsent_descriptions=unsent(found, listed, function.doc),
    )


def _function(decl: ToolDecl, release: Release) -> FunctionDecl:
    function = decl.function
    if decl.via == "decorator-bare":
        text = "The SDK's `@tool` decorator must be called: `@tool()`."
        raise Refused(Failure("TypeError", text, rule="py-decorator-not-called", path=("inputSchema",)))
    if function is None:
        raise Refused(Failure("TypeError", "There is no function to make a tool of."))
    refuse_unknown(decl, release.accepted, "`add_tool`" if decl.via == "add_tool" else "`tool`")
    if function.kind == "classmethod":
        raise Refused(Failure("TypeError", "A classmethod that is not bound yet cannot be called."))
    if function.kind == "callable" or not function.name:
        raise Refused(Failure("AttributeError", "An object without `__name__` cannot become a tool."))
    return function


def _name(function: FunctionDecl, given: Mapping[str, Any]) -> Any:
    name = given.get("name") or function.name
    if name == "<lambda>":
        raise Refused(Failure("ValueError", "A lambda needs a name to become a tool.", path=("name",)))
    return name


def _description(function: FunctionDecl, given: Mapping[str, Any], profile: Profile) -> tuple[Any, dict[Path, Origin]]:
    text = given.get("description")
    if text:
        return text, {("description",): Origin("argument", "description")}
    if isinstance(function.doc, Unknown):
        return function.doc, {}
    doc = function.doc or ""
    origins: dict[Path, Origin] = {("description",): Origin("docstring", start=0, end=len(doc))} if doc else {}
    if profile.python_version >= (3, 13) and not function.doc_assigned:
        return docstrings.compiled(doc).text, origins
    return doc, origins


def _check_annotations(function: FunctionDecl, release: Release) -> None:
    for parameter in function.parameters:
        if isinstance(parameter.annotation, NameNotFound):
            raise Refused(undefined("InvalidSignature", parameter.annotation, parameter.name))
    if isinstance(function.returns, NameNotFound) and release.output is not None:
        raise Refused(undefined("InvalidSignature", function.returns, None))
    for parameter in function.parameters:
        if parameter.name.startswith("_"):
            text = f"The SDK refuses a parameter whose name begins with an underscore: `{parameter.name}`."
            path = ("inputSchema", "properties", parameter.name)
            raise Refused(Failure("InvalidSignature", text, rule="py-param-underscore", path=path, parameter=parameter.name))


def _check_quotes(parameters: Sequence[ParameterDecl]) -> None:
    for parameter in parameters:
        for name in parameter.quoted_inside:
            if name not in _EVALUATED_ANYWAY:
                text = f"The SDK cannot resolve `{name}`, which is quoted inside the annotation of `{parameter.name}`."
                path = ("inputSchema", "properties", parameter.name)
                raise Refused(Failure("PydanticUserError", text, path=path, parameter=parameter.name))


def _context(function: FunctionDecl, release: Release) -> str | None:
    if function.kind == "partial":
        return None
    for parameter in function.parameters:
        if is_context(parameter.annotation, release.sees_wrapped_context):
            return parameter.name
    return None


def is_context(annotation: Any, wrapped: bool) -> bool:
    """Whether the SDK takes a parameter for its Context: the class, or (``wrapped``) any generic that holds it."""
    if not wrapped:
        return _is_context_class(annotation)
    annotation = without_metadata(annotation)
    if _is_context_class(annotation):
        return True
    return get_origin(annotation) is not None and any(_is_context_class(without_metadata(item)) for item in get_args(annotation))


def _is_context_class(annotation: Any) -> bool:
    return is_class(annotation, SDK1_CONTEXT) or is_class(annotation, SDK2_CONTEXT)


def reserved_facts(parameters: Sequence[ParameterDecl]) -> list[Fact]:
    """Parameters that pydantic takes for its own setting, so that the wire lacks them."""
    return [
        Fact("py-param-reserved", ("inputSchema",), {"parameter": item.name}) for item in parameters if item.name == "model_config"
    ]


def name_origins(given: Mapping[str, Any]) -> dict[Path, Origin]:
    """Where name and title came from."""
    origins: dict[Path, Origin] = {("name",): Origin("argument", "name") if given.get("name") else Origin("name")}
    if given.get("title") is not None:
        origins["title",] = Origin("argument", "title")
    return origins


def property_origins(found: Input, parameters: Sequence[ParameterDecl]) -> dict[Path, Origin]:
    """Where the descriptions of the properties came from, as far as pydantic wrote them."""
    by_name = {item.name: item for item in parameters}
    origins: dict[Path, Origin] = {}
    for name, schema in found.schema.get("properties", {}).items():
        if isinstance(schema, dict) and "description" in schema and found.parameters.get(name) in by_name:
            parameter = by_name[found.parameters[name]]
            in_default = isinstance(parameter.default, FieldInfo) and parameter.default.description is not None
            path = ("inputSchema", "properties", name, "description")
            origins[path] = Origin("default" if in_default else "annotation", parameter.name)
    return origins


def unsent(found: Input, parameters: Sequence[ParameterDecl], doc: Any) -> dict[str, str]:
    """Texts that the source has for properties without a description: of the docstring, or alone in ``Annotated``."""
    lacking = {
        name: found.parameters.get(name, name)
        for name, schema in found.schema.get("properties", {}).items()
        if isinstance(schema, dict) and "description" not in schema
    }
    if not lacking:
        return {}
    texts: dict[str, str] = {}
    if isinstance(doc, str):
        texts.update(docstrings.parameter_texts(docstrings.cleaned(doc).text))
    for item in parameters:
        text = lone_text(item.annotation)
        if text is not None:
            texts[item.name] = text
    return {name: texts[parameter] for name, parameter in lacking.items() if texts.get(parameter, "").strip()}


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
    unread = is_stand_in_without_role(kind) or _is_context_class(kind)
    return Unknown("the schema of a framework's class") if unread else None


def check_union(function: FunctionDecl, arms: Sequence[Any], result: type) -> None:
    """Raises ``Refused`` for a ``CallToolResult`` beside other results."""
    if any(is_class(arm, result) for arm in arms):
        text = "`CallToolResult` cannot be one of several results."
        raise Refused(Failure("InvalidSignature", text, path=("outputSchema",)))
