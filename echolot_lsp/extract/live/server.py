"""From a listing to a ``Server``: facts for the live rules, and places in the source where the workspace declares the server.

The facts (``model.Fact``) and the details that their rules put into words:

========================  =======================================================================================
``live-crash``            message (one sentence), stderr (last line or empty); the list
``live-pagination-loop``  pages (how many were kept); the list
``live-stdout-noise``     lines (how many), first (the first of them); the list
``live-no-tools``         why; the list
``live-slow-start``       seconds (one decimal); the list
``live-empty``            source (number of tools in the source); the list
``list-shrunk``           missing (names, separated by commas), live, source (numbers); the list
``live-differs``          what ("description", "inputSchema", "outputSchema", "title", "annotations", …), at (a pointer into
                          that part), source, live (short texts); at the part of the tool, or the list for a tool that the source lacks
========================  =======================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from echolot_lsp.extract.live import Listing, Target
from echolot_lsp.files import Files
from echolot_lsp.model import Fact, Path, Place, Places, Server, Source, Span, Tool, Unknown
from echolot_lsp.schema import pointer

SLOW_SECONDS = 5.0
"""From here on a start is slow enough to be told (clients give up after 10 to 60 seconds)."""
ABSENT = object()
COMPARED = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons")


def live_server(
    listing: Listing,
    target: Target,
    *,
    declared: Server | None = None,
    place: Span | None = None,
    sources: Mapping[str, Source] | None = None,
    elsewhere: int = 0,
) -> Server:
    """The server that answered. ``declared`` is what the workspace's source says of it (its places are used, by tool name);
    ``place`` (in ``sources``) is where it is configured, for what has no place in a source. ``elsewhere``: how many tools the
    source registers on other server objects (a list that is empty for that reason is told)."""
    pairs = list(_pairs(listing.tools, declared.tools if declared else ()))
    home = declared.place if declared and declared.place else place
    return Server(
        name=target.name or listing.server_name or (declared.name if declared else target.label),
        origin="live",
        path=declared.path if declared else None,
        tools=tuple(_tool(entry, twin, home) for entry, twin in pairs),
        sources={**(sources or {}), **(declared.sources if declared else {})},
        framework=declared.framework if declared else None,
        framework_version=declared.framework_version if declared else None,
        python=declared.python if declared else None,
        place=home,
        facts=tuple(_facts(listing, declared, elsewhere)),
        reached="over stdio" if target.transport == "stdio" else f"at {target.address}",
    )


def twin_of(
    listing: Listing, target: Target, declared: Sequence[Server], *, own: str | None = None, named: bool = False
) -> Server | None:
    """Of the declared servers the one that answered: most tools in common, then the one of the file ``own``, then its name.

    ``None`` where none is like it in anything; ``named``: they were named for it, so that a single one is it all the same.
    """
    names = {entry.get("name") for entry in listing.tools if isinstance(entry, Mapping)}

    def likeness(server: Server) -> tuple[int, bool, bool]:
        common = len(names & {tool.name for tool in server.tools})
        return common, own is not None and server.path == own, server.name in (listing.server_name, target.name)

    best = max(declared, key=likeness, default=None)
    return best if best is not None and (any(likeness(best)) or (named and len(declared) == 1)) else None


def placed(server: Server, roots: Sequence[str], files: Files) -> Server:
    """A server that no source declares, its tools at the places below ``roots`` where another language's source names them, if each
    is named once. Reads many files."""
    from echolot_lsp.extract.live.placement import place_names

    spans, sources = place_names([tool.name for tool in server.tools if tool.name], roots, files)
    if not spans:
        return server
    tools = tuple(
        replace(tool, places=Places({("name",): Place(value=spans[tool.name])}), home=spans[tool.name])
        if tool.name in spans
        else tool
        for tool in server.tools
    )
    return replace(server, tools=tools, sources={**server.sources, **sources})


def _pairs(entries: Sequence[Any], declared: Sequence[Tool]) -> Iterator[tuple[Any, Tool | None]]:
    """Each live entry with the declared tool of its name; of several with one name, in order."""
    waiting: dict[str, list[Tool]] = {}
    for tool in declared:
        if tool.name is not None:
            waiting.setdefault(tool.name, []).append(tool)
    for entry in entries:
        name = entry.get("name") if isinstance(entry, Mapping) else None
        twins = waiting.get(name, []) if isinstance(name, str) else []
        yield entry, twins.pop(0) if twins else None


def _tool(entry: Any, twin: Tool | None, home: Span | None) -> Tool:
    wire = entry if isinstance(entry, Mapping) else {"": entry}
    if twin is None:
        return Tool(wire=wire, places=Places({("name",): Place(value=home)} if home else {}), home=home)
    facts = tuple(_differences(twin.wire, wire))
    return Tool(wire=wire, places=twin.places, home=twin.home, facts=facts, hints=twin.hints)


def _facts(listing: Listing, declared: Server | None, elsewhere: int) -> Iterator[Fact]:
    if listing.failure is not None and listing.failure.kind in ("crash", "start"):
        yield Fact("live-crash", (), {"message": listing.failure.message, "stderr": listing.failure.stderr})
    if listing.looped:
        yield Fact("live-pagination-loop", (), {"pages": str(listing.pages)})
    if listing.noise_lines:
        yield Fact("live-stdout-noise", (), {"lines": str(listing.noise_lines), "first": listing.noise[0] if listing.noise else ""})
    if listing.start_seconds > SLOW_SECONDS:
        yield Fact("live-slow-start", (), {"seconds": f"{listing.start_seconds:.1f}"})
    if listing.failure is not None:
        return
    if listing.no_tools is not None:
        yield Fact("live-no-tools", (), {"why": listing.no_tools})
    if declared is not None:
        yield from _against_source(listing, declared, elsewhere)


def _against_source(listing: Listing, declared: Server, elsewhere: int) -> Iterator[Fact]:
    live = [entry.get("name") for entry in listing.tools if isinstance(entry, Mapping)]
    names = [tool.name for tool in declared.tools if tool.name is not None]
    missing = [name for name in names if name not in live]
    if (names or elsewhere) and not listing.tools:
        if listing.no_tools is None:
            yield Fact("live-empty", (), {"source": str(len(names) or elsewhere)})
    elif missing and len(listing.tools) < len(declared.tools):
        details = {"missing": ", ".join(missing), "live": str(len(listing.tools)), "source": str(len(declared.tools))}
        yield Fact("list-shrunk", (), details)
    if any(item.index is None for item in declared.unresolved):
        return  # the source does not claim to know the whole list
    for name in live:
        if isinstance(name, str) and name not in names and len(names) == len(declared.tools):
            yield Fact("live-differs", (), {"what": "tool", "source": "", "live": name})


def _differences(source: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[Fact]:
    for key in COMPARED:
        if _unlike(source.get(key), live.get(key), key):
            sides = [ABSENT if side.get(key) is None else side[key] for side in (source, live)]
            route, here, there = _first_difference((key,), *sides)
            details = {"what": key, "at": pointer(route[1:]), "source": _text(here), "live": _text(there)}
            yield Fact("live-differs", _within(source, route), details)


def _unlike(source: Any, live: Any, key: Any = None) -> bool:
    """Whether two values, of ``key``, differ in something that the source claims to know and that means anything."""
    if isinstance(source, Unknown):
        return False
    if isinstance(source, Mapping) and isinstance(live, Mapping):
        return any(True for _ in _unlike_keys(source, live, key))
    if isinstance(source, list) and isinstance(live, list):
        if key == "required" and all(isinstance(name, str) for name in (*source, *live)):
            return sorted(source) != sorted(live)
        return len(source) != len(live) or any(map(_unlike, source, live))
    return bool(source != live)


def _unlike_keys(source: Mapping[str, Any], live: Mapping[str, Any], of: Any) -> Iterator[str]:
    for key in {**source, **live}:
        # frameworks write titles of their own into schemas, some versions and others not
        generated = key == "title" and of not in (None, "properties") and (key in source) != (key in live)
        if not generated and _unlike(source.get(key), live.get(key), key):
            yield key


def _first_difference(route: Path, source: Any, live: Any) -> tuple[Path, Any, Any]:
    """Where two values that differ do so first, as deep as can be, and what stands there."""
    if isinstance(source, Mapping) and isinstance(live, Mapping):
        for key in _unlike_keys(source, live, route[-1]):
            return _first_difference((*route, key), source.get(key, ABSENT), live.get(key, ABSENT))
    return route, source, live


def _within(source: Any, route: Path) -> Path:
    """As much of a route as the source has."""
    for length, key in enumerate(route):
        if not isinstance(source, Mapping) or key not in source:
            return route[: max(1, length)]
        source = source[key]
    return route


def _text(value: Any, limit: int = 80) -> str:
    if value is ABSENT:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=lambda item: "…")
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
