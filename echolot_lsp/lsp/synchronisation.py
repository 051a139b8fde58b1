"""Documents, files, folders and settings: what the client tells the server without asking for an answer."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from lsprotocol import types

from echolot_lsp.lsp.documents import path_of
from echolot_lsp.lsp.server import EcholotServer

log = logging.getLogger(__name__)

CLIENT_SECONDS = 2.0
"""How long the server may outlive a client that hung up without a word."""
WATCHED = (
    "**/*.{py,pyi,json,jsonc}",
    "**/{echolot,pyproject}.toml",
    "**/{uv,poetry,pdm}.lock",
    "**/{requirements.txt,.python-version,pyvenv.cfg}",
)


def register(server: EcholotServer) -> None:
    """Registers the handlers of the server's life and of everything that it reads."""
    every = types.FileOperationRegistrationOptions(
        filters=[types.FileOperationFilter(pattern=types.FileOperationPattern(glob="**/*"), scheme="file")]
    )
    server.on(types.INITIALIZE, initialize)
    server.on(types.INITIALIZED, initialized)
    server.on(types.SHUTDOWN, shutdown)
    server.on(types.TEXT_DOCUMENT_DID_OPEN, did_open)
    server.on(types.TEXT_DOCUMENT_DID_CHANGE, did_change)
    server.on(types.TEXT_DOCUMENT_DID_CLOSE, did_close)
    server.on(types.TEXT_DOCUMENT_DID_SAVE, did_save)
    server.on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, did_change_watched_files)
    server.on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, did_change_folders)
    server.on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, did_change_configuration)
    server.on(types.WORKSPACE_DID_CREATE_FILES, did_create, every)
    server.on(types.WORKSPACE_DID_DELETE_FILES, did_delete, every)
    server.on(types.WORKSPACE_DID_RENAME_FILES, did_rename, every)


def initialize(ls: EcholotServer, params: types.InitializeParams) -> None:
    """What the client can take, and the folders that it works in."""
    ls.initialize(params)
    folders = [folder.uri for folder in params.workspace_folders or ()]
    if not folders and params.root_uri:
        folders = [params.root_uri]
    ls.session.roots = tuple(path_of(uri) for uri in folders) or ((params.root_path,) if params.root_path else ())
    # a process that is not there now is one of another machine or container
    if params.process_id is not None and os.name == "posix" and _is_there(params.process_id):
        ls.background(_outlive_nobody(params.process_id))


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True


async def _outlive_nobody(process: int) -> None:
    """Ends the server after its client, also where somebody else still holds its standard input. Its children end with it."""
    while _is_there(process):
        await asyncio.sleep(CLIENT_SECONDS)
    log.warning("The client has ended.")
    os._exit(1)


def initialized(ls: EcholotServer, params: types.InitializedParams) -> None:
    """Asks for what is only to be had on request: watched files, settings."""
    workspace = ls.capabilities.workspace
    if workspace is None:
        return
    wanted: list[types.Registration] = []
    watching = workspace.did_change_watched_files
    if watching is not None and watching.dynamic_registration:
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        wanted.append(_registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    configuring = workspace.did_change_configuration
    if configuring is not None and configuring.dynamic_registration:
        section = types.DidChangeConfigurationRegistrationOptions(section="echolot")
        wanted.append(_registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    wanted += [each for each in (make(ls) for make in ls.registrations) if each is not None]
    if wanted:
        ls.background(_register(ls, wanted))
    if workspace.configuration:
        ls.background(_pull_settings(ls))


async def shutdown(ls: EcholotServer, params: None) -> None:
    """Ends all work, before the client is told that it may say ``exit``."""
    await ls.end()


def did_open(ls: EcholotServer, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    document = params.text_document
    ls.session.open(
        document.uri, str(getattr(document.language_id, "value", document.language_id)), document.version, document.text
    )


def did_change(ls: EcholotServer, params: types.DidChangeTextDocumentParams) -> None:
    """A document has a new text: with full sync, the last change holds all of it."""
    document = params.text_document
    if params.content_changes:
        ls.session.change(document.uri, document.version, params.content_changes[-1].text)


def did_close(ls: EcholotServer, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    ls.session.close(params.text_document.uri)


def did_save(ls: EcholotServer, params: types.DidSaveTextDocumentParams) -> None:
    """A document was saved: of use where files are not watched, for others that read it from the disk."""
    path = path_of(params.text_document.uri)
    _changed(ls, [path])
    for listener in ls.saved:
        listener(path)


def did_change_watched_files(ls: EcholotServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on the disk, perhaps hundreds at once."""
    _changed(ls, [path_of(change.uri) for change in params.changes])


def _changed(ls: EcholotServer, paths: list[str]) -> None:
    ls.session.files_changed(paths)
    _told_disk(ls, paths)


def _told_disk(ls: EcholotServer, paths: list[str]) -> None:
    for listener in ls.on_disk:
        listener(paths)


def did_create(ls: EcholotServer, params: types.CreateFilesParams) -> None:
    """Files were made in the editor."""
    _changed(ls, [path_of(file.uri) for file in params.files])


def did_delete(ls: EcholotServer, params: types.DeleteFilesParams) -> None:
    """Files were deleted in the editor."""
    _changed(ls, [path_of(file.uri) for file in params.files])


def did_rename(ls: EcholotServer, params: types.RenameFilesParams) -> None:
    """Files or folders were renamed in the editor."""
    for file in params.files:
        ls.session.renamed(path_of(file.old_uri), path_of(file.new_uri))
    _told_disk(ls, [path_of(uri) for file in params.files for uri in (file.old_uri, file.new_uri)])


def did_change_folders(ls: EcholotServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were added to the workspace, or taken from it."""
    gone = {path_of(folder.uri) for folder in params.event.removed}
    added = [path_of(folder.uri) for folder in params.event.added]
    ls.session.set_roots([*(root for root in ls.session.roots if root not in gone), *added])


def did_change_configuration(ls: EcholotServer, params: types.DidChangeConfigurationParams) -> None:
    """The editor's settings changed: sent along, or to be asked for."""
    section = params.settings.get("echolot") if isinstance(params.settings, Mapping) else None
    if isinstance(section, Mapping):
        ls.session.set_settings(section)
    elif ls.capabilities.workspace is not None and ls.capabilities.workspace.configuration:
        ls.background(_pull_settings(ls))


async def _pull_settings(ls: EcholotServer) -> None:
    items = [types.ConfigurationItem(section="echolot")]
    answer: Any = await ls.workspace_configuration_async(types.ConfigurationParams(items=items))
    section = answer[0] if answer else None
    ls.session.set_settings(section if isinstance(section, Mapping) else {})


async def _register(ls: EcholotServer, wanted: Iterable[types.Registration]) -> None:
    await ls.client_register_capability_async(types.RegistrationParams(registrations=list(wanted)))


def _registration(method: str, options: Any) -> types.Registration:
    return types.Registration(id=f"echolot-{method}", method=method, register_options=options)
