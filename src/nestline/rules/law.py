"""A rule set as plain numbers, the form that the kernel takes.

`Law` holds everything that decides moves and results in a position. What belongs to a game in
progress (repetition, agreement, touching, peeking) or to people (names, colours) stays in
`RuleSet`.
"""

from typing import NamedTuple

MAX_BOARD = 4
MAX_SIZES = 4

LAYER_BITS = MAX_BOARD * MAX_BOARD
"""Bits per size layer of a player's bitboard; bit `row * board + column` is a square, a1 bit 0."""

PLACE_ONTO = ("empty", "smaller", "threat")
"""The values of the field `place_onto`; the kernel knows them by their index."""

EMPTY, SMALLER, THREAT = range(3)

COVER = ("any", "opponent", "own", "none")
"""The values of the field `cover`, likewise. The first of these and of the fields below is what a
game does that says nothing, so that its numbers are 0."""

ANY, OPPONENTS, OWN, NOTHING = range(4)

REVEAL = ("loses", "forbidden", "ignored")
"""The values of the field `reveal`, likewise."""

LOSES, FORBIDDEN, IGNORED = range(3)

LINE_SIZES = ("any", "equal", "rising")
"""The values of the field `line_sizes`, likewise."""

ANY_SIZES, EQUAL, RISING = range(3)


class Law(NamedTuple):
    """The numbers of one rule set; flags are 0 or 1.

    `mover_wins_both` says whose line counts when both players have one. The four `…_starts` are
    masks of the squares from which a line of the full length fits on the board in that direction:
    along a row, up a column, up to the right, up to the left.
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
    both_lines_draw: int
    reveal: int
    cover: int
    line_sizes: int
    wrap: int
    misere: int
    all_squares: int
    row_starts: int
    column_starts: int
    rising_starts: int
    falling_starts: int


def line_starts(board: int, line: int, across: int, up: int, wrap: int) -> int:
    """Mask of the squares where a line running `(across, up)` per step can begin.

    With `wrap` lines go on at the opposite edge. One that goes all the way round has no beginning,
    so it is listed once, from the edge on.
    """
    if wrap:
        if line < board:
            return (1 << (board * board)) - 1
        first_row = (1 << board) - 1
        first_column = ((1 << (board * board)) - 1) // first_row
        return first_row if up else first_column
    reach = line - 1
    starts = 0
    for row in range(board):
        for column in range(board):
            if 0 <= column + reach * across < board and row + reach * up < board:
                starts |= 1 << (row * board + column)
    return starts
