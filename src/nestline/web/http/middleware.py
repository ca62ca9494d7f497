"""The middleware of every HTTP request: rate limit, size limit, security headers, access log.

Plain ASGI, which is cheap. Paths are logged without their query, which is the visitor's business;
neither ever contains a token. Requests beyond the rate are only counted: they would fill the log.
"""

import time
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nestline.web.access.hosts import check_host
from nestline.web.access.visitors import visitor_of, without_other_cookies
from nestline.web.http.problems import log_failure
from nestline.web.http.responses import refusal_response
from nestline.web.logs import log_access
from nestline.web.refusals import Refusal
from nestline.web.services import Services

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
EMBEDDED = "/embed"
"""The address of the small view of a game, which other pages may show in a frame."""
EMBEDDED_HEADERS = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors *")
    for name, value in HEADERS.items()
    if name != "x-frame-options"
} | {"cross-origin-resource-policy": "cross-origin"}
HTTPS_ONLY = "max-age=31536000"
"""For a year, browsers that have reached the server by https do not try http."""


class HttpMiddleware:
    """See the module."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500
        has_begun = is_too_many = False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _headers_of(scope["path"]).items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", HTTPS_ONLY)
                if "location" in headers:
                    headers["location"] = _relative(headers["location"])
            await send(message)

        try:
            client = self._check(scope)
            await self._services.turns.take(client)
            body = _Body(receive, self._services.settings.body_bytes)
            await self._app(without_other_cookies(scope), body.receive, send_with_headers)
        except Refusal as refusal:
            is_too_many = refusal.code == "too-many"
            await _refuse(refusal, send_with_headers)
        except Exception as error:
            log_failure(error)
            if not has_begun:
                failed = "the server made a mistake, which has been written down"
                await _refuse(Refusal(500, "failed", failed), send_with_headers)
        finally:
            seconds = time.perf_counter() - began
            metrics = self._services.metrics
            metrics.requests.labels(_method(scope), str(status)).inc()
            metrics.request_seconds.observe(seconds)
            if not is_too_many:
                log_access(scope, scope["method"], f"{status} {1000 * seconds:.0f} ms")

    def _check(self, scope: Scope) -> str:
        """The client, if its request is allowed."""
        client = visitor_of(scope).client
        self._services.requests.take(client)
        check_host(scope, self._services.settings.hosts)
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > self._services.settings.body_bytes:
            raise _too_large(self._services.settings.body_bytes)
        return client


def _headers_of(path: str) -> dict[str, str]:
    is_embedded = path == EMBEDDED or path.startswith(f"{EMBEDDED}/")
    return EMBEDDED_HEADERS if is_embedded else HEADERS


def _relative(location: str) -> str:
    """A redirection to this server, without the name that the client gave it."""
    _scheme, _name, path, query, _fragment = urlsplit(location)
    return urlunsplit(("", "", "/" + path.lstrip("/"), query, ""))


def _method(scope: Scope) -> str:
    """The method; unknown ones share one label, so that clients cannot create endless metrics."""
    method: str = scope["method"]
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return method if method in known else "other"


class _Body:
    """Counts the bytes of a body as they arrive, whatever its headers claim."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._size = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > self._most:
            raise _too_large(self._most)
        return message


def _too_large(most: int) -> Refusal:
    return Refusal(413, "too-large", f"a request has at most {most:,} bytes")


async def _refuse(refusal: Refusal, send: Send) -> None:
    response = refusal_response(refusal)
    await send(
        {"type": "http.response.start", "status": response.status_code,
         "headers": response.raw_headers}
    )  # fmt: skip
    await send({"type": "http.response.body", "body": response.body})
