"""Tool lists for the trial's tests."""

from __future__ import annotations

from typing import Any

from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.run import ToolList
from tests.trial.model_servers import PROVIDER_OF, ModelServer

FIND: dict[str, Any] = {
    "name": "find_lantern",
    "description": "Finds a lantern by its number and says where it hangs.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "number": {"type": "string", "pattern": "^L-[0-9]+$", "description": "The lantern's number, such as L-17"},
            "floor": {"type": "integer", "minimum": 0, "multipleOf": 2, "description": "An even floor"},
            "near": {
                "type": "object",
                "properties": {"street": {"type": "string", "description": "A street"}},
                "required": ["street"],
                "description": "What it hangs near",
            },
        },
        "required": ["number"],
        "additionalProperties": False,
    },
}
LIGHT: dict[str, Any] = {
    "name": "light_lantern",
    "description": "Lights a lantern until the given hour.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "number": {"type": "string", "description": "Its number"},
            "hour": {"type": ["integer", "null"], "description": "0 to 23"},
        },
        "required": ["number"],
    },
}
LANTERNS = ToolList("lanterns", (FIND, LIGHT))


def at(server: ModelServer, *, model: str = "m", key: str | None = "") -> Endpoint:
    """The endpoint of a server of the tests; ``key`` empty: the right one."""
    suffix = "/v1" if server.protocol.startswith("openai") else ""
    right = server.key if key == "" else key
    return Endpoint(PROVIDER_OF[server.protocol], model, server.protocol, server.url + suffix, right, "TEST_KEY")  # type: ignore[arg-type]
