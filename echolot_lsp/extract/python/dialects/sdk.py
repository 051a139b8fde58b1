"""What all releases of the SDK (``mcp``) do alike: a model of the arguments, the docstring as it is, a schema of the result.

A release is a ``Release``: which arguments it takes, how it finds its Context, how it describes a result.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from echolot_lsp.extract.python.declaration import (
    Failure,
    FunctionDecl,
    NameNotFound,
    Origin,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
)
from echolot_lsp.extract.python.dialects import docstrings, texts
from echolot_lsp.extract.python.dialects.json_schema import Schema
from echolot_lsp.extract.python.dialects.refusals import Refused, undefined
from echolot_lsp.extract.python.dialects.registration import as_sent, icons_as_sent, ignored_hints, in_order, plain, refuse_unknown
from echolot_lsp.extract.python.dialects.signature import (
    as_model,
    input_schema,
    is_class,
    without_metadata,
)
from echolot_lsp.extract.python.dialects.types import SDK1_CONTEXT, SDK2_CONTEXT, protocol
from echolot_lsp.model import Fact, Path, Unknown

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
        origins={**origins, **texts.name_origins(given), **texts.property_origins(found, listed)},
        properties={name: item for name, item in found.parameters.items() if name != item},
        facts=tuple(facts),
        unsent_descriptions=texts.unsent(found, listed, function.doc),
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
