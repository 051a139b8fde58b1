"""Servers on this machine that speak the four protocols strictly: what the documentation does not allow is answered with a 400.

Each answers what it was told to (``answers``), in order; the last one again and again. ``seen`` holds the requests.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Seen:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    """What to answer. ``raw`` replaces the JSON body; ``hang`` waits for the end of the test; ``drop`` closes half way."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    hang: bool = False
    drop: bool = False


class Rejected(Exception):
    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class ModelServer:
    """One server. ``protocol``: anthropic, openai-responses, openai-chat or gemini."""

    key = "sk-test-1234567890abcdef"

    def __init__(self, protocol: str, answers: list[Answer]) -> None:
        self.protocol = protocol
        self.answers = answers
        self.seen: list[Seen] = []
        self.released = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server.handle(self)

            def do_GET(self) -> None:
                server.handle(self)

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def close(self) -> None:
        self.released.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("content-length", "0"))
        data = request.rfile.read(length)
        seen = Seen(
            request.path, {name.lower(): value for name, value in request.headers.items()}, json.loads(data) if data else None
        )
        self.seen.append(seen)
        answer = self.answers[min(len(self.seen), len(self.answers)) - 1]
        if answer.status == 200 and request.command == "POST":
            try:
                CHECKS[self.protocol](seen, self.key)
            except Rejected as error:
                answer = Answer(error_body(self.protocol, str(error), error.parameter), 400)
        if answer.hang:
            self.released.wait(30)
            return
        body = answer.raw if answer.raw is not None else json.dumps(answer.body).encode()
        request.send_response(answer.status)
        headers = {"content-type": "application/json", **answer.headers}
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: len(body) // 2] if answer.drop else body)
        if answer.drop:
            request.close_connection = True


@contextmanager
def model_server(protocol: str, *answers: Answer) -> Iterator[ModelServer]:
    server = ModelServer(protocol, list(answers))
    try:
        yield server
    finally:
        server.close()


def error_body(protocol: str, message: str, parameter: str | None = None, code: str | None = None) -> Any:
    if protocol == "anthropic":
        return {"type": "error", "error": {"type": "invalid_request_error", "message": message}, "request_id": "req_1"}
    if protocol == "gemini":
        return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}
    return {"error": {"message": message, "type": "invalid_request_error", "param": parameter, "code": code}}


def only(value: Any, allowed: set[str], needed: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Rejected(f"{where}: Input should be a valid dictionary")
    for key in value:
        if key not in allowed:
            raise Rejected(f"{where}: Unknown parameter: '{key}'.", key)
    for key in needed:
        if key not in value:
            raise Rejected(f"{where}: Missing required parameter: '{key}'.", key)
    return value


def need(condition: bool, message: str, parameter: str | None = None) -> None:
    if not condition:
        raise Rejected(message, parameter)


def anthropic(seen: Seen, key: str) -> None:
    count = seen.path == "/v1/messages/count_tokens"
    need(count or seen.path == "/v1/messages", "not found")
    need(seen.headers.get("x-api-key") == key, "x-api-key header is required")
    need(seen.headers.get("anthropic-version") == "2023-06-01", "anthropic-version: header is required")
    needed = {"model", "messages"} | (set() if count else {"max_tokens"})
    body = only(seen.body, needed | {"tools", "tool_choice", "system"}, needed, "request")
    for message in body["messages"]:
        only(message, {"role", "content"}, {"role", "content"}, "messages.0")
    for index, tool in enumerate(body.get("tools", [])):
        only(tool, {"name", "description", "input_schema", "type", "strict"}, {"name", "input_schema"}, f"tools.{index}.custom")
        need(
            bool(re.fullmatch("[a-zA-Z0-9_-]{1,128}", tool["name"])),
            f"tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'",
        )
        need(tool["input_schema"].get("type") == "object", f"tools.{index}.custom.input_schema.type: Field required")


def openai_function(function: Any, allowed: set[str], where: str) -> None:
    only(function, allowed, {"name", "parameters"}, where)
    need(
        bool(re.fullmatch("[a-zA-Z0-9_-]{1,64}", function["name"])),
        f"Invalid '{where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        f"{where}.name",
    )
    name = function["name"]
    need(
        "properties" in function["parameters"],
        f"Invalid schema for function '{name}': In context=(), object schema missing properties.",
        where,
    )
    for key, value in function["parameters"]["properties"].items():
        need(
            value.get("type") != "array" or "items" in value,
            f"Invalid schema for function '{name}': In context=('properties', '{key}'), array schema missing items.",
            f"{where}.parameters",
        )


def openai_responses(seen: Seen, key: str) -> None:
    need(seen.path in ("/v1/responses", "/v1/responses/input_tokens"), "not found")
    need(seen.headers.get("authorization") == f"Bearer {key}", "You didn't provide an API key.")
    body = only(seen.body, {"model", "input", "tools", "tool_choice", "store", "max_output_tokens"}, {"model", "input"}, "request")
    need(isinstance(body["input"], str), "Invalid type for 'input'.", "input")
    for index, tool in enumerate(body.get("tools", [])):
        need(tool.get("type") == "function", f"Invalid value for 'tools[{index}].type'.")
        need(tool.get("strict") is False, f"Missing required parameter: 'tools[{index}].strict'.")
        openai_function(tool, {"type", "name", "description", "parameters", "strict"}, f"tools[{index}]")


def openai_chat(seen: Seen, key: str) -> None:
    need(seen.path == "/v1/chat/completions", "not found")
    body = only(seen.body, {"model", "messages", "tools", "tool_choice", "max_tokens"}, {"model", "messages"}, "request")
    for message in body["messages"]:
        only(message, {"role", "content"}, {"role", "content"}, "messages[0]")
    for index, tool in enumerate(body.get("tools", [])):
        only(tool, {"type", "function"}, {"type", "function"}, f"tools[{index}]")
        openai_function(tool["function"], {"name", "description", "parameters", "strict"}, f"tools[{index}].function")


SCHEMA_FIELDS = {
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
}
GEMINI_TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL", "TYPE_UNSPECIFIED"}


def gemini_schema(schema: Any, where: str) -> None:
    need(isinstance(schema, dict), f"Invalid value at '{where}'")
    for key in schema:
        need(key in SCHEMA_FIELDS, f"Invalid JSON payload received. Unknown name \"{key}\" at '{where}': Cannot find field.")
    need(schema.get("type", "STRING") in GEMINI_TYPES, f"Invalid value at '{where}.type'")
    for position, value in enumerate(schema.get("properties", {}).values()):
        gemini_schema(value, f"{where}.properties[{position}].value")
    if "items" in schema:
        gemini_schema(schema["items"], f"{where}.items")
    for position, value in enumerate(schema.get("anyOf", [])):
        gemini_schema(value, f"{where}.any_of[{position}]")


def gemini(seen: Seen, key: str) -> None:
    match = re.fullmatch(r"/v1beta/models/([^/:]+):(generateContent|countTokens)", seen.path)
    need(match is not None, "not found")
    need(seen.headers.get("x-goog-api-key") == key, "API key not valid. Please pass a valid API key.")
    body = seen.body
    if match and match[2] == "countTokens":
        body = only(seen.body, {"generateContentRequest"}, {"generateContentRequest"}, "request")["generateContentRequest"]
        need(body.pop("model", "") == f"models/{match[1]}", "generateContentRequest.model is required")
    only(body, {"contents", "tools", "toolConfig", "generationConfig"}, {"contents"}, "request")
    for content in body["contents"]:
        only(content, {"role", "parts"}, {"parts"}, "contents[0]")
    for tool in body.get("tools", []):
        only(tool, {"functionDeclarations"}, {"functionDeclarations"}, "tools[0]")
        for index, declaration in enumerate(tool["functionDeclarations"]):
            where = f"tools[0].function_declarations[{index}]"
            only(declaration, {"name", "description", "parameters"}, {"name"}, where)
            need(
                bool(re.fullmatch("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}", declaration["name"])),
                f"* GenerateContentRequest.{where}.name: Invalid function name. Must start with a letter or an underscore.",
            )
            if "parameters" in declaration:
                gemini_schema(declaration["parameters"], f"{where}.parameters")


CHECKS = {"anthropic": anthropic, "openai-responses": openai_responses, "openai-chat": openai_chat, "gemini": gemini}


def answer_with(
    protocol: str, calls: list[tuple[str, Any]], text: str = "", *, usage: tuple[int, int] = (812, 24), cut: bool = False
) -> Answer:
    """A good answer in a protocol: these calls (arguments as objects), this text."""
    given, made = usage
    if protocol == "anthropic":
        content: list[Any] = [{"type": "text", "text": text}] if text else []
        content += [{"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": args} for n, (name, args) in enumerate(calls)]
        stop = "max_tokens" if cut else ("tool_use" if calls else "end_turn")
        return Answer(
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
                "stop_reason": stop,
                "usage": {"input_tokens": given, "output_tokens": made},
            }
        )
    if protocol == "openai-responses":
        output: list[Any] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
        output += [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]}
        ] * bool(text)
        output += [
            {"type": "function_call", "call_id": f"call_{n}", "name": name, "arguments": json.dumps(args)}
            for n, (name, args) in enumerate(calls)
        ]
        body = {
            "id": "resp_1",
            "object": "response",
            "model": "m",
            "status": "incomplete" if cut else "completed",
            "output": output,
            "usage": {"input_tokens": given, "output_tokens": made, "total_tokens": given + made},
        }
        if cut:
            body["incomplete_details"] = {"reason": "max_output_tokens"}
        return Answer(body)
    if protocol == "openai-chat":
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if calls:
            message["tool_calls"] = [
                {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
                for n, (name, args) in enumerate(calls)
            ]
        reason = "length" if cut else ("tool_calls" if calls else "stop")
        usage_body = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
        return Answer({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage_body})
    parts: list[Any] = [{"text": text}] if text else []
    parts += [{"functionCall": {"name": name, "args": args}} for name, args in calls]
    return Answer(
        {
            "modelVersion": "m",
            "candidates": [
                {"content": {"role": "model", "parts": parts}, "finishReason": "MAX_TOKENS" if cut else "STOP", "index": 0}
            ],
            "usageMetadata": {"promptTokenCount": given, "candidatesTokenCount": made, "totalTokenCount": given + made},
        }
    )


PROVIDER_OF = {"anthropic": "anthropic", "openai-responses": "openai", "openai-chat": "llamacpp", "gemini": "gemini"}
PROTOCOLS = tuple(PROVIDER_OF)
