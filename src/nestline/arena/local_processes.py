"""Games on this computer: long-lived worker processes, each playing one game after another.

A process that dies, for whatever reason, is replaced, and its game is played again. If the main
process dies, the workers notice and exit. Others decide which games there are.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

from nestline.arena.single_game import Conditions, FinishedGame, play_game
from nestline.arena.tournament import Fixture
from nestline.errors import NestlineError
from nestline.system import Connection, interrupts_held_back

MOST_ATTEMPTS = 3
"""A game that kills its process this often is given up; otherwise it would never end."""

GOOD_ORDER, LEAVING = 4.0, 6.0
"""Seconds a process has to close its players and exit by itself, and to be gone."""

GLANCE = 0.2
"""Seconds between two checks whether to stop."""


@dataclass
class _Worker:
    process: SpawnProcess
    games: Connection
    """Fixtures go out, and finished games come back."""
    lifeline: Connection
    """Nothing is ever sent; when it closes, by us or by our death, the process exits at once."""
    fixture: Fixture | None = None


def play_locally(
    conditions: Conditions, fixtures: Iterable[Fixture], processes: int, stop: threading.Event
) -> Generator[FinishedGame]:
    """Play games lazily in this many processes; yields them as they finish.

    Closing the iterator, or setting `stop` in another thread, abandons the games in progress.
    """
    waiting = iter(fixtures)
    again: list[Fixture] = []
    deaths: Counter[int] = Counter()
    workers: list[_Worker] = []
    try:
        while not stop.is_set():
            while len(workers) < processes or any(not worker.fixture for worker in workers):
                fixture = again.pop() if again else next(waiting, None)
                if fixture is None:
                    break
                _hand_out(fixture, workers, conditions)
            busy = {worker.games: worker for worker in workers if worker.fixture}
            if not busy:
                return
            for ready in wait(list(busy), GLANCE):
                worker = busy[ready]  # type: ignore[index]
                fixture, worker.fixture = worker.fixture, None
                assert fixture is not None
                try:
                    played = worker.games.recv()
                except (EOFError, OSError):
                    workers.remove(worker)
                    _end([worker])
                    deaths[fixture.number] += 1
                    require_attempts(fixture, deaths[fixture.number])
                    again.append(fixture)
                else:
                    yield played
    finally:
        _end(workers)


def require_attempts(fixture: Fixture, attempts: int) -> None:
    """Refuse to continue with a game that has killed its process too often."""
    if attempts >= MOST_ATTEMPTS:
        raise NestlineError(
            f"game {fixture.number}, {fixture.first} against {fixture.second}, has ended the "
            f"process that played it {attempts} times"
        )


def _hand_out(fixture: Fixture, workers: list[_Worker], conditions: Conditions) -> None:
    idle = next((worker for worker in workers if not worker.fixture), None)
    if idle is None:
        idle = _start(conditions)
        workers.append(idle)
    idle.fixture = fixture
    # If the process is dead, reading from it will tell.
    with suppress(OSError):
        idle.games.send(fixture)


def _start(conditions: Conditions) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    lifeline_end, lifeline = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(conditions, theirs, lifeline_end), daemon=True)
    with interrupts_held_back():
        process.start()
    theirs.close()
    lifeline_end.close()
    return _Worker(process, ours, lifeline)


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.games.close()
        worker.lifeline.close()
    for worker in workers:
        worker.process.join(LEAVING)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()


def _work(conditions: Conditions, games: Connection, lifeline: Connection) -> None:
    """The main loop of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    threading.Thread(target=_leave_when_told, args=(lifeline,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            games.send(play_game(conditions, games.recv()))
    # Nothing is left to be closed properly, and nothing may disturb the interpreter's exit.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _leave_when_told(lifeline: Connection) -> None:
    """Wait until the lifeline closes; then end the game cleanly, or else by force."""
    with suppress(EOFError, OSError):
        lifeline.recv()
    # With os.kill, Windows would end the process on the spot.
    signal.raise_signal(signal.SIGTERM)
    time.sleep(GOOD_ORDER)
    os._exit(0)
