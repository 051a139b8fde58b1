"""Pages for the browser tests: files of samples, and a server that follows what is said on standard input.

Prints one JSON line: ``{"url": …, "files": {name: path}}``. Reads lines: ``show N`` shows a report of N tools; the end of the input
ends it. A prompt is answered by a stand-in for a model: its text says how.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from echolot_lsp.errors import TrialError
from echolot_lsp.render.html import render_card
from echolot_lsp.trial.consent import Consents
from echolot_lsp.trial.endpoint import Endpoint
from echolot_lsp.trial.page import PageHost, tool_lists
from echolot_lsp.trial.refusal import Refusal
from echolot_lsp.trial.reply import Request
from echolot_lsp.trial.run import Prompt
from echolot_lsp.view import CardServer
from tests.render.card.samples import around, hostile, report
from tests.trial.model_servers import answer_with

GOOD = [("find_ship", {"sign": "DABC7"})]
BAD = [
    ("berth_ship", {"nights": "two", "quay": "west", "sign": "DABC7", "stern": True}),
    ("moor_ship", {"sign": "DABC7"}),
    ("plan_tow", '{"sign": "DABC7"}'),
]
SAVED = (Prompt("Where does DABC7 lie?", "find_ship"), Prompt("Tell me a joke: text", "open_gate"))
SPOKEN = '```json\n{"name": "find_ship", "arguments": {"sign": "dabc"}}\n```'


def model(endpoint: Endpoint, request: Request, names: Sequence[str]) -> Any:
    """Answers a chat completion as the prompt asks for."""
    prompt = request.body["messages"][0]["content"]
    if "refuse" in prompt:
        raise Refusal("llama.cpp refuses the request (400): tools[3].name is bad.", tool=3, final=True)
    if "silent" in prompt:
        raise TrialError("No server answers at http://127.0.0.1:8080. Start it: llama-server --jinja -m MODEL.gguf")
    if "cut" in prompt:
        return answer_with(
            "openai-chat", [], "It lies at the north quay and then it lies at the north quay and then", cut=True
        ).body
    if "spoken" in prompt:
        return answer_with("openai-chat", [], SPOKEN).body
    if "text" in prompt:
        return answer_with("openai-chat", [], "<b>It lies at the north quay.</b> \u202eABC").body
    return answer_with("openai-chat", BAD if "bad" in prompt else GOOD).body


def main() -> None:
    folder = Path(sys.argv[1])
    pages = {f"tools-{count}": render_card(report(count)) for count in (0, 1, 12, 300)}
    pages["hostile"] = render_card(hostile())
    pages["webview"] = render_card(report(12), mode="webview", can=("open", "try"))
    pages["servers"] = render_card(around(report(2, "one")["servers"] + report(3, "two")["servers"]))
    pages["none"] = render_card(around([]))
    files = {name: str(folder / f"{name}.html") for name in pages}
    for name, page in pages.items():
        Path(files[name]).write_text(page, encoding="utf-8")
    host = PageHost({}, str(folder), Consents(folder / "consent.json"), model="llamacpp/gemma", prompts=SAVED, sender=model)

    def answer(message: Mapping[str, Any], shown: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if message.get("type") == "ready":
            return {"type": "models", "models": ["llamacpp/gemma", "ollama/qwen3:0.6b"], "prompts": [{}, {}]}
        if message.get("type") == "open":
            return {"type": "notice", "text": f"opened {message['path']} at {message['range']['start']['line']}"}
        return host.answer(message, tool_lists(shown))

    server = CardServer(report(3), answer, can=("open", "try"), model="llamacpp/gemma")
    print(json.dumps({"url": server.url, "files": files}), flush=True)
    for line in sys.stdin:
        server.show(report(int(line.split()[1])))
    server.close()


if __name__ == "__main__":
    main()
