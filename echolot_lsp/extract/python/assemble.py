"""From an interpreted server to the model: wire, places, facts, what is unresolved."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from echolot_lsp.extract.python.cache import KeptTool
from echolot_lsp.extract.python.declaration import Outcome
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.listing import Listing
from echolot_lsp.extract.python.memo import Keys
from echolot_lsp.extract.python.servers import FrameworkRaised, ServerValue, ToolValue
from echolot_lsp.extract.python.values import Raised, Text, Unreadable, Where, plain
from echolot_lsp.model import Fact, Path, Server, Source, Span, Tool, Unknown, Unresolved, place_of

_INSTEAD = {"mcp.server.fastmcp": "mcp.server.mcpserver", "mcp.server.fastmcp.server": "mcp.server.mcpserver"}


@dataclass(slots=True)
class Row:
    """A registered tool, the key of all that its written form rests on, and that form."""

    value: ToolValue
    key: Hashable | None
    kept: KeptTool


class Assembly:
    """One server."""

    def __init__(self, run: Interpreter, value: ServerValue, keys: Keys) -> None:
        self.run = run
        self.value = value
        self.keys = keys
        self.listing: Listing | None = None
        self.rows: list[Row] = []
        """The list's tools as they were registered and as they were written."""

    def server(self) -> Server:
        """The server in the model's terms."""
        value, run = self.value, self.run
        run.profile = value.profile
        try:
            self.listing = Listing(run, value)
        except Exception as error:
            run.crashed(error)
            value.unsure.append(("the list could not be evaluated", value.site))
        self.rows = [self.row(tool) for tool in (self.listing.tools if self.listing is not None else ())]
        return self.made()

    def made(self) -> Server:
        """The server of the rows as they are."""
        value, run = self.value, self.run
        made = [row.kept for row in self.rows if row.kept.tool is not None]
        tools = tuple(kept.tool for kept in made if kept.tool is not None)
        unresolved = [
            Unresolved(index, path, why, place_of(tools[index], path))
            for index, kept in enumerate(made)
            for path, why in kept.unknown
        ]
        if value.rewritten is not None and tools:
            why = f"{value.rewritten}, which may change it"
            unresolved.extend(Unresolved(index, (), why, tool.home) for index, tool in enumerate(tools))
        unresolved.extend(self._doubts())
        name = plain(value.name) if isinstance(value.name, str) else ""
        return Server(
            name=name,
            origin="python",
            path=value.site.unit.file or run.path,
            tools=tools,
            sources=self.sources(tools),
            framework=value.profile.framework,
            framework_version=value.profile.version,
            python=value.profile.python,
            place=value.site.span(),
            unresolved=tuple(unresolved),
            facts=tuple(self._list_facts()),
            complete=not value.unsure,
        )

    def sources(self, tools: Iterable[Tool]) -> dict[str, Source]:
        """The texts of all modules, and of whatever else places of the list stand in."""
        files = {self.value.site.unit.file, *self.run.modules, *(tool.home.file for tool in tools if tool.home is not None)}
        found = {file: self.run.cache.source(file) for file in files}
        return {file: source for file, source in found.items() if source is not None}

    def _doubts(self) -> Iterator[Unresolved]:
        for why, site in dict.fromkeys(self.value.unsure):
            yield Unresolved(None, (), why, site.span() if site is not None else None)
        for why, span in self.run.incomplete:
            yield Unresolved(None, (), why, span)

    def _list_facts(self) -> Iterator[Fact]:
        value = self.value
        stops = [*((raised, site.span() if site is not None else None) for raised, site in value.raised), *self.run.stopped]
        for raised, span in stops:
            yield self.failure_fact(raised, span)
        if value.misfit is not None:
            name, where = value.imported
            details = {
                "name": name.rpartition(".")[0],
                "version": value.misfit,
                "instead": _INSTEAD.get(name.rpartition(".")[0], ""),
            }
            yield Fact("py-import-gone", (), details, where.span() if where is not None else value.site.span())

    def failure_fact(self, raised: Raised, span: Span | None) -> Fact:
        """What stops the server, as a fact of the list."""
        rule = raised.rule if isinstance(raised, FrameworkRaised) else "py-list-fails"
        details = {"exception": raised.name, "message": raised.message, "scope": "server"}
        return Fact(rule, (), details, span)

    # tools
    def row(self, value: ToolValue) -> Row:
        """A registered tool as it is written, from the cache where everything that it rests on is what it was."""
        if not self.run.schemas:
            names = self._names_only(value)
            return Row(value, None, KeptTool(Tool(names, home=value.site.span()), tuple(unknown_parts(names))))
        beside = self._beside(value, self.listing)
        key = self.keys.of_tool(self.value, value, beside)
        kept = self.run.cache.tool(self.run.path, key)
        if kept is None:
            made = self._written(value, self.listing)
            kept = KeptTool(made, tuple(unknown_parts(made.wire)) if made is not None else ())
            key = self.keys.of_tool(self.value, value, beside)  # writing it may have read a body, on which it then rests
            self.run.cache.keep_tool(self.run.path, key, kept)
        return Row(value, key, kept)

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
