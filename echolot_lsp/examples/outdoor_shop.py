"""An outdoor shop, as somebody might have written it on a busy day: a FastMCP server with something to find in it.

Try it with: echolot mcp check --quality echolot_lsp/examples/outdoor_shop.py
"""

from typing import Annotated, Literal

from fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("outdoor-shop")

Department = Literal["tents", "sleeping bags", "stoves", "backpacks", "footwear", "climbing"]


class RentalItem(BaseModel):
    """An article to rent."""

    article: str = Field(description="The article number, such as TENT-2P-GREEN.")
    pieces: int = Field(default=1, ge=1, description="How many pieces.")


@mcp.tool
def search_products(
    query: Annotated[str, Field(description="Words to look for, in English or Japanese.")],
    department: Annotated[Department | None, Field(description="Only products of this department.")] = None,
    max_price: Annotated[float | None, Field(description="Only products up to this price, in euros.", gt=0)] = None,
) -> list[dict[str, str]]:
    """Find products by words of their name or description, such as "two-person tent".

    Returns up to 20 products with article number, name and price; use check_stock for how many are left.
    """
    return []


@mcp.tool
def check_stock(article: Annotated[str, Field(description="The article number, such as TENT-2P-GREEN.")], branch: str = "") -> int:
    """How many pieces of one article are in stock, in all branches or in one. Needs the number that search_products returns."""
    return 0


@mcp.tool
def reserve_article(
    article: Annotated[str, Field(description="商品番号。例: TENT-2P-GREEN")],
    pieces: Annotated[int, Field(description="取り置く数", ge=1)],
    note=None,
) -> str:
    """⛺ 店頭受け取り用に商品を 48 時間取り置きします。予約番号と受け取り期限を返します。"""
    return ""


@mcp.tool
def cancel_reservation(reservation: Annotated[str, Field(description="The number that reserve_article returned.")]) -> bool:
    return True


@mcp.tool
def rent_equipment(
    items: Annotated[list[RentalItem], Field(description="What to rent, each article once.")],
    first_day: Annotated[str, Field(description="The day to fetch it, such as 2026-07-04.")],
    days: Annotated[int, Field(description="For how many days.")],
    options: Annotated[dict | None, Field(description="Further wishes.")] = None,
) -> str:
    """Rent equipment for a trip: returns the rental's number, its price and where to fetch it. For buying use reserve_article."""
    return ""


@mcp.tool
def opening_hours() -> str:
    """Opening hours."""
    return ""


@mcp.tool(name="trail.weather")
def weather(place: Annotated[str, Field(description="The hut's or summit's name, such as Watzmannhaus.")]) -> str:
    """The weather forecast for a hut or a summit over the next five days: temperature, wind, rain and risk of thunderstorms."""
    return ""


if __name__ == "__main__":
    mcp.run()
