"""The words of the command line, laid out from the modules of the commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from echolot_lsp import __version__
from echolot_lsp.errors import UsageError


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().rstrip()}")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options of a command line; ``options.run`` is the command. Raises ``UsageError``.

    Words after ``--`` are the command line of a live server: ``options.command_line``.
    """
    own, rest = list(words), None
    if "--" in own:
        cut = own.index("--")
        own, rest = own[:cut], own[cut + 1 :]
    options = build().parse_args(own)
    options.command_line = rest
    return options


def build() -> Parser:
    """The parser with every command."""
    from echolot_lsp.cli import check, explain, list_, try_, view

    parser = Parser(prog="echolot", description="See an MCP server's tool list as a model sees it.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"echolot {__version__}")
    areas = parser.add_subparsers(metavar="mcp", required=True, parser_class=Parser)
    mcp = areas.add_parser("mcp", help="tool lists of MCP servers", allow_abbrev=False)
    commands = mcp.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name, module in (("check", check), ("list", list_), ("try", try_), ("view", view), ("explain", explain)):
        command = commands.add_parser(name, help=module.SUMMARY, description=module.SUMMARY, allow_abbrev=False)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
