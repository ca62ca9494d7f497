"""Solving the games of an atlas: each once, on this computer, on a GPU, or on a Ray cluster."""

import threading
from collections.abc import Callable, Iterator

from nestline.atlas.games import Game
from nestline.atlas.table import Row
from nestline.rules import RuleSet
from nestline.solve.entry import VALUE_NAMES, distance_of, value_of
from nestline.solve.groups.cut import Cut
from nestline.solve.groups.solver import Device
from nestline.solve.groups.survey import Survey, survey

Solver = Callable[[Game], Row]


def row_of(game: Game, rules: RuleSet, found: Survey) -> Row:
    """What an atlas tells about a game."""
    value = value_of(found.start)
    return Row(
        game=game,
        value=VALUE_NAMES[value],
        distance=distance_of(found.start) if value else None,
        won=found.placements(1),
        drawn=found.placements(0),
        lost=found.placements(-1),
        reachable=found.reachable or 0,
        longest_win=found.longest(1),
        longest_loss=found.longest(-1),
        first_moves=tuple(
            f"{(move >> 4) + 1}{rules.square_name(move & 15)}" for move in found.best_first_moves()
        ),
        stuck=found.has_stuck,
    )


def solve_game(
    game: Game, *, threads: int | None = None, load: Callable[[Cut], Device] | None = None
) -> Row:
    """Solve a game on this computer: on the CPU, or on the device that `load` prepares."""
    rules = game.rules()
    return row_of(game, rules, survey(rules.law, threads=threads, load=load))


def twin_of(game: Game) -> Game | None:
    """The game in which a player without a move loses, for one in which it is a draw."""
    fields = game.fields()
    if fields["no_move"] != "draw":
        return None
    fields["no_move"] = "loses"
    return Game(tuple(fields.values()))


def without_twins(games: list[Game], rows: dict[Game, Row]) -> list[Game]:
    """The games without those whose twin shows that nobody is ever without a move."""

    def is_same(game: Game) -> bool:
        twin = twin_of(game)
        return twin is not None and twin in rows and not rows[twin].stuck

    return [game for game in games if not is_same(game)]


def rounds(games: list[Game], rows: dict[Game, Row]) -> Iterator[list[Game]]:
    """The games still to be solved in two rounds: first those that may show others to be the same.

    `rows` are the games solved so far, which grow between the rounds.
    """
    listed = set(games)
    yield [game for game in games if game not in rows and twin_of(game) not in listed]
    yield [game for game in without_twins(games, rows) if game not in rows]


def solve_here(
    games: list[Game], solver: Solver, stop: threading.Event | None = None
) -> Iterator[Row]:
    """Solve games one after the other."""
    for game in games:
        if stop is not None and stop.is_set():
            return
        yield solver(game)
