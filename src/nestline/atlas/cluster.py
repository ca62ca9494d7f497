"""Solving the games of an atlas on a Ray cluster, in whatever order they finish."""

import threading
from collections.abc import Generator

from nestline.atlas.games import Game
from nestline.atlas.solving import solve_game
from nestline.atlas.table import Row
from nestline.cluster import run_on_cluster


def solve_on_cluster(
    games: list[Game], address: str, stop: threading.Event, *, device: str = "cpu"
) -> Generator[Row]:
    """Solve games on a cluster; yields them as they finish, each solved by one core or GPU.

    Closing the iterator, or setting `stop` in another thread, abandons the games in progress.
    """
    waiting = iter(games)
    solved = run_on_cluster(
        _solve, lambda: next(waiting, None), address, stop, shared=device,
        name=lambda game: str(game.fields()), gpus=int(device == "cuda"),
    )  # fmt: skip
    for _, row in solved:
        yield row


def _solve(device: str, game: Game) -> Row:
    """Runs on a worker."""
    if device == "cuda":
        from nestline.solve.groups.card import Card

        return solve_game(game, load=Card().load)
    return solve_game(game, threads=1)
