"""HTTP with limits on heads, lines, pipelines and time; uvicorn does the rest.

Bodies are counted by the middleware, which knows how large they may be. A client that exceeds a
limit gets a refusal and is disconnected; one that is too slow is just disconnected.
"""

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from nestline.web.transport.connections import connections_of
from nestline.web.transport.unread import DropsUnread

MOST_LINES = 100
"""Lines of a head, and of what may follow a body in pieces."""
MOST_PIPELINED = 16
"""Requests sent before the first of them is answered."""
MOST_DISCARDED = 1_000_000
"""Bytes of a refused body that are read to no purpose, so that the connection stays usable."""
LINGER_SECONDS = 2.0
"""How long a connection stays open after a refusal, so that the client can read it."""


class TooMuch(Exception):
    """Stops the parser; the refusal is sent by `send_400_response`."""


class HttpProtocol(DropsUnread, HttpToolsProtocol):
    """One connection; see the module."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._open = connections_of(config.loaded_app)
        self._client: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_in_head = True
        self._size = self._lines = 0
        self._refusal: tuple[int, str, str] | None = None
        self._is_ending = False
        self._running: RequestResponseCycle | None = None

    # Connecting.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._client = self._open.enter(self.client)
        if self._client is None:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        self._stop_answering()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._let_go()
        self._stop_answering()
        super().handle_websocket_upgrade()

    def _let_go(self) -> None:
        """Leave the connection to nobody, or to the WebSocket protocol."""
        self._stop_timer()
        self._stop_stalled()
        self._open.work(self)
        if self._client is not None:
            self._open.leave(self._client)
            self._client = None

    def drop(self) -> None:
        self._open.work(self)
        self.transport.abort()

    # Time.

    def _wait(self) -> None:
        """Give the client some time for the head of its next request."""
        self._open.wait(self)
        self._start_timer(self._open.settings.head_seconds)

    def _wait_unless_busy(self) -> None:
        is_busy = self._running is not None and not self._running.response_complete
        if self._timer is None and not is_busy:
            self._wait()

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.drop)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # Reading.

    def data_received(self, data: bytes) -> None:
        if self._is_ending or self._client is None:
            return
        self._size += len(data)
        super().data_received(data)
        if self._client is None or self._is_ending or self.transport.is_closing():
            return  # Upgraded, or refused.
        if self._is_in_head:
            if self._size > self._open.settings.head_bytes:
                self._refusal = self._too_large()
                self.send_400_response("")
            else:
                self._wait_unless_busy()
        elif self.cycle.response_complete and self._size > MOST_DISCARDED:
            self._end()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True
        self._lines = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._require(len(self.url) <= self._open.settings.head_bytes, self._too_large())

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines += 1
        self._require(self._lines <= MOST_LINES, self._too_large())
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        self._require(size <= self._open.settings.head_bytes, self._too_large())
        problem = 429, "too-many", f"at most {MOST_PIPELINED} requests are sent ahead"
        self._require(len(self.pipeline) < MOST_PIPELINED, problem)
        self._is_in_head = False
        self._open.work(self)
        self._start_timer(self._open.settings.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()
        self._is_in_head = True
        self._size = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_in_head and not self.transport.is_closing():
            self._wait_unless_busy()

    def _too_large(self) -> tuple[int, str, str]:
        most = self._open.settings.head_bytes
        return 431, "too-large", f"a head has at most {most:,} bytes and {MOST_LINES} lines"

    def _require(self, is_fine: bool, refusal: tuple[int, str, str]) -> None:
        if not is_fine:
            self._refusal = refusal
            raise TooMuch

    # Answering.

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _stop_answering(self) -> None:
        """Tell the request in progress that nobody reads its answer, and begin no other.

        uvicorn tells only the latest request, which may be one that was sent ahead.
        """
        self.pipeline.clear()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be parsed, or is too much, and disconnect."""
        if self._is_ending:
            return
        answered = self._running
        if answered is None or answered.response_complete or not answered.response_started:
            status, code, message = self._refusal or (400, "bad-request", "this is not HTTP")
            body = json.dumps({"error": {"code": code, "message": message}}).encode()
            head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d"
            self.transport.write(STATUS_LINE[status] + head % len(body) + b"\r\n\r\n" + body)
        self._end()

    def _end(self) -> None:
        """Send and read nothing more; a reset at once could destroy the answer."""
        self._is_ending = True
        self.flow.pause_reading()
        self._stop_answering()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._start_timer(LINGER_SECONDS)
