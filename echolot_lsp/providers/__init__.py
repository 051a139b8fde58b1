"""The providers' own forms of a tool list, one module a provider: wire form, limits and dated facts. Pure, and never raises.

``wire_form`` is the door: from the tools of the MCP wire to exactly the value of a request's ``tools`` field, with everything that
changed on the way. JSON of any shape is accepted; what a provider would refuse is sent as it is and named by a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from echolot_lsp.model import ProviderName
from echolot_lsp.providers import anthropic, gemini, openai
from echolot_lsp.providers.conversion import Change, Conversion, ToolForm

__all__ = ["Change", "Conversion", "ToolForm", "wire_form"]


def wire_form(
    provider: ProviderName,
    tools: Sequence[Mapping[str, Any]],
    *,
    openai_api: Literal["responses", "chat"] = "responses",
    gemini_form: Literal["parameters", "json-schema"] = "parameters",
) -> Conversion:
    """``tools`` (dicts of the MCP wire) as ``provider`` receives them.

    Anthropic: ``[{name, description, input_schema}, …]``. OpenAI: ``[{type, name, description, parameters, strict}, …]`` or the Chat
    form. Gemini: ``[{"functionDeclarations": […]}]`` with ``parameters`` or ``parametersJsonSchema``; an empty list stays empty.
    """
    if provider == "anthropic":
        forms = [anthropic.tool_form(index, tool) for index, tool in enumerate(tools)]
    elif provider == "openai":
        forms = [openai.tool_form(index, tool, openai_api) for index, tool in enumerate(tools)]
    else:
        forms = [gemini.tool_form(index, tool, gemini_form) for index, tool in enumerate(tools)]
    value: list[Any] = [form.value for form in forms]
    if provider == "gemini" and value:
        value = [{"functionDeclarations": value}]
    changes = tuple(change for form in forms for change in form.changes)
    return Conversion(provider, value, changes, tuple(part for form in forms for part in form.unknown))
