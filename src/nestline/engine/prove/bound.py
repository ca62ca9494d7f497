"""The bound that keeps proofs small: positions where no win is within reach.

`out_of_reach` tells, from the board alone, that the attacker A cannot force a win within a number
of plies, whatever he plays. It says so only where the following proof applies; False means nothing.
The search itself is left to `forced`.

Terms. D is the defender, L the largest size. A's *shown* squares are those where his pieces are
visible. Of the plies asked for, `moves` are A's and `turns` are D's. Neither side shows a line, and
if A is to move he cannot win at once. A move of D's is *quiet* if it places a piece, or moves one
that does not lie directly on a piece of A's.

1. Nothing lands on a piece of size L. While D does not move his, its square is *dead*: A never
   shows it, and no line through it is ever complete. A line without dead squares is *open*. A
   *gap* is a square that A does not show and that alone is missing to show an open line.
2. A move of A's shows at most one more square, its target; a quiet move of D's shows none. So A
   completes a line only by landing on a gap, and that gap was one before D's last quiet move.
3. Let A's moves be counted from here. After i of them a gap needs an open line with all squares
   shown but one, so at least as many of them as are missing now, less one, have been landed on: a
   gap comes after `first` moves at the soonest, the fewest missing on any open line, less one.
   Likewise two gaps g on line l and h on line k (l and k differ, g is not on k nor h on l, as all
   squares of k but h are shown) need all squares of l and k but g and h: at least the number of
   squares missing on l or k, less one if g can be one of them, that is if l misses a square that
   k does not, and less one if k misses a square that l does not. Note that g may be shown now and
   left later. If this number is at least `moves` for every pair of open lines, then in each of
   D's turns that a move of A's follows (it comes after at most `moves - 1` of them) there is at
   most one gap.
4. D plays like this. Some pieces of size L are *spare*: those in his reserve (free at all times,
   also in nested reserves, where they lie on top), and, if he needs them, those on the board that
   do not lie directly on a piece of A's (the *loose* ones). The squares of his other pieces of
   size L are dead and remain so. In each of his turns that a move of A's follows:
   - There is one gap g, and no spare piece on it: he *caps* it, with a spare piece that from then
     on stays where it is and is spare no more. A spare piece from the board may go to g, which
     shows a smaller piece of D's or nothing. One from the reserve may, too, if g is empty or if
     new pieces go onto smaller ones. Otherwise g is *hard*; see 5.
   - There is one gap, and a spare piece on it: that piece stays, and is spare no more; D moves
     another spare piece as in the next case.
   - There is no gap: D plays a spare piece to an empty square: from the reserve, or from the
     board. It is still spare: it lies on nothing.
   If the last ply is D's, he plays a spare piece there as in the last case.
   All these are quiet. After each, A has no gap on which he could land: those that remain are
   capped, and new ones do not arise. By 2 he does not complete a line with his next move, nor
   does D uncover one.
5. A hard gap g holds a smaller piece of D's, and new pieces do not simply go onto it. Where
   new pieces go onto empty squares only, the bound demands that no open line can have such a gap
   in time: for all open lines and all squares g on them with a smaller piece of D's in the stack,
   the squares missing on the line but g are at least `moves`. (D himself moves no smaller pieces
   and places none, so there are no other such squares.) Where new pieces also go onto threatening
   pieces, D caps one of the pieces that show A's line instead, if one is smaller than L; its
   square is dead then, and with it the line. So the bound demands that A cannot have pieces of
   size L on all squares of the line but g in time: squares of the line but g that do not show one
   of A's now are at least `moves`, or A has too few of them. It also demands that no second line
   has the same gap: this needs all squares of both but g, which for lines that miss the same
   squares is one less than in 3, and otherwise not less than what 3 demands.
6. There are enough spare pieces. In a turn D uses up at most one, and only when there is a gap
   and A moves again: after `first` or more of A's moves and before the last one. There are at
   most `caps` such turns, the smaller of `turns` and `moves - first`.
   - If D has more than `caps` spare pieces, then before each turn he has more than there are caps
     to come: one to cap with, and another to play, should the first be on the gap already, or
     one to play in the last ply.
   - If he has as many in the reserve as he has turns, he may use up one in each turn: he places
     one on the gap, or, where there is none, on an empty square, where it stays; its square is
     dead. Then no spare piece ever stands on the board, and the loose ones stay where they are.
7. There is room. D needs an empty square in each turn; a ply takes away one at most, so there is
   one if now there are more than there are plies before D's last turn.
   Where new pieces go onto smaller ones and he has enough in the reserve, he needs none: any
   square that shows no piece of size L will do. There is one, since the bound is applied only
   where all pieces of size L together do not fill the board.
8. Nor does D run out of moves, where this would lose: after his first turn he has a piece of size
   L on the board, which for the same reason always finds a square to move to; the bound is applied
   only where pieces move. In his first turn he has the move named in 4.
9. Draws end the game without a win; A's own moves may uncover a line of D's, or a move of D's may
   make one, and he wins: all this only helps D. A mover who wins with lines of both has one of
   his own, and 4 excludes A's.

So A does not win by a line, nor by a reveal, nor by leaving D without moves.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined, recursive
from nestline.kernel import layer, popcount, squares_of, visible
from nestline.rules.law import EMPTY, LAYER_BITS, SMALLER, THREAT, Law
from nestline.threats import Completing, completing_squares


class Lines(NamedTuple):
    """The lines of a board; `squares` below is `board * board`."""

    masks: NDArray[np.int64]
    """(lines,): the squares of each line."""
    completing: Completing
    """The squares that complete a line; see `threats`."""


@lru_cache(maxsize=4)
def lines_of(law: Law) -> Lines:
    """The line tables of a rule set."""
    directions = (
        (law.row_starts, 1),
        (law.column_starts, law.board),
        (law.rising_starts, law.board + 1),
        (law.falling_starts, law.board - 1),
    )
    squares = law.board * law.board
    masks = {
        sum(1 << (start + index * step) for index in range(law.line))
        for starts, step in directions
        for start in range(squares)
        if starts >> start & 1
    }
    return Lines(np.array(sorted(masks), np.int64), completing_squares(law))


@inlined
def _hard_squares(defender: int, law: Law) -> int:
    """The squares where a piece from the reserve might not stop a line (5)."""
    if law.place_onto == SMALLER:
        return 0
    if law.place_onto == THREAT and law.stock[law.sizes - 1] < law.line - 1:
        return 0
    hard = 0
    for size in range(1, law.sizes):
        hard |= layer(defender, size)
    return hard


@inlined
def _first_gap(
    shown: int, shown_largest: int, dead: int, hard: int, law: Law, lines: Lines, moves: int
) -> int:
    """The number of moves before a gap, at most `moves` (3); -1 if two or a hard one may come."""
    first = moves
    for index in range(len(lines.masks)):
        line = lines.masks[index]
        if line & dead:
            continue
        missing = line & ~shown
        count = popcount(missing)
        first = min(first, count - 1)
        if line & hard:
            lacking = missing if law.place_onto == EMPTY else line & ~shown_largest
            if popcount(lacking) - (lacking & hard != 0) < moves:
                return -1
        if count > moves:
            continue  # With any other line it would take that many moves.
        for other in range(index):
            if lines.masks[other] & dead:
                continue
            lacking = lines.masks[other] & ~shown
            needed = popcount(missing | lacking)
            if law.place_onto == THREAT and missing == lacking:
                needed -= 1
            needed -= (missing & ~lacking != 0) + (lacking & ~missing != 0)
            if needed < moves:
                return -1
    return max(first, 0)


@recursive
def _is_held(
    attacker: int, defender: int, shown: int, shown_largest: int, empty: int, plies: int,
    attacks: int, law: Law, lines: Lines,
) -> bool:  # fmt: skip
    """`out_of_reach` for an attacker who shows these squares, with this many empty squares."""
    stock = law.stock[law.sizes - 1]
    if not law.moving or law.line < 3 or 2 * stock >= law.board * law.board:
        return False
    moves = (plies + attacks) // 2
    turns = plies - moves
    largest = layer(defender, law.sizes)
    spare = stock - popcount(largest)
    is_last_ply_attackers = (plies + attacks) % 2 == 0
    is_roomy = empty > plies - 1 - is_last_ply_attackers
    if not is_roomy and (law.place_onto != SMALLER or spare < turns):
        return False
    hard = _hard_squares(defender, law)
    first = _first_gap(shown, shown_largest, largest, hard, law, lines, moves)
    if first < 0:
        return False
    if spare >= turns or spare > min(turns, moves - first):
        return True
    smaller = defender & ~(largest << (LAYER_BITS * (law.sizes - 1)))
    loose = largest & ~squares_of(visible(attacker, smaller))
    if loose == 0:
        return False
    spare += popcount(loose)
    first = _first_gap(shown, shown_largest, largest & ~loose, hard, law, lines, moves)
    return first >= 0 and spare > min(turns, moves - first)


@recursive
def out_of_reach(
    attacker: int, defender: int, plies: int, attacks: int, law: Law, lines: Lines
) -> bool:
    """Whether the attacker certainly cannot win within these plies, at least two.

    `attacks` is 1 if he is to move, else 0. Nobody shows a line, and there is no immediate win.
    """
    shown = squares_of(visible(attacker, defender))
    empty = popcount(law.all_squares & ~squares_of(attacker | defender))
    shown_largest = layer(attacker, law.sizes)
    return _is_held(attacker, defender, shown, shown_largest, empty, plies, attacks, law, lines)


@recursive
def promising(
    attacker: int, defender: int, targets: int, plies: int, law: Law, lines: Lines
) -> int:
    """Those targets on which the attacker may land without giving up a win.

    `plies` are left after he has landed. Whichever piece lands, the target is the only square he
    may newly show.
    """
    shown = squares_of(visible(attacker, defender))
    shown_largest = layer(attacker, law.sizes)
    empty = popcount(law.all_squares & ~squares_of(attacker | defender)) - 1
    found = 0
    while targets:
        target = targets & -targets
        targets ^= target
        if not _is_held(
            attacker, defender, shown | target, shown_largest | target, empty, plies, 0, law, lines
        ):
            found |= target
    return found
