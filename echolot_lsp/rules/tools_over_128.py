"""More than 128 tools in one list.

**Why it matters.** OpenAI refuses the request: a client that sends the whole list gets an error and the model no tool at all.

**Instead.** Fewer tools, or several servers by topic, so that a user turns on what is needed.

**Who refuses.** OpenAI: "array too long. Expected an array with maximum length 128" (code-yeongyu/oh-my-openagent#2848, 2026-03). Gemini
from 513: "At most 512 function declarations can be specified" (google-gemini/gemini-cli#19083, 2026-02). VS Code sends 128
(microsoft/vscode#337428, 2026-09-23). Anthropic has no fixed limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import ProviderName, Server, Severity
from echolot_lsp.providers.gemini import MOST_DECLARATIONS
from echolot_lsp.rules import Context, Example, Hit, Rule
from echolot_lsp.rules._whole_list import all_tools, size, size_in_words

MOST = 128


def check(server: Server, context: Context) -> Iterator[Hit]:
    number = size(server)
    if number > MOST:
        refusing: tuple[ProviderName, ...] = ("openai", "gemini") if number > MOST_DECLARATIONS else ("openai",)
        also = (
            f", Gemini one with more than {MOST_DECLARATIONS}"
            if number > MOST_DECLARATIONS
            else f" (Gemini from {MOST_DECLARATIONS + 1})"
        )
        message = f"The list has {size_in_words(server, context)}; OpenAI refuses a request with more than {MOST}{also}."
        yield Hit(None, (), message, all_tools(server, context), refused_by=refusing)


RULE = Rule(
    id="tools-over-128",
    severity=Severity.PROBLEM,
    title="More than 128 tools",
    advice="Offer fewer, or split the server.",
    bad=(Example(tuple({"name": f"open_lock_{n}"} for n in range(129)), ((None, ""),)),),
    good=(Example(tuple({"name": f"open_lock_{n}"} for n in range(128))),),
    list=check,
    refused_by=("openai",),
)
