"""How soon a player can have a line at all: the bound that keeps `proof` small."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import lean, lean_recursive
from nestline.kernel import in_reserve, landings, layer, popcount, squares_of, visible
from nestline.rules.law import EMPTY, SMALLER, THREAT, Law
from nestline.solve.index import fill_lines

NEVER = 99


class Lines(NamedTuple):
    """The lines of a board; `squares` below is `board * board`."""

    masks: NDArray[np.int64]
    """(lines,): the squares of each line."""
    has_line: NDArray[np.uint8]
    """(2^squares,): whether a mask contains a full line."""
    completing: NDArray[np.int32]
    """(2^squares,): the squares that give a mask a full line when added."""


@lru_cache(maxsize=4)
def lines_of(law: Law) -> Lines:
    """The tables of a rule set's lines."""
    board = law.board
    directions = (
        (law.row_starts, 1),
        (law.column_starts, board),
        (law.rising_starts, board + 1),
        (law.falling_starts, board - 1),
    )
    masks = {
        sum(1 << (start + index * step) for index in range(law.line))
        for starts, step in directions
        for start in range(board * board)
        if starts >> start & 1
    }
    has_line = np.zeros(1 << (board * board), np.uint8)
    completing = np.zeros(1 << (board * board), np.int32)
    fill_lines(law, has_line, completing)
    return Lines(np.array(sorted(masks), np.int64), has_line, completing)


@lean
def _moves_to_a_gap(
    shown: int, shown_largest: int, dead: int, hard: int, law: Law, lines: Lines, moves: int
) -> int:
    """Fewest moves to a gap; -1 if a fork or a hard gap can be there before `moves` moves."""
    first = NEVER
    for index in range(len(lines.masks)):
        line = lines.masks[index]
        if line & dead:
            continue
        missing = line & ~shown
        count = popcount(missing)
        first = min(first, count - 1)
        if line & hard:
            lacking = missing
            if law.place_onto == THREAT:
                lacking = line & ~shown_largest
            if popcount(lacking) - (lacking & hard != 0) < moves:
                return -1
        if count > moves:
            continue
        for other in range(index):
            if lines.masks[other] & dead:
                continue
            lacking = lines.masks[other] & ~shown
            cost = popcount(missing | lacking)
            if cost > moves + 1:
                continue
            cost -= (missing & ~lacking != 0) + (lacking & ~missing != 0)
            if law.place_onto == THREAT and missing == lacking:
                cost -= 1
            if cost < moves:
                return -1
    return max(first, 0)


@lean
def _hard_squares(own: int, law: Law) -> int:
    """Squares on which the defender might not be able to stop a line."""
    if law.place_onto == SMALLER or (
        law.place_onto == THREAT and law.stock[law.sizes - 1] < law.line - 1
    ):
        return 0
    hard = 0
    for size in range(1, law.sizes):
        hard |= layer(own, size)
    return hard


@lean_recursive
def out_of_reach(
    attacker: int, defender: int, shown: int, law: Law, lines: Lines, moves: int, after: int
) -> bool:
    """Whether the attacker surely cannot win with this many moves of his.

    `after` is 1 if the attacker is to move, 0 if the defender is.
    """
    largest = law.sizes
    stock = law.stock[largest - 1]
    if not law.moving or law.line < 3 or 2 * stock >= law.board * law.board:
        return False
    capping = layer(defender, largest)
    free = stock - popcount(capping)
    empty = popcount(law.all_squares & ~squares_of(attacker | defender))
    turns = moves - after
    is_roomy = empty >= moves + turns - 1
    if not is_roomy and not (law.place_onto == SMALLER and free >= turns):
        return False
    hard = _hard_squares(defender, law)
    shown_largest = layer(attacker, largest)
    first = _moves_to_a_gap(shown, shown_largest, capping, hard, law, lines, moves)
    if first < 0:
        return False
    caps = moves - min(max(first, after), moves)
    if free >= turns or free > caps:
        return True
    below = defender & ~(capping << (16 * (largest - 1)))
    loose = capping & ~squares_of(visible(attacker, below))
    if loose == 0 or free + popcount(loose) <= caps:
        return False
    first = _moves_to_a_gap(shown, shown_largest, capping & ~loose, hard, law, lines, moves)
    if first < 0:
        return False
    caps = moves - min(max(first, after), moves)
    return free + popcount(loose) > caps


@lean_recursive
def has_quiet_move(own: int, opp: int, law: Law) -> bool:
    """Whether the player to move surely has a move that uncovers nothing of the opponent's."""
    pieces = 0
    for size in range(law.sizes):
        pieces += law.stock[size]
    if popcount(own) < pieces and squares_of(own | opp) != law.all_squares:
        return True
    if law.moving:
        shown = visible(own, opp)
        covering = squares_of(visible(opp, own & ~shown))
        free = landings(own, opp, law)
        for size in range(1, law.sizes + 1):
            if layer(shown, size) & ~covering and (law.same_square or layer(free, size)):
                return True
    return False


@lean
def is_never_stuck(own: int, law: Law) -> bool:
    """Whether this player surely has moves for ever, or loses nothing by having none.

    A largest piece on the board stays there and stays visible; it can move as long as not all
    other squares show largest pieces, too.
    """
    largest = law.sizes
    if law.no_move_draws:
        return True
    has_room = 2 * law.stock[largest - 1] < law.board * law.board
    return law.moving and has_room and layer(own, largest) != 0


@lean_recursive
def may_be_stuck(own: int, opp: int, law: Law) -> bool:
    """Whether the opponent's next move might leave this player to lose without a move."""
    if is_never_stuck(own, law):
        return False
    if popcount(law.all_squares & ~squares_of(own | opp)) < 2:
        return True
    for size in range(1, law.sizes + 1):
        if in_reserve(own, size, law):
            return False
    return True
