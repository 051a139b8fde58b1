"""Built-in functions of the source, as ours: bounded, over values that may be symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cmp_to_key, partial
from typing import Any

from echolot_lsp.extract.python import operators
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Descriptor,
    Dict,
    FileValue,
    FrameworkName,
    FunctionValue,
    Instance,
    Library,
    List,
    Method,
    ModuleValue,
    Native,
    Partial,
    PathValue,
    Raised,
    Scope,
    Super,
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

NATIVES: dict[str, Native] = {}
CALLABLES = (FunctionValue, Bound, Partial, Native, Method, ClassValue, Descriptor)


def native(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a built-in function."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        NATIVES[name] = Native(name, function)
        return function

    return register


def known(value: Any) -> Any:
    """The value, which must be known."""
    if isinstance(value, Unknown):
        raise Unreadable(value.why)
    return value


def _same_doubt(made: List, source: Any) -> List:
    made.unsure = made.unsure or getattr(source, "unsure", None)
    return made


@native("len")
def _len(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = known(args[0])
    if getattr(value, "unsure", None):
        raise Unreadable(value.unsure)
    if isinstance(value, ClassValue):
        return len(list(run.iterate(value)))
    try:
        return len(value)
    except TypeError:
        raise Unreadable("its length is not known") from None


@native("enumerate")
def _enumerate(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    start = known(args[1] if len(args) > 1 else kwargs.get("start", 0))
    return _same_doubt(List((index, item) for index, item in enumerate(run.iterate(args[0]), start)), args[0])


@native("zip")
def _zip(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return List(zip(*(list(run.iterate(item)) for item in args), strict=False))


@native("reversed")
def _reversed(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return _same_doubt(List(reversed(list(run.iterate(args[0])))), args[0])


@native("iter")
def _iter(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return _same_doubt(List(run.iterate(args[0])), args[0])


@native("next")
def _next(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = known(args[0])
    items = list(run.iterate(value))
    if not items:
        if getattr(value, "unsure", None):
            raise Unreadable(value.unsure)
        if len(args) > 1:
            return args[1]
        raise Raised("StopIteration")
    return items[0]


@native("sorted")
def _sorted(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    key = kwargs.get("key")
    source = args[0]
    items = list(source) if isinstance(source, (set, frozenset)) else list(run.iterate(source))
    run.budget.tick(len(items))
    keys = [plain(known(run.call(key, [item], {}, site) if key is not None else item)) for item in items]
    try:
        order = sorted(range(len(items)), key=lambda index: keys[index], reverse=bool(kwargs.get("reverse", False)))
    except TypeError:
        raise Unreadable("what it sorts by is not known") from None
    return _same_doubt(List(items[index] for index in order), args[0])


def _extreme(name: str, sign: int) -> None:
    @native(name)
    def extreme(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        items = list(run.iterate(args[0])) if len(args) == 1 else list(args)
        if not items:
            if "default" in kwargs:
                return kwargs["default"]
            raise Raised("ValueError")
        key = kwargs.get("key")
        keys = [plain(known(run.call(key, [item], {}, site) if key is not None else item)) for item in items]
        try:
            return items[min(range(len(items)), key=cmp_to_key(partial(_compare, keys, sign)))]
        except TypeError:
            raise Unreadable("what it compares is not known") from None


def _compare(keys: list[Any], sign: int, first: int, second: int) -> int:
    return sign * (int(keys[first] > keys[second]) - int(keys[first] < keys[second]))


_extreme("min", 1)
_extreme("max", -1)


@native("sum")
def _sum(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    import ast

    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    for item in run.iterate(args[0]):
        total = operators.binary(ast.Add(), total, known(item), run.budget)
    return total


@native("any")
def _any(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return _all_or_any(run, args[0], True)


@native("all")
def _all(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return _all_or_any(run, args[0], False)


def _all_or_any(run: Any, items: Any, stops: bool) -> Any:
    doubtful: Unknown | None = None
    for item in run.iterate(items):
        truth = run.truth(item)
        if isinstance(truth, Unknown):
            doubtful = truth
        elif truth is stops:
            return stops
    if doubtful is None and getattr(items, "unsure", None):
        return Unknown(items.unsure)
    return doubtful or not stops


@native("map")
def _map(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    rows = zip(*(list(run.iterate(item)) for item in args[1:]), strict=False)
    return _same_doubt(List(run.call(args[0], list(row), {}, site) for row in rows), args[1])


@native("filter")
def _filter(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    made = List()
    for item in run.iterate(args[1]):
        truth = run.truth(item if args[0] is None else run.call(args[0], [item], {}, site))
        if isinstance(truth, Unknown):
            made.unsure = truth.why
        if truth is not False:
            made.append(item)
    return _same_doubt(made, args[1])


@native("print")
def _print(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return None


@native("exec")
@native("eval")
def _exec(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return Unknown("code that is made at run time is not read")


@native("repr")
def _repr(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = run.printable(known(args[0]))
    if type(value).__module__ != "builtins":
        raise Unreadable("the text of an object is not known")
    return repr(value)


@native("format")
def _format(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return operators.formatted(run.printable(known(args[0])), str(args[1]) if len(args) > 1 else "", -1, run.budget)


@native("ord")
def _ord(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return ord(known(args[0]))


@native("chr")
def _chr(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return chr(known(args[0]))


def _number(name: str, function: Callable[..., Any]) -> None:
    @native(name)
    def number(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        if not all(isinstance(known(item), (int, float)) for item in args if item is not None):
            raise Unreadable("it is no number")
        return function(*args)


_number("abs", abs)
_number("round", round)
_number("divmod", divmod)
_number("hex", hex)
_number("bin", bin)
_number("oct", oct)


@native("callable")
def _callable(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = known(args[0])
    if isinstance(value, Instance):
        return not isinstance(run.attribute(value, "__call__", site), Unknown)
    if isinstance(value, (*CALLABLES, FrameworkName, type)):
        return not isinstance(value, Descriptor)
    if isinstance(value, Library):
        return Unknown("whether a library's object can be called")
    return False


@native("getattr")
def _getattr(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    name = known(args[1])
    if len(args) < 3:
        return run.attribute(args[0], str(name), site)
    if isinstance(args[0], Unknown):
        return args[0]
    try:
        value = run.attribute(args[0], str(name), site)
    except Raised:
        return args[2]
    if isinstance(value, Unknown) and run.lacks(args[0], str(name)):
        return args[2]
    return value


@native("hasattr")
def _hasattr(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    if isinstance(args[0], Unknown):
        return args[0]
    name = str(known(args[1]))
    try:
        value = run.attribute(args[0], name, site)
    except Raised:
        return False
    if isinstance(value, Unknown):
        return False if run.lacks(args[0], name) else value
    return True


@native("setattr")
def _setattr(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    run.set_attribute(args[0], str(known(args[1])), args[2], site)


@native("dir")
def _dir(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return List(sorted(run.members(args[0])))


@native("vars")
def _vars(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    value = args[0]
    if isinstance(value, Scope):
        return Dict(value.names)
    if isinstance(value, Instance):
        return Dict(value.attributes)
    if isinstance(value, ClassValue):
        run.complete(value)
        return Dict(value.names)
    if isinstance(value, ModuleValue):
        return Dict(value.scope.names)
    raise Unreadable("its attributes are not known")


@native("locals")
def _locals(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return Dict(args[0].names)


@native("globals")
def _globals(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return Dict(args[0].module.scope.names)


@native("isinstance")
def _isinstance(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return run.is_instance(args[0], args[1])


@native("issubclass")
def _issubclass(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    return run.is_subclass(args[0], args[1])


@native("super")
def _super(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    if args and isinstance(args[0], Scope):
        at: Scope | None = args[0]
        while at is not None and (at.function is None or at.function.owner is None):
            at = at.parent
        if at is None or at.function is None or at.function.owner is None:
            raise Unreadable("super() outside of a method")
        first = next(iter(at.names.values()), None)
        return Super(at.function.owner, first)
    if len(args) == 2 and isinstance(args[0], ClassValue):
        return Super(args[0], args[1])
    raise Unreadable("this super() is not understood")


def _descriptor(kind: str) -> None:
    @native(kind)
    def wrap(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
        return Descriptor(kind, args[0])


for _kind in ("staticmethod", "classmethod", "property"):
    _descriptor(_kind)


@native("open")
def _open(run: Any, args: list[Any], kwargs: dict[str, Any], site: Where) -> Any:
    mode = args[1] if len(args) > 1 else kwargs.get("mode", "r")
    if not isinstance(mode, str) or set(mode) - set("rt"):
        raise Unreadable("only reading a text file is evaluated")
    return open_file(run, known(args[0]))


def open_file(run: Any, path: Any) -> FileValue:
    """A text file of the workspace. Raises ``Raised`` where there is none."""
    name = path.path if isinstance(path, PathValue) else str(path)
    text = run.files.text(name)
    if text is None:
        raise Raised("FileNotFoundError", name)
    run.budget.size(len(text))
    return FileValue(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def texts(items: Iterable[Any]) -> list[str]:
    """Items that must all be texts."""
    found: list[str] = []
    for item in items:
        if not isinstance(known(item), str):
            raise Unreadable("a part of the text is not known")
        found.append(Text.__str__(item))
    return found
