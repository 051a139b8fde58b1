"""The data that every part shares: frozen, without behaviour that needs anything else.

A tool is what the wire has of it, plus the places in the source that its parts came from. A place is a ``Span``: a file, a
block of that file and offsets inside the block, so that an edit above a tool changes nothing in it. Absolute offsets exist only
where a ``Source`` resolves a span, positions only where a report is rendered or published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""A route inside a tool: ``("inputSchema", "properties", "limit")``. ``()`` is the tool itself."""

ProviderName: TypeAlias = Literal["anthropic", "openai", "gemini"]
PROVIDERS: tuple[ProviderName, ...] = ("anthropic", "openai", "gemini")


class Severity(Enum):
    """How bad a finding is; the order of definition is worst first."""

    PROBLEM = "problem"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for a problem, 1 for a warning, 2 for a note."""
        return _RANKS[self.value]


_RANKS = {severity.value: rank for rank, severity in enumerate(Severity)}


class Default(Enum):
    """Where a rule speaks: a diagnostic, only in the report (card, hover), or nowhere."""

    ON = "on"
    REPORT = "report"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that static reading could not know, with why. It may stand anywhere in ``Tool.wire``.

    ``Unknown`` is never equal to a JSON value and no rule fires on it or on anything that depends on it.
    """

    why: str


def is_known(value: object) -> bool:
    """Whether ``value`` holds no ``Unknown`` at any depth."""
    pending: list[object] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Unknown):
            return False
        if isinstance(item, Mapping):
            pending.extend(item.values())
        elif isinstance(item, (list, tuple)):
            pending.extend(item)
    return True


@dataclass(frozen=True, slots=True)
class Span:
    """A place: offsets (in code points) from the start of a block of a file.

    ``file`` is the key of a ``Source``; ``block`` is a key of its ``blocks``, unique in the file and stable while other
    blocks are edited. ``start <= end``.
    """

    file: str
    block: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Source:
    """A text that was analysed: the file's name, its text, and where each block starts (offsets in code points)."""

    file: str
    text: str
    blocks: Mapping[str, int] = field(default_factory=lambda: {"": 0})

    def resolve(self, span: Span) -> tuple[int, int]:
        """Absolute offsets (code points) of a span of this source. Raises ``KeyError`` for a block that is not here."""
        base = self.blocks[span.block]
        return base + span.start, base + span.end


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of a tool stands: its key (a member's name, a parameter's name) and its value; either may be missing.

    The text under ``key`` is the key as the source spells it (quoted in JSON, bare for a Python parameter), the text under
    ``value`` is an expression whose value is the part.
    """

    key: Span | None = None
    value: Span | None = None


class Places(Mapping[Path, Place]):
    """The places of a tool by path. Frontends may subclass it to find places only when asked (they are rarely needed)."""

    def __init__(self, places: Mapping[Path, Place] | None = None) -> None:
        self._places = dict(places or {})

    def __getitem__(self, path: Path) -> Place:
        return self._places[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True)
class Fact:
    """What only the source shows, and a Python-only rule reports: which rule, where, and the words to say it with.

    ``rule`` is the id of a rule that sees Python sources only; ``details`` fill that rule's message (a parameter's name, an
    exception, a framework).
    """

    rule: str
    path: Path
    details: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tool:
    """One tool as the wire has it, and where its parts stand.

    ``wire`` holds exactly the keys of the ``tools/list`` entry (``name``, ``description``, ``inputSchema``, …); a part that is
    not known is an ``Unknown``. JSON that is no object is kept under ``wire`` as ``{"": value}`` only by frontends that must.
    """

    wire: Mapping[str, Any]
    places: Mapping[Path, Place] = field(default_factory=Places)
    home: Span | None = None
    """The whole declaration: a decorated function, a JSON object. Shown where nothing smaller is known."""
    facts: tuple[Fact, ...] = ()
    hints: Mapping[str, Any] = field(default_factory=dict)
    """What the frontend knows beside the wire and a rule's wording or fix may use, e.g. ``{"unsent_descriptions":
    {"limit": "…"}}`` (a docstring's Args section that this framework does not send)."""

    @property
    def name(self) -> str | None:
        """The tool's name when it is a known string."""
        name = self.wire.get("name")
        return name if isinstance(name, str) else None


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A part (or, with ``index`` None, the list itself) that static reading could not know."""

    index: int | None
    path: Path
    why: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something about a source that kept part of it from being read: what, and where when known."""

    file: str
    message: str
    span: Span | None = None
    fatal: bool = False
    """Nothing of the file could be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Server:
    """One tool list: a Python server object, a JSON document, or a live endpoint.

    ``path`` is the file that makes it (``None`` for standard input and live endpoints); ``place`` the server object.
    ``sources`` holds the text of every file that a span of this server names.
    """

    name: str
    origin: Literal["python", "json", "live"]
    path: str | None
    tools: tuple[Tool, ...]
    sources: Mapping[str, Source] = field(default_factory=dict)
    framework: str | None = None
    framework_version: str | None = None
    python: str | None = None
    place: Span | None = None
    unresolved: tuple[Unresolved, ...] = ()
    facts: tuple[Fact, ...] = ()
    """Facts about the list as a whole (``path`` is ``()``)."""
    complete: bool = True
    """False where the source says that the list holds more than is written here (a bundle's ``tools_generated``)."""
    reached: str | None = None
    """How a running server was reached: ``over stdio``, or its address without what may be secret in it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One change of a fix, in the tool's own terms; the frontend that read the tool says which characters.

    ``set`` writes ``value`` at ``path`` (adding it where it is missing), ``remove`` deletes it. The paths of all operations of
    a fix are those of the tool before it: what is set comes first, then what is removed, from the end.
    """

    kind: Literal["set", "remove"]
    index: int
    path: Path
    value: Any = None


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a finding. ``safe``: it changes nothing that the server accepts or means."""

    title: str
    safe: bool
    operations: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    index: int | None
    tool: str | None
    path: Path
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a provider would refuse or a model would stumble over.

    ``index`` is the tool's position in its list, ``None`` for the list itself; ``path`` the route inside the tool.
    """

    rule: str
    severity: Severity
    index: int | None
    tool: str | None
    path: Path
    message: str
    advice: str
    span: Span | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    default: Default = Default.ON
    refused_by: tuple[ProviderName, ...] = ()
    """The providers that refuse the request for it: a verdict "refused" rests on these."""


@dataclass(frozen=True, slots=True)
class ToolCost:
    """Tokens of one tool at one provider: all of it, and the share of its input schema over an empty one."""

    tokens: int
    schema: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What a list costs at one provider, in tokens a turn, as ``tokens.count`` answers.

    ``total`` includes ``surcharge`` (what the provider adds once because there are tools). ``tools`` is in the order of the
    list. ``borrowed``: the constant or the vocabulary is taken from a neighbouring model or by ratio. ``at_least``: parts of
    the list are unknown, so it costs more.
    """

    provider: ProviderName
    model: str
    total: int
    surcharge: int
    tools: tuple[ToolCost, ...]
    borrowed: str | None = None
    at_least: bool = False


Costs: TypeAlias = Mapping[ProviderName, Cost]
"""Costs by provider. Empty, or without a provider: not yet known there."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a provider refuses a list or loses part of it: the tool (``None``: the list), the place, one sentence."""

    index: int | None
    tool: str | None
    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a provider makes of a list."""

    state: Literal["accepted", "lossy", "refused"]
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is said of one server: the input of every renderer."""

    server: Server
    findings: tuple[Finding, ...]
    costs: Costs = field(default_factory=dict)
    verdicts: Mapping[ProviderName, Verdict] = field(default_factory=dict)
    window: int = 200_000

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)


def place_of(tool: Tool, path: Path) -> Span | None:
    """The characters to underline for ``path``: its own place, else its nearest ancestor's, else the name, else the tool.

    A container is shown by its key (underlining a whole object says nothing); everything else by its value, a parameter by
    its name. A part that is missing is shown at the tool's name.
    """
    if type(tool.places) is Places and not tool.places:
        return tool.home
    part: Any = tool.wire
    for depth, step in enumerate(path):
        part = _step(part, step)
        if part is _MISSING:
            return _own_place(tool, ("name",)) or tool.home
        if depth == len(path) - 1:
            break
    for length in range(len(path), 0, -1):
        span = _own_place(tool, path[:length])
        if span is not None:
            return span
    return _own_place(tool, ("name",)) or tool.home


_MISSING = object()


def _step(part: Any, step: str | int) -> Any:
    if isinstance(part, Unknown):
        return part
    if isinstance(part, Mapping):
        return part.get(step, _MISSING)
    if isinstance(part, Sequence) and not isinstance(part, str) and isinstance(step, int):
        return part[step] if step < len(part) else _MISSING
    return _MISSING


def _own_place(tool: Tool, path: Path) -> Span | None:
    place = tool.places.get(path)
    if place is None:
        return None
    if len(path) >= 2 and path[-2] == "properties":
        return place.key or place.value
    value: Any = tool.wire
    for step in path:
        value = _step(value, step)
    if isinstance(value, (Mapping, list, tuple)) and place.key is not None:
        return place.key
    return place.value or place.key


def all_spans(tool: Tool) -> Iterable[Span]:
    """Every span of a tool, for tests that hold them against the text."""
    for place in tool.places.values():
        if place.key is not None:
            yield place.key
        if place.value is not None:
            yield place.value
    if tool.home is not None:
        yield tool.home
