"""What one look at the board tells about a position: finished, won in one, impossible, or open.

Retrograde analysis begins with this classification of every entry, and probing a table asks it
first. Each function handles a single position and is compiled for the CPU and, called from CUDA
kernels, for a GPU.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    in_reserve,
    landings,
    layer,
    placing_squares,
    popcount,
    squares_of,
    visible,
)
from nestline.rules.law import Law
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.index import Index


class KnowsLines(Protocol):
    """The two tables of `Index` that tell lines, for boards of any size."""

    @property
    def has_line(self) -> NDArray[np.uint8]: ...

    @property
    def completing(self) -> NDArray[Any]: ...


@inlined
def is_possible(own: int, opp: int, law: Law) -> bool:
    """Whether nested reserves allow these pieces on the board; loose ones allow all."""
    if law.nested:
        for size in range(1, law.sizes):
            if popcount(layer(own, size)) > popcount(layer(own, size + 1)):
                return False
            if popcount(layer(opp, size)) > popcount(layer(opp, size + 1)):
                return False
    return True


@inlined
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


@inlined
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


@inlined
def classify(own: int, opp: int, law: Law, index: Index) -> int:
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


@inlined
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
