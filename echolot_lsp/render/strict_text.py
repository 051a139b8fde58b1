"""Tool by tool, what stops the strict modes of OpenAI and Anthropic."""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import ProviderName, Server
from echolot_lsp.providers.strict import StrictProvider, list_obstacles, obstacles
from echolot_lsp.render.clean import clean
from echolot_lsp.render.listing import plain_tools
from echolot_lsp.render.words import NAMES, counted, server_name, tool_name
from echolot_lsp.schema import pointer

PROVIDERS: tuple[StrictProvider, ...] = ("openai", "anthropic")


def strict_text(server: Server, shown: tuple[ProviderName, ...] = PROVIDERS) -> str:
    """For each provider: how many tools are ready, then what stops the others, with the place in the tool."""
    return "\n\n".join("\n".join(_provider(server, provider)) for provider in PROVIDERS if provider in shown)


def _provider(server: Server, provider: StrictProvider) -> Iterator[str]:
    tools = plain_tools(server)
    stopped = [(index, found) for index, tool in enumerate(tools) if (found := obstacles(provider, tool))]
    ready = len(tools) - len(stopped)
    yield f"{server_name(server)} · {NAMES[provider]} strict · {ready:,} of {counted(len(tools), 'tool')} ready"
    for obstacle in list_obstacles(provider, tools):
        yield f"  the list: {obstacle.text}"
    for index, found in stopped:
        yield f"  {tool_name(server.tools[index].name, index)}"
        for obstacle in found:
            yield f"    {clean(pointer(obstacle.path))}: {clean(obstacle.text)}"
