"""The bound that keeps proofs small: positions where no win is within reach.

`out_of_reach` tells that the attacker A cannot force a win within a number of plies, whatever he
plays. It says so only where the defender D survives a simpler game, the *capping game*, in which
little but the largest pieces is left; False means nothing. The search itself is left to `forced`.

Terms. L is the largest size. A's *shown* squares are those where his pieces are visible. A's turns
of the plies asked for are his `moves`, the last of them the last ply. Neither side shows a line,
and if A is to move he cannot win at once.

1. D uses only his pieces of size L. Nothing lands on them: while one stays on a square, A does not
   show that square, and no line through it is complete. A's own pieces of size L are the only ones
   of his that D cannot cover with them.
2. D keeps a *ledger* of three sets of squares. `largest` has the squares where A shows a piece of
   size L, no more and no less. `base` has the squares where A shows a smaller piece, or would if
   the piece of size L on it, A's or D's, were lifted; it may have more. `caps` has the squares of
   D's pieces of size L. What A shows is part of `base | largest`, and not of `caps`.
3. A move of A's lands on one square, outside `caps` and `largest`. A smaller piece adds the square
   to `base`; D pretends that it leaves nothing behind, and that A never runs out of them. A piece
   of size L adds it to `largest`, and leaves another square of `largest` or A's reserve. Nothing
   else is newly shown: what A uncovers is D's, or in `base` already.
4. A move of D's moves a piece of size L to a square outside `caps` and `largest`: it is empty or
   shows a smaller piece. Or it places one from the reserve: on a square outside `caps` and
   `largest` if new pieces go onto smaller ones; otherwise on a square that is also outside `base`
   and has no smaller piece of D's, not even below other pieces, so it is empty. A move uncovers
   squares of A's only if they are in `base`.
   Once no piece of size L is left in his reserve, D may also *pass*; see 7.
5. So this is the capping game: A moves as in 3, D as in 4. A *gap* is the only square that the
   ledger lacks on a line without a cap. A has won if D has left a gap or a full line, and still has
   when A has moved for the last time and there was no gap. D's game is won by that last move.
   If A is to move first and there is a gap already, he may land on it, but as he cannot win at
   once, it is with a piece that leaves another square of the same line, which shows nothing of
   his below.
6. More squares in `base` or `largest`, or more pieces in his reserve, never hurt A: D has no more
   moves for it, and A can answer to each of his own moves with one that keeps the advantage. To
   make this true of all squares, the capping game lets A add a square of `largest` to `base`, as
   if he slipped a smaller piece below the larger one, and lets him do nothing. So
   - doing nothing need not be tried if he can add a square to `base`;
   - all his moves to a square fail if D survives their union: the square in `base` and `largest`,
     and no piece of size L gone from anywhere.
   - Landing outside the ledger on a square none of whose lines can be completed in time is no
     better than doing nothing, if D may pass: he plays as if A had done nothing. Should he want to
     move a piece of size L there, where one of A's is, he passes and treats his piece, wherever it
     is, as if it were there. Its lines are capped then, and those that it should cap never matter.
     Should another piece of his go to where this one really is, he passes and the two change roles.
7. D passes with smaller pieces, if it is certain that he can whenever he wants to. He moves a piece
   he has passed with before, if one is uncovered, else he plays a new one from the reserve; to an
   empty square in both cases. So it lies on nothing, and what he uncovers is empty. He needs
   - enough smaller pieces in the reserve for all his turns in which he has no piece of size L
     there. In nested reserves they lie on top then.
   - an empty square. Occupied are at most: the squares of the first ledger and those of smaller
     pieces of D's; D's pieces of size L; one more for each move of A's (when A's piece of size L
     leaves a square where it lay on one that D has passed with, he lands on another, and the two
     are one more than before the landing, in two moves); and the pieces that D has passed with, if
     A has never covered them. A new one of these is only played while all others are below D's
     pieces of size L. So to have k of them uncovered takes k turns to play them, k - 1 to cover
     the others before the last is played, and k - 1 to uncover them after it: D needs at least
     3k - 2 turns for it.
8. D never runs out of moves, where this would lose: he can move a piece of size L, as the bound is
   applied only where pieces move, and where all of them together do not fill the board.
9. Draws end the game without a win; A's own moves may uncover a line of D's, or a move of D's may
   make one, and he wins: all this only helps D. A mover who wins with lines of both has one of
   his own, and 5 excludes A's.

So A does not win by a line, nor by a reveal, nor by leaving D without moves.

The capping game itself is in `capping`.
"""

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined, recursive
from nestline.engine.prove.capping import UNION_MOVES, Lines, gaps_of, survives
from nestline.kernel import layer, popcount, squares_of, visible
from nestline.rules.law import LAYER_BITS, SMALLER, Law
from nestline.threats import HAS_LINE

MOST_MOVES = 4
"""The attacker's moves up to which the bound is tried; for more it takes longer than it saves."""


@inlined
def _survives_from(
    attacks: int, base: int, largest: int, caps: int, hard: int, hand: int, reserve: int,
    moves: int, passes: int, lines: Lines, control: NDArray[np.int64],
) -> bool:  # fmt: skip
    """`survives` where A may land on a gap if he leaves the rest of the line with it (5)."""
    defends = int(np.int64(0))  # A variable's type, so that `survives` is compiled only once.
    ledger = base | largest
    if attacks and gaps_of(ledger, caps, lines):
        for number in range(len(lines.masks)):
            line = lines.masks[number]
            gap = line & ~ledger
            if line & caps or gap == 0 or gap & (gap - 1):
                continue
            leaving = line & ~gap & ~(base & largest)
            while leaving:
                origin = leaving & -leaving
                leaving ^= origin
                is_largest = largest & origin != 0
                smaller = base if is_largest else base & ~origin | gap
                larger = largest & ~origin | gap if is_largest else largest
                is_full = gaps_of(smaller | larger, caps, lines) >= HAS_LINE
                if not is_full and not survives(
                    defends, smaller, larger, caps, hard, hand, reserve, moves - 1, passes, lines,
                    control,
                ):  # fmt: skip
                    return False
    is_held = survives(
        attacks, base, largest, caps, hard, hand, reserve, moves, passes, lines, control
    )
    return bool(is_held)


@inlined
def _can_pass(
    turns: int, moves: int, ledger: int, smaller: int, reserve: int, smaller_reserve: int, law: Law
) -> bool:
    """Whether D can pass in each of his turns, once he has placed his largest pieces; see 7.

    `smaller` are the squares of his smaller pieces on the board.
    """
    passing = turns - reserve
    if passing <= 0:
        return True
    uncovered = (passing + 1) // 3
    occupied = popcount(ledger | smaller) + law.stock[law.sizes - 1] + moves - 1 + uncovered
    return smaller_reserve >= passing and occupied < law.board * law.board


@recursive
def _is_held(
    attacker: int, defender: int, targets: int, plies: int, attacks: int, law: Law, lines: Lines,
    control: NDArray[np.int64],
) -> int:  # fmt: skip
    """Without targets, 1 if the attacker certainly cannot win, else 0; with some, the targets on
    which he may land without giving up a win."""
    stock = law.stock[law.sizes - 1]
    moves = (plies + 1 + attacks) // 2
    if not law.moving or law.line < 3 or 2 * stock >= law.board * law.board:
        return targets
    if moves > MOST_MOVES:
        return targets
    shift = LAYER_BITS * (law.sizes - 1)
    below_largest = (1 << shift) - 1
    largest, caps = layer(attacker, law.sizes), layer(defender, law.sizes)
    smaller, covered = attacker & below_largest, defender & below_largest
    base = squares_of(visible(smaller, covered))
    on_board = squares_of(covered)
    hard = 0 if law.place_onto == SMALLER else on_board
    hand, reserve = stock - popcount(largest), stock - popcount(caps)
    pieces = 0
    for size in range(law.sizes - 1):
        pieces += law.stock[size]
    passes = int(
        _can_pass(
            moves - attacks, moves, base | largest, on_board, reserve, pieces - popcount(covered),
            law,
        )
    )  # fmt: skip
    passes |= 2 * int(law.place_onto == SMALLER)
    defends = int(np.int64(0))
    if not targets:
        return int(
            _survives_from(
                attacks, base, largest, caps, hard, hand, reserve, moves, passes, lines, control
            )
        )
    found = 0
    while targets:
        target = targets & -targets
        targets ^= target
        if not survives(
            defends, base | target, largest | target, caps, hard, hand, reserve, moves - 1, passes,
            lines, control,
        ):  # fmt: skip
            found |= target
    return found


@recursive
def out_of_reach(
    attacker: int, defender: int, plies: int, attacks: int, law: Law, lines: Lines,
    control: NDArray[np.int64],
) -> bool:  # fmt: skip
    """Whether the attacker certainly cannot win within these plies, at least two.

    `attacks` is 1 if he is to move, else 0. Nobody shows a line, and there is no immediate win.
    """
    return _is_held(attacker, defender, 0, plies, attacks, law, lines, control) == 1


@recursive
def promising(
    attacker: int, defender: int, targets: int, plies: int, law: Law, lines: Lines,
    control: NDArray[np.int64],
) -> int:  # fmt: skip
    """Those targets on which the attacker, who is to move, may land without giving up a win."""
    if not targets or (plies + 2) // 2 > UNION_MOVES:
        return targets
    attacks = int(np.int64(1))
    return int(_is_held(attacker, defender, targets, plies, attacks, law, lines, control))
