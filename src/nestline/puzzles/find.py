"""Finds puzzles: plays careless games, and looks for positions with a single winning move."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from nestline import kernel
from nestline.engine.players.baselines import GreedyPlayer
from nestline.game import Game
from nestline.position import Move, Position
from nestline.puzzles.judges import Judge
from nestline.rules import RuleSet

OPENING = 3
"""The first plies of a game are random."""

CARELESS = 0.35
"""How often a player moves at random later on."""

LONGEST_GAME = 80

PROOF_MARGIN = 2
"""Where nothing is solved, no other first move wins within so many more plies than the solution."""

SHORTEST = 3

PATIENCE = 20_000
"""The search ends after this many positions without another puzzle."""


def games(rules: RuleSet, seed: int) -> Iterator[Position]:
    """The positions of careless games without end, each game backwards."""
    chance = random.Random(seed)
    greedy = GreedyPlayer(seed)
    while True:
        game = Game(rules)
        while game.outcome is None and game.ply < LONGEST_GAME:
            is_random = game.ply < OPENING or chance.random() < CARELESS
            moves = game.legal_moves()
            game.play(chance.choice(moves) if is_random else greedy.choose(game))
        yield from reversed(game.positions[OPENING:])


def shape(position: Position) -> tuple[int, int]:
    """The same for all images of a position, and for the position with the colours exchanged."""
    own, opp = position.words
    board = position.rules.board
    symmetry = kernel.canonical_symmetry(own, opp, board)
    return kernel.transform(own, symmetry, board), kernel.transform(opp, symmetry, board)


def solution(position: Position, plies: int, judge: Judge, longest: int = 0) -> list[Move] | None:
    """The winning line against the longest defence, or None if the solver has a choice on the way.

    No other move may win within `plies`, for the first move not even within `longest`. The last
    move is free: any win at once will do.
    """
    wins = list(judge.wins(position, plies))
    if plies == 1:
        return wins[:1] or None
    if len(wins) != 1 or (longest > plies and len(judge.wins(position, longest)) != 1):
        return None
    after = position.play(wins[0])
    for defence in judge.defences(after, plies - 1):
        rest = solution(after.play(defence), plies - 2, judge)
        if rest:
            return [*wins, defence, *rest]
    return None


def find(
    rules: RuleSet, quotas: Mapping[int, int], judge: Judge, seed: int,
    told: Callable[[float], None] = lambda part: None,
) -> Iterator[tuple[Position, list[Move]]]:  # fmt: skip
    """Positions with their solutions: for each number of plies as many as its quota says.

    It gives up when it has looked at many positions and found nothing new.
    """
    found: Counter[int] = Counter()
    seen: set[tuple[int, int]] = set()
    since = 0
    for position in games(rules, seed):
        since += 1
        if found.total() >= sum(quotas.values()) or since > PATIENCE:
            return
        if position.outcome() or (key := shape(position)) in seen:
            continue
        seen.add(key)
        plies = judge.plies_to_win(position, max(quotas))
        if plies is None or plies < SHORTEST or found[plies] >= quotas.get(plies, 0):
            continue
        line = solution(position, plies, judge, judge.longest or plies + PROOF_MARGIN)
        if line:
            since = 0
            found[plies] += 1
            told(found.total() / sum(quotas.values()))
            yield position, line
