"""The command line ``echolot``: one module a command, each with ``SUMMARY``, ``add_arguments(parser)`` and ``run(options)``.

Nothing heavy is imported before a command needs it. Exit codes: 0, 1 (``--strict`` and a problem), 2 (wrong usage, a named source
or a settings file that cannot be read). No traceback reaches a user.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from echolot_lsp.cli.streams import complain, silence_output


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point. Answers with the exit code."""
    from echolot_lsp.errors import EcholotError

    words = list(sys.argv[1:] if argv is None else argv)
    try:
        from echolot_lsp.cli.parser import parse

        options = parse(words)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except EcholotError as error:
        complain(f"echolot: {error}")
        return 2
    except BrokenPipeError:  # the reader went away (`| head`): nothing more can be said
        silence_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except RecursionError:
        complain("echolot: something here is nested too deeply to be read.")
        return 2
    except OSError as error:
        complain(f"echolot: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        return 2
