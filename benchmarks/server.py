"""How many games a server can carry: moves per second, latency, errors, and memory per idle game.

The clients run in processes of their own, over the loopback interface. Two
WebSocket clients play each game, one move every two seconds. The latency is the time from sending a
move until the server says that it is stored. The CPU time per move shows the bottleneck: a Python
process uses at most one core, so 1 ms a move means 1,000 moves a second at best.
"""

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import orjson
import uvloop
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from nestline import Game
from support.web_driver import PostgreSQL, Server, postgresql_programs, running

SECONDS_PER_MOVE = 2.0
OPENING_AT_ONCE = 20
"""Connections opened at the same time; opening them is not measured."""
COMPUTERS = {
    "first": {"player": "computer", "level": "8"},
    "second": {"player": "computer", "level": "8"},
}
"""A level slow enough for fifty games to keep all engine threads busy through a round."""
IDLE_GAMES = 1000
IDLE_PLIES = 16
IDLE_CONNECTIONS = 500


class Figures:
    """The measurements of a round, by one process of clients or by all."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.errors = 0
        self.late = 0
        """Moves not sent in time, since the previous one had not been answered."""
        self.client_seconds = self.server_seconds = self.seconds = 0.0

    def add(self, other: "Figures") -> None:
        """Count in what other clients have measured at the same time."""
        self.latencies += other.latencies
        self.errors += other.errors
        self.late += other.late
        self.client_seconds += other.client_seconds


def server_seconds(server: Server) -> float:
    """The CPU time the server and its workers have used."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text("ascii", "replace").rpartition(")")[2].split()
            if str(server.process.pid) in (stat.parent.name, words[1]):
                ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def receive(socket: ClientConnection, wanted: str) -> dict[str, Any]:
    """The next message of a kind, or the next error. Others are not read: the clients share the
    cores with the server."""
    starts = tuple(f'{{"type":"{kind}"'.encode() for kind in (wanted, "error"))
    while True:
        text = await socket.recv(decode=False)
        if text.startswith(starts):
            message: dict[str, Any] = orjson.loads(text)
            return message


async def begin(client: httpx.AsyncClient, sockets: list[ClientConnection]) -> dict[str, Any]:
    """Create a game that both players watch."""
    made = (await client.post("/games", json={"rules": "gobblet"})).json()
    game, token = made["game"]["id"], made["tokens"]["first"]
    for socket in sockets:
        await socket.send(json.dumps({"type": "watch", "game": game, "tokens": [token]}))
        facts = (await receive(socket, "game"))["game"]
    return facts  # type: ignore[no-any-return]


async def play(
    client: httpx.AsyncClient, sockets: list[ClientConnection], facts: dict[str, Any],
    figures: Figures, until: float, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Play one move every two seconds, starting at a random moment; returns the game."""
    choice = random.Random(seed)
    due = time.perf_counter() + choice.uniform(0, SECONDS_PER_MOVE)
    while due < until:
        pause = due - time.perf_counter()
        if pause < -SECONDS_PER_MOVE:
            figures.late += 1
            due -= pause  # Missed moves are not made up for, or a round would never end.
            continue
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
    return facts


class Club:
    """Games whose two players stay connected; each round some of them are continued."""

    def __init__(self, server: Server, client: httpx.AsyncClient, stack: AsyncExitStack) -> None:
        self._server, self._client, self._stack = server, client, stack
        self._tables: list[tuple[list[ClientConnection], dict[str, Any]]] = []

    async def open(self, games: int) -> None:
        """Open games until there are so many."""
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def sit_down() -> None:
            async with gate:
                sockets = [
                    await self._stack.enter_async_context(socket_of(self._server)) for _ in range(2)
                ]
                self._tables.append((sockets, await begin(self._client, sockets)))

        await asyncio.gather(*(sit_down() for _ in range(games - len(self._tables))))

    async def play(self, games: int, seconds: float) -> Figures:
        figures, began = Figures(), time.process_time()
        until = time.perf_counter() + seconds
        results = await asyncio.gather(
            *(play(self._client, sockets, facts, figures, until, seed)
              for seed, (sockets, facts) in enumerate(self._tables[:games])),
            return_exceptions=True,
        )  # fmt: skip
        figures.client_seconds = time.process_time() - began
        for number, result in enumerate(results):
            sockets = self._tables[number][0]
            if isinstance(result, BaseException):
                figures.errors += 1
                print(f"    {result!r}", flush=True)
                result = await begin(self._client, sockets)
            self._tables[number] = sockets, result
        return figures


async def serve_club(server: Server, orders: "Connection[Any, Any]") -> None:
    """One process of clients: does what the benchmark orders until it is told to end."""
    async with AsyncExitStack() as stack:
        club = Club(server, await stack.enter_async_context(client_of(server)), stack)
        while order := await asyncio.to_thread(orders.recv):
            name, *arguments = order
            orders.send(await getattr(club, name)(*arguments))


class Clients:
    """Several processes of clients, so that they are not the bottleneck on a machine with many
    cores. They share the games."""

    def __init__(self, server: Server, processes: int) -> None:
        self._server = server
        self._orders: list[Connection[Any, Any]] = []
        self._processes = []
        context = multiprocessing.get_context("fork")
        for _ in range(processes):
            mine, theirs = context.Pipe()
            self._orders.append(mine)
            process = context.Process(
                target=lambda told=theirs: uvloop.run(serve_club(server, told)), daemon=True
            )
            process.start()
            self._processes.append(process)

    def __enter__(self) -> "Clients":
        return self

    def __exit__(self, *error: object) -> None:
        for orders in self._orders:
            with suppress(OSError):
                orders.send(None)
        for process in self._processes:
            process.join()

    def play(self, games: int, seconds: float) -> Figures:
        """Play a round with so many games, which are opened first if need be."""
        count = len(self._orders)
        shares = [games // count + (number < games % count) for number in range(count)]
        self._order(("open", share) for share in shares)
        wall, used = time.perf_counter(), server_seconds(self._server)
        figures = Figures()
        for part in self._order(("play", share, seconds) for share in shares):
            figures.add(part)
        figures.seconds = time.perf_counter() - wall
        figures.server_seconds = server_seconds(self._server) - used
        return figures

    def _order(self, orders: Iterable[tuple[Any, ...]]) -> list[Any]:
        for told, order in zip(self._orders, orders, strict=True):
            told.send(order)
        return [told.recv() for told in self._orders]


def client_of(server: Server) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60)


def socket_of(server: Server) -> connect:
    address = f"ws://127.0.0.1:{server.port}/api/v1/socket"
    return connect(address, compression=None, open_timeout=60, ping_interval=None)


def resident_kilobytes(server: Server) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def idle_record(seed: int) -> str:
    """The record of a game that has been played for a while."""
    choice = random.Random(seed)
    while True:
        game = Game("gobblet")
        while game.outcome is None and game.ply < IDLE_PLIES:
            game.play(choice.choice(game.legal_moves()))
        if game.outcome is None:
            return str(game.to_record())


async def load_games(server: Server, count: int) -> list[str]:
    """Make the server load games into memory that nobody watches."""
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    async with client_of(server) as client:

        async def load(record: str) -> str:
            async with gate:
                made = (await client.post("/games", json={"record": record})).json()
                game: str = made["game"]["id"]
                assert (await client.get(f"/games/{game}")).status_code == 200
            return game

        records = [idle_record(seed) for seed in range(50)]
        return await asyncio.gather(*(load(records[number % 50]) for number in range(count)))


async def measure_idle(server: Server) -> None:
    await load_games(server, 200)  # What is loaded only once is not counted.
    before = resident_kilobytes(server)
    games = await load_games(server, IDLE_GAMES)
    each = (resident_kilobytes(server) - before) / IDLE_GAMES
    before = resident_kilobytes(server)
    async with AsyncExitStack() as stack:
        for game in games[:IDLE_CONNECTIONS]:
            socket = await stack.enter_async_context(socket_of(server))
            await socket.send(json.dumps({"type": "watch", "game": game}))
            await receive(socket, "game")
        more = (resident_kilobytes(server) - before) / IDLE_CONNECTIONS
    print(
        f"  memory per idle game of {IDLE_PLIES} plies: {each:.1f} kB; "
        f"per connection that watches one: {more:.1f} kB",
        flush=True,
    )


def measure_rounds(
    server: Server, counts: list[int], seconds: float, beside: int, processes: int
) -> None:
    with Clients(server, processes) as clients:
        for games in sorted(counts):
            tell(f"{games:5} games", clients.play(games, seconds))
        if beside:
            for _ in range(beside):
                new = {"rules": "gobblet", "seats": COMPUTERS, "ply_limit": 1_000}
                httpx.post(f"{server.url}/api/v1/games", json=new, timeout=60).raise_for_status()
            games = min(max(counts), 1000)
            name = f"{games:5} games beside {beside} of computers"
            tell(name, clients.play(games, seconds), has_computers=True)


def tell(name: str, figures: Figures, has_computers: bool = False) -> None:
    """Print one line. In rounds with the computer, most of the CPU time is its thinking."""
    ordered = sorted(figures.latencies)
    if not ordered:
        print(f"  {name}: none could be played", flush=True)
        return
    count = len(ordered)
    server = "" if has_computers else f"the server {1000 * figures.server_seconds / count:.2f} ms, "
    print(
        f"  {name}: {count / figures.seconds:.0f} moves/s, latency median "
        f"{1000 * statistics.median(ordered):.0f} ms, "
        f"p99 {1000 * ordered[int(0.99 * (count - 1))]:.0f} ms, "
        f"{figures.errors} errors, {figures.late} late; processor per move: {server}"
        f"the clients {1000 * figures.client_seconds / count:.2f} ms",
        flush=True,
    )


def measure_workers(
    database: str, tables: Path, workers: list[int], counts: list[int], seconds: float,
    processes: int,
) -> None:  # fmt: skip
    """The same rounds with several processes; the clients take some cores as well."""
    for number in workers:
        with running(database, tables, workers=number) as server:
            print(f"  {number} {'worker' if number == 1 else 'workers'}", flush=True)
            measure_rounds(server, counts, seconds, 0, processes)


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """A new database of each kind available here."""
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
    parser.add_argument("--seconds", type=float, default=12.0, help="of each round")
    parser.add_argument("--computers", type=int, default=50, help="games of computers beside")
    parser.add_argument("--on", choices=("SQLite", "PostgreSQL"), help="only this database")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4],
                        help="rows for these numbers of processes, on PostgreSQL")  # fmt: skip
    parser.add_argument("--worker-games", type=int, nargs="+", help="in those rows")
    parser.add_argument("--client-processes", type=int, default=1)
    parser.add_argument("--only-workers", action="store_true", help="only those rows")
    chosen = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # The server inherits it.
    gc.disable()  # Garbage collection pauses here are not the server's.
    with tempfile.TemporaryDirectory() as tables, databases() as found:
        for name, database in found.items():
            if chosen.on not in (None, name):
                continue
            print(f"the server on {name}", flush=True)
            if not chosen.only_workers:
                with running(database, Path(tables)) as server:
                    uvloop.run(measure_idle(server))
                    measure_rounds(
                        server, chosen.games, chosen.seconds, chosen.computers,
                        chosen.client_processes,
                    )  # fmt: skip
            if name == "PostgreSQL":
                measure_workers(
                    database, Path(tables), chosen.workers,
                    chosen.worker_games or [max(chosen.games)], chosen.seconds,
                    chosen.client_processes,
                )  # fmt: skip


if __name__ == "__main__":
    main()
