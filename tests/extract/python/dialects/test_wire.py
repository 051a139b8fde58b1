"""What a dialect makes of a declaration: parts that are not known, failures, origins, facts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from inspect import _ParameterKind as Kind
from typing import Annotated, Any, Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

from echolot_lsp.extract.python.declaration import (
    EMPTY,
    FrameworkObject,
    FunctionDecl,
    NameNotFound,
    Origin,
    Outcome,
    ParameterDecl,
    Profile,
    ToolDecl,
    framework_class,
)
from echolot_lsp.extract.python.dialects import server, wire
from echolot_lsp.extract.python.dialects.types import stand_in, unknown_type
from echolot_lsp.model import Unknown, is_known

SDK1, SDK2 = Profile("sdk", "1.30.0"), Profile("sdk", "2.3.0")
FAST2, FAST3, FAST4 = Profile("fastmcp", "2.14.7"), Profile("fastmcp", "3.4.11"), Profile("fastmcp", "4.2.3")
ALL = [SDK1, SDK2, FAST2, FAST3, FAST4]
HIGH = [FAST2, FAST3, FAST4]
WHY = Unknown("a package that is not here")

every = pytest.mark.parametrize("profile", ALL, ids=lambda profile: f"{profile.framework}{profile.major}")


class Place(BaseModel):
    """Where something is."""

    name: str
    inside: list[Place] = []


def tool(*parameters: ParameterDecl, returns: Any = EMPTY, doc: Any = "Do it.", given: Any = None, **kwargs: Any) -> ToolDecl:
    via = kwargs.pop("via", "decorator")
    function = FunctionDecl("do_it", "do_it", doc=doc, parameters=parameters, returns=returns, **kwargs)
    return ToolDecl(function, given or {}, via)


def parameter(name: str, annotation: Any = EMPTY, default: Any = EMPTY, **kwargs: Any) -> ParameterDecl:
    return ParameterDecl(name, annotation=annotation, default=default, **kwargs)


def listed(decl: ToolDecl, profile: Profile) -> dict[str, Any]:
    outcome = wire(decl, profile)
    assert outcome.failures == ()
    assert outcome.wire is not None
    return dict(outcome.wire)


def failure(decl: ToolDecl, profile: Profile) -> Any:
    outcome = wire(decl, profile)
    assert outcome.wire is None
    return outcome.failures[0]


KNOWN = [
    parameter("query", Annotated[str, Field(description="Words")]),
    parameter("tags", list[str]),
    parameter("limit", int, 10),
    parameter("kind", Literal["a", "b"], "a"),
    parameter("where", Optional[dict[str, float]], None),  # noqa: UP045 - the old spelling
]


@every
@given(unknown=st.sets(st.integers(0, 4)))
def test_an_unknown_parameter_leaves_the_others_as_they_are(profile: Profile, unknown: set[int]) -> None:
    whole = listed(tool(*KNOWN), profile)["inputSchema"]
    parts = [parameter(item.name, WHY, item.default) if i in unknown else item for i, item in enumerate(KNOWN)]
    schema = listed(tool(*parts), profile)["inputSchema"]
    assert list(schema["properties"]) == list(whole["properties"])
    assert schema["required"] == whole["required"]
    for i, item in enumerate(KNOWN):
        expected = WHY if i in unknown else whole["properties"][item.name]
        assert schema["properties"][item.name] == expected


@every
def test_an_unknown_default_is_unknown_and_makes_the_parameter_optional(profile: Profile) -> None:
    schema = listed(tool(parameter("n", int, WHY), parameter("m", int, Field(WHY, description="M"))), profile)["inputSchema"]
    assert schema["properties"]["n"]["default"] == WHY
    assert schema["properties"]["n"]["type"] == "integer"
    assert schema["properties"]["m"]["default"] == WHY
    assert "required" not in schema


@every
def test_an_unknown_type_inside_another_is_unknown_only_there(profile: Profile) -> None:
    schema = listed(tool(parameter("items", list[unknown_type("x")] | None, None)), profile)["inputSchema"]  # type: ignore[misc]
    assert schema["properties"]["items"]["anyOf"][0] == {"type": "array", "items": Unknown("x")}


@every
def test_an_unknown_docstring_leaves_the_schema_known(profile: Profile) -> None:
    answer = listed(tool(parameter("a", int), doc=WHY), profile)
    assert answer["description"] == WHY
    assert answer["inputSchema"]["properties"]["a"]["type"] == "integer"
    described = answer["inputSchema"]["properties"]["a"].get("description")
    assert described == (WHY if profile in (FAST3, FAST4) else None)


@every
def test_an_unknown_result_is_unknown(profile: Profile) -> None:
    assert listed(tool(returns=WHY), profile)["outputSchema"] == WHY
    foreign = framework_class("mcp.types.Something")
    assert not is_known(listed(tool(returns=foreign), profile)["outputSchema"])


@every
def test_a_frameworks_class_without_a_stand_in_is_unknown_not_a_failure(profile: Profile) -> None:
    schema = listed(tool(parameter("a", framework_class("mcp.types.Something")), parameter("b", int)), profile)["inputSchema"]
    assert isinstance(schema["properties"]["a"], Unknown)
    assert schema["properties"]["b"]["type"] == "integer"


@every
def test_unknown_names_annotations_and_icons_stay_unknown(profile: Profile) -> None:
    hints = FrameworkObject("mcp.types.ToolAnnotations", (), {"title": WHY, "readOnlyHint": True})
    icon = FrameworkObject("mcp.types.Icon", (), {"src": WHY, "sizes": ["8x8"]})
    answer = listed(tool(given={"name": WHY, "annotations": hints, "icons": [icon], "meta": {"a": WHY}}), profile)
    assert answer["name"] == WHY
    assert answer["annotations"] == {"title": WHY, "readOnlyHint": True}
    assert answer["icons"] == [{"src": WHY, "sizes": ["8x8"]}]
    assert answer["_meta"]["a"] == WHY


@every
def test_the_name_and_the_title(profile: Profile) -> None:
    assert listed(tool(given={"name": "other"}), profile)["name"] == "other"
    plain = listed(tool(), profile)
    assert plain["name"] == "do_it"
    assert plain.get("title") == ("Do It" if profile is FAST4 else None)
    assert listed(tool(given={"title": "T"}), profile)["title"] == "T"


@every
def test_the_context_is_left_out(profile: Profile) -> None:
    module = "fastmcp" if profile.framework == "fastmcp" else "mcp.server.fastmcp"
    context = stand_in(f"{module}.Context", profile)
    for annotation in (context, context | None, Annotated[context, "the context"]):
        assert list(listed(tool(parameter("a", int), parameter("ctx", annotation)), profile)["inputSchema"]["properties"]) == ["a"]


def test_injected_parameters_are_left_out() -> None:
    depends = FrameworkObject("fastmcp.dependencies.Depends")
    resolve = FrameworkObject("mcp.server.mcpserver.Resolve")
    for profile in HIGH:
        assert listed(tool(parameter("user", str, depends)), profile)["inputSchema"]["properties"] == {}
        assert listed(tool(parameter("user", Annotated[str, depends])), profile)["inputSchema"]["properties"] == {}
    assert listed(tool(parameter("user", Annotated[str, resolve])), SDK2)["inputSchema"]["properties"] == {}


Failing = tuple[ToolDecl, Profile, str, str]
LATE = NameNotFound("Late", "local")

FAILING: list[Failing] = [
    (tool(parameter("x", LATE)), SDK1, "InvalidSignature", "py-list-fails"),
    (tool(parameter("x", LATE)), FAST4, "NameError", "py-list-fails"),
    (tool(returns=LATE), SDK2, "InvalidSignature", "py-list-fails"),
    (tool(returns=LATE), FAST2, "NameError", "py-list-fails"),
    (tool(parameter("_x", int)), SDK1, "InvalidSignature", "py-param-underscore"),
    (tool(parameter("x", Optional[Place], None, quoted_inside=("Place",))), SDK1, "PydanticUserError", "py-list-fails"),  # noqa: UP045
    (tool(parameter("x", threading.Thread)), FAST3, "PydanticSchemaGenerationError", "py-list-fails"),
    (tool(parameter("x", threading.Thread)), SDK2, "PydanticInvalidForJsonSchema", "py-list-fails"),
    (tool(parameter("x", Callable[[int], str])), SDK1, "PydanticInvalidForJsonSchema", "py-list-fails"),
    (tool(parameter("x", kind=Kind.VAR_POSITIONAL)), FAST2, "ValueError", "py-list-fails"),
    (tool(parameter("x", kind=Kind.VAR_KEYWORD)), FAST4, "ValueError", "py-list-fails"),
    (tool(parameter("x", int, kind=Kind.POSITIONAL_ONLY)), FAST4, "ValueError", "py-list-fails"),
    (tool(parameter("self"), parameter("x", int)), FAST3, "TypeError", "py-list-fails"),
    (tool(via="decorator-bare"), SDK2, "TypeError", "py-decorator-not-called"),
    (tool(kind="callable"), SDK1, "AttributeError", "py-list-fails"),
    (tool(kind="callable"), FAST4, "TypeError", "py-list-fails"),
    (tool(kind="partial"), FAST4, "TypeError", "py-list-fails"),
    (tool(kind="tool"), FAST2, "TypeError", "py-list-fails"),
    (tool(via="add_tool"), FAST2, "AttributeError", "py-list-fails"),
    (tool(given={"exclude_args": ["x"]}), FAST4, "TypeError", "py-list-fails"),
    (tool(given={"exclude_args": ["x"]}), FAST3, "ValueError", "py-list-fails"),
    (tool(given={"enabled": False}), FAST3, "TypeError", "py-list-fails"),
    (tool(given={"structured_output": True}), SDK2, "InvalidSignature", "py-list-fails"),
    (tool(given={"output_schema": {"type": "array"}}), FAST4, "ValueError", "py-list-fails"),
    (tool(given={"title": "T"}), Profile("sdk", "1.9.4"), "TypeError", "py-list-fails"),
]


@pytest.mark.parametrize(("decl", "profile", "exception", "rule"), FAILING)
def test_what_stops_the_server(decl: ToolDecl, profile: Profile, exception: str, rule: str) -> None:
    found = failure(decl, profile)
    assert (found.exception, found.rule, found.scope) == (exception, rule, "server")
    assert found.message.endswith(".")


def test_a_failure_names_its_parameter() -> None:
    found = failure(tool(parameter("a", int), parameter("b", threading.Thread), parameter("c", int)), FAST4)
    assert found.parameter == "b"
    assert found.path == ("inputSchema", "properties", "b")
    assert "`b`" in found.message


def test_a_type_that_holds_itself_leaves_fastmcp_2_without_an_answer() -> None:
    found = failure(tool(parameter("where", Place)), FAST2)
    assert (found.exception, found.scope) == ("no answer", "list")
    for profile in (SDK1, SDK2, FAST3, FAST4):
        assert "$ref" in json.dumps(listed(tool(parameter("where", Place)), profile)["inputSchema"])


def test_a_result_that_is_no_object_fails_the_whole_list_with_mcp_2() -> None:
    names = type("Names", (RootModel[list[str]],), {})
    assert failure(tool(returns=names), SDK2).scope == "list"
    assert listed(tool(returns=names), SDK1)["outputSchema"]["type"] == "array"


def test_a_tool_that_is_switched_off_is_not_listed() -> None:
    assert wire(tool(given={"enabled": False}), FAST2) == Outcome(
        wire=None,
        origins=wire(tool(given={"enabled": False}), FAST2).origins,
    )


def test_a_parameter_called_model_config_vanishes_from_the_sdk() -> None:
    outcome = wire(tool(parameter("a", int), parameter("model_config", str, "")), SDK1)
    assert outcome.wire is not None
    assert list(outcome.wire["inputSchema"]["properties"]) == ["a"]
    assert [fact.rule for fact in outcome.facts] == ["py-param-reserved"]


def test_snake_case_hints_are_told_for_mcp_1_only() -> None:
    hints = FrameworkObject("mcp.types.ToolAnnotations", (), {"read_only_hint": True})
    decl = tool(given={"annotations": hints})
    assert listed(decl, SDK1)["annotations"] == {"read_only_hint": True}
    assert [fact.rule for fact in wire(decl, SDK1).facts] == ["py-hint-keyword-ignored"]
    assert listed(decl, SDK2)["annotations"] == {"readOnlyHint": True}
    assert wire(decl, SDK2).facts == ()


ARGS = "Do it.\n\n    Args:\n        query: Words to look for.\n        limit: How many.\n    "


def test_texts_that_are_not_sent_are_told() -> None:
    decl = tool(parameter("query", str), parameter("limit", Annotated[int, "A number"], 3), doc=ARGS)
    for profile in (SDK1, SDK2):
        assert wire(decl, profile).unsent_descriptions == {"query": "Words to look for.", "limit": "A number"}
    assert wire(decl, FAST2).unsent_descriptions == {"query": "Words to look for."}
    for profile in (FAST3, FAST4):
        assert wire(decl, profile).unsent_descriptions == {}


def test_origins_say_where_texts_came_from() -> None:
    decl = tool(
        parameter("query", str),
        parameter("n", Annotated[int, Field(description="N")]),
        parameter("m", int, Field(1, description="M")),
        doc=ARGS,
    )
    origins = wire(decl, FAST4).origins
    path = ("inputSchema", "properties")
    start, end = origins[*path, "query", "description"].start, origins[*path, "query", "description"].end
    assert ARGS[start:end] == "Words to look for."
    assert origins[*path, "n", "description"] == Origin("annotation", "n")
    assert origins[*path, "m", "description"] == Origin("default", "m")
    description = origins["description",]
    assert ARGS[description.start : description.end] == "Do it."
    assert origins["name",] == Origin("name")
    assert wire(tool(given={"description": "D"}), SDK1).origins["description",] == Origin("argument", "description")


def test_aliases_are_told() -> None:
    outcome = wire(tool(parameter("from_", Annotated[int, Field(alias="from")])), SDK1)
    assert outcome.properties == {"from": "from_"}
    assert wire(tool(parameter("json", str)), SDK1).properties == {}


@pytest.mark.parametrize(
    ("spelling", "profile", "expected"),
    [
        ("inputSchema", Profile("low", "1.30.0"), None),
        ("input_schema", Profile("low", "2.3.0"), None),
        ("inputSchema", Profile("low", "2.3.0"), None),
        ("input_schema", Profile("low", "1.30.0"), "ValidationError"),
    ],
)
def test_low_level_tools_in_both_spellings(spelling: str, profile: Profile, expected: str | None) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "number", "default": float("inf")}}}
    outcome = wire(ToolDecl(None, {"name": "n", spelling: schema, "description": WHY}, "low"), profile)
    if expected:
        assert outcome.failures[0].exception == expected
    else:
        sent = {"type": "object", "properties": {"a": {"type": "number", "default": None}}}
        assert outcome.wire == {"name": "n", "description": WHY, "inputSchema": sent}


def test_a_transformed_tool_renames_hides_and_redescribes() -> None:
    changes = {
        "query": FrameworkObject("ArgTransform", (), {"name": "words", "description": "Words"}),
        "limit": FrameworkObject("ArgTransform", (), {"hide": True}),
    }
    parent = tool(parameter("query", str), parameter("limit", int, 3), parameter("other", WHY))
    decl = ToolDecl(parent.function, {}, "add_tool", FrameworkObject("Tool.from_tool", (), {"transform_args": changes}), parent)
    schema = listed(decl, FAST3)["inputSchema"]
    assert schema["properties"] == {"words": {"type": "string", "description": "Words"}, "other": WHY}
    assert schema["required"] == ["words", "other"]
    strange = FrameworkObject("Tool.from_tool", (), {"transform_args": {"nowhere": changes["limit"]}})
    assert wire(ToolDecl(parent.function, {}, "add_tool", strange, parent), FAST3).failures[0].exception == "ValueError"


def test_removed_and_new_arguments_of_the_server() -> None:
    assert server({"include_tags": []}, FAST2) is None
    assert server({"include_tags": []}, FAST3) is not None
    assert server({"dereference_schemas": False}, FAST2) is not None
    assert server({"instructions": ""}, FAST4) is None


@every
def test_a_release_that_is_not_known_yet_behaves_as_the_newest(profile: Profile) -> None:
    later = Profile(profile.framework, "9.0.0")
    assert listed(tool(parameter("a", int)), later)["inputSchema"]["properties"]["a"]["type"] == "integer"
