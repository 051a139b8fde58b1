"""A server's list in the order that the framework answers it: mounts, visibility, transforms, middleware, own handlers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from packaging.version import Version

from echolot_lsp.extract.python.attributes import MISSING, Foreign
from echolot_lsp.extract.python.declaration import FrameworkObject
from echolot_lsp.extract.python.frameworks import older
from echolot_lsp.extract.python.interpreter import Interpreter
from echolot_lsp.extract.python.servers import Entry, FrameworkRaised, Mounted, ServerValue, ToolValue
from echolot_lsp.extract.python.values import (
    Bound,
    Coroutine,
    Dict,
    Exhausted,
    FunctionValue,
    Instance,
    List,
    Native,
    Partial,
    Raised,
    Text,
    Unreadable,
    Where,
    plain,
    where_of,
)
from echolot_lsp.extract.python.versions import version_of
from echolot_lsp.model import Unknown

_ANSWERS = ("_list_tools_mcp", "_mcp_list_tools", "_list_tools_middleware", "_handle_list_tools")
"""Methods of FastMCP 2, 3, 4 and of the SDK that turn the tools into the answer: what an own one makes of them is not evaluated."""
_HARMLESS = "fastmcp.server.middleware"
_CHANGES_LISTS = ("ToolInjectionMiddleware", "PromptToolMiddleware", "ResourceToolMiddleware", "AuthMiddleware")
MAX_PAGES = 50


class Listing:
    """The list of one server: its tools, which ones a later one of the same name replaced, and what is not sure."""

    def __init__(self, run: Interpreter, server: ServerValue, above: tuple[ServerValue, ...] = ()) -> None:
        self.run = run
        self.server = server
        self.above = above
        """The servers in which this one is mounted, outermost first."""
        self.replaced: list[tuple[ToolValue, ToolValue]] = []
        """The tool that is kept, and the one of the same name that is not."""
        self.versions: dict[int, list[str]] = {}
        """Versions of a name, newest first, by the id of the tool that is shown."""
        run.profile = server.profile
        run.budget.new_block()
        self.tools = self._tools()

    def doubt(self, why: str, site: Where | None) -> None:
        """The list may be another."""
        self.server.unsure.append((why, site))

    def rewritten(self, why: str, site: Where | None) -> None:
        """Any tool of the list may be another."""
        self.server.rewritten = self.server.rewritten or why
        self.doubt(why, site)

    def _tools(self) -> list[ToolValue]:
        server = self.server
        if server.handler is not None:
            return self._handled(server.handler)
        tools = self._registered(server.entries, [server])
        if server.cls is not None:
            tools = self._overridden(tools)
        for kind, args, kwargs, site in server.steps:
            try:
                tools = self._step(kind, args, kwargs, site, tools)
            except (Unreadable, Raised, Exhausted) as reason:
                self.doubt(str(reason), site)
        return tools

    # registered tools
    def _registered(self, entries: list[Entry], chain: list[ServerValue]) -> list[ToolValue]:
        own = self._deduplicated([entry for entry in entries if isinstance(entry, ToolValue)])
        if chain[0].framework == "fastmcp":
            own = self._tags_of_constructor(own)
        for entry in entries:
            if isinstance(entry, Mounted):
                own.extend(self._mounted(entry, chain))
        return own if len({id(tool) for tool in own}) == len(own) else list(dict.fromkeys(own))

    def _mounted(self, entry: Mounted, chain: list[ServerValue]) -> list[ToolValue]:
        child = entry.server
        if child in chain or child in self.above or len(chain) + len(self.above) > 8:
            self.doubt("servers are mounted in a circle", entry.site)
            return []
        if entry.copied is not None:
            tools = self._registered(entry.copied, [*chain, child])
        else:
            inner = Listing(self.run, child, (*self.above, *chain))
            self.replaced.extend(inner.replaced)
            tools = inner.tools
        self.server.unsure.extend(item for item in child.unsure if item not in self.server.unsure)
        self.run.profile = self.server.profile
        if not entry.prefix:
            return [replace(tool) for tool in tools]
        return [self._renamed(tool, f"{entry.prefix}_") for tool in tools]

    def _renamed(self, tool: ToolValue, prefix: str) -> ToolValue:
        name = self.run.name_of(tool)
        written = where_of(tool.arguments.get("name"))
        changed = name if isinstance(name, Unknown) else Text(f"{prefix}{name}", written)
        return replace(tool, arguments={**tool.arguments, "name": changed})

    def _deduplicated(self, tools: list[ToolValue]) -> list[ToolValue]:
        kept: dict[Any, ToolValue] = {}
        first_wins = self.server.framework == "sdk"
        for tool in tools:
            name = self.run.name_of(tool)
            version = tool.arguments.get("version") if self.server.framework == "fastmcp" else None
            key: Any = id(tool) if isinstance(name, Unknown) else (str(name), str(version) if version is not None else None)
            if key in kept and self.server.framework != "low":
                winner, loser = (kept[key], tool) if first_wins else (tool, kept[key])
                if winner.function is not loser.function:  # one function twice is no tool that is lost
                    self.replaced.append((winner, loser))
                if first_wins:
                    continue
            kept[key] = tool
        return self._newest_versions(kept)

    def _newest_versions(self, kept: dict[Any, ToolValue]) -> list[ToolValue]:
        shown: dict[str | int, tuple[Any, ToolValue]] = {}
        versions: dict[str | int, list[str]] = {}
        for key, tool in kept.items():
            name = key if isinstance(key, int) else key[0]
            version = None if isinstance(key, int) else key[1]
            if version is not None:
                versions.setdefault(name, []).append(version)
            before = shown.get(name)
            if before is None or _newer(version, before[0]):
                shown[name] = (version, tool)
        for name, (_, tool) in shown.items():
            if len(versions.get(name, ())) > 1:
                self.versions[id(tool)] = sorted(versions[name], key=_version, reverse=True)
        return [tool for _, tool in shown.values()]

    def _tags_of_constructor(self, tools: list[ToolValue]) -> list[ToolValue]:
        options = self.server.options
        wanted, unwanted = options.get("include_tags"), options.get("exclude_tags")
        if wanted is None and unwanted is None:
            return tools
        if isinstance(wanted, Unknown) or isinstance(unwanted, Unknown):
            self.doubt("the tags that are included or excluded are not known", self.server.site)
            return tools
        kept = []
        for tool in tools:
            tags = self._tags(tool)
            if wanted and not tags & set(wanted):
                continue
            if unwanted and tags & set(unwanted):
                continue
            kept.append(tool)
        return kept

    def _tags(self, tool: ToolValue) -> set[Any]:
        tags = tool.arguments.get("tags") or (tool.transform.kwargs.get("tags") if tool.transform is not None else None)
        if isinstance(tags, Unknown):
            raise Unreadable(tags.why)
        return set(tags or ())

    # visibility, transforms, middleware
    def _step(self, kind: str, args: list[Any], kwargs: dict[str, Any], site: Where, tools: list[ToolValue]) -> list[ToolValue]:
        if kind in ("disable", "enable"):
            return self._visible(kind, kwargs, tools)
        if kind == "transform":
            return self._transformed(args[0] if args else kwargs.get("transform"), site, tools)
        if kind == "middleware":
            return self._through(args[0] if args else kwargs.get("middleware"), site, tools)
        self.doubt(f"what a {kind} adds is not evaluated", site)
        return tools

    def _visible(self, kind: str, kwargs: dict[str, Any], tools: list[ToolValue]) -> list[ToolValue]:
        names, tags, keys = kwargs.get("names"), kwargs.get("tags"), kwargs.get("keys")
        only = kwargs.get("only", False)
        for part in (names, tags, keys, only, *kwargs.values()):
            if isinstance(part, Unknown):
                raise Unreadable(part.why)
        components = kwargs.get("components")
        if components is not None and "tool" not in plain(components):
            return tools

        def matches(tool: ToolValue) -> bool:
            name = self.run.name_of(tool)
            if isinstance(name, Unknown):
                raise Unreadable(name.why)
            if names is not None and str(name) not in {str(item) for item in names}:
                return False
            if keys is not None and not {f"tool:{name}", f"tool:{name}@", str(name)} & {str(item) for item in keys}:
                return False
            return tags is None or bool(self._tags(tool) & set(tags))

        hidden: set[int] = self.server.attributes.setdefault("\0hidden", set())
        if kind == "disable":
            hidden.update(id(tool) for tool in tools if matches(tool))
        elif only:
            hidden.update(id(tool) for tool in tools if not matches(tool))
        elif hidden:
            self.doubt("tools are shown again that were hidden", None)
        return [tool for tool in tools if id(tool) not in hidden]

    def _transformed(self, transform: Any, site: Where, tools: list[ToolValue]) -> list[ToolValue]:
        if not isinstance(transform, FrameworkObject):
            self.rewritten("a transform is not evaluated", site)
            return tools
        kind = transform.cls.rpartition(".")[2]
        if kind == "Namespace":
            prefix = transform.args[0] if transform.args else transform.kwargs.get("prefix", transform.kwargs.get("namespace"))
            if isinstance(prefix, str):
                return [self._renamed(tool, f"{prefix}_") for tool in tools]
        if kind == "ToolTransform" and transform.args and isinstance(transform.args[0], dict):
            return [self._configured(tool, transform.args[0], site) for tool in tools]
        if kind in ("PromptsAsTools", "ResourcesAsTools") or kind not in ("Namespace", "ToolTransform"):
            self.rewritten(f"the transform `{kind}` is not evaluated", site)
        return tools

    def _configured(self, tool: ToolValue, table: dict[Any, Any], site: Where) -> ToolValue:
        config = table.get(self.run.name_of(tool))
        if config is None:
            return tool
        if not isinstance(config, FrameworkObject):
            self.doubt("a transform is not evaluated", site)
            return tool
        given = dict(config.kwargs)
        arguments = given.pop("arguments", None)
        if arguments:
            given["transform_args"] = arguments
            made = FrameworkObject("fastmcp.tools.Tool.from_tool", (), given)
            return ToolValue(tool.function, {}, "from_function", tool.site, tool.step, tool.doubt, made, tool, tool.decorator)
        return replace(tool, arguments={**tool.arguments, **given})

    def _through(self, middleware: Any, site: Where, tools: list[ToolValue]) -> list[ToolValue]:
        if isinstance(middleware, FrameworkObject):
            kind = middleware.cls.rpartition(".")[2]
            if not middleware.cls.startswith(_HARMLESS) or kind in _CHANGES_LISTS:
                self.rewritten(f"what the middleware `{kind}` does to the list is not evaluated", site)
            return tools
        if not isinstance(middleware, Instance):
            self.rewritten("what a middleware does to the list is not known", site)
            return tools
        for hook in ("__call__", "on_message", "on_request", "on_list_tools"):
            found = self.run.find_in_class(middleware.cls, hook)
            if not isinstance(found, FunctionValue):
                if isinstance(found, Foreign) and not _is_framework_base(found.base):
                    self.doubt("a middleware comes from a class that is not read", site)
                continue
            given = List(tools)
            call_next = Native("call_next", lambda run, args, kwargs, where, given=given: Coroutine(lambda: given))
            answer = self.run.awaited(self.run.call(Bound(found, middleware), [Unknown("the request"), call_next], {}, site))
            tools = self._as_tools(answer, site, tools)
        return tools

    def _as_tools(self, answer: Any, site: Where, before: list[ToolValue]) -> list[ToolValue]:
        if isinstance(answer, Unknown):
            self.doubt(answer.why, site)
            return before
        if isinstance(answer, FrameworkObject) and "tools" in answer.kwargs:
            answer = answer.kwargs["tools"]
        if isinstance(answer, FrameworkObject) and answer.args:
            return self._as_tools(answer.args[0], site, before)
        if getattr(answer, "unsure", None):
            self.doubt(answer.unsure, site)
        found: list[ToolValue] = []
        for item in self.run.iterate(answer):
            if isinstance(item, ToolValue):
                found.append(item)
            else:
                self.doubt(item.why if isinstance(item, Unknown) else "an item of the list is not evaluated", site)
        return found

    def _overridden(self, tools: list[ToolValue]) -> list[ToolValue]:
        server = self.server
        assert server.cls is not None
        for name in _ANSWERS:
            found = self.run.find_in_class(server.cls, name)
            if isinstance(found, FunctionValue):
                self.rewritten(f"`{name}` of a class of the source answers the list", found.where)
        for name in ("list_tools", "_list_tools", "get_tools"):
            found = self.run.find_in_class(server.cls, name)
            if found is MISSING or isinstance(found, Foreign) or not isinstance(found, FunctionValue):
                continue
            try:
                answer = self.run.awaited(self.run.call(Bound(found, server), [], {}, found.where))
                if isinstance(answer, dict):
                    answer = List(answer.values())
                return self._as_tools(answer, found.where, tools)
            except (Raised, Unreadable, Exhausted) as reason:
                self.doubt(f"`{name}` is not evaluated: {reason}", found.where)
        return tools

    # own handlers
    def _handled(self, handler: Any) -> list[ToolValue]:
        site = handler.where if isinstance(handler, FunctionValue) else self.server.site
        tools: list[ToolValue] = []
        cursor: Any = None
        for _ in range(MAX_PAGES):
            try:
                answer = self.run.awaited(self.run.call(handler, self._request(handler, cursor), {}, site))
                answer = self.run.awaited(answer)
                self._refuse_result(answer, site)
                tools.extend(self._as_tools(answer, site, []))
                cursor = self._cursor(answer)
            except FrameworkRaised as raised:
                self.server.raised.append((raised, site))
                return tools
            except (Raised, Unreadable, Exhausted) as reason:
                self.doubt(f"the handler of tools/list is not evaluated to its end: {reason}", site)
                return tools
            if cursor is None:
                return tools
            if isinstance(cursor, Unknown):
                self.doubt(cursor.why, site)
                return tools
        self.doubt("the list has too many pages", site)
        return tools

    def _refuse_result(self, answer: Any, site: Where) -> None:
        """``@server.list_tools()`` of mcp below 1.15 takes a list of tools only."""
        profile = self.server.profile
        decorated = self.server.attributes.get("\0decorated")
        if decorated and isinstance(answer, FrameworkObject) and older(profile.version, (1, 15)):
            raise FrameworkRaised("tools/list error", f"`list_tools` of mcp {profile.version} must answer a list of tools.")

    @staticmethod
    def _cursor(answer: Any) -> Any:
        while isinstance(answer, FrameworkObject) and "tools" not in answer.kwargs and answer.args:
            answer = answer.args[0]
        if isinstance(answer, FrameworkObject):
            return answer.kwargs.get("next_cursor", answer.kwargs.get("nextCursor"))
        return None

    def _request(self, handler: Any, cursor: Any) -> list[Any]:
        """The arguments of a handler: none, a request, or a context and its parameters."""
        function, filled = handler, 0
        while isinstance(function, (Bound, Partial)):
            filled += 1 if isinstance(function, Bound) else len(function.args)
            function = function.function
        if not isinstance(function, FunctionValue):
            return []
        arguments = function.node.args
        count = len(arguments.posonlyargs) + len(arguments.args) - filled
        params = None if cursor is None else FrameworkObject("mcp.types.PaginatedRequestParams", (), Dict({"cursor": cursor}))
        if self.server.options.get("on_list_tools") is not None or count >= 2:
            return [Unknown("the context of a request"), params][: max(count, 0)]
        request = FrameworkObject("mcp.types.ListToolsRequest", (), Dict({"params": params}))
        return [request][: max(count, 0)]


def _is_framework_base(base: Any) -> bool:
    from echolot_lsp.extract.python.values import FrameworkName

    return isinstance(base, FrameworkName)


def _version(text: str | None) -> Any:
    known = version_of(text or "")
    return (0, Version("0")) if known is None else (1, known)


def _newer(version: str | None, before: str | None) -> bool:
    if before is None:
        return True
    return version is not None and bool(_version(version) >= _version(before))
