"""From interpreted servers to the model: wire, places, facts, what is unresolved."""

from __future__ import annotations

import os
import sys
import typing
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from echolot_lsp.extract import Extraction
from echolot_lsp.extract.python.cache import Cache, KeptTool
from echolot_lsp.extract.python.declaration import Outcome
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.listing import Listing
from echolot_lsp.extract.python.memo import Keys
from echolot_lsp.extract.python.profile import Asked, Profiles, parse_framework, parse_python
from echolot_lsp.extract.python.servers import FrameworkRaised, ServerValue, ToolValue
from echolot_lsp.extract.python.values import Raised, Text, Unreadable, Where, plain
from echolot_lsp.files import Files
from echolot_lsp.model import Fact, Path, Places, Server, Source, Span, Tool, Trouble, Unknown, Unresolved, place_of


def extract(
    path: str,
    files: Files,
    *,
    environment: str | None,
    framework: str | None,
    python: str | None,
    schemas: bool,
    roots: tuple[str, ...],
    cache: Cache | None,
) -> Extraction:
    """See ``extract_python``."""
    name, version = parse_framework(framework) if framework else (None, None)
    asked = Asked(name, version, parse_python(python) if python else None, environment, _active())
    cache = cache if cache is not None else Cache()
    profiles = Profiles(path, files, asked)
    run = Interpreter(path, files, profiles, cache=cache, roots=roots, libraries=_libraries(environment, files))
    run.schemas = schemas
    for forget in getattr(typing, "_cleanups", ()):
        forget()  # equal unions of another order, that another file has made
    with warnings.catch_warnings(), deeper():
        warnings.simplefilter("ignore")  # what pydantic says of the source's models is not ours to print
        module = run.run()
        if module is None:
            return Extraction((), (Trouble(path, "This file cannot be read.", fatal=True),))
        keys = Keys(run)
        servers = tuple(_Assembly(run, value, schemas, keys).server() for value in _chosen(run))
    cache.forget_unused(path)
    return Extraction(servers, tuple(run.troubles))


RECURSION = 8_000
"""Frames of Python: interpreted calls and imports take a dozen each, and are themselves bounded."""


@contextmanager
def deeper() -> Iterator[None]:
    """Room for the interpreter's own recursion."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _active() -> tuple[str, ...]:
    return tuple(value for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if (value := os.environ.get(name)))


def _libraries(environment: str | None, files: Files) -> tuple[str, ...]:
    """The folders of installed packages of an environment."""
    if environment is None:
        return ()
    found = [os.path.join(environment, "Lib", "site-packages")]
    lib = os.path.join(environment, "lib")
    found += [os.path.join(lib, name, "site-packages") for name in files.names(lib) if name.startswith("python")]
    return tuple(folder for folder in found if files.is_folder(folder))


def _chosen(run: Interpreter) -> list[ServerValue]:
    """The servers worth showing: those that are started first, then the others; without those that live inside another."""
    shown = [server for server in run.servers if not server.mounted and (run.has_tools(server) or server.ran)]
    if not shown:
        shown = [server for server in run.servers if run.has_tools(server)] or run.servers[-1:]
    return sorted(shown, key=lambda server: not server.ran)


_INSTEAD = {"mcp.server.fastmcp": "mcp.server.mcpserver", "mcp.server.fastmcp.server": "mcp.server.mcpserver"}


class _Assembly:
    """One server."""

    def __init__(self, run: Interpreter, value: ServerValue, schemas: bool, keys: Keys) -> None:
        self.run = run
        self.value = value
        self.schemas = schemas
        self.facts: list[Fact] = []
        self.unresolved: list[Unresolved] = []
        self.keys = keys

    def server(self) -> Server:
        """The server in the model's terms."""
        value, run = self.value, self.run
        run.profile = value.profile
        try:
            listing = Listing(run, value)
            tools = listing.tools
        except Exception as error:
            run.crashed(error)
            listing, tools = None, []
            value.unsure.append(("the list could not be evaluated", value.site))
        made: list[Tool] = []
        for tool in tools:
            made.extend(self._tool(tool, listing, len(made)))
        if value.rewritten is not None and made:
            why = f"{value.rewritten}, which may change it"
            self.unresolved.extend(Unresolved(index, (), why, tool.home) for index, tool in enumerate(made))
        self._list_facts()
        name = plain(value.name) if isinstance(value.name, str) else ""
        files = {span.file for span in self._spans(made)}
        return Server(
            name=name,
            origin="python",
            path=value.site.unit.file or run.path,
            tools=tuple(made),
            sources=self._sources(files),
            framework=value.profile.framework,
            framework_version=value.profile.version,
            python=value.profile.python,
            place=value.site.span(),
            unresolved=tuple(self.unresolved),
            facts=tuple(self.facts),
            complete=not value.unsure,
        )

    def _spans(self, tools: list[Tool]) -> Iterator[Span]:
        yield self.value.site.span()
        for tool in tools:
            if tool.home is not None:
                yield tool.home
        for module in self.run.modules.values():
            yield Span(module.path, "", 0, 0)

    def _sources(self, files: set[str]) -> dict[str, Source]:
        found: dict[str, Source] = {}
        for file in files:
            text = self.run.cache.text(file)
            if text is not None:
                found[file] = Source(file, text, self.run.cache.starts(file))
        return found

    def _list_facts(self) -> None:
        value = self.value
        for why, site in dict.fromkeys(value.unsure):
            span = site.span() if site is not None else None
            self.unresolved.append(Unresolved(None, (), why, span))
        for why, span in self.run.incomplete:
            self.unresolved.append(Unresolved(None, (), why, span))
        stops = [*((raised, site.span() if site is not None else None) for raised, site in value.raised), *self.run.stopped]
        for raised, span in stops:
            self.facts.append(self.failure_fact(raised, span))
        if value.misfit is not None:
            name, where = value.imported
            details = {
                "name": name.rpartition(".")[0],
                "version": value.misfit,
                "instead": _INSTEAD.get(name.rpartition(".")[0], ""),
            }
            self.facts.append(Fact("py-import-gone", (), details, where.span() if where is not None else value.site.span()))

    def failure_fact(self, raised: Raised, span: Span | None) -> Fact:
        """What stops the server, as a fact of the list."""
        rule = raised.rule if isinstance(raised, FrameworkRaised) else "py-list-fails"
        details = {"exception": raised.name, "message": raised.message, "scope": "server"}
        return Fact(rule, (), details, span)

    # tools
    def _tool(self, value: ToolValue, listing: Listing | None, index: int) -> list[Tool]:
        if not self.schemas:
            names = self._names_only(value)
            named = Tool(names, home=value.site.span())
            self._note(tuple(unknown_parts(names)), index, named)
            return [named]
        extra = self._beside(value, listing)
        key = self.keys.of_tool(self.value, value, extra)
        kept = self.run.cache.tool(self.run.path, key)
        if kept is None:
            made = self._written(value, listing)
            kept = KeptTool(made, tuple(unknown_parts(made.wire)) if made is not None else ())
            self.run.cache.keep_tool(self.run.path, key, kept)
        if kept.tool is None:
            return []
        self._note(kept.unknown, index, kept.tool)
        return [kept.tool]

    @staticmethod
    def _beside(value: ToolValue, listing: Listing | None) -> tuple[Any, ...]:
        """What the other tools of the list make of this one: whom it replaces, its versions."""
        if listing is None:
            return ()
        replaced = tuple(where_key(loser.site) for winner, loser in listing.replaced if winner is value)
        return (*replaced, *listing.versions.get(id(value), ()))

    def _written(self, value: ToolValue, listing: Listing | None) -> Tool | None:
        """The tool as a dialect writes it; ``None`` where it is not listed."""
        from echolot_lsp.extract.python.declare import handed
        from echolot_lsp.extract.python.facts import tool_facts
        from echolot_lsp.extract.python.places import places_of

        run, home = self.run, value.site.span()
        try:
            outcome, decl = self._outcome(value)
        except (Raised, Unreadable) as error:
            outcome, decl = self._raised(error), None
        except Exception as error:
            run.crashed(error)
            outcome, decl = Outcome({"name": run.name_of(value), "inputSchema": Unknown("the tool could not be evaluated")}), None
        if outcome.wire is None and not outcome.failures:
            return None
        failed = {**self._names_only(value), "inputSchema": Unknown("the framework fails on this declaration")}
        wire: dict[str, Any] = clean(failed if outcome.wire is None else outcome.wire)
        wire |= {key: clean(handed(run, item)) for key, item in value.overrides.items()}
        wire = {key: item for key, item in wire.items() if item is not None}
        if listing is not None and id(value) in listing.versions:
            wire = _with_versions(wire, listing.versions[id(value)])
        places = places_of(run, value, decl, outcome, wire)
        facts = tool_facts(run, self.value, value, decl, outcome, wire, listing)
        hints = {"unsent_descriptions": dict(outcome.unsent_descriptions)} if outcome.unsent_descriptions else {}
        return Tool(wire, places, home, tuple(facts), hints)

    def _outcome(self, value: ToolValue) -> tuple[Outcome, Any]:
        from echolot_lsp.extract.python.declare import tool_decl
        from echolot_lsp.extract.python.dialects import wire

        self.run.budget.new_block()
        decl = tool_decl(self.run, value, {key: plain(item) for key, item in self.value.options.items()})
        return wire(decl, self.value.profile), decl

    def _raised(self, error: Exception) -> Outcome:
        from echolot_lsp.extract.python.declaration import Failure

        if isinstance(error, Raised):
            return Outcome(None, (Failure(error.name, error.message),))
        return Outcome({"inputSchema": Unknown(str(error))})

    def _names_only(self, value: ToolValue) -> dict[str, Any]:
        name = self.run.name_of(value)
        wire: dict[str, Any] = {"name": name if isinstance(name, Unknown) else plain(name)}
        description = value.arguments.get("description")
        if not description and value.function is not None:
            try:
                description = self.run.attribute(value.function, "__doc__", value.site)
            except (Raised, Unreadable):
                description = None
            if isinstance(description, Text) and self.value.framework == "fastmcp":
                import inspect

                description = inspect.cleandoc(description)
        if description is not None or self.value.framework == "sdk":
            wire["description"] = description if isinstance(description, Unknown) else plain(description) or ""
        return wire

    def _note(self, parts: tuple[tuple[Path, str], ...], index: int, tool: Tool) -> None:
        self.unresolved.extend(Unresolved(index, path, why, place_of(tool, path)) for path, why in parts)


def where_key(where: Where) -> tuple[Any, ...]:
    """A place as a key."""
    return (where.unit.file, where.unit.key, where.unit.read, getattr(where.node, "lineno", 0))


def unknown_parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every ``Unknown`` inside a wire value, by path."""
    pending: list[tuple[Path, Any]] = [(path, value)]
    while pending:
        at, item = pending.pop()
        if isinstance(item, Unknown):
            yield at, item.why
        elif isinstance(item, dict):
            pending.extend(((*at, key), part) for key, part in reversed(list(item.items())))
        elif isinstance(item, list):
            pending.extend(((*at, index), part) for index, part in reversed(list(enumerate(item))))


def clean(value: Any, depth: int = 60) -> Any:
    """A wire value of exact JSON types, ``Unknown`` aside."""
    if isinstance(value, (Unknown, bool, int, float)) or value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if depth <= 0:
        return Unknown("it is nested too deep")
    if isinstance(value, dict):
        return {str(key): clean(item, depth - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item, depth - 1) for item in value]
    return Unknown("a value that JSON cannot write")


def _with_versions(wire: dict[str, Any], versions: list[str]) -> dict[str, Any]:
    meta = wire.get("_meta")
    if not isinstance(meta, dict) or not isinstance(meta.get("fastmcp"), dict):
        return wire
    return {**wire, "_meta": {**meta, "fastmcp": {**meta["fastmcp"], "versions": versions}}}


__all__ = ["Places", "clean", "extract", "unknown_parts"]
