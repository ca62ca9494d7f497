"""Learning the weights of the evaluation from self-play.

A round plays games from random openings, each move found by a shallow search, and keeps the quiet
positions with the result of their game. Then the weights are fitted so that the evaluation predicts
the result (logistic regression by stochastic gradient descent, AdaGrad). The next round plays with
the new weights. A line's weight is the sum of three: of its pattern, of what the pattern shares
with others (counts and largest sizes), and of each piece in its place; so rare patterns borrow from
common ones. The same seed and sizes give the same weights.

`evaluation` says what the weights mean. Progress and files are left to the caller.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import compiled
from nestline.engine.search.alphabeta import FORCED
from nestline.engine.search.alphabeta import static_scores as write_static_scores
from nestline.engine.search.engine import Engine, Limits
from nestline.engine.search.evaluation import (
    COUNTS,
    COVERED_OWN,
    FINENESS,
    LARGEST,
    PIECE_TABLES,
    RESERVE_OWN,
    Geometry,
)
from nestline.engine.search.tempo import balanced
from nestline.engine.search.weights import Weights, family_of, hand_set
from nestline.errors import NestlineError
from nestline.game import Game
from nestline.rules import RuleSet
from nestline.rules.law import MAX_SIZES, Law
from nestline.system import interrupts_held_back, leave_with_parent

RANDOM_PLIES = 10
"""Games begin with up to this many random moves."""

PLY_LIMIT = 150
GAMES_PER_TASK = 20
HELD_BACK = 0.05
"""The share of the games held out for validation."""


@dataclass(frozen=True)
class Plan:
    """How much is played and learned in one round."""

    games: int = 4_000
    nodes: int = 3_000
    epochs: int = 12
    rate: float = 0.08
    seed: int = 1
    score_part: float = 0.3
    """The weight of the search score in the target; the rest is the result of the game."""

    def __post_init__(self) -> None:
        if self.games < 20 or self.nodes < 1 or self.epochs < 1:
            raise NestlineError("training takes at least 20 games, 1 node a move and 1 epoch")


class Samples(NamedTuple):
    """Training positions and their outcomes.

    own, opp: bit boards from the point of view of the player to move; result: 1, 0.5 or 0 for him;
    score: the search's; game: the number of the game, for holding out whole games.
    """

    own: NDArray[np.int64]
    opp: NDArray[np.int64]
    result: NDArray[np.float32]
    score: NDArray[np.float32]
    game: NDArray[np.int64]


def join_samples(parts: Iterable[Samples]) -> Samples:
    return Samples._make(np.concatenate(columns) for columns in zip(*parts, strict=True))


def play_games(rules: RuleSet, weights: Weights, plan: Plan, numbers: range) -> Samples:
    """Play the games with these numbers; each depends only on the plan's seed and its number."""
    rows: list[tuple[int, int, float, float, int]] = []
    engine = Engine(rules, memory=2, seed=plan.seed, tables=False, weights=weights)
    for number in numbers:
        engine.forget()
        chance = random.Random(f"{plan.seed} {number}")
        rows.extend((*row, number) for row in _play_one(engine, chance, plan.nodes))
    own, opp, result, score, game = zip(*rows, strict=True) if rows else ((),) * 5
    samples = Samples(
        np.array(own, np.int64), np.array(opp, np.int64), np.array(result, np.float32),
        np.array(score, np.float32), np.array(game, np.int64),
    )  # fmt: skip
    quiet = np.abs(static_scores(rules, weights, samples)) <= LARGEST
    return Samples._make(column[quiet] for column in samples)


def static_scores(rules: RuleSet, weights: Weights, samples: Samples) -> NDArray[np.int64]:
    """The score of each position without searching (see `alphabeta.static_scores`)."""
    scores = np.zeros(len(samples.own), np.int64)
    write_static_scores(samples.own, samples.opp, rules.law, weights.sheet(rules), scores)
    return scores


def _play_one(
    engine: Engine, chance: random.Random, nodes: int
) -> Iterator[tuple[int, int, float, float]]:
    game = Game(engine.rules, ply_limit=PLY_LIMIT)
    for _ in range(chance.randint(0, RANDOM_PLIES)):
        if not game.outcome:
            game.play(chance.choice(game.legal_moves()))
    seen: list[tuple[int, int, int, float]] = []
    while not game.outcome:
        report = engine.think(game, Limits(nodes=nodes + chance.randint(0, nodes // 4)))
        if abs(report.score) < FORCED:
            own, opp = game.position.words
            seen.append((own, opp, int(game.turn), float(report.score)))
        game.play(report.move)
    winner = game.outcome.winner
    for own, opp, turn, score in seen:
        result = 0.5 if winner is None else float(winner == turn)
        yield own, opp, result, score


def play_all(
    rules: RuleSet, weights: Weights, plan: Plan, first: int, processes: int,
    progress: Callable[[float], None],
) -> Samples:  # fmt: skip
    """Play a round's games, numbered from `first` on, in several processes."""
    tasks = [
        range(start, min(start + GAMES_PER_TASK, first + plan.games))
        for start in range(first, first + plan.games, GAMES_PER_TASK)
    ]
    parts = []
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=leave_with_parent
    ) as pool:
        with interrupts_held_back():
            waiting = [pool.submit(play_games, rules, weights, plan, task) for task in tasks]
        try:
            for done, future in enumerate(waiting, 1):
                parts.append(future.result())
                progress(done / len(tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return join_samples(parts)


class _Form:
    """Where each parameter of the model is in one long weight vector."""

    def __init__(self, rules: RuleSet) -> None:
        geometry = self.geometry = Geometry(rules)
        self.line = rules.line
        patterns = np.arange(geometry.patterns)
        places = [
            patterns // geometry.states**place % geometry.states for place in range(rules.line)
        ]
        back = sum(
            state * geometry.states ** (rules.line - 1 - place)
            for place, state in enumerate(places)
        )
        folded = np.minimum(patterns, back)
        own = [np.where((s > 0) & (s <= geometry.sizes), s, 0) for s in places]
        opp = [np.where(s > geometry.sizes, s - geometry.sizes, 0) for s in places]
        summary = np.zeros_like(patterns)
        for sizes in (own, opp):
            count = sum((size > 0).astype(int) for size in sizes)
            largest = np.max(sizes, axis=0)
            summary = (summary * (rules.line + 1) + count) * (geometry.sizes + 1) + largest
        self.summaries = int(summary.max()) + 1
        half = (rules.line + 1) // 2
        self.pattern_weights = geometry.kinds * geometry.patterns
        self.summary_weights = geometry.kinds * self.summaries
        self.place_weights = geometry.kinds * half * geometry.states
        shares = [folded, summary + self.pattern_weights]
        step = [geometry.patterns, self.summaries]
        for place, state in enumerate(places):
            from_end = min(place, rules.line - 1 - place)
            base = self.pattern_weights + self.summary_weights + from_end * geometry.states
            shares.append(base + state)
            step.append(half * geometry.states)
        self.shares = np.stack(shares, axis=1)
        """(patterns, 2 + line): the weights that add up to that of a pattern of kind 0."""
        self.steps = np.array(step)
        """(2 + line,): the offset to the same weights of the next kind."""
        self.pieces = self.pattern_weights + self.summary_weights + self.place_weights
        self.tempo = self.pieces + PIECE_TABLES * MAX_SIZES * COUNTS
        self.size = self.tempo + 1

    def of_line(self, kind: NDArray[np.int64], pattern: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.shares[pattern] + kind[..., None] * self.steps
        return found

    def features(self, law: Law, samples: Samples) -> NDArray[np.int32]:
        """(samples, features): the weights that add up to the evaluation of each position."""
        lines = np.zeros((len(samples.own), len(self.geometry.lines)), np.int64)
        pieces = np.zeros((len(samples.own), PIECE_TABLES * law.sizes), np.int64)
        squares = np.array(self.geometry.lines, np.int64)
        _read_positions(samples.own, samples.opp, law, squares, self.geometry.states, lines, pieces)
        kinds = np.broadcast_to(np.array(self.geometry.kind_of), lines.shape)
        of_lines = self.of_line(kinds, lines).reshape(len(lines), -1)
        tempo = np.full((len(lines), 1), self.tempo)
        return np.hstack([of_lines, pieces + self.pieces, tempo]).astype(np.int32)

    def to_weights(self, rules: RuleSet, vector: NDArray[np.float32]) -> Weights:
        """Sum the weights into the tables that the evaluation looks up."""
        geometry = self.geometry
        kinds = np.arange(geometry.kinds)[:, None]
        patterns = np.arange(geometry.patterns)[None, :]
        kinds, patterns = np.broadcast_arrays(kinds, patterns)
        lines = vector[self.of_line(kinds, patterns)].sum(axis=2)
        pieces = vector[self.pieces : self.tempo].reshape(PIECE_TABLES, MAX_SIZES, COUNTS)
        scale = 100 * FINENESS
        return Weights(
            family=family_of(rules),
            lines=np.clip(np.rint(lines * scale), -32000, 32000).astype(np.int16),
            pieces=np.clip(np.rint(pieces * scale), -32000, 32000).astype(np.int16),
            tempo=round(float(vector[self.tempo]) * scale),
        )


@compiled
def _read_positions(
    owns: NDArray[np.int64], opps: NDArray[np.int64], law: Law, squares: NDArray[np.int64],
    states: int, lines: NDArray[np.int64], pieces: NDArray[np.int64],
) -> None:  # fmt: skip
    """The numbers of all lines, and the indices of the piece weights, of each position."""
    for index in range(len(owns)):
        own, opp = owns[index], opps[index]
        own_shown, opp_shown = kernel.visible(own, opp), kernel.visible(opp, own)
        for line in range(squares.shape[0]):
            number = 0
            for place in range(squares.shape[1] - 1, -1, -1):
                state = 0
                for size in range(1, law.sizes + 1):
                    bit = kernel.piece(size, squares[line, place])
                    if own_shown & bit:
                        state = size
                    if opp_shown & bit:
                        state = law.sizes + size
                number = number * states + state
            lines[index, line] = number
        column = 0
        for size in range(law.sizes):
            for player in range(2):
                word, shown = (opp, opp_shown) if player else (own, own_shown)
                on_board = kernel.popcount(kernel.layer(word, size + 1))
                covered = on_board - kernel.popcount(kernel.layer(shown, size + 1))
                reserve = law.stock[size] - on_board
                of_reserve = (RESERVE_OWN + player) * MAX_SIZES + size
                of_covered = (COVERED_OWN + player) * MAX_SIZES + size
                pieces[index, column] = of_reserve * COUNTS + reserve
                pieces[index, column + 1] = of_covered * COUNTS + covered
                column += 2


@compiled
def _descend(
    order: NDArray[np.int64], features: NDArray[np.int32], targets: NDArray[np.float32],
    rate: float, shrink: float, vector: NDArray[np.float32], squares: NDArray[np.float32],
) -> float:  # fmt: skip
    """One pass over the samples; returns the mean loss before each step."""
    loss = 0.0
    for place in range(len(order)):
        row = features[order[place]]
        total = 0.0
        for column in range(len(row)):
            total += vector[row[column]]
        chance = 1.0 / (1.0 + np.exp(-total))
        target = targets[order[place]]
        chance_inside = min(max(chance, 1e-7), 1.0 - 1e-7)
        loss -= target * np.log(chance_inside) + (1.0 - target) * np.log(1.0 - chance_inside)
        error = chance - target
        for column in range(len(row)):
            weight = row[column]
            slope = error + shrink * vector[weight]
            squares[weight] += slope * slope
            vector[weight] -= rate * slope / np.sqrt(squares[weight] + 1.0)
    return loss / len(order)


def fit(rules: RuleSet, samples: Samples, plan: Plan, progress: Callable[[float], None]) -> Weights:
    """The weights that predict the results best, and the figures of the fit."""
    held_back = samples.game % round(1 / HELD_BACK) == 0
    learned = np.flatnonzero(~held_back)
    if not len(learned):
        raise NestlineError(
            "no quiet position was left to learn from; play more games, or search more nodes a move"
        )
    form = _Form(rules)
    features = form.features(rules.law, samples)
    believed = 1 / (1 + np.exp(-samples.score / 100))
    targets = ((1 - plan.score_part) * samples.result + plan.score_part * believed).astype(
        np.float32
    )
    chance = np.random.default_rng(plan.seed)
    vector = np.zeros(form.size, np.float32)
    squares = np.zeros(form.size, np.float32)
    for epoch in range(plan.epochs):
        chance.shuffle(learned)
        rate = plan.rate * (1 - epoch / plan.epochs) + 0.1 * plan.rate
        _descend(learned, features, targets, rate, 1e-5, vector, squares)
        progress((epoch + 1) / plan.epochs)
    weights = form.to_weights(rules, vector)
    figures: dict[str, float | None] = {
        "positions": len(samples.own),
        "games": len(np.unique(samples.game)),
        "nodes a move": plan.nodes,
        "seed": plan.seed,
    }
    for name, rows in (("learned", learned), ("held back", np.flatnonzero(held_back))):
        told = vector[features[rows]].sum(axis=1)
        figures[f"loss {name}"] = _loss(told, samples.result[rows])
        figures[f"right {name}"] = _right(told, samples.result[rows])
    by_hand = static_scores(rules, hand_set(rules), samples)[held_back] / 100
    figures["loss by hand"] = _loss(by_hand, samples.result[held_back])
    figures["right by hand"] = _right(by_hand, samples.result[held_back])
    return Weights(weights.family, weights.lines, weights.pieces, weights.tempo, figures)


def _loss(told: NDArray[np.floating], result: NDArray[np.float32]) -> float | None:
    """The mean cross-entropy; None without positions."""
    chance = np.clip(1 / (1 + np.exp(-told)), 1e-7, 1 - 1e-7)
    return _mean(-(result * np.log(chance) + (1 - result) * np.log(1 - chance)))


def _right(told: NDArray[np.floating], result: NDArray[np.float32]) -> float | None:
    """How often the side judged better won, among decided games; None if there are none."""
    decided = result != 0.5
    return _mean((told[decided] > 0) == (result[decided] > 0.5))


def _mean(numbers: NDArray[Any]) -> float | None:
    return round(float(np.mean(numbers)), 4) if len(numbers) else None


PLAYING_PART = 0.9
"""The share of a round's time spent on games, for the progress bar."""


def train(
    rules: RuleSet, rounds: int, plan: Plan, processes: int, progress: Callable[[float], None]
) -> Weights:
    """Play and fit, round after round; each round learns from the games of the last two."""
    weights = hand_set(rules)
    samples: list[Samples] = []
    for number in range(rounds):

        def played(part: float, number: int = number) -> None:
            progress((number + PLAYING_PART * part) / rounds)

        def fitted(part: float, number: int = number) -> None:
            progress((number + PLAYING_PART + (1 - PLAYING_PART) * part) / rounds)

        first = number * plan.games
        samples.append(play_all(rules, weights, plan, first, processes, played))
        weights = balanced(rules, fit(rules, join_samples(samples[-2:]), plan, fitted))
    return weights
