"""The transposition table: what the search remembers about positions, shared by all its threads.

An entry is two words: the key of a position XORed with the data, and the data. Threads write
without locks; an entry torn between two writers no longer matches its key and is not found.
Positions that a symmetry maps onto each other share an entry where the caller asks for it by
passing the symmetry. Threads also mark here the moves they are searching.
"""

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.threats import NO_MOVE

EXACT, AT_LEAST, AT_MOST = range(3)
"""What a stored score is: exact, or a bound."""

ENTRIES_PER_BUCKET = 4
BYTES_PER_BUCKET = 16 * ENTRIES_PER_BUCKET

MARKS = 1 << 14
"""Room for this many marks; an overwritten mark only costs time."""

GENERATIONS = 64
AGE_WORTH = 4
"""Aging: each search since an entry was written makes it count as this many plies shallower."""

_MOVE_BITS, _BOUND_BITS, _DEPTH_BITS, _SCORE_BITS = 9, 2, 7, 16
_BOUND_SHIFT = _MOVE_BITS
_DEPTH_SHIFT = _BOUND_SHIFT + _BOUND_BITS
_SCORE_SHIFT = _DEPTH_SHIFT + _DEPTH_BITS
_GENERATION_SHIFT = _SCORE_SHIFT + _SCORE_BITS
_SCORE_ZERO = 1 << (_SCORE_BITS - 1)

Table = NDArray[np.int64]
"""Shape (buckets, ENTRIES_PER_BUCKET, 2); the number of buckets is a power of two."""


def make_table(mebibytes: int) -> Table:
    """An empty table that takes at most this much memory."""
    buckets = 1 << ((mebibytes << 20) // BYTES_PER_BUCKET).bit_length() - 1
    return np.zeros((buckets, ENTRIES_PER_BUCKET, 2), np.int64)


@inlined
def key_of(own: int, opp: int, symmetry: int, board: int) -> int:
    """The hash key of a position under a symmetry; never 0 in practice."""
    if symmetry:
        own = kernel.transform(own, symmetry, board)
        opp = kernel.transform(opp, symmetry, board)
    one = (own ^ (own >> 29)) * 0x1E3779B97F4A7C15
    two = (opp ^ (opp >> 31)) * 0x42B2AE3D27D4EB4F
    mixed = (one ^ (one >> 32)) + two * 5
    mixed = (mixed ^ (mixed >> 30)) * 0x3F58476D1CE4E5B9
    return mixed ^ (mixed >> 27)


@inlined
def find(table: Table, key: int) -> int:
    """The data of a position, for the functions below to decode; 0 if there is none."""
    bucket = key & (table.shape[0] - 1)
    for index in range(ENTRIES_PER_BUCKET):
        known: int = table[bucket, index, 1]
        if table[bucket, index, 0] ^ known == key:
            return known
    return 0


@inlined
def move_in(known: int) -> int:
    return known & ((1 << _MOVE_BITS) - 1)


@inlined
def bound_in(known: int) -> int:
    return (known >> _BOUND_SHIFT) & ((1 << _BOUND_BITS) - 1)


@inlined
def depth_in(known: int) -> int:
    return (known >> _DEPTH_SHIFT) & ((1 << _DEPTH_BITS) - 1)


@inlined
def score_in(known: int) -> int:
    return ((known >> _SCORE_SHIFT) & ((1 << _SCORE_BITS) - 1)) - _SCORE_ZERO


@inlined
def keep(
    table: Table, key: int, score: int, depth: int, bound: int, move: int, generation: int
) -> None:
    """Store a position over its old entry, or over the least valuable one in its bucket."""
    bucket = key & (table.shape[0] - 1)
    place = 0
    least = 1 << 30
    for index in range(ENTRIES_PER_BUCKET):
        known = table[bucket, index, 1]
        if known == 0 or table[bucket, index, 0] ^ known == key:
            place = index
            break
        age = (generation - (known >> _GENERATION_SHIFT)) & (GENERATIONS - 1)
        worth = depth_in(known) - AGE_WORTH * age
        if worth < least:
            least = worth
            place = index
    known = (
        move
        | bound << _BOUND_SHIFT
        | depth << _DEPTH_SHIFT
        | (score + _SCORE_ZERO) << _SCORE_SHIFT
        | generation << _GENERATION_SHIFT
    )
    table[bucket, place, 0] = key ^ known
    table[bucket, place, 1] = known


@inlined
def move_through(move: int, symmetry: int, board: int) -> int:
    """The move under a symmetry."""
    if symmetry == 0 or move == NO_MOVE:
        return move
    source, target = move >> 4, move & 15
    if source >= kernel.FIRST_BOARD_SOURCE:
        origin = kernel.transform(1 << (source - kernel.FIRST_BOARD_SOURCE), symmetry, board)
        source = kernel.FIRST_BOARD_SOURCE + kernel.bit_index(origin)
    return source * 16 + kernel.bit_index(kernel.transform(1 << target, symmetry, board))


@inlined
def inverse(symmetry: int) -> int:
    """The inverse of a symmetry: all but the two quarter turns are their own."""
    if symmetry == 5:
        return 6
    return 5 if symmetry == 6 else symmetry


# The moves that threads are searching.


def make_marks() -> NDArray[np.int64]:
    """Empty room for the marks of moves that are being searched."""
    return np.zeros(MARKS, np.int64)


@inlined
def mark_of(key: int, move: int, depth: int) -> int:
    """The mark of a move in the position of this key, searched to a depth."""
    return key ^ (move + 1) * 0x3F58476D1CE4E5B9 ^ depth * 0x1E3779B97F4A7C15


@inlined
def is_busy(marks: NDArray[np.int64], mark: int) -> bool:
    found: int = marks[mark & (MARKS - 1)]
    return found == mark


@inlined
def set_busy(marks: NDArray[np.int64], mark: int) -> None:
    marks[mark & (MARKS - 1)] = mark


@inlined
def set_idle(marks: NDArray[np.int64], mark: int) -> None:
    marks[mark & (MARKS - 1)] = 0
