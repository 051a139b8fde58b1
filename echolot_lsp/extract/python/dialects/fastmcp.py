"""What FastMCP 2, 3 and 4 do alike: pydantic reads the function itself, the docstring is cleaned, tags go into ``_meta``.

A release is a ``Release``: which arguments it takes, what it reads from a docstring, how it describes a result, and what it does
to a schema before it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, get_args, get_origin

from pydantic import ValidationError

from echolot_lsp.extract.python.declaration import (
    EMPTY,
    Failure,
    FrameworkObject,
    FunctionDecl,
    Origin,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
)
from echolot_lsp.extract.python.dialects import docstrings, fastmcp_output, texts
from echolot_lsp.extract.python.dialects.fastmcp_parameters import check_parameters, listed_parameters
from echolot_lsp.extract.python.dialects.fastmcp_release import Release
from echolot_lsp.extract.python.dialects.json_schema import Schema, is_object
from echolot_lsp.extract.python.dialects.refusals import Refused
from echolot_lsp.extract.python.dialects.registration import as_sent, icons_as_sent, ignored_hints, in_order, plain, refuse_unknown
from echolot_lsp.extract.python.dialects.signature import Input, as_call, input_schema
from echolot_lsp.extract.python.dialects.types import protocol
from echolot_lsp.model import Path, Unknown

SESSION_TEXT = (
    "Session identifier. Use a tool to create a session, then pass the resulting id here to persist state across calls in the "
    "same session."
)
"""What FastMCP 4 adds to the description of a ``SessionId`` parameter (fastmcp 4.2.3, 2026-11-30)."""


def tool(decl: ToolDecl, profile: Profile, release: Release) -> Outcome:
    """The tool as FastMCP lists it. Raises ``Refused``."""
    made = make(decl, profile, release)
    return replace(made, wire=None) if decl.arguments.get("enabled") is False else send(made, decl, release)


def send(made: Outcome, decl: ToolDecl, release: Release) -> Outcome:
    """What a server makes of a tool when the list is asked."""
    wire = dict(made.wire or {})
    if decl.server.get("dereference_schemas") is not False:
        for key in ("inputSchema", "outputSchema"):
            if isinstance(wire.get(key), dict):
                wire[key] = release.send(wire[key])
    return replace(made, wire=in_order(wire))


def make(decl: ToolDecl, profile: Profile, release: Release) -> Outcome:
    """The tool object, before the list is asked: schemas still hold their ``$ref``s where the release keeps them."""
    function = _function(decl, release)
    given = decl.arguments
    name = given.get("name") or function.name
    if name == "<lambda>":
        raise Refused(Failure("ValueError", "A lambda needs a name to become a tool.", path=("name",)))
    check_parameters(function, release)
    listed, facts = listed_parameters(function, decl, release)
    found = input_schema(listed, as_call(function))
    shortened = Input(_shortened(found.schema, listed, release), found.parameters)
    origins = texts.property_origins(shortened, listed)
    description, parts = _description(function, given, release, profile)
    shortened, described = _with_docstring(shortened, parts, function.doc)
    wire = {
        "name": name,
        "title": title(name, given.get("title"), given.get("annotations"), release),
        "description": description[0],
        "inputSchema": _with_sessions(shortened, listed, release),
        "outputSchema": _output(function, given, release),
        **registered(given, decl.server, profile, release),
        "execution": _execution(function, given),
    }
    text_origins: dict[Path, Origin] = {("description",): description[1]} if description[1] else {}
    return Outcome(
        wire=in_order(wire),
        origins={**texts.name_origins(given), **text_origins, **origins, **described},
        properties={key: item for key, item in found.parameters.items() if key != item},
        facts=(*facts, *ignored_hints(given.get("annotations"), protocol(profile))),
        unsent_descriptions=texts.unsent(shortened, _not_lone(listed), function.doc if release.sections is None else None),
    )


def _not_lone(parameters: Sequence[ParameterDecl]) -> list[ParameterDecl]:
    return [replace(item, annotation=EMPTY) for item in parameters]


def _function(decl: ToolDecl, release: Release) -> FunctionDecl:
    function = decl.function
    if function is None:
        raise Refused(Failure("TypeError", "There is no function to make a tool of."))
    refuse_unknown(decl, release.accepted.get(decl.via, release.accepted[""]), "This registration")
    if function.kind == "classmethod":
        raise Refused(Failure("TypeError", "A classmethod must be bound before it becomes a tool."))
    through_decorator = decl.via in ("decorator", "decorator-bare", "standalone")
    twice = function.kind == "tool" and release.tools_replace_functions
    if (function.kind in ("partial", "callable") or twice) and through_decorator:
        raise Refused(Failure("TypeError", "The `tool` decorator takes functions only."))
    if function.kind == "partial" and not release.partials:
        raise Refused(Failure("TypeError", "This version makes no tool of a `functools.partial`."))
    first = function.parameters[0].name if function.parameters else ""
    if release.self_refused and through_decorator and first in ("self", "cls"):
        text = f"FastMCP refuses a tool whose first parameter is `{first}`: register the bound method."
        raise Refused(Failure("TypeError", text, path=("inputSchema", "properties", first), parameter=first))
    return function


def _shortened(schema: Schema, parameters: Sequence[ParameterDecl], release: Release) -> Schema:
    shortened = release.shorten(schema)
    if release.keeps_titles:
        properties = shortened.get("properties", {})
        for name, raw in schema.get("properties", {}).items():
            given = raw.get("title") if isinstance(raw, dict) else None
            if (
                isinstance(given, str)
                and given != name.title().replace("_", " ").strip()
                and isinstance(properties.get(name), dict)
            ):
                properties[name] = {**properties[name], "title": given}
    return shortened


Text = tuple[Any, Origin | None]


def _description(
    function: FunctionDecl, given: Mapping[str, Any], release: Release, profile: Profile
) -> tuple[Text, docstrings.Sections | Unknown]:
    """The description with its origin, and what the docstring says of parameters."""
    doc = function.doc
    parts: docstrings.Sections | Unknown = docstrings.Sections(None)
    own: Text = (None, None)
    if isinstance(doc, Unknown):
        parts, own = (parts if release.sections is None else doc), (doc, None)
    elif doc is not None and (docstrings.cleaned(doc).text or release.sections is None):
        clean = docstrings.cleaned(doc)
        parts = docstrings.Sections(clean.text) if release.sections is None else docstrings.sections(clean.text, release.sections)
        if parts.description is not None:
            start = max(clean.text.find(parts.description), 0)
            span = clean.span(start, start + len(parts.description))
            own = (parts.description, Origin("docstring", start=span[0], end=span[1]))
    argument = given.get("description")
    if argument or (argument is not None and release.empty_description_counts):
        return (argument, Origin("argument", "description")), parts
    return own, parts


def _with_docstring(found: Input, parts: docstrings.Sections | Unknown, doc: Any) -> tuple[Input, dict[Path, Origin]]:
    """The docstring's texts for the properties that have none."""
    origins: dict[Path, Origin] = {}
    texts = parts.parameters if isinstance(parts, docstrings.Sections) else {}
    if not texts and not isinstance(parts, Unknown):
        return found, origins
    properties = dict(found.schema.get("properties", {}))
    if not properties:
        return found, origins
    for name, schema in properties.items():
        if not isinstance(schema, dict) or "description" in schema:
            continue
        if isinstance(parts, Unknown):
            properties[name] = {**schema, "description": parts}
        elif name in texts:
            properties[name] = {**schema, "description": texts[name]}
            span = docstrings.locate(docstrings.cleaned(doc), name, texts[name]) or (0, 0)
            path = ("inputSchema", "properties", name, "description")
            origins[path] = Origin("docstring", name, *span)
    return Input({**found.schema, "properties": properties}, found.parameters), origins


def _with_sessions(found: Input, parameters: Sequence[ParameterDecl], release: Release) -> Schema:
    names = {item.name for item in parameters if _is_session(item.annotation)} if release.sessions else set()
    properties = dict(found.schema.get("properties", {}))
    for name, schema in properties.items():
        if name in names and isinstance(schema, dict) and not isinstance(schema.get("description"), Unknown):
            own = schema.get("description")
            properties[name] = {**schema, "description": f"{own}\n\n{SESSION_TEXT}" if own else SESSION_TEXT}
    return {**found.schema, "properties": properties} if names else found.schema


def _is_session(annotation: Any) -> bool:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return any(isinstance(item, FrameworkObject) and item.cls.endswith(".SessionId") for item in metadata)


def _output(function: FunctionDecl, given: Mapping[str, Any], release: Release) -> Any:
    if "output_schema" not in given:
        return fastmcp_output.schema(function, release.output, release.shorten)
    fastmcp_output.schema(function, release.output, release.shorten)  # it is made all the same, and may raise
    schema = plain(given["output_schema"])
    if isinstance(schema, dict) and not isinstance(schema.get("type"), Unknown) and not is_object(schema):
        raise Refused(Failure("ValueError", "FastMCP takes only an object for `output_schema`.", path=("outputSchema",)))
    return schema


def _execution(function: FunctionDecl, given: Mapping[str, Any]) -> Any:
    task = given.get("task")
    if task is True:
        if not function.is_async:
            raise Refused(Failure("ValueError", "Only an async function can run as a task."))
        return {"taskSupport": "optional"}
    if isinstance(task, FrameworkObject):
        mode = task.kwargs.get("mode", "optional")
        return None if mode == "forbidden" else {"taskSupport": mode}
    return Unknown("whether it can run as a task") if isinstance(task, Unknown) else None


def title(name: Any, given: Any, annotations: Any, release: Release) -> Any:
    """The title: given, of the annotations, or made from the name."""
    if given:
        return given
    if isinstance(annotations, Unknown):
        return annotations
    own = plain(annotations).get("title") if annotations else None
    if own or not release.generated_title:
        return own or None
    return name if isinstance(name, Unknown) else name.replace("_", " ").replace("-", " ").title()


def registered(given: Mapping[str, Any], server: Mapping[str, Any], profile: Profile, release: Release) -> dict[str, Any]:
    """``annotations``, ``icons`` and ``_meta`` of the wire."""
    types = protocol(profile)
    try:
        annotations = as_sent(given.get("annotations"), types.ToolAnnotations, "annotations")
        icons = icons_as_sent(given.get("icons"), types)
    except ValidationError as error:
        raise Refused(Failure("ValidationError", "The registration's arguments cannot be read.")) from error
    return {"annotations": annotations, "icons": icons, "_meta": meta(given, server, release)}


def meta(given: Mapping[str, Any], server: Mapping[str, Any], release: Release) -> Any:
    """``_meta``: the registration's own, and the tags and version under FastMCP's key."""
    own = plain(given.get("meta")) or {}
    if isinstance(own, Unknown):
        return own
    if release.meta_key == "_fastmcp" and server.get("include_fastmcp_meta") is False:
        return own or None
    if given.get("app") is not None:
        return Unknown("what an app adds to `_meta`")
    tags = given.get("tags") or ()
    entry: dict[str, Any] = {"tags": tags if isinstance(tags, Unknown) else sorted(tags)}
    if given.get("version") is not None:
        entry["version"] = given["version"] if isinstance(given["version"], Unknown) else str(given["version"])
        entry["versions"] = [entry["version"]]  # the server lists all versions of a name; here there is one
    before = own.get(release.meta_key)
    if isinstance(before, Mapping):
        public = {key: item for key, item in before.items() if release.meta_key == "_fastmcp" or not key.startswith("_")}
        entry = {**public, **entry}
    return {**own, release.meta_key: entry}
