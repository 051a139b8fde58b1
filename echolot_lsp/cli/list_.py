"""``echolot mcp list``: the tools/list result of each server, as JSON."""

from __future__ import annotations

import argparse

from echolot_lsp.cli import sources
from echolot_lsp.cli.streams import complain, say, say_json
from echolot_lsp.errors import UsageError

SUMMARY = "Print the tool lists, as the servers would answer tools/list."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    sources.add_arguments(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--names", action="store_true", help="only the tools' names, one a line")
    form.add_argument("--bare", action="store_true", help='one server\'s answer: {"tools": […]}')


def run(options: argparse.Namespace) -> int:
    """Print the lists; 0, or 2 where a named source could not be read."""
    from echolot_lsp.render.clean import clean
    from echolot_lsp.render.listing import listed, plain_tools, unresolved

    gathered = sources.gather(options, schemas=not options.names)
    if options.names:
        for server in gathered.servers:
            for tool in server.tools:
                say(clean(tool.name or "?"))
        return 2 if gathered.failed else 0
    if options.bare:
        if len(gathered.servers) > 1:
            names = ", ".join(dict.fromkeys(server.name for server in gathered.servers))
            raise UsageError(f"--bare is for one server, and there are {len(gathered.servers)}: choose with --server ({names}).")
        for server in gathered.servers:
            say_json({"tools": plain_tools(server)})
            for part in unresolved(server):
                complain(f"left out: {part['tool'] or server.name}{part['field']}: {part['why']}")
    else:
        say_json({"servers": [listed(server) for server in gathered.servers]})
    return 2 if gathered.failed else 0
