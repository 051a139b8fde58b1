"""The allow-list: which names of which libraries are taken for real, and which of them may be called.

Everything here is free of side effects and bounded by its arguments. A name that is not here is ``Unknown``; a module that is not
here but belongs to the standard library is opaque: calling it is harmless for a tool list and gives ``Unknown``.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
import typing
from enum import Enum
from functools import lru_cache
from typing import Any

import typing_extensions

from echolot_lsp.extract.python.values import Library

_PYDANTIC = (
    "pydantic pydantic.fields pydantic.types pydantic.networks pydantic.functional_validators pydantic.functional_serializers "
    "pydantic.dataclasses pydantic.alias_generators pydantic.config pydantic.main pydantic.root_model pydantic.json_schema "
    "pydantic.aliases pydantic.color pydantic_core annotated_types"
)
_TYPES = f"{_PYDANTIC} typing typing_extensions collections collections.abc enum datetime uuid decimal fractions pathlib ipaddress"
_TYPES += " numbers types abc dataclasses contextlib zoneinfo re"
_TYPE_MODULES = frozenset(_TYPES.split(" "))
"""Modules whose objects may stand in an annotation as they are."""

MODULES = _TYPE_MODULES | frozenset(
    ["math", "textwrap", "json", "string", "functools", "inspect", "os", "os.path", "sys", "itertools", "operator"]
)
"""Modules whose names are resolved."""

_CONSTANTS = frozenset({"re", "math", "string", "sys", "inspect"})
_CONSTANT_NAMES = {
    "sys": frozenset({"maxsize", "version_info", "platform", "byteorder", "maxunicode", "float_info"}),
    "inspect": frozenset({"Parameter", "Signature", "_empty"}),
}

CALLABLE = frozenset(
    f"{module}.{name}"
    for module, names in {
        "typing": "TypeVar NewType NamedTuple TypedDict ForwardRef ParamSpec cast",
        "typing_extensions": "TypeVar NewType NamedTuple TypedDict ForwardRef ParamSpec Doc deprecated Sentinel",
        "collections": "OrderedDict Counter deque",
        "pydantic": "Field ConfigDict PrivateAttr AliasChoices AliasPath AliasGenerator Discriminator Tag StringConstraints conint "
        "confloat constr conlist conset condecimal conbytes condate confrozenset WithJsonSchema UrlConstraints Strict AllowInfNan "
        "BeforeValidator AfterValidator PlainValidator WrapValidator PlainSerializer WrapSerializer SkipValidation "
        "field_validator model_validator field_serializer model_serializer computed_field validator root_validator ConfigDict "
        "create_model InstanceOf FailFast Json Base64Encoder GetPydanticSchema SecretStr SecretBytes "
        "HttpUrl AnyUrl AnyHttpUrl FileUrl FtpUrl WebsocketUrl AnyWebsocketUrl PostgresDsn RedisDsn",
        "zoneinfo": "ZoneInfo",
        "annotated_types": "Ge Gt Le Lt Len MinLen MaxLen MultipleOf Interval Predicate Timezone Unit doc DocInfo Not",
        "datetime": "date datetime time timedelta timezone",
        "uuid": "UUID",
        "decimal": "Decimal",
        "fractions": "Fraction",
        "ipaddress": "IPv4Address IPv6Address IPv4Network IPv6Network ip_address",
        "enum": "auto",
        "math": "sqrt floor ceil log log2 log10 pi radians degrees prod isqrt trunc",
        "textwrap": "dedent indent fill shorten",
        "inspect": "Parameter Signature cleandoc",
        "re": "escape",
        "types": "MappingProxyType SimpleNamespace",
        "dataclasses": "field",
        "pydantic.alias_generators": "to_camel to_snake to_pascal",
    }.items()
    for name in names.split()
)
"""Functions and classes that are called for real, with plain arguments."""

BUILTINS: dict[str, Any] = {
    name: getattr(builtins, name)
    for name in [
        "int",
        "str",
        "float",
        "bool",
        "bytes",
        "bytearray",
        "list",
        "dict",
        "set",
        "frozenset",
        "tuple",
        "object",
        "type",
        "complex",
        "slice",
        "memoryview",
        "NotImplemented",
        "Ellipsis",
        "range",
    ]
} | {name: value for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}

STANDARD = frozenset(sys.stdlib_module_names)


def canonical(module: str) -> str:
    """The module that stands for another one: pydantic's private and sub-modules export the same objects."""
    return module if module in MODULES else ""


@lru_cache(maxsize=4096)
def _real(module: str, name: str) -> Any:
    if module not in MODULES:
        return None
    if module == "typing" and name not in ("NamedTuple",):
        found = getattr(typing_extensions, name, None)
        if found is not None:
            return found
        return getattr(typing, name, None)
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        return None
    if not name:
        return loaded
    if name.startswith("_") and name != "_empty":
        return None
    return getattr(loaded, name, None)


def real(value: Any) -> Any:
    """The object that a ``Library`` name stands for; other values as they are. ``None``: there is none."""
    if isinstance(value, Library):
        return _real(value.module, value.name)
    return value


def resolved(value: Library) -> Any:
    """What a library's name is worth by itself: a constant or a type; the ``Library`` itself for what is only called."""
    if value.module in _CONSTANTS:
        names = _CONSTANT_NAMES.get(value.module)
        found = _real(value.module, value.name)
        if (names is None and isinstance(found, (str, int, float, Enum))) or (names is not None and value.name in names):
            return found
    return value


def is_type(value: Any) -> bool:
    """Whether a value may stand in an annotation: a class, a typing construct, or a library's name of one."""
    if isinstance(value, Library):
        if value.module not in _TYPE_MODULES:
            return False
        value = _real(value.module, value.name)
    if isinstance(value, type) or value is Any:
        return True
    if isinstance(value, (typing.TypeVar, typing.NewType, typing.ForwardRef, types.GenericAlias, types.UnionType)):
        return True
    if isinstance(value, typing_extensions.TypeAliasType):
        return True
    kind = type(value)
    return kind.__module__ in ("typing", "typing_extensions") and kind.__name__ not in ("ParamSpec", "Doc", "str")


def may_call(value: Library) -> bool:
    """Whether the allow-list lets a library's name be called for real."""
    if value.dotted in CALLABLE:
        return True
    root = value.module.partition(".")[0]
    return f"{root}.{value.name}" in CALLABLE and value.module in MODULES
