"""What the README says of commands and files is so."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from echolot_lsp.cli.parser import build

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parser of each ``echolot mcp`` command."""
    (mcp,) = subparsers(build()).values()
    return subparsers(mcp)


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers below a parser, by name."""
    (action,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return dict(action.choices)


def options() -> Iterator[str]:
    """Every long option of every command."""
    for parser in (build(), *commands().values()):
        for action in parser._actions:
            yield from (name for name in action.option_strings if name.startswith("--"))


def test_every_command_is_in_the_readme() -> None:
    named = set(re.findall(r"^echolot mcp (\w+)", README, re.M))
    assert named == set(commands())


def test_the_readme_names_no_option_that_does_not_exist() -> None:
    code = "\n".join(re.findall(r"^echolot .*|`[^`\n]*--[a-z][^`\n]*`", README, re.M))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", code))
    assert named - set(options()) == set()


def test_the_files_that_the_readme_names_exist() -> None:
    named = set(re.findall(r"(?:echolot_lsp|editors|tests|\.ci)/[\w./-]+\w", README))
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_the_continuous_integration_runs_the_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for words in ("-m venv", 'install --quiet --disable-pip-version-check -e ".[test]"', "python -m pytest"):
        assert words in script
    assert 'pip install -e ".[test]" && .venv/bin/python -m pytest' in README


def test_every_option_has_a_help_text() -> None:
    silent = [
        (name, action.dest)
        for name, parser in commands().items()
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction) and not action.help
    ]
    assert silent == []
