"""Whether a value is allowed by a schema: the everyday keywords here, the rest by ``jsonschema``, imported when first needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from echolot_lsp.model import is_known
from echolot_lsp.schema import has_json_type

_SAY_NOTHING = frozenset(
    {"title", "description", "default", "examples", "format", "pattern", "deprecated", "readOnly", "writeOnly", "$comment"}
)
"""Annotations, and what is not judged: formats and regular expressions."""
MOST_CHARACTERS = 50_000
DEEPEST = 8
"""Branches inside one another that are looked into here."""


def accepts(schema: Any, value: Any, root: Any) -> bool | None:
    """Whether ``schema`` (a part of ``root``) allows ``value``; ``None`` where that is not known or cannot be told."""
    if not is_known(value) or not is_known(schema):
        return None
    simple = _simply(schema, value)
    if simple is not None:
        return simple
    if not is_known(root):
        return None
    try:
        text = json.dumps([root, schema, value], sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return None
    return _thoroughly(text) if len(text) <= MOST_CHARACTERS else None


def _simply(schema: Any, value: Any, depth: int = 0) -> bool | None:
    """The answer where type, enum, const, bounds and branches of these decide it; ``None`` where more is to be looked at."""
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return None
    unsettled = False
    for keyword, demand in schema.items():
        if keyword in _SAY_NOTHING or (keyword not in ("anyOf", "type") and keyword.startswith("x-")):
            continue
        answer = _keyword(keyword, demand, value, depth)
        if answer is False:
            return False
        unsettled = unsettled or answer is None
    return None if unsettled else True


def _keyword(keyword: str, demand: Any, value: Any, depth: int) -> bool | None:
    if keyword == "type":
        names = demand if isinstance(demand, list) else [demand]
        return any(has_json_type(value, name) for name in names) if all(isinstance(name, str) for name in names) else None
    if keyword in ("enum", "const"):
        allowed = [demand] if keyword == "const" else demand
        return any(_same(value, item) for item in allowed) if isinstance(allowed, list) else None
    if keyword == "anyOf" and isinstance(demand, list):
        answers = [_simply(branch, value, depth + 1) for branch in demand]
        return True if True in answers else None if None in answers else False
    if keyword in (
        "items",
        "properties",
        "required",
        "additionalProperties",
        "minItems",
        "maxItems",
        "uniqueItems",
    ) and not isinstance(value, (Mapping, list)):
        return True
    if has_json_type(value, "number") and has_json_type(demand, "number"):
        bounds = {
            "minimum": value >= demand,
            "maximum": value <= demand,
            "exclusiveMinimum": value > demand,
            "exclusiveMaximum": value < demand,
        }
        return bounds.get(keyword)
    return (
        True
        if keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength") and value is None
        else None
    )


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator, validators

    return validators.extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, dict.fromkeys(("pattern", "patternProperties", "format"), lambda *_: ())
    )


@lru_cache(maxsize=4096)
def _thoroughly(text: str) -> bool | None:
    from referencing import Registry

    root, schema, value = json.loads(text)
    nothing_fetched: Registry[Any] = Registry()
    try:
        return bool(_validator()(root, registry=nothing_fetched).evolve(schema=schema).is_valid(value))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a schema that is wrong in itself, a reference without target or in a circle: other rules speak of it.
        # Too deep, `rpds` (which `referencing` rests on) panics: that is no `Exception` (rpds-py 2026.9.1, seen 2026-11-30)
        return None
