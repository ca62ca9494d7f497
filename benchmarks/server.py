"""How many games a server carries: moves a second, latency, errors, and the memory of idle games.

The clients run in this process, the server in its own, on the loopback. Each game is played by
two WebSocket clients, one move every two seconds. What a move costs is the time from sending it
until the server says that it is stored.
"""

import argparse
import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from web_driver import PostgreSQL, Server, create, postgresql_programs, running

SECONDS_PER_MOVE = 2.0
OPENING_AT_ONCE = 20
"""Connections that are opened at the same time; the opening is not measured."""
COMPUTERS = {
    "first": {"player": "computer", "level": "3"},
    "second": {"player": "computer", "level": "3"},
}
IDLE_GAMES = 2000


class Figures:
    """What all games of a round have measured."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.errors = 0
        self.late = 0
        """Moves that could not be sent in time, since the one before was not yet answered."""


async def receive(socket: ClientConnection, wanted: str) -> dict[str, Any]:
    """The next message of a kind; errors are wanted always."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] in (wanted, "error"):
            return message


async def begin(client: httpx.AsyncClient, sockets: list[ClientConnection]) -> dict[str, Any]:
    """A new game that both players watch."""
    made = (await client.post("/games", json={"rules": "gobblet"})).json()
    game, token = made["game"]["id"], made["tokens"]["first"]
    for socket in sockets:
        await socket.send(json.dumps({"type": "watch", "game": game, "tokens": [token]}))
        facts = (await receive(socket, "game"))["game"]
    return facts  # type: ignore[no-any-return]


async def play(
    client: httpx.AsyncClient, sockets: list[ClientConnection], facts: dict[str, Any],
    figures: Figures, until: float, seed: int,
) -> None:  # fmt: skip
    """One move every two seconds, beginning at a random moment."""
    choice = random.Random(seed)
    due = time.perf_counter() + choice.uniform(0, SECONDS_PER_MOVE)
    while due < until:
        pause = due - time.perf_counter()
        figures.late += pause < -SECONDS_PER_MOVE
        await asyncio.sleep(max(0.0, pause))
        if facts["outcome"]:
            facts = await begin(client, sockets)
        mover = sockets[facts["turn"] == "second"]
        other = sockets[facts["turn"] == "first"]
        action = {"type": "act", "game": facts["id"], "action": "move", "number": facts["number"],
                  "move": choice.choice(facts["legal"])}  # fmt: skip
        began = time.perf_counter()
        await mover.send(json.dumps(action))
        answer = await receive(mover, "done")
        figures.latencies.append(time.perf_counter() - began)
        if answer["type"] == "error":
            figures.errors += 1
            facts = await begin(client, sockets)
        else:
            facts = (await receive(other, "game"))["game"]
        due += SECONDS_PER_MOVE


async def play_all(server: Server, games: int, seconds: float) -> Figures:
    figures = Figures()
    address = f"ws://127.0.0.1:{server.port}/api/v1/socket"
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60)
        )

        async def sit_down() -> tuple[list[ClientConnection], dict[str, Any]]:
            async with gate:
                sockets = [
                    await stack.enter_async_context(
                        connect(address, compression=None, open_timeout=60, ping_interval=None)
                    )
                    for _ in range(2)
                ]
                return sockets, await begin(client, sockets)

        tables = await asyncio.gather(*(sit_down() for _ in range(games)))
        until = time.perf_counter() + seconds
        results = await asyncio.gather(
            *(play(client, sockets, facts, figures, until, seed)
              for seed, (sockets, facts) in enumerate(tables)),
            return_exceptions=True,
        )  # fmt: skip
        figures.errors += sum(isinstance(result, BaseException) for result in results)
    return figures


def resident_kilobytes(server: Server) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def measure_idle(server: Server) -> None:
    for _ in range(100):
        create(server)  # What is loaded once is not counted.
    before = resident_kilobytes(server)
    for _ in range(IDLE_GAMES):
        create(server)
    each = (resident_kilobytes(server) - before) / IDLE_GAMES
    print(f"  memory per idle game: {each:.1f} kB", flush=True)


def measure(server: Server, games: int, seconds: float, computers: int = 0) -> None:
    for _ in range(computers):
        create(server, rules="gobblet", seats=COMPUTERS, ply_limit=10_000)
    began = time.perf_counter()
    figures = asyncio.run(play_all(server, games, seconds))
    beside = f" beside {computers} of computers" if computers else ""
    if not figures.latencies:
        print(f"  {games:5} games{beside}: none could be played", flush=True)
        return
    ordered = sorted(figures.latencies)
    print(
        f"  {games:5} games{beside}: {len(ordered) / seconds:.0f} moves/s, latency median "
        f"{1000 * statistics.median(ordered):.0f} ms, "
        f"p99 {1000 * ordered[int(0.99 * (len(ordered) - 1))]:.0f} ms, "
        f"{figures.errors} errors, {figures.late} late "
        f"({time.perf_counter() - began:.0f} s with the opening)",
        flush=True,
    )


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """The kinds of database there are here, each with a new one."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="nestline-benchmark-"))
        found = {"SQLite": str(Path(folder) / "games.sqlite3")}
        if postgresql_programs() is not None:
            cluster = PostgreSQL(durable=True)
            stack.callback(cluster.remove)
            found["PostgreSQL"] = cluster.database()
        yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[100, 500, 1000, 2000])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each round")
    parser.add_argument("--computers", type=int, default=50, help="games of computers beside")
    chosen = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # The server inherits it.
    with tempfile.TemporaryDirectory() as tables, databases() as found:
        for name, database in found.items():
            print(f"the server on {name}", flush=True)
            with running(database, Path(tables)) as server:
                measure_idle(server)
                for games in chosen.games:
                    measure(server, games, chosen.seconds)
                if chosen.computers:
                    measure(server, min(chosen.games[-1], 1000), chosen.seconds, chosen.computers)


if __name__ == "__main__":
    main()
