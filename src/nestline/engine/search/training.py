"""Learning the weights of the evaluation from self-play.

A round plays games from random openings (`self_play`), and keeps the quiet positions with the
result of their game. Then the weights are fitted so that the evaluation predicts
the result (logistic regression by stochastic gradient descent, AdaGrad). The next round plays with
the new weights. A line's weight is the sum of three: of its pattern, of what the pattern shares
with others (counts and largest sizes), and of each piece in its place; so rare patterns borrow from
common ones. The same seed and sizes give the same weights.

`evaluation` says what the weights mean. Progress and files are left to the caller.
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import compiled, inlined
from nestline.engine.search.alphabeta import static_scores as write_static_scores
from nestline.engine.search.evaluation import (
    COUNTS,
    COVERED_OWN,
    FINENESS,
    FULL_UNIT,
    LARGEST,
    NET_KINDS,
    PIECE_TABLES,
    RESERVE_OWN,
    ROTATIONS,
    UNITS,
    Geometry,
    pattern_from_the_end,
    seen_square,
)
from nestline.engine.search.self_play import Samples, join_samples, play_games
from nestline.engine.search.tempo import balanced
from nestline.engine.search.weights import Net, Weights, family_of, hand_set
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.rules.law import LAYER_BITS, MAX_SIZES, Law
from nestline.system import interrupts_held_back, leave_with_parent

GAMES_PER_TASK = 20
BETWEEN_REPORTS = 0.2
"""The longest time, in seconds, without a report while games are played."""

LARGEST_ROW = 1_200
"""So that 24 pieces never overflow the 16 bits of a hidden unit."""

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
    score_part: float = 0.5
    """The weight of the search score in the target; the rest is the result of the game."""

    def __post_init__(self) -> None:
        if self.games < 20 or self.nodes < 1 or self.epochs < 1:
            raise NestlineError("training takes at least 20 games, 1 node a move and 1 epoch")


def quiet_positions(rules: RuleSet, weights: Weights, plan: Plan, numbers: range) -> Samples:
    """The quiet positions of the games with these numbers."""
    samples = play_games(rules, weights, plan.nodes, plan.seed, numbers)
    quiet = np.abs(static_scores(rules, weights, samples)) <= LARGEST
    return Samples._make(column[quiet] for column in samples)


def static_scores(rules: RuleSet, weights: Weights, samples: Samples) -> NDArray[np.int64]:
    """The score of each position without searching (see `alphabeta.static_scores`)."""
    scores = np.zeros(len(samples.own), np.int64)
    write_static_scores(samples.own, samples.opp, rules.law, weights.sheet(rules), scores)
    return scores


def play_all(
    rules: RuleSet, weights: Weights, plan: Plan, first: int, processes: int,
    progress: Callable[[float], None],
) -> Samples:  # fmt: skip
    """Play a round's games, numbered from `first` on, in several processes.

    `progress` is called several times a second; when it raises, the processes are ended.
    """
    others = set(active_children())
    tasks = [
        range(start, min(start + GAMES_PER_TASK, first + plan.games))
        for start in range(first, first + plan.games, GAMES_PER_TASK)
    ]
    parts = []
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=leave_with_parent
    ) as pool:
        with interrupts_held_back():
            waiting = [pool.submit(quiet_positions, rules, weights, plan, task) for task in tasks]
        try:
            for done, future in enumerate(waiting, 1):
                while not wait([future], BETWEEN_REPORTS).done:
                    progress((done - 1) / len(tasks))
                parts.append(future.result())
                progress(done / len(tasks))
        except BaseException:
            for process in set(active_children()) - others:
                process.kill()
            pool.shutdown(cancel_futures=True)
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
        back = np.array([pattern_from_the_end(int(each), rules.law) for each in patterns])
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
        self.network = self.tempo + 1
        groups = UNITS // len(ROTATIONS)
        group = np.arange(UNITS) // len(ROTATIONS)
        self.bias = self.network + group
        self.out = self.bias + groups
        rows = self.network + 2 * groups
        self.rows = rows + group * NET_KINDS * 64 + _places_by_rotation(rules.board)
        """(NET_KINDS, 64, UNITS): the weight that a piece adds to a hidden unit."""
        self.size = rows + groups * NET_KINDS * 64

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

    def first_guess(self, chance: np.random.Generator) -> NDArray[np.float32]:
        """The weights that learning begins with; those of the network must differ."""
        vector = np.zeros(self.size, np.float32)
        vector[self.network :] = chance.normal(0, 0.08, self.size - self.network)
        vector[self.bias] = 0.3
        return vector

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
            lines=_rounded(lines * scale),
            pieces=_rounded(pieces * scale),
            tempo=round(float(vector[self.tempo]) * scale),
            net=Net(
                rows=_rounded(vector[self.rows] * FULL_UNIT, LARGEST_ROW),
                bias=_rounded(vector[self.bias] * FULL_UNIT),
                out=_rounded(vector[self.out] * scale),
            ),
        )


def _rounded(numbers: NDArray[np.floating], largest: int = 32_000) -> NDArray[np.int16]:
    found: NDArray[np.int16] = np.clip(np.rint(numbers), -largest, largest).astype(np.int16)
    return found


def _places_by_rotation(board: int) -> NDArray[np.int64]:
    """(NET_KINDS, 64, UNITS): the number of a piece, by its kind and bit, as the hidden units see
    it."""
    places = np.zeros((NET_KINDS, MAX_SIZES, LAYER_BITS, UNITS), np.int64)
    kinds = np.arange(NET_KINDS)[:, None] * MAX_SIZES + np.arange(MAX_SIZES)
    for square in range(board * board):
        for unit in range(UNITS):
            places[:, :, square, unit] = kinds * LAYER_BITS + seen_square(square, unit, board)
    return places.reshape(NET_KINDS, MAX_SIZES * LAYER_BITS, UNITS)


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


@inlined
def _list_pieces(own: int, opp: int, kinds: NDArray[np.int64], bits: NDArray[np.int64]) -> int:
    """Write the kind and the bit of each piece, as the network sees it; return how many."""
    own_shown, opp_shown = kernel.visible(own, opp), kernel.visible(opp, own)
    words = (own_shown, opp_shown, own & ~own_shown, opp & ~opp_shown)
    count = 0
    for kind in range(NET_KINDS):
        pieces = words[kind]
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            kinds[count] = kind
            bits[count] = kernel.popcount(bit - 1)
            count += 1
    return count


@inlined
def _learn(
    weight: int, slope: float, rate: float, vector: NDArray[np.float32],
    squares: NDArray[np.float32],
) -> None:  # fmt: skip
    """One step of AdaGrad."""
    squares[weight] += slope * slope
    vector[weight] -= rate * slope / np.sqrt(squares[weight] + np.float32(1.0))


@compiled
def _descend(
    order: NDArray[np.int64], owns: NDArray[np.int64], opps: NDArray[np.int64],
    features: NDArray[np.int32], targets: NDArray[np.float32], rate: float, shrink: float,
    rows: NDArray[np.int64], bias: NDArray[np.int64], out: NDArray[np.int64],
    vector: NDArray[np.float32], squares: NDArray[np.float32], told: NDArray[np.float32],
) -> None:  # fmt: skip
    """One pass over the samples; `told` gets what was predicted before each step, in logits. With a
    rate of 0 nothing is learned."""
    kinds, bits = np.zeros(32, np.int64), np.zeros(32, np.int64)
    units = np.zeros(UNITS, np.float32)
    for place in order:
        row = features[place]
        total = np.float32(0.0)
        for column in range(len(row)):
            total += vector[row[column]]
        count = _list_pieces(owns[place], opps[place], kinds, bits)
        for unit in range(UNITS):
            units[unit] = vector[bias[unit]]
        for piece in range(count):
            weights = rows[kinds[piece], bits[piece]]
            for unit in range(UNITS):
                units[unit] += vector[weights[unit]]
        for unit in range(UNITS):
            active = min(max(units[unit], np.float32(0.0)), np.float32(1.0))
            total += active * active * vector[out[unit]]
        told[place] = total
        if rate == 0:
            continue
        error = np.float32(1.0 / (1.0 + np.exp(-total)) - targets[place])
        for column in range(len(row)):
            weight = row[column]
            _learn(weight, error + shrink * vector[weight], rate, vector, squares)
        for unit in range(UNITS):
            active = min(max(units[unit], np.float32(0.0)), np.float32(1.0))
            slope = 2 * error * active * vector[out[unit]]
            if active == 0:
                continue
            _learn(out[unit], error * active * active, rate, vector, squares)
            if active < 1:
                _learn(bias[unit], slope, rate, vector, squares)
                for piece in range(count):
                    weight = rows[kinds[piece], bits[piece], unit]
                    _learn(weight, slope, rate, vector, squares)


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
    vector = form.first_guess(chance)
    squares, told = np.zeros(form.size, np.float32), np.zeros(len(samples.own), np.float32)

    def descend(order: NDArray[np.int64], rate: float) -> None:
        _descend(
            order, samples.own, samples.opp, features, targets, rate, 1e-5, form.rows, form.bias,
            form.out, vector, squares, told,
        )  # fmt: skip

    for epoch in range(plan.epochs):
        chance.shuffle(learned)
        descend(learned, plan.rate * (1 - epoch / plan.epochs) + 0.1 * plan.rate)
        progress((epoch + 1) / plan.epochs)
    descend(np.arange(len(samples.own)), 0.0)
    weights = form.to_weights(rules, vector)
    figures: dict[str, float | None] = {
        "positions": len(samples.own),
        "games": len(np.unique(samples.game)),
        "nodes a move": plan.nodes,
        "seed": plan.seed,
    }
    for name, rows in (("learned", learned), ("held back", np.flatnonzero(held_back))):
        figures[f"loss {name}"] = _loss(told[rows], samples.result[rows])
        figures[f"right {name}"] = _right(told[rows], samples.result[rows])
    by_hand = static_scores(rules, hand_set(rules), samples)[held_back] / 100
    figures["loss by hand"] = _loss(by_hand, samples.result[held_back])
    figures["right by hand"] = _right(by_hand, samples.result[held_back])
    return replace(weights, figures=figures)


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
    # Together with the other figures this says which command makes the weights again.
    return replace(weights, figures={**weights.figures, "rounds": rounds, "of games": plan.games})
