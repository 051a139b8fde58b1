"""An hour's typing at full speed in the real server (``python -m tests.soak [SEED]``): its memory stays, and nothing is left over.

``Soak`` types into a server of 15 tools and a JSON list as a person does: a letter at a time, half a line wrong and mended, functions
that come and go, other files opened and closed, hints asked for as an editor does.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.lsp.test_start_and_end import Wire
from tests.model.texts import tool_list

EDITS = 3_600
"""One a second for an hour."""
LONGEST = 50.0
"""Seconds: on a busy machine fewer edits are made, and as many are needed as make a warm-up and a rest."""
FEWEST = 600
WARM = 0.3
"""The part of the edits after which memory must stay."""
GROWTH = 1.1
WORDS = ["parcel", "depot", "van", "street", "number", "driver", "closed", "weight", "荷物", "📦", "倉庫"]


class Held(NamedTuple):
    """What a process holds: KiB of memory, threads, file handles, children."""

    memory: int
    threads: int
    handles: int
    children: int


def held(process: int) -> Held:
    """What the system tells of a process."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    values = {line.partition(":")[0]: line.split()[1] for line in status if line.startswith(("VmRSS", "Threads"))}
    children = [file.read_text(encoding="ascii").split() for file in Path(f"/proc/{process}/task").glob("*/children")]
    handles = len(os.listdir(f"/proc/{process}/fd"))
    return Held(int(values["VmRSS"]), int(values["Threads"]), handles, sum(len(each) for each in children))


def server(tools: int = 15) -> str:
    """A server, its types and its tools."""
    text = 'from mcp.server.fastmcp import FastMCP\nfrom pydantic import BaseModel\n\nmcp = FastMCP("depot")\n'
    text += "\n\nclass Place(BaseModel):\n    street: str\n    town: str = 'Köln 🏙️'\n"
    for number in range(tools):
        text += f"\n\n@mcp.tool()\ndef tool_{number}(number: str, place: Place, limit: int = 10) -> str:\n"
        text += f'    """Looks parcel {number} up by its number and says where it was seen last."""\n    return number\n'
    return text


def typing(chance: random.Random) -> Iterator[str]:
    """The texts of a file while somebody works on it, endlessly."""
    text = server()
    while True:
        lines = text.split("\n")
        place = chance.randrange(4, len(lines))
        word = chance.choice(WORDS) + str(chance.randrange(100_000))
        kind = chance.random()
        if kind < 0.5 and '"""' in lines[place]:  # a word in a docstring, letter by letter
            for end in range(1, len(word) + 1):
                yield "\n".join([*lines[:place], lines[place].replace('"""', f'"""{word[:end]} ', 1), *lines[place + 1 :]])
        elif kind < 0.7:  # half a line, wrong, and mended
            for wrong in (f"def {word}(", '    """', f"@mcp.tool(name='{word}'", "    place: list[", ")"):
                yield "\n".join([*lines[:place], wrong, *lines[place:]])
        elif kind < 0.9:  # a function comes
            function = f'\n\n@mcp.tool()\ndef {"_".join(word.split())}(kind: str) -> str:\n    """{word}."""\n    return kind\n'
            text = server() + function
        else:
            text = server(chance.choice([12, 15, 18])).replace("street: str", f"street_{word}: str")
        yield text


class Soak:
    """One server, worked with."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.wire = Wire("-m", "echolot_lsp.lsp")
        self.wire.send(
            id=1, method="initialize", params={"processId": None, "rootUri": folder.as_uri(), "capabilities": CAPABILITIES}
        )
        self.wire.answer(1)
        self.wire.send(method="initialized", params={})
        self.version = 1

    def run(self) -> tuple[int, Held, Held]:
        """How many edits were made, and what was held after the warm-up and at the end."""
        texts = typing(self.chance)
        self.open("server.py", "python", next(texts))
        self.open("list.json", "json", tool_list(self.chance))
        begun, warm, made = time.monotonic(), None, 0
        while made < EDITS and (made < FEWEST or time.monotonic() - begun < LONGEST):
            self.edit(made, next(texts))
            made += 1
            if warm is None and (made >= WARM * EDITS or (made >= WARM * FEWEST and time.monotonic() - begun > WARM * LONGEST)):
                warm = self.rest()
        assert warm is not None
        late = self.rest()
        assert self.wire.leave() == 0
        return made, warm, late

    def edit(self, number: int, text: str) -> None:
        """One edit, and now and then what an editor does beside it."""
        self.change("server.py", text)
        if number % 10 == 0:
            self.change("list.json", tool_list(self.chance))
            self.ask("textDocument/inlayHint", "server.py", range=EVERYTHING)
            self.ask("textDocument/codeAction", "server.py", range=EVERYTHING, context={"diagnostics": []})
        if number % 25 == 0:
            name = f"other_{number}.py"
            self.open(name, "python", server(2))
            self.ask("textDocument/hover", name, position={"line": 13, "character": 6})
            self.wire.send(method="textDocument/didClose", params={"textDocument": {"uri": self.uri(name)}})

    def rest(self) -> Held:
        """What the server holds when nothing is left to do."""
        self.change("server.py", server())
        self.change("list.json", '{"tools": []}')
        self.ask("textDocument/documentSymbol", "server.py")
        return held(self.wire.process.pid)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, language: str, text: str) -> None:
        document = {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}
        self.wire.send(method="textDocument/didOpen", params={"textDocument": document})

    def change(self, name: str, text: str) -> None:
        """Changes a file, and waits until the server has said what it thinks of it."""
        self.version += 1
        document = {"uri": self.uri(name), "version": self.version}
        self.wire.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [{"text": text}]})
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == self.uri(name) and params.get("version", self.version) >= self.version:
                    return

    def ask(self, method: str, name: str, **params: Any) -> None:
        self.version += 1
        number = self.version
        self.wire.send(id=number, method=method, params={"textDocument": {"uri": self.uri(name)}, **params})
        while (message := self.receive()).get("id") != number or "method" in message:
            pass
        assert "error" not in message, json.dumps(message)

    def receive(self) -> Any:
        """The next message; what the server asks is answered."""
        message = self.wire.receive()
        if "method" in message and "id" in message:
            self.wire.send(id=message["id"], result=None)
        return message


EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
CAPABILITIES: dict[str, Any] = {
    "textDocument": {"inlayHint": {}, "codeLens": {}, "publishDiagnostics": {"versionSupport": True}},
    "workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
}


def main(seed: int) -> int:
    """Soaks a server; 1 where it grew, else 0."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        made, warm, late = Soak(Path(folder), seed).run()
    print(f"{made} edits in {time.monotonic() - begun:.0f} s; after the warm-up {warm}, at the end {late}")
    grown = late.memory > GROWTH * warm.memory or late[1:] > warm[1:]
    print(f"{int(not grown)} passed, {int(grown)} failed")
    return int(grown)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
