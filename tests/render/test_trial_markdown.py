"""A trial as Markdown: whatever a model writes stays text."""

from __future__ import annotations

import re
from typing import Any

from echolot_lsp.render.trial_markdown import trial_markdown

HOSTILE = "[here](http://evil.example) ![](http://evil.example/x.png) <img src=x> ```\n# more\n"


def trial(**run: Any) -> dict[str, Any]:
    """A trial with one run."""
    whole = {
        "calls": [],
        "text": "",
        "stop": "end",
        "seconds": 1.0,
        "usage": None,
        "price": None,
        "list_hidden": False,
        "error": None,
    }
    about = {"prompt": "Any hut?", "model": "ollama/tiny", "endpoint": "http://127.0.0.1:1", "picked": []}
    return {"trials": [{**about, "runs": [{**whole, **run}]}]}


def call(**more: Any) -> dict[str, Any]:
    """A call of a tool."""
    return {"tool": "find_hut", "arguments": {}, "in_text": False, "faults": [], **more}


def outside_fences(markdown: str) -> str:
    """The text without its fenced blocks."""
    return re.sub(r"^(`{3,})\w*\n.*?^\1$", "", markdown, flags=re.S | re.M)


def assert_plain(markdown: str) -> None:
    """Nothing of the hostile text is markup."""
    rest = outside_fences(markdown)
    assert not re.search(r"(?<!\\)[\[<!]", rest), rest
    assert "\n# more" not in rest


def test_a_plain_call_reads_well_raw() -> None:
    markdown = trial_markdown(trial(calls=[call(arguments={"place": "Watzmann"})]))
    assert "**find_hut**\n\n```json\n{\n" in markdown
    assert markdown.endswith("Nothing was called.\n")


def test_an_answer_is_never_markup() -> None:
    assert_plain(trial_markdown(trial(text=HOSTILE)))


def test_a_called_name_its_arguments_and_faults_are_never_markup() -> None:
    faults = [{"at": f"/{HOSTILE}", "text": HOSTILE, "looser": HOSTILE, "note": False}]
    markdown = trial_markdown(trial(calls=[call(tool=HOSTILE, arguments={"place": HOSTILE}, faults=faults)]))
    assert_plain(re.sub(r"- (`+).*?\1: ", "- ", markdown))


def test_an_error_of_the_endpoint_is_never_markup() -> None:
    assert_plain(trial_markdown(trial(error={"text": HOSTILE, "tool": None, "index": None})))
