"""Expressions: names, literals, operators, comprehensions, f-strings. What is not understood is ``Unknown``, with why."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

from echolot_lsp.extract.python import operators
from echolot_lsp.extract.python.core import Core
from echolot_lsp.extract.python.exceptions import is_expected
from echolot_lsp.extract.python.library import BUILTINS, is_type, real
from echolot_lsp.extract.python.natives import NATIVES
from echolot_lsp.extract.python.syntax import Unit
from echolot_lsp.extract.python.values import (
    Bound,
    ClassValue,
    Coroutine,
    Descriptor,
    Dict,
    Exhausted,
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
    Text,
    Unreadable,
    Where,
    plain,
)
from echolot_lsp.model import Unknown

SYMBOLS = (FunctionValue, Bound, ClassValue, Instance, ModuleValue, Library, FrameworkName, Native, Method, Partial, Descriptor)
_NOTHING = object()
_OURS = "echolot_lsp."


class Expressions(Core):
    """Evaluation of expressions."""

    def eval(self, node: ast.AST, scope: Scope, unit: Unit) -> Any:
        self.budget.tick()
        handler = _HANDLERS.get(type(node))
        if handler is None:
            return Unknown(f"{type(node).__name__} is not evaluated")
        try:
            return handler(self, node, scope, unit)
        except Unreadable as reason:
            return Unknown(str(reason))
        except RecursionError:
            raise Exhausted("it is nested too deep") from None

    def part(self, node: ast.AST, scope: Scope, unit: Unit) -> Any:
        """``eval`` of an argument, an item or a member: where it fails, it alone is unknown and not the whole that it is part of."""
        try:
            return self.eval(node, scope, unit)
        except Raised as raised:
            if raised.stops or is_expected(raised, self.tries):
                raise
            return Unknown(f"it raises {raised.name}")

    # names and literals
    def lookup(self, name: str, scope: Scope) -> Any:
        at: Scope | None = scope
        if name in scope.globals:
            at = scope.module.scope
        while at is not None:
            value = at.names.get(name, _NOTHING)
            if value is not _NOTHING and (not at.is_class or at is scope):
                return value
            at = at.parent
        native = NATIVES.get(name)
        if native is not None:
            return native
        if name in BUILTINS:
            return BUILTINS[name]
        module = scope.module
        if module.starred is not None:
            return Unknown(module.starred)
        return Unknown(f"`{name}` is not defined in what could be read")

    def _name(self, node: ast.Name, scope: Scope, unit: Unit) -> Any:
        return self.lookup(node.id, scope)

    def _constant(self, node: ast.Constant, scope: Scope, unit: Unit) -> Any:
        if type(node.value) is str:
            text = unit.cache.get(node)
            if text is None:
                text = unit.cache[node] = Text(node.value, Where(unit, node))
            return text
        return node.value

    def _joined(self, node: ast.JoinedStr, scope: Scope, unit: Unit) -> Any:
        parts: list[str] = []
        for item in node.values:
            part = self.eval(item, scope, unit)
            if isinstance(part, Unknown):
                return part
            parts.append(str(part))
        self.budget.size(sum(map(len, parts)))
        return Text("".join(parts), Where(unit, node))

    def _formatted(self, node: ast.FormattedValue, scope: Scope, unit: Unit) -> Any:
        value = self.eval(node.value, scope, unit)
        specification = self.eval(node.format_spec, scope, unit) if node.format_spec is not None else ""
        for part in (value, specification):
            if isinstance(part, Unknown):
                return part
        return operators.formatted(self._printable(value), str(specification), node.conversion, self.budget)

    def _printable(self, value: Any) -> Any:
        if isinstance(value, PathValue):
            return value.path
        _refuse_unwritable(value)
        if type(value).__module__ == "builtins" or isinstance(value, (Text, Dict, List, Enum)):
            return plain(value)
        return value

    def _container(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope, unit: Unit) -> Any:
        items: list[Any] = []
        unsure: str | None = None
        for element in node.elts:
            if isinstance(element, ast.Starred):
                value = self.eval(element.value, scope, unit)
                if isinstance(value, Unknown):
                    if isinstance(node, ast.List):
                        unsure = value.why
                        continue
                    return value
                unsure = unsure or getattr(value, "unsure", None)
                items.extend(self.iterate(value))
            else:
                items.append(self.part(element, scope, unit))
            self.budget.size(len(items))
        if isinstance(node, ast.Tuple):
            return tuple(items)
        if isinstance(node, ast.List):
            made = List(items, Where(unit, node))
            made.unsure = unsure
            return made
        unknown = next((item for item in items if isinstance(item, Unknown)), None)
        if unknown is not None:
            return unknown
        try:
            return {plain(item) for item in items}
        except TypeError as error:
            raise Raised("TypeError", str(error)) from None

    def _dict(self, node: ast.Dict, scope: Scope, unit: Unit) -> Any:
        made = Dict(where=Where(unit, node))
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.part(value_node, scope, unit)
            if key_node is None:
                if not isinstance(value, dict):
                    made.unsure = value.why if isinstance(value, Unknown) else "an unknown mapping is merged into it"
                    continue
                made.update(value)
                made.places.update(getattr(value, "places", {}))
                made.unsure = made.unsure or getattr(value, "unsure", None)
                continue
            key = self.eval(key_node, scope, unit)
            if isinstance(key, Unknown):
                made.unsure = key.why
                continue
            self.store_item(made, key, value, Where(unit, value_node))
        return made

    def store_item(self, target: Any, key: Any, value: Any, where: Where | None = None) -> None:
        """``target[key] = value`` on a plain container; the key keeps its newest place."""
        try:
            if isinstance(target, Dict):
                target.places.pop(key, None)
                if where is not None and not isinstance(value, (Text, Dict, List)):
                    target.places[key] = where
            target[key] = value
        except (TypeError, LookupError, ValueError) as error:
            raise Raised(type(error).__name__, str(error)) from None

    # operators
    def _binary(self, node: ast.BinOp, scope: Scope, unit: Unit) -> Any:
        left = self.eval(node.left, scope, unit)
        right = self.eval(node.right, scope, unit)
        result = self.binary(node.op, left, right, scope)
        return Text(result, Where(unit, node)) if type(result) is str or type(result) is Text else result

    def binary(self, operation: ast.operator, left: Any, right: Any, scope: Scope) -> Any:
        """A binary operation on any two values."""
        for side in (left, right):
            if isinstance(side, Unknown):
                if isinstance(operation, ast.BitOr) and (is_type(left) or is_type(right)):
                    break
                if isinstance(left, List) or isinstance(right, List):
                    known = left if isinstance(left, List) else right
                    longer = List(known)
                    longer.unsure = side.why
                    return longer
                return side
        if isinstance(operation, ast.BitOr) and (_type_like(left) or _type_like(right)):
            return self.union(self.as_type(left, scope), self.as_type(right, scope))
        if isinstance(operation, ast.Div) and isinstance(left, PathValue):
            import posixpath

            return PathValue(posixpath.join(left.path, right.path if isinstance(right, PathValue) else str(right)))
        if isinstance(left, SYMBOLS) or isinstance(right, SYMBOLS):
            if isinstance(operation, ast.Mod) and isinstance(left, str):
                raise Unreadable("the text of an object is not known")
            raise Unreadable("an operator on an object of the source is not evaluated")
        if isinstance(operation, ast.Mod) and isinstance(left, str):
            right = tuple(map(self._printable, right)) if isinstance(right, tuple) else self._printable(right)
            if _holds_unknown(right):
                raise Unreadable("a part of the text is not known")
        return operators.binary(operation, left, right, self.budget)

    @staticmethod
    def union(left: Any, right: Any) -> Any:
        """``left | right`` as types, in this order (``typing`` may answer an equal union in the order it saw first)."""
        try:
            return left | right
        except TypeError:
            from typing import Union

            return Union[left, right]  # noqa: UP007

    def _unary(self, node: ast.UnaryOp, scope: Scope, unit: Unit) -> Any:
        value = self.eval(node.operand, scope, unit)
        if isinstance(node.op, ast.Not):
            truth = self.truth(value)
            return truth if isinstance(truth, Unknown) else not truth
        if isinstance(value, Unknown):
            return value
        if isinstance(value, SYMBOLS):
            raise Unreadable("an operator on an object of the source is not evaluated")
        return operators.unary(node.op, value)

    def truth(self, value: Any) -> bool | Unknown:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, (List, Dict)) and value.unsure:
            return Unknown(value.unsure)
        if isinstance(value, (*SYMBOLS, Coroutine, FileValue, PathValue)):
            return True
        try:
            return bool(value)
        except Exception:
            return Unknown("its truth is not known")

    def _bool(self, node: ast.BoolOp, scope: Scope, unit: Unit) -> Any:
        stops = isinstance(node.op, ast.Or)
        value: Any = None
        doubtful: Unknown | None = None
        for item in node.values:
            value = self.eval(item, scope, unit)
            truth = self.truth(value)
            if isinstance(truth, Unknown):
                doubtful = truth
            elif truth is stops:
                return value if doubtful is None or not stops else self._either(doubtful, value)
        return doubtful if doubtful is not None else value

    @staticmethod
    def _either(doubtful: Unknown, value: Any) -> Any:
        return value if value is True else doubtful

    def _ternary(self, node: ast.IfExp, scope: Scope, unit: Unit) -> Any:
        truth = self.truth(self.eval(node.test, scope, unit))
        if isinstance(truth, Unknown):
            first, second = self.eval(node.body, scope, unit), self.eval(node.orelse, scope, unit)
            return first if same(first, second) else truth
        return self.eval(node.body if truth else node.orelse, scope, unit)

    def _compare(self, node: ast.Compare, scope: Scope, unit: Unit) -> Any:
        left = self.eval(node.left, scope, unit)
        for operation, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.eval(right_node, scope, unit)
            answer = self._compare_two(operation, left, right)
            if answer is not True:
                return answer
            left = right
        return True

    def _compare_two(self, operation: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(operation, (ast.In, ast.NotIn)):
            found = self._contains(right, left)
            return found if isinstance(found, Unknown) else found is isinstance(operation, ast.In)
        for side in (left, right):
            if isinstance(side, Unknown):
                return side
        if isinstance(operation, (ast.Is, ast.IsNot)):
            alike = left is right or (isinstance(left, Library) and isinstance(right, Library) and left.dotted == right.dotted)
            if isinstance(left, (str, int, float)) and isinstance(right, (str, int, float)):
                alike = type(left) is type(right) and left == right
            if isinstance(left, Library) != isinstance(right, Library):
                alike = real(left) is real(right)
            return alike is isinstance(operation, ast.Is)
        if isinstance(operation, (ast.Eq, ast.NotEq)):
            if _holds_unknown(left) or _holds_unknown(right):
                return Unknown("it compares a value that is not known")
            return same(self._native(left), self._native(right)) is isinstance(operation, ast.Eq)
        return operators.compare(operation, self._native(left), self._native(right))

    @staticmethod
    def _native(value: Any) -> Any:
        return real(value) if isinstance(value, Library) else value

    def _contains(self, container: Any, item: Any) -> Any:
        for side in (container, item):
            if isinstance(side, Unknown):
                return side
        if isinstance(container, Instance):
            return Unknown("membership in an object is not known")
        if isinstance(container, str):
            return str(item) in container if isinstance(item, str) else Unknown("it is no text")
        if isinstance(container, (dict, set, frozenset)):
            try:
                found = item in container
            except TypeError:
                return False
        else:
            found = any(same(item, other) for other in self.iterate(container))
        if not found and getattr(container, "unsure", None):
            return Unknown(container.unsure)
        return found

    # parts of others
    def _attribute(self, node: ast.Attribute, scope: Scope, unit: Unit) -> Any:
        return self.attribute(self.eval(node.value, scope, unit), node.attr, Where(unit, node))

    def _subscript(self, node: ast.Subscript, scope: Scope, unit: Unit) -> Any:
        value = self.eval(node.value, scope, unit)
        index = self.eval(node.slice, scope, unit)
        before = self._annotation_scope
        self._annotation_scope = scope
        try:
            return self.subscript(value, index, Where(unit, node))
        finally:
            self._annotation_scope = before

    _annotation_scope: Scope | None = None

    def _slice(self, node: ast.Slice, scope: Scope, unit: Unit) -> Any:
        parts = [None if part is None else self.eval(part, scope, unit) for part in (node.lower, node.upper, node.step)]
        unknown = next((part for part in parts if isinstance(part, Unknown)), None)
        return unknown or slice(*parts)

    def _call(self, node: ast.Call, scope: Scope, unit: Unit) -> Any:
        function = self.eval(node.func, scope, unit)
        site = Where(unit, node)
        if isinstance(function, Native) and function.name in ("super", "locals", "globals", "vars") and not node.args:
            return function.function(self, [scope], {}, site)
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        unclear: Unknown | None = None
        for item in node.args:
            if isinstance(item, ast.Starred):
                value = self.eval(item.value, scope, unit)
                if isinstance(value, Unknown):
                    unclear = value
                    continue
                args.extend(self.iterate(value))
            else:
                args.append(self.part(item, scope, unit))
        for keyword in node.keywords:
            value = self.part(keyword.value, scope, unit)
            if keyword.arg is not None:
                kwargs[Text(keyword.arg, Where(unit, keyword))] = value
            elif isinstance(value, dict):
                kwargs.update(value)
                if getattr(value, "unsure", None):
                    unclear = Unknown(value.unsure)  # type: ignore[attr-defined]
            else:
                unclear = value if isinstance(value, Unknown) else Unknown("an unknown mapping is spread into the call")
        if unclear is not None:
            kwargs[UNCLEAR] = unclear
        result = self.call(function, args, kwargs, site)
        return Text(result, site) if type(result) is str else result

    def _lambda(self, node: ast.Lambda, scope: Scope, unit: Unit) -> Any:
        return FunctionValue(node, unit, scope, "<lambda>", "<lambda>", full=True)

    def _await(self, node: ast.Await, scope: Scope, unit: Unit) -> Any:
        return self.awaited(self.eval(node.value, scope, unit))

    def awaited(self, value: Any) -> Any:
        """What a coroutine answers."""
        while isinstance(value, Coroutine):
            value = value.start()
        return value

    def _walrus(self, node: ast.NamedExpr, scope: Scope, unit: Unit) -> Any:
        value = self.eval(node.value, scope, unit)
        if isinstance(node.target, ast.Name):
            scope.names[node.target.id] = value
        return value

    # comprehensions
    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope, unit: Unit) -> Any:
        items: list[Any] = []
        unsure = self._run_generators(node.generators, 0, scope, unit, lambda inner: items.append(self.eval(node.elt, inner, unit)))
        if isinstance(node, ast.SetComp):
            unknown = next((item for item in items if isinstance(item, Unknown)), None)
            return unknown or (Unknown(unsure) if unsure else {plain(item) for item in items})
        made = List(items, Where(unit, node))
        made.unsure = unsure
        return made

    def _dict_comprehension(self, node: ast.DictComp, scope: Scope, unit: Unit) -> Any:
        made = Dict(where=Where(unit, node))

        def add(inner: Scope) -> None:
            key = self.eval(node.key, inner, unit)
            value = self.eval(node.value, inner, unit)
            if isinstance(key, Unknown):
                made.unsure = key.why
            else:
                self.store_item(made, key, value)

        made.unsure = self._run_generators(node.generators, 0, scope, unit, add) or made.unsure
        return made

    def _run_generators(
        self, generators: list[ast.comprehension], index: int, scope: Scope, unit: Unit, emit: Callable[[Scope], None]
    ) -> str | None:
        if index == len(generators):
            emit(scope)
            return None
        generator = generators[index]
        source = self.awaited(self.eval(generator.iter, scope, unit))
        if isinstance(source, Unknown):
            return source.why
        unsure: str | None = getattr(source, "unsure", None)
        for item in self.iterate(source):
            self.budget.tick()
            inner = Scope(scope.module, scope)
            inner.function = scope.function
            self.assign(generator.target, item, inner, unit)
            wanted = True
            for condition in generator.ifs:
                truth = self.truth(self.eval(condition, inner, unit))
                if isinstance(truth, Unknown):
                    unsure = truth.why
                elif not truth:
                    wanted = False
                    break
            if wanted:
                unsure = self._run_generators(generators, index + 1, inner, unit, emit) or unsure
        return unsure

    def assign(self, target: ast.AST, value: Any, scope: Scope, unit: Unit) -> None:
        """``target = value`` (``statements``)."""
        raise NotImplementedError

    def iterate(self, value: Any) -> Iterable[Any]:
        if isinstance(value, Unknown):
            raise Unreadable(value.why)
        if isinstance(value, (list, tuple)):
            return self._counted(list(value))
        if isinstance(value, (dict, str, bytes, range)):
            return self._counted(value)
        if isinstance(value, (set, frozenset)):
            return self._counted(_in_order(value))
        if isinstance(value, ClassValue):
            value = self.real_class(value)
        if isinstance(value, type) and issubclass(value, Enum):
            return self._counted(list(value))
        if type(value).__name__ in ("dict_items", "dict_keys", "dict_values", "mappingproxy", "odict_values", "odict_items"):
            return self._counted(list(value))
        raise Unreadable("what it loops over is not known")

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.budget.tick()
            yield item


UNCLEAR = "\0unclear"
"""Keyword under which a call's unknown ``*args`` or ``**kwargs`` travel."""


def _in_order(items: set[Any] | frozenset[Any]) -> list[Any]:
    if len(items) > 1 and any(isinstance(item, str) for item in items):
        raise Unreadable("the order of a set of texts differs from run to run")
    return list(items)


def _type_like(value: Any) -> bool:
    return is_type(value) or isinstance(value, (ClassValue, FrameworkName))


def _holds_unknown(value: Any) -> bool:
    if isinstance(value, Unknown):
        return True
    if isinstance(value, dict):
        return any(map(_holds_unknown, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_holds_unknown, value))
    return False


def _refuse_unwritable(value: Any, depth: int = 40) -> None:
    """Raise ``Unreadable`` where Python's text of a value is not known: it is, or holds, something that is only a symbol here."""
    if isinstance(value, Unknown):
        raise Unreadable(value.why)
    if getattr(value, "unsure", None):
        raise Unreadable(value.unsure)
    if depth <= 0:
        raise Unreadable("it is nested too deep")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_unwritable(key, depth - 1)
            _refuse_unwritable(item, depth - 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_unwritable(item, depth - 1)
    elif isinstance(value, (set, frozenset)):
        if len(value) > 1 and not all(isinstance(item, int) for item in value):
            raise Unreadable("the text of a set has an order that differs from run to run")
    elif isinstance(value, type):
        raise Unreadable("the text of a class is not known")
    elif isinstance(value, SYMBOLS) or (type(value).__module__.startswith(_OURS) and not isinstance(value, (str, Enum))):
        raise Unreadable("the text of an object is not known")


def same(left: Any, right: Any) -> bool:
    """Equality that never fails and never runs code of the source."""
    if left is right:
        return True
    if isinstance(left, Library) and isinstance(right, Library):
        return left.dotted == right.dotted
    if isinstance(left, SYMBOLS) or isinstance(right, SYMBOLS):
        return False
    try:
        return bool(left == right)
    except Exception:
        return False


_HANDLERS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Name: Expressions._name,
    ast.Constant: Expressions._constant,
    ast.JoinedStr: Expressions._joined,
    ast.FormattedValue: Expressions._formatted,
    ast.Tuple: Expressions._container,
    ast.List: Expressions._container,
    ast.Set: Expressions._container,
    ast.Dict: Expressions._dict,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._bool,
    ast.IfExp: Expressions._ternary,
    ast.Compare: Expressions._compare,
    ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript,
    ast.Slice: Expressions._slice,
    ast.Call: Expressions._call,
    ast.Lambda: Expressions._lambda,
    ast.Await: Expressions._await,
    ast.NamedExpr: Expressions._walrus,
    ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._dict_comprehension,
}
