"""Counting a solution: how many placements and how many reachable positions have each value.

Reachable means by legal play of both sides from the empty board. Solving needs none of this.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    bit_index,
    in_reserve,
    landings,
    layer,
    piece,
    placing_squares,
    popcount,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.entry import IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.index import Index, entry_of, turns_alternate, words_of
from nestline.solve.retrograde import Progress, Solution, split_evenly
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
def _was_played(entry: int, table: NDArray[np.uint8], reached: NDArray[np.uint8]) -> bool:
    """Whether a position is reachable and unfinished."""
    code = table[entry]
    return bool(reached[entry]) and (code == OPEN or code >= WIN_IN_ONE)


@inlined
def _has_reached_predecessor(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8],
    reached: NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Whether some predecessor of this position is reachable."""
    shown = visible(opp, own)
    for size in range(law.sizes, 0, -1):
        origins = layer(shown, size)
        while origins:
            origin = origins & -origins
            origins ^= origin
            lifted = opp & ~piece(size, bit_index(origin))
            if (
                in_reserve(lifted, size, law)
                and layer(placing_squares(lifted, own, law), size) & origin
                and _was_played(entry_of(lifted, own, index), table, reached)
            ):
                return True
    if law.moving:
        free = landings(opp, own, law)
        for size in range(1, law.sizes + 1):
            origins = layer(shown, size)
            while origins:
                origin = origins & -origins
                origins ^= origin
                lifted = opp & ~piece(size, bit_index(origin))
                targets = layer(free, size) | (origin if law.same_square else 0)
                while targets:
                    target = targets & -targets
                    targets ^= target
                    before = lifted | piece(size, bit_index(target))
                    if _was_played(entry_of(before, own, index), table, reached):
                        return True
    return False


@inlined
def _spread(
    first: int, stop: int, pieces: int, law: Law, index: Index, table: NDArray[np.uint8],
    reached: NDArray[np.uint8],
) -> int:  # fmt: skip
    """Mark positions with this many pieces that have a reachable predecessor; return how many."""
    found = 0
    small = index.kinds[0]
    for row in range(first, stop):
        own, opp = words_of(row * index.row, index)
        missing = pieces - popcount(own) - popcount(opp)
        if missing < 0 or missing > 2 * law.stock[0]:
            continue
        for rank in range(index.row):
            entry = row * index.row + rank
            if reached[entry]:
                continue
            more_own = int(index.own_of[small, rank])
            more_opp = int(index.opp_of[small, rank])
            if popcount(more_own) + popcount(more_opp) == missing and _has_reached_predecessor(
                own | more_own, opp | more_opp, law, index, table, reached
            ):
                reached[entry] = 1
                found += 1
    return found


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


def reachable(
    solution: Solution, *, threads: int | None = None, progress: Progress | None = None
) -> NDArray[np.uint8]:
    """For each entry, 1 if its position can be reached from the empty board, else 0."""
    law, index, table = solution.law, solution.index, solution.entries
    slices = 2 * sum(law.stock) + 1
    reached = np.zeros(index.entries, np.uint8)
    reached[entry_of(0, 0, index)] = 1
    rows = split_evenly(index.entries // index.row, min(TASKS, index.entries // index.row))
    with ThreadPoolExecutor(threads or cores()) as pool:
        try:
            for pieces in range(slices):
                found = 1
                while found:

                    def spread(part: tuple[int, int], pieces: int = pieces) -> int:
                        return _spread(part[0], part[1], pieces, law, index, table, reached)

                    found = sum(pool.map(spread, rows))
                    if not law.moving:
                        break  # placing reaches a slice from the previous one, in one pass
                if progress:
                    progress((pieces + 1) / slices)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return reached


def count(
    solution: Solution, *, threads: int | None = None, progress: Progress | None = None
) -> Stats:
    """Count a solution."""
    index, table = solution.index, solution.entries
    reached = reachable(
        solution,
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
