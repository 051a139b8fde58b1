"""What each tool costs more or less than in git's HEAD, for the tooltips of hints.

Everything happens beside the event loop: git is asked in a thread. A document that is what HEAD has tells HEAD's numbers itself, which
is how most documents begin; of any other the tools of HEAD are read in a child process (the other files as they are now, so that
the difference is that of this file) and counted where all is counted. Nothing is said where there is no git, no repository,
no such file or tool in HEAD, or no difference.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from echolot_lsp.lsp.analysis import roots_for
from echolot_lsp.lsp.numbers import dearest
from echolot_lsp.lsp.refresh import refresh_hints
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.lsp.view import Shown, View
from echolot_lsp.model import Costs, ProviderName

if TYPE_CHECKING:
    from echolot_lsp.workspace.head import Head

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two looks at whether HEAD moved: a few file times, in a thread."""
COUNTING_SECONDS = 30.0
READING_SECONDS = 30.0
"""After which a child is ended."""
AGAIN = 60.0
"""Seconds before git is asked again about a document that is in no repository."""

Key = tuple[str, str, str]
"""A document, the file that its server was read from, the server's name."""
Numbers = Mapping[str, Mapping[ProviderName, int]]
"""Tokens by tool and provider. A name that two tools have is left out."""

_NOTHING: tuple[object, Numbers] = (None, {})


class AgainstHead:
    """HEAD's numbers for the documents that hints were asked for."""

    def __init__(self, ls: EcholotServer) -> None:
        self._ls = ls
        self._heads: dict[str, Head] = {}
        self._numbers: dict[Key, tuple[object, Numbers]] = {}
        """With what they rest on."""
        self._running: dict[str, asyncio.Future[Any]] = {}
        self._asked: dict[str, float] = {}
        self._watching: asyncio.Future[Any] | None = None

    def differences(self, path: str, shown: Shown) -> Mapping[int, int]:
        """By position, how many tokens more (less: negative) the tools of a server cost than in HEAD, at the provider that hints show;
        without those where that is not known or nothing."""
        cost = dearest(shown)
        _, numbers = self._numbers.get(_key(path, shown), _NOTHING)
        if cost is None or not numbers or any(each.index is None for each in shown.server.unresolved):
            return {}
        own = _tokens([tool.name for tool in shown.server.tools], {cost.provider: cost})
        unknown = {each.index for each in shown.server.unresolved}
        found: dict[int, int] = {}
        for index, tool in enumerate(shown.server.tools):
            name = tool.name or ""
            if name in own and name in numbers and index not in unknown:
                now = own[name][cost.provider]
                if more := now - numbers[name].get(cost.provider, now):
                    found[index] = more
        return found

    def want(self, view: View) -> asyncio.Future[Any] | None:
        """Has HEAD's numbers for a document found, if they are not known; the work, while it goes on."""
        path = view.path
        if self._ls.options.get("trusted") is False or not os.path.isabs(path):
            return None
        if path not in self._running and not self._is_known(view):
            self._asked[path] = time.monotonic()
            self._start(view.document.uri, path)
        return self._running.get(path)

    def _is_known(self, view: View) -> bool:
        head = self._heads.get(view.path)
        if head is None:
            return time.monotonic() - self._asked.get(view.path, float("-inf")) < AGAIN
        return all(self._numbers.get(_key(view.path, shown), _NOTHING)[0] == _ground(shown, head) for shown in view.servers)

    def _start(self, uri: str, path: str) -> None:
        work = self._running[path] = self._ls.background(self._find(uri, path))
        work.add_done_callback(lambda _: self._running.pop(path, None))

    async def _find(self, uri: str, path: str) -> None:
        from echolot_lsp.workspace.head import head_of

        head = await asyncio.to_thread(head_of, path, self._heads.get(path))
        if head is None:
            return
        self._heads[path] = head
        if self._watching is None or self._watching.done():
            self._watching = self._ls.background(self._watch())
        try:
            async with asyncio.timeout(COUNTING_SECONDS):
                await self._ls.session.counted()
        except TimeoutError:
            return
        view = self._ls.session.view(uri)
        before = None if view is None else self._figures(view)
        keys = Counter(_key(path, shown) for shown in view.servers) if view else Counter()
        for shown in () if view is None else view.servers:
            if keys[_key(path, shown)] == 1:
                await self._find_one(path, shown, head)
            else:  # two servers of one name: which is which is not known
                self._numbers[_key(path, shown)] = _ground(shown, head), {}
        view = self._ls.session.view(uri)
        if view is not None and self._figures(view) != before:
            refresh_hints(self._ls)

    async def _find_one(self, path: str, shown: Shown, head: Head) -> None:
        ground = _ground(shown, head)
        if self._numbers.get(_key(path, shown), _NOTHING)[0] == ground:
            return
        numbers: Numbers | None = {}
        if head.text is not None:
            if _lines(head.text) == _lines(shown.server.sources[path].text):
                names = [tool.name for tool in shown.server.tools]
                numbers = _tokens(names, shown.report.costs) if shown.report.costs else None
            else:
                numbers = await self._read(path, shown, head.text)
        if numbers is not None:
            self._numbers[_key(path, shown)] = ground, numbers

    async def _read(self, path: str, shown: Shown, text: str) -> Numbers | None:
        """The numbers of a server of HEAD's text, read by a child; ``None``: ask again another time."""
        session, settings = self._ls.session, shown.reading.settings
        if settings is None:
            return {}
        how = {
            "kind": shown.server.origin,
            "environment": settings.environment and os.path.join(settings.folder, settings.environment),
            "framework": settings.framework,
            "python": settings.python,
            "roots": roots_for(shown.reading.path, session.roots),
        }
        asked = {"path": shown.reading.path, "buffers": {**session.documents.buffers(), path: text}, "how": how}
        servers = await _asked_of_a_child(asked)
        named = [each["tools"] for each in servers if each["name"] == shown.server.name]
        if not named:
            return {}
        costs = await session.count(named[0], settings.models)
        return None if costs is None else _tokens([tool.get("name") for tool in named[0]], costs)

    def _figures(self, view: View) -> list[Mapping[int, int]]:
        return [self.differences(view.path, shown) for shown in view.servers]

    async def _watch(self) -> None:
        """Looks now and then whether HEAD moved, as long as a document is open that has numbers of it."""
        from echolot_lsp.workspace.head import mark

        documents = self._ls.session.documents
        while True:
            await asyncio.sleep(EVERY)
            for path in [path for path in self._heads if documents.get(path) is None]:
                self._forget(path)
            if not self._heads:
                return
            heads = dict(self._heads)
            marks = {folders: await asyncio.to_thread(mark, folders) for folders in {head.folders for head in heads.values()}}
            for path, head in heads.items():
                if head.mark != marks[head.folders]:
                    await self._find(documents.uri(path), path)

    def _forget(self, path: str) -> None:
        del self._heads[path]
        self._numbers = {key: numbers for key, numbers in self._numbers.items() if key[0] != path}


async def _asked_of_a_child(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What ``workspace.head.declared`` answers, in a process of its own; nothing where that fails or takes too long."""
    command = (sys.executable, "-P", "-m", "echolot_lsp.workspace.head")
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        body = await asyncio.to_thread(lambda: json.dumps(asked).encode("utf-8", "surrogatepass"))
        answer, _ = await asyncio.wait_for(process.communicate(body), READING_SECONDS)
        servers: list[dict[str, Any]] = json.loads(answer) if process.returncode == 0 else []
        return servers
    except (TimeoutError, ValueError):
        return []
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()  # to the end of its pipes, which else stay open until the loop is gone


def _ground(shown: Shown, head: Head) -> object:
    """What HEAD's numbers rest on: the blob, and the models that are counted for."""
    return head.blob, sorted(shown.reading.settings.models.items()) if shown.reading.settings else []


def _key(path: str, shown: Shown) -> Key:
    return path, shown.reading.path, shown.server.name


def _tokens(names: Sequence[str | None], costs: Costs) -> Numbers:
    times = Counter(names)
    return {
        name: {provider: cost.tools[index].tokens for provider, cost in costs.items() if index < len(cost.tools)}
        for index, name in enumerate(names)
        if name is not None and times[name] == 1
    }


def _lines(text: str) -> str:
    """A text as git may have stored it: its line ends are the checkout's own affair."""
    return text.replace("\r\n", "\n")
