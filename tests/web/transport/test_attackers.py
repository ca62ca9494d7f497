"""Hostile clients mix everything they can do while honest people play: nobody notices.

For ten minutes by default; the variable NESTLINE_TEST_ATTACK_SECONDS changes that.
"""

import json
import multiprocessing
import os
import random
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from support.attacks import ATTACKS, Target
from support.web_driver import (
    WAIT,
    PostgreSQL,
    Server,
    checked,
    create,
    postgresql_programs,
    running,
    usual_limits,
    wait_for,
)  # fmt: skip

SECONDS = float(os.environ.get("NESTLINE_TEST_ATTACK_SECONDS", "600"))
ATTACKERS = ("127.0.1.1", "127.0.1.2", "127.0.1.3")
PEOPLE = tuple(f"127.0.2.{number}" for number in range(1, 7))
SECONDS_BETWEEN_MOVES = 0.5
LONGEST_WAIT = 1.0
MORE_MEMORY = 150.0
"""Megabytes that caches and threads may take once they are filled."""


def attack(port: int, source: str, seconds: float) -> None:
    """One hostile client: attacks follow each other at random, sometimes two at a time."""
    choice = random.Random(source)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        threads = [
            threading.Thread(target=_suppressed, args=(attack, Target(port, source)))
            for attack in choice.sample(list(ATTACKS.values()), 1 + choice.randrange(2))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _suppressed(attack: Any, target: Target) -> None:
    with suppress(OSError):  # The server hangs up.
        attack(target)


class Honest:
    """Somebody who plays game after game at one screen, and remembers what was acknowledged."""

    def __init__(self, server: Server, source: str, seconds: float) -> None:
        self._server, self._source = server, source
        self._end = time.monotonic() + seconds
        self._choice = random.Random(source)
        self.waits: list[float] = []
        self.played: dict[str, list[str]] = {}
        self.problem: BaseException | None = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            line = socket.create_connection(
                ("127.0.0.1", self._server.port), WAIT, (self._source, 0)
            )
            with connect(
                self._server.socket_url, sock=line, max_size=None, compression=None,
                open_timeout=WAIT, ping_interval=None,
            ) as player:  # fmt: skip
                while time.monotonic() < self._end:
                    self._play(player)
        except BaseException as error:
            self.problem = error

    def _play(self, player: ClientConnection) -> None:
        made = create(self._server, rules="gobblers")
        game, token = made["game"]["id"], made["tokens"]["first"]
        moves = self.played[game] = []
        facts = self._ask(player, "game", type="watch", game=game, tokens=[token])["game"]
        while facts["outcome"] is None and facts["ply"] < 60 and time.monotonic() < self._end:
            time.sleep(SECONDS_BETWEEN_MOVES)
            move = self._choice.choice(facts["legal"])
            action = {"action": "move", "move": move, "number": facts["number"]}
            began = time.monotonic()
            player.send(json.dumps({"type": "act", "game": game, "ask": 1, **action}))
            facts = self._receive(player, "game")["game"]
            self._receive(player, "done")
            self.waits.append(time.monotonic() - began)
            moves.append(move)
        self._ask(player, "left", type="leave", game=game)

    def _ask(self, player: ClientConnection, wanted: str, **message: Any) -> Any:
        player.send(json.dumps(message))
        return self._receive(player, wanted)

    def _receive(self, player: ClientConnection, wanted: str) -> Any:
        while True:
            message = json.loads(player.recv(timeout=WAIT))
            assert message["type"] != "error", message
            if message["type"] == wanted:
                return message


def resident_megabytes(server: Server) -> float:
    """The memory of a server and its workers."""
    own = [server.process.pid]
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            text = status.read_text("ascii", "replace")
            if f"PPid:\t{server.process.pid}\n" in text:
                own.append(int(status.parent.name))
    total = 0.0
    for number in own:
        with suppress(OSError, StopIteration):
            text = Path(f"/proc/{number}/status").read_text("ascii", "replace")
            line = next(line for line in text.splitlines() if line.startswith("VmRSS"))
            total += int(line.split()[1]) / 1024
    return total


def battle(server: Server, seconds: float) -> list[Honest]:
    spawn = multiprocessing.get_context("spawn")
    attackers = [
        spawn.Process(target=attack, args=(server.port, source, seconds)) for source in ATTACKERS
    ]
    people = [Honest(server, source, seconds) for source in PEOPLE]
    for each in attackers:
        each.start()
    for person in people:
        person.thread.join()
    for each in attackers:
        each.join()
    return people


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_honest_players_notice_nothing(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if database == "sqlite":
        address, workers = str(tmp_path / "games.sqlite3"), 1
    else:
        if postgresql_programs() is None:
            pytest.skip("PostgreSQL is missing: install the package postgresql")
        cluster: PostgreSQL = request.getfixturevalue("postgresql")
        address, workers = cluster.database(), 2
    with running(address, tmp_path, usual_limits(), workers) as server:
        battle(server, min(SECONDS, 30))  # Caches are filled, and threads started.
        before = resident_megabytes(server)
        people = battle(server, SECONDS)
        assert [person.problem for person in people if person.problem] == []
        waits = sorted(wait for person in people for wait in person.waits)
        assert len(waits) > len(PEOPLE) * SECONDS / 2
        for person in people:
            for game, moves in person.played.items():
                with server.client() as client:
                    shown = checked(client.get(f"/games/{game}/moves"))["list"]
                assert [each["move"] for each in shown] == moves
        assert not any("Traceback" in line for line in server.log)
        wait_for(lambda: resident_megabytes(server) < before + MORE_MEMORY, 60)
        # Last, since a busy machine alone can be too slow for it.
        assert waits[-1] < LONGEST_WAIT, [f"{wait:.2f}" for wait in waits[-20:]]
