"""Echolot: the tool list that a model sees of an MCP server, checked while it is written.

The map (imports go one way, from the bottom of this list to the top; ``tests/test_layers.py`` enforces it)::

    model      frozen data: Span, Source, Tool, Server, Finding, Fix, Report
    text       line index by LSP line ends, offsets and positions, re-anchoring across an edit
    schema     walking a JSON schema, JSON pointers
    words      the words of names and descriptions, and how they are quoted in messages
    causes     one cause, one finding: what a fact of the source explains
    anatomy    what rules ask of a schema again and again, found once a tool
    metaschema whether a schema is one
    errors     the error tree
    files      the one way in which text is read: the disk, or open buffers over the disk
    providers  wire forms, limits, verdict and dated facts, one module a provider
    tokens     count(provider, tools, model): vocabularies, renderings, surcharges
    rules      one file a rule, found by walking the package
    operations performing a fix's operations on a tool as data
    safety     whether a fix that calls itself safe is
    check      check(server, settings, costs) -> Report
    verdict    what each provider makes of a list
    config     settings, their files and layers; ignores, applied after check
    extract    json, python, live: from a source to Servers; knows no rules
    fixes      from a finding to edits of the texts
    workspace  which files make up which server; caches
    trial      ask a model which tool it would call
    render     terminal, JSON, the card page
    view       the card page in a browser, from 127.0.0.1
    cli, lsp   two thin shells; they never import one another

Invariants. The core is synchronous and pure. Nothing outside ``lsp`` knows LSP. Extraction never raises on bad input: it
returns tools *and* troubles. A rule that raises is logged and skipped, and fails under test. User code is never imported or
run by static extraction. A tool is never called. No prompt and no tool list leaves the machine before consent. Standard
output belongs to the protocol or to the report; logs go to standard error.
"""

__version__ = "0.1.0"
