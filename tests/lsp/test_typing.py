"""A server of 200 lines as it is typed: what is found outside the function being typed stays as it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.lsp.desk import Desk, run

HEAD = '''"""A depot 📦 for parcels."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("depot")


class Parcel(BaseModel):
    """A parcel."""

    number: str = Field(description="As printed on it")
    weight: float

'''
TOOL = '''
@mcp.tool(title="荷物 {n} 🚚")
async def {name}(
    place: str,
    parcel: Parcel,
    mode: Annotated[Literal["slow", "fast"], Field(description="How fast (with \\"fast\\" first)")] = "fast",
    ctx: Context | None = None,
) -> str:
    """{description}

    Not after the evening round; see the plan.
    """
    rounds = {{"morning": [1, 2], "evening": [(3)]}}
    return f"{{place}} {{rounds['morning']}} {{mode}}"  # 次の便

'''
NAMES = (
    "weigh",
    "stamp",
    "wrap_up",
    "load",
    "deliver",
    "return_home",
    "lose",
    "find",
    "insure",
    "burn",
    "auction",
    "picture",
    "name_a_star",
)
SAYS = (
    "Puts one parcel on the scales in the cellar",
    "Prints postage for a letter",
    "Finds paper and string of a fitting size",
    "Chooses the van that leaves next towards somewhere",
    "Hands something over at a door against signature",
    "Sends back what nobody accepted within a week",
    "Writes off whatever vanished between two scans",
    "Searches shelves by colour",
    "Buys cover against rain or theft",
    "Destroys goods that customs seized",
    "Sells unclaimed boxes to whoever bids most on Friday",
    "Photographs damage under good light",
    "Christens the brightest lamp above gate nine",
)
TOOLS = [TOOL.format(n=n, name=name, description=text) for n, (name, text) in enumerate(zip(NAMES, SAYS, strict=True))]
WHOLE = HEAD + "".join(TOOLS)


def by_function(text: str, found: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """What is found in each function: rule, message, and place below its first line. What the list as a whole has stays out."""
    lines = re.split(r"\r\n|\n|\r", text)
    told: dict[str, list[Any]] = {}
    for item in found:
        start, end = item["range"]["start"], item["range"]["end"]
        name = next((match[1] for line in lines[start["line"] :: -1] if (match := re.match(r"async def (\w+)\(", line))), None)
        decorated = next(
            (match[1] for line in lines[start["line"] : start["line"] + 2] if (match := re.match(r"async def (\w+)\(", line))), name
        )
        if decorated is not None:
            home = next(at for at, line in enumerate(lines) if line.startswith(f"async def {decorated}("))
            told.setdefault(decorated, []).append(
                (item["code"], item["message"], start["line"] - home, start["character"], end["line"] - home, end["character"])
            )
    return told


def test_for_every_prefix_what_is_found_above_stays(tmp_path: Path) -> None:
    assert WHOLE.count("\n") >= 200

    async def work() -> None:
        whole = by_function(WHOLE, await Desk(tmp_path).open("whole.py", WHOLE))
        assert set(whole) == set(NAMES)
        desk = Desk(tmp_path)
        await desk.open("server.py", "")
        starts = [WHOLE.index(tool) for tool in TOOLS]
        stops = sorted({*range(len(HEAD), len(WHOLE), 67), *range(starts[-1], len(WHOLE), 4)})
        for version, stop in enumerate(stops, start=2):
            typed = WHOLE[:stop]
            told = by_function(typed, await desk.change("server.py", typed, version))
            done = NAMES[: max(0, sum(start < stop for start in starts) - 1)]
            assert {name: told.get(name) for name in done} == {name: whole[name] for name in done}, typed[-80:]

    run(work())


def test_for_every_letter_of_a_function_in_the_middle_the_others_stay(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk(tmp_path)
        whole = by_function(WHOLE, await desk.open("server.py", WHOLE))
        at = WHOLE.index(TOOLS[5])
        others = [name for name in NAMES if name != NAMES[5]]
        for version, length in enumerate(range(0, len(TOOLS[5]), 3), start=2):
            typed = WHOLE[:at] + TOOLS[5][:length] + "\n" + WHOLE[at + len(TOOLS[5]) :]
            told = by_function(typed, await desk.change("server.py", typed, version))
            assert {name: told.get(name) for name in others} == {name: whole[name] for name in others}, TOOLS[5][:length]

    run(work())
