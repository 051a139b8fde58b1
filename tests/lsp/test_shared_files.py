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


def test_of_a_server_that_two_files_tell_of_the_fuller_telling_is_shown(tmp_path: Path) -> None:
    async def work() -> None:
        app = SERVER.replace("mcp.server.fastmcp", "fastmcp").replace("from place import Place\n", "").replace("Place", "str")
        more = "from app import mcp\n" + app[app.index("\n\n\n@mcp") :].replace("find_parcel", "close_depot")
        (tmp_path / "app.py").write_text(app, encoding="utf-8")
        desk = Desk(tmp_path)
        await desk.open("app.py", app)
        alone = codes(desk.told("app.py"))
        assert "gemini-drops-keyword" in alone
        await desk.open("tools.py", more)
        assert codes(desk.told("app.py")).count("gemini-drops-keyword") == 1
        assert "Both tools" in next(item["message"] for item in desk.told("app.py") if item["code"] == "gemini-drops-keyword")
        (shown,) = desk.session.servers(desk.uri("app.py"))
        assert [tool.name for tool in shown.server.tools] == ["find_parcel", "close_depot"]
        desk.session.close(desk.uri("tools.py"))
        await desk.session.at_rest()
        assert codes(desk.told("app.py")) == alone

    run(work())
