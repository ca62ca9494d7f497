"""The first look at all entries, a row at a time: the results of `classify`, several times faster.

Within a row of the index only the smallest pieces change. Where the larger ones may land, which of
them are visible and what lies below them is computed once per row. So the draws and the win in one
are written here a second time, for speed; `test_rows_are_classified_like_single_positions` compares
every kind of entry with `classify`, which also handles the rule sets not covered here.
"""

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    in_reserve,
    landings,
    layer,
    pieces_each,
    popcount,
    squares_of,
    visible,
)
from nestline.rules.law import SMALLER, Law
from nestline.solve.classify import classify, is_possible
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.index import Index, words_of
from nestline.threats import HAS_LINE

LINE_BIT = HAS_LINE.bit_length() - 1

NOTHING, OWN, OPPONENT = range(3)
"""What a larger piece has below it, ignoring the smallest layer."""


@inlined
def _list_movers(
    own: int, opp: int, law: Law, origins: NDArray[np.int64], targets: NDArray[np.int64],
    below: NDArray[np.int64],
) -> int:  # fmt: skip
    """List the visible larger own pieces, where they may land and what lies below them."""
    count = 0
    shown = visible(own, opp)
    free = landings(own, opp, law)
    for size in range(law.sizes, 1, -1):
        pieces = layer(shown, size)
        while pieces:
            origin = pieces & -pieces
            pieces ^= origin
            origins[count] = origin
            targets[count] = layer(free, size)
            below[count] = NOTHING
            for lower in range(size - 1, 1, -1):
                if layer(own, lower) & origin:
                    below[count] = OWN
                    break
                if layer(opp, lower) & origin:
                    below[count] = OPPONENT
                    break
            count += 1
    return count


@inlined
def _mover_wins(
    shown_own: int, shown_opp: int, small_own: int, small_opp: int, origin: int, targets: int,
    below: int, law: Law, index: Index,
) -> bool:  # fmt: skip
    """Whether the larger piece on `origin` completes a line on one of the targets, and may."""
    left_own, left_opp = shown_own, shown_opp
    if below == OPPONENT or (below == NOTHING and small_opp & origin):
        left_own ^= origin
        left_opp |= origin
    elif below == NOTHING and not small_own & origin:
        left_own ^= origin
    landing = targets & int(index.completing[left_own])
    if landing == 0:
        return False
    if law.mover_wins_both or index.completing[left_opp] & HAS_LINE == 0:
        return True
    while landing:
        target = landing & -landing
        landing ^= target
        if index.completing[left_opp & ~target] & HAS_LINE == 0:
            return True
    return False


@inlined
def classify_row(
    row: int, law: Law, index: Index, table: NDArray[np.uint8], slices: NDArray[np.int64],
    origins: NDArray[np.int64], targets: NDArray[np.int64], below: NDArray[np.int64],
) -> None:  # fmt: skip
    """Classify a row of the index; count the entries left open by their number of pieces.

    The last three arrays are scratch, one number per square.
    """
    start = row * index.row
    large_own, large_opp = words_of(start, index)
    covered = squares_of(large_own | large_opp)
    bare = law.all_squares & ~covered
    row_own = squares_of(visible(large_own, large_opp))
    row_opp = squares_of(visible(large_opp, large_own))
    free = landings(large_own, large_opp, law)
    placing = 0
    for size in range(2, law.sizes + 1):
        if in_reserve(large_own, size, law):
            placing |= layer(free, size)
    movers = 0
    if law.moving:
        movers = _list_movers(large_own, large_opp, law, origins, targets, below)
    pieces = popcount(large_own) + popcount(large_opp)
    all_pieces = 2 * pieces_each(law)
    may_be_drawn = law.draw_board_full or law.draw_all_placed
    kind = index.kinds[0]
    for rank in range(index.row):
        small_own = int(index.own_of[kind, rank])
        small_opp = int(index.opp_of[kind, rank])
        shown_own = row_own | (small_own & bare)
        shown_opp = row_opp | (small_opp & bare)
        completing = int(index.completing[shown_own])
        own_line = completing >> LINE_BIT
        opp_line = int(index.completing[shown_opp]) >> LINE_BIT
        # Selected without branches, which no processor could predict here.
        code = WIN_IN_ONE if completing & placing else OPEN
        code = FIRST_WIN if own_line else code
        code = FIRST_LOSS if opp_line & (own_line ^ 1 | law.mover_wins_both) else code
        if may_be_drawn and not own_line and not opp_line:
            placed = pieces + popcount(small_own) + popcount(small_opp)
            is_full = (covered | small_own | small_opp) == law.all_squares
            if (law.draw_all_placed and placed == all_pieces) or (law.draw_board_full and is_full):
                code = DRAWN
        if code == OPEN and completing:
            for mover in range(movers):
                landing = targets[mover] & completing
                if landing and _mover_wins(
                    shown_own, shown_opp, small_own, small_opp, origins[mover], landing,
                    below[mover], law, index,
                ):  # fmt: skip
                    code = WIN_IN_ONE
                    break
            landing = completing & bare & ~(small_own | small_opp)
            if code == OPEN and landing:
                if in_reserve(large_own | small_own, 1, law):
                    code = WIN_IN_ONE
                elif law.moving:
                    smalls = small_own & bare
                    while smalls:
                        origin = smalls & -smalls
                        smalls ^= origin
                        if landing & index.completing[shown_own ^ origin]:
                            code = WIN_IN_ONE
        if law.nested and not is_possible(large_own | small_own, large_opp | small_opp, law):
            code = IMPOSSIBLE
        table[start + rank] = code
        if code == OPEN:
            slices[pieces + popcount(small_own) + popcount(small_opp)] += 1


@inlined
def classify_rows(
    first: int, stop: int, law: Law, index: Index, table: NDArray[np.uint8],
    slices: NDArray[np.int64], room: NDArray[np.int64],
) -> None:  # fmt: skip
    """Classify the rows from `first` on; count the entries left open by their number of pieces.

    `room` is scratch of the shape (3, squares).
    """
    if law.place_onto == SMALLER and law.sizes > 1:
        for row in range(first, stop):
            classify_row(row, law, index, table, slices, room[0], room[1], room[2])
        return
    for entry in range(first * index.row, stop * index.row):
        own, opp = words_of(entry, index)
        code = classify(own, opp, law, index)
        table[entry] = code
        if code == OPEN:
            slices[popcount(own) + popcount(opp)] += 1
