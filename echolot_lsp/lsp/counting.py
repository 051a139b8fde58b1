"""Counting tokens beside everything else: the newest list of each file, one at a time, in a child process that starts when needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from echolot_lsp.lsp.costs import joined, new_tools
from echolot_lsp.model import Costs, ProviderName, Server

if TYPE_CHECKING:
    from echolot_lsp.tokens.client import CountingClient

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds."""
Counted = tuple[tuple[Server, Costs], ...]
"""The servers of a file with their costs."""


class Count(Protocol):
    """Counts lists of tools (dicts of the MCP wire)."""

    async def costs(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs:
        """The cost at each provider."""

    async def close(self) -> None:
        """Ends the child process, if there is one."""


class Counting:
    """Takes lists to be counted and hands on the answers, each only if it is still wanted."""

    def __init__(self, count: Count, done: Callable[[str, Counted], None]) -> None:
        self._count = count
        self._done = done
        self._wanted: dict[str, tuple[tuple[Server, ...], Mapping[ProviderName, str]]] = {}
        self._known: dict[str, Counted] = {}
        self._failed: set[str] = set()
        """Files whose count failed, and is tried once more."""
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether something is being counted."""
        return self._task is not None and not self._task.done()

    def want(self, path: str, servers: tuple[Server, ...], models: Mapping[ProviderName, str]) -> None:
        """The servers of a file are to be counted; what was wanted for that file before no longer is."""
        if self._closed:
            return
        self._wanted.pop(path, None)
        self._wanted[path] = servers, models
        if not self.busy:
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def idle(self) -> None:
        """Waits until all is counted."""
        while self.busy:
            assert self._task is not None
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Stops; the child process ends."""
        self._closed = True
        self._wanted.clear()
        if self._task is not None:
            self._task.cancel()
        await self._count.close()

    async def aside(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs | None:
        """The costs of any list; ``None`` where that takes longer than somebody waits for a hover."""
        try:
            return await asyncio.wait_for(self._count.costs(tools, models), PATIENCE)
        except TimeoutError:
            return None
        except Exception:
            log.exception("A list could not be counted.")
            return None

    def forget(self, path: str) -> None:
        """A file is no longer of interest."""
        self._wanted.pop(path, None)
        self._known.pop(path, None)
        self._failed.discard(path)

    async def _work(self) -> None:
        while self._wanted:
            path = next(iter(self._wanted))
            servers, models = self._wanted.pop(path)
            before = self._known.get(path, ())
            try:
                counted = tuple([(server, await self._costs(server, models, before)) for server in servers])
            except Exception:
                log.exception("The tokens of %s could not be counted.", path)
                if path not in self._failed:  # a child that was killed is started again
                    self._failed.add(path)
                    self._wanted.setdefault(path, (servers, models))
                continue
            self._failed.discard(path)
            self._known[path] = counted
            if path not in self._wanted:
                self._done(path, counted)

    async def _costs(self, server: Server, models: Mapping[ProviderName, str], before: Counted) -> Costs:
        """The costs of a list. Of one that was counted before only the tools that are new are sent to the child."""
        for known, costs in before:
            new = new_tools(server.tools, known.tools)
            if (
                server.tools
                and 2 * len(new) <= len(server.tools)
                and all(models.get(each, cost.model) == cost.model for each, cost in costs.items())
            ):
                sent = sorted({0, *new})
                part = await self._count.costs([server.tools[index].wire for index in sent], models)
                return joined(server, known, costs, sent, part)
        return await self._count.costs([tool.wire for tool in server.tools], models)


class ChildCount:
    """Counts in a child process, which starts with the first list and ends with the server."""

    def __init__(self) -> None:
        self._client: CountingClient | None = None

    async def costs(self, tools: Sequence[Mapping[str, Any]], models: Mapping[ProviderName, str]) -> Costs:
        """The cost at each provider."""
        if self._client is None:
            from echolot_lsp.tokens.client import CountingClient

            self._client = CountingClient()
        return await self._client.costs(tools, models)

    async def close(self) -> None:
        """Ends the child process."""
        if self._client is not None:
            await self._client.close()
