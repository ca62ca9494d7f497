"""Bitboards: a player's pieces as one 64-bit word, and what can be told without the rules.

A word has four layers of 16 bits, the smallest size lowest; in a layer bit `row * board + column`
is a square. Words are signed, since numba mixes signed and unsigned numbers badly; the masks after
the right shifts undo the sign extension. `kernel` has the rules.
"""

from nestline.compiled import compiled
from nestline.rules.law import LAYER_BITS

LAYER = (1 << LAYER_BITS) - 1
ALL_BUT_TOP_LAYER = (1 << 48) - 1
ONE_PER_LAYER = 0x0001_0001_0001_0001


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
def over_smaller(word: int) -> int:
    """In each layer, the squares that hold a smaller piece in the word."""
    below = word << 16
    below |= below << 16
    return below | below << 32


@compiled
def visible(own: int, opp: int) -> int:
    """The pieces of `own` on top of their stacks, as a word."""
    return own & ~under_larger(own | opp)


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
