"""Which positions can be reached from the empty board by legal play of both sides.

Slice by slice, from the empty board on: a position is reached if a reached and unfinished one with
a piece less comes before it, or one of its own slice by a move on the board. Each function handles
a single position and is compiled for the CPU and, called from CUDA kernels, for a GPU. This needs
no solution, and solving does not need this.
"""

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    ONGOING,
    bit_index,
    decision,
    draw,
    in_reserve,
    layer,
    open_squares,
    piece,
    placing_squares,
    popcount,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.groups.cut import Groups, address_of, code_of
from nestline.solve.groups.layers import Layers
from nestline.solve.groups.steps import came_from

UNREACHED, REACHED, FINISHED = range(3)
"""What the byte of an entry says; FINISHED is reached, too."""


@inlined
def was_placed(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    smaller: NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Whether placing a piece led here from a reached position; `smaller` has its slice."""
    shown = visible(opp, own)
    for size in range(law.sizes, 0, -1):
        origins = layer(shown, size)
        before = int(groups.taken[group, size - 1])
        if before < 0:
            continue
        while origins:
            origin = origins & -origins
            origins ^= origin
            lifted = opp & ~piece(size, bit_index(origin))
            if (
                in_reserve(lifted, size, law)
                and layer(placing_squares(lifted, own, law), size) & origin
                and smaller[address_of(lifted, own, before, layers, groups)] == REACHED
            ):
                return True
    return False


@inlined
def was_moved(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    marks: NDArray[np.uint8],
) -> bool:  # fmt: skip
    """Whether a move on the board led here from a reached position; `marks` has the slice."""
    shown = visible(opp, own)
    free = open_squares(opp, own, law)
    before = int(groups.swapped[group])
    for size in range(1, law.sizes + 1):
        origins = layer(shown, size)
        while origins:
            origin = origins & -origins
            origins ^= origin
            lifted = opp & ~piece(size, bit_index(origin))
            targets = came_from(own, opp, size, origin, free, law)
            while targets:
                target = targets & -targets
                targets ^= target
                moved = lifted | piece(size, bit_index(target))
                if marks[address_of(moved, own, before, layers, groups)] == REACHED:
                    return True
    return False


@inlined
def spread_to(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    marks: NDArray[np.uint8], smaller: NDArray[np.uint8], is_first: int,
) -> int:  # fmt: skip
    """The mark of an entry that has not been reached so far.

    The pass over the slice that `is_first` also looks for placed pieces.
    """
    if not (is_first and was_placed(own, opp, group, law, layers, groups, smaller)) and not (
        law.moving and was_moved(own, opp, group, law, layers, groups, marks)
    ):
        return UNREACHED
    if decision(own, opp, law) != ONGOING or draw(own, opp, law) != ONGOING:
        return FINISHED
    return REACHED


@inlined
def fixing(own: int, opp: int, class_place: int, group: int, layers: Layers, groups: Groups) -> int:
    """How many of the symmetries that fix the largest layer fix the whole position.

    Divided by the number of those that fix the largest layer and summed over all entries, this is
    the number of positions up to symmetry.
    """
    same = int(layers.class_fixed[class_place])
    for size in range(1, layers.sizes):
        rank = int(layers.rank_of[0, code_of(own, opp, size, layers)])
        same &= int(layers.fixed_of[groups.firsts[group, size - 1] + rank])
    return popcount(same)
