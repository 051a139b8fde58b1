"""The low-level server: ``types.Tool(…)`` goes to the wire as it is given, in the spelling of ``mcp`` 1 or 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic.alias_generators import to_camel

from echolot_lsp.extract.python.declaration import Failure, Origin, Outcome, Profile, ToolDecl
from echolot_lsp.extract.python.dialects.json_schema import jsonable
from echolot_lsp.extract.python.dialects.refusals import Refused
from echolot_lsp.extract.python.dialects.registration import as_sent, icons_as_sent, ignored_hints, in_order, plain
from echolot_lsp.extract.python.dialects.types import mcp_major, protocol
from echolot_lsp.model import Path, Unknown

_FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "icons", "annotations", "_meta", "execution")


def wire(decl: ToolDecl, profile: Profile) -> Outcome:
    """The tool as the server answers it. Raises ``Refused`` where ``Tool(…)`` itself or the answer fails."""
    second = mcp_major(profile) >= 2
    given = _spelt(decl.arguments, second)
    types = protocol(profile)
    for name in ("name", "inputSchema"):
        if given.get(name) is None:
            spelling = "input_schema" if second and name == "inputSchema" else name
            raise Refused(Failure("ValidationError", f"`Tool` needs `{spelling}`.", scope="list", path=(name,)))
    schema = plain(given["inputSchema"])
    if second and isinstance(schema, dict) and schema.get("type") != "object" and not isinstance(schema.get("type"), Unknown):
        text = "`tools/list` fails for every tool: the input schema of this one lacks `type: object`."
        raise Refused(Failure("tools/list error", text, scope="list", path=("inputSchema",)))
    sent = {
        **given,
        "inputSchema": jsonable(schema),
        "outputSchema": jsonable(plain(given.get("outputSchema"))),
        "annotations": as_sent(given.get("annotations"), types.ToolAnnotations, "annotations"),
        "icons": icons_as_sent(given.get("icons"), types),
        "execution": as_sent(given.get("execution"), types.ToolExecution, "execution"),
        "_meta": jsonable(plain(given.get("_meta"))),
    }
    origins: dict[Path, Origin] = {(key,): Origin("argument", key) for key in ("name", "title", "description") if given.get(key)}
    facts = () if second else ignored_hints(given.get("annotations"), types)
    return Outcome(wire=in_order(sent), origins=origins, facts=facts)


def _spelt(arguments: Mapping[str, Any], second: bool) -> dict[str, Any]:
    """The arguments under the names of the wire: ``mcp`` 2 takes both spellings and drops the rest, ``mcp`` 1 keeps all."""
    if not second:
        return {key: plain(value) if key not in _FIELDS else value for key, value in arguments.items()}
    spelt = {("_meta" if key in ("meta", "_meta") else to_camel(key)): value for key, value in arguments.items()}
    return {key: value for key, value in spelt.items() if key in _FIELDS}
