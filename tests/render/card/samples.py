"""Reports made by hand for the card page: none, one, twelve, three hundred tools, and one full of traps."""

from __future__ import annotations

from typing import Any

NAMES = (
    ("open_gate", "Opens one gate of the harbour until the given time."),
    ("close_gate", "Closes one gate of the harbour at once."),
    ("find_ship", "Finds a ship by its call sign and says where it lies."),
    ("berth_ship", "Gives a ship a berth for a number of nights."),
    ("list_berths", "Lists the berths of a quay with what lies there."),
    ("read_tide", "Says how high the water stands at a gauge."),
    ("plan_tow", "Plans which tugs tow a ship, and when."),
    ("weigh_cargo", "Weighs what a crane has on its hook."),
    ("unload", "Unloads containers from a ship onto a quay."),
    ("book_pilot", "Books a pilot for a ship."),
    ("page_watch", "Sends a short message to the watch."),
    ("file_report", "Files a report about something that happened."),
)


def tool(index: int) -> dict[str, Any]:
    name, description = NAMES[index % len(NAMES)]
    suffix = "" if index < len(NAMES) else f"_{index // len(NAMES)}"
    return {
        "name": f"{name}{suffix}",
        "title": name.replace("_", " ").capitalize(),
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": {
                "sign": {
                    "type": "string",
                    "pattern": "^[A-Z]{4}[0-9]{1,3}$",
                    "description": "Call sign of the ship, such as DABC7",
                },
                "nights": {"type": "integer", "minimum": 1, "multipleOf": 1, "description": "How many nights"},
                "quay": {"$ref": "#/$defs/Quay"},
            },
            "required": ["sign"],
            "additionalProperties": False,
            "$defs": {"Quay": {"type": "string", "enum": ["north", "south", "東埠頭"], "description": "Which quay"}},
        },
        "annotations": {"readOnlyHint": index % 2 == 0},
    }


def place(line: int) -> dict[str, Any]:
    return {
        "path": "src/harbour/server.py",
        "range": {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 12}},
    }


def finding(rule: str, severity: str, index: int | None, message: str, advice: str, **more: Any) -> dict[str, Any]:
    name = None if index is None else tool(index)["name"]
    found = {"rule": rule, "severity": severity, "tool": name, "index": index, "field": "/description", "message": message}
    return {**found, "advice": advice, **place(10 + 9 * (index or 0)), "related": [], "fix": None, **more}


def cost(model: str, count: int, each: int, surcharge: int) -> dict[str, Any]:
    tools = [each + 13 * ((index * 7) % 11) for index in range(count)]
    total = sum(tools) + surcharge
    return {"model": model, "estimate": True, "at_least": False, "total": total, "surcharge": surcharge, "tools": tools}


def report(count: int, name: str = "harbour") -> dict[str, Any]:
    """A server with ``count`` tools and what is usually said of one."""
    tools = [tool(index) for index in range(count)]
    costs = {
        "anthropic": cost("claude-sonnet-5", count, 131, 354),
        "openai": cost("gpt-5.6", count, 88, 9),
        "gemini": cost("gemini-3.5-flash", count, 79, 0),
    }
    dearest = costs["anthropic"]
    order = sorted(range(count), key=lambda index: -dearest["tools"][index])[:5]
    findings = [
        finding(
            "no-description",
            "problem",
            index,
            f"{tool(index)['name']} has no description.",
            "Say what it does, what it needs and what it returns.",
        )
        for index in range(0, count, 29)
        if index
    ]
    if count > 2:
        related = [{"tool": "close_gate", "index": 1, "field": "/description", "message": "says nearly the same", **place(19)}]
        text = "Its description and that of close_gate share most of their words."
        findings.append(
            finding(
                "descriptions-similar", "warning", 0, text, "Say in each when to use it rather than the other.", related=related
            )
        )
        text = "The parameter `nights` has no description."
        findings.append(finding("param-no-description", "warning", 3, text, "Say in one line what it is, with an example."))
    if count:
        text = "Gemini has no field for `additionalProperties`, so the model may send arguments that do not exist."
        findings.append(
            finding("gemini-drops-keyword", "note", 0, text, "Nothing need be done where the server checks its arguments.")
        )
    lossy = {
        "state": "lossy",
        "why": [{"tool": each["name"], "field": "", "text": "the list of allowed arguments is lost"} for each in tools],
    }
    server = {
        "name": name,
        "origin": "python",
        "path": "src/harbour/server.py",
        "framework": "fastmcp",
        "framework_version": "3.4.1",
        "python": "3.12",
        "tools": tools,
        "cost": costs if count else {},
        "context": {"window": 200_000, "provider": "anthropic", "share": dearest["total"] / 200_000} if count else None,
        "largest": [{"index": index, "tool": tools[index]["name"], "tokens": dearest["tools"][index]} for index in order]
        if count > 1
        else [],
        "verdict": {"anthropic": {"state": "accepted", "why": []}, "openai": {"state": "accepted", "why": []}, "gemini": lossy}
        if count
        else {},
        "findings": findings,
        "unresolved": [],
    }
    return around([server])


def around(servers: list[dict[str, Any]]) -> dict[str, Any]:
    """A whole report of these servers."""
    severities = [finding["severity"] for server in servers for finding in server["findings"]]
    summary = {f"{severity}s": severities.count(severity) for severity in ("problem", "warning", "note")}
    return {"version": 1, "servers": servers, "summary": summary}


HOSTILE = (
    "<script>document.title = 'taken'</script>",
    "</script><script>document.title = 'taken'</script>",
    "</textarea><img src=x onerror=\"document.title = 'taken'\">",
    "<!--<script>",
    "safe\u202eexe.txt\u2066",
    "\x1b[31mred\x07\x00",
    "]]>{{nonce}}{{script}}",
    "x" * 2_000_000,
    "line\u2028separator\ud800",
)


def hostile() -> dict[str, Any]:
    """A server whose every text is a trap."""
    base = report(len(HOSTILE))
    server = base["servers"][0]
    server["name"] = HOSTILE[1]
    server["path"] = HOSTILE[0]
    for index, text in enumerate(HOSTILE):
        server["tools"][index] |= {"name": text[:300], "description": text}
        server["tools"][index]["inputSchema"]["properties"][text[:300]] = {
            "type": "string",
            "default": float("nan"),
            "x-" + text[:50]: text,
        }
    server["findings"] = [
        {**server["findings"][0], "tool": text, "message": text, "advice": text, "rule": text[:40], "path": text[:80]}
        for text in HOSTILE
    ]
    server["verdict"]["gemini"]["why"] = [{"tool": text, "field": "", "text": text} for text in HOSTILE]
    server["unresolved"] = [{"tool": text, "index": 0, "field": "", "why": text, **place(3)} for text in HOSTILE]
    server["largest"] = [{"index": index, "tool": text, "tokens": 5} for index, text in enumerate(HOSTILE[:5])]
    return base
