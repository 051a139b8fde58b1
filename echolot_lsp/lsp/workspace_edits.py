"""Edits of texts as the protocol has them: by document where the client takes that, else the plain form that all clients take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lsprotocol import types

from echolot_lsp.fixes import Edit
from echolot_lsp.lsp.server import EcholotServer
from echolot_lsp.text import LineIndex


def workspace_edit(ls: EcholotServer, texts: Mapping[str, str], edits: Mapping[str, Sequence[Edit]]) -> types.WorkspaceEdit:
    """``edits`` of files by path; ``texts`` are the texts that their offsets are of. A file without a text is made."""
    changes = {path: _text_edits(ls, texts.get(path, ""), each) for path, each in edits.items()}
    uri = ls.session.documents.uri
    if not takes_document_changes(ls):
        return types.WorkspaceEdit(changes={uri(path): each for path, each in changes.items()})
    steps: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for path, each in changes.items():
        if path not in texts:
            steps.append(types.CreateFile(uri=uri(path), options=types.CreateFileOptions(ignore_if_exists=True)))
        document = ls.session.documents.get(path)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri(path), version=document.version if document else None)
        steps.append(types.TextDocumentEdit(text_document=identifier, edits=list(each)))
    return types.WorkspaceEdit(document_changes=steps)


def takes_document_changes(ls: EcholotServer) -> bool:
    """Whether the client takes edits by document and version."""
    workspace = ls.capabilities.workspace
    return bool(workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes)


def creates_files(ls: EcholotServer) -> bool:
    """Whether an edit may make a file."""
    workspace = ls.capabilities.workspace
    operations = workspace.workspace_edit.resource_operations if workspace and workspace.workspace_edit else None
    return takes_document_changes(ls) and types.ResourceOperationKind.Create in (operations or ())


def _text_edits(ls: EcholotServer, text: str, edits: Sequence[Edit]) -> list[types.TextEdit]:
    lines = LineIndex(text)

    def at(offset: int) -> types.Position:
        return types.Position(*lines.position(offset, ls.session.announced.encoding))

    return [types.TextEdit(range=types.Range(start=at(start), end=at(end)), new_text=new) for start, end, new in edits]
