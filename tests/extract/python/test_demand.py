"""Sources that stand among installed packages, and sources that need some."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from echolot_lsp.extract.python import extract_python, may_hold_server
from echolot_lsp.files import Disk
from echolot_lsp.model import Server, Unknown

SITE = "/w/.venv/lib/python3.12/site-packages"
HEAD = "from fastmcp import FastMCP\n\nmcp = FastMCP('pier')\n"


class Installed(Disk):
    """Files that lie on no disk, with the folders above them."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.paths = set(files)

    def names(self, folder: str) -> list[str]:
        inside = [path[len(folder) + 1 :].split("/")[0] for path in self.paths if path.startswith(f"{folder}/")]
        return sorted(set(inside))

    def is_folder(self, path: str) -> bool:
        return any(other.startswith(f"{path}/") for other in self.paths)


def read(source: str, packages: dict[str, str], **own: str) -> tuple[Server, Installed]:
    """The server of a source with packages installed beside it."""
    files = Installed(
        {
            "/w/server.py": source,
            **{f"/w/{name}.py": text for name, text in own.items()},
            f"{SITE}/present.py": "",
            **{f"{SITE}/{name}": text for name, text in packages.items()},
        }
    )
    found = extract_python("/w/server.py", files, environment="/w/.venv", framework="fastmcp==4.2.3", python="3.12")
    return found.servers[0], files


def test_of_a_library_only_what_is_asked_for_is_read() -> None:
    packages = {
        "tides/__init__.py": "from tides.levels import LEVELS\nfrom tides.heavy import Engine\n",
        "tides/levels.py": "from tides.heavy import BASE\nLEVELS = ['ebb']\nLEVELS.append('flood')\nOTHER = BASE\n",
        "tides/heavy.py": "while True:\n    BASE = 1\n",
    }
    source = f"from tides import LEVELS\n{HEAD}\n@mcp.tool(description=' and '.join(LEVELS))\ndef now() -> None: ...\n"
    server, files = read(source, packages)
    assert (server.tools[0].wire["description"], server.unresolved) == ("ebb and flood", ())
    assert f"{SITE}/tides/levels.py" in files.asked


def test_a_runaway_in_a_library_costs_only_what_asks_for_it() -> None:
    packages = {"tides.py": "while True:\n    BASE = 1\n\ndef spin():\n    while True:\n        pass\n"}
    source = (
        f"import tides\nfrom tides import BASE\n{HEAD}"
        "\n@mcp.tool(description=f'{BASE}')\ndef now() -> None: ...\n"
        "\n@mcp.tool(description=tides.spin())\ndef later() -> None: ...\n"
        "\n@mcp.tool\ndef ever() -> None:\n    'Always.'\n"
    )
    server, _ = read(source, packages)
    first, second, third = (tool.wire.get("description") for tool in server.tools)
    assert isinstance(first, Unknown)
    assert isinstance(second, Unknown)
    assert third == "Always."
    assert {part.index for part in server.unresolved} == {0, 1}


def test_the_copy_of_pydantic_that_is_installed_is_not_read() -> None:
    packages = {"pydantic/__init__.py": "def Field(*args, **kwargs): return None\nclass BaseModel: ...\n"}
    source = (
        f"from pydantic import BaseModel, Field\n{HEAD}\n\nclass Box(BaseModel):\n    size: int = Field(2, ge=1)\n"
        "\n@mcp.tool\ndef pack(box: Box, count: int = Field(3, le=9)) -> None:\n    'Pack.'\n"
    )
    server, _ = read(source, packages)
    properties = server.tools[0].wire["inputSchema"]["properties"]
    assert properties["count"] == {"default": 3, "maximum": 9, "type": "integer"}
    assert properties["box"]["properties"]["size"] == {"default": 2, "minimum": 1, "type": "integer"}
    assert server.unresolved == ()


def test_settings_have_their_defaults() -> None:
    source = (
        f"from pydantic_settings import BaseSettings, SettingsConfigDict\n{HEAD}\n\nclass Settings(BaseSettings):\n"
        "    model_config = SettingsConfigDict(env_prefix='PIER_', env_file='.env')\n    limit: int = 12\n\n\nsettings = Settings()\n"
        "\n@mcp.tool(description=f'At most {settings.limit}.')\ndef pack() -> None: ...\n"
    )
    server, _ = read(source, {"pydantic_settings/__init__.py": "class BaseSettings: ...\n"})
    assert (server.tools[0].wire["description"], server.unresolved) == ("At most 12.", ())


def test_a_librarys_command_line_decorators_leave_the_entry_point_callable() -> None:
    packages = {
        "clicks.py": (
            "class Command:\n    def __init__(self, callback): self.callback = callback\n\n\n"
            "def command():\n    def wrap(function): return Command(function)\n    return wrap\n\n\n"
            "def option(*names, **given):\n    def wrap(function): return function\n    return wrap\n"
        )
    }
    source = (
        "import clicks\nfrom fastmcp import FastMCP\n\n\ndef pack() -> None:\n    'Pack.'\n\n\n"
        "@clicks.command()\n@clicks.option('--level', default=3)\ndef main(level):\n    mcp = FastMCP('pier')\n"
        "    for function in [pack]:\n        mcp.tool(function)\n    mcp.run()\n"
    )
    server, _ = read(source, packages)
    assert [(tool.name, tool.wire["description"]) for tool in server.tools] == [("pack", "Pack.")]


def test_a_library_that_names_the_framework_is_run_as_a_whole() -> None:
    packages = {
        "kit/__init__.py": "from kit.core import mcp\nfrom kit import extra\n",
        "kit/core.py": "from fastmcp import FastMCP\nmcp = FastMCP('kit')\n",
        "kit/extra.py": "import fastmcp\nfrom kit.core import mcp\n\n@mcp.tool\ndef given() -> None:\n    'Given.'\n",
    }
    server, _ = read("from kit import mcp\n\n@mcp.tool\ndef own() -> None:\n    'Own.'\n", packages)
    assert [tool.name for tool in server.tools] == ["given", "own"]


def test_optional_tools_whose_needs_are_not_installed_are_not_listed() -> None:
    source = f"{HEAD}\ntry:\n    import extra\nexcept ImportError:\n    extra = None\n\n@mcp.tool\ndef own() -> None:\n    'Own.'\n"
    extra = "import absent\nfrom server import mcp\n\n@mcp.tool\ndef more() -> None:\n    'More.'\n"
    server, _ = read(source, {}, extra=extra)
    assert ([tool.name for tool in server.tools], server.unresolved) == (["own"], ())


def test_files_that_register_on_a_siblings_server_are_worth_reading() -> None:
    assert may_hold_server(b"from .mcp import pier\n")
    assert may_hold_server(b"from .app import pier\n\n@pier.tool()\ndef moor(): ...\n")
    assert not may_hold_server(b"from .app import pier\n\npier.tooling()\n")


def test_a_librarys_module_may_be_named_like_one_of_the_standard_library() -> None:
    packages = {
        "tides/__init__.py": "",
        "tides/typing.py": "from typing import Union\n\nLevelT = Union[int, str]\n",
    }
    source = f"from tides.typing import LevelT\n{HEAD}\n@mcp.tool\ndef rise(to: LevelT) -> None:\n    'Rise.'\n"
    server, _ = read(source, packages)
    assert server.tools[0].wire["inputSchema"]["properties"] == {"to": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}
    assert server.unresolved == ()


def test_an_own_generic_server_class_mounts_like_any_other() -> None:
    source = (
        "from typing import Generic, TypeVar\nfrom fastmcp import FastMCP\n\nT = TypeVar('T')\n\n\nclass Base(FastMCP[T]):\n    pass\n\n\n"
        "class Main(Base[int]):\n    pass\n\n\npier = FastMCP('pier')\n\n\n@pier.tool\ndef moor() -> None:\n    'Moor.'\n\n\n"
        "main = Main('main')\nmain.mount(pier, namespace='east')\n"
    )
    server, _ = read(source, {})
    assert (server.name, [tool.name for tool in server.tools], server.unresolved) == ("main", ["east_moor"], ())


def test_a_class_that_answers_the_list_itself_makes_every_tool_unresolved() -> None:
    source = (
        "from fastmcp import FastMCP\n\n\nclass Main(FastMCP):\n    async def _list_tools_mcp(self):\n"
        "        return [shortened(tool) for tool in await self.list_tools()]\n\n\nmain = Main('main')\n\n\n"
        "@main.tool\ndef moor() -> None:\n    'Moor.'\n"
    )
    server, _ = read(source, {})
    assert [tool.name for tool in server.tools] == ["moor"]
    assert {part.index for part in server.unresolved} == {0, None}


def test_a_parameter_of_a_librarys_entangled_classes_is_read_at_once() -> None:
    names = [f"K{index}" for index in range(25)]
    every = ", ".join(names)
    entangled = "".join(f"class {name}:\n    def one(self): return ({every})\n\n\n" for name in names)
    source = f"from knots import K0\n{HEAD}\n@mcp.tool\ndef untie(count: int = 1) -> None:\n    'Untie.'\n    K0\n\nmcp.tool(lambda knot=K0: 1, name='own')\n"
    start = time.thread_time()
    server, _ = read(source, {"knots.py": entangled})
    assert [tool.name for tool in server.tools] == ["untie", "own"]
    assert time.thread_time() - start < 5
    start = time.thread_time()
    read(f"{entangled}\n{source}".replace("from knots import K0\n", ""), {})
    assert time.thread_time() - start < 5


def test_a_relative_path_among_installed_packages_is_read_like_an_absolute_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "lib" / "python3.12" / "site-packages"
    for package, text in (("fastmcp", "from mcp import nothing_of_this_is_read\n"), ("pier", "")):
        (site / package).mkdir(parents=True)
        (site / package / "__init__.py").write_text(text, encoding="utf-8")
    (site / "pier" / "server.py").write_text(f"{HEAD}\n@mcp.tool\ndef moor(berth: int): ...\n", encoding="utf-8")
    monkeypatch.chdir(site)
    found = [extract_python(path, Disk(), python="3.12") for path in ("pier/server.py", str(site / "pier" / "server.py"))]
    assert [[tool.name for server in each.servers for tool in server.tools] for each in found] == [["moor"], ["moor"]]
