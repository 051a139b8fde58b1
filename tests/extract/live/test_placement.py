"""Places of tools in servers of other languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from echolot_lsp.extract.live.placement import place_names
from echolot_lsp.files import Disk

REGISTRATIONS = {
    "a.ts": "server.registerTool('find_parcel', { title: '小包 📦' }, async () => {})",
    "b.js": 'server.tool("find_parcel", {}, run)',
    "c.go": 'mcp.AddTool(s, &mcp.Tool{Name: "find_parcel"}, run)',
    "d.rs": 'fn x() { Tool::new("find_parcel") }',
    "e.cs": '[McpServerTool(Name = "find_parcel")]',
    "f.java": 'new Tool("find_parcel", "…", schema)',
    "g.kt": 'server.addTool(name = "find_parcel") { }',
}


@pytest.mark.parametrize("name", REGISTRATIONS)
def test_the_only_literal_of_a_name_is_its_place(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("// 日本語\n" + REGISTRATIONS[name], encoding="utf-8")
    places, sources = place_names(["find_parcel"], [str(tmp_path)], Disk())
    span = places["find_parcel"]
    assert sources[span.file].text[span.start + 1 : span.end - 1] == "find_parcel"


def test_a_registration_wins_over_a_use(tmp_path: Path) -> None:
    text = "if (call === 'find_parcel') {}\nserver.registerTool('find_parcel', {})"
    (tmp_path / "a.ts").write_text(text, encoding="utf-8")
    places, _ = place_names(["find_parcel"], [str(tmp_path)], Disk())
    assert places["find_parcel"].start == text.rindex("'find_parcel'")


def test_a_name_that_stands_twice_is_placed_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("x = ['find_parcel']; y = ['find_parcel']", encoding="utf-8")
    assert place_names(["find_parcel"], [str(tmp_path)], Disk()) == ({}, {})


def test_dependencies_and_type_declarations_are_not_searched(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "a.ts").write_text("tool('x')", encoding="utf-8")
    (tmp_path / "a.d.ts").write_text("tool('x')", encoding="utf-8")
    assert place_names(["x"], [str(tmp_path)], Disk())[0] == {}
