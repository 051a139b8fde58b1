"""Try with a model: which tool of a list would a model call? Nothing is ever called.

The map (imports go from the bottom to the top)::

    reply             what a model answered: Call, Usage, Reply
    endpoint          "anthropic/claude-…" -> where it is, how it is spoken to, which key
    anthropic, openai_responses, openai_chat, gemini
                      one protocol each, pure: request from a converted list and a prompt, reply from JSON
    refusal           a status that is no success -> one plain sentence, and the tool that the provider names
    spoken            a call that a small model wrote as plain text
    arguments         what does not fit a tool's schema
    price             what a turn cost, from embedded data
    consent           may this list go there? Asked once for an endpoint and a workspace
    send              the only module here that touches the network
    run               prompts × models × runs -> a result that the terminal and the page draw
    looking           which keys and local servers there are
    exact             the providers' own counts
    terminal, command `echolot mcp try`
    page              what the card page asks for

Keys come from the environment (or an editor's secret store laid over it). They go into one request header and nowhere else.
"""
