"""The only module of the trial that touches the network: one request, one answer, every failure a plain sentence."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from echolot_lsp.errors import TrialError
from echolot_lsp.trial import anthropic, gemini, openai_chat, openai_responses
from echolot_lsp.trial.abort import Abort
from echolot_lsp.trial.endpoint import KNOWN, Endpoint, is_loopback, origin
from echolot_lsp.trial.refusal import Answer, Refusal, redacted, refusal
from echolot_lsp.trial.reply import Request

if TYPE_CHECKING:
    import httpx2

ADAPTERS = {
    "anthropic": anthropic,
    "openai-responses": openai_responses,
    "openai-chat": openai_chat,
    "gemini": gemini,
}

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 120.0
LOCAL_SECONDS = 300.0
"""A small machine reads a long list slowly."""
LARGEST_ANSWER = 16 * 1024 * 1024
"""Bytes of an answer that are read; more is no answer to a prompt."""


class Sender(Protocol):
    """How a request is sent: ``send`` below, or a stand-in in tests."""

    def __call__(self, endpoint: Endpoint, request: Request, tool_names: Sequence[str]) -> Any: ...


def send(
    endpoint: Endpoint,
    request: Request,
    tool_names: Sequence[str],
    *,
    seconds: float | None = None,
    abort: Abort | None = None,
) -> Any:
    """The JSON that an endpoint answers. Raises ``TrialError`` (``Refusal`` for a status that is no success).

    Whoever calls this has asked for consent before (``consent.py``). Redirects are not followed: a key would travel with them.
    ``abort`` ends it from another thread.
    """
    limit = seconds or (LOCAL_SECONDS if is_loopback(endpoint.host) else ANSWER_SECONDS)
    answer = _exchange(endpoint, "POST", request.url, limit, request, abort)
    if answer.status >= 300 or answer.status < 200:
        raise refusal(endpoint, answer, tool_names)
    if answer.body is None:
        kind = answer.headers.get("content-type", "").partition(";")[0] or "text"
        raise TrialError(f"{endpoint.origin} answered with {kind} where JSON belongs: is it the address of a model?")
    return answer.body


def local_models(endpoint: Endpoint, *, seconds: float = 2.0) -> list[str] | None:
    """The models of a server on this machine; ``None`` where none answers. Nothing is sent but the question."""
    try:
        answer = _exchange(endpoint, "GET", f"{endpoint.base_url}/models", seconds, None)
    except TrialError:
        return None
    return openai_chat.models(answer.body) if answer.status == 200 else None


def _exchange(
    endpoint: Endpoint, method: str, url: str, seconds: float, request: Request | None, abort: Abort | None = None
) -> Answer:
    import httpx2

    headers = {"accept": "application/json", "user-agent": "echolot"}
    content: bytes | None = None
    if request is not None:
        headers.update(request.headers)
        headers["content-type"] = "application/json"
        content = json.dumps(request.body, ensure_ascii=False).encode("utf-8", "replace")
    if endpoint.key is not None:
        adapter = ADAPTERS[endpoint.protocol]
        headers[adapter.KEY_HEADER] = adapter.KEY_PREFIX + endpoint.key
    watched: dict[str, Any] = {} if abort is None else {"trace": abort.trace}
    try:
        with (
            _client(endpoint, seconds) as client,
            client.stream(method, url, content=content, headers=headers, extensions=watched) as response,
        ):
            return _read(endpoint, response, time.monotonic() + seconds, seconds)
    except ImportError:
        raise TrialError("The environment names a SOCKS proxy, which needs the Python package socksio.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError) as error:
        raise _failure(endpoint, error, seconds) from None


def _client(endpoint: Endpoint, seconds: float) -> httpx2.Client:
    """A client that follows nothing. A proxy of the environment is used, but never on the way to this machine."""
    import httpx2

    timeout = httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    return httpx2.Client(timeout=timeout, follow_redirects=False, trust_env=not is_loopback(endpoint.host))


def _read(endpoint: Endpoint, response: httpx2.Response, deadline: float, seconds: float) -> Answer:
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if time.monotonic() > deadline:
            raise TrialError(f"{endpoint.origin} did not complete its answer within {seconds:g} s.")
        if len(body) > LARGEST_ANSWER:
            raise TrialError(f"{endpoint.origin} answers with more than {LARGEST_ANSWER >> 20} MB; the rest is not read.")
    headers: Mapping[str, str] = {name.lower(): value for name, value in response.headers.items()}
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        parsed = None
        if 200 <= response.status_code < 300 and "json" in headers.get("content-type", ""):
            raise TrialError(f"{endpoint.origin} answered with JSON that cannot be read: it is cut off or broken.") from None
    return Answer(response.status_code, headers, parsed)


def _failure(endpoint: Endpoint, error: Exception, seconds: float) -> TrialError:
    import httpx2

    place = endpoint.origin
    here = is_loopback(endpoint.host)
    if isinstance(error, httpx2.ProxyError):
        return TrialError(f"The proxy that the environment names refuses the way to {place}{_reason(endpoint, error)}")
    if isinstance(error, httpx2.ConnectTimeout):
        return TrialError(f"{place} cannot be reached within {min(seconds, CONNECT_SECONDS):g} s: check the network and the proxy.")
    if isinstance(error, httpx2.TimeoutException):
        return TrialError(f"{place} did not answer within {seconds:g} s.")
    if isinstance(error, httpx2.ConnectError):
        if "CERTIFICATE" in str(error).upper():
            return TrialError(
                f"The certificate of {place} is not trusted{_reason(endpoint, error)} Behind a company's proxy, name its"
                " certificate in SSL_CERT_FILE."
            )
        start = KNOWN[endpoint.provider].start
        if here:
            how = f" Start it: {start}" if start else ""
            return TrialError(f"No server answers at {place}.{how}")
        return TrialError(f"{place} cannot be reached: check the network and the proxy{_reason(endpoint, error)}")
    if isinstance(error, (httpx2.ReadError, httpx2.RemoteProtocolError, httpx2.WriteError)):
        return TrialError(f"{place} broke the connection before its answer was complete.")
    return TrialError(f"The request to {place} failed{_reason(endpoint, error)}")


def _reason(endpoint: Endpoint, error: Exception) -> str:
    """`` (what the library says).``, without keys and without a proxy's password."""
    text = redacted(" ".join(str(error).split()), endpoint)
    if not text or "@" in text:
        return "."
    return f" ({text.rstrip('.')})."


def proxy_of(endpoint: Endpoint) -> str | None:
    """The proxy that the environment names for an endpoint, without its password; ``None`` where there is none."""
    if is_loopback(endpoint.host):
        return None
    from urllib.request import getproxies, proxy_bypass

    url = getproxies().get(urlsplit(endpoint.base_url).scheme) or getproxies().get("all")
    if not url or proxy_bypass(endpoint.host):
        return None
    return origin(url if "://" in url else f"http://{url}")


__all__ = ["ADAPTERS", "Refusal", "Sender", "local_models", "proxy_of", "send"]
