"""Who plays or pings himself is not pinged; who is silent is, and goes if he does not answer."""

import asyncio
from types import SimpleNamespace
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from nestline.web.settings import Settings
from nestline.web.transport.connections import OpenConnections
from nestline.web.transport.websocket_protocol import WebSocketProtocol
from support.attacks import LAST, PING, TEXT, frame
from support.skipped_time import run_skipping_time

INTERVAL = 20.0
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Listener:
    """An application that accepts a connection and hears what comes."""

    services = SimpleNamespace(open_connections=OpenConnections(Settings()))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass


class Wire(asyncio.Transport):
    """Notes when frames are sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pings(self) -> int:
        return sum(data[0] == LAST | PING for data in self.sent if data)


def test_only_silent_clients_are_pinged() -> None:
    async def connect() -> None:
        config = Config(
            Listener(), ws_ping_interval=INTERVAL, ws_ping_timeout=INTERVAL, lifespan="off",
            log_config=None,
        )  # fmt: skip
        config.load()
        wire = Wire()
        connection = WebSocketProtocol(config, ServerState(), {}, asyncio.get_running_loop())
        connection.connection_made(wire)
        connection.data_received(HANDSHAKE)
        for _ in range(10):
            await asyncio.sleep(INTERVAL / 4)
            connection.data_received(frame(LAST | TEXT, b"x"))
        assert wire.pings() == 0
        await asyncio.sleep(1.5 * INTERVAL)
        assert wire.pings() == 1
        await asyncio.sleep(INTERVAL)
        assert wire.is_closed
        connection.connection_lost(None)

    run_skipping_time(connect())
