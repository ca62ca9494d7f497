"""What solving does with one entry: look at the board, look for a way out, tell the predecessors.

Each function handles a single position and is compiled for the CPU and, called from CUDA kernels,
for a GPU; `retrograde` and `cuda` only decide who runs them when. Moves come from the kernel. A
board move taken back is a board move of the player who made it, so the kernel gives those too.

An entry is one byte, seen by the player to move: OPEN (in the end: a draw, since play can go on
for ever), IMPOSSIBLE, DRAWN (finished), or a win or loss in so many plies.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import lean
from nestline.kernel import (
    bit_index,
    in_reserve,
    landings,
    layer,
    legal_moves,
    piece,
    placing_squares,
    play,
    popcount,
    squares_of,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.index import SYMMETRIES, Index, entry_of

OPEN, IMPOSSIBLE, DRAWN, FIRST_WIN, FIRST_LOSS = range(5)
"""Win in d plies is FIRST_WIN + 2 * d, loss in d plies FIRST_LOSS + 2 * d."""

WIN_IN_ONE = FIRST_WIN + 2
MAX_DISTANCE = 125
"""The longest distance a byte can hold."""

NO_WITNESS = 255


class KnowsLines(Protocol):
    """The two tables of `Index` that tell lines, for boards of any size."""

    @property
    def has_line(self) -> NDArray[np.uint8]: ...

    @property
    def completing(self) -> NDArray[Any]: ...


@lean
def is_possible(own: int, opp: int, law: Law) -> bool:
    """Whether nested reserves allow these pieces on the board; loose ones allow all."""
    if law.nested:
        for size in range(1, law.sizes):
            if popcount(layer(own, size)) > popcount(layer(own, size + 1)):
                return False
            if popcount(layer(opp, size)) > popcount(layer(opp, size + 1)):
                return False
    return True


@lean
def _wins_by_moving(
    own: int, opp: int, size: int, shown_opp: int, law: Law, index: KnowsLines, origins: int,
    shown_own: int, targets: int,
) -> bool:  # fmt: skip
    """Whether one of the visible pieces of this size on `origins` makes a line on `targets`."""
    while origins:
        origin = origins & -origins
        origins ^= origin
        own_left = shown_own ^ origin
        opp_left = shown_opp
        for lower in range(size - 1, 0, -1):
            if layer(own, lower) & origin:
                own_left |= origin
                break
            if layer(opp, lower) & origin:
                opp_left |= origin
                break
        landing = targets & index.completing[own_left]
        if landing:
            if law.mover_wins_both or not index.has_line[opp_left]:
                return True
            while landing:
                target = landing & -landing
                landing ^= target
                if not index.has_line[opp_left & ~target]:
                    return True
    return False


@lean
def wins_at_once(
    own: int, opp: int, shown_own: int, shown_opp: int, law: Law, index: KnowsLines
) -> bool:
    """Whether the player to move can win with this move by a line; nobody has one yet.

    `shown_own` and `shown_opp` are the squares where the players' pieces are visible.
    """
    completing = int(index.completing[shown_own])
    if completing == 0:
        return False  # fewer visible pieces, as after a lift, complete no more lines
    placing = placing_squares(own, opp, law)
    for size in range(law.sizes, 0, -1):
        if layer(placing, size) & completing and in_reserve(own, size, law):
            return True
    if law.moving:
        shown = visible(own, opp)
        free = landings(own, opp, law)
        for size in range(law.sizes, 0, -1):
            targets = layer(free, size) & completing
            origins = layer(shown, size)
            if targets and _wins_by_moving(
                own, opp, size, shown_opp, law, index, origins, shown_own, targets
            ):
                return True
    return False


@lean
def glance(own: int, opp: int, law: Law, index: Index) -> int:
    """The entry as far as one look at the board tells; else OPEN.

    Finished by a line, a full board or all pieces placed; or a win in one by a line. A player
    without a move is left OPEN.
    """
    if law.nested and not is_possible(own, opp, law):
        return IMPOSSIBLE
    shown_own = squares_of(visible(own, opp))
    shown_opp = squares_of(visible(opp, own))
    own_line = index.has_line[shown_own]
    if index.has_line[shown_opp] and (law.mover_wins_both or not own_line):
        return FIRST_LOSS
    if own_line:
        return FIRST_WIN
    if law.draw_board_full and squares_of(own | opp) == law.all_squares:
        return DRAWN
    if law.draw_all_placed:
        stock = 0
        for size in range(law.sizes):
            stock += 2 * law.stock[size]
        if popcount(own) + popcount(opp) == stock:
            return DRAWN
    if wins_at_once(own, opp, shown_own, shown_opp, law, index):
        return WIN_IN_ONE
    return OPEN


@lean
def is_stuck(own: int, opp: int, law: Law) -> bool:
    """Whether the player to move has no legal move; the kernel's count, cut short."""
    placing = placing_squares(own, opp, law)
    for size in range(law.sizes, 0, -1):
        if layer(placing, size) and in_reserve(own, size, law):
            return False
    if law.moving:
        shown = visible(own, opp)
        free = landings(own, opp, law)
        for size in range(law.sizes, 0, -1):
            if layer(shown, size) and (law.same_square or layer(free, size)):
                return False
    return True


@lean
def _neighbour(
    own: int, opp: int, near_own: int, near_opp: int, size: int, number: int, symmetry: int,
    index: Index,
) -> int:  # fmt: skip
    """The number of a position that differs from `number` in one of the smaller layers only."""
    ternary = index.ternary
    code = ternary[layer(own, size)] + 2 * ternary[layer(opp, size)]
    near = ternary[layer(near_own, size)] + 2 * ternary[layer(near_opp, size)]
    ranks = index.rank_of[index.kinds[size - 1], symmetry]
    return number + (int(ranks[near]) - int(ranks[code])) * index.strides[size - 1]


@lean
def _standard_symmetry(own: int, opp: int, index: Index) -> int:
    """The symmetry through which `entry_of` looks at the smaller layers."""
    top = index.sizes
    code = index.ternary[layer(own, top)] + 2 * index.ternary[layer(opp, top)]
    return int(index.symmetry_of[code])


@lean
def _after(own: int, opp: int, move: int, number: int, symmetry: int, index: Index) -> int:
    """The number of the position after a move; `number`, `symmetry`: of the words exchanged."""
    after = play(own, move)
    changed = own ^ after
    for size in range(1, index.sizes):
        if layer(changed, size):
            return _neighbour(opp, own, opp, after, size, number, symmetry, index)
    return entry_of(opp, after, index)


@lean
def way_out(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8], known: int, limit: int,
    moves: NDArray[np.uint8],
) -> int:  # fmt: skip
    """The first move from `known` on that does not lead to an opponent's win up to `limit`.

    `known` is what an earlier call returned, since when wins have only been added; NO_WITNESS at
    first. Returns NO_WITNESS when there is no such move. `limit` is an entry, `moves` is room.
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


@lean
def _lower(table: NDArray[np.uint8], number: int, entry: int) -> int:
    """Make a position a win, unless it is one at least as quick or finished; 1 if it was made."""
    present = table[number]
    if present == OPEN or (present & 1 and present > entry):
        table[number] = entry
        return 1
    return 0


@lean
def _lower_images(own: int, opp: int, index: Index, table: NDArray[np.uint8], entry: int) -> int:
    """`_lower` for a position and all its images that are in the index; return how many."""
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


@lean
def tell_predecessors(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8], entry: int
) -> int:
    """Make all positions from which this lost one can be reached wins, `entry`; return how many.

    Of wins already there, the quicker one stays. Callers that run at the same time all bring the
    same entry, so it does not matter who comes first. Where the largest layer stays as it is, the
    images of this position tell the images of its predecessors; where it changes it may get more
    images than it had, and all of them are told from here.
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
