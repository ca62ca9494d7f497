"""The evaluation: how good a position looks to the player to move, from its bitboards.

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
from nestline.compiled import inlined, rare
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

UNITS = 32
"""The hidden units of the network; four of them share a word, so they are added up in parallel."""

UNITS_PER_WORD = 4
UNIT_BITS = 16
UNIT_ZERO = 1 << (UNIT_BITS - 1)
NET_WORDS = UNITS // UNITS_PER_WORD
FULL_UNIT = 256
"""A hidden unit is linear up to here, and then constant; its square counts."""

NET_KINDS = 4
"""The kinds of pieces that the network sees: own and the opponent's visible ones, then own and the
opponent's covered ones."""

RESERVE_OWN, RESERVE_OPP, COVERED_OWN, COVERED_OPP = range(4)
PIECE_TABLES = 4

ROTATIONS = (0, 5, 3, 6)
MIRROR = 1
"""Symmetries by their numbers in the kernel."""

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
    net: (NET_KINDS + 1, 64, NET_WORDS): what each piece adds to the packed hidden units, by its
        kind and its bit; in the last kind, the first row is what they begin with.
    net_out: (UNITS,): the value of each hidden unit; empty if there is no network.
    completing: the squares that complete a line, see `threats`.
    tempo: the value of having the move.
    """

    shares: NDArray[np.int64]
    lines: NDArray[np.int64]
    line_weights: NDArray[np.int16]
    piece_weights: NDArray[np.int16]
    net: NDArray[np.int64]
    net_out: NDArray[np.int16]
    completing: Completing
    tempo: int


OPEN_LINE = (0, 5, 18, 60)
"""By hand: the value of a line with this many own pieces and none of the opponent's."""

BARRED_LINE = (0, 2, 6, 15)
"""By hand: the same if the opponent is in the line too, but not with a largest piece."""

FULL_LINE = 200
TEMPO_BY_HAND = 5 * FINENESS


@inlined
def write_kinds(law: Law, lines: NDArray[np.int64], count: int, kinds: NDArray[np.int64]) -> int:
    """Write the kind of each line, the same for those that a symmetry maps onto each other.

    `lines` are the squares of each line, (MAX_LINES, 4). Return how many kinds there are.
    """
    found = 0
    for number in range(count):
        kinds[number] = found
        standard = _standard_form(lines[number], law)
        for earlier in range(number):
            if _standard_form(lines[earlier], law) == standard:
                kinds[number] = kinds[earlier]
                break
        if kinds[number] == found:
            found += 1
    return found


@inlined
def _standard_form(squares: NDArray[np.int64], law: Law) -> int:
    mask = 0
    for place in range(law.line):
        mask |= 1 << squares[place]
    lowest = mask
    for symmetry in range(1, 8):
        lowest = min(lowest, kernel.transform(mask, symmetry, law.board))
    return lowest


@inlined
def words_of_lines(count: int) -> int:
    """How many words hold the numbers of this many lines."""
    at_once = LINES_PER_WORD * WORDS_AT_ONCE
    return WORDS_AT_ONCE * ((count + at_once - 1) // at_once)


@inlined
def fill_shares(law: Law, lines: NDArray[np.int64], count: int, shares: NDArray[np.int64]) -> None:
    """See `Sheet`; the array is filled with zeros."""
    states = 2 * law.sizes + 1
    for number in range(count):
        word, shift = number // LINES_PER_WORD, number % LINES_PER_WORD * LINE_BITS
        worth = 1
        for place in range(law.line):
            square = lines[number, place]
            for state in range(states):
                shares[state, square, word] += (state * worth) << shift
            worth *= states


@inlined
def count_patterns(law: Law) -> int:
    """How many different things the squares of a line can show together."""
    patterns = 1
    for _ in range(law.line):
        patterns *= 2 * law.sizes + 1
    return patterns


@inlined
def pattern_from_the_end(pattern: int, law: Law) -> int:
    """The same pieces on a line, read from its other end: both have the same weight."""
    states = 2 * law.sizes + 1
    found = 0
    for _ in range(law.line):
        found = found * states + pattern % states
        pattern //= states
    return found


@inlined
def seen_square(square: int, unit: int, board: int) -> int:
    """Where a hidden unit sees a piece of a square. Units come in groups of four, one for each
    rotation of the board, which share their weights, and each has the same weight for a piece and
    its mirror image: so positions that a symmetry maps onto each other have the same value."""
    image = kernel.transform(1 << square, ROTATIONS[unit % len(ROTATIONS)], board)
    return kernel.bit_index(min(image, kernel.transform(image, MIRROR, board)))


@inlined
def weigh_by_hand(
    law: Law, kinds: int, line_weights: NDArray[np.int16], piece_weights: NDArray[np.int16]
) -> None:
    """Weights as a thoughtful beginner would set them: lines (kinds * patterns,), pieces as in
    `Sheet`."""
    patterns = count_patterns(law)
    for pattern in range(patterns):
        worth = _line_by_hand(pattern, law)
        for kind in range(kinds):
            line_weights[kind * patterns + pattern] = worth
    for size in range(1, law.sizes + 1):
        for count in range(COUNTS):
            reserve, covered = 2 * size * count * FINENESS, -3 * count * FINENESS
            piece_weights[RESERVE_OWN, size - 1, count] = reserve
            piece_weights[RESERVE_OPP, size - 1, count] = -reserve
            piece_weights[COVERED_OWN, size - 1, count] = covered
            piece_weights[COVERED_OPP, size - 1, count] = -covered


@inlined
def _line_by_hand(pattern: int, law: Law) -> int:
    """A line with pieces of one player counts for that player, or against where a line loses: more
    pieces and larger ones count more."""
    states = 2 * law.sizes + 1
    own, opp, own_sum, opp_sum, own_largest, opp_largest = 0, 0, 0, 0, False, False
    for _ in range(law.line):
        state = pattern % states
        pattern //= states
        if state > law.sizes:
            opp += 1
            opp_sum += state - law.sizes
            opp_largest = opp_largest or state == 2 * law.sizes
        elif state > 0:
            own += 1
            own_sum += state
            own_largest = own_largest or state == law.sizes
    worth = _pieces_in_line(own, opp, opp_largest, law) - _pieces_in_line(
        opp, own, own_largest, law
    )
    worth = worth * FINENESS + (own_sum - opp_sum) * (FINENESS // 2)
    return -worth if law.misere else worth


@inlined
def _pieces_in_line(one: int, other: int, is_barred_by_largest: bool, law: Law) -> int:
    if one >= law.line:
        return FULL_LINE
    if other == 0:
        return OPEN_LINE[one]
    return 0 if is_barred_by_largest else BARRED_LINE[one]


class Geometry:
    """The lines of a rule set's board, grouped into kinds that symmetries map onto each other.

    >>> from nestline import load_rules
    >>> geometry = Geometry(load_rules("gobblet"))
    >>> len(geometry.lines), geometry.kinds, geometry.patterns
    (10, 3, 6561)
    """

    def __init__(self, rules: RuleSet) -> None:
        self.board, self.sizes = rules.board, rules.sizes
        self.states = 2 * self.sizes + 1
        self.patterns = count_patterns(rules.law)
        self._law = rules.law
        self._lines = np.zeros((kernel.MAX_LINES, 4), np.int64)
        count = kernel.write_lines(rules.law, self._lines)
        self.lines = tuple(map(tuple, self._lines[:count, : rules.line].tolist()))
        kinds = np.zeros(kernel.MAX_LINES, np.int64)
        self.kinds = write_kinds(rules.law, self._lines, count, kinds)
        self.kind_of: list[int] = kinds[:count].tolist()

    def shares(self) -> NDArray[np.int64]:
        """See `Sheet`."""
        count = len(self.lines)
        shares = np.zeros((self.states, 16, words_of_lines(count)), np.int64)
        fill_shares(self._law, self._lines, count, shares)
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
def pack_net(rows: NDArray[np.int16], bias: NDArray[np.int16], net: NDArray[np.int64]) -> None:
    """Fill `Sheet.net` from the weights of the hidden units: rows (NET_KINDS, 64, UNITS), bias
    (UNITS,)."""
    for word in range(NET_WORDS):
        start = 0
        for index in range(UNITS_PER_WORD):
            unit = word * UNITS_PER_WORD + index
            start += (bias[unit] + UNIT_ZERO) << (UNIT_BITS * index)
        net[NET_KINDS, 0, word] = start
        for kind in range(NET_KINDS):
            for piece in range(64):
                packed = 0
                for index in range(UNITS_PER_WORD):
                    unit = word * UNITS_PER_WORD + index
                    packed += rows[kind, piece, unit] << (UNIT_BITS * index)
                net[kind, piece, word] = packed


@inlined
def _units_value(packed: int, word: int, sheet: Sheet) -> int:
    """What the hidden units of a word are worth, times `FULL_UNIT` squared."""
    value = 0
    for index in range(UNITS_PER_WORD):
        unit = ((packed >> (UNIT_BITS * index)) & 0xFFFF) - UNIT_ZERO
        unit = min(max(unit, 0), FULL_UNIT)
        value += unit * unit * sheet.net_out[word * UNITS_PER_WORD + index]
    return value


@inlined
def _network(own: int, opp: int, own_shown: int, opp_shown: int, sheet: Sheet) -> int:
    """What the network says: a hidden layer over all pieces, then a weighted sum."""
    if len(sheet.net_out) == 0:
        return 0
    net = sheet.net
    one, two, three, four = net[4, 0, 0], net[4, 0, 1], net[4, 0, 2], net[4, 0, 3]
    five, six, seven, eight = net[4, 0, 4], net[4, 0, 5], net[4, 0, 6], net[4, 0, 7]
    for kind in range(NET_KINDS):
        pieces = own_shown
        if kind == 1:
            pieces = opp_shown
        elif kind == 2:
            pieces = own & ~own_shown
        elif kind == 3:
            pieces = opp & ~opp_shown
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            piece = kernel.popcount(bit - 1)
            one += net[kind, piece, 0]
            two += net[kind, piece, 1]
            three += net[kind, piece, 2]
            four += net[kind, piece, 3]
            five += net[kind, piece, 4]
            six += net[kind, piece, 5]
            seven += net[kind, piece, 6]
            eight += net[kind, piece, 7]
    value = _units_value(one, 0, sheet) + _units_value(two, 1, sheet)
    value += _units_value(three, 2, sheet) + _units_value(four, 3, sheet)
    value += _units_value(five, 4, sheet) + _units_value(six, 5, sheet)
    value += _units_value(seven, 6, sheet) + _units_value(eight, 7, sheet)
    return value // (FULL_UNIT * FULL_UNIT)


@inlined
def evaluate(own: int, opp: int, own_shown: int, opp_shown: int, law: Law, sheet: Sheet) -> int:
    """The value of the position for the player to move; visible pieces come as bitboards."""
    total = sheet.tempo + _network(own, opp, own_shown, opp_shown, sheet)
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


@rare
def evaluate_apart(
    own: int, opp: int, own_shown: int, opp_shown: int, law: Law, sheet: Sheet
) -> int:
    """`evaluate`, called instead of inlined: for places where that would cost more bytes in the
    page's module than it saves time."""
    return evaluate(own, opp, own_shown, opp_shown, law, sheet)
