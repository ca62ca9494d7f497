"""The evaluation: how good a position looks to the player to move, from its bit boards.

A position is judged by its lines, its reserves and its covered pieces. Every line of the board is
looked up as a whole: what its squares show (nothing, or a size of either player) makes one number,
the index into a table of weights. So the tables know how far a line is from complete, which sizes
block it and which sizes could still answer. Further tables hold the weights of pieces in reserve
and of covered pieces, by size and number. The sum is in hundredths of a logit: 100 is a winning
chance of 73 %, 0 an even game.

The weights are data: `weights` loads and stores them, `training` learns them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.rules import RuleSet
from nestline.rules.law import Law
from nestline.threats import Completing

FINENESS = 16
"""Weights are stored in this many parts of a hundredth, to limit rounding errors."""

LINES_PER_WORD = 4
LINE_BITS = 16
WORDS_AT_ONCE = 3
"""The ten lines of a 4x4 board fit into three words, which are added up in parallel."""

COUNTS = 17
"""A player has 0 to 16 pieces of a size; the piece tables have a column for each number."""

RESERVE_OWN, RESERVE_OPP, COVERED_OWN, COVERED_OPP = range(4)
PIECE_TABLES = 4

LARGEST = 5000
"""No evaluation goes beyond this, so that it never looks like a forced win."""


class Sheet(NamedTuple):
    """What the evaluation looks up: the geometry of a rule set, and the weights.

    shares: (states, squares, words): what a square in a state adds to the packed numbers of the
        lines through it; state 0 is empty, then own sizes, then the opponent's sizes.
    lines: (lines,): where the table of each line begins in `line_weights`; lines that a symmetry
        of the board maps onto each other share one.
    line_weights: the value of each line by its number.
    piece_weights: (4, 4, COUNTS): the value of the number of pieces by `RESERVE_OWN` … and size.
    completing: the squares that complete a line, see `threats`.
    tempo: the value of having the move.
    """

    shares: NDArray[np.int64]
    lines: NDArray[np.int64]
    line_weights: NDArray[np.int16]
    piece_weights: NDArray[np.int16]
    completing: Completing
    tempo: int


class Geometry:
    """The lines of a rule set's board, grouped into kinds that symmetries map onto each other.

    >>> from nestline import load_rules
    >>> geometry = Geometry(load_rules("gobblet"))
    >>> len(geometry.lines), geometry.kinds, geometry.patterns
    (10, 3, 6561)
    """

    def __init__(self, rules: RuleSet) -> None:
        self.board, self.sizes = rules.board, rules.sizes
        self.lines = tuple(
            tuple(rules.square_names.index(name) for name in line) for line in rules.line_squares
        )
        self.states = 2 * self.sizes + 1
        self.patterns = self.states**rules.line
        kinds: list[frozenset[int]] = []
        self.kind_of: list[int] = []
        for line in self.lines:
            mask = sum(1 << square for square in line)
            images = frozenset(
                int(kernel.transform(mask, symmetry, self.board)) for symmetry in range(8)
            )
            if images not in kinds:
                kinds.append(images)
            self.kind_of.append(kinds.index(images))
        self.kinds = len(kinds)

    def shares(self) -> NDArray[np.int64]:
        """See `Sheet`."""
        words = WORDS_AT_ONCE * -(-len(self.lines) // (LINES_PER_WORD * WORDS_AT_ONCE))
        shares = np.zeros((self.states, 16, words), np.int64)
        for number, line in enumerate(self.lines):
            word, shift = number // LINES_PER_WORD, number % LINES_PER_WORD * LINE_BITS
            for place, square in enumerate(line):
                for state in range(self.states):
                    share = state * self.states**place
                    shares[state, square, word] += np.int64(share << shift)
        return shares


@inlined
def _look_up(numbers: int, first_line: int, sheet: Sheet) -> int:
    """The value of the four lines whose numbers are packed into a word."""
    total = 0
    for index in range(LINES_PER_WORD):
        number = (numbers >> (LINE_BITS * index)) & 0xFFFF
        total += sheet.line_weights[sheet.lines[first_line + index] + number]
    return total


@inlined
def evaluate(own: int, opp: int, own_shown: int, opp_shown: int, law: Law, sheet: Sheet) -> int:
    """The value of the position for the player to move; visible pieces come as bit boards."""
    total = sheet.tempo
    for word in range(0, sheet.shares.shape[2], WORDS_AT_ONCE):
        first, second, third = 0, 0, 0
        for size in range(1, law.sizes + 1):
            for player in range(2):
                shown = kernel.layer(opp_shown if player else own_shown, size)
                if word == 0:
                    on_board = kernel.popcount(kernel.layer(opp if player else own, size))
                    covered = on_board - kernel.popcount(shown)
                    reserve = law.stock[size - 1] - on_board
                    total += sheet.piece_weights[RESERVE_OWN + player, size - 1, reserve]
                    total += sheet.piece_weights[COVERED_OWN + player, size - 1, covered]
                state = size + player * law.sizes
                while shown:
                    bit = shown & -shown
                    shown ^= bit
                    square = kernel.bit_index(bit)
                    first += sheet.shares[state, square, word]
                    second += sheet.shares[state, square, word + 1]
                    third += sheet.shares[state, square, word + 2]
        line = word * LINES_PER_WORD
        total += _look_up(first, line, sheet)
        total += _look_up(second, line + LINES_PER_WORD, sheet)
        total += _look_up(third, line + 2 * LINES_PER_WORD, sheet)
    return min(max(total // FINENESS, -LARGEST), LARGEST)
