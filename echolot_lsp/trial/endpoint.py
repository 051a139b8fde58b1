"""Where a model is and how it is spoken to: ``"anthropic/claude-sonnet-5"`` -> ``Endpoint``.

A reference is ``PROVIDER/MODEL``, or ``PROVIDER/MODEL@URL`` for another place than the provider's own. Keys are read from the
environment that is handed in. A key goes only to its provider, or to the place that the *environment* names for it: an address in
a reference may come from a project's settings, so only ``ECHOLOT_API_KEY``, which exists for that, is sent there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from echolot_lsp.errors import TrialError
from echolot_lsp.model import ProviderName

Protocol = Literal["anthropic", "openai-responses", "openai-chat", "gemini"]

OTHER_KEY = "ECHOLOT_API_KEY"
"""The key for an address that a reference names."""


@dataclass(frozen=True, slots=True)
class Provider:
    """What is known of a kind of endpoint. ``keys`` and ``url_variables`` are names of environment variables."""

    name: str
    title: str
    protocol: Protocol
    base_url: str
    keys: tuple[str, ...] = ()
    url_variables: tuple[str, ...] = ()
    needs_key: bool = False
    start: str = ""
    """For a server on this machine: how it is started."""


KNOWN: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "anthropic",
            "Anthropic",
            "anthropic",
            "https://api.anthropic.com",
            ("ANTHROPIC_API_KEY",),
            ("ANTHROPIC_BASE_URL",),
            True,
        ),
        Provider(
            "openai",
            "OpenAI",
            "openai-responses",
            "https://api.openai.com/v1",
            ("OPENAI_API_KEY",),
            ("OPENAI_BASE_URL",),
            True,
        ),
        Provider(
            "gemini",
            "Gemini",
            "gemini",
            "https://generativelanguage.googleapis.com",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            ("GOOGLE_GEMINI_BASE_URL",),
            True,
        ),
        Provider(
            "ollama",
            "Ollama",
            "openai-chat",
            "http://127.0.0.1:11434/v1",
            ("OLLAMA_API_KEY",),
            ("OLLAMA_HOST",),
            start="ollama serve",
        ),
        Provider("lmstudio", "LM Studio", "openai-chat", "http://127.0.0.1:1234/v1", start="lms server start"),
        Provider("llamacpp", "llama.cpp", "openai-chat", "http://127.0.0.1:8080/v1", start="llama-server --jinja -m MODEL.gguf"),
        Provider("vllm", "vLLM", "openai-chat", "http://127.0.0.1:8000/v1", ("VLLM_API_KEY",), start="vllm serve MODEL"),
    )
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one place. ``key`` never shows in its ``repr``."""

    provider: str
    model: str
    protocol: Protocol
    base_url: str
    key: str | None = field(default=None, repr=False)
    key_name: str | None = None

    @property
    def reference(self) -> str:
        """``PROVIDER/MODEL``, as a person writes it."""
        return f"{self.provider}/{self.model}"

    @property
    def title(self) -> str:
        """The provider's name in a sentence."""
        return KNOWN[self.provider].title

    @property
    def origin(self) -> str:
        """Scheme, host and port: where a request goes."""
        return origin(self.base_url)

    @property
    def host(self) -> str:
        """The host alone."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def form(self) -> ProviderName:
        """Whose form of the list this endpoint wants."""
        if self.protocol == "anthropic" or self.protocol == "gemini":
            return self.protocol
        return "openai"


def resolve(reference: str, environment: Mapping[str, str], *, openai_api: Literal["responses", "chat"] | None = None) -> Endpoint:
    """The endpoint of a reference. Raises ``TrialError`` for an unknown provider, a bad address or a missing key."""
    name, _, rest = reference.strip().partition("/")
    provider = KNOWN.get(name)
    if provider is None or not rest:
        raise TrialError(f'"{reference}" names no model: write PROVIDER/MODEL, where PROVIDER is one of {", ".join(KNOWN)}.')
    model, given_url = _split_url(rest)
    if not model:
        raise TrialError(f'"{reference}" names no model: write {name}/MODEL.')
    base_url, own = _base_url(provider, given_url, environment)
    key_name = next((key for key in ((OTHER_KEY,) if given_url else provider.keys) if environment.get(key, "").strip()), None)
    if provider.needs_key and key_name is None and not is_loopback(urlsplit(base_url).hostname):
        wanted = OTHER_KEY if given_url else " or ".join(provider.keys)
        raise TrialError(f"{provider.title} needs a key: set {wanted} in the environment.")
    key = environment[key_name].strip() if key_name else None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise TrialError(f"The key in {key_name} holds characters that no key has: copy it again.")
    return Endpoint(name, model, _protocol(provider, own, openai_api), base_url, key, key_name)


def _split_url(rest: str) -> tuple[str, str | None]:
    for mark in ("@https://", "@http://"):
        model, found, tail = rest.partition(mark)
        if found:
            return model, found[1:] + tail
    return rest, None


def _protocol(provider: Provider, own: bool, openai_api: Literal["responses", "chat"] | None) -> Protocol:
    """Servers that imitate OpenAI speak chat completions; only OpenAI itself is asked by Responses unless told otherwise."""
    if provider.name != "openai":
        return provider.protocol
    if openai_api is not None:
        return "openai-chat" if openai_api == "chat" else "openai-responses"
    return "openai-responses" if own else "openai-chat"


def _base_url(provider: Provider, given: str | None, environment: Mapping[str, str]) -> tuple[str, bool]:
    """The address without a slash at its end, and whether it is the provider's own host."""
    raw = given
    named = "The address of the model"
    if raw is None:
        variable = next((name for name in provider.url_variables if environment.get(name, "").strip()), None)
        if variable is None:
            return provider.base_url, True
        raw, named = environment[variable].strip(), variable
        if provider.name == "ollama":
            raw = _ollama_url(raw)
    parts = _parsed(raw, named)
    path = parts.path.rstrip("/")
    if provider.protocol in ("anthropic", "gemini"):
        path = path.removesuffix("/v1").removesuffix("/v1beta")
    elif not path:
        path = "/v1"
    own = parts.hostname == urlsplit(provider.base_url).hostname
    return f"{parts.scheme}://{parts.netloc}{path}", own


def _parsed(raw: str, named: str) -> SplitResult:
    try:
        parts = urlsplit(raw)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise TrialError(f"{named} is no http or https address.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise TrialError(f"{named} holds more than an address: put the key into the environment, not into the address.")
    return parts


def _ollama_url(raw: str) -> str:
    """``OLLAMA_HOST`` as Ollama reads it: host, host:port or a whole address; ``0.0.0.0`` is where it listens, not where it is."""
    if "://" not in raw:
        raw = f"http://{raw}"
    parts = urlsplit(raw)
    host = "127.0.0.1" if parts.hostname in ("0.0.0.0", "::") else (parts.hostname or "127.0.0.1")
    shown = f"[{host}]" if ":" in host else host
    default = {"https": 443}.get(parts.scheme, 11434)
    return f"{parts.scheme}://{shown}:{parts.port or default}/v1"


def origin(url: str) -> str:
    """Scheme, host and port of an address, without the port that its scheme implies."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = f":{parts.port}" if parts.port and parts.port != usual else ""
    return f"{parts.scheme}://{shown}{port}"


def is_loopback(host: str | None) -> bool:
    """Whether a host is this machine by its spelling; names are not looked up."""
    if not host:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_cloud_model(model: str) -> bool:
    """Whether a model behind a local port runs elsewhere: Ollama calls those ``…-cloud`` or ``…:cloud``."""
    name = model.lower()
    return name.endswith(("-cloud", ":cloud")) or "-cloud:" in name


def stays_here(endpoint: Endpoint) -> bool:
    """Whether what is sent to an endpoint stays on this machine, as far as its address and its model's name tell."""
    return is_loopback(endpoint.host) and not is_cloud_model(endpoint.model)
