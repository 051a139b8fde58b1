"""What the rules about the size of a list have in common."""

from __future__ import annotations

from echolot_lsp.model import Server
from echolot_lsp.rules import Context, Mark
from echolot_lsp.words import counted


def size_in_words(server: Server, context: Context) -> str:
    """``57 tools (8,120 tokens a turn)``; ``at least`` where the list may hold more than was read."""
    unsure = doubtful(server)
    more = bool(unsure) or not server.complete or any(part.index is None for part in server.unresolved)
    dearest = context.dearest()
    tokens = f" ({dearest.total:,} tokens a turn)" if dearest is not None and not unsure else ""
    return f"{'at least ' if more else ''}{counted(size(server), 'tool')}{tokens}"


def size(server: Server) -> int:
    """How many tools the list has, as far as that is known."""
    return len(server.tools) - len(doubtful(server))


def doubtful(server: Server) -> frozenset[int]:
    """Tools of which it is not known that they are in the list: something that is not followed may take them out, or they were read
    twice."""
    return read_twice(server) | {part.index for part in server.unresolved if part.index is not None and not part.path}


def read_twice(server: Server) -> frozenset[int]:
    """Tools that come from the very declaration of an earlier one, in a list that is not known whole: which of two branches makes
    it is not known, so that it is there twice is not known either."""
    if all(part.index is not None for part in server.unresolved):
        return frozenset()
    seen: set[object] = set()
    again: set[int] = set()
    for index, tool in enumerate(server.tools):
        declaration = tool.home, tool.name
        if tool.home is not None and declaration in seen:
            again.add(index)
        seen.add(declaration)
    return frozenset(again)


def all_tools(server: Server, context: Context) -> tuple[Mark, ...]:
    """Every tool of the list, the dearest first where the costs are known."""
    dearest = context.dearest()
    if dearest is None or len(dearest.tools) != len(server.tools):
        return tuple(Mark(index, (), f"tool {index + 1}") for index in range(len(server.tools)))
    order = sorted(range(len(server.tools)), key=lambda index: -dearest.tools[index].tokens)
    return tuple(Mark(index, (), counted(dearest.tools[index].tokens, "token")) for index in order)
