"""Games on a Ray cluster: the same games as on one computer, in whatever order they finish."""

import threading
from collections.abc import Generator, Iterable

from nestline.arena.single_game import Conditions, FinishedGame, play_game
from nestline.arena.tournament import Fixture
from nestline.cluster import run_on_cluster


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
    waiting = iter(fixtures)
    games = run_on_cluster(
        play_game, lambda: next(waiting, None), address, stop, shared=conditions,
        name=lambda fixture: f"game {fixture.number}", at_once=at_once, cores=cores,
    )  # fmt: skip
    for _, played in games:
        yield played
