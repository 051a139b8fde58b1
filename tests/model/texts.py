"""Random texts of a workspace: servers, the types and constants that they share, lists of tools, settings, lock files."""

from __future__ import annotations

import json
from random import Random
from typing import Any

NAMES = ["find_parcel", "find parcel", "close_depot", "closeDepot", "list_vans", "van_2", "倉庫を開く", "open_depot"]
DOCS = [
    '"""Looks a parcel up by its number and says where it was seen last."""',
    '"""荷物📦を番号で探し、最後に見られた場所を返します。"""',
    '"""Find parcel."""',
    "",
    '"""Lists the vans that are out, with their drivers and the parcels in them."""',
    '"""Opens the gate.\n\n    Args:\n        number: As printed on the parcel, such as P-1042.\n    """',
]
PARAMETERS = [
    "",
    "number: str",
    "number",
    "limit: int = 10",
    "limit: int = LIMIT",
    "options: dict = {}",
    "place: Place",
    "kind: Kind",
    'note: str | None = None, 品="📦"',
]
COMMENTS = [
    "  # echolot: ignore[param-no-description]",
    "  # echolot: ignore[no-description, param-no-type]",
    "  # echolot: ignore",
    "  # echolot: ignore[no-such-rule]",
    "  # echolot: ignroe[no-description]",
    "  # 荷物📦 # echolot: ignore[param-no-type]",
]
PLACES = [
    "from pydantic import BaseModel, Field\n\n\nclass Place(BaseModel):\n    street: str\n    town: str = 'Köln 🏙️'\n",
    "from pydantic import BaseModel, Field\n\n\nclass Place(BaseModel):\n    street: str = Field(description='With number.')\n",
    "from typing import TypedDict\n\n\nclass Place(TypedDict):\n    street: int\n",
]
CONSTANTS = [
    'from typing import Literal\n\nLIMIT = 10\nKind = Literal["parcel", "荷物📦"]\n',
    'from enum import Enum\n\nLIMIT = "ten"\n\n\nclass Kind(Enum):\n    PARCEL = "parcel"\n    LETTER = ""\n',
    "LIMIT = len(open.__name__)\nKind = dict\n",
]
SETTINGS = [
    "",
    'ignore = ["param-no-description"]\n',
    '[severity]\nno-description = "note"\n',
    '[default]\nparam-no-type = "report"\n',
    'context-window = "many"\n',
    '[[ignored]]\ntool = "find_*"\n',
    '[[overrides]]\npaths = ["tools.py", "depot/**"]\nignore = ["no-description"]\n',
    "not toml",
]
EDITOR = [{}, {"ignore": ["no-description"]}, {"severity": {"param-no-description": "note"}}]
LOCKS = [
    "",
    *(f'[[package]]\nname = "{name}"\nversion = "{version}"\n' for name in ("mcp", "fastmcp") for version in ("1.9.4", "2.3.0")),
]
SCRIBBLES = ["(", ")", '"', "\n", "x", "#", "🙂", "    ", "\r\n", ",", "def f(", *COMMENTS[:4], '"""', "\r", "@mcp.tool()\n"]


def text_of(name: str, random: Random) -> str:
    """A new text for a file."""
    last = name.rpartition("/")[2]
    if last == "uv.lock":
        return random.choice(LOCKS)
    if last.endswith(".toml"):
        return random.choice(SETTINGS)
    if last.endswith(".json"):
        return tool_list(random)
    text = "" if last == "__init__.py" else _shared(random, PLACES) if last == "place.py" else _shared(random, CONSTANTS)
    if last in ("app.py", "tools.py"):
        text = server(name, random)
    return text.replace("\n", "\r\n") if random.random() < 0.2 else text


def _shared(random: Random, texts: list[str]) -> str:
    text = random.choice(texts)
    if random.random() < 0.4:
        lines = text.split("\n")
        number = random.randrange(len(lines) - 1)
        lines[number] += random.choice(COMMENTS)
        text = "\n".join(lines)
    return text


def server(name: str, random: Random) -> str:
    """A server of up to three tools; ``tools.py`` may register its own on the one of ``app.py``."""
    dot = "." if name.startswith("depot/") else ""
    text = random.choice(["from mcp.server.fastmcp import FastMCP\n"] * 3 + ["from fastmcp import FastMCP\n"])
    text += f"from {dot}place import Place\n" if random.random() < 0.7 else ""
    text += f"from {dot}limits import LIMIT, Kind\n" if random.random() < 0.6 else ""
    beside = name.endswith("tools.py") and random.random() < 0.4
    text += f"from {dot}app import mcp\n" if beside else f'\nmcp = FastMCP("{name}")\n'
    text += f"\n# echolot: ignore-file[{random.choice(['no-description', 'nothing'])}]\n" if random.random() < 0.1 else ""
    for _ in range(random.randint(0, 3)):
        title, doc = random.choice(NAMES), random.choice(DOCS)
        comment = random.choice(COMMENTS) if random.random() < 0.2 else ""
        head = f"def {title.replace(' ', '_')}({random.choice(PARAMETERS)}) -> str:"
        text += f'\n\n@mcp.tool(name="{title}"){comment}\n{head}\n    {doc}\n    return ""\n'
    return text


def tool_list(random: Random) -> str:
    """A list of up to four tools."""
    tools: list[Any] = []
    for _ in range(random.randint(0, 4)):
        tool: dict[str, Any] = {"name": random.choice(NAMES), "inputSchema": {"type": "object"}}
        if random.random() < 0.7:
            tool["description"] = random.choice(DOCS).strip('"')
        if random.random() < 0.7:
            tool["inputSchema"]["properties"] = {"品📦": {"type": "string"}, "number": {}}
        tools.append(tool)
    return json.dumps({"tools": tools}, ensure_ascii=False, indent=random.choice([None, 2]))
