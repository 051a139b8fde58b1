"""Library functions that the interpreter answers itself: ``functools.wraps``, ``json.loads``, ``inspect.signature`` …"""

from __future__ import annotations

import inspect
import json
import os
import typing
from collections.abc import Callable
from typing import Any

from echolot_lsp.extract.python.methods import environment
from echolot_lsp.extract.python.natives import known
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Coroutine,
    Descriptor,
    Dict,
    FileValue,
    FunctionValue,
    Instance,
    Library,
    List,
    Native,
    Partial,
    PathValue,
    Raised,
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

Call = Callable[[Any, list[Any], dict[str, Any], Where], Any]
LIBRARY_CALLS: dict[str, Call] = {}


def library(*names: str) -> Callable[[Call], Call]:
    """Registers a function under its dotted names."""

    def register(function: Call) -> Call:
        for name in names:
            LIBRARY_CALLS[name] = function
        return function

    return register


@library("functools.wraps")
def _wraps(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    wrapped = args[0] if args else kwargs.get("wrapped")

    def apply(run: Any, inner_args: list[Any], inner_kwargs: dict[str, Any], site: Where) -> Any:
        return update_wrapper(inner_args[0], wrapped)

    return Native("wraps", apply)


@library("functools.update_wrapper")
def _update(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return update_wrapper(args[0], args[1] if len(args) > 1 else kwargs.get("wrapped"))


def update_wrapper(wrapper: Any, wrapped: Any) -> Any:
    """What ``functools.update_wrapper`` does to a function of the source."""
    target = wrapper
    if not isinstance(target, FunctionValue):
        return wrapper
    target.wrapped = wrapped
    inner = wrapped
    while isinstance(inner, Bound):
        inner = inner.function
    if isinstance(inner, FunctionValue):
        target.name, target.qualname, target.doc = inner.name, inner.qualname, inner.doc
        target.attributes = {**inner.attributes, **target.attributes}
    elif isinstance(wrapped, Unknown):
        target.doc = wrapped
    return target


@library("functools.partial")
def _partial(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return Partial(args[0], tuple(args[1:]), dict(kwargs))


@library(
    "functools.cache", "functools.lru_cache", "contextlib.contextmanager", "contextlib.asynccontextmanager", "abc.abstractmethod"
)
@library(
    "typing.override", "typing_extensions.override", "typing.final", "typing.overload", "typing.no_type_check", "atexit.register"
)
@library("typing.runtime_checkable", "typing_extensions.runtime_checkable", "functools.total_ordering", "enum.unique")
@library("functools.cached_property", "typing_extensions.final", "typing_extensions.overload")
def _as_it_is(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    if len(args) == 1 and isinstance(args[0], (FunctionValue, ClassValue, Bound, Descriptor)):
        return args[0]
    return Native("identity", lambda run, args, kwargs, site: args[0] if args else None)


@library("typing.cast", "typing_extensions.cast")
def _cast(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return args[1]


@library("typing.TypeAliasType", "typing_extensions.TypeAliasType")
def _alias(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = args[1] if len(args) > 1 else kwargs.get("value")
    module = run.modules.get(site.unit.file)
    scope = module.scope if module is not None else run.modules_scope()
    return run.alias_of(str(known(args[0])), value, kwargs.get("type_params"), scope)


@library("typing.get_origin", "typing_extensions.get_origin")
def _origin(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return typing.get_origin(run.as_type(known(args[0])))


@library("typing.get_args", "typing_extensions.get_args")
def _args(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return tuple(run.as_value(item) for item in typing.get_args(run.as_type(known(args[0]))))


@library("functools.reduce")
def _reduce(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    items = list(run.iterate(args[1]))
    total = args[2] if len(args) > 2 else items.pop(0)
    for item in items:
        total = run.call(args[0], [total, item], {}, site)
    return total


@library("operator.or_")
def _or(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    import ast

    return run.binary(ast.BitOr(), args[0], args[1], run.modules_scope())


@library("asyncio.run", "anyio.run", "trio.run", "asyncio.get_event_loop.run_until_complete")
def _run(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    first = args[0] if args else None
    if isinstance(first, Coroutine):
        return first.start()
    if isinstance(first, (FunctionValue, Bound, Partial)) or hasattr(first, "receiver"):
        return run.awaited(run.call(first, list(args[1:]), {}, site))
    return None


@library("asyncio.gather", "asyncio.wait_for", "asyncio.create_task", "asyncio.ensure_future", "asyncio.shield")
def _gather(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    results = List(run.awaited(item) for item in args if isinstance(item, Coroutine))
    return results if len(results) != 1 else results[0]


@library("itertools.chain", "itertools.chain.from_iterable")
def _chain(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    made = List()
    parts = args if len(args) != 1 or not isinstance(args[0], list) else list(run.iterate(args[0]))
    for part in parts:
        if isinstance(part, Unknown):
            made.unsure = part.why
            continue
        made.unsure = made.unsure or getattr(part, "unsure", None)
        made.extend(run.iterate(part) if isinstance(part, (list, tuple, dict, set)) else [part])
    return made


@library("json.loads")
def _loads(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    text = known(args[0])
    if not isinstance(text, (str, bytes)):
        raise Unreadable("what it parses is not known")
    run.budget.size(len(text))
    try:
        return placed(json.loads(text), site)
    except (ValueError, RecursionError) as error:
        raise Raised("JSONDecodeError", str(error)) from None


@library("json.load")
def _load(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    file = known(args[0])
    if not isinstance(file, FileValue):
        raise Unreadable("the file that it reads is not known")
    return _loads(run, [file.text], {}, site)


@library("json.dumps")
def _dumps(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    options = {
        str(key): known(item) for key, item in kwargs.items() if key in ("indent", "sort_keys", "ensure_ascii", "separators")
    }
    if isinstance(options.get("indent"), int) and options["indent"] > 16:
        raise Unreadable("its indentation is too wide")
    try:
        return json.dumps(plain(known(args[0])), **options)
    except (TypeError, ValueError):
        raise Unreadable("what it writes is not known") from None


def placed(value: Any, where: Where) -> Any:
    """A parsed JSON value whose parts know where they were read."""
    if isinstance(value, str):
        return Text(value, where)
    if isinstance(value, dict):
        return Dict(((key, placed(item, where)) for key, item in value.items()), where)
    if isinstance(value, list):
        return List((placed(item, where) for item in value), where)
    return value


@library("os.getenv", "os.environ.get")
def _getenv(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return environment(args, kwargs)


@library("pathlib.Path", "pathlib.PurePath")
def _path(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    parts = [item.path if isinstance(item, PathValue) else str(known(item)) for item in args]
    return PathValue(os.path.join(*parts) if parts else ".")


@library("os.path.join")
def _join(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return os.path.join(*(item.path if isinstance(item, PathValue) else str(known(item)) for item in args))


def _path_function(name: str) -> None:
    def function(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        value = known(args[0])
        path = value.path if isinstance(value, PathValue) else str(value)
        if name in ("exists", "isfile"):
            return run.files.is_file(path)
        return {"dirname": os.path.dirname, "basename": os.path.basename}.get(name, os.path.normpath)(path)

    LIBRARY_CALLS[f"os.path.{name}"] = function


for _name in ("dirname", "basename", "abspath", "normpath", "realpath", "exists", "isfile"):
    _path_function(_name)


@library("sys.exit", "os._exit", "exit", "quit")
def _exit(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    raised = Raised("SystemExit")
    raised.stops = True
    raise raised


@library("inspect.signature")
def _signature(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return run.signature_of(known(args[0]))


@library("typing.get_type_hints", "typing_extensions.get_type_hints", "inspect.get_annotations")
def _hints(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return run.attribute(known(args[0]), "__annotations__", site)


@library("inspect.getdoc", "inspect.cleandoc")
def _getdoc(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    doc = args[0] if isinstance(args[0], str) else run.attribute(known(args[0]), "__doc__", site)
    return inspect.cleandoc(str(doc)) if isinstance(doc, str) else doc


@library("inspect.iscoroutinefunction", "asyncio.iscoroutinefunction", "inspect.isasyncgenfunction")
def _is_coroutine(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = known(args[0])
    while isinstance(value, (Bound, Partial, Descriptor)):
        value = value.function
    if isinstance(value, FunctionValue):
        return value.is_async
    raise Unreadable("whether it is a coroutine function is not known")


@library("inspect.isfunction", "inspect.isroutine")
def _is_function(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return isinstance(known(args[0]), FunctionValue)


@library("inspect.ismethod")
def _is_method(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return isinstance(known(args[0]), Bound)


@library("inspect.isclass")
def _is_class(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return isinstance(known(args[0]), (ClassValue, type))


@library("inspect.getmembers")
def _getmembers(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = known(args[0])
    predicate = args[1] if len(args) > 1 else kwargs.get("predicate")
    found = List()
    for name in run.members(value):
        member = run.attribute(value, name, site)
        if predicate is None or run.truth(run.call(predicate, [member], {}, site)) is True:
            found.append((name, member))
    return found


@library("copy.deepcopy", "copy.copy")
def _copy(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return copied(args[0])


def copied(value: Any) -> Any:
    """A copy of containers, at every depth; everything else as it is."""
    if isinstance(value, dict):
        made = Dict(((key, copied(item)) for key, item in value.items()), getattr(value, "where", None))
        made.places = dict(getattr(value, "places", {}))
        return made
    if isinstance(value, list):
        return List((copied(item) for item in value), getattr(value, "where", None))
    return value


@library("importlib.import_module")
def _import_module(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    name = known(args[0])
    module = next((item for item in run.modules.values() if item.path == site.unit.file), None)
    if module is None or not isinstance(name, str):
        raise Unreadable("the module that is imported is not known")
    if name.startswith("."):
        package = known(args[1]) if len(args) > 1 else module.package
        return run.import_module(f"{package}{name}" if package else name.lstrip("."), module, 0, site)
    return run.import_module(name, module, 0, site)


@library("pkgutil.iter_modules")
def _iter_modules(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    made = List()
    for folder in run.iterate(args[0]):
        path = folder.path if isinstance(folder, PathValue) else str(folder)
        for name in run.files.names(path):
            if name.endswith(".py") and name != "__init__.py":
                made.append((None, name[:-3], False))
            elif run.files.is_file(os.path.join(path, name, "__init__.py")):
                made.append((None, name, True))
    return made


@library("collections.defaultdict")
def _defaultdict(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    made = Dict()
    made.unsure = "a defaultdict's missing items are not evaluated"
    return made


@library("collections.namedtuple")
def _namedtuple(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    import collections

    make: Any = collections.namedtuple
    names = plain(known(args[1]))
    try:
        return make(str(known(args[0])), names)
    except (TypeError, ValueError) as error:
        raise Raised(type(error).__name__, str(error)) from None


@library("dataclasses.dataclass", "pydantic.dataclasses.dataclass", "pydantic.dataclass")
def _dataclass(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    flavour = "pydantic" if kwargs.pop("\0flavour", None) else "stdlib"
    if args and isinstance(args[0], ClassValue):
        args[0].decorations.append((flavour, {}))
        return args[0]
    options = {str(key): plain(item) for key, item in kwargs.items()}

    def apply(run: Any, inner: list[Any], inner_kwargs: dict[str, Any], site: Where) -> Any:
        if isinstance(inner[0], ClassValue):
            inner[0].decorations.append((flavour, options))
        return inner[0]

    return Native("dataclass", apply)


@library("pydantic.dataclasses.dataclass")
def _pydantic_dataclass(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return _dataclass(run, args, {**kwargs, "\0flavour": True}, site)


@library("types.SimpleNamespace")
def _namespace(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    import ast

    node = ast.ClassDef("SimpleNamespace", [], [], [], [])
    scope = run.modules_scope()
    cls = ClassValue("SimpleNamespace", "SimpleNamespace", site.unit, node, scope.module, scope)
    return Instance(cls, {str(key): item for key, item in kwargs.items()})


def is_opaque(value: Library) -> bool:
    """Whether nothing is known of a library's object but that calling it leaves a tool list alone."""
    return value.dotted not in LIBRARY_CALLS
