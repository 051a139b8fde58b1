"""Methods of plain values: texts, lists, dicts, sets, paths, files, models. Those that grow are bounded first."""

from __future__ import annotations

import inspect
import os
from typing import Any

from echolot_lsp.extract.python import operators
from echolot_lsp.extract.python.natives import known, open_file, texts
from echolot_lsp.extract.python.values import (
    ClassValue,
    Dict,
    FileValue,
    Library,
    List,
    PathValue,
    Raised,
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

_TEXT = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "count",
        "encode",
        "endswith",
        "expandtabs",
        "find",
        "format",
        "format_map",
        "index",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isprintable",
        "isspace",
        "istitle",
        "isupper",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rjust",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "translate",
        "upper",
        "zfill",
        "maketrans",
    ]
)
_WIDE = frozenset(["center", "ljust", "rjust", "zfill", "expandtabs"])
_ENVIRONMENT_KNOWN = frozenset(
    ["HOME", "PATH", "USER", "USERNAME", "PWD", "SHELL", "LANG", "TMPDIR", "TEMP", "LOGNAME", "HOSTNAME"]
)


def call_method(run: Any, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    """``receiver.name(*args, **kwargs)`` on a value that is no object of the source."""
    if isinstance(receiver, str):
        return _text(run, receiver, name, args, kwargs)
    if isinstance(receiver, list):
        return _list(run, receiver, name, args, kwargs, site)
    if isinstance(receiver, dict):
        return _dict(run, receiver, name, args, kwargs, site)
    if isinstance(receiver, (set, frozenset)):
        return _set(run, receiver, name, args)
    if isinstance(receiver, tuple) and name in ("index", "count"):
        return getattr(plain(receiver), name)(*map(plain, args))
    if isinstance(receiver, bytes) and name == "decode":
        return receiver.decode("utf-8", "replace")
    if isinstance(receiver, PathValue):
        return _path(run, receiver, name, args)
    if isinstance(receiver, FileValue):
        return _file(receiver, name)
    if isinstance(receiver, Library):
        return _library(run, receiver, name, args, kwargs)
    if isinstance(receiver, ClassValue):
        return run.call_class_method(receiver, name, args, kwargs, site)
    if isinstance(receiver, (inspect.Signature, inspect.Parameter)):
        return _signature(run, receiver, name, args, kwargs)
    return run.call_object_method(receiver, name, args, kwargs, site)


def _text(run: Any, text: str, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if name not in _TEXT:
        raise Unreadable(f"`{name}` of a text is not evaluated")
    value = str.__str__(text)
    if name == "join":
        if getattr(args[0], "unsure", None):
            raise Unreadable(args[0].unsure)
        if isinstance(args[0], (set, frozenset)) and len(args[0]) > 1:
            raise Unreadable("a text is joined from a set, in an order that differs from run to run")
        parts = texts(run.iterate(args[0]))
        run.budget.size(sum(map(len, parts)) + len(value) * len(parts))
        return value.join(parts)
    plain_args = [run.printable(known(item)) for item in args]
    plain_kwargs = {str(key): run.printable(known(item)) for key, item in kwargs.items()}
    if name in _WIDE and plain_args and isinstance(plain_args[0], int):
        run.budget.size(plain_args[0] * (value.count("\t") + 1))
    if name == "replace" and len(plain_args) >= 2 and all(isinstance(item, str) for item in plain_args[:2]):
        run.budget.size(len(value) + (value.count(plain_args[0]) if plain_args[0] else len(value) + 1) * len(plain_args[1]))
    if name in ("format", "format_map"):
        return _format(run, value, name, plain_args, plain_kwargs)
    try:
        result = getattr(value, name)(*plain_args, **plain_kwargs)
    except operators.ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None
    return List(result) if isinstance(result, list) else result


def _format(run: Any, value: str, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    operators.template(value, run.budget)
    import string

    try:
        for _, field, specification, _ in string.Formatter().parse(value):
            if field and ("." in field or "[" in field):
                raise Unreadable("an attribute inside a format string is not evaluated")
            if specification and "{" in specification:
                raise Unreadable("a computed width is not evaluated")
        return value.format_map(args[0]) if name == "format_map" else value.format(*args, **kwargs)
    except operators.ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None


def _list(run: Any, items: list[Any], name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    if name in ("index", "count", "copy", "__len__"):
        if name == "copy":
            return List(items)
        if getattr(items, "unsure", None):
            raise Unreadable(items.unsure)  # type: ignore[attr-defined]
        try:
            return getattr([plain(item) for item in items], name)(*map(plain, args))
        except ValueError as error:
            raise Raised("ValueError", str(error)) from None
    if run.doubt and isinstance(items, List):
        items.unsure = run.doubt
    if name == "append":
        items.append(args[0])
    elif name == "extend":
        if isinstance(args[0], Unknown):
            if isinstance(items, List):
                items.unsure = args[0].why
            return None
        if isinstance(items, List) and getattr(args[0], "unsure", None):
            items.unsure = args[0].unsure
        items.extend(run.iterate(args[0]))
    elif name == "insert":
        items.insert(known(args[0]), args[1])
    elif name == "pop":
        try:
            return items.pop(*map(known, args))
        except (IndexError, TypeError) as error:
            raise Raised(type(error).__name__, str(error)) from None
    elif name == "remove":
        for index, item in enumerate(items):
            if run.same(item, args[0]):
                del items[index]
                return None
        raise Raised("ValueError", "list.remove(x): x not in list")
    elif name == "clear":
        items.clear()
    elif name == "reverse":
        items.reverse()
    elif name == "sort":
        from echolot_lsp.extract.python.natives import NATIVES

        items[:] = run.call(NATIVES["sorted"], [List(items)], kwargs, site)
    else:
        raise Unreadable(f"`{name}` of a list is not evaluated")
    run.budget.size(len(items))
    return None


def _dict(run: Any, items: dict[Any, Any], name: str, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    unsure = getattr(items, "unsure", None)
    if name in ("items", "keys", "values"):
        made = List({"items": items.items, "keys": items.keys, "values": items.values}[name]())
        made.unsure = unsure
        return made
    if name in ("get", "pop", "setdefault"):
        key = known(args[0])
        try:
            if key in items:
                return items.pop(key) if name == "pop" else items[key]
        except TypeError as error:
            raise Raised("TypeError", str(error)) from None
        if unsure:
            return Unknown(unsure)
        if name == "setdefault":
            items[key] = args[1] if len(args) > 1 else None
            return items[key]
        if name == "pop" and len(args) == 1:
            raise Raised("KeyError", str(key))
        return args[1] if len(args) > 1 else None
    if name == "copy":
        return Dict(items)
    if name == "update":
        if isinstance(items, Dict):
            if run.doubt:
                items.unsure = run.doubt
            source = args[0] if args else {}
            if isinstance(source, Unknown):
                items.unsure = source.why
                return None
            items.unsure = items.unsure or getattr(source, "unsure", None)
            items.places.update(getattr(source, "places", {}))
        items.update(args[0] if args and isinstance(args[0], dict) else (list(run.iterate(args[0])) if args else ()))
        items.update(kwargs)
        return None
    if name == "clear":
        items.clear()
        return None
    if name == "popitem":
        return items.popitem()
    if name == "fromkeys":
        return Dict((key, args[1] if len(args) > 1 else None) for key in run.iterate(args[0]))
    raise Unreadable(f"`{name}` of a dict is not evaluated")


def _set(run: Any, items: Any, name: str, args: list[Any]) -> Any:
    if name in ("union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint", "copy"):
        return getattr(items, name)(*({plain(known(item)) for item in run.iterate(other)} for other in args))
    if run.doubt:
        raise Unreadable(run.doubt)
    if name in ("add", "discard", "remove"):
        try:
            return getattr(items, name)(plain(known(args[0])))
        except (KeyError, TypeError) as error:
            raise Raised(type(error).__name__, str(error)) from None
    if name == "update":
        for other in args:
            items.update(plain(known(item)) for item in run.iterate(other))
        return None
    raise Unreadable(f"`{name}` of a set is not evaluated")


def _path(run: Any, path: PathValue, name: str, args: list[Any]) -> Any:
    if name in ("resolve", "absolute", "expanduser"):
        return PathValue(os.path.normpath(path.path))
    if name == "joinpath":
        return PathValue(
            os.path.join(path.path, *(item.path if isinstance(item, PathValue) else str(known(item)) for item in args))
        )
    if name == "read_text":
        return open_file(run, path).text
    if name == "open":
        return open_file(run, path)
    if name in ("exists", "is_file"):
        return run.files.is_file(path.path) or (name == "exists" and run.files.is_folder(path.path))
    if name == "is_dir":
        return run.files.is_folder(path.path)
    if name in ("with_suffix", "with_name"):
        base = os.path.splitext(path.path)[0] if name == "with_suffix" else os.path.dirname(path.path) + "/"
        return PathValue(base + str(known(args[0])))
    if name == "as_posix":
        return path.path
    raise Unreadable(f"`{name}` of a path is not evaluated")


def _file(file: FileValue, name: str) -> Any:
    if name == "read":
        return file.text
    if name == "readlines":
        return List(file.text.splitlines(keepends=True))
    if name == "close":
        return None
    raise Unreadable(f"`{name}` of a file is not evaluated")


def _library(run: Any, receiver: Library, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if receiver.dotted == "os.environ" and name == "get":
        return environment(args, kwargs)
    raise Unreadable(f"{receiver.dotted}.{name} is not evaluated")


def environment(args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``os.environ.get``: a server is read as if started with an environment that sets none of its options."""
    name = known(args[0])
    if name in _ENVIRONMENT_KNOWN:
        return Unknown(f"the environment variable {name} is not known")
    return args[1] if len(args) > 1 else kwargs.get("default")


def _signature(run: Any, value: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if name != "replace":
        raise Unreadable(f"`{name}` of a signature is not evaluated")
    changes = {str(key): known(item) for key, item in kwargs.items()}
    if "parameters" in changes:
        changes["parameters"] = [known(item) for item in run.iterate(changes["parameters"])]
    try:
        return value.replace(**changes)
    except operators.ERRORS as error:
        raise Raised(type(error).__name__, str(error)) from None


def text_at(value: str, where: Where) -> Text:
    """A new text that was computed at a place."""
    return Text(value, where)
