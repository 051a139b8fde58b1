"""Which framework, which version, which Python: found in what lies around a server."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from echolot_lsp.errors import UsageError
from echolot_lsp.extract.python.declaration import Framework
from echolot_lsp.extract.python.profile import RELEASES, Asked, Found, Profiles, framework_of, majors, parse_framework, parse_python
from echolot_lsp.files import Disk

RUNNING = f"{sys.version_info[0]}.{sys.version_info[1]}"


class Tree(Disk):
    """Files in memory; folders are made by what is in them."""

    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__()
        self.contents = {path.replace("/", os.sep): text for path, text in files.items()}

    def bytes(self, path: str) -> bytes | None:
        self.asked.add(path)
        text = self.contents.get(path)
        return None if text is None else text.encode("utf-8")

    def names(self, folder: str) -> list[str]:
        start = folder.rstrip(os.sep) + os.sep
        return sorted({path.removeprefix(start).partition(os.sep)[0] for path in self.contents if path.startswith(start)})

    def is_folder(self, path: str) -> bool:
        return bool(self.names(path))


def find(files: Mapping[str, str], framework: Framework = "fastmcp", module: str = "fastmcp", asked: Asked | None = None) -> Found:
    """The profile of ``/w/app/server.py`` among ``files``."""
    return Profiles("/w/app/server.py", Tree({"/w/.git/HEAD": "", "/w/app/server.py": "", **files}), asked).find(framework, module)


def version(files: Mapping[str, str], framework: Framework = "fastmcp", module: str = "fastmcp", asked: Asked | None = None) -> str:
    return find(files, framework, module, asked).profile.version


VENV = {"/w/app/.venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.4\n"}


def installed(folder: str, *packages: str) -> dict[str, str]:
    return {f"{folder}/lib/python3.11/site-packages/{name}.dist-info/METADATA": "" for name in packages}


def test_the_framework_follows_from_the_import() -> None:
    assert framework_of("fastmcp") == "fastmcp"
    assert framework_of("fastmcp.server.server") == "fastmcp"
    assert framework_of("mcp.server.fastmcp") == "sdk"
    assert framework_of("mcp.server", "MCPServer") == "sdk"
    assert framework_of("mcp.server", "Server") == "low"
    assert framework_of("mcp.server.lowlevel") == "low"
    assert framework_of("mcp.client") is None
    assert majors("mcp.server.fastmcp") == (1,)
    assert majors("mcp.server", "MCPServer") == (2,)


def test_nothing_around_means_the_newest_release_that_has_the_import() -> None:
    assert version({}) == RELEASES["fastmcp"][-1]
    assert version({}, "sdk", "mcp.server.mcpserver") == RELEASES["mcp"][-1]
    assert version({}, "sdk", "mcp.server.fastmcp").startswith("1.")
    assert find({}).source == "newest"
    assert find({}, "sdk", "mcp.server.fastmcp").misfit is None


def test_the_option_is_obeyed() -> None:
    files = {**VENV, **installed("/w/app/.venv", "fastmcp-3.4.11")}
    assert version(files, asked=Asked(framework="fastmcp", version="2.14.7")) == "2.14.7"
    assert version(files, asked=Asked(framework="fastmcp")) == "3.4.11"


def test_the_projects_environment_tells_version_and_python() -> None:
    found = find({**VENV, **installed("/w/app/.venv", "fastmcp-3.4.11", "mcp-1.30.0")})
    assert (found.profile.version, found.profile.python) == ("3.4.11", "3.11")
    assert found.source == "/w/app/.venv"


def test_an_environment_as_windows_and_as_uv_lay_it_out() -> None:
    windows = {
        "/w/app/venv/Lib/site-packages/mcp-1.12.4.dist-info/METADATA": "",
        "/w/app/venv/pyvenv.cfg": "version_info = 3.13.1.final.0\r\n",
    }
    found = find(windows, "low", "mcp.server")
    assert (found.profile.version, found.profile.python) == ("1.12.4", "3.13")


def test_a_named_environment_goes_before_the_projects_own() -> None:
    files = {**VENV, **installed("/w/app/.venv", "fastmcp-3.4.11"), **installed("/envs/other", "fastmcp-2.14.7")}
    assert version(files, asked=Asked(environment="/envs/other")) == "2.14.7"


def test_the_active_environment_is_used_where_the_project_has_none() -> None:
    files = {**installed("/envs/active", "fastmcp-2.14.7"), "/envs/active/conda-meta/python-3.12.1-h1_0.json": ""}
    assert version(files, asked=Asked(active=("/envs/active",))) == "2.14.7"


def test_an_environment_without_the_package_is_passed_over() -> None:
    files = {**VENV, **installed("/w/app/.venv", "requests-2.0"), **installed("/w/.venv", "fastmcp-3.4.11")}
    assert version(files) == "3.4.11"


@pytest.mark.parametrize("name", ["uv.lock", "poetry.lock", "pdm.lock"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lock_files_of_the_toml_kind(name: str, end: str) -> None:
    lines = [
        "version = 1",
        "[[package]]",
        'name = "mcp"',
        'version = "1.30.0"',
        "",
        "[[package]]",
        'name = "FastMCP"',
        'version = "2.14.5"',
        "x = [",
        "]",
    ]
    assert version({f"/w/app/{name}": end.join(lines)}) == "2.14.5"


def test_a_pipfile_lock() -> None:
    document = {"_meta": {"requires": {"python_version": "3.11"}}, "default": {"mcp": {"version": "==1.9.4"}}}
    found = find({"/w/app/Pipfile.lock": json.dumps(document)}, "sdk", "mcp.server.fastmcp")
    assert (found.profile.version, found.profile.python) == ("1.9.4", "3.11")


def test_requirements_with_includes_hashes_and_comments() -> None:
    files = {
        "/w/app/requirements.txt": "# ours\r\n-r requirements/base.in\r\nhttpx>=0.2 # http\r\n",
        "/w/app/requirements/base.in": "fastmcp[extra]==3.2.4 \\\r\n    --hash=sha256:00 ; python_version > '3.9'\r\n",
    }
    assert version({**files, "/w/app/requirements/base.in": "fastmcp==3.2.4 \\\r\n    --hash=sha256:00\r\n"}) == "3.2.4"


def test_includes_in_a_circle_end() -> None:
    assert version({"/w/app/requirements.txt": "-r requirements.txt\n-r ./requirements.txt\nfastmcp<3\n"}) == "2.14.7"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[project]\ndependencies = ["fastmcp<3"]\n', "2.14.7"),
        ('[project]\ndependencies = ["FastMCP >=2.3,<2.10"]\n', "2.9.2"),
        ('[project.optional-dependencies]\nmcp = ["fastmcp~=3.1"]\n', "3.4.11"),
        ('[dependency-groups]\ndev = ["fastmcp==3.1.*", {include-group = "x"}]\n', "3.1.1"),
        ('[tool.poetry.dependencies]\npython = "^3.11"\nfastmcp = "^2.12"\n', "2.14.7"),
        ('[tool.poetry.dependencies]\nfastmcp = {version = "~2.12", extras = ["x"]}\n', "2.12.5"),
        ('[tool.poetry.group.dev.dependencies]\nfastmcp = "*"\n', RELEASES["fastmcp"][-1]),
        ('[project]\ndependencies = ["fastmcp @ git+https://example.org/x"]\n', RELEASES["fastmcp"][-1]),
        ('[project]\ndependencies = ["fastmcp==2.13.0.2"]\n', "2.13.0.2"),
    ],
)
def test_bounds_take_the_newest_known_release_within(text: str, expected: str) -> None:
    assert version({"/w/app/pyproject.toml": text}) == expected


def test_the_header_of_a_script_goes_before_everything_around() -> None:
    script = '# /// script\n# requires-python = ">=3.12,<3.13"\n# dependencies = [\n#   "fastmcp<3",\n# ]\n# ///\nfrom fastmcp import FastMCP\n'
    found = find({**VENV, **installed("/w/app/.venv", "fastmcp-3.4.11"), "/w/app/server.py": script})
    assert (found.profile.version, found.profile.python) == ("2.14.7", "3.12")


def test_the_nearest_project_wins_in_a_monorepo() -> None:
    files = {
        "/w/pyproject.toml": '[project]\ndependencies = ["fastmcp>=4"]\n',
        "/w/app/pyproject.toml": '[project]\ndependencies = ["fastmcp<3"]\n',
        "/w/uv.lock": '[[package]]\nname = "fastmcp"\nversion = "4.2.3"\n',
    }
    assert version(files) == "2.14.7"


def test_a_workspace_member_takes_the_lock_of_the_root() -> None:
    files = {
        "/w/app/pyproject.toml": '[project]\ndependencies = ["fastmcp>=2"]\n',
        "/w/uv.lock": '[[package]]\nname = "fastmcp"\nversion = "3.1.1"\n',
    }
    assert version(files) == "3.1.1"


def test_nothing_is_read_above_the_repository() -> None:
    assert version({"/uv.lock": '[[package]]\nname = "fastmcp"\nversion = "3.1.1"\n'}) == RELEASES["fastmcp"][-1]


def test_fastmcps_version_tells_that_of_mcp() -> None:
    assert version({**VENV, **installed("/w/app/.venv", "fastmcp-3.4.11")}, "low", "mcp.server").startswith("1.")
    assert version({"/w/app/pyproject.toml": '[project]\ndependencies = ["fastmcp>=4"]\n'}, "low", "mcp.server").startswith("2.")


def test_an_import_that_the_installed_version_lacks_is_told() -> None:
    found = find({**VENV, **installed("/w/app/.venv", "mcp-2.3.0")}, "sdk", "mcp.server.fastmcp")
    assert found.misfit == "2.3.0"
    assert found.profile.version.startswith("1.")
    will_be = find({"/w/app/pyproject.toml": '[project]\ndependencies = ["mcp[cli]>=1.2"]\n'}, "sdk", "mcp.server.fastmcp")
    assert will_be.misfit == RELEASES["mcp"][-1]
    assert (
        find({"/w/app/pyproject.toml": '[project]\ndependencies = ["mcp>=1.2,<2"]\n'}, "sdk", "mcp.server.fastmcp").misfit is None
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"/w/app/.python-version": "# pinned\n3.12.4\n"}, "3.12"),
        ({"/w/.python-version": "cpython-3.13.0-linux-x86_64-gnu\r\n"}, "3.13"),
        ({"/w/app/pyproject.toml": '[project]\nrequires-python = ">=3.9"\n'}, RUNNING),
        ({"/w/app/pyproject.toml": '[project]\nrequires-python = "==3.10.*"\n'}, "3.10"),
        ({"/w/app/pyproject.toml": '[project]\nrequires-python = ">=3.9,<3.11"\n'}, "3.10"),
        ({"/w/app/uv.lock": 'requires-python = "==3.10.*"\n'}, "3.10"),
        ({}, RUNNING),
    ],
)
def test_python_from_what_the_project_requires(files: dict[str, str], expected: str) -> None:
    assert find(files).profile.python == expected
    assert find(files, asked=Asked(python="3.14")).profile.python == "3.14"


@pytest.mark.parametrize(
    "files",
    [
        {"/w/app/uv.lock": '[[package]]\nname = "fastmcp"\nversion = "'},
        {"/w/app/poetry.lock": "[[package]\nname ="},
        {"/w/app/Pipfile.lock": '{"default": {"fastmcp": '},
        {"/w/app/Pipfile.lock": '{"default": ["fastmcp"], "_meta": 3}'},
        {"/w/app/pyproject.toml": '[project\ndependencies = ["fastmcp<3"'},
        {"/w/app/pyproject.toml": '[project]\ndependencies = "fastmcp<3"\n[tool]\npoetry = 3\n'},
        {"/w/app/requirements.txt": "fastmcp=<3\n-r nowhere.txt\n-r\n\x00\n"},
        {"/w/app/.venv/pyvenv.cfg": "version = new\n", "/w/app/.venv/lib/python3/site-packages/fastmcp-new.dist-info/x": ""},
        {"/w/app/.python-version": "\n"},
        {"/w/app/server.py": "# /// script\n# dependencies = [\n# ///\n"},
    ],
)
def test_what_is_broken_says_nothing(files: dict[str, str]) -> None:
    assert find(files).profile.version == RELEASES["fastmcp"][-1]
    assert find(files).profile.python == RUNNING


@given(
    st.text(max_size=60),
    st.sampled_from(["uv.lock", "pyproject.toml", "requirements.txt", "Pipfile.lock", ".python-version", "server.py"]),
)
def test_no_text_makes_it_fail(text: str, name: str) -> None:
    found = find({f"/w/app/{name}": text})
    assert Version(found.profile.version)


@given(st.sampled_from(RELEASES["fastmcp"]))
def test_an_exact_requirement_is_that_release(release: str) -> None:
    assert version({"/w/app/requirements.txt": f"fastmcp=={release}\n"}) == release


def test_options_are_read() -> None:
    assert parse_framework("fastmcp==2.14.7") == ("fastmcp", "2.14.7")
    assert parse_framework("mcp") == ("sdk", None)
    assert parse_python("3.12.1") == "3.12"
    for wrong in ("flask", "fastmcp==", "sdk==new"):
        with pytest.raises(UsageError):
            parse_framework(wrong)
    for wrong in ("2.7", "three", "3"):
        with pytest.raises(UsageError):
            parse_python(wrong)


def test_what_was_read_is_noted_for_the_cache() -> None:
    files = Tree({"/w/.git/HEAD": "", "/w/app/server.py": ""})
    Profiles("/w/app/server.py", files).of("fastmcp", "fastmcp")
    assert {"/w/app/uv.lock", "/w/app/pyproject.toml", "/w/uv.lock"} <= files.asked
