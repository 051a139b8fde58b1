"""The vocabularies that are shipped, read where they are first needed. ``ORIGIN.md`` says where they come from."""

from __future__ import annotations

import gzip
from importlib.resources import files


def read(name: str) -> bytes:
    """The unpacked content of a vocabulary file. Raises ``FileNotFoundError`` where the package was built without it."""
    return gzip.decompress(files(__name__).joinpath(name).read_bytes())
