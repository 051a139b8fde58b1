"""Where in a TOML text each key stands. ``tomllib`` reads values but no places, and no maintained reader gives both.

Works on any text: what it does not understand it passes over, so a place may be missing but is never beyond the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from echolot_lsp.config.layers import Route

_TOKEN = re.compile(
    r"(?P<skip>[ \t\r]+|\#[^\n]*)"
    r'|(?P<string>"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')'
    r"|(?P<sign>\[\[|\]\]|[\[\]{}=.,\n])"
    r"|(?P<word>[^\s\[\]{}=.,\"'#]+)",
    re.S,
)


class _Token:
    """A key part, a sign or a value, with its offsets."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind, self.text, self.start, self.end = kind, text, start, end


def key_places(text: str) -> Mapping[Route, tuple[int, int]]:
    """Offsets (code points) of each key, by its route from the top of the file; items of lists by their index and first token."""
    return _Scan(text).places


class _Scan:
    """One pass over the tokens; tables, inline tables and lists nest on a stack of routes."""

    def __init__(self, text: str) -> None:
        self.places: dict[Route, tuple[int, int]] = {}
        self._tables: dict[Route, int] = {}
        self._tokens = [
            _Token(match.lastgroup or "", match[0], match.start(), match.end())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "skip"
        ]
        self._at = 0
        table: Route = ()
        while self._at < len(self._tokens):
            sign = self._tokens[self._at].text
            if sign in ("[", "[["):
                self._at += 1
                table = self._header(self._dotted(), sign == "[[")
                self._skip_line()
            elif sign == "\n":
                self._at += 1
            else:
                self._member(table)
                self._skip_line()

    def _header(self, parts: list[_Token], repeated: bool) -> Route:
        route: Route = ()
        for number, part in enumerate(parts):
            route = (*route, _bare(part))
            self.places.setdefault(route, (part.start, part.end))
            last = number == len(parts) - 1
            if last and repeated:
                self._tables[route] = self._tables.get(route, -1) + 1
            if route in self._tables:
                route = (*route, self._tables[route])
                self.places.setdefault(route, (part.start, part.end))
        return route

    def _member(self, table: Route, depth: int = 0) -> None:
        route = table
        parts = self._dotted()
        if not parts:
            self._at += 1
            return
        for part in parts:
            route = (*route, _bare(part))
            self.places.setdefault(route, (part.start, part.end))
        if self._sign() == "=":
            self._at += 1
            self._value(route, depth)

    def _value(self, route: Route, depth: int = 0) -> None:
        """Pass over one value, noting the places of what is inside. A stray sign ends it."""
        sign = self._sign()
        if depth > 50 or sign is None or sign in ("\n", ",", "]", "}", "]]"):
            return
        if sign in ("[", "[["):
            self._list(route, depth)
        elif sign == "{":
            self._inline_table(route, depth)
        else:
            while self._sign() not in (None, "\n", ",", "]", "]]", "}"):
                self._at += 1

    def _list(self, route: Route, depth: int) -> None:
        opened = self._tokens[self._at]
        self._at += 1
        if opened.text == "[[":  # a list in a list: "[[" is one token here
            self._tokens.insert(self._at, _Token("sign", "[", opened.start + 1, opened.end))
        index = 0
        while (sign := self._sign()) is not None and sign not in ("]", "]]"):
            if sign in ("\n", ","):
                self._at += 1
                continue
            token, before = self._tokens[self._at], self._at
            self.places[(*route, index)] = (token.start, token.end)
            self._value((*route, index), depth + 1)
            index += 1
            self._at += self._at == before
        self._close("]")

    def _inline_table(self, route: Route, depth: int) -> None:
        self._at += 1
        while (sign := self._sign()) is not None and sign != "}":
            before = self._at
            if sign in ("\n", ","):
                self._at += 1
            else:
                self._member(route, depth + 1)
            self._at += self._at == before
        self._close("}")

    def _close(self, sign: str) -> None:
        if self._sign() == sign * 2:
            token = self._tokens[self._at]
            self._tokens[self._at] = _Token("sign", sign, token.start + 1, token.end)
        elif self._sign() == sign:
            self._at += 1

    def _dotted(self) -> list[_Token]:
        parts: list[_Token] = []
        while self._at < len(self._tokens) and self._tokens[self._at].kind in ("word", "string"):
            parts.append(self._tokens[self._at])
            self._at += 1
            if self._sign() != ".":
                break
            self._at += 1
        return parts

    def _sign(self) -> str | None:
        return self._tokens[self._at].text if self._at < len(self._tokens) else None

    def _skip_line(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at].text != "\n":
            self._at += 1


def _bare(part: _Token) -> str:
    if part.kind == "word":
        return part.text
    try:
        return str(tomllib.loads(f"key = {part.text}")["key"])
    except tomllib.TOMLDecodeError:
        return part.text[1:-1]
