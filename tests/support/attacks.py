"""What a hostile client does to a server: each attack is a function that runs for a few seconds.

They use plain sockets and nothing of the package, since they send what no library would. On Linux
each address of 127.0.0.0/8 is a client of its own.
"""

import json
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple

TEXT, PING, CONTINUATION, LAST = 0x1, 0x9, 0x0, 0x80
SECONDS = 3.0
"""How long an endless attack goes on."""
SHUFFLE = ("4a1", "4d4", "a1a2", "d4d3", "a2a1", "d3d4")
"""Two pieces go to and fro; in `gobblet` the fourth repetition would be a draw, so rules without
repetition are used."""
RULES = 'like = "gobblet"\nrepetition = 0\ntouch_move = false\n'


class Target(NamedTuple):
    """A server, and the address from which it is attacked."""

    port: int
    source: str

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 20, (self.source, 0))


def request(
    target: Target, method: str, path: str, body: Any = None, token: str | None = None
) -> tuple[int, Any]:
    """The status and the content of an answer; 0 if there was none."""
    try:
        with target.connect() as connection:
            connection.sendall(sent_as(method, path, body, token))
            received = b""
            while part := connection.recv(65_536):
                received += part
    except OSError:
        return 0, None
    start, _, answer = received.partition(b"\r\n\r\n")
    with suppress(ValueError, IndexError):
        return int(start.split()[1]), json.loads(answer)
    return 0, None


def sent_as(method: str, path: str, body: Any = None, token: str | None = None) -> bytes:
    """A request as it is sent."""
    content = b"" if body is None else json.dumps(body).encode()
    head = [f"{method} /api/v1{path} HTTP/1.1", "Host: localhost", "Connection: close"]
    head += [f"Content-Length: {len(content)}", "Content-Type: application/json"]
    head += [f"Authorization: Bearer {token}"] if token else []
    return "\r\n".join(head).encode() + b"\r\n\r\n" + content


@contextmanager
def web_socket(target: Target) -> Iterator[socket.socket]:
    with target.connect() as connection:
        connection.sendall(
            b"GET /api/v1/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        received = b""
        while b"\r\n\r\n" not in received and (part := connection.recv(1)):
            received += part
        yield connection


def frame(kind: int, content: bytes = b"") -> bytes:
    """A frame as a client sends it, masked with zeros."""
    size = len(content)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([kind]) + length + b"\0\0\0\0" + content


def message(**content: Any) -> bytes:
    return frame(LAST | TEXT, json.dumps(content).encode())


def flood(connection: socket.socket, data: bytes, seconds: float = SECONDS) -> None:
    """Send something again and again, until the time is over or the server hangs up."""
    end = time.monotonic() + seconds
    with suppress(OSError):
        while time.monotonic() < end:
            connection.sendall(data)


def long_record(plies: int) -> str:
    moves = [SHUFFLE[ply] if ply < 2 else SHUFFLE[2 + (ply - 2) % 4] for ply in range(plies)]
    return " ".join(moves)


def long_game(target: Target, plies: int) -> tuple[str, str]:
    """A game of so many plies, without repetition: its id and token."""
    _status, rules = request(target, "POST", "/rules", {"toml": RULES})
    record = f'[Rules "{(rules or {}).get("name", "gobblet")}"]\n\n{long_record(plies)} *'
    status, made = request(target, "POST", "/games", {"record": record})
    if status != 201:
        return "none", "none"
    return made["game"]["id"], made["tokens"]["first"]


# The attacks.


def watch_a_long_game_on_many_sockets(target: Target) -> None:
    game, _token = long_game(target, 400)
    with ExitStack() as stack:
        for _ in range(100):
            with suppress(OSError):
                connection = stack.enter_context(web_socket(target))
                connection.setblocking(False)
                connection.send(message(type="watch", game=game) * 150)
        time.sleep(SECONDS)


def create_games_from_endless_records(target: Target) -> None:
    for _ in range(5):
        long_game(target, 6000)


def redo_a_long_game(target: Target) -> None:
    game, token = long_game(target, 990)
    for number in range(0, 20, 2):
        for action, ply, at in (("undo", 0, number), ("redo", 990, number + 1)):
            body = {"action": action, "ply": ply, "number": at}
            request(target, "POST", f"/games/{game}/actions", body, token)
    for _ in range(20):
        request(target, "GET", f"/games/{game}")


def send_rules_with_endless_keys(target: Target) -> None:
    for size in (8000, 95):
        for _ in range(10):
            request(
                target, "POST", "/rules", {"toml": f"{'a.' * size}a=1\n" * (16_000 // size // 2)}
            )


def check_endless_moves(target: Target) -> None:
    moves = long_record(7000).split()
    for count in (7000, 1000, 1000, 1000):
        request(target, "POST", "/check", {"rules": "gobblet", "moves": moves[:count]})


def ask_for_everything(target: Target) -> None:
    paths = ("/status", "/rules", "/openapi.json", "/docs", "/positions/gobblet/picture?size=2048")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for path in paths:
            request(target, "GET", path)


def ask_for_large_pictures(target: Target) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        request(target, "GET", "/positions/gobblet/picture.png?size=1200")


def send_endless_cookies(target: Target) -> None:
    head = b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(OSError), target.connect() as connection:
            connection.sendall(head + b'Cookie: a="' + b"\\" * 15_000 + b'"\r\n\r\n')
            connection.recv(65_536)


def send_an_endless_line(target: Target) -> None:
    with target.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        flood(connection, b"x" * 100_000)


def send_endless_lines(target: Target) -> None:
    with target.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        flood(connection, b"a: b\r\n" * 10_000)


def send_an_endless_body(target: Target) -> None:
    with target.connect() as connection:
        connection.sendall(
            b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        flood(connection, b"1\r\na\r\n" * 10_000)


def send_requests_ahead(target: Target) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(OSError), target.connect() as connection:
            flood(connection, b"GET /api/v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100, 0.3)


def send_empty_continuations(target: Target) -> None:
    with web_socket(target) as connection:
        connection.sendall(frame(TEXT, b"x"))
        flood(connection, frame(CONTINUATION) * 10_000)


def send_pings(target: Target) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(OSError), web_socket(target) as connection:
            flood(connection, frame(LAST | PING) * 10_000, 0.5)


def stay_silent(target: Target) -> None:
    starts = (
        b"",
        b"GET / HTTP/1.1\r\n",
        b"POST /api/v1/games HTTP/1.1\r\nContent-Length: 9\r\n\r\n{",
    )
    with ExitStack() as stack:
        for number in range(1200):
            with suppress(OSError):
                connection = stack.enter_context(target.connect())
                connection.sendall(starts[number % 3])
        time.sleep(SECONDS)


def read_nothing(target: Target) -> None:
    game, _token = long_game(target, 400)
    with ExitStack() as stack:
        opened = []
        for _ in range(50):
            with suppress(OSError):
                connection = stack.enter_context(web_socket(target))
                connection.setblocking(False)
                opened.append(connection)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for connection in opened:
                with suppress(OSError):
                    connection.send(message(type="watch", game=game))
            time.sleep(0.05)


def send_nonsense(target: Target) -> None:
    choice = random.Random(os.getpid())
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(OSError), web_socket(target) as connection:
            for _ in range(20):
                connection.sendall(frame(choice.randrange(256), choice.randbytes(50)))


def analyse_on_many_sockets(target: Target) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            with suppress(OSError):
                connection = stack.enter_context(web_socket(target))
                connection.sendall(message(type="analyse", rules="gobblet", seconds=30, ask=1))
        time.sleep(SECONDS)


def create_many_games(target: Target) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        request(target, "POST", "/games", {"rules": "gobblet"})


def create_games_at_once(target: Target) -> None:
    """By two rule sets, so that processes which store several at a time wait for each other."""
    rules = [{"rules": {"toml": RULES + more}} for more in ("", 'title = "Another"\n')]
    for _ in range(2):
        with ExitStack() as stack:
            for number in range(200):
                with suppress(OSError):
                    connection = stack.enter_context(target.connect())
                    connection.sendall(sent_as("POST", "/games", rules[number % 2]))
            time.sleep(SECONDS / 2)


def fill_the_log(target: Target) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        request(target, "GET", "/" + 5000 * "%FF")


def stir_a_crowd(target: Target) -> None:
    """Every move in each of four games is told to a hundred sockets."""
    games = [long_game(target, 2) for _ in range(4)]
    with ExitStack() as stack:
        for number in range(100):
            with suppress(OSError):
                connection = stack.enter_context(web_socket(target))
                for game, token in games:
                    connection.sendall(message(type="watch", game=game, tokens=[token]))
                if number < len(games):
                    game = games[number][0]
                    connection.sendall(
                        b"".join(
                            message(type="act", game=game, action="move", number=at, move=move)
                            for at, move in enumerate(long_record(102).split()[2:])
                        )
                    )
        time.sleep(SECONDS)


ATTACKS: dict[str, Callable[[Target], None]] = {
    attack.__name__.replace("_", " "): attack
    for attack in (
        watch_a_long_game_on_many_sockets, create_games_from_endless_records, redo_a_long_game,
        send_rules_with_endless_keys, check_endless_moves, ask_for_everything,
        ask_for_large_pictures, send_endless_cookies, send_an_endless_line, send_endless_lines,
        send_an_endless_body, send_requests_ahead, send_empty_continuations, send_pings,
        stay_silent, read_nothing, send_nonsense, analyse_on_many_sockets, create_many_games,
        create_games_at_once, fill_the_log, stir_a_crowd,
    )
}  # fmt: skip
