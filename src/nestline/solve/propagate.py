"""Retrograde analysis of one position: does a move avoid the loss, and what are its predecessors?

Each function handles a single position and is compiled for the CPU and, called from CUDA kernels,
for a GPU; `retrograde` and `cuda` decide in which order positions are visited. Moves come from the
kernel. The reverse of a board move is a board move of the same player, so the kernel generates
those as well.
"""

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    bit_index,
    in_reserve,
    landings,
    layer,
    legal_moves,
    piece,
    placing_squares,
    play,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.entry import OPEN
from nestline.solve.index import SYMMETRIES, Index, entry_of

NO_WITNESS = 255
"""No move is known that keeps the player to move from losing."""


@inlined
def _neighbour(
    own: int, opp: int, near_own: int, near_opp: int, size: int, number: int, symmetry: int,
    index: Index,
) -> int:  # fmt: skip
    """The number of a position that differs from `number` only in one of the smaller layers."""
    ternary = index.ternary
    code = ternary[layer(own, size)] + 2 * ternary[layer(opp, size)]
    near = ternary[layer(near_own, size)] + 2 * ternary[layer(near_opp, size)]
    ranks = index.rank_of[index.kinds[size - 1], symmetry]
    return number + (int(ranks[near]) - int(ranks[code])) * index.strides[size - 1]


@inlined
def _standard_symmetry(own: int, opp: int, index: Index) -> int:
    """The symmetry through which `entry_of` views the smaller layers."""
    top = index.sizes
    code = index.ternary[layer(own, top)] + 2 * index.ternary[layer(opp, top)]
    return int(index.symmetry_of[code])


@inlined
def _after(own: int, opp: int, move: int, number: int, symmetry: int, index: Index) -> int:
    """The number of the position after a move; `number`, `symmetry`: of the swapped words."""
    after = play(own, move)
    changed = own ^ after
    for size in range(1, index.sizes):
        if layer(changed, size):
            return _neighbour(opp, own, opp, after, size, number, symmetry, index)
    return entry_of(opp, after, index)


@inlined
def find_escape(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8], known: int, limit: int,
    moves: NDArray[np.uint8],
) -> int:  # fmt: skip
    """The first move from `known` on that does not lead to an opponent's win up to `limit`.

    `known` is the result of an earlier call, since when wins have only been added; NO_WITNESS at
    first. Returns NO_WITNESS if there is no such move. `limit` is an entry, `moves` is scratch.
    """
    first = 0
    if known != NO_WITNESS:
        entry = table[entry_of(opp, play(own, known), index)]
        if entry & 1 == 0 or entry > limit:
            return known
        first = known + 1
    number = entry_of(opp, own, index)
    symmetry = _standard_symmetry(opp, own, index)
    for place in range(legal_moves(own, opp, law, moves)):
        move = int(moves[place])
        if move >= first:
            entry = table[_after(own, opp, move, number, symmetry, index)]
            if entry & 1 == 0 or entry > limit:
                return move
    return NO_WITNESS


@inlined
def _lower(table: NDArray[np.uint8], number: int, entry: int) -> int:
    """Make a position a win, unless it is finished or a win at least as fast; 1 if it changed."""
    present = table[number]
    if present == OPEN or (present & 1 and present > entry):
        table[number] = entry
        return 1
    return 0


@inlined
def _lower_images(own: int, opp: int, index: Index, table: NDArray[np.uint8], entry: int) -> int:
    """`_lower` for a position and all its images in the index; return how many changed."""
    top = index.sizes
    code = index.ternary[layer(own, top)] + 2 * index.ternary[layer(opp, top)]
    symmetries = int(index.symmetries_of[code])
    told = 0
    for symmetry in range(SYMMETRIES):
        if symmetries >> symmetry & 1:
            number = int(index.class_of[code])
            for size in range(top - 1, 0, -1):
                lower = index.ternary[layer(own, size)] + 2 * index.ternary[layer(opp, size)]
                rank = index.rank_of[index.kinds[size - 1], symmetry, lower]
                number = number * index.counts[size - 1] + int(rank)
            told += _lower(table, number, entry)
    return told


@inlined
def mark_predecessors(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8], entry: int
) -> int:
    """Make every predecessor of this lost position a win with this `entry`; return how many
    changed.

    A faster win stays. Concurrent callers all bring the same entry, so it does not matter who comes
    first. Where the largest layer does not change, the images of this position mark the images of
    its predecessors; where it changes, a predecessor may have more images than this position, and
    all of them are marked from here.
    """
    told = 0
    shown = visible(opp, own)
    free = landings(opp, own, law)
    number = entry_of(opp, own, index)
    symmetry = _standard_symmetry(opp, own, index)
    for size in range(1, law.sizes + 1):
        origins = layer(shown, size)
        while origins:
            origin = origins & -origins
            origins ^= origin
            lifted = opp & ~piece(size, bit_index(origin))
            targets = 0
            if law.moving:
                targets = layer(free, size) | (origin if law.same_square else 0)
            before = lifted
            is_before = (
                in_reserve(lifted, size, law)
                and layer(placing_squares(lifted, own, law), size) & origin != 0
            )
            while True:
                if is_before and size < index.sizes:
                    near = _neighbour(opp, own, before, own, size, number, symmetry, index)
                    told += _lower(table, near, entry)
                elif is_before:
                    told += _lower_images(before, own, index, table, entry)
                if targets == 0:
                    break
                target = targets & -targets
                targets ^= target
                before = lifted | piece(size, bit_index(target))
                is_before = True
    return told
