"""What a framework raises while it reads a declaration, and the plain sentences for it."""

from __future__ import annotations

from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic_core import PydanticOmit, SchemaError

from echolot_lsp.extract.python.declaration import Failure, NameNotFound
from echolot_lsp.model import Path

REFUSALS = (
    PydanticUserError,
    PydanticUndefinedAnnotation,
    PydanticOmit,
    SchemaError,
    NameError,
    TypeError,
    ValueError,
    RuntimeError,
)
"""What pydantic raises for a type it cannot take; anything else is no statement about the source."""


class Refused(Exception):
    """The framework raises while it reads this declaration."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


_SENTENCES = {
    "PydanticSchemaGenerationError": "Pydantic cannot make a schema of the type of {what}.",
    "PydanticInvalidForJsonSchema": "The type of {what} has no JSON schema.",
    "PydanticUserError": "The type of {what} is not fully defined when the tool is registered.",
    "PydanticUndefinedAnnotation": "The type of {what} is not defined when the tool is registered.",
}


def refusal(error: BaseException, parameter: str | None = None, what: str | None = None) -> Failure:
    """What stops the server when pydantic refuses a type."""
    name = type(error).__name__
    subject = what or (f"`{parameter}`" if parameter else "a parameter")
    text = _SENTENCES.get(name, "Pydantic refuses the type of {what}.").format(what=subject)
    return Failure(exception=name, message=text, path=_path(parameter), parameter=parameter)


def undefined(exception: str, missing: NameNotFound, parameter: str | None) -> Failure:
    """What stops the server when an annotation names what the module does not hold at run time."""
    reason = {
        "local": "is local to a function, where a postponed annotation cannot see it",
        "type-checking": "is imported for type checkers only",
        "nowhere": "is not defined when the tool is registered",
    }[missing.why]
    return Failure(exception, f"`{missing.name}` {reason}.", path=_path(parameter), parameter=parameter)


def _path(parameter: str | None) -> Path:
    return ("inputSchema", "properties", parameter) if parameter else ("inputSchema",)
