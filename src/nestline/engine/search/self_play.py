"""Games of the engine against itself, played in compiled code: what `training` learns from.

Each game begins with some random moves; then every move is found by a short search. The positions
come with the score of their search and, when the game is over, its result.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import recursive
from nestline.engine.search import chance as chances
from nestline.engine.search import deepening
from nestline.engine.search.alphabeta import FORCED, MAX_DEPTH
from nestline.engine.search.chance import Chance
from nestline.engine.search.deepening import DEEPENED, Root
from nestline.engine.search.evaluation import Sheet
from nestline.engine.search.transposition import GENERATIONS, make_table
from nestline.engine.search.weights import Weights
from nestline.engine.search.workspace import NEVER, Numbers, Workspace, make_workspaces
from nestline.rules import RuleSet
from nestline.rules.law import Law

RANDOM_PLIES = 10
"""Games begin with up to this many random moves."""

PLY_LIMIT = 150
MEMORY = 2


class Samples(NamedTuple):
    """Training positions and their outcomes.

    own, opp: bitboards from the point of view of the player to move; result: 1, 0.5 or 0 for him;
    score: the search's; game: the number of the game, for holding out whole games.
    """

    own: NDArray[np.int64]
    opp: NDArray[np.int64]
    result: NDArray[np.float32]
    score: NDArray[np.float32]
    game: NDArray[np.int64]


@recursive
def _result(history: Numbers, ply: int, repetition: int, law: Law) -> int:
    """After a move: 2 if the player to move has won, 0 for a loss, 1 for a draw, -1 if the game
    goes on."""
    own, opp = history[ply, 0], history[ply, 1]
    state = kernel.outcome(own, opp, law)
    if kernel.verdict(state) != 0:
        return 1 - kernel.verdict(state)
    if state != kernel.ONGOING or ply >= PLY_LIMIT:
        return 1
    times = 1
    for earlier in range(ply - 2, -1, -2):
        times += history[earlier, 0] == own and history[earlier, 1] == opp
    return 1 if repetition and times >= repetition else -1


@recursive
def _play_game(
    nodes: int, repetition: int, generation: int, chance: Chance, history: Numbers, scores: Numbers,
    law: Law, sheet: Sheet, table: Numbers, work: Workspace, root: Root,
) -> tuple[int, int]:  # fmt: skip
    """Play a game into `history`, with the score of each position, `NEVER` for the random moves.

    Return its last ply and `_result` there.
    """
    history[0, 0], history[0, 1] = 0, 0
    random_plies = chances.below(chance, RANDOM_PLIES + 1)
    ply = 0
    result = -1
    while result < 0:
        own, opp = history[ply, 0], history[ply, 1]
        count = kernel.legal_moves(own, opp, law, root.moves)
        scores[ply] = NEVER
        if ply < random_plies:
            move = root.moves[chances.below(chance, count)]
        else:
            chances.shuffle(chance, root.moves[:count])
            limit = nodes + chances.below(chance, nodes // 4 + 1)
            numbers = root.numbers
            numbers[deepening.OWN], numbers[deepening.OPP] = own, opp
            numbers[deepening.MOVES], numbers[deepening.VARIATIONS] = count, 1
            numbers[deepening.DEEPEST], numbers[deepening.JUDGED_DEPTH] = MAX_DEPTH, 0
            numbers[deepening.NODES_ALLOWED] = limit
            deepening.begin(root, work, history[: ply + 1], repetition, generation, law)
            while deepening.advance(root, law, sheet, table, work) == DEEPENED:
                pass
            move = root.lines[0, 1]
            scores[ply] = root.scores[0]
        ply += 1
        history[ply, 0], history[ply, 1] = opp, kernel.play(own, move)
        result = _result(history, ply, repetition, law)
    return ply, result


def play_games(rules: RuleSet, weights: Weights, nodes: int, seed: int, numbers: range) -> Samples:
    """Play the games with these numbers; each depends only on the seed and its number."""
    sheet, table = weights.sheet(rules), make_table(MEMORY)
    [work], root = make_workspaces(1), deepening.make_root()
    history, scores = np.zeros((PLY_LIMIT + 1, 2), np.int64), np.zeros(PLY_LIMIT + 1, np.int64)
    nothing, none = np.zeros(0, np.int64), np.zeros(0, np.float32)
    parts = [Samples(nothing, nothing, none, none, nothing)]
    for number in numbers:
        table[:] = 0
        chance = chances.make_chance(hash((seed, number)))
        last, result = _play_game(
            nodes, rules.repetition, number % GENERATIONS, chance, history, scores, rules.law,
            sheet, table, work, root,
        )  # fmt: skip
        plies = np.flatnonzero(np.abs(scores[:last]) < FORCED)
        own, opp = history[plies].T
        is_last_player = (last - plies) % 2 == 0
        results = np.where(is_last_player, result, 2 - result) / 2
        told, game = scores[plies].astype(np.float32), np.full(len(plies), number)
        parts.append(Samples(own.copy(), opp.copy(), results.astype(np.float32), told, game))
    return join_samples(parts)


def join_samples(parts: list[Samples]) -> Samples:
    return Samples._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
