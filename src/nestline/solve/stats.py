"""Counting a solution: how many placements and how many reachable positions have each value.

Reachable means by legal play of both sides from the empty board. Solving needs none of this.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import layer, popcount
from nestline.rules.law import Law
from nestline.solve.entry import IMPOSSIBLE
from nestline.solve.index import Index, turns_alternate, words_of
from nestline.solve.retrograde import Progress, Solution, reachable, split_evenly
from nestline.system import cores

TASKS = 64
COUNTING_FROM = 0.93
"""The share of the counting time spent on finding what is reachable; for progress bars."""


class Count(NamedTuple):
    """How many placements have this entry; neither number is reduced by symmetry.

    Where pieces are only placed, a placement has equal numbers of both players' pieces, or one more
    of the first player's.
    """

    code: int
    placements: int
    reachable: int


class Stats(NamedTuple):
    """All counts of a solution, and the number of reachable positions up to symmetry."""

    counts: tuple[Count, ...]
    reachable_positions: int


@inlined
def _count(
    first: int, stop: int, law: Law, index: Index, table: NDArray[np.uint8],
    reached: NDArray[np.uint8], counts: NDArray[np.int64], orbits: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the entries of these classes into rows of (placements, reachable).

    For each order of a class's symmetry group, `orbits` sums how many of its symmetries fix each
    reachable entry; divided by that order, this is the number of positions up to symmetry.
    """
    width = index.entries // len(index.class_own)
    for number in range(first, stop):
        weight = int(index.class_weight[number])
        fixed = int(index.class_fixed[number])
        order = popcount(fixed)
        for entry in range(number * width, (number + 1) * width):
            if not law.moving:
                own, opp = words_of(entry, index)
                if not turns_alternate(own, opp, law):
                    continue
            code = table[entry]
            counts[code, 0] += weight
            if reached[entry]:
                counts[code, 1] += weight
                same = fixed
                if order > 1:
                    own, opp = words_of(entry, index)
                    for size in range(1, index.sizes):
                        ternary = index.ternary
                        at = ternary[layer(own, size)] + 2 * ternary[layer(opp, size)]
                        kind = index.kinds[size - 1]
                        same &= int(index.rank_fixed[kind, index.rank_of[kind, 0, at]])
                orbits[order] += popcount(same)


def count(
    solution: Solution, *, threads: int | None = None, progress: Progress | None = None
) -> Stats:
    """Count a solution."""
    index, table = solution.index, solution.entries
    reached = reachable(
        solution.law,
        threads=threads,
        progress=progress and (lambda part: progress(COUNTING_FROM * part)),
    )
    classes = split_evenly(len(index.class_own), min(TASKS, len(index.class_own)))
    counts = np.zeros((len(classes), 256, 2), np.int64)
    orbits = np.zeros((len(classes), 9), np.int64)

    def tally(number: int) -> None:
        first, stop = classes[number]
        _count(first, stop, solution.law, index, table, reached, counts[number], orbits[number])

    with ThreadPoolExecutor(threads or cores()) as pool:
        try:
            for _ in pool.map(tally, range(len(classes))):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    totals = counts.sum(axis=0)
    by_order = orbits.sum(axis=0)
    return Stats(
        tuple(
            Count(code, int(placements), int(reachable))
            for code, (placements, reachable) in enumerate(totals)
            if placements and code != IMPOSSIBLE
        ),
        sum(int(by_order[order]) // order for order in (1, 2, 4, 8)),
    )
