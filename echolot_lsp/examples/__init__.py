"""An outdoor shop as a JSON tool list and as a FastMCP server, with something to find in both. Neither is ever imported."""
