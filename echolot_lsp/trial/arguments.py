"""What of a call does not fit the tool's schema, each place with one sentence.

jsonschema judges; the sentences are ours. A place where the provider's form of the list was looser than the schema is said to be
so: there the model could not know. Remote ``$ref``s are never fetched, regular expressions never run on endless text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from echolot_lsp.model import Path
from echolot_lsp.schema import at, resolve
from echolot_lsp.trial.reply import Call

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST_FAULTS = 40
LONGEST_CHECKED = 50_000
"""Characters of arguments, as JSON, that are checked."""

Looser = Callable[[Path], "str | None"]
"""Why the provider's form does not say what the schema says at a path inside the schema; ``None`` where it does say it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One place in a call's arguments that does not fit. ``path`` leads into the arguments, ``()`` is the call itself.

    ``looser``: the provider's form did not carry the constraint. ``note``: the schema allows it, but says nothing of it.
    """

    path: Path
    text: str
    looser: str | None = None
    note: bool = False


def unknown_tool(name: str, names: Sequence[str]) -> Fault:
    """The fault of a call of a tool that is not in the list."""
    folded = {known.casefold(): known for known in reversed(names)}
    near = get_close_matches(name.casefold()[:200], folded, n=1, cutoff=0.6)
    hint = f" The nearest is {folded[near[0]]}." if near else ""
    return Fault((), f"There is no tool {name or '(without a name)'} in this list.{hint}")


def faults(call: Call, schema: Any, looser: Looser = lambda path: None) -> tuple[Fault, ...]:
    """What does not fit in the arguments of a call, in the order of the schema; empty when everything fits."""
    if call.fault is not None:
        return (Fault((), call.fault),)
    if not isinstance(call.arguments, Mapping):
        return (_no_object(call.arguments),)
    if not isinstance(schema, Mapping):
        return ()
    if len(json.dumps(call.arguments, default=str)) > LONGEST_CHECKED:
        return (Fault((), "The arguments are too long to be checked."),)
    try:
        found = list(_found(call.arguments, schema, looser))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the validator's library, where a schema goes in a circle, is no Exception
        # A schema of the wild can break the validator in many ways; the reader wants to know that nothing was checked.
        return (Fault((), f"The arguments were not checked: {_why_not(error)}.", note=True),)
    found.extend(_unnamed(call.arguments, schema))
    return tuple(found[:MOST_FAULTS])


def _no_object(arguments: Any) -> Fault:
    if isinstance(arguments, str) and _as_json(arguments, dict):
        return Fault((), "The arguments are an object sent as text, not an object.")
    return Fault((), f"The arguments are {_kind(arguments)}, not an object.")


def _why_not(error: BaseException) -> str:
    name = type(error).__name__
    if "Unresolvable" in name or "Resolution" in name:
        return "the schema has a $ref that leads nowhere"
    return "the tool's own schema is not valid"


def _found(arguments: Mapping[str, Any], schema: Mapping[str, Any], looser: Looser) -> Iterator[Fault]:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for
    from referencing import Registry

    validator = validator_for(schema, default=Draft202012Validator)(schema, registry=Registry())
    for error in validator.iter_errors(arguments):
        for fault, place in _said(error):
            yield replace(fault, looser=looser(_straight(schema, place)))


def _straight(schema: Mapping[str, Any], place: Sequence[str | int]) -> Path:
    """A place in the schema as jsonschema walked it, with each ``$ref`` followed: the place where the keyword is written.

    jsonschema leaves ``$ref`` itself out of its places.
    """
    path: Path = ()
    node: Any = schema
    for step in place:
        while isinstance(node, Mapping) and step not in node and "$ref" in node:
            target = resolve(node["$ref"], schema)
            if target is None:
                return (*path, *place[len(path) :])
            path, node = target
        path = (*path, step)
        known = step in node if isinstance(node, Mapping) else isinstance(node, list) and isinstance(step, int) and step < len(node)
        node = at(node, (step,)) if known else None
    return path


def _said(error: ValidationError) -> Iterator[tuple[Fault, Sequence[str | int]]]:
    """One or more faults of a validation error, each with the place of the keyword in the schema."""
    path: Path = tuple(error.absolute_path)
    place = tuple(error.absolute_schema_path)
    keyword, value = str(error.validator), error.instance
    wanted: Any = error.validator_value
    if keyword == "required" and isinstance(wanted, list):
        missing = next(
            (key for key in wanted if isinstance(value, Mapping) and key not in value and f"'{key}'" in error.message), None
        )
        name = str(missing) if missing is not None else "a property"
        yield Fault((*path, name), f"{name} is required and missing."), place
    elif keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(value, Mapping):
        around: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
        if wanted is False and keyword == "additionalProperties" and "patternProperties" not in around:
            for name in value:
                if name not in around.get("properties", {}):
                    yield Fault((*path, name), f"The schema has no {name} and allows nothing else."), place
        else:
            yield Fault(path, "It holds a property that the schema does not allow."), place
    elif keyword in ("anyOf", "oneOf") and error.context:
        yield from _branches(error, path, place)
    else:
        yield Fault(path, _sentence(keyword, wanted, value)), place


def _branches(error: ValidationError, path: Path, place: Sequence[str | int]) -> Iterator[tuple[Fault, Sequence[str | int]]]:
    """A union: what is wrong with the one branch that is meant, else that no branch fits."""
    listed: Any = error.validator_value
    branches = [branch for branch in listed if not (isinstance(branch, Mapping) and branch.get("type") == "null")]
    if len(branches) == 1:
        index = listed.index(branches[0])
        for inner in error.context or ():
            if inner.schema_path and inner.schema_path[0] == index:
                yield from _said(inner)
        return
    yield Fault(path, f"{_shown(error.instance)} fits none of the {len(branches)} forms that the schema allows."), place


_BOUNDS = {
    "minimum": "is below the minimum of",
    "maximum": "is above the maximum of",
    "exclusiveMinimum": "is not above",
    "exclusiveMaximum": "is not below",
    "multipleOf": "is not a multiple of",
    "minLength": "is shorter than",
    "maxLength": "is longer than",
    "minItems": "has fewer items than",
    "maxItems": "has more items than",
    "minProperties": "has fewer properties than",
    "maxProperties": "has more properties than",
    "pattern": "does not match",
    "const": "is not",
}


def _sentence(keyword: str, wanted: Any, value: Any) -> str:
    if keyword == "type":
        kinds = [wanted] if isinstance(wanted, str) else [str(kind) for kind in wanted]
        if isinstance(value, str):
            for kind, python in (("object", dict), ("array", list)):
                if kind in kinds and _as_json(value, python):
                    return f"{_article(kind)} sent as text: the schema wants the {kind} itself."
        return f"{_shown(value)} is {_kind(value)}; the schema wants {' or '.join(_article(kind).lower() for kind in kinds)}."
    if keyword == "enum" and isinstance(wanted, list):
        listed = ", ".join(_shown(item) for item in wanted[:6])
        more = f" and {len(wanted) - 6} more" if len(wanted) > 6 else ""
        return f"{_shown(value)} is none of the values that the schema lists: {listed}{more}."
    if keyword == "uniqueItems":
        return "It holds the same item twice."
    if keyword in _BOUNDS:
        unit = {"minLength": " characters", "maxLength": " characters"}.get(keyword, "")
        return f"{_shown(value)} {_BOUNDS[keyword]} {wanted if keyword == 'pattern' else _shown(wanted)}{unit}."
    if keyword == "None":
        return f"The schema allows no value where {_shown(value)} stands."
    return f"{_shown(value)} does not fit the schema's {keyword}."


def _unnamed(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterable[Fault]:
    """Arguments that the model made up: the schema does not forbid them, but does not name them either."""
    properties = schema.get("properties")
    open_ended = {"patternProperties", "$ref", "allOf", "anyOf", "oneOf", "additionalProperties", "if"} & schema.keys()
    if not isinstance(properties, Mapping) or open_ended:
        return
    for name in arguments:
        if name not in properties:
            yield Fault((name,), f"The schema names no {name}: the server ignores it or fails.", note=True)


def _as_json(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False


def _article(kind: str) -> str:
    return {"null": "Null"}.get(kind, f"{'An' if kind[:1] in 'aeiou' else 'A'} {kind}")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int):
        return "an integer"
    if isinstance(value, float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list) else "an object"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"
