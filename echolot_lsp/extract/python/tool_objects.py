"""Tool objects of the frameworks: how they are made, and what the source may read from and write into them."""

from __future__ import annotations

from typing import Any

from echolot_lsp.extract.python.declaration import FrameworkObject
from echolot_lsp.extract.python.expressions import UNCLEAR
from echolot_lsp.extract.python.natives import CALLABLES
from echolot_lsp.extract.python.servers import FrameworkRaised, ToolValue
from echolot_lsp.extract.python.signatures import Signatures
from echolot_lsp.extract.python.values import (
    Dict,
    FunctionValue,
    Method,
    Raised,
    Text,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

_PROTOCOL = ("mcp", "mcp_types", "mcp.types", "mcp.server.lowlevel")
_WIRE_PARTS = {
    "name": "name",
    "title": "title",
    "description": "description",
    "annotations": "annotations",
    "inputSchema": "inputSchema",
    "input_schema": "inputSchema",
    "parameters": "inputSchema",
    "fn_metadata": "inputSchema",
    "outputSchema": "outputSchema",
    "output_schema": "outputSchema",
    "meta": "_meta",
}
"""Attributes of a tool object by the part of the wire that they are."""


class ToolObjects(Signatures):
    """``Tool`` in its several meanings."""

    @staticmethod
    def _is_protocol(name: str) -> bool:
        module = name.rpartition(".")[0]
        return module in _PROTOCOL or (module.startswith("mcp") and module.endswith("types"))

    def _tool_from(self, kind: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        arguments = {str(key): value for key, value in kwargs.items() if key not in (UNCLEAR, "fn", "tool", "callable_fn")}
        source = args[0] if args else kwargs.get("fn", kwargs.get("tool", kwargs.get("callable_fn")))
        if len(args) > 1:
            arguments.setdefault("name", args[1])
        if kind == "from_function":
            return ToolValue(source, arguments, "from_function", site, decorator=site)
        parent = self._as_tool(source, site)
        if parent is None:
            return Unknown("the tool that is transformed is not known")
        made = FrameworkObject("fastmcp.tools.Tool.from_tool", tuple(args[:1]), arguments)
        return ToolValue(parent.function, {}, "from_function", site, transform=made, parent=parent, decorator=site)

    def _as_tool(self, value: Any, site: Where) -> ToolValue | None:
        if isinstance(value, ToolValue):
            return value
        if isinstance(value, FunctionValue) and isinstance(value.attributes.get("\0tool"), ToolValue):
            found: ToolValue = value.attributes["\0tool"]
            return found
        if isinstance(value, CALLABLES):
            return ToolValue(value, {}, "from_function", site, decorator=site)
        return None

    def _wire_tool(self, args: list[Any], kwargs: dict[str, Any], site: Where) -> ToolValue:
        unclear = kwargs.get(UNCLEAR)
        arguments: dict[str, Any] = {key: value for key, value in kwargs.items() if key != UNCLEAR}
        if unclear is not None:
            for key in ("name", "description", "inputSchema"):
                arguments.setdefault(key, unclear)
        return ToolValue(None, arguments, "low", site, decorator=site)

    @staticmethod
    def named(args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """A registration's arguments by keyword."""
        arguments = {key: value for key, value in kwargs.items() if key != UNCLEAR}
        for key, value in zip(("name", "title", "description"), args, strict=False):
            arguments.setdefault(key, value)
        unclear = kwargs.get(UNCLEAR)
        if unclear is not None:
            for key in ("name", "title", "description", "annotations", "meta", "icons"):
                arguments.setdefault(key, unclear)
        return arguments

    @staticmethod
    def refusal(exception: str, message: str, site: Where) -> FrameworkRaised:
        """What the framework raises at a place."""
        raised = FrameworkRaised(exception, message)
        raised.where = site
        return raised

    @staticmethod
    def _home(function: Any, site: Where) -> Where:
        inner = function
        while hasattr(inner, "function"):
            inner = inner.function
        return inner.where if isinstance(inner, FunctionValue) else site

    def set_attribute(self, value: Any, name: str, new: Any, site: Where) -> None:
        if isinstance(value, ToolValue):
            part = _WIRE_PARTS.get(name)
            if part is not None:
                value.overrides[part] = Unknown(self.doubt) if self.doubt else new
            return
        super().set_attribute(value, name, new, site)

    def tool_attribute(self, tool: Any, name: str, site: Where) -> Any:
        if name in ("name", "key"):
            return self.name_of(tool)
        if name == "fn":
            return tool.function
        if _WIRE_PARTS.get(name) in tool.overrides:
            return tool.overrides[_WIRE_PARTS[name]]
        if name == "tags":
            return tool.arguments.get("tags") or set()
        for key in (name, _camel(name), _snake(name)):
            if key in tool.arguments:
                return tool.arguments[key]
        if name == "description" and tool.function is not None:
            doc = self.attribute(tool.function, "__doc__", site)
            return doc.strip() if isinstance(doc, str) else doc
        if _WIRE_PARTS.get(name) in ("inputSchema", "outputSchema"):
            part = _WIRE_PARTS[name]
            return tool.overrides.setdefault(part, Unknown("the server's own code works on the schema"))
        if tool.via == "low" and name in ("title", "description", "annotations", "outputSchema", "output_schema", "icons", "meta"):
            return None
        return Method(tool, name)

    def name_of(self, tool: ToolValue) -> Any:
        """A tool's name, as far as it is known."""
        name = tool.arguments.get("name")
        if tool.transform is not None and not name:
            name = tool.transform.kwargs.get("name") or (self.name_of(tool.parent) if tool.parent is not None else None)
        if isinstance(name, Unknown) or name:
            return plain(name) if type(name) is not Text else name
        if tool.function is None:
            return Unknown("the tool's name is not known")
        try:
            found = self.attribute(tool.function, "__name__", tool.site)
        except Raised:
            return Unknown("the tool's name is not known")
        return found

    def _call_tool(self, tool: ToolValue, method: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if method in ("model_copy", "copy") and isinstance(kwargs.get("update"), dict):
            changed = {**tool.arguments, **kwargs["update"]}
            return ToolValue(
                tool.function, changed, tool.via, tool.site, tool.step, tool.doubt, tool.transform, tool.parent, tool.decorator
            )
        if method in ("model_copy", "copy"):
            return tool
        if method in ("model_dump", "dict") and tool.via == "low":
            return Dict(tool.arguments)
        if method in ("disable", "enable"):
            changed = {**tool.arguments, "enabled": method == "enable"}
            tool.arguments = changed
            return None
        return Unknown(f"what `{method}` answers is not evaluated")


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _snake(name: str) -> str:
    return "".join(f"_{character.lower()}" if character.isupper() else character for character in name)
