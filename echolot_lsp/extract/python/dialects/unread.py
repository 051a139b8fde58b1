"""Types whose schema is not known: pydantic writes a mark, which becomes ``Unknown`` when the finished schema is read."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

UNKNOWN_KEY = "x-echolot-unknown"
"""Marks a schema that is not known, until the finished schema is read: ``{UNKNOWN_KEY: why}``."""


def unknown_type(why: str) -> Any:
    """A type whose schema is ``Unknown(why)``."""
    return Annotated[Any, WithJsonSchema({UNKNOWN_KEY: why})]


def no_schema(why: str) -> dict[str, Any]:
    """The members of a class whose schema is ``Unknown(why)``."""

    def core(cls: Any, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.any_schema()

    def json(cls: Any, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {UNKNOWN_KEY: why}

    return {"__get_pydantic_core_schema__": classmethod(core), "__get_pydantic_json_schema__": classmethod(json)}
