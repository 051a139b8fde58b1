"""FastMCP 2 (on ``mcp`` 1): measured against 2.14.7 on 2026-11-30."""

from __future__ import annotations

from echolot_lsp.extract.python.declaration import Failure, Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import fastmcp, transform
from echolot_lsp.extract.python.dialects.fastmcp_output import Style
from echolot_lsp.extract.python.dialects.fastmcp_release import Release
from echolot_lsp.extract.python.dialects.json_schema import (
    CannotInline,
    Schema,
    drop_unused,
    inline,
    prune_all,
    references,
    resolve_root,
    without_mappings,
)
from echolot_lsp.extract.python.dialects.refusals import Refused

_TOOL = {"name", "title", "description", "icons", "tags", "output_schema", "annotations", "exclude_args", "meta", "enabled", "task"}


def shorten(schema: Schema) -> Schema:
    """Titles, ``additionalProperties: false`` and ``$ref``s gone. Raises ``Refused`` where ``tools/list`` is never answered."""
    pruned = drop_unused(prune_all(schema))
    if "$defs" not in pruned:
        return pruned
    if "$ref" in pruned and any(references(definition) for definition in pruned["$defs"].values()):
        # references under a root that is itself one stay, and what stands beside the root's is lost
        return resolve_root({"$ref": pruned["$ref"], "$defs": pruned["$defs"]})
    try:
        return without_mappings(inline(pruned))  # type: ignore[no-any-return]
    except CannotInline:
        text = "`tools/list` is never answered: a type of this tool contains itself, which FastMCP 2 cannot write."
        raise Refused(Failure("no answer", text, scope="list", path=("inputSchema",))) from None


RELEASE = Release(
    accepted={"": frozenset(_TOOL), "from_function": frozenset(_TOOL | {"serializer"}), "standalone": frozenset()},
    sections=None,
    empty_description_counts=False,
    meta_key="_fastmcp",
    generated_title=False,
    positional_only=True,
    self_refused=False,
    shorten=shorten,
    send=lambda schema: schema,
    output=Style(mcp=1, wrapped_text=True, references_are_objects=True),
    keeps_titles=False,
    tools_replace_functions=True,
    loses_keyword_defaults=True,
)


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as FastMCP 2 lists it. Raises ``Refused``."""
    if decl.via == "standalone":
        raise Refused(Failure("TypeError", "FastMCP 2 has no `tool` decorator of its own: use the server's."))
    if decl.via == "add_tool" and decl.transform is None:
        text = "FastMCP 2's `add_tool` takes a `Tool`, not a function: use `Tool.from_function`."
        raise Refused(Failure("AttributeError", text))
    return transform.tool(decl, profile, RELEASE) if decl.transform else fastmcp.tool(decl, profile, RELEASE)
