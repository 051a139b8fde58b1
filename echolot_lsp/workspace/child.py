"""The scanning child of a language server: ``python -m echolot_lsp.workspace.child FOLDER [--lists]``.

A folder may hold a hundred thousand files, so it is searched beside the server and at a lower priority. On standard output: a JSON
line ``{"files": N}`` now and then, one ``{"server": PATH, "imports": [PATH…]}`` for each file that may declare a server, and
``{"end": true}``. It ends when nobody reads any more.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from echolot_lsp.workspace.importers import server_files

EVERY = 500
"""Files between two lines that say how many there were."""


def main(folder: str, *, lists: bool) -> None:
    """Search one folder; ``lists``: for JSON files with tools as well."""
    if hasattr(os, "nice"):
        os.nice(10)

    def say(message: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def looked_at(count: int) -> None:
        if count % EVERY == 0:
            say({"files": count})

    try:
        for found in server_files(folder, looked_at, lists=lists):
            say({"server": found.path, "imports": sorted(found.imports)})
        say({"end": True})
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)  # the server is gone


if __name__ == "__main__":
    main(sys.argv[1], lists="--lists" in sys.argv[2:])
