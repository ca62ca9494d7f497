"""What operators and browsers rely on: headers, metrics, proxies, workers, shutdown."""

import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from nestline.terminal.main import main
from support.web_driver import (
    WAIT,
    Player,
    PostgreSQL,
    Refused,
    Server,
    checked,
    create,
    running,
    wait_for,
)
from web.games.test_play import act


def metrics(server: Server) -> dict[str, float]:
    """Every metric, with its labels in its name."""
    response = server.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=")
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


# Headers.


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/healthz", 200),
        ("/metrics", 200),
        ("/api/v1/docs", 200),
        ("/api/v1/docs/style.css", 200),
        ("/api/v1/openapi.json", 200),
        ("/api/v1/positions/gobblers/picture", 200),
        ("/api/v1/games/none", 404),
        ("/nowhere", 404),
        ("/api/v1/positions/gobblers?seconds=-1", 422),
    ],
)
def test_every_answer_has_the_security_headers(server: Server, path: str, status: int) -> None:
    response = server.get(path)
    assert response.status_code == status
    told = response.headers["content-security-policy"]
    policy = dict(part.strip().split(" ", 1) for part in told.split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"  # For WebAssembly, not for eval.
    assert policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert told.count("unsafe") == 1
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-frame-options"] == "DENY"
    assert "server" not in response.headers
    if path.startswith("/api/"):
        assert response.headers["cache-control"] == "no-store"


def test_the_page_of_the_api_needs_no_inline_script_or_style(server: Server) -> None:
    page = server.get("/api/v1/docs").text
    assert "POST" in page
    assert "/actions" in page
    assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=|javascript:", page)


# Behind a proxy.


def test_the_cookie_is_for_secure_connections_if_the_proxy_has_one(server: Server) -> None:
    for scheme, is_secure in (("https", True), ("http", False)):
        with server.client(**{"X-Forwarded-Proto": scheme}) as client:
            cookie = client.post("/games", json={}).headers["set-cookie"].lower()
        assert ("; secure" in cookie) == is_secure


def test_a_page_is_of_the_same_origin_if_the_proxy_hands_the_host_on(server: Server) -> None:
    with (
        socket.create_connection(("127.0.0.1", server.port)) as line,
        connect(
            "ws://club.example/api/v1/socket", sock=line, open_timeout=WAIT,
            additional_headers={"Origin": "https://club.example"},
        ) as found,
    ):  # fmt: skip
        found.send('{"type": "ping"}')
        assert found.recv(timeout=WAIT) == '{"type":"pong"}'


# Metrics.


def test_metrics_count_what_happens(server: Server) -> None:
    # In a game of an earlier test the computer may still be about to move.
    wait_for(lambda: metrics(server)["nestline_computer_waiting"] == 0)
    before = metrics(server)
    made = create(server, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "move", 0, move="a1")
    with pytest.raises(Refused):
        act(server, game, token, "move", 0, move="a1")
    with Player(server) as player:
        player.watch(game)
        during = metrics(server)
        assert during["nestline_watchers"] >= 1
        assert during["nestline_connections"] >= 1

    def grown(name: str) -> float:
        return during[name] - before.get(name, 0.0)

    assert grown("nestline_games_total") == 1
    assert grown("nestline_actions_total move") == 1
    assert grown("nestline_refused_total move") == 1
    assert grown("nestline_action_seconds_count") == 1
    assert grown("nestline_requests_total POST 201") == 1
    assert grown("nestline_requests_total POST 409") == 1
    assert grown("nestline_messages_total") == 1
    assert grown("nestline_commit_seconds_count") >= 2
    wait_for(lambda: metrics(server)["nestline_connections"] < during["nestline_connections"])


def test_health_and_status_tell_the_version_and_the_limits(server: Server) -> None:
    from nestline import __version__

    assert server.get("/healthz").json() == {"status": "ok", "version": __version__}
    status = server.get("/api/v1/status").json()
    assert status["version"] == __version__
    assert status["tables"]["tictactoe"]["state"] == "ready"
    assert status["limits"]["body_bytes"] == 65_536


# Several workers at one address.


@pytest.fixture(scope="module")
def workers(postgresql: PostgreSQL, tictactoe_tables: Path) -> Iterator[Server]:
    settings = {
        "NESTLINE_WEB_TRUSTED_PROXIES": "192.0.2.1",
        "NESTLINE_WEB_OPEN_GAMES_PER_CLIENT": "3",
    }
    with running(postgresql.database(), tictactoe_tables, settings, workers=2) as server:
        yield server


def test_workers_serve_the_same_games(workers: Server) -> None:
    made = create(workers, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    number = 0
    with Player(workers) as watcher:
        watcher.watch(game)
        for move in ("a1", "a2", "b1", "b2"):
            # A new connection each time: whichever worker takes it knows the game.
            with Player(workers) as player:
                assert player.watch(game, token)["number"] == number
                number = player.act(game, "move", number, move=move)
            assert watcher.game_at(number)["ply"] == number
    with workers.client(token) as client:
        assert checked(client.get(f"/games/{game}"))["ply"] == 4
    # Whichever worker is asked, its metrics are the sums of both.
    for _ in range(4):
        assert metrics(workers)["nestline_actions_total move"] == 4


def test_addresses_that_no_trusted_proxy_told_are_not_believed(workers: Server) -> None:
    answers = []
    for number in range(5):
        with workers.client(**{"X-Forwarded-For": f"10.0.0.{number}"}) as client:
            answers.append(client.post("/games", json={}).status_code)
    assert answers[-1] == 429


# Starts that cannot succeed, and shutdown.


@pytest.mark.parametrize(
    ("options", "variables", "told"),
    [
        (["--workers", "2"], {}, "with SQLite there is one process"),
        (["--database", "mysql://localhost/x"], {}, "postgresql://USER@HOST/NAME"),
        (["--database", "postgresql://nobody@127.0.0.1:1/x"], {}, "the database cannot be opened"),
        (["--port", "70000"], {}, "70000"),
        (["--host", "192.0.2.1"], {}, "the server cannot listen at 192.0.2.1"),
        (["--host", "not a host"], {}, "the server cannot listen at not a host"),
        (["--tables", sys.executable], {}, "is not a folder"),
        (["--engine-threads", "1000"], {}, "1000 is not in the range"),
        ([], {"NESTLINE_WEB_BODY_BYTES": "1"}, "NESTLINE_WEB_BODY_BYTES: 1 is not allowed"),
        ([], {"NESTLINE_WEB_BODY_SIZE": "1"}, "NESTLINE_WEB_BODY_SIZE is not a setting"),
        ([], {"NESTLINE_WEB_BUILD_TABLES": "maybe"}, "neither yes nor no"),
        ([], {"NESTLINE_WEB_LEASE_SECONDS": "nan"}, "NESTLINE_WEB_LEASE_SECONDS"),
        ([], {"NESTLINE_WEB_LOG_LEVEL": "loud"}, "none of debug, info, warning, error"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(
    options: list[str], variables: dict[str, str], told: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = ["nestline", "web", "--port", "0", "--database", str(tmp_path / "x"), *options]
    assert told in refusal_of_start(words, variables, monkeypatch, capfd)


def refusal_of_start(
    words: list[str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> str:  # fmt: skip
    """The one line printed by a start that exits with status 2, as for any bad input."""
    monkeypatch.setattr(sys, "argv", words)
    with patch.dict(os.environ, variables), pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capfd.readouterr().err.splitlines()
    return line


def test_an_address_or_a_file_that_is_taken_is_told_in_a_sentence(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    taken = ["nestline", "web", "--database", str(tmp_path / "x"), "--port", str(server.port)]
    assert refusal_of_start(taken, {}, monkeypatch, capfd) == (
        f"nestline: the server cannot listen at 127.0.0.1, port {server.port}: "
        "address already in use"
    )
    shared = ["nestline", "web", "--database", server.database, "--port", "0"]
    told = refusal_of_start(shared, {}, monkeypatch, capfd)
    assert "another server uses this database" in told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_says_goodbye(
    tmp_path: Path, tictactoe_tables: Path, number: signal.Signals
) -> None:
    server = Server(str(tmp_path / "games.sqlite3"), tictactoe_tables)
    try:
        made = create(server, rules="tictactoe")
        with Player(server) as player, ThreadPoolExecutor() as threads, server.client() as client:
            player.watch(made["game"]["id"])
            study = threads.submit(client.get, "/positions/gobblet", params={"seconds": 600})
            wait_for(lambda: metrics(server)["nestline_analyses_running"] == 1)
            server.process.send_signal(number)
            assert server.process.wait(WAIT) in (0, 130)
            # Clients waiting for the engine get what it has found so far.
            assert study.result().status_code == 200
            assert study.result().json()["seconds"] < 600
            with pytest.raises(ConnectionClosed) as closed:
                player.receive()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
    finally:
        server.stop()
    assert not any("Traceback" in line or "timeout" in line for line in server.log)


def test_the_engine_stops_when_nobody_waits_for_it_any_more(server: Server) -> None:
    with server.client() as client, pytest.raises(httpx.ReadTimeout):
        client.get("/positions/gobblet", params={"seconds": 600}, timeout=0.5)
    wait_for(lambda: metrics(server)["nestline_analyses_running"] == 0)
