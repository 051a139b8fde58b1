"""One source of settings is a layer; ``merge`` lays them over one another, the later one on top.

A layer holds what one file, editor or command line says, read against ``Settings``: what does not fit is told as a ``Fault`` and
left out, the rest stays.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Collection, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from echolot_lsp.config.settings import RuleId, RulePattern, Settings, keys, spelling

Route = tuple[str | int, ...]
"""Where in the settings: ``("severity", "no-description")``, ``("prompts", 0, "text")``."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A key or value that does not fit: where, and one sentence."""

    route: Route
    message: str


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source says: field name to value, and where each key (``key`` or ``key.part``) was said."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]
    folder: str | None = None


class _Misfit(Exception):
    """A value that does not fit; the message ends the sentence "… must be"."""


def read_layer(
    data: Mapping[str, Any],
    *,
    origin: str,
    rules: Collection[str],
    folder: str | None = None,
    lines: Mapping[Route, int] | None = None,
    foreign: Collection[str] = (),
) -> tuple[Layer, tuple[Fault, ...]]:
    """``data`` (the content of ``[tool.echolot]``, or an editor's settings) as a layer, and what did not fit.

    ``origin`` names the source; ``lines`` (from 0) makes it ``origin:line`` (from 1). ``rules``: the ids that exist. ``foreign``:
    keys that are somebody else's and pass in silence (an editor's ``server``, ``trace``).
    """
    reader = _Reader(frozenset(rules))
    known = keys(Settings)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}

    def where(route: Route) -> str:
        return origin if lines is None or route not in lines else f"{origin}:{lines[route] + 1}"

    for key, value in data.items():
        name = known.get(_hyphened(key))
        if name is None:
            if key not in foreign:
                reader.faults.append(Fault((key,), f"There is no setting {key!r}{_near(key, known)}."))
            continue
        fitting = reader.convert(value, _hints(Settings)[name], (key,))
        if fitting is _NOTHING:
            continue
        values[name] = fitting
        origins[spelling(name)] = where((key,))
        if isinstance(value, Mapping):
            origins.update({f"{spelling(name)}.{part}": where((key, part)) for part in value})
    return Layer(values, origins, folder), tuple(reader.faults)


def merge(*layers: Layer) -> Settings:
    """The defaults with ``layers`` over them: tables are merged key by key, everything else is replaced by the later layer."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        for name, value in layer.values.items():
            below = values.get(name)
            values[name] = {**below, **value} if isinstance(below, Mapping) and isinstance(value, Mapping) else value
        origins.update(layer.origins)
        if layer.folder is not None:
            values["folder"] = layer.folder
    return Settings(**values, origins=origins)


_NOTHING = object()


class _Reader:
    """Converts plain data to what a type hint asks for, and collects what does not fit."""

    def __init__(self, rules: frozenset[str]) -> None:
        self.rules = rules
        self.faults: list[Fault] = []

    def convert(self, value: Any, hint: Any, route: Route) -> Any:
        """``value`` as ``hint`` wants it; ``_NOTHING`` (and a fault) where it does not fit."""
        try:
            return self._converted(value, hint, route)
        except _Misfit as misfit:
            self.faults.append(Fault(route, f"{_name(route)} must be {misfit}."))
            return _NOTHING

    def _converted(self, value: Any, hint: Any, route: Route) -> Any:
        origin, arguments = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return self._converted(value, next(each for each in arguments if each is not NoneType), route)
        if hint in (RuleId, RulePattern):
            return self._rule(value, hint)
        if origin is Literal:
            return _choice(value, {each: each for each in arguments})
        if origin is tuple:
            return self._list(value, arguments[0], route)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._table(value, arguments, route)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _choice(value, {each.value: each for each in hint})
        if isinstance(hint, type) and is_dataclass(hint):
            return self._record(value, hint, route)
        return _scalar(value, hint)

    def _rule(self, value: Any, hint: Any) -> str:
        if not isinstance(value, str):
            raise _Misfit("the id of a rule")
        if not (hint is RulePattern and "*" in value) and value not in self.rules:
            raise _Misfit(f"the id of a rule, and there is no rule {value!r}{_near(value, self.rules)}")
        return value

    def _list(self, value: Any, hint: Any, route: Route) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise _Misfit(f"a list of {_plural(hint)}")
        items = [self.convert(item, hint, (*route, index)) for index, item in enumerate(value)]
        return tuple(item for item in items if item is not _NOTHING)

    def _table(self, value: Any, arguments: tuple[Any, ...], route: Route) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise _Misfit("a table")
        table: dict[str, Any] = {}
        for key, item in value.items():
            name = self.convert(key, arguments[0], (*route, key))
            fitting = _NOTHING if name is _NOTHING else self.convert(item, arguments[1], (*route, key))
            if fitting is not _NOTHING:
                table[name] = fitting
        return table

    def _record(self, value: Any, hint: Any, route: Route) -> Any:
        if not isinstance(value, Mapping):
            raise _Misfit("a table")
        known = keys(hint)
        filled: dict[str, Any] = {}
        for key, item in value.items():
            name = known.get(_hyphened(key))
            if name is None:
                self.faults.append(Fault((*route, key), f"There is no setting {_name((*route, key))}{_near(key, known)}."))
                continue
            fitting = self.convert(item, _hints(hint)[name], (*route, key))
            if fitting is not _NOTHING:
                filled[name] = fitting
        return hint(**filled)


@cache
def _hints(of: type) -> Mapping[str, Any]:
    return typing.get_type_hints(of)


def _scalar(value: Any, hint: Any) -> Any:
    if hint is str and isinstance(value, str):
        return value
    if hint is int and isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _Misfit("a text" if hint is str else "a whole number from 1")


def _choice(value: Any, choices: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value in choices:
        return choices[value]
    names = [repr(name) for name in choices]
    near = _near(value, choices) if isinstance(value, str) else ""
    raise _Misfit(", ".join(names[:-1]) + " or " + names[-1] + near)


def _plural(hint: Any) -> str:
    if hint in (RuleId, RulePattern):
        return "rules"
    return "tables" if is_dataclass(hint) else "texts"


def _name(route: Route) -> str:
    return ".".join(f"{step}" if isinstance(step, str) else f"[{step}]" for step in route).replace(".[", "[")


def _near(word: str, known: Collection[str]) -> str:
    import difflib

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _hyphened(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: "-" + match[0].lower(), key)
