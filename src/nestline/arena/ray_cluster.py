"""Games on a Ray cluster: the same games as on one computer, in whatever order they finish.

Ray is the package's extra `cluster`, and only this module loads it. A Ray worker or machine that
dies loses no game: it is played again. Every machine of a cluster needs this package.
"""

import contextlib
import logging
import os
import shutil
import socket
import tempfile
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from nestline.arena.local_processes import GLANCE, require_attempts
from nestline.arena.single_game import Conditions, FinishedGame, play_game
from nestline.arena.tournament import Fixture
from nestline.errors import NestlineError, missing_extra

HERE = "local"
"""In place of an address: a cluster on this computer alone, for the duration of the games."""

FIND = "auto"
"""In place of an address: the cluster already running on this computer."""

ANSWER = 10.0
"""Seconds within which a cluster has to answer."""


def play_on_cluster(
    conditions: Conditions,
    fixtures: Iterable[Fixture],
    address: str,
    at_once: int | None,
    cores: int,
    stop: threading.Event,
) -> Generator[FinishedGame]:
    """Play games lazily on a cluster; yields them as they finish.

    `at_once` games at a time, by default as many as the cluster has room for when each uses this
    many `cores`. Closing the iterator, or setting `stop` in another thread, abandons the games in
    progress.
    """
    ray = _import_ray()
    with _connected(ray, address, at_once):
        yield from _play(ray, conditions, fixtures, at_once, cores, stop)


def _play(
    ray: Any, conditions: Conditions, fixtures: Iterable[Fixture], at_once: int | None,
    cores: int, stop: threading.Event,
) -> Generator[FinishedGame]:  # fmt: skip
    # Interrupted games are handed out again here, so that their attempts are counted.
    remote = ray.remote(num_cpus=cores, max_retries=0)(play_game)
    shared = ray.put(conditions)
    waiting = iter(fixtures)
    again: list[Fixture] = []
    deaths: Counter[int] = Counter()
    running: dict[Any, Fixture] = {}
    try:
        while not stop.is_set():
            while len(running) < (at_once or _room(ray, cores)):
                fixture = again.pop() if again else next(waiting, None)
                if fixture is None:
                    break
                running[remote.remote(shared, fixture)] = fixture
            if not running:
                return
            ended, _ = ray.wait(list(running), num_returns=1, timeout=GLANCE)
            if not ended:
                continue
            fixture = running.pop(ended[0])
            try:
                played = ray.get(ended[0])
            except ray.exceptions.RayTaskError as error:
                raise NestlineError(f"game {fixture.number}: {error.cause}") from error
            except ray.exceptions.RayError:
                deaths[fixture.number] += 1
                require_attempts(fixture, deaths[fixture.number])
                again.append(fixture)
            else:
                yield played
    finally:
        for task in running:
            with contextlib.suppress(Exception):
                ray.cancel(task, force=True)


def _room(ray: Any, cores: int) -> int:
    """How many games fit on the cluster now; machines may come and go."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)) // cores)


def _import_ray() -> Any:
    # No usage statistics are reported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise missing_extra("playing on a Ray cluster", "cluster", error) from None
    return ray


@contextlib.contextmanager
def _connected(ray: Any, address: str, at_once: int | None) -> Iterator[None]:
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    folder = None
    try:
        if address == HERE:
            # Its sockets live in this folder, and their names must be short.
            folder = tempfile.mkdtemp(prefix="nestline-ray-")
            ray.init(num_cpus=at_once, include_dashboard=False, _temp_dir=folder, **quiet)
        else:
            _require_answer(address)
            ray.init(address=address, **quiet)
    except Exception as error:
        _remove(folder)
        # Given an address, Ray sends no token unless told to, and does not say so.
        is_silent = address not in (HERE, FIND) and "RAY_AUTH_MODE" not in os.environ
        hint = "; if it asks for a token, set RAY_AUTH_MODE=token" if is_silent else ""
        raise NestlineError(f"the Ray cluster {address} cannot be used: {error}{hint}") from error
    try:
        yield
    finally:
        ray.shutdown()
        _remove(folder)


def _require_answer(address: str) -> None:
    """Check that the cluster answers; Ray itself would try for minutes."""
    if address == FIND:
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        raise NestlineError(f"an address is HOST:PORT, ray://HOST:PORT or {FIND}")
    socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()


def _remove(folder: str | None) -> None:
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
