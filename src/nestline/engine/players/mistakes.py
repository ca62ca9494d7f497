"""The mistakes of the levels: overlooking wins and answers, forgetting covered pieces, misjudging.

Compiled, since the page plays the same levels by the same code. `levels` says who makes how many.
"""

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.engine.search.alphabeta import FORCED
from nestline.engine.search.chance import Chance, bell, uniform
from nestline.rules.law import Law
from nestline.threats import NO_MOVE

Numbers = NDArray[np.int64]


@inlined
def noticed_win(
    own: int, opp: int, moves: Numbers, sees_wins: float, law: Law, chance: Chance
) -> int:
    """The first of the moves that ends the game with a win; `NO_MOVE` if none does, or if the
    player, who sees wins with this probability, does not look for one."""
    if uniform(chance) >= sees_wins:
        return NO_MOVE
    for index in range(len(moves)):
        if kernel.verdict(kernel.outcome(opp, kernel.play(own, moves[index]), law)) > 0:
            return int(moves[index])
    return NO_MOVE


@inlined
def plies_ahead(depth: float, chance: Chance) -> int:
    """How deep a player looks this time who looks `depth` plies ahead on average."""
    return int(depth + uniform(chance))


@inlined
def _without_some(word: int, covered: int, forgets: float, chance: Chance) -> int:
    while covered:
        piece = covered & -covered
        covered ^= piece
        if uniform(chance) < forgets:
            word ^= piece
    return word


@inlined
def remembered(own: int, opp: int, forgets: float, chance: Chance) -> tuple[int, int]:
    """The bitboards without the covered pieces that are forgotten, each with this probability."""
    covered = kernel.under_larger(own | opp)
    own_left = _without_some(own, own & covered, forgets, chance)
    return own_left, _without_some(opp, opp & covered, forgets, chance)


@inlined
def best_misjudged(scores: Numbers, blur: float, sees_wins: float, chance: Chance) -> int:
    """The place of the best score once each is misjudged by `blur` hundredths on average.

    Only levels that overlook wins misjudge forced results.
    """
    best, highest = 0, -1e9
    for place in range(len(scores)):
        judged = float(scores[place])
        if not (sees_wins >= 1.0 and abs(scores[place]) > FORCED):
            judged += blur * bell(chance)
        if judged >= highest:
            best, highest = place, judged
    return best
