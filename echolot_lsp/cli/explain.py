"""``echolot mcp explain RULE``: the page of a rule."""

from __future__ import annotations

import argparse
import difflib

from echolot_lsp.cli.streams import say
from echolot_lsp.errors import UsageError

SUMMARY = "Say what a rule finds, why it matters to a model, and what to write instead."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as findings show it")


def run(options: argparse.Namespace) -> int:
    """Print the page; 0. Raises ``UsageError`` for an id that does not exist."""
    from echolot_lsp.cli.terminal import colour, width
    from echolot_lsp.config.own_rules import every_rule
    from echolot_lsp.render.pages import page

    rules = every_rule()
    rule = rules.get(options.rule)
    if rule is None:
        near = difflib.get_close_matches(options.rule.lower().replace("_", "-"), rules, n=3, cutoff=0.7)
        hint = f" Did you mean {' or '.join(near)}?" if near else " `echolot mcp check --quality` shows the ids of what it finds."
        raise UsageError(f"There is no rule {options.rule!r}.{hint}")
    text = page(rule).rstrip("\n")
    if colour():
        from echolot_lsp.render.terminal import markdown_text

        text = markdown_text(text, width=width())
    say(text)
    return 0
