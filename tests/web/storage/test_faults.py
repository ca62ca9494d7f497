"""Servers and databases that die under load: acknowledged moves survive, once, and play resumes.

Players keep playing through every outage as people would: they try again, look at the game, and
decide again.
"""

import os
import random
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest

from nestline import Game
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.settings import Settings
from support.web_driver import (
    WAIT,
    Facts,
    Player,
    PostgreSQL,
    Refused,
    Server,
    checked,
    create,
    postgresql_programs,
    running,
    wait_for,
)
from web.games.test_play import act, show
from web.storage.test_database import new_game, serve

PLAYERS = 4
COMPUTER = {"second": {"player": "computer", "level": "1"}}


class Load:
    """Many games played at once, half of them against the computer, until told to stop."""

    def __init__(self, server: Server, games: int, plies: int) -> None:
        self._server, self._plies = server, plies
        self._made = [
            create(server, rules="gobblers", seats=COMPUTER if number % 2 else {}, ply_limit=plies)
            for number in range(games)
        ]
        self.known: dict[str, list[str]] = {made["game"]["id"]: [] for made in self._made}
        """The moves of each game that have been acknowledged or shown."""
        self.acknowledged = 0
        self.refusals: list[Refused] = []
        self.outages = 0
        self._problems: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._play, args=(number,)) for number in range(PLAYERS)
        ]
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Wait until all games are over, and check each of them."""
        for thread in self._threads:
            thread.join(5 * WAIT)
            assert not thread.is_alive(), "a game does not go on"
        if self._problems:
            raise self._problems[0]
        for game, known in self.known.items():
            facts = show(self._server, game)
            moves = [item["move"] for item in facts["moves"]["list"]]
            assert moves == known
            # Nothing was done twice: there are only moves, and they replay as a game.
            assert facts["number"] == len(moves)
            replayed = Game("gobblers", ply_limit=self._plies)
            for move in moves:
                replayed.play(move)
            assert facts["board"]["text"] == str(replayed.position)
            assert facts["outcome"] is not None

    def reached(self, count: int) -> bool:
        """Whether so many moves have been acknowledged; raises any player's error."""
        if self._problems:
            raise self._problems[0]
        return self.acknowledged >= count or not any(t.is_alive() for t in self._threads)

    def _play(self, player: int) -> None:
        choice = random.Random(player)
        mine = self._made[player::PLAYERS]
        try:
            while mine:
                mine = [made for made in mine if not self._turn(made, choice)]
        except BaseException as error:
            self._problems.append(error)

    def _turn(self, made: Facts, choice: random.Random) -> bool:
        """Look at a game and move in it; returns whether it is over."""
        game, token = made["game"]["id"], made["tokens"]["first"]
        try:
            with self._server.client(token) as client:
                facts = self._heard(game, checked(client.get(f"/games/{game}")))
                if facts["outcome"]:
                    return True
                if facts["thinking"]:
                    time.sleep(0.01)
                    return False
                move = {"action": "move", "number": facts["number"],
                        "move": choice.choice(facts["legal"])}  # fmt: skip
                self._heard(game, checked(client.post(f"/games/{game}/actions", json=move)))
                self.acknowledged += 1
        except httpx.TransportError:
            self.outages += 1
            time.sleep(0.05)
        except Refused as refused:
            if refused.status != 503:
                raise
            if refused.code == "getting-ready":
                self.outages += 1  # It has just restarted and is loading compiled code.
            else:
                self.refusals.append(refused)
            time.sleep(0.05)
        return False

    def _heard(self, game: str, facts: Facts) -> Facts:
        """What was shown once stays: every later list begins with the moves known so far."""
        moves = [item["move"] for item in facts["moves"]["list"]]
        known = self.known[game]
        assert moves[: len(known)] == known, (game, known, moves)
        self.known[game] = moves
        return facts


def kill_at_random(
    tmp_path: Path, tables: Path, games: int, plies: int, kills: int, seed: int
) -> None:
    choice = random.Random(seed)
    server = Server(str(tmp_path / "games.sqlite3"), tables)
    try:
        load = Load(server, games, plies)
        for _ in range(kills):
            more = load.acknowledged + choice.randint(1, games * plies // (4 * kills))
            wait_for(lambda more=more: load.reached(more), 5 * WAIT)  # type: ignore[misc]
            time.sleep(choice.uniform(0, 0.02))  # At a random moment, not only just after a move.
            server.kill()
            server.start()
        load.finish()
        assert load.outages > 0  # Otherwise nobody was playing when it was killed.
        assert not load.refusals
    finally:
        server.stop()


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(
    tmp_path: Path, tictactoe_tables: Path
) -> None:
    kill_at_random(tmp_path, tictactoe_tables, games=12, plies=20, kills=2, seed=5)


@pytest.mark.full
def test_no_acknowledged_move_is_lost_in_200_games(tmp_path: Path, tictactoe_tables: Path) -> None:
    kill_at_random(tmp_path, tictactoe_tables, games=200, plies=40, kills=20, seed=6)


@pytest.fixture
def own_postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL that can be stopped without affecting other tests."""
    if postgresql_programs() is None:
        pytest.skip("PostgreSQL is missing: install the package postgresql")
    cluster = PostgreSQL()
    try:
        yield cluster
    finally:
        cluster.remove()


def test_servers_outlive_their_database(own_postgresql: PostgreSQL, tictactoe_tables: Path) -> None:
    """One server carries the load; on the other somebody watches a game throughout."""
    database = own_postgresql.database()
    with (
        running(database, tictactoe_tables) as server,
        running(database, tictactoe_tables) as other,
        Player(other) as spectator,
    ):
        made = create(server, rules="tictactoe")
        watched, token, number = made["game"]["id"], made["tokens"]["first"], 0
        spectator.watch(watched)
        load = Load(server, games=8, plies=30)
        for mode in ("fast", "immediate"):
            more = load.acknowledged + 10
            wait_for(lambda more=more: load.reached(more), 5 * WAIT)  # type: ignore[misc]
            own_postgresql.stop(mode)
            try:
                assert wait_for(lambda: server.get("/healthz").status_code == 503)
                with pytest.raises(Refused) as refused:
                    create(server)
                assert (refused.value.status, refused.value.code) == (503, "database")
            finally:
                own_postgresql.start()
            wait_for(lambda: server.get("/healthz").status_code == 200)
            move = ("a1", "b2")[number]
            number = act(server, watched, token, "move", number, move=move)["number"]
            assert spectator.game_at(number)["ply"] == number
        load.finish()
        assert {refused.code for refused in load.refusals} == {"database"}
        assert load.outages == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte, if we are allowed to make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "nestline", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("a small disk can only be made by root, where mounting is allowed")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_refuses_and_spoils_nothing(small_disk: Path, tictactoe_tables: Path) -> None:
    with running(str(small_disk / "games.sqlite3"), tictactoe_tables) as server:
        made = create(server, rules="tictactoe")
        game, token = made["game"]["id"], made["tokens"]["first"]
        ballast = small_disk / "ballast"
        with open(ballast, "wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        number = 0
        with server.client(token) as client:

            def change() -> httpx.Response:
                level = "1" if number % 2 else "2"
                action = {"action": "hand-over", "level": level, "seat": "second"}
                return client.post(f"/games/{game}/actions", json={**action, "number": number})

            for _ in range(2000):  # SQLite may have free pages left that hold some more.
                response = change()
                if response.status_code != 200:
                    break
                number += 1
            assert response.status_code == 503
            assert response.json()["error"]["code"] == "disk-full"
            assert "nothing was changed" in response.json()["error"]["message"]
            assert checked(client.get(f"/games/{game}"))["number"] == number
            health = server.get("/healthz")
            assert (health.status_code, health.json()["error"]["code"]) == (503, "disk-full")
            ballast.unlink()
            assert checked(change())["number"] == number + 1
            assert server.get("/healthz").status_code == 200
    with closing(sqlite3.connect(small_disk / "games.sqlite3")) as found:
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert found.execute("SELECT number FROM games").fetchall() == [(number + 1,)]
        assert found.execute("SELECT count(*) FROM actions").fetchone() == (number + 1,)


@pytest.mark.parametrize("suffix", ["", "-wal"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(
    tmp_path: Path, suffix: str, is_replaced: bool
) -> None:
    """Somebody deletes or replaces the database, or its log, under the server."""
    file = tmp_path / "games.sqlite3"

    async def check(services: Services) -> None:
        await services.store.require_writable()
        await new_game(services)
        lost = Path(f"{file}{suffix}")
        content = lost.read_bytes()
        lost.unlink()
        if is_replaced:
            (tmp_path / "other").write_bytes(b"")
            lost.write_bytes(content)
        for change in (services.store.require_writable(), new_game(services)):
            with pytest.raises(Refusal, match="removed or replaced") as refusal:
                await change
            assert refusal.value.status == 503

    serve(Settings(database=str(file), tables=str(tmp_path), build_tables=False), check)
