"""Rate limits and size limits: each is enforced, reported, and ends; other clients are unaffected.

All tests share one server with small limits. Each test is a separate client, by the address that a
trusted proxy names.
"""

import re
import socket
from collections.abc import Callable, Iterator
from http.client import HTTPResponse
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.web_driver import WAIT, Player, Refused, Server, checked, running, wait_for

BYTES = 2000
SMALL = {
    "NESTLINE_WEB_BODY_BYTES": str(BYTES),
    "NESTLINE_WEB_MESSAGE_BYTES": str(BYTES),
    "NESTLINE_WEB_REQUESTS_PER_SECOND": "1",
    "NESTLINE_WEB_MESSAGES_PER_SECOND": "1",
    "NESTLINE_WEB_CONNECTIONS_PER_CLIENT": "2",
    "NESTLINE_WEB_GAMES_PER_CONNECTION": "1",
    "NESTLINE_WEB_OPEN_GAMES_PER_CLIENT": "2",
    "NESTLINE_WEB_ENGINE_SECONDS_PER_MINUTE": "1",
}
addresses = (str(IPv4Address("10.0.0.0") + number) for number in count(1))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, tictactoe_tables: Path) -> Iterator[Server]:
    file = tmp_path_factory.mktemp("small") / "games.sqlite3"
    with running(str(file), tictactoe_tables, SMALL) as server:
        yield server


def somebody() -> dict[str, str]:
    """The header that makes a request come from a new client."""
    return {"X-Forwarded-For": next(addresses)}


def error_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def is_exhausted(is_refused: Callable[[], bool]) -> bool:
    """Whether one of a few attempts is refused: a second that has passed meanwhile allows one more,
    while a limit of their own would allow ten."""
    return any(is_refused() for _ in range(5))


def test_a_body_that_is_too_large_is_refused(small: Server) -> None:
    with small.client(**somebody()) as client:
        large = client.post("/rules", json={"toml": "#" * BYTES})
        assert error_of(large) == (413, "too-large")
        assert large.json()["error"]["message"] == "a request has at most 2,000 bytes"
        # A body that does not say how large it is is counted as it arrives.
        parts = client.post(
            "/rules", content=(b"x" * 500 for _ in range(9)),
            headers={"Content-Type": "application/json"},
        )  # fmt: skip
        assert error_of(parts) == (413, "too-large")
        assert client.post("/games", json={}).status_code == 201


def test_a_connection_is_usable_after_a_refused_body(small: Server) -> None:
    """Whatever part of the body had arrived when it was refused."""
    client = f"X-Forwarded-For: {next(addresses)}"
    head = f"POST /api/v1/rules HTTP/1.1\r\nHost: localhost\r\n{client}\r\n"
    with socket.create_connection(("127.0.0.1", small.port), WAIT) as connection:
        for _ in range(2):
            connection.sendall(f"{head}Content-Length: {2 * BYTES}\r\n\r\n".encode())
            connection.sendall(b"x" * BYTES)
            answer = HTTPResponse(connection)
            answer.begin()
            assert answer.status == 413
            answer.read()
            connection.sendall(b"x" * BYTES)
        connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\n{client}\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 200"


def test_a_message_that_is_too_large_closes_the_connection(small: Server) -> None:
    with Player(small, **somebody()) as player:
        player.send(type="ping", ask="x" * BYTES)
        with pytest.raises(ConnectionClosed) as closed:
            player.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    with Player(small, **somebody()) as player:
        assert player.ask(type="ping")["type"] == "pong"


def test_too_many_requests_are_refused_until_some_time_has_passed(small: Server) -> None:
    with small.client(**somebody()) as client, small.client(**somebody()) as other:
        answers = (client.get("/status") for _ in range(500))
        refused = next(answer for answer in answers if answer.status_code != 200)
        assert error_of(refused) == (429, "too-many")
        assert int(refused.headers["retry-after"]) >= 1
        assert other.get("/status").status_code == 200
        head = {"X-Forwarded-For": client.headers["X-Forwarded-For"]}
        for path in ("/healthz", "/metrics"):
            assert is_exhausted(lambda path=path: small.get(path, **head).status_code == 429)  # type: ignore[misc]

        def cannot_connect() -> bool:
            try:
                Player(small, **head).__exit__()
            except InvalidStatus:
                return True
            return False

        assert is_exhausted(cannot_connect)
    # The status is followed by how long it took; either, and the time of a line, may be 429 ms.
    refusal = re.compile(r" 429 \d+ ms$|more than 1 requests")
    assert not [line for line in small.log if refusal.search(line)]


def test_nobody_fills_the_log_with_long_paths(small: Server) -> None:
    with small.client(**somebody()) as client:
        assert client.get("/" + 3000 * "%FF").status_code == 404
    line = wait_for(lambda: next((line for line in small.log if "%EF%BF%BD" in line), None))
    assert len(line) < 300


def test_too_many_messages_are_refused_and_then_close_the_connection(small: Server) -> None:
    with Player(small, **somebody()) as player:
        for ask in range(15):
            player.send(type="ping", ask=ask)
        answers = [player.receive() for _ in range(15)]
        assert answers[0] == {"type": "pong", "ask": 0}
        errors = [answer for answer in answers if answer["type"] == "error"]
        assert errors
        assert {error["code"] for error in errors} == {"too-many"}
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            for _ in range(1000):
                player.send(type="ping")
                player.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_messages_are_counted_for_all_connections_of_a_client(small: Server) -> None:
    head = somebody()
    with Player(small, **head) as one, Player(small, **head) as other:
        for ask in range(15):
            one.send(type="ping", ask=ask)
        answers = [one.receive() for _ in range(15)]
        assert answers[-1]["type"] == "error"

        def is_refused() -> bool:
            other.send(type="ping", ask=1)
            return other.receive()["type"] == "error"

        assert is_exhausted(is_refused)
    with Player(small, **somebody()) as stranger:
        assert stranger.ask(type="ping")["type"] == "pong"


def test_a_client_has_so_many_connections(small: Server) -> None:
    head = somebody()
    with Player(small, **head), Player(small, **head):
        with pytest.raises(InvalidStatus) as refused:
            Player(small, **head)
        assert refused.value.response.status_code == 403
        with Player(small, **somebody()) as other:
            assert other.ask(type="ping")["type"] == "pong"


def test_a_connection_watches_so_many_games(small: Server) -> None:
    head = somebody()
    with small.client(**head) as client:
        games = [checked(client.post("/games", json={}))["game"]["id"] for _ in range(2)]
    with Player(small, **head) as player:
        player.watch(games[0])
        player.watch(games[0])
        with pytest.raises(Refused) as refused:
            player.watch(games[1])
        assert refused.value.code == "too-many"
        player.ask(type="leave", game=games[0])
        player.watch(games[1])


def test_a_client_has_so_many_open_games(small: Server) -> None:
    with small.client(**somebody()) as client, small.client(**somebody()) as other:
        made = [checked(client.post("/games", json={})) for _ in range(2)]
        refused = client.post("/games", json={})
        assert error_of(refused) == (429, "too-many")
        assert "games that are not over" in refused.json()["error"]["message"]
        assert other.post("/games", json={}).status_code == 201
        game, token = made[0]["game"]["id"], made[0]["tokens"]["first"]
        checked(
            client.post(
                f"/games/{game}/actions",
                json={"action": "resign", "number": 0},
                headers={"Authorization": f"Bearer {token}"},
            )
        )
        assert client.post("/games", json={}).status_code == 201


def test_a_client_has_so_much_engine_time(small: Server) -> None:
    """Time is charged when an analysis starts; what it does not use is refunded."""
    head = somebody()
    with Player(small, **head) as player, small.client(**head) as client:
        player.send(type="analyse", ask=1, rules="gobblet", seconds=1000)
        player.until(lambda got: got["type"] == "study")
        refused = client.get("/positions/gobblet", params={"seconds": 5})
        assert error_of(refused) == (429, "too-many")
        assert "engine time" in refused.json()["error"]["message"]
        assert int(refused.headers["retry-after"]) >= 1
        # Answers from the table cost nothing, and other clients have their own time.
        assert client.get("/positions/tictactoe").json()["exact"]
        with small.client(**somebody()) as other:
            answer = other.get("/positions/gobblet", params={"seconds": 0.1})
            assert answer.status_code == 200


def test_a_record_that_would_take_all_engine_time_is_refused(small: Server) -> None:
    moves = (
        "1. 4a1 4d4 2. a1a2 d4d3 3. a2a1 d3d4 4. a1b1 d4c4 5. b1c1 c4b4 6. c1c2 b4b3 "
        "7. c2c1 b3a3 8. c1d1 a3a4 *"
    )
    record = f'[Rules "gobblet"]\n\n{moves}'
    with small.client(**somebody()) as client:
        refused = client.post("/reviews", json={"record": record})
    assert error_of(refused) == (422, "invalid")
    assert refused.json()["error"]["message"].endswith("more than 15 moves is not reviewed here")
