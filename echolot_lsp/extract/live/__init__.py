"""Live: the list that a running server really sends.

``run.list_live(target)`` starts a child process (``child``), which alone imports the MCP SDK, opens a transport (``transport``),
speaks raw JSON-RPC over it (``lister``; the SDK's own client would refuse a whole list for one bad tool) and answers with a
``Listing``. ``live_server`` (in ``server``) turns a listing into a ``Server``, beside the source's own where there is one.

A server process is started by nothing here but ``list_live``; asking the user first is its caller's duty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

START_SECONDS = 180.0
"""How long a server may take to answer its first request: a first ``uvx`` or ``npx`` run downloads packages."""
LIST_SECONDS = 60.0
"""How long each later answer may take."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server that can be asked: a command line (no shell is run), or a URL.

    ``environment`` is laid over our own; ``headers`` go with every HTTP request. ``transport`` "http" tries streamable HTTP
    first, then SSE.
    """

    transport: Literal["stdio", "http", "sse"]
    command: tuple[str, ...] = ()
    folder: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None

    @property
    def label(self) -> str:
        """What to call it: its entry's name, its address, or the command line. Holds no header and no environment value."""
        return self.name or self.address or " ".join(self.command)

    @property
    def address(self) -> str | None:
        """The URL without what may be secret in it: user, password, query."""
        if self.url is None:
            return None
        scheme, rest = self.url.split("://", 1) if "://" in self.url else ("", self.url)
        host, slash, path = rest.partition("?")[0].partition("#")[0].partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}" if scheme else self.url.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a live list could not be had: a kind, one plain sentence, and the last line of standard error where there was one."""

    kind: Literal["start", "crash", "timeout", "http", "protocol", "size", "cancelled", "internal"]
    message: str
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a live server answered: its raw tools, and what was noticed on the way.

    ``tools`` are the entries as they came, whatever their type. ``noise`` holds the first lines on standard output that were
    no JSON-RPC, ``noise_lines`` how many there were. ``stable`` is whether a second listing had the same order (``None``: not
    asked). Times in seconds.
    """

    tools: tuple[Any, ...] = ()
    failure: Failure | None = None
    server_name: str | None = None
    server_version: str | None = None
    protocol: str | None = None
    handshake: bool = True
    pages: int = 0
    looped: bool = False
    truncated: bool = False
    no_tools: str | None = None
    noise: tuple[str, ...] = ()
    noise_lines: int = 0
    stderr: str = ""
    start_seconds: float = 0.0
    """Until ``initialize`` was answered, without the time that other processes kept the server from running."""
    stable: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """A JSON object, for the pipe between child and parent."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Listing:
        """The listing that ``to_json`` wrote."""
        known = {key: value for key, value in data.items() if key in {item.name for item in fields(cls)}}
        failure = known.get("failure")
        known["failure"] = Failure(**failure) if failure else None
        known["tools"] = tuple(known.get("tools") or ())
        known["noise"] = tuple(known.get("noise") or ())
        return cls(**known)
