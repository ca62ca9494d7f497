"""The wire: heads, frames, time and the number of connections are bounded by the server itself.

The server trusts no proxy here, so that every connection counts for the address it comes from; on
Linux each address of 127.0.0.0/8 is a client of its own.
"""

import json
import signal
import socket
import stat
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from nestline.web.settings import Settings
from nestline.web.transport.connections import OpenConnections
from support.attacks import Target, message, web_socket
from support.web_driver import WAIT, Player, Server, checked, create, running, wait_for
from web.conftest import Servers

ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"
SETTINGS = {
    "NESTLINE_WEB_TRUSTED_PROXIES": "192.0.2.1",
    "NESTLINE_WEB_HEAD_SECONDS": "1",
    "NESTLINE_WEB_BODY_SECONDS": "1",
    "NESTLINE_WEB_UNREAD_SECONDS": "1",
    "NESTLINE_WEB_CONNECTIONS_PER_CLIENT": "30",
    "NESTLINE_WEB_HOSTS": "games.example",
}
MOST_DROPS = 3000
"""Bytes that a client sends one by one, over a minute, before it counts as not cut off."""
TEXT, PING, CONTINUATION, LAST = 0x1, 0x9, 0x0, 0x80
MASK = b"\0\0\0\0"
HANDSHAKE = (
    b"GET /api/v1/socket HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\n%s"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, tictactoe_tables: Path) -> Iterator[Server]:
    file = tmp_path_factory.mktemp("wire") / "games.sqlite3"
    file.touch(mode=0o644)  # As earlier versions left it.
    with running(str(file), tictactoe_tables, SETTINGS) as server:
        yield server


def connect(server: Server, source: str = ATTACKER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), WAIT, (source, 0))


def everything(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            received += part
    return received


def require_answer(server: Server) -> None:
    """Somebody else is answered meanwhile."""
    with connect(server, VICTIM) as connection:
        connection.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"


@contextmanager
def standing_still(server: Server) -> Iterator[None]:
    """What is sent meanwhile is all there when the server looks."""
    process = psutil.Process(server.process.pid)
    server.process.send_signal(signal.SIGSTOP)
    try:
        wait_for(lambda: process.status() == psutil.STATUS_STOPPED)
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def flood(connection: socket.socket, data: bytes, times: int) -> None:
    """Send much; the server may hang up meanwhile."""
    with suppress(OSError):
        for _ in range(times):
            connection.sendall(data)


# Heads and bodies.


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (b"GET / HTTP/1.1\r\nX: ", b"x" * 10_000),
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 2000),
        (b"GET /", b"x" * 10_000),
    ],
    ids=["endless line", "endless lines", "endless address"],
)
def test_a_head_that_is_too_large_is_refused(server: Server, start: bytes, part: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(start)
        flood(connection, part, 50)
        connection.settimeout(WAIT)
        answer = everything(connection)
    # If the client goes on sending, its system may drop the answer.
    assert answer.startswith(b"HTTP/1.1 431 ") or answer == b""


def test_the_refusal_of_a_large_head_says_why(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000)
        head, _, body = everything(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert json.loads(body)["error"] == {
        "code": "too-large", "message": "a head has at most 16,384 bytes and 100 lines",
    }  # fmt: skip


def test_lines_behind_a_body_count_too(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(
            b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n"
        )
        flood(connection, b"a: b\r\n" * 200, 1)
        assert b" 431 " in everything(connection)


def test_few_requests_are_sent_ahead(server: Server) -> None:
    request = b"GET /api/v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connect(server) as connection:
        connection.sendall(10 * request + b"GET /healthz HTTP/1.0\r\n\r\n")
        assert everything(connection).count(b"HTTP/1.1 200 OK") == 11
    with connect(server) as connection:
        flood(connection, 100 * request, 1)
        assert everything(connection).count(b"HTTP/1.1 200 OK") < 20


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        b"Content-Type: application/json\r\n\r\n{",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT",
    ],
    ids=["silent", "half a head", "half a body", "half a second head"],
)
def test_slow_clients_are_disconnected(server: Server, sent: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(sent)
        everything(connection)  # Without an end, this runs into the timeout of `connect`.


def test_a_head_that_drips_is_cut_off(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(MOST_DROPS):
                connection.sendall(b"a")
                time.sleep(0.02)


def test_the_rest_of_a_refused_body_is_not_read_for_ever(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(
            b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
        )
        assert connection.recv(12) == b"HTTP/1.1 413"
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(1000):
                connection.sendall(b"x" * 1_000_000)


def test_a_refused_body_that_drips_is_cut_off(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(
            b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
        )
        assert connection.recv(12) == b"HTTP/1.1 413"
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(MOST_DROPS):
                connection.sendall(b"x")
                time.sleep(0.02)


LONG = b"GET /api/v1/positions/gobblet?seconds=2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""A request that takes longer than a client may take for one head or one body."""


def test_an_answer_may_take_longer_than_a_head(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(LONG)
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize(
    "behind",
    [
        b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        b"this is not HTTP\r\n\r\n",
        HANDSHAKE % (b"localhost", b""),
    ],
    ids=["half a body", "nonsense", "WebSocket"],
)
def test_a_connection_that_ends_amid_its_requests_leaves_no_traceback(
    server: Server, behind: bytes
) -> None:
    lines = len(server.log)
    with connect(server) as connection:
        connection.sendall(LONG + behind)
        assert connection.recv(12) != b"HTTP/1.1 200"
    wait_for(lambda: any("GET /api/v1/positions/gobblet" in line for line in server.log[lines:]))
    assert not any("Traceback" in line or "ERROR" in line for line in server.log[lines:])


def test_whoever_does_not_read_the_answer_is_disconnected(server: Server) -> None:
    # Long answers soon fill what the system keeps for the two ends.
    request = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(WAIT)
        connection.bind((ATTACKER, 0))
        connection.connect(("127.0.0.1", server.port))
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(MOST_DROPS):
                connection.sendall(request)
                time.sleep(0.02)


# Connections.


def test_a_client_has_so_many_connections_and_others_have_theirs(server: Server) -> None:
    with ExitStack() as stack:
        with standing_still(server):  # Or the first ones would have been silent for too long.
            for _ in range(60):
                stack.enter_context(connect(server))
            connection = stack.enter_context(connect(server))
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert everything(connection) == b""
        require_answer(server)

    def is_welcome() -> bool:
        with connect(server) as connection:
            with suppress(OSError):
                connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            return everything(connection).startswith(b"HTTP/1.1 200")

    wait_for(is_welcome)  # The server has noticed that the others are gone.


def test_connections_beyond_the_descriptors_replace_silent_ones() -> None:
    class Silent:
        is_dropped = False

        def drop(self) -> None:
            self.is_dropped = True
            found.work(self)
            found.leave("192.0.2.7")

    found = OpenConnections(Settings(connections_per_client=1000))
    found._most = 2
    first, second = Silent(), Silent()
    for silent in (first, second):
        assert found.enter(("192.0.2.7", 1)) == "192.0.2.7"
        found.wait(silent)
    assert found.enter(("192.0.2.8", 1)) == "192.0.2.8"
    assert (first.is_dropped, second.is_dropped) == (True, False)
    found.work(second)
    assert found.enter(("192.0.2.8", 1)) is None


@pytest.mark.parametrize("proxy", ["192.0.2.9", "2001:db8::9"])
def test_a_proxy_may_have_any_number_of_connections(proxy: str) -> None:
    settings = Settings(connections_per_client=1, trusted_proxies=f"10.0.0.0/8, {proxy}")
    found = OpenConnections(settings)
    for address in (proxy, "10.1.2.3", "::ffff:10.1.2.3"):
        assert all(found.enter((address, 1)) for _ in range(3))
    assert found.enter(("2001:db8:1::9", 1))
    assert found.enter(("2001:db8:1::8", 1)) is None  # The same /64 network.


# WebSockets.


def upgraded(server: Server) -> socket.socket:
    connection = connect(server)
    connection.sendall(HANDSHAKE % (b"localhost", b""))
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(1)
    assert received.startswith(b"HTTP/1.1 101 ")
    return connection


def frame(kind: int, content: bytes = b"") -> bytes:
    return bytes([kind, 0x80 | len(content)]) + MASK + content


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (frame(TEXT, b"x"), frame(CONTINUATION)),
        (frame(TEXT, b"x"), frame(CONTINUATION, b"y")),
        (b"", frame(LAST | PING)),
        (b"", frame(LAST | 0xA)),
    ],
    ids=["empty frames", "tiny frames", "pings", "pongs"],
)
def test_floods_of_frames_end_the_connection(server: Server, start: bytes, part: bytes) -> None:
    with upgraded(server) as connection:
        connection.sendall(start)
        flood(connection, part * 20_000, 1)
        require_answer(server)
        flood(connection, part * 20_000, 5)
        answer = everything(connection)
    # The server may have closed before its answer was read.
    assert answer == b"" or struct.pack(">H", 1008) in answer


def test_text_that_is_not_utf_8_ends_the_connection_without_a_traceback(server: Server) -> None:
    with upgraded(server) as connection:
        connection.sendall(frame(LAST | TEXT, b"\xff\xfe"))
        assert struct.pack(">H", 1007) in everything(connection)
    with Player(server) as player:
        assert player.ask(type="ping")["type"] == "pong"
    assert not any("Traceback" in line or "UTF-8" in line for line in server.log)


def test_clients_that_hang_up_amid_their_messages_leave_no_traceback(server: Server) -> None:
    lines = len(server.log)
    for _ in range(30):
        with web_socket(Target(server.port, "127.0.0.1")) as connection:
            connection.sendall(message(type="ping") * 20)
            now = struct.pack("ii", 1, 0)  # Closing resets the connection.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
    with Player(server) as player:
        assert player.ask(type="ping")["type"] == "pong"
    assert not [line for line in server.log[lines:] if "Traceback" in line]


def test_messages_in_one_piece_are_all_answered(server: Server) -> None:
    """They are parsed a little at a time, and none is forgotten."""
    count = 300
    with Player(server) as player:
        text = json.dumps({"type": "ping", "ask": 1}).encode()
        player.socket.socket.sendall(frame(LAST | TEXT, text) * count)
        assert [player.receive()["type"] for _ in range(count)] == ["pong"] * count


def test_messages_in_one_piece_do_not_keep_others_waiting(server: Server) -> None:
    """The other player's message comes through before all of them are answered."""
    count = 300
    made = create(server, seats={"second": {"player": "link"}})
    game, mine = made["game"]["id"], made["tokens"]["first"]
    with server.client() as client:
        invitation = {"invitation": made["invitations"]["second"]}
        joined = checked(client.post(f"/games/{game}/join", json=invitation))
    with Player(server) as player, Player(server) as other:
        other.watch(game, joined["tokens"]["second"])
        player.watch(game, mine)
        player.ask(type="ping")
        with standing_still(server):
            text = json.dumps({"type": "ping", "ask": 0}).encode()
            player.socket.socket.sendall(frame(LAST | TEXT, text) * count)
            other.send(type="attend", game=game, hidden=True)
        kinds = [player.receive()["type"] for _ in range(count + 1)]
    assert kinds.count("pong") == count
    assert "presence" in kinds[:-1]


# Hosts, redirections, files.


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("127.0.0.1:1", True),
        ("[::1]:8000", True),
        ("games.example", True),
        ("games.example:443", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example:8000", False),
        ("", False),
    ],
)
def test_on_loopback_the_server_goes_by_local_names(
    server: Server, host: str, is_ours: bool
) -> None:
    response = httpx.get(f"{server.url}/api/v1/status", headers={"Host": host}, timeout=WAIT)
    assert response.status_code == (200 if is_ours else 421)
    # A page that was reached by a foreign name has that name as its origin.
    with connect(server) as connection:
        connection.sendall(HANDSHAKE % (host.encode(), b"Origin: http://%s\r\n" % host.encode()))
        assert connection.recv(12) == (b"HTTP/1.1 101" if is_ours else b"HTTP/1.1 403")


@pytest.mark.parametrize("hosts", [b"localhost evil.example", b"evil.example localhost"])
def test_every_name_counts_if_several_are_given(server: Server, hosts: bytes) -> None:
    lines = b"".join(b"Host: %s\r\n" % host for host in hosts.split())
    with connect(server) as connection:
        connection.sendall(b"GET /api/v1/status HTTP/1.1\r\n%s\r\n" % lines)
        assert connection.recv(12) == b"HTTP/1.1 421"


def test_redirections_do_not_repeat_the_name_they_were_asked_by(server: Server) -> None:
    head = {"Host": "games.example"}
    response = httpx.get(f"{server.url}/api/v1/rules/?a=b", headers=head, timeout=WAIT)
    assert response.status_code == 307
    assert response.headers["location"] == "/api/v1/rules?a=b"


def test_browsers_that_came_by_https_keep_to_it(on_sqlite: Servers) -> None:
    server = on_sqlite.one
    safe = server.get("/", **{"X-Forwarded-Proto": "https"})
    assert "max-age=" in safe.headers["strict-transport-security"]
    assert "strict-transport-security" not in server.get("/").headers


def test_only_the_owner_reads_the_database(server: Server) -> None:
    create(server)
    files = list(Path(server.database).parent.iterdir())
    assert {file.name.removeprefix("games.sqlite3") for file in files} >= {"", "-wal", "-shm"}
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    # Tables are built by another process, which inherits this.
    status = Path(f"/proc/{server.process.pid}/status")
    if status.exists():
        assert "Umask:\t0077" in status.read_text("ascii")
