"""The value of having the move, set so that scores do not swing with the parity of the depth.

At an odd depth the opponent is to move at the leaves, at an even one the player. If having
the move is worth more than the evaluation says, odd depths promise too much and even ones too
little, by that difference each. A fit to the results of games cannot find that value well, since
both sides have the move equally often.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from nestline.engine.search.alphabeta import FORCED
from nestline.engine.search.engine import Engine, Limits, Report
from nestline.engine.search.evaluation import FINENESS
from nestline.engine.search.weights import Weights
from nestline.game import Game
from nestline.rules import RuleSet

PLIES = (1, 4, 8, 12)
GAMES_EACH = 6
SHALLOWEST, DEEPEST = 2, 6
FEWEST = 8
"""With fewer positions than this that have no forced result, the tempo stays as it is."""

ROUNDS = 2
"""The second one corrects what other leaves and other best moves have changed."""


def balanced(rules: RuleSet, weights: Weights) -> Weights:
    """The same weights with the tempo that makes odd and even depths agree."""
    for _ in range(ROUNDS):
        swings = list(parity_swings(rules, weights))
        if len(swings) < FEWEST:
            return weights
        missing = sum(swings) / len(swings) / 2
        weights = replace(weights, tempo=weights.tempo + round(missing * FINENESS))
    return weights


def parity_swings(rules: RuleSet, weights: Weights | None = None) -> Iterator[float]:
    """How much higher odd depths score than their even neighbours, in some positions."""
    engine = Engine(rules, seed=1, tables=False, weights=weights)
    for game in _games(rules):
        reports: list[Report] = []
        engine.forget()
        engine.think(game, Limits(depth=DEEPEST), report=reports.append)
        scores = [report.score for report in reports]
        if len(scores) == DEEPEST and max(map(abs, scores)) < FORCED:
            yield _swing(scores)


def _swing(scores: list[int]) -> float:
    """The mean difference between each score and the mean of its neighbours, odd ones counting
    up and even ones down; the first score is that of depth 1."""
    differences = []
    for depth in range(SHALLOWEST, DEEPEST):
        before, here, after = scores[depth - 2 : depth + 1]
        differences.append((here - (before + after) / 2) * (1 if depth % 2 else -1))
    return sum(differences) / len(differences)


def _games(rules: RuleSet) -> Iterator[Game]:
    chance = random.Random(1)
    for plies in PLIES * GAMES_EACH:
        game = Game(rules)
        while game.ply < plies and not game.outcome:
            game.play(chance.choice(game.legal_moves()))
        if not game.outcome:
            yield game
