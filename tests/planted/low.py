"""The same shop's four tools whose schemas no decorator writes, as a low-level list."""

import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("shop")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="bulk_cancel_orders",
            description="Cancels every order in the given array and tells which ones had already left the warehouse. Refunds start at once.",
            inputSchema={"type": "array", "items": {"type": "string"}},
#           ^^^^^^^^^^^ schema-not-object
        ),
        types.Tool(
            name="get_opening_hours",
            description="Tells when the shops open and close this week, one line a shop, holidays included. Takes no input.",
            inputSchema={"type": "object"},
#           ^^^^^^^^^^^ schema-no-properties
        ),
        types.Tool(
            name="store_preferences",
            description="Remembers the wishes of a buyer between visits, such as language and newsletter topics, and returns all that is stored.",
            inputSchema={"type": "object", "properties": {}, "additionalProperties": True},
#           ^^^^^^^^^^^ accepts-any-object
#                                                                                    ^^^^ gemini-drops-keyword
        ),
        types.Tool(
            name="reserve_pickup_slot",
            description="Holds a collection window at a parcel locker for thirty minutes and returns the code that opens the door.",
            inputSchema={"type": "object", "properties": {"locker_id": {"type": "string", "description": "Locker number, e.g. L-77"}}, "required": ["locker_id", "window_start"]},
#                                                                                                                                                                ^^^^^^^^^^^^^^ required-undefined
        ),
    ]
