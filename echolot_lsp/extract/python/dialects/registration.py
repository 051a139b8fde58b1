"""What a registration says beside the function: name, title, description, annotations, icons, ``_meta``, as the wire has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel

from echolot_lsp.extract.python.declaration import Failure, FrameworkObject, ToolDecl, qualified
from echolot_lsp.extract.python.dialects.json_schema import jsonable
from echolot_lsp.extract.python.dialects.refusals import Refused
from echolot_lsp.model import Fact, Unknown

WIRE_ORDER = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta")


def in_order(wire: Mapping[str, Any]) -> dict[str, Any]:
    """A tool's keys in one order, whatever order a release sends them in; keys that are ``None`` are not sent."""
    known = {key: wire[key] for key in WIRE_ORDER if wire.get(key) is not None}
    return {**known, **{key: value for key, value in wire.items() if key not in WIRE_ORDER and value is not None}}


def refuse_unknown(decl: ToolDecl, accepted: Iterable[str], call: str) -> None:
    """Raises ``Refused`` for an argument that this release's call does not take."""
    for name in decl.arguments:
        if name not in accepted:
            raise Refused(Failure("TypeError", f"{call} of this version has no argument `{name}`."))


def plain(value: Any) -> Any:
    """A value of the registration with framework objects as the dictionaries of their keyword arguments."""
    if isinstance(value, FrameworkObject):
        return {key: plain(item) for key, item in value.kwargs.items()}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def as_sent(value: Any, model: type[BaseModel], what: str) -> Any:
    """How ``model`` writes a value on the wire; unknown members stay unknown. Raises ``Refused`` where it does not validate."""
    value = plain(value)
    if value is None or isinstance(value, Unknown):
        return value
    if not isinstance(value, Mapping):
        raise Refused(Failure("ValidationError", f"The {what} of the tool cannot be read."))
    unknown = {key: item for key, item in value.items() if _unknown_inside(item)}
    known = {key: item for key, item in value.items() if key not in unknown}
    try:
        sent: dict[str, Any] = model.model_validate(known).model_dump(mode="json", by_alias=True, exclude_none=True)
    except ValidationError as error:
        if unknown and all(item["type"] == "missing" for item in error.errors()):
            sent = jsonable(known)
        else:
            raise Refused(Failure("ValidationError", f"The {what} of the tool cannot be read.")) from error
    camel = model.model_config.get("alias_generator") is not None
    return {**sent, **{to_camel(key) if camel else key: Unknown(_why(item)) for key, item in unknown.items()}}


def _unknown_inside(value: Any) -> bool:
    if isinstance(value, Unknown):
        return True
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return any(_unknown_inside(item) for item in items)


def _why(value: Any) -> str:
    return value.why if isinstance(value, Unknown) else "a part of it is not known"


def icons_as_sent(value: Any, protocol: ModuleType) -> Any:
    """The ``icons`` of the wire."""
    if value is None or isinstance(value, Unknown):
        return value
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Refused(Failure("ValidationError", "The icons of the tool cannot be read."))
    return [as_sent(icon, protocol.Icon, "icons") for icon in value]


def ignored_hints(value: Any, protocol: ModuleType) -> tuple[Fact, ...]:
    """Annotation keywords in snake case that ``mcp`` 1 sends as they are, where no client looks for them."""
    fields = protocol.ToolAnnotations.model_fields
    given = value.kwargs if isinstance(value, FrameworkObject) else value if isinstance(value, Mapping) else {}
    return tuple(
        Fact("py-hint-keyword-ignored", ("annotations", key), {"keyword": key, "instead": to_camel(key)})
        for key in given
        if isinstance(key, str) and "_" in key and key not in fields and to_camel(key) in fields
    )


def class_name(value: object) -> str:
    """The last part of a framework object's or class' name."""
    return (qualified(value) or "").rpartition(".")[2]
