"""Real servers: the list equals that of the SDK's own client, under both majors of the SDK.

Needs the environment that ``run.sh`` prepares (``ECHOLOT_LIVE``: a folder with ``mcp1``, ``mcp2`` and ``npm``).
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LIVE = Path(os.environ["ECHOLOT_LIVE"])
MAJORS = ("mcp1", "mcp2")


def program(major: str, name: str) -> str:
    return str(LIVE / major / "bin" / name)


def ours(major: str, kind: str, words: list[str]) -> list[object]:
    """Our own listing, made by a Python that has this major of the SDK."""
    code = (
        "import json, sys\nfrom echolot_lsp.extract.live import Target\nfrom echolot_lsp.extract.live.run import list_live\n"
        "kind, words = sys.argv[1], sys.argv[2:]\n"
        "target = Target(transport='stdio', command=tuple(words)) if kind == 'stdio' else Target(transport=kind, url=words[0])\n"
        "listing = list_live(target)\n"
        "assert listing.failure is None, listing.failure\n"
        "print(json.dumps(listing.tools))\n"
    )
    return run([program(major, "python"), "-c", code, kind, *words], {"PYTHONPATH": str(ROOT)})


def theirs(major: str, kind: str, words: list[str]) -> list[object]:
    return run([program(major, "python"), str(HERE / "sdk_client.py"), kind, *words], {})


def run(command: list[str], more: dict[str, str]) -> list[object]:
    done = subprocess.run(
        command, env={**os.environ, **more}, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    tools: list[object] = json.loads(done.stdout.splitlines()[-1])
    return tools


def stdio_servers(folder: Path) -> dict[str, list[str]]:
    node = str(LIVE / "npm" / "node_modules" / "@modelcontextprotocol")
    return {
        "git": [program("mcp1", "mcp-server-git")],
        "fetch": [program("mcp1", "mcp-server-fetch")],
        "time": [program("mcp1", "mcp-server-time"), "--local-timezone", "UTC"],
        "everything": ["node", f"{node}/server-everything/dist/index.js", "stdio"],
        "filesystem": ["node", f"{node}/server-filesystem/dist/index.js", str(folder)],
    }


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize("name", ["git", "fetch", "time", "everything", "filesystem"])
def test_a_stdio_servers_list_equals_that_of_the_sdks_client(name: str, major: str, tmp_path: Path) -> None:
    command = stdio_servers(tmp_path)[name]
    listed = ours(major, "stdio", command)
    assert listed
    assert listed == theirs(major, "stdio", command)


@contextmanager
def serving(major: str, transport: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [program(major, "python"), str(HERE / "http_server.py"), transport, str(port)], stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            Event().wait(0.1)
        yield f"http://127.0.0.1:{port}/{'sse' if transport == 'sse' else 'mcp'}"
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize("server_major", MAJORS)
@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(("transport", "kind"), [("streamable-http", "http"), ("sse", "sse")])
def test_a_servers_list_over_http_equals_that_of_the_sdks_client(transport: str, kind: str, major: str, server_major: str) -> None:
    with serving(server_major, transport) as url:
        listed = ours(major, kind, [url])
        assert len(listed) == 1
        assert listed == theirs(major, kind, [url])


def test_an_older_sse_server_is_found_behind_a_plain_url() -> None:
    with serving("mcp2", "sse") as url:
        assert len(ours("mcp2", "http", [url])) == 1


def test_this_group_runs_on_both_majors() -> None:
    versions = [
        subprocess.check_output(
            [program(major, "python"), "-c", "import importlib.metadata as m; print(m.version('mcp'))"], text=True
        )
        for major in MAJORS
    ]
    assert [version.split(".")[0] for version in versions] == ["1", "2"]
    assert sys.version_info >= (3, 11)
