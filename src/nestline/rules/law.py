"""A rule set as plain numbers, the form that the kernel takes.

`Law` holds everything that decides moves and results in a position. What belongs to a game in
progress (repetition, agreement, touching, peeking) or to people (names, colours) stays in
`RuleSet`.
"""

from typing import NamedTuple

MAX_BOARD = 4
MAX_SIZES = 4

LAYER_BITS = MAX_BOARD * MAX_BOARD
"""Bits per size layer of a player's bit board; bit `row * board + column` is a square, a1 bit 0."""

PLACE_ONTO = ("empty", "smaller", "threat")
"""The values of the field `place_onto`; the kernel knows them by their index."""

EMPTY, SMALLER, THREAT = range(3)


class Law(NamedTuple):
    """The numbers of one rule set; flags are 0 or 1.

    The four `…_starts` are masks of the squares from which a line of the full length fits on the
    board in that direction: along a row, up a column, up to the right, up to the left.
    """

    board: int
    line: int
    sizes: int
    stock: tuple[int, int, int, int]
    nested: int
    place_onto: int
    moving: int
    same_square: int
    mover_wins_both: int
    no_move_draws: int
    draw_all_placed: int
    draw_board_full: int
    all_squares: int
    row_starts: int
    column_starts: int
    rising_starts: int
    falling_starts: int


def line_starts(board: int, line: int, across: int, up: int) -> int:
    """Mask of the squares where a line running `(across, up)` per step can begin."""
    reach = line - 1
    starts = 0
    for row in range(board):
        for column in range(board):
            if 0 <= column + reach * across < board and row + reach * up < board:
                starts |= 1 << (row * board + column)
    return starts
