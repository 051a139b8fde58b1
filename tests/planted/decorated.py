"""A shop with one planted fault for each rule of a single tool: 19 tools as decorated functions."""

from typing import Annotated, Any, Literal

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field, WithJsonSchema

mcp = FastMCP("shop")


class Address(BaseModel):
    street: Annotated[str, Field(description="Street and number, e.g. Seeweg 4")]
    city: Annotated[str, Field(description="Town, e.g. Thun")]


@mcp.tool(name="export.tax report")
#              ^^^^^^^^^^^^^^^^^^^ name-not-accepted
def export_tax_report(
    year: Annotated[int, Field(description="Tax year with four digits, e.g. 2025")],
) -> str:
    """Builds the yearly tax statement of one shop as a PDF and returns a download link valid for an hour. Use it only after the books of that year are closed."""
    return ""


@mcp.tool()
def archive_ticket(
#   ^^^^^^^^^^^^^^ no-description
    ticket_id: Annotated[str, Field(description="Support ticket number, e.g. T-1042")],
) -> str:
    return ""


@mcp.tool()
def list_couriers(
    country: Annotated[str, Field(description="Two-letter country code, e.g. CH")] = "",
) -> str:
    """List couriers."""
#   ^^^^^^^^^^^^^^^^^^^^ description-restates-name
    return ""


@mcp.tool()
def plan_van_route(
    van_id: Annotated[str, Field(description="Van number plate, e.g. ZH 48213")],
    day: Annotated[str, Field(description="Day to plan, ISO date, e.g. 2026-03-14")],
    depot: Annotated[str, Field(description="Depot code, e.g. BSL1")],
) -> str:
    """Plans the route of one delivery van for a day and returns the stops in driving order with the arrival time at each. It needs the van, the day and the depot where the van starts. Roads closed by the police are left out of the plan, and bridges too low for the vehicle are avoided. Parcels that must stay cold are placed early so that they reach their buyers before noon. Drivers get forty minutes of rest after four hours at the wheel, as the law of most countries asks. When two stops lie in one street they are served together, even if one of them was ordered later. Ferries count as rest but their crossing time is added, together with twenty minutes for boarding. Tolls are added up and shown apart from fuel, since some shops bill them to the buyer. A stop that cannot be reached before the shop closes is moved to the next day and listed at the end. Electric vans get a charging halt when their battery would fall under fifteen percent. Heavy goods are never put on top of fragile ones, so the loading list may differ from the stop list. Buyers who asked for a quiet delivery are visited between nine and eleven in the morning. Snow and ice slow the plan by a third in the mountains; the weather comes from the national office. The plan is kept for ninety days, after that only the distance and the number of stops remain. Changing a plan that has started is not possible; make a new one for the rest of the day instead. Signatures are asked for above a value of two hundred francs unless the shop has waived them. Empty crates are picked up on the way back and counted against the deposit of the buyer. Use it in the evening for the following day, never for a van that is already on the road."""
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ description-long
    return ""


@mcp.tool()
def convert_currency(
    amount: Annotated[Any, Field(description="Amount to change, e.g. 12.50")],
#   ^^^^^^ param-no-type
    to: Annotated[str, Field(description="Target currency, three letters, e.g. EUR")],
) -> str:
    """Changes an amount of money from one currency to another at the rate of the central bank of yesterday and returns it rounded to cents."""
    return ""


@mcp.tool()
def annotate_shipment(
    shipment_id: Annotated[str, Field(description="Consignment number, e.g. SH-9001")],
    remarks: Annotated[dict[str, Any], Field(description="Remarks of the agent")],
#   ^^^^^^^ param-free-object
) -> str:
    """Attaches remarks of the forwarding agent to one consignment; the next scan prints them on the label."""
    return ""


@mcp.tool()
def translate_label(
    label_id: Annotated[str, Field(description="Label number, e.g. CL-5")],
    language: str,
#   ^^^^^^^^ param-no-description
) -> str:
    """Renders the care label of a garment in another language and returns the text with washing symbols spelled out."""
    return ""


@mcp.tool()
def register_wholesaler(
    company: Annotated[str, Field(description="Legal name, e.g. Alpen Sport AG")],
    address: Annotated[Address, Field(description="Seat of the company")],
#   ^^^^^^^ uses-ref
) -> str:
    """Opens an account for a company that buys in bulk and returns its customer number; a person checks the papers within two days."""
    return ""


@mcp.tool()
def lookup_postcode(
    postcode: Annotated[str, Field(description="Postal code, four digits, e.g. 3600", pattern=r"^[0-9]{4}$")],
#                                                                                             ^^^^^^^^^^^^^ gemini-drops-keyword
) -> str:
    """Finds the town and canton that belong to a Swiss postal code and says whether express delivery reaches it."""
    return ""


@mcp.tool()
def write_garment_sheet(
#   ^^^^^^^^^^^^^^^^^^^ schema-large
    material_note: Annotated[str, Field(description="Remark on the material of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for material: as in spring 2025, see sheet 11, column A")] = "",
    lining_note: Annotated[str, Field(description="Remark on the lining of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for lining: as in spring 2025, see sheet 12, column B")] = "",
    zip_note: Annotated[str, Field(description="Remark on the zip of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for zip: as in spring 2025, see sheet 13, column C")] = "",
    hood_note: Annotated[str, Field(description="Remark on the hood of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for hood: as in spring 2025, see sheet 14, column D")] = "",
    pocket_note: Annotated[str, Field(description="Remark on the pocket of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for pocket: as in spring 2025, see sheet 15, column E")] = "",
    seam_note: Annotated[str, Field(description="Remark on the seam of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for seam: as in spring 2025, see sheet 16, column F")] = "",
    colour_note: Annotated[str, Field(description="Remark on the colour of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for colour: as in spring 2025, see sheet 17, column G")] = "",
    pattern_note: Annotated[str, Field(description="Remark on the pattern of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for pattern: as in spring 2025, see sheet 18, column H")] = "",
    cuff_note: Annotated[str, Field(description="Remark on the cuff of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for cuff: as in spring 2025, see sheet 19, column I")] = "",
    collar_note: Annotated[str, Field(description="Remark on the collar of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for collar: as in spring 2025, see sheet 20, column J")] = "",
    button_note: Annotated[str, Field(description="Remark on the button of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for button: as in spring 2025, see sheet 21, column K")] = "",
    insulation_note: Annotated[str, Field(description="Remark on the insulation of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for insulation: as in spring 2025, see sheet 22, column L")] = "",
    membrane_note: Annotated[str, Field(description="Remark on the membrane of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for membrane: as in spring 2025, see sheet 23, column M")] = "",
    weight_note: Annotated[str, Field(description="Remark on the weight of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for weight: as in spring 2025, see sheet 24, column N")] = "",
    packing_note: Annotated[str, Field(description="Remark on the packing of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for packing: as in spring 2025, see sheet 25, column O")] = "",
    origin_note: Annotated[str, Field(description="Remark on the origin of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for origin: as in spring 2025, see sheet 26, column P")] = "",
    certificate_note: Annotated[str, Field(description="Remark on the certificate of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for certificate: as in spring 2025, see sheet 27, column Q")] = "",
    care_note: Annotated[str, Field(description="Remark on the care of the garment: what it looks like in the catalogue picture, so that the photographer can stage the garment the same way each season. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for care: as in spring 2025, see sheet 28, column R")] = "",
    warranty_note: Annotated[str, Field(description="Remark on the warranty of the garment: how it is made and which supplier delivers it, with the article number of that supplier when it is known. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for warranty: as in spring 2025, see sheet 29, column S")] = "",
    repair_note: Annotated[str, Field(description="Remark on the repair of the garment: whether it may be changed without a new safety test, and who in the design office has to agree to such a change. Plain sentences, at most three, in the language of the catalogue; leave it out if the previous season still holds. Example for repair: as in spring 2025, see sheet 30, column T")] = "",
) -> str:
    """Saves the technical sheet of a garment for the sewing plant and returns the sheet number; an older sheet is kept as a version."""
    return ""


@mcp.tool()
def filter_raw_goods(
#   ^^^^^^^^^^^^^^^^ params-over-25
#   ^^^^^^^^^^^^^^^^ schema-large
    width: Annotated[str, Field(description="Width code, e.g. W0")] = "",
    height: Annotated[str, Field(description="Height code, e.g. H1")] = "",
    depth: Annotated[str, Field(description="Depth code, e.g. D2")] = "",
    mass: Annotated[str, Field(description="Mass code, e.g. M3")] = "",
    fibre: Annotated[str, Field(description="Fibre code, e.g. F4")] = "",
    shade: Annotated[str, Field(description="Shade code, e.g. S5")] = "",
    gloss: Annotated[str, Field(description="Gloss code, e.g. G6")] = "",
    grain: Annotated[str, Field(description="Grain code, e.g. G7")] = "",
    maker: Annotated[str, Field(description="Maker code, e.g. M8")] = "",
    batch: Annotated[str, Field(description="Batch code, e.g. B9")] = "",
    shelf: Annotated[str, Field(description="Shelf code, e.g. S10")] = "",
    aisle: Annotated[str, Field(description="Aisle code, e.g. A11")] = "",
    floor: Annotated[str, Field(description="Floor code, e.g. F12")] = "",
    depot: Annotated[str, Field(description="Depot code, e.g. D13")] = "",
    owner: Annotated[str, Field(description="Owner code, e.g. O14")] = "",
    buyer: Annotated[str, Field(description="Buyer code, e.g. B15")] = "",
    agent: Annotated[str, Field(description="Agent code, e.g. A16")] = "",
    phase: Annotated[str, Field(description="Phase code, e.g. P17")] = "",
    grade: Annotated[str, Field(description="Grade code, e.g. G18")] = "",
    scale: Annotated[str, Field(description="Scale code, e.g. S19")] = "",
    speed: Annotated[str, Field(description="Speed code, e.g. S20")] = "",
    angle: Annotated[str, Field(description="Angle code, e.g. A21")] = "",
    pitch: Annotated[str, Field(description="Pitch code, e.g. P22")] = "",
    power: Annotated[str, Field(description="Power code, e.g. P23")] = "",
    noise: Annotated[str, Field(description="Noise code, e.g. N24")] = "",
    smell: Annotated[str, Field(description="Smell code, e.g. S25")] = "",
) -> str:
    """Finds rolls and crates in the raw goods store that match all given traits and returns their places, nearest to the ramp first."""
    return ""


@mcp.tool()
def move_spare_part(
    part_no: Annotated[str, Field(description="Part number, e.g. SP-300")],
    site: Annotated[dict[str, Any], WithJsonSchema({"type": "object", "description": "The site that holds it", "properties": {"building": {"type": "object", "description": "The building that holds it", "properties": {"floor": {"type": "object", "description": "The floor that holds it", "properties": {"hall": {"type": "object", "description": "The hall that holds it", "properties": {"aisle": {"type": "object", "description": "The aisle that holds it", "properties": {"cabinet": {"type": "object", "description": "The cabinet that holds it", "properties": {"drawer": {"type": "object", "description": "The drawer that holds it", "properties": {"bin": {"type": "string", "description": "Name of the innermost bin, e.g. B-3"}}}}}}}}}}}}}}})],
#   ^^^^ nested-over-5
) -> str:
    """Moves one spare part to another storage place and returns the old place, so that the move can be undone."""
    return ""


@mcp.tool()
def set_fabric_code(
    roll: Annotated[str, Field(description="Roll number, e.g. R-18")],
    weave: Annotated[Literal["AP", "AQ", "AR", "AS", "AT", "AU", "BP", "BQ", "BR", "BS", "BT", "BU", "CP", "CQ", "CR", "CS", "CT", "CU", "DP", "DQ", "DR", "DS", "DT", "DU", "EP", "EQ", "ER", "ES", "ET", "EU", "FP", "FQ", "FR", "FS", "FT", "FU", "GP", "GQ", "GR", "GS", "GT", "GU"], Field(description="Weave code of the mill, e.g. AP")],
#   ^^^^^ enum-over-40
) -> str:
    """Marks a fabric roll with the weave code of the mill; reports printed later show the code in words."""
    return ""


@mcp.tool()
def get_user_profile(
#   ^^^^^^^^^^^^^^^^ names-confusable
    nickname: Annotated[str, Field(description="Nickname as shown beside a review, e.g. alpinist7")],
) -> str:
    """Returns the public profile of a reviewer: nickname, country and the number of reviews written so far."""
    return ""


@mcp.tool()
def getUserProfile(
#   ^^^^^^^^^^^^^^ names-confusable
    login: Annotated[str, Field(description="Login of the employee, e.g. mkeller")],
) -> str:
    """Shows the employee record behind a login, with department, manager and working time model."""
    return ""


@mcp.tool()
def send_first_dunning(
    bill_no: Annotated[str, Field(description="Bill number, e.g. B-2026-17")],
) -> str:
    """Sends a reminder by post about an unpaid bill and returns the date on which the letter will leave the printing house."""
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ descriptions-same
    return ""


@mcp.tool()
def send_final_dunning(
    bill_no: Annotated[str, Field(description="Bill number, e.g. B-2026-17")],
) -> str:
    """Sends a reminder by post about an unpaid bill and returns the date on which the letter will leave the printing house."""
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ descriptions-same
    return ""


@mcp.tool()
def find_tent_offers(
    max_price: Annotated[int, Field(description="Highest price in francs, e.g. 400")],
) -> str:
    """Searches the summer catalogue for tents below a price; returns twenty offers, each with picture, weight, stock per shop."""
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ descriptions-similar
    return ""


@mcp.tool()
def find_stove_offers(
    max_price: Annotated[int, Field(description="Highest price in francs, e.g. 90")],
) -> str:
    """Searches the summer catalogue for stoves below a price; returns twenty offers, each with picture, fuel, stock per shop."""
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ descriptions-similar
    return ""
