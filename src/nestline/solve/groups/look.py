"""The first look at all entries, a row at a time: the results of `classify`, several times faster.

Within a row only the smallest pieces change. Where the larger ones may land, which of them are
visible and what lies below them is computed once per row. So the draws and the win in one are
written here a second time, for speed; `test_rows_are_classified_like_single_positions` compares
every kind of entry with `classify`, which also handles what is not covered here.
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
    threatening,
    visible,
)
from nestline.rules.law import EMPTY, FORBIDDEN, IGNORED, OPPONENTS, SMALLER, Law
from nestline.rules.law import NOTHING as COVER_NOTHING
from nestline.solve.classify import classify
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, OPEN, WIN_IN_ONE
from nestline.solve.groups.cut import Groups, entry_words, group_of_row, row_length, row_words
from nestline.solve.groups.layers import Layers
from nestline.threats import HAS_LINE

LINE_BIT = HAS_LINE.bit_length() - 1

NOTHING, OWN, OPPONENT = range(3)
"""What a larger piece has below it, ignoring the smallest layer."""

MOVER_FACTS, MOST_MOVERS = 3, 16
ROOM = (MOVER_FACTS, MOST_MOVERS)
"""The shape of the scratch for the visible larger pieces: origin, targets, what lies below."""
ORIGIN, TARGETS, BELOW = range(3)

Row = tuple[int, int, int, int, int, int, int]


@inlined
def _list_movers(own: int, opp: int, law: Law, room: NDArray[np.int64]) -> int:
    """List the visible larger own pieces, where they may land and what lies below them."""
    count = 0
    shown = visible(own, opp)
    free = landings(own, opp, law)
    for size in range(law.sizes, 1, -1):
        pieces = layer(shown, size)
        while pieces:
            origin = pieces & -pieces
            pieces ^= origin
            room[ORIGIN, count] = origin
            room[TARGETS, count] = layer(free, size)
            room[BELOW, count] = NOTHING
            for lower in range(size - 1, 1, -1):
                if layer(own, lower) & origin:
                    room[BELOW, count] = OWN
                    break
                if layer(opp, lower) & origin:
                    room[BELOW, count] = OPPONENT
                    break
            count += 1
    return count


@inlined
def look_at_row(
    own: int, opp: int, small_own: int, small_opp: int, law: Law, room: NDArray[np.int64]
) -> Row:
    """What the entries of a row with these larger pieces have in common.

    `small_own` and `small_opp` are the smallest pieces of any of them. The result is for
    `classify_in_row`; `room` gets the visible larger own pieces.
    """
    free = landings(own, opp, law)
    placing = 0
    for size in range(2, law.sizes + 1):
        if in_reserve(own, size, law):
            placing |= layer(free, size)
    movers = 0
    if law.moving:
        movers = _list_movers(own, opp, law, room)
    placed = popcount(own) + popcount(opp) + popcount(small_own) + popcount(small_opp)
    return (
        squares_of(own | opp),
        squares_of(visible(own, opp)),
        squares_of(visible(opp, own)),
        placing,
        movers,
        1 if in_reserve(own | small_own, 1, law) else 0,
        1 if law.draw_all_placed and placed == 2 * pieces_each(law) else 0,
    )


@inlined
def _mover_wins(
    shown_own: int, shown_opp: int, small_own: int, small_opp: int, mover: int, targets: int,
    law: Law, layers: Layers, room: NDArray[np.int64],
) -> bool:  # fmt: skip
    """Whether a larger piece completes a line on one of the targets, and may."""
    origin = room[ORIGIN, mover]
    below = room[BELOW, mover]
    left_own, left_opp = shown_own, shown_opp
    if below == OPPONENT or (below == NOTHING and small_opp & origin):
        left_own ^= origin
        left_opp |= origin
    elif below == NOTHING and not small_own & origin:
        left_own ^= origin
    landing = targets & int(layers.completing[left_own])
    if landing == 0:
        return False
    is_revealed = layers.completing[left_opp] & HAS_LINE != 0
    if is_revealed and law.reveal == FORBIDDEN:
        return False
    if law.mover_wins_both or not is_revealed:
        return True
    while landing:
        target = landing & -landing
        landing ^= target
        if layers.completing[left_opp & ~target] & HAS_LINE == 0:
            return True
    return False


@inlined
def _spared(small_own: int, small_opp: int, law: Law) -> int:
    """The visible smallest pieces that may not be covered."""
    if law.cover == COVER_NOTHING:
        return small_own | small_opp
    return small_own if law.cover == OPPONENTS else small_opp


@inlined
def is_looked_at_by_rows(law: Law) -> bool:
    """Whether `classify_in_row` knows the rules; where a line loses or needs certain sizes, or a
    piece may win by returning to its square, `classify` looks at each entry."""
    return not (
        law.sizes == 1
        or law.misere
        or law.line_sizes
        or (law.same_square and law.reveal == IGNORED)
    )


@inlined
def classify_in_row(
    small_own: int, small_opp: int, row: Row, law: Law, layers: Layers, room: NDArray[np.int64]
) -> int:
    """The entry of a row with these smallest pieces, as far as the board alone tells."""
    covered, row_own, row_opp, placing, movers, has_small, all_placed = row
    bare = law.all_squares & ~covered
    shown_own = row_own | (small_own & bare)
    shown_opp = row_opp | (small_opp & bare)
    completing = int(layers.completing[shown_own])
    own_line = completing >> LINE_BIT if law.reveal != IGNORED else 0
    opp_line = int(layers.completing[shown_opp]) >> LINE_BIT
    if law.cover:
        placing &= ~_spared(small_own & bare, small_opp & bare, law)
    if law.place_onto != SMALLER:
        allowed = bare & ~(small_own | small_opp)
        if law.place_onto != EMPTY:
            allowed |= threatening(shown_opp, law)
        placing &= allowed
    # Selected without branches, which no processor could predict here.
    code = WIN_IN_ONE if completing & placing else OPEN
    code = FIRST_WIN if own_line else code
    code = FIRST_LOSS if opp_line & (own_line ^ 1 | law.mover_wins_both) else code
    code = DRAWN if opp_line & own_line & law.both_lines_draw else code
    if not own_line and not opp_line:
        is_full = (covered | small_own | small_opp) == law.all_squares
        if all_placed or (law.draw_board_full and is_full):
            code = DRAWN
    if code == OPEN and completing:
        for mover in range(movers):
            landing = room[TARGETS, mover] & completing
            if law.cover:
                landing &= ~_spared(small_own & bare, small_opp & bare, law)
            if landing and _mover_wins(
                shown_own, shown_opp, small_own, small_opp, mover, landing, law, layers, room
            ):
                code = WIN_IN_ONE
                break
        landing = completing & bare & ~(small_own | small_opp)
        if code == OPEN and landing:
            if has_small:
                code = WIN_IN_ONE
            elif law.moving:
                smalls = small_own & bare
                while smalls:
                    origin = smalls & -smalls
                    smalls ^= origin
                    if landing & layers.completing[shown_own ^ origin]:
                        code = WIN_IN_ONE
    return code


@inlined
def classify_rows(
    first: int, stop: int, first_group: int, row_ends: NDArray[np.int64], law: Law, layers: Layers,
    groups: Groups, table: NDArray[np.uint8], room: NDArray[np.int64],
) -> int:  # fmt: skip
    """Classify these rows of a slice; return how many of their entries are left open."""
    found = 0
    by_rows = is_looked_at_by_rows(law)
    group = group_of_row(first, first_group, row_ends)
    for number in range(first, stop):
        while number >= row_ends[group - first_group]:
            group += 1
        row_start = row_ends[group - first_group] - groups.rows[group]
        own, opp, address = row_words(number - row_start, group, layers, groups)
        length = row_length(group, layers, groups)
        if not by_rows:
            first_entry = (number - row_start) * length
            for entry in range(first_entry, first_entry + length):
                own, opp, address = entry_words(entry, group, layers, groups)
                code = classify(own, opp, law, layers)
                table[address] = code
                found += code == OPEN
            continue
        place = int(groups.firsts[group, 0])
        row = look_at_row(own, opp, int(layers.own_of[place]), int(layers.opp_of[place]), law, room)
        for rank in range(length):
            small_own = int(layers.own_of[place + rank])
            small_opp = int(layers.opp_of[place + rank])
            code = classify_in_row(small_own, small_opp, row, law, layers, room)
            table[address + rank] = code
            found += code == OPEN
    return found
