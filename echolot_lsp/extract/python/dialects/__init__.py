"""From a declared tool to what a framework lists: ``wire(decl, profile)``, one small module a release.

The map::

    sdk1 sdk2 fastmcp2 fastmcp3 fastmcp4 low   the releases: what is particular to each, and when it was measured
    sdk sdk_output                             what the SDK's releases share
    fastmcp fastmcp_*  transform               what FastMCP's releases share; tools made of tools
    signature refusals                         pydantic over real types; what it refuses, in plain sentences
    registration texts                         name, title, hints, icons; where texts came from and which are not sent
    docstrings json_schema                     pure functions
    types unread mcp1 mcp2                     stand-ins for the frameworks' classes and the protocol's types

A new release is one module and one line here. ``mcp`` and ``fastmcp`` are never imported; importing this package imports pydantic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from echolot_lsp.extract.python.declaration import Failure, Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects import fastmcp2, fastmcp3, fastmcp4, low, sdk1, sdk2
from echolot_lsp.extract.python.dialects.refusals import Refused

Dialect = Callable[[ToolDecl, Profile], Outcome]

_DIALECTS: dict[str, tuple[tuple[int, Dialect], ...]] = {
    "sdk": ((1, sdk1.wire), (2, sdk2.wire)),
    "fastmcp": ((2, fastmcp2.wire), (3, fastmcp3.wire), (4, fastmcp4.wire)),
    "low": ((1, low.wire),),
}


def dialect(profile: Profile) -> Dialect:
    """The newest known release that is not newer than the profile's; the oldest for anything older."""
    releases = _DIALECTS[profile.framework]
    fitting = [release for since, release in releases if since <= profile.major]
    return fitting[-1] if fitting else releases[0][1]


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """What ``tools/list`` answers for a declaration, or the failure. Never raises for what a declaration holds."""
    chosen = low.wire if decl.via == "low" else dialect(profile)
    try:
        return chosen(decl, profile)
    except Refused as refused:
        return Outcome(wire=None, failures=(refused.failure,))


_GONE: dict[str, tuple[tuple[int, frozenset[str]], ...]] = {
    "fastmcp": (
        (3, frozenset({"include_tags", "exclude_tags", "on_duplicate_tools", "on_duplicate_resources", "on_duplicate_prompts"})),
        (3, frozenset({"tool_serializer", "include_fastmcp_meta", "tool_transformations", "log_level", "debug", "host", "port"})),
        (3, frozenset({"sse_path", "message_path", "streamable_http_path", "json_response", "stateless_http"})),
        (4, frozenset({"sampling_handler", "sampling_handler_behavior"})),
    )
}
_NEW: dict[str, tuple[tuple[int, frozenset[str]], ...]] = {
    "fastmcp": (
        (3, frozenset({"providers", "transforms", "on_duplicate", "dereference_schemas", "list_page_size", "session_state_store"})),
        (3, frozenset({"client_log_level", "experimental_capabilities"})),
        (4, frozenset({"resource_security", "request_state_security", "cache_ttl", "cache_scope"})),
    )
}


def server(arguments: Iterable[str], profile: Profile) -> Failure | None:
    """What stops a server whose object is made with keyword arguments that this release does not take; ``None``: nothing known."""
    for name in arguments:
        gone = any(profile.major >= since and name in names for since, names in _GONE.get(profile.framework, ()))
        new = any(profile.major < since and name in names for since, names in _NEW.get(profile.framework, ()))
        if gone or new:
            return Failure("TypeError", f"The server object of this version takes no `{name}`.")
    return None
