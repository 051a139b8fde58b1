"""Files that several servers read: what is said of them is said once, by whoever reads them now."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.desk import Desk, codes, run

TYPES = """from pydantic import BaseModel


class Place(BaseModel):
    street: str  # echolot: ignore[no-such-rule]
"""
SERVER = '''from mcp.server.fastmcp import FastMCP
from place import Place

mcp = FastMCP("depot")


@mcp.tool()
def find_parcel(place: Place) -> str:
    """Looks a parcel up by its number and says where it was seen last."""
    return ""
'''


def test_what_is_said_of_a_shared_file_stays_when_one_of_its_servers_leaves_it(tmp_path: Path) -> None:
    async def work() -> None:
        (tmp_path / "place.py").write_text(TYPES, encoding="utf-8")
        desk = Desk(tmp_path)
        await desk.open("app.py", SERVER)
        await desk.open("tools.py", SERVER.replace("depot", "garage"))
        assert "unknown-rule" in codes(desk.told("place.py"))
        await desk.change("app.py", SERVER.replace("from place import Place\n", "").replace("Place", "str"), 2)
        assert "unknown-rule" in codes(desk.told("place.py"))
        await desk.change("app.py", SERVER, 3)
        desk.session.close(desk.uri("app.py"))
        await desk.session.at_rest()
        assert "unknown-rule" in codes(desk.told("place.py"))

    run(work())


def test_a_comment_that_only_a_server_that_left_needed_is_unused(tmp_path: Path) -> None:
    async def work() -> None:
        shared = 'def close_depot(reason) -> str:  # echolot: ignore\n    """Closes the depot for the day, until it is opened again."""\n'
        registered = SERVER.replace("from place import Place", "from shared import close_depot").replace("Place", "str")
        registered += "\n\nmcp.tool()(close_depot)\n"
        (tmp_path / "shared.py").write_text(shared, encoding="utf-8")
        desk = Desk(tmp_path)
        await desk.open("app.py", registered)
        await desk.open("tools.py", registered.replace("\n\nmcp.tool()(close_depot)", "WORDS = close_depot.__doc__"))
        assert desk.told("shared.py") == []
        await desk.change("app.py", "", 2)
        assert codes(desk.told("shared.py")) == ["unused-ignore"]

    run(work())
