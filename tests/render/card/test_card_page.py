"""The card page as text: nothing of a report becomes markup, and the forms in it are exact."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echolot_lsp.model import PROVIDERS
from echolot_lsp.providers import wire_form
from echolot_lsp.render.html import card_message, dumps, embedded, policy, render_card
from echolot_lsp.render.provider_text import provider_text
from tests import schemas
from tests.render.card.samples import HOSTILE, around, hostile, report


class Elements(HTMLParser):
    """The elements of a page, as a browser sees them (script and style hold text)."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags:
            key = f"{self.tags[-1][0]}#{self.tags[-1][1].get('id', '')}"
            self.texts[key] = self.texts.get(key, "") + data


def parsed(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    elements.close()
    return elements


def data_of(page: str) -> Any:
    return json.loads(parsed(page).texts["script#data"])


def test_hostile_texts_leave_the_page_with_the_elements_of_a_harmless_one() -> None:
    harmless = [tag for tag, _ in parsed(render_card(report(9))).tags]
    page = render_card(hostile())
    assert [tag for tag, _ in parsed(page).tags] == harmless
    assert not set(page) & set("\u202e\u2066\u2028")
    data = data_of(page)
    assert data["report"]["servers"][0]["tools"][0]["description"] == HOSTILE[0]
    assert data["report"]["servers"][0]["tools"][7]["description"] == HOSTILE[7]


def test_the_page_is_one_file_that_asks_nobody() -> None:
    page = render_card(report(3))
    elements = parsed(page)
    assert not [attributes for _, attributes in elements.tags if {"src", "href", "srcset", "action"} & attributes.keys() - set()][
        1:
    ]
    assert "http://" not in page.partition('id="data"')[0]
    assert "innerHTML" not in page
    assert "insertAdjacentHTML" not in page
    assert "eval(" not in page


@pytest.mark.parametrize("mode", ["file", "webview", "browser"])
def test_only_what_carries_the_nonce_may_run(mode: Any) -> None:
    page = render_card(report(1), mode=mode, nonce="N0nce0123", token="T0ken")
    elements = parsed(page)
    policies = [attributes["content"] for tag, attributes in elements.tags if tag == "meta" and "http-equiv" in attributes]
    assert policies == ([] if mode == "browser" else [policy("N0nce0123", mode)])
    assert all(
        part in policy("N0nce0123", mode) for part in ("default-src 'none'", "script-src 'nonce-N0nce0123'", "base-uri 'none'")
    )
    assert ("connect-src 'self'" in policy("N0nce0123", mode)) == (mode == "browser")
    scripts = [attributes for tag, attributes in elements.tags if tag == "script" and attributes.get("type") != "application/json"]
    assert [attributes["nonce"] for attributes in scripts] == ["N0nce0123"]
    assert data_of(page)["token"] == "T0ken"


@pytest.mark.parametrize("nonce", ["", "short", "a' ; script-src *", "><script>", "x" * 300, "white space"])
def test_what_is_no_nonce_does_not_reach_the_page(nonce: str) -> None:
    page = render_card(report(0), nonce=nonce)
    assert not nonce or f'nonce="{nonce}"' not in page
    assert re.search(r'<script nonce="[\w-]{24}">', page)


def test_a_page_has_another_nonce_each_time() -> None:
    nonces = {re.search(r'script nonce="([^"]+)"', render_card(report(0))) for _ in range(2)}
    assert len({match[1] for match in nonces if match}) == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet='<>/&!-script\u2028\ud800"\\'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(json_values)
def test_what_is_embedded_is_json_and_holds_nothing_that_ends_a_script(value: Any) -> None:
    text = embedded(value)
    assert text.isascii()
    assert not set("<>&") & set(text)
    assert json.loads(text) == json.loads(dumps(value))


def test_a_page_of_several_servers_holds_each_with_its_forms() -> None:
    both = around(report(2, "one")["servers"] + report(0, "two")["servers"])
    data = data_of(render_card(both, chosen=1, can=("open", "try"), model="ollama/x", models=["ollama/x"]))
    assert [sorted(server["forms"]) for server in data["servers"]] == [sorted(PROVIDERS), []]
    assert (data["chosen"], data["can"], data["model"]) == (1, ["open", "try"], "ollama/x")
    assert data["servers"][1]["markdown"].startswith("## How a model sees two")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_text_of_a_form_is_exactly_the_providers_value(provider: Any) -> None:
    tools = report(12)["servers"][0]["tools"]
    form = provider_text(provider, tools)
    assert json.loads(form.text) == wire_form(provider, tools).value
    lines = form.text.split("\n")
    assert [json.dumps(tools[index]["name"]) in "".join(lines[line : line + 6]) for index, line in form.tools] == [True] * 12


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, None, 3, [], {"type": "object", "properties": {"a": True, "b": {"const": 2**63 + 1}}}]
)
def test_a_form_of_anything_is_its_text(provider: Any, schema: Any) -> None:
    tools = [{"name": "a", "inputSchema": schema}, {}]
    form = provider_text(provider, tools)
    assert json.loads(form.text) == wire_form(provider, tools).value


@settings(max_examples=40)
@given(schemas.tool_lists(schemas.schemas() | schemas.broken_schemas()), st.sampled_from(PROVIDERS))
def test_the_text_of_any_form_is_its_value_and_every_mark_stands_in_it(tools: list[dict[str, Any]], provider: Any) -> None:
    form = provider_text(provider, tools)
    assert json.loads(form.text) == json.loads(json.dumps(wire_form(provider, tools).value))
    lines = form.text.count("\n") + 1
    assert all(0 <= mark.line < lines and mark.why for mark in form.marks)
    assert [index for index, _ in form.tools] == list(range(len(tools)))


def test_what_was_lost_is_marked_where_it_stood() -> None:
    schema = {
        "type": "object",
        "properties": {"even": {"type": "integer", "multipleOf": 2}, "size": {"$ref": "#/$defs/Size"}},
        "additionalProperties": False,
        "$defs": {"Size": {"type": "string", "const": "xl"}},
    }
    form = provider_text("gemini", [{"name": "a", "title": "A", "description": "d", "inputSchema": schema}])
    lines = form.text.split("\n")
    marks = {mark.text: mark for mark in form.marks}
    even = marks['"multipleOf": 2']
    assert lines[even.line].strip() == '"even": {'
    assert even.indent == len(lines[even.line]) - len(lines[even.line].lstrip()) + 2
    assert (even.kind, even.lossy) == ("dropped", True)
    assert lines[marks['"additionalProperties": false'].line].strip() == '"parameters": {'
    assert marks['"title": "A"'].lossy is False
    assert all(0 <= mark.line < len(lines) for mark in form.marks)


def test_a_remark_on_what_is_sent_stands_beside_it_and_does_not_repeat_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^x"}}}
    form = provider_text("gemini", [{"name": "a", "description": "d", "inputSchema": schema}])
    (kept,) = [mark for mark in form.marks if mark.kind == "kept"]
    assert form.text.split("\n")[kept.line].strip().startswith('"pattern": "^x"')
    assert kept.text == ""


def test_an_empty_list_has_an_empty_form() -> None:
    assert [provider_text(provider, []).text for provider in PROVIDERS] == ["[]", "[]", "[]"]
    assert card_message(report(0))["servers"][0]["forms"] == {}


def test_a_big_page_is_made_quickly_and_is_not_huge() -> None:
    page = render_card(report(300))
    assert len(page) < 3_000_000
