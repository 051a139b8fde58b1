"""From a listing to a server: facts, and places in the declaring source."""

from __future__ import annotations

from typing import Any

from echolot_lsp.extract.live import Failure, Listing, Target
from echolot_lsp.extract.live.server import live_server
from echolot_lsp.model import Place, Places, Server, Source, Span, Tool, Unknown, Unresolved, place_of

TARGET = Target(transport="stdio", command=("harbour",))
SOURCE = Source("app.py", "mcp = Server()\ndef moor(boat): ...\ndef berths(): ...\n")


def tool(name: str, **wire: Any) -> Tool:
    start = SOURCE.text.index(name)
    span = Span("app.py", "", start, start + len(name))
    return Tool(wire={"name": name, **wire}, places=Places({("name",): Place(value=span)}), home=span)


def declared(*tools: Tool, unresolved: tuple[Unresolved, ...] = ()) -> Server:
    return Server(
        name="harbour",
        origin="python",
        path="app.py",
        tools=tools,
        sources={"app.py": SOURCE},
        place=Span("app.py", "", 0, 3),
        unresolved=unresolved,
    )


def listing(*tools: Any, **more: Any) -> Listing:
    return Listing(tools=tools, pages=1, **more)


def rules(server: Server) -> list[str]:
    return [fact.rule for fact in server.facts] + [fact.rule for item in server.tools for fact in item.facts]


def test_a_list_equal_to_its_source_has_no_facts_and_the_sources_places() -> None:
    server = live_server(listing({"name": "moor", "description": "x"}), TARGET, declared=declared(tool("moor", description="x")))
    assert rules(server) == []
    span = place_of(server.tools[0], ("name",))
    assert span is not None
    assert SOURCE.text[span.start : span.end] == "moor"


def test_each_part_that_differs_is_told_at_its_place() -> None:
    source = declared(tool("moor", description="x", inputSchema={"type": "object", "properties": {"boat": {"type": "string"}}}))
    live = {"name": "moor", "description": "y", "inputSchema": {"type": "object", "properties": {"boat": {"type": "integer"}}}}
    facts = live_server(listing(live), TARGET, declared=source).tools[0].facts
    assert [(fact.details["what"], fact.path) for fact in facts] == [
        ("description", ("description",)),
        ("inputSchema", ("inputSchema", "properties", "boat", "type")),
    ]


def test_a_difference_is_named_by_what_differs_and_stands_where_the_source_has_something() -> None:
    schema = {"type": "object", "properties": {"boat": {"type": "string"}}, "required": ["boat"]}
    live = {"name": "moor", "inputSchema": {**schema, "properties": {"boat": {"type": "string", "minLength": 3}}}}
    (fact,) = live_server(listing(live), TARGET, declared=declared(tool("moor", inputSchema=schema))).tools[0].facts
    assert fact.path == ("inputSchema", "properties", "boat")
    assert fact.details == {"what": "inputSchema", "at": "/properties/boat/minLength", "source": "nothing", "live": "3"}


def test_null_and_nothing_are_told_apart_in_a_schema() -> None:
    source = declared(tool("moor", inputSchema={"properties": {"boat": {"default": None}}}))
    found = live_server(listing({"name": "moor", "inputSchema": {"properties": {"boat": {"default": 1}}}}), TARGET, declared=source)
    assert [fact.details["source"] for fact in found.tools[0].facts] == ["null"]
    found = live_server(
        listing({"name": "moor", "title": "Moor", "inputSchema": source.tools[0].wire["inputSchema"]}), TARGET, declared=source
    )
    assert [(fact.details["source"], fact.details["live"]) for fact in found.tools[0].facts] == [("nothing", "Moor")]


def test_order_numbers_and_titles_of_the_frameworks_are_no_difference() -> None:
    source = {"type": "object", "properties": {"title": {"type": "string"}, "b": {"minimum": 1}}, "required": ["title", "b"]}
    live = {"required": ["b", "title"], "properties": {"b": {"minimum": 1.0, "title": "B"}, "title": {"type": "string"}}}
    live |= {"title": "moorArguments", "type": "object"}
    assert (
        rules(
            live_server(listing({"inputSchema": live, "name": "moor"}), TARGET, declared=declared(tool("moor", inputSchema=source)))
        )
        == []
    )
    without = {**live, "properties": {"b": {"minimum": 1}}}
    found = live_server(
        listing({"inputSchema": without, "name": "moor"}), TARGET, declared=declared(tool("moor", inputSchema=source))
    )
    assert [fact.details["at"] for fact in found.tools[0].facts] == ["/properties/title"]


def test_what_the_source_does_not_know_differs_from_nothing() -> None:
    source = declared(tool("moor", description=Unknown("computed"), inputSchema={"properties": {"boat": Unknown("imported")}}))
    live = {"name": "moor", "description": "y", "inputSchema": {"properties": {"boat": {"type": "integer"}}}}
    assert rules(live_server(listing(live), TARGET, declared=source)) == []


def test_fewer_tools_than_the_source_are_named() -> None:
    server = live_server(listing({"name": "moor"}), TARGET, declared=declared(tool("moor"), tool("berths")))
    assert [(fact.rule, fact.details["missing"]) for fact in server.facts] == [("list-shrunk", "berths")]


def test_an_empty_list_beside_a_full_source_is_live_empty() -> None:
    assert rules(live_server(listing(), TARGET, declared=declared(tool("moor")))) == ["live-empty"]


def test_an_empty_list_beside_tools_on_another_object_is_live_empty() -> None:
    server = live_server(listing(), TARGET, declared=declared(), elsewhere=3)
    assert [(fact.rule, fact.details["source"]) for fact in server.facts] == [("live-empty", "3")]


def test_no_tools_capability_is_not_also_live_empty() -> None:
    server = live_server(listing(no_tools="it announces no tools capability"), TARGET, declared=declared(tool("moor")))
    assert rules(server) == ["live-no-tools"]


def test_a_tool_that_only_runs_is_a_difference_unless_the_source_is_open() -> None:
    live = listing({"name": "moor"}, {"name": "tide"})
    assert rules(live_server(live, TARGET, declared=declared(tool("moor")))) == ["live-differs"]
    open_source = declared(tool("moor"), unresolved=(Unresolved(None, (), "built in a loop over files"),))
    assert rules(live_server(live, TARGET, declared=open_source)) == []


def test_a_crash_is_told_with_its_last_line_and_is_not_an_empty_list() -> None:
    crashed = Listing(failure=Failure("crash", "The server ended before it listed its tools: KeyError", "KeyError"))
    assert rules(live_server(crashed, TARGET, declared=declared(tool("moor")))) == ["live-crash"]


def test_a_time_out_is_no_crash() -> None:
    assert rules(live_server(Listing(failure=Failure("timeout", "…")), TARGET)) == []


def test_noise_a_slow_start_and_a_loop_are_facts_of_the_list() -> None:
    server = live_server(listing({"name": "a"}, looped=True, noise=("hi",), noise_lines=2, start_seconds=10.2), TARGET)
    assert {fact.rule: dict(fact.details) for fact in server.facts} == {
        "live-pagination-loop": {"pages": "1"},
        "live-stdout-noise": {"lines": "2", "first": "hi"},
        "live-slow-start": {"seconds": "10.2"},
    }


def test_two_tools_of_one_name_are_paired_in_order() -> None:
    source = declared(tool("moor", description="one"), tool("moor", description="two"))
    server = live_server(
        listing({"name": "moor", "description": "one"}, {"name": "moor", "description": "two"}), TARGET, declared=source
    )
    assert rules(server) == []
