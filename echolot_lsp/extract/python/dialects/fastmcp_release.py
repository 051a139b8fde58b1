"""What tells the releases of FastMCP apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from echolot_lsp.extract.python.dialects.fastmcp_output import Style
from echolot_lsp.extract.python.dialects.json_schema import Schema


@dataclass(frozen=True, slots=True)
class Release:
    """What is particular to a release of FastMCP."""

    accepted: Mapping[str, frozenset[str]]
    """Arguments by the way of registering (``ToolDecl.via``); the key ``""`` for all others."""
    sections: bool | None
    """What a docstring is cut up by: ``None`` nothing, ``False`` a parameters section, ``True`` any section."""
    empty_description_counts: bool
    """``description=""`` is sent; else it falls back to the docstring."""
    meta_key: str
    generated_title: bool
    """A tool without a title gets one from its name."""
    positional_only: bool
    self_refused: bool
    """A function whose first parameter is ``self`` or ``cls`` is refused."""
    shorten: Callable[[Schema], Schema]
    """What becomes of a schema when the tool is made."""
    send: Callable[[Schema], Schema]
    """What becomes of a schema when the list is asked, where the server inlines."""
    output: Style
    keeps_titles: bool
    """A title that the author gave to a parameter is kept."""
    tools_replace_functions: bool = False
    """The decorator leaves a tool object under the function's name, which a second decorator refuses."""
    loses_keyword_defaults: bool = False
    """Keyword-only parameters lose their defaults where an annotation had to be resolved (quotes, ``None``, a lone text)."""
    partials: bool = False
    """``Tool.from_function`` takes a ``functools.partial``."""
    sessions: bool = False
