"""FastMCP 3 (on ``mcp`` 1): measured against 3.4.11 on 2026-11-30."""

from __future__ import annotations

from echolot_lsp.extract.python.declaration import Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import fastmcp, transform
from echolot_lsp.extract.python.dialects.fastmcp_output import Style
from echolot_lsp.extract.python.dialects.fastmcp_release import Release
from echolot_lsp.extract.python.dialects.json_schema import (
    CannotInline,
    Schema,
    inline,
    prune,
    resolve_root,
    without_discriminators,
)

_COMMON = {"name", "version", "title", "description", "icons", "tags", "output_schema", "annotations", "meta", "task", "timeout"}
_TOOL = _COMMON | {"auth", "run_in_thread", "exclude_args"}


def shorten(schema: Schema) -> Schema:
    """A root ``$ref`` resolved, titles and unused definitions gone."""
    return prune(resolve_root(schema))


def send(schema: Schema, names_are_keywords: bool = True) -> Schema:
    """Definitions inlined, unless a type contains itself."""
    if "$defs" not in schema:
        return schema
    try:
        return without_discriminators(inline(schema), names_are_keywords)  # type: ignore[no-any-return]
    except CannotInline:
        return resolve_root(schema)


RELEASE = Release(
    accepted={
        "": frozenset(_TOOL | {"app"}),
        "from_function": frozenset(_TOOL | {"serializer"}),
        "standalone": frozenset(_TOOL | {"serializer"}),
    },
    sections=False,
    empty_description_counts=True,
    meta_key="fastmcp",
    generated_title=False,
    positional_only=True,
    self_refused=True,
    shorten=shorten,
    send=send,
    output=Style(mcp=1, bytes_have_none=True, aliases="model"),
    keeps_titles=False,
)


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as FastMCP 3 lists it. Raises ``Refused``."""
    return transform.tool(decl, profile, RELEASE) if decl.transform else fastmcp.tool(decl, profile, RELEASE)
