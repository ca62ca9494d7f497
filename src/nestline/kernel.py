"""The rules of the games, on integers: moves, lines, results, symmetries, perft.

A player's pieces are one bit board, a 64-bit word: four layers of 16 bits, the smallest size
lowest; in a layer bit `row * board + column` is a square. A position is two such words, `own` for
the player to move and `opp` for the other; the reserve follows from them. A move is one number,
`source * 16 + target`, where a source below 4 is the reserve of size `source + 1` and any other one
is the square `source - 4` on the board. Differences in rules come as the numbers of a `Law`; no
function here knows a game's name. Everything compiles for the CPU and, called from CUDA kernels,
for a GPU: no Python objects, no allocation. Words are signed, since numba mixes signed and unsigned
numbers badly; the masks after the right shifts undo the sign extension.

`game` has the rules of a game in progress (repetition, touching, agreement).
"""

import numpy as np
import numpy.typing as npt

from nestline.compiled import compiled
from nestline.rules.law import EMPTY, SMALLER, Law
from nestline.rules.law import LAYER_BITS as LAYER_BITS

LAYER = (1 << LAYER_BITS) - 1
ALL_BUT_TOP_LAYER = (1 << 48) - 1
ONE_PER_LAYER = 0x0001_0001_0001_0001
TWO_MASKS = 0x0000_0001_0000_0001

FIRST_BOARD_SOURCE = 4
"""Sources below this number are the reserve, by size; from here on they are squares."""

MAX_MOVES = 320
"""Room for the moves of any position: 20 sources, 16 targets."""

MAX_LINES = 42
"""Room for the lines of any board: a 4x4 one has this many of length 2."""

Moves = npt.NDArray[np.integer]

# The state of a position. LINE: the player who has just moved wins; REVEAL: the one to move does.
ONGOING, LINE, REVEAL, ALL_PLACED, BOARD_FULL, NO_MOVE_LOSES, NO_MOVE_DRAWS = range(7)


@compiled
def popcount(word: int) -> int:
    """Number of bits set in a word."""
    word = word - ((word >> 1) & 0x5555_5555_5555_5555)
    word = (word & 0x3333_3333_3333_3333) + ((word >> 2) & 0x3333_3333_3333_3333)
    word = (word + (word >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    return (word * 0x0101_0101_0101_0101) >> 56


@compiled
def bit_index(bit: int) -> int:
    """Number of the only bit set in a 16-bit mask."""
    return popcount(bit - 1)


@compiled
def layer(word: int, size: int) -> int:
    """Mask of the squares that hold a piece of this size (1 to 4), visible or not."""
    return (word >> (LAYER_BITS * (size - 1))) & LAYER


@compiled
def piece(size: int, square: int) -> int:
    """The word with this one piece."""
    return 1 << (LAYER_BITS * (size - 1) + square)


@compiled
def squares_of(word: int) -> int:
    """Mask of the squares with a piece of any size in the word."""
    word |= word >> 32
    word |= word >> 16
    return word & LAYER


@compiled
def under_larger(both: int) -> int:
    """In each layer, the squares that hold a larger piece in the word of both players."""
    above = (both >> 16) & ALL_BUT_TOP_LAYER
    above |= above >> 16
    return above | above >> 32


@compiled
def visible(own: int, opp: int) -> int:
    """The pieces of `own` on top of their stacks, as a word."""
    return own & ~under_larger(own | opp)


@compiled
def landings(own: int, opp: int, law: Law) -> int:
    """In each layer, the squares that are empty or show a smaller piece."""
    both = own | opp
    return ~(both | under_larger(both)) & (law.all_squares * ONE_PER_LAYER)


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
    """Nonzero if the squares of a mask contain a full line.

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
def has_line(mask: int, law: Law) -> bool:
    """Whether the squares of one mask contain a full line."""
    return full_lines(mask, law) != 0


@compiled
def _write_lines(lines: Moves, count: int, starts: int, step: int, line: int) -> int:
    """Append the lines of one direction; return how many there are now."""
    while starts:
        start = bit_index(starts & -starts)
        starts &= starts - 1
        for index in range(line):
            lines[count, index] = start + index * step
        count += 1
    return count


@compiled
def write_lines(law: Law, lines: Moves) -> int:
    """Write the squares of each line into a row of `lines`, (MAX_LINES, 4); return how many.

    They come in the order of `RuleSet.line_squares`.
    """
    board, line = law.board, law.line
    count = _write_lines(lines, 0, law.row_starts, 1, line)
    if line > 1:  # A single square is the same line in every direction.
        count = _write_lines(lines, count, law.column_starts, board, line)
        count = _write_lines(lines, count, law.rising_starts, board + 1, line)
        count = _write_lines(lines, count, law.falling_starts, board - 1, line)
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


@compiled
def threatening(mask: int, law: Law) -> int:
    """The squares of the mask on a line that is one square short."""
    board, line = law.board, law.line
    return (
        _all_but_one(mask, law.row_starts, 1, line)
        | _all_but_one(mask, law.column_starts, board, line)
        | _all_but_one(mask, law.rising_starts, board + 1, line)
        | _all_but_one(mask, law.falling_starts, board - 1, line)
    )


@compiled
def pieces_each(law: Law) -> int:
    """How many pieces each player has, on the board and in the reserve."""
    pieces = 0
    for size in range(law.sizes):
        pieces += law.stock[size]
    return pieces


@compiled
def takeable(own: int, size: int, law: Law) -> int:
    """How many pieces of this size can be taken from the reserve now."""
    placed = popcount(layer(own, size))
    if law.nested and size < law.sizes:
        # A stack shows this size when its next larger piece has left and this one has not.
        return popcount(layer(own, size + 1)) - placed
    return law.stock[size - 1] - placed


@compiled
def in_reserve(own: int, size: int, law: Law) -> bool:
    """Whether a piece of this size can be taken from the reserve now."""
    return takeable(own, size, law) > 0


@compiled
def placing_squares(own: int, opp: int, law: Law) -> int:
    """In each layer, the squares where a new piece may be placed."""
    free = landings(own, opp, law)
    if law.place_onto == SMALLER:
        return free
    allowed = ~squares_of(own | opp) & LAYER
    if law.place_onto != EMPTY and popcount(opp) >= law.line - 1:  # Otherwise nothing can threaten.
        allowed |= threatening(squares_of(visible(opp, own)), law)
    return free & (allowed * ONE_PER_LAYER)


@compiled
def _targets_from(origin: int, shown: int, free: int, law: Law) -> int:
    """Mask of the squares to which the visible piece on a square, given as its bit, may move."""
    for size in range(1, law.sizes + 1):
        if layer(shown, size) & origin:
            return layer(free, size) | (origin if law.same_square else 0)
    return 0


@compiled
def legal_moves(own: int, opp: int, law: Law, moves: Moves) -> int:
    """Write the legal moves into the array `moves`, in ascending order; return how many.

    Lines are not checked: a finished game has no moves, and the caller checks `outcome` for that.
    """
    count = 0
    placing = placing_squares(own, opp, law)
    for size in range(1, law.sizes + 1):
        if in_reserve(own, size, law):
            targets = layer(placing, size)
            while targets:
                target = targets & -targets
                targets ^= target
                moves[count] = (size - 1) * 16 + bit_index(target)
                count += 1
    if law.moving:
        shown = visible(own, opp)
        free = landings(own, opp, law)
        origins = squares_of(shown)
        while origins:
            origin = origins & -origins
            origins ^= origin
            targets = _targets_from(origin, shown, free, law)
            source = FIRST_BOARD_SOURCE + bit_index(origin)
            while targets:
                target = targets & -targets
                targets ^= target
                moves[count] = source * 16 + bit_index(target)
                count += 1
    return count


@compiled
def count_moves(own: int, opp: int, law: Law) -> int:
    """How many moves `legal_moves` would write."""
    count = 0
    placing = placing_squares(own, opp, law)
    shown = visible(own, opp) * law.moving
    free = landings(own, opp, law)
    for size in range(1, law.sizes + 1):
        count += in_reserve(own, size, law) * popcount(layer(placing, size))
        movers = popcount(layer(shown, size))
        count += movers * (popcount(layer(free, size)) + law.same_square)
    return count


@compiled
def targets_of(source: int, own: int, shown: int, free: int, placing: int, law: Law) -> int:
    """Mask of the squares to which a piece may go from a source; any number is valid as the source.

    `shown`, `free` and `placing` are the words of `visible`, `landings` and `placing_squares`.
    """
    if 0 <= source < law.sizes:
        return layer(placing, source + 1) if in_reserve(own, source + 1, law) else 0
    square = source - FIRST_BOARD_SOURCE
    if law.moving and 0 <= square < law.board * law.board:
        return _targets_from(1 << square, shown, free, law)
    return 0


@compiled
def is_legal(own: int, opp: int, move: int, law: Law) -> bool:
    """Whether `legal_moves` would write this move; any number is valid as the move."""
    shown = visible(own, opp)
    free = landings(own, opp, law)
    placing = placing_squares(own, opp, law)
    return targets_of(move >> 4, own, shown, free, placing, law) >> (move & 15) & 1 != 0


@compiled
def _nth_bit(mask: int, number: int) -> int:
    """Index of the bit of a mask that has this many set bits below it."""
    for _ in range(number):
        mask &= mask - 1
    return bit_index(mask & -mask)


@compiled
def nth_move(own: int, opp: int, number: int, law: Law) -> int:
    """The move that `legal_moves` would write at this index; -1 if there are fewer."""
    placing = placing_squares(own, opp, law)
    for size in range(1, law.sizes + 1):
        if in_reserve(own, size, law):
            targets = layer(placing, size)
            count = popcount(targets)
            if number < count:
                return (size - 1) * 16 + _nth_bit(targets, number)
            number -= count
    if law.moving:
        shown = visible(own, opp)
        free = landings(own, opp, law)
        origins = squares_of(shown)
        while origins:
            origin = origins & -origins
            origins ^= origin
            targets = _targets_from(origin, shown, free, law)
            count = popcount(targets)
            if number < count:
                return (FIRST_BOARD_SOURCE + bit_index(origin)) * 16 + _nth_bit(targets, number)
            number -= count
    return -1


@compiled
def play(own: int, move: int) -> int:
    """The mover's word after a legal move; the opponent's word never changes."""
    source = move >> 4
    target = move & 15
    if source < FIRST_BOARD_SOURCE:
        return own | piece(source + 1, target)
    origin = source - FIRST_BOARD_SOURCE
    size = 4
    while own & piece(size, origin) == 0:
        size -= 1
    return own & ~piece(size, origin) | piece(size, target)


@compiled
def decision(own: int, opp: int, law: Law) -> int:
    """LINE, REVEAL or ONGOING: what the lines on the board say after a move of `opp`."""
    covered = under_larger(own | opp)
    lines = full_lines(squares_of(own & ~covered) | squares_of(opp & ~covered) << 32, law)
    if lines == 0:
        return ONGOING
    if lines >> 32 and (law.mover_wins_both or lines & LAYER == 0):
        return LINE
    return REVEAL


@compiled
def dangerous_moves(own: int, opp: int, law: Law, moves: Moves) -> int:
    """Write the legal moves that lose at once by revealing a line; return how many."""
    count = 0
    for index in range(legal_moves(own, opp, law, moves)):
        move = moves[index]
        if move >> 4 >= FIRST_BOARD_SOURCE and decision(opp, play(own, move), law) == REVEAL:
            moves[count] = move
            count += 1
    return count


@compiled
def draw(own: int, opp: int, law: Law) -> int:
    """ALL_PLACED, BOARD_FULL or ONGOING: what the pieces say where nobody has a line."""
    if law.draw_all_placed and popcount(own) + popcount(opp) == 2 * pieces_each(law):
        return ALL_PLACED
    if law.draw_board_full and squares_of(own | opp) == law.all_squares:
        return BOARD_FULL
    return ONGOING


@compiled
def outcome(own: int, opp: int, law: Law) -> int:
    """The outcome of a position by itself: lines, then draws, then a player without moves."""
    state = decision(own, opp, law)
    if state == ONGOING:
        state = draw(own, opp, law)
    if state == ONGOING and count_moves(own, opp, law) == 0:
        return NO_MOVE_DRAWS if law.no_move_draws else NO_MOVE_LOSES
    return state


@compiled
def perft(own: int, opp: int, law: Law, depth: int, moves: Moves) -> int:
    """Number of sequences of this many moves from a position without lines; lines end games early.

    `moves` is scratch for the moves of each ply, an array of shape (depth, MAX_MOVES).
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(own, opp, law)
    nodes = 0
    room = moves[depth - 1]
    for index in range(legal_moves(own, opp, law, room)):
        after = play(own, room[index])
        if decision(opp, after, law) == ONGOING:
            if depth == 2:
                nodes += count_moves(opp, after, law)
            else:
                nodes += perft(opp, after, law, depth - 1, moves)
    return nodes


@compiled
def _mirror_columns(word: int, board: int) -> int:
    column = 0
    for row in range(board):
        column |= 1 << (row * board)
    column *= ONE_PER_LAYER
    result = 0
    for index in range(board):
        result |= ((word >> index) & column) << (board - 1 - index)
    return result


@compiled
def _mirror_rows(word: int, board: int) -> int:
    row = ((1 << board) - 1) * ONE_PER_LAYER
    result = 0
    for index in range(board):
        result |= ((word >> (index * board)) & row) << ((board - 1 - index) * board)
    return result


@compiled
def _transpose(word: int, board: int) -> int:
    result = 0
    for row in range(board):
        for column in range(board):
            result |= ((word >> (row * board + column)) & ONE_PER_LAYER) << (column * board + row)
    return result


@compiled
def transform(word: int, symmetry: int, board: int) -> int:
    """The word under one of the eight symmetries of the square, 0 being the identity."""
    if symmetry & 4:
        word = _transpose(word, board)
    if symmetry & 1:
        word = _mirror_columns(word, board)
    if symmetry & 2:
        word = _mirror_rows(word, board)
    return word


@compiled
def canonical_symmetry(own: int, opp: int, board: int) -> int:
    """The symmetry that gives the smallest pair of words, the same pair for all images."""
    best = 0
    best_own, best_opp = own, opp
    for symmetry in range(1, 8):
        other_own = transform(own, symmetry, board)
        other_opp = transform(opp, symmetry, board)
        if other_own < best_own or (other_own == best_own and other_opp < best_opp):
            best, best_own, best_opp = symmetry, other_own, other_opp
    return best
