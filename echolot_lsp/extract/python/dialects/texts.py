"""Where a tool's texts came from, and which texts of the source are not sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from echolot_lsp.extract.python.declaration import Origin, ParameterDecl
from echolot_lsp.extract.python.dialects import docstrings
from echolot_lsp.extract.python.dialects.signature import Input, lone_text
from echolot_lsp.model import Path


def name_origins(given: Mapping[str, Any]) -> dict[Path, Origin]:
    """Where name and title came from."""
    origins: dict[Path, Origin] = {("name",): Origin("argument", "name") if given.get("name") else Origin("name")}
    if given.get("title") is not None:
        origins["title",] = Origin("argument", "title")
    return origins


def property_origins(found: Input, parameters: Sequence[ParameterDecl]) -> dict[Path, Origin]:
    """Where the descriptions of the properties came from, as far as pydantic wrote them."""
    by_name = {item.name: item for item in parameters}
    origins: dict[Path, Origin] = {}
    for name, schema in found.schema.get("properties", {}).items():
        if isinstance(schema, dict) and "description" in schema and found.parameters.get(name) in by_name:
            parameter = by_name[found.parameters[name]]
            in_default = isinstance(parameter.default, FieldInfo) and parameter.default.description is not None
            path = ("inputSchema", "properties", name, "description")
            origins[path] = Origin("default" if in_default else "annotation", parameter.name)
    return origins


def unsent(found: Input, parameters: Sequence[ParameterDecl], doc: Any) -> dict[str, str]:
    """Texts that the source has for properties without a description: of the docstring, or alone in ``Annotated``."""
    lacking = {
        name: found.parameters.get(name, name)
        for name, schema in found.schema.get("properties", {}).items()
        if isinstance(schema, dict) and "description" not in schema
    }
    if not lacking:
        return {}
    texts: dict[str, str] = {}
    if isinstance(doc, str):
        texts.update(docstrings.parameter_texts(docstrings.cleaned(doc).text))
    for item in parameters:
        text = lone_text(item.annotation)
        if text is not None:
            texts[item.name] = text
    return {name: texts[parameter] for name, parameter in lacking.items() if texts.get(parameter, "").strip()}
