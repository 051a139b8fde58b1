"""FastMCP 4 (on ``mcp`` 2): measured against 4.2.3 on 2026-11-30."""

from __future__ import annotations

from echolot_lsp.extract.python.declaration import Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import fastmcp, transform
from echolot_lsp.extract.python.dialects.fastmcp3 import send, shorten
from echolot_lsp.extract.python.dialects.fastmcp_output import Style
from echolot_lsp.extract.python.dialects.fastmcp_release import Release

_TOOL = {"name", "version", "title", "description", "icons", "tags", "output_schema", "annotations", "meta", "task", "timeout"}
_TOOL |= {"auth", "run_in_thread"}

RELEASE = Release(
    accepted={"": frozenset(_TOOL | {"app"}), "from_function": frozenset(_TOOL), "standalone": frozenset(_TOOL)},
    sections=True,
    empty_description_counts=True,
    meta_key="fastmcp",
    generated_title=True,
    positional_only=False,
    self_refused=True,
    shorten=shorten,
    send=lambda schema: send(schema, names_are_keywords=False),
    output=Style(mcp=2, bytes_have_none=True, free_sequences_have_none=True, aliases="each"),
    keeps_titles=True,
    partials=True,
    sessions=True,
)


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as FastMCP 4 lists it. Raises ``Refused``."""
    return transform.tool(decl, profile, RELEASE) if decl.transform else fastmcp.tool(decl, profile, RELEASE)
