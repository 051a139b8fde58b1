"""Which constraints of an input schema are lost on the way to Gemini, and where they stand."""

from __future__ import annotations

from echolot_lsp.anatomy import Part, anatomy, per_tool
from echolot_lsp.model import Path, Tool, Unknown
from echolot_lsp.providers.gemini import DROPPED_CONSTRAINTS, NOT_EVERY_CLIENT

_KEYWORDS = (*DROPPED_CONSTRAINTS, *NOT_EVERY_CLIENT)
_SUBTREES = (frozenset(DROPPED_CONSTRAINTS) | {"contentSchema"}) - {"oneOf", "allOf", "prefixItems"}
"""What stands below one of these goes with it and is not named again."""


@per_tool
def lost_places(tool: Tool) -> list[Path]:
    """The keywords that are lost, in document order; a root that is only closed is not among them."""
    shape = anatomy(tool)
    found = [keyword for keyword in _KEYWORDS if shape.having(keyword)]
    if not found:
        return []
    order = {id(part): position for position, part in enumerate(shape.parts)}
    places = [
        (order[id(part)], (*part.path, keyword)) for keyword in found for part in shape.having(keyword) if _is_lost(part, keyword)
    ]
    return [path for _, path in sorted(places, key=lambda place: place[0])]


def _is_lost(part: Part, keyword: str) -> bool:
    value = part.schema[keyword]
    if isinstance(value, Unknown) or _is_below_a_lost_one(part):
        return False
    if keyword in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems"):
        if part.parent is None and keyword == "additionalProperties":
            return value is not False
        return value is not True and value != {}
    return True


def _is_below_a_lost_one(part: Part) -> bool:
    around: Part | None = part
    while around is not None and around.parent is not None:
        if around.role in _SUBTREES and not (around.role == "additionalProperties" and around.schema in (True, {})):
            return True
        around = around.parent
    return False
