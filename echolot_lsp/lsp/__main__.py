"""``python -m echolot_lsp.lsp``: the language server."""

import sys

from echolot_lsp.lsp import main

sys.exit(main())
