"""Fills an explorer: analyses every line of first moves, then plays games that begin with them.

The replies are searched, each with the same number of nodes; the score of a first move follows from
the replies to it. Then the engine plays against itself: the two moves of the explorer are drawn by
their scores, better ones more often, and the rest is up to the players. Threads share out the
replies and the games, so that the same nodes, seed and player give the same explorer every time,
however many threads there are.
"""

import math
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed

from nestline.arena.descriptions import read_contestant
from nestline.arena.local_processes import play_locally
from nestline.arena.openings import Opening
from nestline.arena.single_game import Conditions, FinishedGame
from nestline.arena.tournament import PLY_LIMIT, USUAL_LIMITS, Fixture, derived_seed
from nestline.engine.choices import distinct_moves
from nestline.engine.search.engine import Engine, Limits
from nestline.game import Game
from nestline.openings.explorer import PLIES, Explorer, Line, OpeningsError
from nestline.position import Position
from nestline.rules import RuleSet

TEMPERATURE = 50
"""A move that is so much better, in hundredths of a logit, is drawn e times as often."""

LONGEST_BEST_LINE = 8
KEEP_EVERY = 20
"""Games between two writings of the file."""

PLAYERS = ("first", "second")

Keep = Callable[[], None]
"""Called whenever the explorer knows more."""

Progress = Callable[[float], None]
"""Called with the part done."""


def essential_replies(rules: RuleSet) -> list[tuple[str, str]]:
    """The first two moves of a game, one pair for each unfinished position up to symmetry."""
    start = Position.start(rules)
    return [
        (str(first), str(reply))
        for first in distinct_moves(start)
        for reply in distinct_moves(start.play(first))
        if start.play(first).play(reply).outcome() is None
    ]


def analyse_lines(
    explorer: Explorer, nodes: int, *, threads: int = 1, memory: int = 64,
    keep: Keep = lambda: None, progress: Progress = lambda part: None,
) -> None:  # fmt: skip
    """Search the replies that have not been searched with as many nodes, then judge the moves that
    allow them."""
    lines = essential_replies(explorer.rules)
    if not lines:
        raise OpeningsError(f"{explorer.rules.name} has no openings: every game ends at once")
    known = explorer.lines
    missing = [moves for moves in lines if moves not in known or known[moves].nodes < nodes]
    with ThreadPoolExecutor(threads) as pool:
        searches = [
            pool.submit(_analysed, explorer.rules, moves, nodes, memory, explorer.seed)
            for moves in missing
        ]
        try:
            for done, search in enumerate(as_completed(searches), start=1):
                explorer.put(_with_counts(search.result(), explorer))
                keep()
                progress(done / len(missing))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for first in dict.fromkeys(first for first, _ in lines):
        replies = [explorer.lines[moves] for moves in lines if moves[0] == first]
        explorer.put(_with_counts(_backed_up((first,), replies), explorer))
    keep()


def _analysed(rules: RuleSet, moves: tuple[str, ...], nodes: int, memory: int, seed: int) -> Line:
    """A line after a search of its own, which knows nothing of other lines: a run that was
    interrupted finds the same."""
    game = Game(rules)
    for move in moves:
        game.play(move)
    found = Engine(rules, memory=memory, seed=seed).think(game, Limits(nodes=nodes))
    best = tuple(map(str, found.variations[0].moves[:LONGEST_BEST_LINE]))
    return Line(moves, -found.score, found.depth, max(nodes, found.nodes), best)


def _backed_up(moves: tuple[str, ...], replies: list[Line]) -> Line:
    """A line judged by the best reply to it."""
    best = max(replies, key=lambda line: line.score)
    return Line(
        moves,
        -best.score,
        min(line.depth for line in replies) + 1,
        sum(line.nodes for line in replies),
        (best.moves[-1], *best.best)[:LONGEST_BEST_LINE],
    )


def _with_counts(line: Line, explorer: Explorer) -> Line:
    """The line with the games that are known to have begun with it."""
    known = explorer.lines.get(line.moves, line)
    return line._replace(played=known.played, won=known.won, drawn=known.drawn)


def play_games(
    explorer: Explorer, games: int, *, processes: int = 1, keep: Keep = lambda: None,
    progress: Progress = lambda part: None, stop: threading.Event | None = None,
) -> None:  # fmt: skip
    """Play on until there are so many games; they are counted in the order of their numbers, so
    that an interrupted run goes on with the next one."""
    fixtures = [_fixture(explorer, number) for number in range(explorer.games + 1, games + 1)]
    player = read_contestant(explorer.player)
    conditions = Conditions(explorer.rules, dict.fromkeys(PLAYERS, player), USUAL_LIMITS, PLY_LIMIT)
    finished = play_locally(conditions, fixtures, processes, stop or threading.Event())
    for number, game in _in_order(finished, explorer.games + 1):
        _count(explorer, game)
        explorer.games = number
        progress(number / games)
        if number % KEEP_EVERY == 0 or number == games:
            keep()


def _fixture(explorer: Explorer, number: int) -> Fixture:
    chance = random.Random(f"{explorer.seed} {number}")
    moves: tuple[str, ...] = ()
    for plies in range(1, PLIES + 1):
        lines = [
            line
            for line in sorted(explorer.lines.values())
            if len(line.moves) == plies and line.moves[:-1] == moves
        ]
        weights = [math.exp(max(-700.0, line.score / TEMPERATURE)) for line in lines]
        moves = chance.choices(lines, weights)[0].moves
    game = Game(explorer.rules)
    for move in moves:
        game.play(move)
    seed = derived_seed(explorer.seed, number)
    return Fixture(number, *PLAYERS, Opening(tuple(game.moves)), seed)


def _in_order(games: Iterator[FinishedGame], number: int) -> Iterator[tuple[int, FinishedGame]]:
    """Games by their numbers, from this one on."""
    waiting: dict[int, FinishedGame] = {}
    for game in games:
        waiting[game.number] = game
        while number in waiting:
            yield number, waiting.pop(number)
            number += 1


def _count(explorer: Explorer, game: FinishedGame) -> None:
    for plies in range(1, PLIES + 1):
        line = explorer.lines[game.moves[:plies]]
        points = game.points_of(PLAYERS[(plies - 1) % 2])
        explorer.put(
            line._replace(
                played=line.played + 1,
                won=line.won + (points == 1),
                drawn=line.drawn + (points == 0.5),
            )
        )
