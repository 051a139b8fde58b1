"""The protocol's types as ``mcp`` 2.x writes them on the wire: names, fields, defaults, and the texts that reach a schema.

Stand-ins: the product never imports ``mcp``. Fields are snake case in Python (both spellings are taken) and camel case on the
wire; unknown fields are dropped. Class docstrings are part of what the server sends (pydantic makes them the schema's
``description``), so they are kept to the letter. Source: answers of mcp 2.3.0 to ``tools/list`` (2026-11-30).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from echolot_lsp.extract.python.declaration import framework_class
from echolot_lsp.extract.python.dialects.unread import no_schema


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, defer_build=True)
    __qualified__: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__qualified__ = f"mcp.types.{cls.__name__}"


class ToolAnnotations(_Camel):
    title: str | None = None
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    idempotent_hint: bool | None = None
    open_world_hint: bool | None = None


class ToolExecution(_Camel):
    task_support: Literal["forbidden", "optional", "required"] | None = None


class Icon(_Camel):
    """An optionally-sized icon for display in a user interface (2025-11-25+)."""

    src: str
    mime_type: str | None = None
    sizes: list[str] | None = None
    theme: Literal["light", "dark"] | None = None


class Annotations(_Camel):
    """Optional annotations the client can use to inform how objects are used or displayed."""

    audience: list[Literal["user", "assistant"]] | None = None
    priority: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    last_modified: str | None = None


class ResourceContents(_Camel):
    """The contents of a specific resource or sub-resource."""

    uri: str
    mime_type: str | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class TextResourceContents(ResourceContents):
    """Text contents of a resource."""

    text: str


class BlobResourceContents(ResourceContents):
    """Binary contents of a resource."""

    blob: str


class TextContent(_Camel):
    """Text provided to or from an LLM."""

    type: Literal["text"] = "text"
    text: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ImageContent(_Camel):
    """An image provided to or from an LLM."""

    type: Literal["image"] = "image"
    data: str
    mime_type: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class AudioContent(_Camel):
    """Audio provided to or from an LLM."""

    type: Literal["audio"] = "audio"
    data: str
    mime_type: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class Resource(_Camel):
    """A known resource that the server is capable of reading."""

    name: str
    title: str | None = None
    uri: str
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ResourceLink(Resource):
    """A resource that the server is capable of reading, included in a prompt or tool call result.

    Note: resource links returned by tools are not guaranteed to appear in the results of `resources/list` requests.
    """

    type: Literal["resource_link"] = "resource_link"


class EmbeddedResource(_Camel):
    """The contents of a resource, embedded into a prompt or tool call result.

    It is up to the client how best to render embedded resources for the benefit
    of the LLM and/or the user.
    """

    type: Literal["resource"] = "resource"
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource


CallToolResult = framework_class("mcp.types.CallToolResult", (), no_schema("the schema of CallToolResult"))
InputRequiredResult = framework_class("mcp.types.InputRequiredResult", (), no_schema("the schema of InputRequiredResult"))
"""A result that asks the client for input first: never data, so no schema is made of it."""


class Tool(_Camel):
    """Definition for a tool the client can call."""

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: dict[str, Any]
    execution: ToolExecution | None = None
    output_schema: dict[str, Any] | None = None
    icons: list[Icon] | None = None
    annotations: ToolAnnotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
