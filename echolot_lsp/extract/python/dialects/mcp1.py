"""The protocol's types as ``mcp`` 1.x writes them on the wire: names, fields, defaults, and the texts that reach a schema.

Stand-ins: the product never imports ``mcp``. Class docstrings are part of what the server sends (pydantic makes them the
schema's ``description``), so they are kept to the letter. Source: answers of mcp 1.30.0 to ``tools/list`` (2026-11-30).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, UrlConstraints

Uri = Annotated[AnyUrl, UrlConstraints(host_required=False)]


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", defer_build=True)
    __qualified__: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__qualified__ = f"mcp.types.{cls.__name__}"


class ToolAnnotations(_Open):
    title: str | None = None
    readOnlyHint: bool | None = None
    destructiveHint: bool | None = None
    idempotentHint: bool | None = None
    openWorldHint: bool | None = None


class ToolExecution(_Open):
    taskSupport: Literal["forbidden", "optional", "required"] | None = None


class Icon(_Open):
    """An icon for display in user interfaces."""

    src: str
    mimeType: str | None = None
    sizes: list[str] | None = None


class Annotations(_Open):
    audience: list[Literal["user", "assistant"]] | None = None
    priority: Annotated[float, Field(ge=0.0, le=1.0)] | None = None


class ResourceContents(_Open):
    """The contents of a specific resource or sub-resource."""

    uri: Uri
    mimeType: str | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class TextResourceContents(ResourceContents):
    """Text contents of a resource."""

    text: str


class BlobResourceContents(ResourceContents):
    """Binary contents of a resource."""

    blob: str


class TextContent(_Open):
    """Text content for a message."""

    type: Literal["text"]
    text: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ImageContent(_Open):
    """Image content for a message."""

    type: Literal["image"]
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class AudioContent(_Open):
    """Audio content for a message."""

    type: Literal["audio"]
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class Resource(_Open):
    """A known resource that the server is capable of reading."""

    name: str
    title: str | None = None
    uri: Uri
    description: str | None = None
    mimeType: str | None = None
    size: int | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class ResourceLink(Resource):
    """
    A resource that the server is capable of reading, included in a prompt or tool call result.

    Note: resource links returned by tools are not guaranteed to appear in the results of `resources/list` requests.
    """

    type: Literal["resource_link"]


class EmbeddedResource(_Open):
    """
    The contents of a resource, embedded into a prompt or tool call result.

    It is up to the client how best to render embedded resources for the benefit
    of the LLM and/or the user.
    """

    type: Literal["resource"]
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource


class CallToolResult(_Open):
    """The server's response to a tool call."""

    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    content: list[ContentBlock]
    structuredContent: dict[str, Any] | None = None
    isError: bool = False


class Tool(_Open):
    """Definition for a tool the client can call."""

    name: str
    title: str | None = None
    description: str | None = None
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any] | None = None
    icons: list[Icon] | None = None
    annotations: ToolAnnotations | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    execution: ToolExecution | None = None
