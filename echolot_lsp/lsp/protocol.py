"""What server and editors say to each other beyond LSP: the commands of ``workspace/executeCommand`` and their answers.

Every command takes one JSON object as its only argument. Every member is optional unless marked with *:

==================================  ==============================================================  =========================================
command                             argument                                                        answer
==================================  ==============================================================  =========================================
``echolot.server.openCard``         uri*, server, mode: "webview" | "browser", nonce                webview: {title, language: "html", text};
                                                                                                    browser: {title, uri} (and showDocument)
``echolot.server.cardMessage``      uri*, server, message* (what the page posted)                   the message to post back, or null
``echolot.server.openProviderJson`` uri*, server, provider* (anthropic, openai, gemini)             {title, language: "json", text, uri,
                                                                                                    marks: [{line, text}] (what was lost)}
``echolot.server.tryWithModel``     uri*, server, prompt*, model, runs                              {title, language: "markdown", text, result}
``echolot.server.checkLive``        uri, server, entry, url, command                                {title, language: "markdown", text, servers}
``echolot.server.checkWorkspace``                                                                   {title, language: "markdown", text}
``echolot.server.showDebugInfo``    uri                                                             {title, language: "markdown", text}
``echolot.server.explainRule``      rule*                                                           {title, language: "markdown", text}
``echolot.server.summary``          uri*                                                            {servers: [{name, tools, tokens, share,
                                                                                                    problems, warnings, notes, line}]}
``echolot.server.copyMarkdown``     uri*, server                                                    {title, language: "markdown", text}
==================================  ==============================================================  =========================================

``uri`` is the document's; ``server`` the name of a server in it (default: the one nearest to the top). ``live: true`` beside them
means the running server as it was checked last, which is also what is meant in a document that declares no server but names some
to be started (``mcp.json``): there ``entry`` says which is to be checked, and with ``live: true`` ``checkLive`` checks again.

A command that cannot do what it is asked answers with an LSP error whose message is one plain sentence. The server opens documents
by itself (``window/showDocument``) only where the client announces it and did not ask for ``mode: "webview"`` or pass ``show: false``;
the answer always holds what a client without showDocument can show, and such a client gets a ``window/showMessage`` with the file's
path, or with how the text begins.

Notification ``echolot/serversChanged`` {uri}: the report of a document's servers has changed (cards, status bars and provider
JSON that follow the source ask again). Sent only to clients whose ``initializationOptions`` hold ``{"echolot":
{"serversChanged": true}}``.

Messages of the card page (``postMessage`` in a webview, POST in a browser): page to host ``{type: "ready"}``, ``{type: "try",
id, prompts, models, runs}``, ``{type: "open", path, range}``, ``{type: "copy", text}``, ``{type: "checkLive"}``, ``{type: "refresh"}``; host to page
``{type: "report", report}``, ``{type: "trial", id, result}`` or ``{type: "trial", id, error}``, ``{type: "notice", text}``.
"""
