"""Lines on the board: full ones, and those that are one square short.

The lines of most games are runs of squares within the board, found in a few shifts of a mask
(`full_lines`). Lines that go over the edge, or that need certain sizes, take the long way:
a step along a line at a time. `kernel` says what a line means for the game.
"""

import numpy as np
import numpy.typing as npt

from nestline.compiled import compiled, rare
from nestline.rules.law import ANY_SIZES, RISING, Law
from nestline.words import ONE_PER_LAYER, bit_index, over_smaller, squares_of, under_larger

TWO_MASKS = 0x0000_0001_0000_0001

MAX_LINES = 64
"""Room for the lines of any board: a 4x4 one has this many where shorter ones go over the edge."""

DIRECTIONS = 4

Squares = npt.NDArray[np.integer]


@compiled
def _along(masks: int, step: int, index: int, line: int) -> int:
    """The mask shifted so that the square `index` steps along a line falls on the line's start.

    Lines have at most four squares; the squares that a shorter line lacks count as set.
    """
    return masks >> (index * step) | (line - 1 - index) >> 63


@compiled
def _full(masks: int, starts: int, step: int, line: int) -> int:
    """The starts of the lines that lie entirely in the mask."""
    second = _along(masks, step, 1, line)
    third = _along(masks, step, 2, line)
    fourth = _along(masks, step, 3, line)
    return starts & masks & second & third & fourth


@compiled
def full_lines(masks: int, law: Law) -> int:
    """Nonzero if the squares of a mask contain a full line that does not go over the edge.

    Two masks can be tested together, the second one 32 bits higher: the result then has bits below
    32 for a line of the first and above for one of the second.
    """
    board, line = law.board, law.line
    return (
        _full(masks, law.row_starts * TWO_MASKS, 1, line)
        | _full(masks, law.column_starts * TWO_MASKS, board, line)
        | _full(masks, law.rising_starts * TWO_MASKS, board + 1, line)
        | _full(masks, law.falling_starts * TWO_MASKS, board - 1, line)
    )


@compiled
def _stepped(word: int, across: int, up: int, law: Law) -> int:
    """The word in which every square holds what is one step further on; opposite edges meet."""
    board = law.board
    first_row = (1 << board) - 1
    first_column = law.all_squares // first_row
    last_row, last_column = board * (board - 1), board - 1
    if across > 0:
        end = (first_column << last_column) * ONE_PER_LAYER
        word = word >> 1 & ~end | word << last_column & end
    elif across < 0:
        end = first_column * ONE_PER_LAYER
        word = word << 1 & ~end | word >> last_column & end
    if up > 0:
        end = (first_row << last_row) * ONE_PER_LAYER
        word = word >> board & ~end | word << last_row & end
    elif up < 0:
        end = first_row * ONE_PER_LAYER
        word = word << board & ~end | word >> last_row & end
    return word & (law.all_squares * ONE_PER_LAYER)


@compiled
def _direction(number: int, law: Law) -> tuple[int, int, int]:
    """One of the four directions: where its lines start, and how they go across and up."""
    if number == 0:
        return law.row_starts, 1, 0
    if number == 1:
        return law.column_starts, 0, 1
    return (law.rising_starts, 1, 1) if number == 2 else (law.falling_starts, -1, 1)


@rare
def has_unusual_line(shown: int, law: Law) -> bool:
    """Whether pieces, given as a word, make a line with the sizes that it needs: the long way."""
    if law.line_sizes == ANY_SIZES:
        shown = squares_of(shown)
    for number in range(DIRECTIONS):
        starts, across, up = _direction(number, law)
        same = rising = falling = shown & (starts * ONE_PER_LAYER)
        here = shown
        for _ in range(law.line - 1):
            here = _stepped(here, across, up, law)
            same &= here
            rising = here & over_smaller(rising)
            falling = here & under_larger(falling)
        if (rising | falling if law.line_sizes == RISING else same) != 0:
            return True
    return False


@compiled
def has_line(mask: int, law: Law) -> bool:
    """Whether the squares of one mask contain a full line, whatever the sizes of the pieces."""
    if law.wrap:
        return has_unusual_line(mask * ONE_PER_LAYER, law)
    return full_lines(mask, law) != 0


@compiled
def shows_line(shown: int, law: Law) -> bool:
    """Whether visible pieces, given as a word, contain a line with the sizes that it needs."""
    if law.wrap | law.line_sizes:
        return has_unusual_line(shown, law)
    return full_lines(squares_of(shown), law) != 0


@rare
def write_lines(law: Law, lines: Squares) -> int:
    """Write the squares of each line into a row of `lines`, (MAX_LINES, 4); return how many.

    They come in the order of `RuleSet.line_squares`.
    """
    count = 0
    # A single square is the same line in every direction.
    for number in range(DIRECTIONS if law.line > 1 else 1):
        starts, across, up = _direction(number, law)
        while starts:
            square = starts & -starts
            starts ^= square
            for index in range(law.line):
                lines[count, index] = bit_index(square)
                square = _stepped(square, -across, -up, law)
            count += 1
    return count


@compiled
def _all_but_one(mask: int, starts: int, step: int, line: int) -> int:
    """The squares of the mask on lines that have exactly one square outside the mask."""
    second = _along(mask, step, 1, line)
    third = _along(mask, step, 2, line)
    fourth = _along(mask, step, 3, line)
    one_missing = (mask & second & (third ^ fourth)) | (third & fourth & (mask ^ second))
    one_missing &= starts
    squares = one_missing
    for index in range(1, line):
        squares |= one_missing << (index * step)
    return squares & mask


@rare
def _threatening_around(mask: int, law: Law) -> int:
    """`threatening` where lines go over the edge."""
    squares = 0
    for number in range(DIRECTIONS):
        complete, across, up = _direction(number, law)
        one_missing, here = 0, mask
        for _ in range(law.line):
            one_missing = one_missing & here | complete & ~here
            complete &= here
            here = _stepped(here, across, up, law)
        for _ in range(law.line):
            squares |= one_missing
            one_missing = _stepped(one_missing, -across, -up, law)
    return squares & mask


@compiled
def threatening(mask: int, law: Law) -> int:
    """The squares of the mask on a line that is one square short, whatever the sizes there."""
    board, line = law.board, law.line
    if law.wrap:
        return _threatening_around(mask, law)
    return (
        _all_but_one(mask, law.row_starts, 1, line)
        | _all_but_one(mask, law.column_starts, board, line)
        | _all_but_one(mask, law.rising_starts, board + 1, line)
        | _all_but_one(mask, law.falling_starts, board - 1, line)
    )
