"""Open documents by path, and the way between a client's URIs and the paths that reading uses."""

from __future__ import annotations

import os
from dataclasses import dataclass

from pygls.uris import from_fs_path, to_fs_path


@dataclass(frozen=True, slots=True)
class Document:
    """An open document as the client last sent it. ``uri`` is the client's own spelling, ``path`` the key for reading."""

    uri: str
    path: str
    language: str
    version: int
    text: str


def path_of(uri: str) -> str:
    """The native path of a ``file:`` URI; any other URI (an untitled buffer, what is no URI at all) is its own key."""
    try:
        path = to_fs_path(uri)
    except ValueError:
        return uri
    return os.path.normpath(path) if path else uri


def uri_of(path: str) -> str:
    """The URI of a path that the client has not named itself."""
    return from_fs_path(path) or path if os.path.isabs(path) else path


class Documents:
    """The open documents. Every text is immutable: ``buffers`` is a snapshot that a worker may keep."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._uris: dict[str, str] = {}
        self._buffers: dict[str, str] | None = None

    def put(self, uri: str, language: str, version: int, text: str) -> Document:
        """Opens a document, or replaces its text."""
        path = path_of(uri)
        document = Document(uri, path, language, version, text)
        self._open[path] = document
        self._uris[path] = uri
        self._buffers = None
        return document

    def remove(self, uri: str) -> Document | None:
        """Closes a document; ``None`` where it was not open."""
        self._buffers = None
        return self._open.pop(path_of(uri), None)

    def get(self, path: str) -> Document | None:
        """The open document at a path."""
        return self._open.get(path)

    def at(self, uri: str) -> Document | None:
        """The open document of a URI."""
        return self._open.get(path_of(uri))

    def uri(self, path: str) -> str:
        """The URI under which a client knows a path: as it spelt it itself, if it ever did."""
        return self._uris.get(path) or uri_of(path)

    def all(self) -> list[Document]:
        """All open documents, in the order in which they were opened."""
        return list(self._open.values())

    def buffers(self) -> dict[str, str]:
        """The texts by path: a copy that later changes leave as it is."""
        if self._buffers is None:
            self._buffers = {path: document.text for path, document in self._open.items()}
        return self._buffers
