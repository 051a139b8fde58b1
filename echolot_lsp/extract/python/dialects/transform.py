"""A FastMCP tool made of another one: ``Tool.from_tool(parent, name=…, transform_args={"q": ArgTransform(…)})``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from echolot_lsp.extract.python.declaration import Failure, FrameworkObject, Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import fastmcp
from echolot_lsp.extract.python.dialects.fastmcp_release import Release
from echolot_lsp.extract.python.dialects.json_schema import Schema, drop_unused, jsonable
from echolot_lsp.extract.python.dialects.refusals import REFUSALS, Refused, refusal
from echolot_lsp.extract.python.dialects.registration import in_order, plain
from echolot_lsp.extract.python.dialects.signature import Writer
from echolot_lsp.model import Unknown

_NOT_STRUCTURE = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})


def tool(decl: ToolDecl, profile: Profile, release: Release) -> Outcome:
    """The transformed tool as FastMCP lists it. Raises ``Refused``."""
    made = _made(decl, profile, release)
    given = _arguments(decl)
    return replace(made, wire=None) if given.get("enabled") is False else fastmcp.send(made, decl, release)


def _arguments(decl: ToolDecl) -> dict[str, Any]:
    return {**(decl.transform.kwargs if decl.transform else {}), **decl.arguments}


def _made(decl: ToolDecl, profile: Profile, release: Release) -> Outcome:
    """The tool object, before the list is asked."""
    if decl.transform is None:
        return fastmcp.make(decl, profile, release)
    if decl.parent is None:
        raise Refused(Failure("TypeError", "There is no tool to transform."))
    parent = _made(decl.parent, profile, release)
    before, given = dict(parent.wire or {}), _arguments(decl)
    name = given.get("name") or before.get("name")
    arguments = {**decl.parent.arguments, **{key: value for key, value in given.items() if key in ("title", "annotations", "meta")}}
    arguments["tags"] = given.get("tags") or decl.parent.arguments.get("tags")
    if given.get("version") is not None:
        arguments["version"] = given["version"]
    unread = Unknown("what the transforming function makes of the parameters") if given.get("transform_fn") is not None else None
    wire = {
        **before,
        "name": name,
        "title": fastmcp.title(name, arguments.get("title"), arguments.get("annotations"), release),
        "description": given.get("description", before.get("description")),
        "inputSchema": unread or _input_schema(before.get("inputSchema", {}), given.get("transform_args"), release),
        "outputSchema": plain(given["output_schema"]) if "output_schema" in given else unread or before.get("outputSchema"),
        **fastmcp.registered(arguments, decl.server, profile, release),
    }
    return Outcome(wire=in_order(wire), facts=parent.facts)


def _input_schema(parent: Any, transforms: Any, release: Release) -> Schema | Unknown:
    if isinstance(parent, Unknown) or isinstance(transforms, Unknown):
        return parent if isinstance(parent, Unknown) else transforms
    before = parent.get("properties", {})
    changes = transforms or {}
    strangers = set(changes) - set(before)
    if strangers:
        names = ", ".join(f"`{name}`" for name in sorted(map(str, strangers)))
        raise Refused(Failure("ValueError", f"`transform_args` names what the tool has no parameter for: {names}."))
    properties: Schema = {}
    required: list[str] = []
    definitions = dict(parent.get("$defs", {}))
    for old, schema in before.items():
        change = changes.get(old)
        options = change.kwargs if isinstance(change, FrameworkObject) else change if isinstance(change, Mapping) else {}
        must = old in parent.get("required", [])
        if options.get("hide"):
            if must and "default" not in options and "default_factory" not in options:
                raise Refused(Failure("ValueError", f"The hidden parameter `{old}` has no default."))
            continue
        name = options.get("name") if isinstance(options.get("name"), str) else old
        if name in properties:
            raise Refused(Failure("ValueError", f"Two parameters of the transformed tool are called `{name}`."))
        properties[str(name)], must = _property(schema, options, must, definitions)
        if must:
            required.append(str(name))
    closed = {} if release.meta_key == "_fastmcp" else {"additionalProperties": False}
    result: Schema = {"type": "object", "properties": properties, "required": required, **closed}
    return drop_unused({**result, "$defs": definitions}) if definitions else result


def _property(schema: Any, options: Mapping[str, Any], must: bool, definitions: Schema) -> tuple[Any, bool]:
    if isinstance(schema, Unknown):
        return schema, False if "default" in options else bool(options.get("required", must))
    changed = dict(schema)
    if "description" in options:
        if options["description"] is None:
            changed.pop("description", None)
        else:
            changed["description"] = options["description"]
    if "required" in options:
        must = bool(options["required"])
        if options["required"] is True:
            changed.pop("default", None)
    if "default" in options and options.get("required") is not True:
        changed["default"] = jsonable(options["default"])
        must = False
    if "type" in options:
        changed = {**_type(options["type"], definitions), **{key: changed[key] for key in changed if key in _NOT_STRUCTURE}}
    if "examples" in options:
        changed["examples"] = jsonable(options["examples"])
    return changed, must


def _type(annotation: Any, definitions: Schema) -> Schema:
    if isinstance(annotation, Unknown):
        return {"type": annotation}
    try:
        schema: Schema = jsonable(TypeAdapter(annotation).json_schema(schema_generator=Writer))
    except REFUSALS as error:
        raise Refused(refusal(error)) from error
    definitions.update(schema.pop("$defs", {}))
    return schema
