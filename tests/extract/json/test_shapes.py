"""Which documents are lists of tools, and what is read out of each shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from echolot_lsp.extract.json import extract_json, may_hold_tools
from echolot_lsp.model import Server, Unknown

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"berth": {"type": "string", "description": "Number of the berth"}}}
HAUL = {"name": "haul_out", "description": "Lift a boat out of the water.", "inputSchema": SCHEMA}
LAUNCH = {
    "name": "launch",
    "description": "Put a boat back into the water.",
    "inputSchema": SCHEMA,
    "x-crane": 2,
    "annotations": {},
}
UPPER = {
    "type": "OBJECT",
    "properties": {"type": {"type": "ARRAY", "minItems": "2", "items": {"type": "STRING"}, "enum": ["OBJECT"]}},
}
LOWER = {
    "type": "object",
    "properties": {"type": {"type": "array", "minItems": 2, "items": {"type": "string"}, "enum": ["OBJECT"]}},
}


def servers(document: Any, file: str = "harbour.json") -> tuple[Server, ...]:
    text = document if isinstance(document, str) else json.dumps(document, indent=2)
    extraction = extract_json(file, text)
    assert not extraction.troubles
    if extraction.servers:
        assert may_hold_tools(text)
        assert may_hold_tools(text.encode())
    return extraction.servers


def only(document: Any, file: str = "harbour.json") -> Server:
    (server,) = servers(document, file)
    return server


def wires(server: Server) -> list[Any]:
    return [tool.wire for tool in server.tools]


def functions(*tools: dict[str, Any], key: str = "parameters") -> list[dict[str, Any]]:
    return [{"name": tool["name"], "description": tool["description"], key: tool["inputSchema"]} for tool in tools]


def answer(*tools: Any, number: int = 1, cursor: str | None = None) -> dict[str, Any]:
    result: dict[str, Any] = {"tools": list(tools)}
    if cursor:
        result["nextCursor"] = cursor
    return {"jsonrpc": "2.0", "id": number, "result": result}


@pytest.mark.parametrize(
    "document",
    [
        {"tools": [HAUL, LAUNCH]},
        {"tools": [HAUL, LAUNCH], "_meta": {"tools": "none"}, "nextCursor": None},
        {"name": "yard", "version": "2", "links": ["a"], "tools": [HAUL, LAUNCH], "functions": {}},
        [HAUL, LAUNCH],
        answer(HAUL, LAUNCH),
        [{"jsonrpc": "2.0", "id": 0, "result": {}}, answer(HAUL, LAUNCH)],
        {"servers": [{"name": "yard", "tools": [HAUL, LAUNCH]}]},
    ],
)
def test_a_list_of_mcp_tools_is_read_as_it_stands(document: Any) -> None:
    assert wires(only(document)) == [HAUL, LAUNCH]


def test_a_document_that_is_one_tool_is_a_list_of_one() -> None:
    server = only({"annotations": {"title": "x"}, **HAUL}, "snapshots/haul.snap")
    assert wires(server) == [{"annotations": {"title": "x"}, **HAUL}]
    assert server.name == "haul"


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"tools": [HAUL]}, "harbour"),
        ({"name": "yard", "tools": [HAUL]}, "yard"),
        ({"serverInfo": {"name": "quay"}, "name": "card", "tools": [HAUL]}, "quay"),
        ([answer(HAUL)], "harbour"),
        ('{"result": {"serverInfo": {"name": "quay"}}}\n' + json.dumps(answer(HAUL)), "quay"),
    ],
)
def test_the_name_is_the_documents_own_else_the_files(document: Any, name: str) -> None:
    assert only(document, "deep/harbour.json").name == name


def test_a_given_name_and_standard_input() -> None:
    text = json.dumps({"name": "yard", "tools": [HAUL]})
    assert extract_json("-", text, name="mine").servers[0].name == "mine"
    assert extract_json("-", text).servers[0].path is None
    assert extract_json("C:\\docks\\north.json", json.dumps([HAUL])).servers[0].name == "north"


def test_pages_of_one_list_are_one_server() -> None:
    lines = "\n".join(json.dumps(page) for page in [answer(HAUL, cursor="2"), answer(LAUNCH, number=2)])
    server = only(lines)
    assert wires(server) == [HAUL, LAUNCH]
    assert server.complete
    assert not only(json.dumps(answer(HAUL, cursor="2"))).complete


def test_the_lines_of_an_event_stream_are_read() -> None:
    stream = f": ping\r\nevent: message\r\nid: 7\r\ndata: {json.dumps(answer(HAUL))}\r\n\r\ndata: {{}}\r\n"
    assert wires(only(stream)) == [HAUL]


def test_a_session_that_asked_twice_counts_once_as_it_ended() -> None:
    newer = {**HAUL, "description": "Lift a boat."}
    lines = "\n".join(json.dumps(page) for page in [answer(HAUL), {"jsonrpc": "2.0", "method": "x"}, answer(newer, LAUNCH)])
    assert wires(only(lines)) == [newer, LAUNCH]


def test_two_different_lists_in_one_recording_are_two_servers() -> None:
    found = servers("\n".join(json.dumps(page) for page in [answer(HAUL), answer(LAUNCH)]))
    assert [wires(server) for server in found] == [[HAUL], [LAUNCH]]


def test_tools_one_a_line_are_one_list() -> None:
    assert wires(only(json.dumps(HAUL) + "\n" + json.dumps(LAUNCH) + "\n")) == [HAUL, LAUNCH]


PLAIN = [HAUL, {key: LAUNCH[key] for key in ("name", "description", "inputSchema")}]


@pytest.mark.parametrize(
    "document",
    [
        [{"type": "function", "function": function} for function in functions(*PLAIN)],
        {"model": "m", "tools": [{"type": "function", "strict": False, **function} for function in functions(*PLAIN)]},
        {"functions": functions(*PLAIN)},
        functions(*PLAIN, key="input_schema"),
        {"model": "m", "tools": [*functions(*PLAIN, key="input_schema"), {"type": "web_search_20250305", "name": "web_search"}]},
        {"functionDeclarations": functions(*PLAIN)},
        {"function_declarations": functions(*PLAIN, key="parametersJsonSchema")},
        {
            "contents": [],
            "tools": [{"functionDeclarations": functions(*PLAIN, key="parameters_json_schema")}, {"googleSearch": {}}],
        },
        [{"function_declarations": functions(*PLAIN)}],
    ],
)
def test_lists_in_the_forms_of_the_providers_are_read_back(document: Any) -> None:
    assert wires(only(document)) == PLAIN


def test_googles_own_schema_is_read_back_to_json_schema() -> None:
    document = {"functionDeclarations": [{"name": "sort_ropes", "description": "Sort.", "parameters": UPPER}]}
    assert wires(only(document)) == [{"name": "sort_ropes", "description": "Sort.", "inputSchema": LOWER}]
    assert wires(only([{"name": "sort_ropes", "description": "Sort.", "parameters": UPPER}]))[0]["inputSchema"] == LOWER


def test_googles_unspecified_type_is_no_type() -> None:
    parameters = {"type": "OBJECT", "properties": {"rope": {"type": "TYPE_UNSPECIFIED", "maxLength": 3}, "knot": True}}
    tool = {"name": "coil", "description": "Coil.", "parameters": parameters}
    schema = wires(only({"functionDeclarations": [tool, "x"]}))[0]["inputSchema"]
    assert schema == {"type": "object", "properties": {"rope": {"maxLength": 3}, "knot": True}}


def test_what_is_no_function_of_a_request_is_left_out() -> None:
    tools = [
        *functions(*PLAIN, key="input_schema"),
        "x",
        {"type": "custom", "name": "coil"},
        {"type": "bash_20250124", "name": "bash"},
    ]
    assert [wire["name"] for wire in wires(only({"tools": tools}))] == ["haul_out", "launch", "coil"]


def test_a_function_without_parameters_has_none() -> None:
    document = {"functionDeclarations": [{"name": "ring_bell", "description": "Ring the bell."}]}
    assert wires(only(document))[0]["inputSchema"] == {"type": "object", "properties": {}}


def test_the_tools_of_an_editor_extension_are_read() -> None:
    tool = {
        "name": "haul_out",
        "displayName": "Haul out",
        "modelDescription": "Lift it.",
        "userDescription": "-",
        "inputSchema": SCHEMA,
    }
    server = only(
        {"name": "dock-tools", "contributes": {"commands": [], "languageModelTools": [tool]}, "scripts": {}}, "package.json"
    )
    assert server.name == "dock-tools"
    assert wires(server) == [{"name": "haul_out", "title": "Haul out", "description": "Lift it.", "inputSchema": SCHEMA}]


@pytest.mark.parametrize("key", ["manifest_version", "dxt_version"])
def test_a_bundles_manifest_holds_names_and_descriptions_only(key: str) -> None:
    document = {
        key: "0.3",
        "name": "dock",
        "server": {},
        "tools": [{"name": "haul_out", "description": "Lift."}],
        "tools_generated": True,
    }
    server = only(document, "manifest.json")
    assert server.name == "dock"
    assert not server.complete
    assert isinstance(server.tools[0].wire["inputSchema"], Unknown)
    assert [(part.index, part.path) for part in server.unresolved] == [(0, ("inputSchema",))]
    assert only({**document, "tools_generated": False}).complete


@pytest.mark.parametrize(
    "broken",
    [
        {"name": "haul_out", "description": "Lift."},
        {"name": 7, "description": "Lift.", "inputSchema": SCHEMA},
        {"description": "Lift.", "inputSchema": SCHEMA},
        {"name": "haul_out", "description": "Lift.", "inputSchema": True},
        {"name": "haul_out", "description": "Lift.", "inputSchema": None, "title": 3},
        {"name": "haul_out", "inputSchema": []},
    ],
)
def test_a_tool_with_a_fault_is_still_one_of_the_list(broken: Any) -> None:
    assert wires(only({"tools": [broken]})) == [broken]
    assert wires(only({"tools": [HAUL, broken, LAUNCH]})) == [HAUL, broken, LAUNCH]
    assert wires(only([HAUL, broken])) == [HAUL, broken]


def test_an_entry_that_is_no_object_keeps_its_place() -> None:
    assert wires(only({"tools": [HAUL, "launch", None, LAUNCH, HAUL]})) == [HAUL, {"": "launch"}, {"": None}, LAUNCH, HAUL]


def test_an_answer_of_a_server_is_believed_whatever_its_tools_lack() -> None:
    assert wires(only(answer({"name": "haul_out", "extra": 1}))) == [{"name": "haul_out", "extra": 1}]
    assert wires(only(answer())) == []
    assert wires(only({"tools": []})) == []


@pytest.mark.parametrize(
    "document",
    [
        {"tools": ["hammer", "saw"]},
        {"tools": [{"name": "Claw hammer", "description": "Drives nails"}]},
        {"tools": [{"name": f"hammer_{size}", "description": "Drives nails"} for size in range(11)]},
        {"tools": {"hammer": {"name": "a", "description": "b"}}},
        {"tools": [{"name": "Hammer", "description": "Drives nails", "url": "https://example.org"}]},
        [{"name": "Hammer", "description": "Drives nails", "link": "https://example.org"}],
        [{"name": "hammer", "description": "Drives nails"}],
        [{"name": "hammer", "description": "Drives nails", "arguments": ["nail", "wall"], "required": ["nail"]}],
        {"tools": [{"name": "hammer", "description": "Drives nails", "arguments": [{"name": "nail", "type": "string"}]}]},
        {"name": "kit", "version": "1", "tools": [{"name": "hammer", "description": "Drives nails"}]},
        {"name": "kit", "version": "1", "tools": []},
        {"name": "kit", "description": "A kit", "version": "1.0.0", "dependencies": {"tools": "1"}},
        {"manifest_version": 3, "name": "browser add-on", "action": {}},
        {"$schema": "https://example.org/server.schema.json", "name": "kit", "description": "d", "packages": [], "remotes": []},
        {"serverInfo": {"name": "kit"}, "transport": {}, "capabilities": {"tools": ["hammer"]}},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "tools"}]}},
        {"nodes": [{"name": "Fetch", "type": "x", "parameters": {"url": "u"}}]},
        [{"name": "Fetch", "parameters": {"url": "u", "options": {}}}],
        {"contributes": {"commands": [{"command": "a", "title": "b"}]}},
        {"paths": {"/a": {"get": {"parameters": [{"name": "id", "in": "query", "schema": {}}]}}}},
        {"type": "object", "properties": {"tools": {"type": "array"}, "inputSchema": {"type": "object"}}},
        ["hammer"],
        [],
        {},
        3,
        None,
    ],
)
def test_everything_else_is_passed_over_in_silence(document: Any) -> None:
    text = json.dumps(document, indent=1)
    extraction = extract_json("tools.json", text)
    assert extraction.servers == ()
    assert not extraction.troubles or not isinstance(document, (dict, list))


def test_a_snapshot_that_is_no_json_is_passed_over() -> None:
    text = "// Jest Snapshot v1\n\nexports[`list 1`] = `\n" + json.dumps(HAUL, indent=2) + "\n`;\n"
    extraction = extract_json("list.snap", text)
    assert extraction.servers == ()
    assert [trouble.fatal for trouble in extraction.troubles] == [True]


def test_a_lock_file_cannot_hold_tools() -> None:
    assert not may_hold_tools(b'{"name": "site", "lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0"}}}')
    assert not may_hold_tools("")
