"""Messages say what is so, once, and no more than is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echolot_lsp.model import Finding, Server, Source, Span, Tool, Unresolved
from echolot_lsp.rules import all_rules
from echolot_lsp.verdict import verdicts
from tests.rules.lists import report_of, server_of

SCHEMA = {"type": "object", "properties": {"boat": {"type": "string"}, "crew": {"type": "integer"}}}
DOCSTRING = "Hires a boat.\n\n    Args:\n        boat: The boat,\n            by number.\n        crew: How many.\n"


def found(rule: str, server: Server) -> list[Finding]:
    return list(report_of(server, [all_rules()[rule]]).findings)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            {"boat": "The boat, by number.", "crew": "How many."},
            '"boat" and "crew" have no description of their own: the SDK sends the docstring\'s text on them inside the tool\'s description only.',
        ),
        (
            {"boat": "A number", "crew": "A count"},
            '"boat" and "crew" have no description of their own: the SDK does not send the text that Annotated holds for them.',
        ),
        (
            {"boat": "A number", "crew": "How many."},
            '"boat" and "crew" have no description of their own: the SDK does not send the source\'s text on them as such.',
        ),
        (
            {"crew": "How many."},
            '"boat" and "crew" have no description of their own: the SDK sends the docstring\'s text on 1 of them inside the tool\'s description only.',
        ),
        ({}, '"boat" and "crew" have no description.'),
    ],
)
def test_where_the_source_has_a_text_the_message_says_what_becomes_of_it(texts: dict[str, str], said: str) -> None:
    tool = Tool({"name": "hire", "description": DOCSTRING, "inputSchema": SCHEMA}, hints={"unsent_descriptions": texts})
    (finding,) = found("param-no-description", replace(server_of(()), tools=(tool,), origin="python", framework="sdk"))
    assert finding.message == said
    assert finding.advice.startswith("Write it as Field" if len(texts) == 2 else "One line for each")


@pytest.mark.parametrize(
    ("name", "description", "said"),
    [
        ("get_tags", "Get all tags.", '"Get all tags." says no more than the name "get_tags".'),
        (
            "get_checklist",
            "Get a checklist and its Items.",
            '"Get a checklist and its Items." adds only "Items" to the name "get_checklist".',
        ),
    ],
)
def test_a_description_that_restates_the_name_is_told_by_what_it_adds(name: str, description: str, said: str) -> None:
    (finding,) = found("description-restates-name", server_of([{"name": name, "description": description}]))
    assert finding.message == said


def test_what_is_done_to_every_tool_is_said_once_of_the_list() -> None:
    why = "the transform `Search` is not evaluated, which may change it"
    tools = tuple(Tool({"name": name}) for name in ("a", "b", "c"))
    unresolved = (
        Unresolved(None, (), why.partition(",")[0]),
        *(Unresolved(index, (), why) for index in range(3)),
        Unresolved(1, ("description",), "its text is not known"),
    )
    server = replace(server_of(()), tools=tools, origin="python", unresolved=unresolved)
    assert [(finding.index, finding.message) for finding in found("py-dynamic", server)] == [
        (None, "All 3 tools may differ from what the source says (the transform `Search` is not evaluated)."),
        (1, "The description is not known from the source (its text is not known)."),
    ]


def test_a_note_that_stands_for_itself_is_said_of_its_tool_or_of_the_list() -> None:
    unresolved = (Unresolved(None, (), "it takes too many steps"), Unresolved(0, (), "its registration is not known."))
    server = replace(server_of(()), tools=(Tool({"name": "a"}),), origin="python", unresolved=unresolved)
    assert [(finding.index, finding.message) for finding in found("py-dynamic", server)] == [
        (None, "Part of this list is not known from the source (it takes too many steps)."),
        (0, "This tool is not known from the source (its registration is not known)."),
    ]


def test_what_gemini_is_not_told_of_closed_arguments_is_said_for_one_tool_and_for_many() -> None:
    closed = {"name": "hire", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False}}
    said = [verdicts(tools, [])["gemini"].why[0].text for tools in ([closed], [closed, {"name": "a", "inputSchema": {}}])]
    assert said == [
        "There is no field for `additionalProperties`, so a model is not told that no other arguments are allowed.",
        "There is no field for `additionalProperties`, so for 1 of 2 tools a model is not told that no other arguments are allowed.",
    ]


@pytest.mark.parametrize("rule", ["names-confusable", "descriptions-same"])
def test_a_declaration_that_two_branches_may_make_is_not_called_two_tools(rule: str) -> None:
    here, there = Span("app.py", "", 0, 9), Span("app.py", "", 20, 29)
    wire = {"name": "moor", "description": "Moors a ship at the berth that it was given."}
    for homes, unresolved, count in (
        ((here, here), (Unresolved(None, (), "a branch is not evaluated"),), 0),
        ((here, here), (Unresolved(0, ("title",), "a call"),), 2),
        ((here, there), (Unresolved(None, (), "a branch is not evaluated"),), 2),
    ):
        tools = tuple(Tool(wire, home=home) for home in homes)
        sources = {"app.py": Source("app.py", "x" * 40)}
        server = replace(server_of(()), tools=tools, sources=sources, origin="python", unresolved=unresolved)
        assert len(found(rule, server)) == count


def test_such_a_list_is_not_called_twice_as_long() -> None:
    tools = tuple(Tool({"name": f"tool_{number}"}, home=Span("app.py", "", number, number + 1)) for number in range(30))
    sources = {"app.py": Source("app.py", "x" * 40)}
    unresolved = (Unresolved(None, (), "a branch is not evaluated"),)
    server = replace(server_of(()), tools=tools + tools, sources=sources, origin="python", unresolved=unresolved)
    assert found("tools-over-40", server) == []
    (finding,) = found("tools-over-40", replace(server, tools=tools * 2, unresolved=()))
    assert finding.message.startswith("The list has 60 tools")


def test_tools_that_something_may_take_out_of_the_list_are_not_counted() -> None:
    tools = tuple(Tool({"name": f"tool_{number}", "description": "Opens the lock. " * 200}) for number in range(150))
    server = replace(server_of(()), tools=tools, origin="python")
    may_go = tuple(Unresolved(index, (), "the transform `Search` is not evaluated") for index in range(150))
    for rule in ("tools-over-128", "list-over-20000-tokens"):
        assert len(found(rule, server)) == 1
        assert found(rule, replace(server, unresolved=may_go)) == []
        (finding,) = found(rule, replace(server, unresolved=may_go[:10]))
        assert "140 tools" in finding.message
        assert "at least" in finding.message
