"""WebSockets with limits on frames and time; uvicorn and websockets do the rest.

What has arrived is parsed a little at a time, and others have their turn in between: parsing a
thousand tiny frames takes as long as a move.
"""

import asyncio
from functools import lru_cache
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from nestline.web.access.limits import Bucket
from nestline.web.transport.connections import connections_of
from nestline.web.transport.unread import DropsUnread

SLICE = 1024
"""Bytes parsed at a time."""
MOST_BUFFERED = 65_536
"""Bytes waiting to be parsed, before nothing more is read."""
MOST_FRAGMENTS = 100
"""Frames of one message."""
CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_AT_ONCE = 5.0, 100.0
"""Pings, pongs and empty frames of one connection."""


SEND_AT_ONCE = "nestline.send_at_once"
"""The ASGI extension under which a connection finds `WebSocketProtocol.send_at_once`."""


@lru_cache(16)
def _frame_of(text: str) -> bytes:
    """A message as the bytes of a frame, made once for all who get it."""
    content = text.encode()
    size = len(content)
    if size < 126:
        return bytes((0x81, size)) + content
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + content
    return b"\x81\x7f" + size.to_bytes(8, "big") + content


class WebSocketProtocol(DropsUnread, WebSocketsSansIOProtocol):
    """One connection; see the module."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._open = connections_of(config.loaded_app)
        self._client: str | None = None
        self._buffer = bytearray()
        self._parsing: asyncio.Handle | None = None
        self._control_frames = Bucket(CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_AT_ONCE)
        self._heard = self.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._client = self._open.enter(self.client)
        if self._client is None:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._parsing:
            self._parsing.cancel()
        self._stop_stalled()
        if self._client is not None:
            self._open.leave(self._client)
            self._client = None
        super().connection_lost(exc)

    def drop(self) -> None:
        self.transport.abort()

    # Sending. A move is told to all who watch, so most of what a server does is to send.

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # Otherwise the handshake has been refused.
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[SEND_AT_ONCE] = self.send_at_once

    def send_at_once(self, text: str) -> bool:
        """Send a message if that is possible without waiting; returns whether it was.

        `send` does the same with a task and some objects for each message.
        """
        if self.disconnected:
            return True  # Nobody reads it any more; what came before is still being answered.
        if not self.writable.is_set() or self.close_sent or self.conn.state is not State.OPEN:
            return False
        self.transport.write(_frame_of(text))
        return True

    def send_keepalive_ping(self) -> None:
        """Ping a client that has been silent; who plays or pings himself needs no ping."""
        silent = self.loop.time() - self._heard
        if self.ping_interval is not None and silent < self.ping_interval:
            self.ping_timer = self.loop.call_later(
                self.ping_interval - silent, self.send_keepalive_ping
            )
        else:
            super().send_keepalive_ping()

    # Reading.

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        is_little = len(data) <= SLICE and not self._buffer and not self.read_paused
        if is_little or not self.handshake_initiated:
            super().data_received(data)
            return
        self._buffer += data
        if len(self._buffer) > MOST_BUFFERED:
            self.transport.pause_reading()
        self._parse_soon()

    def _parse_soon(self) -> None:
        if self._parsing is None and self._buffer and not self.read_paused:
            self._parsing = self.loop.call_soon(self._parse)

    def _parse(self) -> None:
        self._parsing = None
        if self.disconnected or self.transport.is_closing():
            return
        piece = bytes(self._buffer[:SLICE])
        del self._buffer[:SLICE]
        super().data_received(piece)
        self._parse_soon()
        if not self._buffer and not self.read_paused:
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail(CloseCode.INVALID_DATA, "this is not UTF-8")
                return
            if self.queue.empty():
                # The next one may come before this one has been taken; it is then the last for a
                # while. uvicorn stops reading after each message, which costs two system calls.
                self.frames = []
                self.queue.put_nowait({"type": "websocket.receive", "text": text})
                return
        super().send_receive_event_to_app()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            if self._buffer:
                self._parse_soon()
            else:
                self.transport.resume_reading()
        return message

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS or not self._is_within_rate(event):
            self._fail(CloseCode.POLICY_VIOLATION, "too many frames")
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._control_frames.take() > 0:
            self._fail(CloseCode.POLICY_VIOLATION, "too many pings")
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._control_frames.take() > 0:
            self._fail(CloseCode.POLICY_VIOLATION, "too many pongs")
        else:
            super().handle_pong(event)

    def _is_within_rate(self, event: Frame) -> bool:
        return len(event.data) > 0 or self._control_frames.take() == 0

    def _fail(self, code: CloseCode, reason: str) -> None:
        """Close the connection; nothing more is read."""
        self._buffer.clear()
        if self.close_sent:
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()
