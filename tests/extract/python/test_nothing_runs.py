"""Code of a workspace that would leave a trace wherever it ran: reading it leaves none, and its tools are read all the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python
from echolot_lsp.files import Disk

TRACES = {
    "open": "open(TRACE, 'w').write('ran')",
    "a path": "__import__('pathlib').Path(TRACE).write_text('ran')",
    "touch": "Path(TRACE).touch()",
    "mkdir": "Path(TRACE).mkdir()",
    "os": "os.mkdir(TRACE)",
    "a shell": "os.system('touch ' + TRACE)",
    "a process": "subprocess.run(['touch', TRACE])",
    "exec": "exec(\"open(TRACE, 'w')\")",
    "eval": "eval(\"open(TRACE, 'w')\")",
    "compile": "exec(compile('import os; os.mkdir(TRACE)', '', 'exec'))",
    "a module": "importlib.import_module('left_trace')",
    "logging": "logging.FileHandler(TRACE)",
    "sqlite": "sqlite3.connect(TRACE).execute('create table t (a)')",
    "shelve": "shelve.open(TRACE)",
    "builtins": "getattr(builtins, 'op' + 'en')(TRACE, 'w')",
    "subclasses": "[c for c in object.__subclasses__() if c.__name__ == 'Popen'][0](['touch', TRACE])",
    "a format": "'{0.__class__.__init__.__globals__}'.format(print) and open(TRACE, 'w')",
}
HEAD = """\
import builtins, importlib, logging, os, shelve, sqlite3, subprocess
from dataclasses import dataclass, field
from enum import Enum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from fastmcp import FastMCP
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, field_validator

import left_trace
from package.types import Place

TRACE = {trace!r}


def leave(*args, **kwargs):
    {code}
    return args[0] if args else None


"""
WAYS = """\
leave()
TEXT = f"{leave('Finds huts.')}"


class Meta(type):
    def __new__(cls, name, bases, names, **more):
        leave()
        return super().__new__(cls, name, bases, names)

    def __prepare__(name, bases):
        leave()
        return {}


class Watched(metaclass=Meta):
    kind: str = leave("x")

    def __init_subclass__(cls):
        leave()

    def __class_getitem__(cls, item):
        leave()
        return str


class Below(Watched):
    pass


class Colour(Enum):
    RED = "red"

    def _generate_next_value_(name, start, count, last):
        leave()
        return name

    @classmethod
    def _missing_(cls, value):
        leave()


class Custom:
    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        leave()
        return handler(str)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema, handler):
        leave()
        return {}


def extra(schema):
    leave()


class Hut(BaseModel):
    model_config = {"json_schema_extra": extra}
    name: Annotated[str, BeforeValidator(leave), AfterValidator(leave)] = Field(default_factory=leave)
    beds: int = Field(default_factory=lambda: leave(1))

    @field_validator("name")
    def checked(cls, value):
        return leave(value)

    @classmethod
    def __pydantic_init_subclass__(cls):
        leave()


class Refuge(Hut):
    pass


@dataclass
class Spot:
    x: int = field(default_factory=leave)

    def __post_init__(self):
        leave()


def traced(function):
    leave()

    @wraps(function)
    def inner(*args, **kwargs):
        leave()
        return function(*args, **kwargs)

    return inner


mcp = FastMCP(leave("huts"), instructions=leave("x"))


@mcp.tool(description=leave(TEXT), tags={leave("a")})
@traced
def find_hut(
    place: Place,
    hut: Hut = leave(None),
    refuge: Refuge | None = None,
    spot: Spot | None = None,
    colour: Colour = Colour.RED,
    custom: Custom | None = None,
    watched: "Watched[leave()]" = None,
    note: Annotated[str, leave("text"), Field(description=f"{leave('n')}")] = "",
    other: "leave() or str" = "",
) -> "leave() or str":
    f"{leave()}"
    return leave("")


if __name__ == "__main__":
    leave()
    mcp.run()
"""


@pytest.mark.parametrize("code", TRACES.values(), ids=list(TRACES))
def test_nothing_of_a_workspace_is_run(tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    leaves = f"import os\nos.mkdir({str(trace)!r})\nopen({str(trace)!r}, 'w').close()\n"
    for name in (
        "left_trace.py",
        "package/__init__.py",
        "conftest.py",
        "sitecustomize.py",
        "setup.py",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(leaves, encoding="utf-8")
    types = "from pydantic import Field\nfrom typing import Annotated\nPlace = Annotated[str, Field(description='A place')]\n"
    (tmp_path / "package" / "types.py").write_text(leaves + types, encoding="utf-8")
    source = tmp_path / "server.py"
    source.write_text(HEAD.format(trace=str(trace), code=code) + WAYS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before, path = set(sys.modules), list(sys.path)
    extraction = extract_python(str(source), Disk(), framework="fastmcp==4.2.3", python="3.12")
    assert [tool.name for server in extraction.servers for tool in server.tools] == ["find_hut"]
    assert not trace.exists()
    assert sys.path == path
    assert not {"left_trace", "package", "package.types", "conftest", "sitecustomize", "server"} & (set(sys.modules) - before)
