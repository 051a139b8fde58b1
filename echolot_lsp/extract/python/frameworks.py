"""The frameworks' objects as symbols: what creating, registering, mounting and transforming does to a server's list."""

from __future__ import annotations

from typing import Any

from echolot_lsp.extract.python.attributes import MISSING, Foreign
from echolot_lsp.extract.python.declaration import FrameworkObject
from echolot_lsp.extract.python.expressions import UNCLEAR
from echolot_lsp.extract.python.natives import CALLABLES
from echolot_lsp.extract.python.servers import Facet, FrameworkRaised, Handlers, Mounted, ServerValue, ToolValue
from echolot_lsp.extract.python.tool_objects import ToolObjects
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Coroutine,
    Dict,
    FrameworkName,
    FunctionValue,
    Instance,
    List,
    Method,
    Native,
    Unreadable,
    Where,
    where_of,
)
from echolot_lsp.model import Unknown

_GONE = {"fastmcp": (("fastmcp.tools.tool", 0, 4), ("fastmcp.server.transforms", 3, 99), ("fastmcp.server.providers", 3, 99))}
"""Modules by the major versions that have them: first, and the first one that has not."""
_METHODS = {
    "remove_tool": (0, 4),
    "import_server": (0, 4),
    "disable": (3, 99),
    "enable": (3, 99),
    "add_transform": (3, 99),
    "add_provider": (3, 99),
}
"""Methods of FastMCP by the major versions that have them."""
_TYPES_SINCE = {"ContentBlock": (1, 10), "ResourceLink": (1, 10), "Icon": (1, 15)}
"""Names of ``mcp.types`` by the version that brought them (read in the releases of 1.9.4 to 1.18.0, 2026-11-30)."""
_PASS_THROUGH = frozenset(
    ["resource", "prompt", "custom_route", "completion", "call_tool", "progress_notification", "set_logging_level"]
)
_PASS_THROUGH |= frozenset(
    ["list_prompts", "get_prompt", "list_resources", "read_resource", "list_resource_templates", "subscribe_resource"]
)
_TOOL_METHODS = frozenset(
    [
        "tool",
        "add_tool",
        "remove_tool",
        "get_tool",
        "call_tool",
        "_call_tool",
        "list_tools",
        "get_tools",
        "_list_tools",
        "on_list_tools",
    ]
)
_LISTING = frozenset(["list_tools", "get_tools", "_list_tools", "list_tools_mcp", "_mcp_list_tools"])


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


class Frameworks(ToolObjects):
    """``mcp`` and ``fastmcp``."""

    # imports
    def import_framework(self, name: str, site: Where) -> Any:
        root = name.partition(".")[0]
        for module, since, until in _GONE.get(root, ()):
            if name == module or name.startswith(module + "."):
                profile = self.profiles.of("fastmcp", name)
                if not since <= profile.major < until:
                    raised = FrameworkRaised("ModuleNotFoundError", f"FastMCP {profile.version} has no module `{module}`.")
                    raised.rule = "py-import-gone"
                    raised.where = site
                    raise raised
        return FrameworkName(name)

    def framework_member(self, module: FrameworkName, name: str, site: Where) -> Any:
        self.imports[f"{module.dotted}.{name}"] = site
        since = _TYPES_SINCE.get(name) if module.dotted in ("mcp.types", "mcp") else None
        profile = self.profiles.of("sdk", module.dotted) if since is not None else None
        if since is not None and profile is not None and profile.framework != "fastmcp" and older(profile.version, since):
            raised = FrameworkRaised("ImportError", f"mcp {profile.version} has no `{name}` in `{module.dotted}`.")
            raised.rule = "py-import-gone"
            raised.where = site
            raise raised
        return FrameworkName(f"{module.dotted}.{name}")

    imports: dict[str, Where]

    # calls
    def call_framework(self, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        last = _last(name)
        family = self.family_of(name)
        if family is not None:
            return self.make_server(name, family, args, kwargs, site)
        owner = _last(name.rpartition(".")[0])
        if last in ("from_function", "from_tool") and owner in ("Tool", "FunctionTool", "TransformedTool"):
            return self._tool_from(last, args, kwargs, site)
        if last == "Tool" and self._is_protocol(name):
            return self._wire_tool(args, kwargs, site)
        if owner == "Tool" and last in ("model_validate", "parse_obj", "model_construct"):
            row = args[0] if args else Dict(kwargs)
            if isinstance(row, dict):
                return self._wire_tool([], dict(row), site)
            return self._wire_tool([], {UNCLEAR: row if isinstance(row, Unknown) else Unknown("the tool is not known")}, site)
        if last in ("model_validate", "parse_obj", "model_construct") and owner[:1].isupper():
            row = args[0] if args else Dict(kwargs)
            if isinstance(row, dict) and not getattr(row, "unsure", None):
                return FrameworkObject(name.rpartition(".")[0], (), {str(key): value for key, value in row.items()})
            return row if isinstance(row, FrameworkObject) else Unknown(f"what `{last}` is given is not known")
        if last == "tool" and name.startswith("fastmcp."):
            return self._standalone(args, kwargs, site)
        if owner in ("FastMCP", "MCPServer") and last.startswith(("from_", "as_proxy")):
            return self._generated(name, args, kwargs, site)
        if last in ("create_proxy",):
            return self._generated("fastmcp.FastMCP.as_proxy", args, kwargs, site)
        for value in args:
            if isinstance(value, Coroutine):
                value.start()
        cleared = {str(key): value for key, value in kwargs.items() if key != UNCLEAR}
        return FrameworkObject(name, tuple(args), cleared)

    @staticmethod
    def family_of(name: str) -> Any:
        """The framework whose server class a dotted name is."""
        last = _last(name)
        if last == "FastMCP":
            return "fastmcp" if name.startswith("fastmcp") else "sdk"
        if last == "MCPServer" and name.startswith("mcp"):
            return "sdk"
        if last == "Server" and name.startswith("mcp.server"):
            return "low"
        return None

    def make_server(
        self, name: str, family: Any, args: list[Any], kwargs: dict[str, Any], site: Where, cls: ClassValue | None = None
    ) -> ServerValue:
        """A new server object."""
        module, _, member = name.rpartition(".")
        if family == "low" and "on_list_tools" in kwargs:
            module, member = "mcp.server.mcpserver", "MCPServer"
        found = self.profiles.find(family, module, member)
        given = {str(key): value for key, value in kwargs.items() if key != UNCLEAR}
        title = args[0] if args else given.get("name", "")
        server = ServerValue(found.profile, title, site, name, cls, given)
        server.misfit = found.misfit
        server.imported = (name, self.imports.get(name))
        server.doubt = self.doubt
        if UNCLEAR in kwargs:
            server.unsure.append((kwargs[UNCLEAR].why, site))
        self.servers.append(server)
        if family == "low":
            server.handler = given.get("on_list_tools")
            return server
        if self.schemas:
            from echolot_lsp.extract.python.dialects import server as refused

            failure = refused(given, found.profile)
            if failure is not None:
                server.raised.append((FrameworkRaised(failure.exception, failure.message), site))
        tools = given.get("tools")
        if tools is not None:
            try:
                for tool in self.iterate(tools):
                    self._add(server, tool, {}, site, via="constructor")
            except Unreadable as reason:
                server.unsure.append((str(reason), where_of(tools) or site))
        for key in ("middleware", "transforms", "providers"):
            items = given.get(key)
            if items is None:
                continue
            for item in items if isinstance(items, (list, tuple)) else [items]:
                server.steps.append((key.rstrip("s") if key != "middleware" else key, [item], {}, site))
        for key in ("tool_transformations", "proxy", "lifespan_tools"):
            if key in given:
                server.unsure.append((f"`{key}` is not evaluated", site))
        return server

    def construct_framework(
        self, cls: ClassValue, base: FrameworkName, args: list[Any], kwargs: dict[str, Any], site: Where
    ) -> Any:
        family = self.family_of(base.dotted)
        if family is None:
            instance = Instance(cls)
            initialiser = self.find_in_class(cls, "__init__")
            if isinstance(initialiser, FunctionValue):
                self.call(initialiser, [instance, *args], kwargs, site)
            else:
                instance.attributes.update({str(key): value for key, value in kwargs.items()})
            return instance
        initialiser = self.find_in_class(cls, "__init__")
        if not isinstance(initialiser, FunctionValue):
            return self.make_server(base.dotted, family, args, kwargs, site, cls)
        server = self.make_server(base.dotted, family, [], {}, site, cls)
        server.attributes["\0base"] = base.dotted
        self.call(initialiser, [server, *args], kwargs, site)
        return server

    def _generated(self, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> ServerValue:
        family = self.family_of(name.rpartition(".")[0]) or "fastmcp"
        given = {key: value for key, value in kwargs.items() if key in ("name",)}
        server = self.make_server(name.rpartition(".")[0], family, [], given, site)
        server.unsure.append((f"`{_last(name)}` builds the list at run time", site))
        return server

    # tools

    def _standalone(self, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        profile = self.profiles.of("fastmcp")
        if profile.major < 3:
            raised = FrameworkRaised("TypeError", f"FastMCP {profile.version} has no decorator `fastmcp.tools.tool`.")
            raised.where = site
            raise raised

        def mark(function: Any, arguments: dict[str, Any], via: Any) -> Any:
            if isinstance(function, FunctionValue):
                function.attributes["\0tool"] = ToolValue(function, arguments, via, site, decorator=site)
            return function

        if args and isinstance(args[0], CALLABLES):
            return mark(args[0], {str(key): value for key, value in kwargs.items()}, "standalone")
        arguments = self.named(args, kwargs)
        return Native("tool", lambda run, inner, named, where: mark(inner[0], arguments, "standalone"))

    def _add(self, server: ServerValue, function: Any, arguments: dict[str, Any], site: Where, via: Any) -> None:
        if isinstance(function, Unknown):
            server.unsure.append((f"a tool is registered that is not known: {function.why}", site))
            return
        marked = function.attributes.get("\0tool") if isinstance(function, FunctionValue) and via != "decorator" else None
        if isinstance(marked, ToolValue) and server.framework == "fastmcp" and server.profile.major >= 3:
            function = marked
        if isinstance(function, ToolValue):
            if via in ("decorator", "decorator-bare") and server.framework == "fastmcp":
                raise self.refusal("TypeError", "A tool object cannot be decorated as a tool again.", site)
            entry = ToolValue(
                function.function,
                {**function.arguments, **arguments},
                function.via,
                function.site,
                self.step,
                self.doubt,
                function.transform,
                function.parent,
                function.decorator,
            )
        else:
            if via == "add_tool" and server.framework == "fastmcp" and server.profile.major < 3:
                raise self.refusal("AttributeError", "`add_tool` of this version takes a `Tool`, no function.", site)
            entry = ToolValue(function, arguments, via, self._home(function, site), self.step, self.doubt, decorator=site)
        server.entries.append(entry)
        if self.doubt:
            server.unsure.append((self.doubt, site))

    # methods of servers
    def call_server(self, server: Any, method: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if isinstance(server, ToolValue):
            return self._call_tool(server, method, args, kwargs, site)
        versions = _METHODS.get(method) if server.framework == "fastmcp" else None
        if versions is not None and not versions[0] <= server.profile.major < versions[1]:
            raise self.refusal("AttributeError", f"FastMCP {server.profile.version} has no `{method}`.", site)
        if method == "remove_tool" and server.framework == "sdk" and older(server.profile.version, (1, 17)):
            raise self.refusal("AttributeError", f"mcp {server.profile.version} has no `{method}`.", site)
        handler = getattr(self, f"_do_{method.lstrip('_')}", None)
        if handler is not None:
            return handler(server, args, kwargs, site)
        if method in _LISTING:
            return Coroutine(lambda: self.list_registered(server))
        if method in _PASS_THROUGH:
            if args and isinstance(args[0], CALLABLES):
                return args[0]
            return Native(method, lambda run, inner, named, where: inner[0] if inner else None)
        if method.startswith("run") or method in ("serve",):
            server.ran = True
            return Coroutine(lambda: None)
        if "tool" in method and method not in ("call_tool", "get_tool"):
            server.unsure.append((f"`{method}` is not evaluated", site))
        return Unknown(f"what `{method}` answers is not evaluated")

    def _do___init__(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        base = str(server.attributes.get("\0base", server.dotted))
        fresh = self.make_server(base, self.family_of(base) or server.framework, args, kwargs, site, server.cls)
        self.servers.remove(fresh)
        server.name, server.options = fresh.name, fresh.options
        server.entries.extend(fresh.entries)
        server.unsure.extend(fresh.unsure)
        server.raised.extend(fresh.raised)
        server.steps.extend(fresh.steps)
        server.handler = fresh.handler or server.handler

    _do_init__ = _do___init__

    def _do_tool(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        first = args[0] if args else kwargs.get("name_or_fn", kwargs.get("fn"))
        if isinstance(first, (*CALLABLES, ToolValue, Instance)) and not isinstance(first, Native):
            arguments = {key: value for key, value in kwargs.items() if key not in (UNCLEAR, "name_or_fn", "fn")}
            return self.register(server, first, arguments, site, "decorator-bare")
        arguments = self.named(args, kwargs)

        def decorate(run: Any, inner: list[Any], named: dict[str, Any], where: Where) -> Any:
            return self.register(server, inner[0], arguments, site, "decorator")

        return Native("tool", decorate)

    def register(self, server: ServerValue, function: Any, arguments: dict[str, Any], site: Where, via: Any) -> Any:
        """What a tool decorator does with a function; what it leaves in the function's place."""
        self._add(server, function, arguments, site, via)
        if server.framework == "fastmcp" and server.profile.major < 3 and server.entries:
            entry = server.entries[-1]
            return entry if isinstance(entry, ToolValue) else function
        return function

    def _do_add_tool(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        function = args[0] if args else kwargs.get("fn", kwargs.get("tool"))
        arguments = self.named(args[1:], {key: value for key, value in kwargs.items() if key not in ("fn", "tool")})
        self._add(server, function, arguments, site, "add_tool")
        return function

    def _do_remove_tool(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        name = args[0] if args else kwargs.get("name")
        if isinstance(name, Unknown) or self.doubt:
            server.unsure.append(("a tool is removed, it is not known which or whether", site))
            return
        server.entries[:] = [
            entry for entry in server.entries if not (isinstance(entry, ToolValue) and self.name_of(entry) == name)
        ]

    def _do_mount(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        if server.framework != "fastmcp":
            return
        major = server.profile.major
        if "namespace" in kwargs and major < 3:
            raise self.refusal("TypeError", "`mount` of this version has no argument `namespace`.", site)
        if "prefix" in kwargs and major >= 4:
            raise self.refusal("TypeError", "`mount` of this version has no argument `prefix`.", site)
        values = [*args]
        child = next((item for item in [*values, kwargs.get("server")] if isinstance(item, ServerValue)), None)
        prefix = next((item for item in values if isinstance(item, (str, Unknown))), kwargs.get("namespace", kwargs.get("prefix")))
        self._mounted(server, child, prefix, site)
        names = kwargs.get("tool_names")
        if names is not None:
            server.unsure.append(("`tool_names` is not evaluated", site))

    def _mounted(self, server: ServerValue, child: ServerValue | None, prefix: Any, site: Where) -> None:
        if child is None or isinstance(prefix, Unknown) or self.doubt:
            server.unsure.append(("what is mounted here is not known", site))
        if child is not None and child is not server:
            child.mounted = True
            server.entries.append(Mounted(child, prefix, site))

    def _do_import_server(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        def start() -> None:
            values = [*args]
            child = next((item for item in [*values, kwargs.get("server")] if isinstance(item, ServerValue)), None)
            prefix = next((item for item in values if isinstance(item, (str, Unknown))), kwargs.get("prefix"))
            self._mounted(server, child, prefix, site)
            if child is not None and isinstance(server.entries[-1], Mounted):
                server.entries[-1].copied = list(child.entries)

        return Coroutine(start)

    def _do_disable(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        server.steps.append(("disable", args, kwargs, site))
        return server

    def _do_enable(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        server.steps.append(("enable", args, kwargs, site))
        return server

    def _do_add_transform(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        server.steps.append(("transform", args, kwargs, site))

    def _do_add_provider(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        server.steps.append(("provider", args, kwargs, site))

    def _do_add_middleware(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> None:
        server.steps.append(("middleware", args, kwargs, site))

    def _do_list_tools(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if server.framework != "low" and not args:
            return Coroutine(lambda: self.list_registered(server))
        if server.framework == "low":
            self._below_mcp_2(server, site)
        return self.handler_decorator(server, args)

    def _below_mcp_2(self, server: ServerValue, site: Where) -> None:
        """``@server.list_tools()`` on a low-level server: ``mcp`` 2 has no such decorator."""
        found = self.profiles.find("low", "mcp.server.fastmcp", "FastMCP")
        server.profile = found.profile
        if found.misfit is not None:
            raised = FrameworkRaised(
                "AttributeError", f"The low-level `Server` of mcp {found.misfit} has no decorator `list_tools`"
            )
            raised.rule = "py-import-gone"
            server.raised.append((raised, site))

    def handler_decorator(self, server: ServerValue, args: list[Any]) -> Any:
        """``@server.list_tools()``."""
        server.attributes["\0decorated"] = True

        def decorate(run: Any, inner: list[Any], named: dict[str, Any], where: Where) -> Any:
            server.handler = inner[0]
            if self.doubt:
                server.unsure.append((self.doubt, where))
            return inner[0]

        if args and isinstance(args[0], CALLABLES):
            server.handler = args[0]
            return args[0]
        return Native("list_tools", decorate)

    def _do_on_list_tools(self, server: ServerValue, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        return self.handler_decorator(server, args)

    def list_registered(self, server: ServerValue) -> Any:
        """The tools of a server as its own code sees them when it lists them."""
        made = List(entry for entry in server.entries if isinstance(entry, ToolValue))
        if any(isinstance(entry, Mounted) for entry in server.entries):
            made.unsure = "the tools of a mounted server are not known here"
        return made

    # attributes
    def server_attribute(self, server: Any, name: str, site: Where) -> Any:
        server.used.add(name)
        if name in server.attributes:
            return server.attributes[name]
        if server.cls is not None:
            found = self.find_in_class(server.cls, name)
            if found is not MISSING and not isinstance(found, Foreign):
                return self.bind(found, server, server.cls, site)
        if name == "name":
            return server.name
        if name in ("_mcp_server", "_lowlevel_server"):
            return Facet(server)
        if name in ("request_handlers", "_request_handlers"):
            return Handlers(server)
        if "tool" in name and name not in _TOOL_METHODS:
            server.rewritten = f"`{name}` of the server is used"
        return Method(server, name)

    def _of_real(self, value: Any, name: str, site: Where) -> Any:
        if isinstance(value, Facet):
            if name in ("request_handlers", "_request_handlers"):
                return Handlers(value.server)
            return Method(value, name)
        if isinstance(value, FrameworkObject):
            if name in value.kwargs:
                return value.kwargs[name]
            return Method(value, name)
        return super()._of_real(value, name, site)

    def set_on_server(self, server: Any, name: str, new: Any, site: Where) -> None:
        server.used.add(f"{name} =")
        server.attributes[str(name)] = new
        if "list_tools" in name or "tool_manager" in name or name == "_tools":
            server.unsure.append((f"`{name}` is replaced", site))

    def _set_item(self, target: Any, value: Any, scope: Any, unit: Any) -> None:
        container = self.eval(target.value, scope, unit)
        if isinstance(container, Handlers):
            key = self.eval(target.slice, scope, unit)
            if isinstance(key, FrameworkName) and key.last == "ListToolsRequest":
                container.server.handler = value
            elif isinstance(key, Unknown):
                container.server.unsure.append((key.why, Where(unit, target)))
            return
        super()._set_item(target, value, scope, unit)

    def call_object_method(self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if isinstance(receiver, Facet):
            if name == "list_tools":
                return self.handler_decorator(receiver.server, args)
            if name in _PASS_THROUGH:
                return Native(name, lambda run, inner, named, where: inner[0] if inner else None)
            return Unknown(f"what `{name}` answers is not evaluated")
        if isinstance(receiver, FrameworkObject):
            if name in ("model_copy", "copy"):
                update = kwargs.get("update")
                changed = {**receiver.kwargs, **(update if isinstance(update, dict) else {})}
                return FrameworkObject(receiver.cls, receiver.args, changed)
            if name in ("model_dump", "dict"):
                return Dict(receiver.kwargs)
            self.touch([*args, *kwargs.values()], "it is handed to an object of the framework", site) if name in (
                "add_tool",
            ) else None
            return Unknown(f"what `{name}` answers is not evaluated")
        return super().call_object_method(receiver, name, args, kwargs, site)


def older(version: str, than: tuple[int, int]) -> bool:
    """Whether a version is older than ``(major, minor)``."""
    try:
        major, minor = (int(part) for part in version.split(".")[:2])
    except ValueError:
        return False
    return (major, minor) < than


__all__ = ["Bound", "Frameworks"]
