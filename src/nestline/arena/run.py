"""A tournament from start to finish: hands the games out, saves them, and computes the results.

Games run in processes of this computer or on a Ray cluster; a tournament with a folder resumes
where it was interrupted. The interfaces show the results.
"""

import threading
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

from nestline.arena.local_processes import play_locally
from nestline.arena.ray_cluster import play_on_cluster
from nestline.arena.results import Referee, Results
from nestline.arena.single_game import Conditions, FinishedGame, try_player
from nestline.arena.tournament import Fixture, Tournament
from nestline.arena.tournament_folder import Store
from nestline.errors import NestlineError
from nestline.system import cores

Watch = Callable[[Mapping[int, FinishedGame]], None]
"""Called with all finished games, by number."""


class Stopped(Exception):
    """The run was stopped; with a folder, the finished games are kept."""


def try_players(tournament: Tournament) -> None:
    """Let every player of this package choose one move: a player that cannot play is refused before
    the games begin, and code is compiled once, not by each worker."""
    for name, entry in tournament.entries.items():
        if entry.contestant.is_foreign:
            continue
        try:
            try_player(entry.contestant, tournament.rules, tournament.limits)
        except NestlineError as error:
            raise NestlineError(f"{name} cannot play {tournament.rules.name}: {error}") from None


def usual_concurrency(tournament: Tournament) -> int:
    """How many games at once keep all cores busy."""
    return max(1, cores() // tournament.threads)


def run_tournament(
    tournament: Tournament,
    *,
    folder: Path | None = None,
    concurrency: int | None = None,
    ray: str | None = None,
    watch: Watch = lambda played: None,
    stop: threading.Event | None = None,
) -> Results:
    """Play the remaining games, and return the results of all.

    `ray` is the address of a cluster, or "local" for one on this computer. `watch` is called at the
    beginning and after every game. `Stopped` is raised soon after another thread sets `stop`.
    Players are not tried beforehand; see `try_players`.
    """
    stop = stop or threading.Event()
    fixtures = tournament.fixtures()
    if folder is None:
        played: dict[int, FinishedGame] = {}

        def remember(game: FinishedGame) -> None:
            played[game.number] = game

        _play(tournament, fixtures, played, remember, concurrency, ray, watch, stop)
        return Results(tournament, played)
    with Store(folder, tournament) as store:
        _play(tournament, fixtures, store.played, store.add, concurrency, ray, watch, stop)
        return Results(tournament, store.played)


def _play(
    tournament: Tournament,
    fixtures: list[Fixture],
    played: dict[int, FinishedGame],
    keep: Callable[[FinishedGame], None],
    concurrency: int | None,
    ray: str | None,
    watch: Watch,
    stop: threading.Event,
) -> None:
    watch(played)
    missing = [fixture for fixture in fixtures if fixture.number not in played]
    referee = Referee(tournament)
    if not missing or referee.look(played):
        return
    games = _games(tournament, missing, concurrency, ray, stop)
    try:
        for game in games:
            keep(game)
            watch(played)
            if referee.look(played):
                return
    finally:
        games.close()
    if stop.is_set():
        raise Stopped


def _games(
    tournament: Tournament,
    fixtures: list[Fixture],
    concurrency: int | None,
    ray: str | None,
    stop: threading.Event,
) -> Generator[FinishedGame]:
    conditions = Conditions.of(tournament)
    if ray is None:
        processes = concurrency or usual_concurrency(tournament)
        return play_locally(conditions, fixtures, processes, stop)
    return play_on_cluster(conditions, fixtures, ray, concurrency, tournament.threads, stop)
