"""How a server and its counting child talk: frames of JSON over pipes.

A frame is four bytes of length (big-endian) and that many bytes of JSON. Request: ``{"id": 7, "tools": […], "models": {…}}``, or
``{"cancel": 7}``. Answer: ``{"id": 7, "costs": {…}}`` or ``{"id": 7, "error": "…"}``. An unknown part of a tool travels as
``{"\\u0000unknown": why}``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from echolot_lsp.model import Cost, Costs, ProviderName, ToolCost, Unknown
from echolot_lsp.providers.plain import plain

LENGTH = 4
_UNKNOWN = "\0unknown"


def frame(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the pipe."""
    content = json.dumps(message, default=_encoded).encode("ascii")
    return len(content).to_bytes(LENGTH, "big") + content


def request(number: int, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str] | None) -> bytes:
    """The frame that asks for the costs of ``tools`` (dicts of the MCP wire, unknown parts allowed)."""
    message = {"id": number, "tools": list(tools), "models": dict(models or {})}
    try:
        return frame(message)
    except RecursionError:  # nested without end: what is too deep is cut, as counting would do
        return frame({**message, "tools": [plain(tool).value for tool in tools]})


def message(content: bytes) -> dict[str, Any]:
    """The message of a frame's content. Raises ``ValueError`` for what is no message."""
    value = json.loads(content, object_hook=_decoded)
    if not isinstance(value, dict):
        raise ValueError("a frame holds a JSON object")
    return value


def costs_as_json(costs: Costs) -> dict[str, Any]:
    """Costs as they go over the pipe."""
    return {
        name: {
            "model": cost.model,
            "total": cost.total,
            "surcharge": cost.surcharge,
            "tools": [[tool.tokens, tool.schema] for tool in cost.tools],
            "borrowed": cost.borrowed,
            "at_least": cost.at_least,
        }
        for name, cost in costs.items()
    }


def costs_of_json(value: Mapping[ProviderName, Mapping[str, Any]]) -> Costs:
    """Costs from the pipe."""
    return {
        name: Cost(
            provider=name,
            model=cost["model"],
            total=cost["total"],
            surcharge=cost["surcharge"],
            tools=tuple(ToolCost(tokens, schema) for tokens, schema in cost["tools"]),
            borrowed=cost["borrowed"],
            at_least=cost["at_least"],
        )
        for name, cost in value.items()
    }


def _encoded(value: object) -> object:
    if isinstance(value, Unknown):
        return {_UNKNOWN: value.why}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _decoded(value: dict[str, Any]) -> Any:
    return Unknown(value[_UNKNOWN]) if value.keys() == {_UNKNOWN} else value
