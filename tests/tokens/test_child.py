"""The counting child: it answers as counting in place does, comes back when it dies, and is never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from echolot_lsp import tokens
from echolot_lsp.model import Unknown
from echolot_lsp.tokens import wire
from echolot_lsp.tokens.client import CountingClient, CountingError

TOOLS: list[dict[str, Any]] = [
    {
        "name": "weigh",
        "description": "Weighs a crate \ud800 木箱.",
        "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
    },
    {
        "name": "ping",
        "description": Unknown("computed"),
        "inputSchema": {"type": "object", "properties": {"n": Unknown("no type")}},
    },
]
TIME_LIMIT = 60.0


@pytest_asyncio.fixture
async def client() -> AsyncIterator[CountingClient]:
    counting = CountingClient()
    yield counting
    await counting.close()


async def _ended(pid: int) -> None:
    """Wait until no process has this id."""
    async with asyncio.timeout(TIME_LIMIT):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.02)


@pytest.mark.asyncio
async def test_the_child_answers_as_counting_in_place_does(client: CountingClient) -> None:
    assert client.pid is None
    assert await client.costs(TOOLS) == tokens.costs(TOOLS)
    picked = await client.costs(TOOLS, {"openai": "gpt-4o"})
    assert picked == tokens.costs(TOOLS, {"openai": "gpt-4o"})


@pytest.mark.asyncio
async def test_many_requests_at_once_are_each_answered_by_one_child(client: CountingClient) -> None:
    lists = [[{**TOOLS[0], "name": f"weigh_{number}"}] * number for number in range(6)]
    answers = await asyncio.gather(*(client.costs(tools) for tools in lists))
    assert answers == [tokens.costs(tools) for tools in lists]


@pytest.mark.asyncio
async def test_a_child_that_was_killed_is_started_again(client: CountingClient) -> None:
    await client.costs(TOOLS)
    first = client.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert await client.costs(TOOLS) == tokens.costs(TOOLS)
    assert client.pid != first


@pytest.mark.asyncio
async def test_a_request_whose_child_is_killed_while_it_counts_is_asked_again(client: CountingClient) -> None:
    await client.costs([])
    pid = client.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.create_task(client.costs(TOOLS))
    while not client._waiting:
        await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)
    assert await asked == tokens.costs(TOOLS)


@pytest.mark.asyncio
async def test_a_cancelled_request_is_dropped_and_the_next_is_answered(client: CountingClient) -> None:
    await client.costs([])
    pid = client.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.create_task(client.costs(TOOLS))
    while not client._waiting:
        await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    os.kill(pid, signal.SIGCONT)
    assert await client.costs(TOOLS[:1]) == tokens.costs(TOOLS[:1])
    assert client.pid == pid
    assert client._waiting == {}


@pytest.mark.asyncio
async def test_an_idle_child_ends_and_the_next_request_starts_another() -> None:
    client = CountingClient(idle_seconds=0.2)
    try:
        await client.costs([])
        pid = client.pid
        assert pid is not None
        await _ended(pid)
        assert await client.costs([]) == tokens.costs([])
        assert client.pid != pid
    finally:
        await client.close()


@pytest.mark.asyncio
async def test_closing_ends_the_child_and_fails_what_waits() -> None:
    client = CountingClient()
    await client.costs([])
    pid = client.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.create_task(client.costs(TOOLS))
    while not client._waiting:
        await asyncio.sleep(0)
    await client.close()
    with pytest.raises(CountingError):
        await asked
    await _ended(pid)
    with pytest.raises(CountingError):
        await client.costs([])


@pytest.mark.asyncio
async def test_a_list_that_cannot_be_counted_is_an_error_of_that_request_only(client: CountingClient) -> None:
    with pytest.raises(CountingError, match="failed"):
        await client.costs(["no tool"])  # type: ignore[list-item]
    assert await client.costs([]) == tokens.costs([])


def test_the_child_ends_with_its_parent() -> None:
    """The parent is killed: nothing tells the child but its standard input, which closes."""
    parent = (
        "import asyncio, sys\n"
        "from echolot_lsp.tokens.client import CountingClient\n"
        "async def main():\n"
        "    client = CountingClient()\n"
        "    await client.costs([])\n"
        "    print(client.pid, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert Path(f"/proc/{child}").exists()
        process.kill()
    asyncio.run(_ended(child))


def test_the_child_takes_no_module_from_the_folder_that_it_runs_in(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the workspace was imported')\n", encoding="utf-8")
    program = (
        "import asyncio\n"
        "from echolot_lsp.tokens.client import CountingClient\n"
        "async def main():\n"
        "    client = CountingClient()\n"
        "    print(len(await client.costs([])))\n"
        "    await client.close()\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "3"


def test_the_child_ends_at_words_that_are_no_frame() -> None:
    command = [sys.executable, "-P", "-m", "echolot_lsp.tokens.child"]
    done = subprocess.run(command, input=b"\0\0\0\x02[]", capture_output=True, timeout=TIME_LIMIT, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_costs_and_unknown_parts_survive_the_pipe() -> None:
    costs = tokens.costs(TOOLS)
    answer: Any = wire.message(wire.frame(wire.costs_as_json(costs))[wire.LENGTH :])
    assert wire.costs_of_json(answer) == costs
    assert wire.message(wire.request(1, TOOLS, None)[wire.LENGTH :])["tools"] == TOOLS


def test_a_tool_that_is_nested_without_end_goes_over_the_pipe() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"items": schema}
    assert wire.message(wire.request(1, [{"name": "x", "inputSchema": schema}], None)[wire.LENGTH :])["tools"][0]["name"] == "x"
