"""The server: what it announces, and how messages reach the session and the features.

Until ``initialize`` is answered nothing but pygls and this folder is imported (a test holds a list of what must not be).
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from echolot_lsp import __version__
from echolot_lsp.errors import EcholotError
from echolot_lsp.lsp.convert import Announced
from echolot_lsp.lsp.counting import ChildCount
from echolot_lsp.lsp.live_reports import LiveReports
from echolot_lsp.lsp.session import Session
from echolot_lsp.lsp.stdio import MessageReader
from echolot_lsp.lsp.wire import EcholotProtocol
from echolot_lsp.text import Encoding

if TYPE_CHECKING:
    from echolot_lsp.view import CardServer

log = logging.getLogger(__name__)

ENCODINGS: Mapping[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class EcholotServer(LanguageServer):
    """The language server. ``session`` is there from ``initialize`` on."""

    protocol: EcholotProtocol

    def __init__(self) -> None:
        super().__init__(
            "echolot",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=EcholotProtocol,
            max_workers=2,
        )
        self.session = Session(self, count=ChildCount())
        self.capabilities = types.ClientCapabilities()
        self.options: Mapping[str, Any] = {}
        """``initializationOptions.echolot``: ``serversChanged``, ``commandLinks``, ``trusted``."""
        self.registrations: list[Callable[[EcholotServer], types.Registration | None]] = []
        """What features register in ``initialized``, where the client wants that."""
        self.provider_documents: set[str] = set()
        """Virtual documents that the client has read."""
        self.listeners: list[Callable[[Collection[str], bool], None]] = []
        """Features that want to know which files' readings changed, and whether numbers did."""
        self.cards: dict[tuple[str, bool], CardServer] = {}
        """Card pages that are open in a browser, by document and whether they show what ran."""
        self.live = LiveReports()
        self.followed: dict[str, asyncio.Future[Any]] = {}
        """Running servers that are kept open, by label."""
        self.saved: list[Callable[[str], None]] = []
        """Features that want to know which file was saved."""
        self.on_disk: list[Callable[[Collection[str]], None]] = []
        """Features that want to know which files were made, changed or deleted on the disk."""
        self._tasks: set[asyncio.Future[Any]] = set()

    @property
    def exit_code(self) -> int:
        """0 after an orderly ``shutdown``, else 1, as LSP asks."""
        return 0 if self.protocol._shutdown else 1

    def initialize(self, params: types.InitializeParams) -> None:
        """Takes in what the client announced."""
        self.capabilities = params.capabilities
        options = params.initialization_options
        own = options.get("echolot") if isinstance(options, Mapping) else None
        self.options = own if isinstance(own, Mapping) else {}
        text = params.capabilities.text_document
        publish = text.publish_diagnostics if text else None
        shows = text is not None and (text.inlay_hint is not None or text.code_lens is not None)
        self.session.shows_numbers = shows
        encoding = str(ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities))
        self.session.announced = Announced(
            encoding=ENCODINGS.get(getattr(encoding, "value", encoding), "utf-16"),
            related=bool(publish and publish.related_information),
            links=bool(publish and publish.code_description_support),
        )

    def serve(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        """Serves one client on a pair of streams until it says ``exit`` or hangs up."""
        stop = self._stop_event = threading.Event()
        reader = MessageReader(incoming)
        self.protocol.set_writer(StdoutWriter(outgoing))
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt, SystemExit):
            asyncio.run(
                run_async(
                    stop_event=stop, reader=reader, protocol=self.protocol, logger=log, error_handler=self.report_server_error
                )
            )
        reader.close()

    # What a session asks of the client

    def publish(self, uri: str, version: int | None, items: str) -> None:
        """Sends diagnostics."""
        numbered = "" if version is None else f'"version":{version},'
        self.protocol.send_text(
            '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":'
            f'{{"uri":{json.dumps(uri)},{numbered}"diagnostics":{items}}}}}'
        )

    def changed(self, paths: Collection[str], numbers: bool) -> None:
        """Tells the features which files are known anew."""
        for listener in self.listeners:
            try:
                listener(paths, numbers)
            except Exception:
                log.exception("A listener failed.")

    # For features

    def on(self, method: str, handler: Callable[..., Any], options: Any = None) -> None:
        """Registers a feature's handler: ``handler(server, params)``, a coroutine function for requests."""
        self.feature(method, options)(self._guarded(handler))

    def on_command(self, name: str, handler: Callable[[EcholotServer, Mapping[str, Any]], Coroutine[Any, Any, Any]]) -> None:
        """Registers a command, whose one argument is a JSON object (see ``protocol``)."""

        async def run(ls: EcholotServer, *arguments: Any) -> Any:
            given = arguments[0] if arguments and isinstance(arguments[0], Mapping) else {}
            return await handler(ls, given)

        self.command(f"echolot.server.{name}")(self._guarded(run))

    def background(self, work: Awaitable[Any]) -> asyncio.Future[Any]:
        """Runs something beside everything else; its failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, JsonRpcException):
            log.info("The client refused: %s", error)
        elif error is not None:
            log.error("Background work failed.", exc_info=error)

    async def end(self) -> None:
        """Stops everything that the server started."""
        for task in self._tasks:
            task.cancel()
        for page in self.cards.values():
            page.close()
        await self.session.shutdown()

    def _guarded(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """The handler, whose failures become a plain sentence (a request) or a line in the log (a notification)."""
        if inspect.iscoroutinefunction(handler):

            @functools.wraps(handler)
            async def answered(ls: EcholotServer, *arguments: Any) -> Any:
                try:
                    return await handler(ls, *arguments)
                except Exception as error:
                    raise _plain(error, handler) from None

            return answered

        @functools.wraps(handler)
        def taken(ls: EcholotServer, *arguments: Any) -> None:
            try:
                handler(ls, *arguments)
            except Exception:
                log.exception("%s failed.", handler.__name__)

        return taken

    def report_server_error(self, error: Exception, source: Any) -> None:
        """pygls would show a message to the user; the log is the place for it."""
        log.debug("pygls: %s", error)


def _plain(error: Exception, handler: Callable[..., Any]) -> JsonRpcException:
    if isinstance(error, JsonRpcException):
        return error
    if isinstance(error, EcholotError):
        return JsonRpcInvalidParams(message=str(error))
    log.error("%s failed.", handler.__name__, exc_info=error)
    return JsonRpcInternalError(message="Something went wrong in Echolot; its log says more.")


def build() -> EcholotServer:
    """A server with every feature."""
    from echolot_lsp.lsp import (
        card,
        code_actions,
        code_lens,
        commands,
        completion,
        hover,
        inlay_hints,
        live,
        provider_json,
        refresh,
        scanning,
        symbols,
        synchronisation,
        trying,
        whole_workspace,
    )

    server = EcholotServer()
    for feature in (
        synchronisation,
        scanning,
        refresh,
        hover,
        inlay_hints,
        code_lens,
        symbols,
        code_actions,
        completion,
        provider_json,
        commands,
        card,
        trying,
        live,
        whole_workspace,
    ):
        feature.register(server)
    return server
