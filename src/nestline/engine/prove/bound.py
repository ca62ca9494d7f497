"""The bound that keeps proofs small: positions where no win is within reach.

`out_of_reach` tells that the attacker A cannot force a win within a number of plies, whatever he
plays. It says so only where the defender D survives a much simpler game, the *capping game*, which
is solved exactly; False means nothing. The search itself is left to `forced`.

Terms. L is the largest size. A's *shown* squares are those where his pieces are visible. Of the
plies asked for, `moves` are A's and `turns` are D's. Neither side shows a line, and if A is to move
he cannot win at once. A move of D's is *quiet* if it places a piece, or moves one that does not lie
directly on a piece of A's.

1. Nothing lands on a piece of size L. While D does not move his, its square is *dead*: A never
   shows it, and no line through it is ever complete. The other lines are *live*.
2. A move of A's shows at most one more square, its target; a quiet move of D's shows none. D keeps
   a *ledger*: all squares that A has shown since now. What A shows is always part of it, though he
   may have left some of its squares. A *gap* is the only square that the ledger lacks on a live
   line. If it has none, A completes no line with his next move.
3. Some of D's pieces of size L are *spare*: those in his reserve (free at all times, also in nested
   reserves, where they lie on top), and, if he needs them, those on the board that do not lie
   directly on a piece of A's (the *loose* ones). His other ones stay where they are, and their
   squares are dead. In each of his turns D either *caps* a square, which costs a spare piece, or
   passes.
   - He caps a square outside the ledger with a spare piece that stays there from then on: the
     square is dead. The square is empty, or shows a spare piece, or a smaller piece of D's. If a
     spare piece stands on it already, this one stays, and D passes with another one.
   - He passes by playing a spare piece to an empty square, from the reserve or from the board. It
     is still spare: it lies on nothing.
   All this is quiet. He always keeps one spare piece to pass with; so he may cap as often as he
   has spare pieces, less one. There is another way: if his reserve holds as many spare pieces as he
   has turns, he lets the loose ones stay where they are and plays a new piece in each turn, and
   each may cap. No spare piece stands on the board then.
4. A square is *hard* if it shows a smaller piece of D's and new pieces do not simply go there. D
   caps it with a spare piece from the board. Where new pieces go onto threatening pieces he has
   another way to answer a hard gap, if it is the gap of one line only and one of the pieces with
   which A shows the rest of the line is smaller than L: he *breaks* the line, by placing a spare
   piece onto this one, where it stays. This takes it that A cannot have pieces of size L on all
   these squares in time: those that do not show one now are at least `moves`, or A has too few.
   If A does not show the whole rest of the line, because he has left some of it, D breaks the line
   later: he passes now and sets a spare piece in the reserve aside. A can make the threat real only
   by landing on squares of the ledger; such a move adds nothing to the ledger, so there is no
   other gap when D answers it. (Two lines share at most one square, the gap itself if they have
   the same one, so no move makes two such threats real.)
5. So this is the capping game. A's turn: he adds a square to the ledger. D's turn: with two gaps he
   has lost; one he must cap, or break its line; with none he caps any square or passes. A has
   won if the ledger contains a live line, or if D cannot do what he must. It ends after A's last
   move, or in D's turn after it, in which he passes.
   If A is to move first and there is a gap already, he may land on it, but as he cannot win at
   once, he must leave another square of the line with this move; the ledger is without it then.
   (It cannot be the gap of two lines that he leaves so: he leaves one square, which is not on
   both.)
6. D knows how many spare pieces he has, but which of them are on the board depends on A. The
   capping game counts the fewest that can be on the board and the fewest that can be in the
   reserve, whatever happens.
7. There is room. D needs an empty square in each turn; a ply takes away one at most, so there is
   one if now there are more than there are plies before D's last turn.
   Where new pieces go onto smaller ones and he has enough in the reserve, he needs none: any
   square that shows no piece of size L will do. There is one, since the bound is applied only
   where all pieces of size L together do not fill the board.
8. Nor does D run out of moves, where this would lose: he always has a spare piece to pass with;
   the bound is applied only where pieces move.
9. Draws end the game without a win; A's own moves may uncover a line of D's, or a move of D's may
   make one, and he wins: all this only helps D. A mover who wins with lines of both has one of
   his own, and 2 excludes A's.

So A does not win by a line, nor by a reveal, nor by leaving D without moves.

The capping game depends on few things, so its results are kept in a table of their own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined, recursive
from nestline.kernel import bit_index, layer, popcount, squares_of, visible
from nestline.rules.law import LAYER_BITS, SMALLER, THREAT, Law
from nestline.threats import Completing, completing_squares

RESULT_ROWS = 1 << 18

UNLIMITED = 15
"""The number of spare pieces where D plays one from the reserve in each turn."""


class Lines(NamedTuple):
    """The lines of a board; `squares` below is `board * board`."""

    masks: NDArray[np.int64]
    """(lines,): the squares of each line."""
    through: NDArray[np.int64]
    """(squares,): the lines through each square, as bits of their numbers."""
    completing: Completing
    """The squares that complete a line; see `threats`."""
    results: NDArray[np.int64]
    """(RESULT_ROWS, 2): results of the capping game: the state, and D's means with the result."""


def lines_of(law: Law) -> Lines:
    """The line tables of a rule set, with room for results of the capping game."""
    directions = (
        (law.row_starts, 1),
        (law.column_starts, law.board),
        (law.rising_starts, law.board + 1),
        (law.falling_starts, law.board - 1),
    )
    squares = law.board * law.board
    masks = sorted(
        {
            sum(1 << (start + index * step) for index in range(law.line))
            for starts, step in directions
            for start in range(squares)
            if starts >> start & 1
        }
    )
    through = [
        sum(1 << number for number, mask in enumerate(masks) if mask >> square & 1)
        for square in range(squares)
    ]
    return Lines(
        np.array(masks, np.int64),
        np.array(through, np.int64),
        completing_squares(law),
        np.zeros((RESULT_ROWS, 2), np.int64),
    )


@inlined
def _recall(state: int, means: int, lines: Lines) -> int:
    """The result of the capping game for a state, 0 or 1; -1 if it is not known."""
    row = lines.results[_row(state, means)]
    if row[0] == state and row[1] >> 2 == means and row[1] & 2:
        return int(row[1] & 1)
    return -1


@inlined
def _remember(state: int, means: int, is_held: bool, lines: Lines) -> None:
    row = lines.results[_row(state, means)]
    row[0] = state
    row[1] = means << 2 | 2 | is_held


@inlined
def _row(state: int, means: int) -> int:
    mixed = state * 0x1E3779B97F4A7C15 + means * 0x42B2AE3D27D4EB4F
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    return ((mixed * 0x165667B19E3779F9) >> 20) & (RESULT_ROWS - 1)


@recursive
def _survives(
    attacks: int, ledger: int, live: int, moves: int, spare: int, on_board: int, in_reserve: int,
    hard: int, breakable: int, lines: Lines,
) -> bool:  # fmt: skip
    """Whether D survives the capping game; `attacks` is 1 in A's turn, in which there is no gap.

    `moves` are those that A has left. Of D's spare pieces, at least `on_board` are on the board and
    at least `in_reserve` in the reserve.
    """
    if attacks:
        useful = 0
        for number in range(len(lines.masks)):
            missing = lines.masks[number] & ~ledger
            if live >> number & 1 and popcount(missing) <= moves:
                useful |= missing
        if useful == 0:
            return True
        state = ledger | hard << 16 | live << 32 | moves << 56
        means = spare | on_board << 4 | in_reserve << 8 | breakable << 12
        known = _recall(state, means, lines)
        if known >= 0:
            return known == 1
        is_held = True
        while useful and is_held:
            target = useful & -useful
            useful ^= target
            is_held = _survives(
                1 - attacks, ledger | target, live, moves - 1, spare, on_board, in_reserve, hard,
                breakable, lines,
            )  # fmt: skip
        _remember(state, means, is_held, lines)
        return is_held

    gap, gap_lines, lacking = 0, 0, 0
    for number in range(len(lines.masks)):
        if live >> number & 1:
            missing = lines.masks[number] & ~ledger
            lacking |= missing
            if missing & (missing - 1) == 0:
                if missing == 0 or gap & ~missing:
                    return False
                gap = missing
                gap_lines |= 1 << number
    if moves == 0 or (moves == 1 and gap == 0):
        return True
    after_cap = spare if spare == UNLIMITED else spare - 1
    if gap == 0 and _survives(
        1 - attacks, ledger, live, moves, spare,
        on_board if spare == UNLIMITED else max(on_board, 1),
        in_reserve if on_board or spare == UNLIMITED else max(in_reserve - 1, 0),
        hard, breakable, lines,
    ):  # fmt: skip
        return True
    if after_cap == 0:
        return False
    if gap & hard and in_reserve and breakable & gap_lines == gap_lines:
        is_gap_of_one = gap_lines & (gap_lines - 1) == 0
        if is_gap_of_one and _survives(
            1 - attacks, ledger, live & ~gap_lines, moves, after_cap, on_board,
            in_reserve if spare == UNLIMITED else max(in_reserve - 2 + (on_board > 0), 0), hard,
            breakable, lines,
        ):  # fmt: skip
            return True
    targets = gap if gap else lacking
    while targets:
        target = targets & -targets
        targets ^= target
        if target & hard and on_board == 0:
            continue
        if _survives(
            1 - attacks, ledger, live & ~lines.through[bit_index(target)], moves, after_cap,
            max(on_board - 1, 0),
            in_reserve if target & hard or spare == UNLIMITED else max(in_reserve - 1, 0),
            hard, breakable, lines,
        ):  # fmt: skip
            return True
    return False


@inlined
def _survives_from(
    attacks: int, ledger: int, live: int, moves: int, spare: int, on_board: int, in_reserve: int,
    hard: int, buried: int, breakable: int, lines: Lines,
) -> bool:  # fmt: skip
    """`_survives` where there may be gaps in A's turn, on which he cannot win at once (5).

    `buried` are the squares that are hard once A has left them.
    """
    defends = int(np.int64(0))  # A variable's type, so that `_survives` is compiled only once.
    if attacks == 0:
        is_held = _survives(
            defends, ledger, live, moves, spare, on_board, in_reserve, hard, breakable, lines
        )
        return bool(is_held)
    gaps = 0
    targets = 0
    for number in range(len(lines.masks)):
        if live >> number & 1:
            missing = lines.masks[number] & ~ledger
            targets |= missing
            if missing & (missing - 1) == 0:
                gaps |= missing
                left = lines.masks[number] & ~missing
                while left:
                    origin = left & -left
                    left ^= origin
                    if not _survives(
                        defends, (ledger | missing) & ~origin, live, moves - 1, spare, on_board,
                        in_reserve, hard | origin & buried, breakable, lines,
                    ):  # fmt: skip
                        return False
    targets &= ~gaps
    if targets == 0:  # Nothing that he can do adds to the ledger.
        targets = 1 << LAYER_BITS
    while targets:
        target = targets & -targets
        targets ^= target
        if not _survives(
            defends, (ledger | target) & ((1 << LAYER_BITS) - 1), live, moves - 1, spare, on_board,
            in_reserve, hard, breakable, lines,
        ):  # fmt: skip
            return False
    return True


@inlined
def _live_lines(dead: int, lines: Lines) -> int:
    live = 0
    for number in range(len(lines.masks)):
        if lines.masks[number] & dead == 0:
            live |= 1 << number
    return live


@inlined
def _breakable_lines(shown_largest: int, moves: int, law: Law, lines: Lines) -> int:
    """See 4; the gap itself does not show a piece of A's."""
    breakable = 0
    if law.place_onto == THREAT:
        has_too_few = law.stock[law.sizes - 1] < law.line - 1
        for number in range(len(lines.masks)):
            if has_too_few or popcount(lines.masks[number] & ~shown_largest) > moves:
                breakable |= 1 << number
    return breakable


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
    reserve = stock - popcount(largest)
    is_last_ply_attackers = (plies + attacks) % 2 == 0
    is_roomy = empty > plies - 1 - is_last_ply_attackers
    smaller = defender & ~(largest << (LAYER_BITS * (law.sizes - 1)))
    buried = 0 if law.place_onto == SMALLER else squares_of(smaller)
    hard = buried & squares_of(visible(smaller, attacker))
    breakable = _breakable_lines(shown_largest, moves, law, lines)
    none, unlimited = int(np.int64(0)), int(np.int64(UNLIMITED))
    if reserve >= turns and (is_roomy or law.place_onto == SMALLER):
        return _survives_from(
            attacks, shown, _live_lines(largest, lines), moves, unlimited, none, unlimited, hard,
            buried, breakable, lines,
        )  # fmt: skip
    if not is_roomy:
        return False
    if reserve and _survives_from(
        attacks, shown, _live_lines(largest, lines), moves, reserve, none, reserve, hard, buried,
        breakable, lines,
    ):  # fmt: skip
        return True
    loose = largest & ~squares_of(visible(attacker, smaller))
    return loose != 0 and _survives_from(
        attacks, shown, _live_lines(largest & ~loose, lines), moves, reserve + popcount(loose),
        popcount(loose), reserve, hard, buried, breakable, lines,
    )  # fmt: skip


@recursive
def out_of_reach(
    attacker: int, defender: int, plies: int, attacks: int, law: Law, lines: Lines
) -> bool:  # fmt: skip
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
) -> int:  # fmt: skip
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
            attacker, defender, shown | target, shown_largest | target, empty, plies, 0, law,
            lines,
        ):  # fmt: skip
            found |= target
    return found
