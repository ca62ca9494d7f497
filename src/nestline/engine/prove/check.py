"""A second opinion on a proof, by a program simple enough to be read at a glance.

A proof that there is no win answers every move of the attacker's. A sample of it: the attacker
plays moves at random, the defender what the prover says holds, and near the end, at a leaf, plain
brute force must agree. It knows only the rules: no bound, no transposition table, no threats.
"""

import random

import numpy as np

from nestline import kernel
from nestline.compiled import recursive
from nestline.engine.prove.forced import Words
from nestline.engine.prove.prover import Prover
from nestline.errors import NestlineError
from nestline.position import Position, Side
from nestline.rules.law import Law

LEAF = 4
"""Plies left where brute force takes over."""


@recursive
def wins_by_brute_force(
    own: int, opp: int, plies: int, attacks: int, law: Law, moves: Words
) -> bool:
    """Whether the attacker wins within these plies, by trying everything.

    `moves` has a row for each number of plies.
    """
    state = kernel.outcome(own, opp, law)
    if kernel.verdict(state) != 0:
        return attacks == (kernel.verdict(state) < 0)
    if state != kernel.ONGOING or plies == 0:
        return False
    row = moves[plies]
    for index in range(kernel.legal_moves(own, opp, law, row)):
        after = kernel.play(own, row[index])
        is_won = wins_by_brute_force(opp, after, plies - 1, 1 - attacks, law, moves)
        if is_won == (attacks == 1):
            return is_won
    return attacks == 0


def check_leaves(
    prover: Prover, position: Position, plies: int, attacker: Side, count: int, seed: int = 0
) -> int:
    """Check this many random leaves of the proof that there is no win; return how many.

    Raises `NestlineError` at the first leaf that is won. Lines that end before are none.
    """
    prover.start()
    chance = random.Random(seed)
    moves = np.empty((LEAF + 1, kernel.MAX_MOVES), np.int64)
    checked = 0
    for _ in range(count):
        own, opp = position.words
        attacks = int(attacker == position.turn)
        left = plies
        while left > LEAF and kernel.outcome(own, opp, position.rules.law) == kernel.ONGOING:
            own, opp = opp, prover.after_random(own, opp, left, attacks, chance)
            left, attacks = left - 1, 1 - attacks
        if wins_by_brute_force(own, opp, left, attacks, position.rules.law, moves):
            raise NestlineError(
                f"the proof is wrong: the words {own} and {opp} are won within {left} plies"
            )
        checked += left == LEAF
    return checked
