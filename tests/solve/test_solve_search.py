"""The values of the starts, by a search independent of the solver and its tables."""

import numpy as np
import pytest
from numba import njit

from nestline import kernel
from nestline.position import Position
from nestline.rules import load_rules

PLACES = 1 << 23


@njit(cache=False)
def _place(own: int, opp: int) -> int:
    mixed = (own * 0x1E3779B97F4A7C15) ^ (opp * 0x42B2AE3D27D4EB4F)
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= 0x165667B19E3779F9
    return (mixed >> 20) & (PLACES - 1)


@njit(cache=False)
def wins_within(own, opp, plies, law, owns, opps, proved, refuted, moves):  # type: ignore[no-untyped-def]
    """Whether the player to move can force a win in this many plies; memoized in the arrays."""
    symmetry = kernel.canonical_symmetry(own, opp, law.board)
    own = kernel.transform(own, symmetry, law.board)
    opp = kernel.transform(opp, symmetry, law.board)
    place = _place(own, opp)
    if owns[place] == own and opps[place] == opp:
        if proved[place] <= plies:
            return True
        if refuted[place] >= plies:
            return False
    count = kernel.legal_moves(own, opp, law, moves[plies])
    won = False
    for number in range(count):
        if kernel.decision(opp, kernel.play(own, moves[plies, number]), law) == kernel.LINE:
            won = True
            break
    if not won and plies >= 2:
        for number in range(count):
            after = kernel.play(own, moves[plies, number])
            state = kernel.outcome(opp, after, law)
            if state == kernel.NO_MOVE_LOSES:
                won = True
            elif state == kernel.ONGOING:
                won = True
                replies = kernel.legal_moves(opp, after, law, moves[plies - 1])
                # Replies that win or draw at once first: they are the cheapest.
                for reply in range(replies):
                    answer = kernel.play(opp, moves[plies - 1, reply])
                    state = kernel.outcome(after, answer, law)
                    if state != kernel.ONGOING and state != kernel.REVEAL:
                        won = False
                        break
                reply = 0
                while won and reply < replies:
                    answer = kernel.play(opp, moves[plies - 1, reply])
                    if kernel.outcome(after, answer, law) == kernel.ONGOING:
                        won = plies >= 3 and wins_within(
                            after, answer, plies - 2, law, owns, opps, proved, refuted, moves
                        )
                    reply += 1
            if won:
                break
    if owns[place] != own or opps[place] != opp:
        owns[place], opps[place] = own, opp
        proved[place], refuted[place] = 127, 0
    if won:
        proved[place] = min(proved[place], plies)
    else:
        refuted[place] = max(refuted[place], plies)
    return won


@pytest.mark.parametrize(
    "name", ["gobblers-official", pytest.param("gobblers", marks=pytest.mark.full)]
)
def test_the_start_is_won_in_thirteen_plies_and_not_sooner(name: str) -> None:
    law = load_rules(name).law
    own, opp = Position.start(name).words
    memory = (
        np.full(PLACES, -1, np.int64),
        np.full(PLACES, -1, np.int64),
        np.full(PLACES, 127, np.int8),
        np.zeros(PLACES, np.int8),
    )
    moves = np.zeros((20, kernel.MAX_MOVES), np.int64)
    for plies in range(1, 13):
        assert not wins_within(own, opp, plies, law, *memory, moves)
    assert wins_within(own, opp, 13, law, *memory, moves)
