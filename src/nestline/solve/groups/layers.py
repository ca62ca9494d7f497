"""The ways to fill one layer: all placements of the pieces of one size, numbered.

A family is the fillings with the same numbers of own and of opposing pieces; within it they are
numbered from 0 in the order of `solve.index`. The largest layer is numbered up to symmetry, as a
class. `cut` makes positions of layers.
"""

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.errors import TableError
from nestline.kernel import transform
from nestline.rules.law import Law
from nestline.solve.index import SYMMETRIES
from nestline.threats import Completing, completing_squares

MOST_CODES = 1 << 23
"""The greatest number of pairs of masks in the tables, some 500 MB."""


class Layers(NamedTuple):
    """The fillings of a layer, for all stocks up to a greatest one."""

    board: int
    sizes: int
    width: int
    """How many masks have no more squares than the greatest stock."""
    mask_number: NDArray[np.int32]
    """(2^squares,): the number of a mask; own mask and opposing mask make a filling's code."""
    rank_of: NDArray[np.int32]
    """(8, width^2): the rank in its family of a code viewed through a symmetry."""
    own_of: NDArray[np.int32]
    """(fillings,): own squares, family after family."""
    opp_of: NDArray[np.int32]
    """(fillings,): the opponent's squares."""
    fixed_of: NDArray[np.uint8]
    """(fillings,): the symmetries that fix the filling, as bits."""
    class_of: NDArray[np.int32]
    """(width^2,): the class of a code in its family, when it is that of the largest layer."""
    symmetry_of: NDArray[np.int8]
    """(width^2,): the first symmetry that brings a code into its class's standard form."""
    symmetries_of: NDArray[np.uint8]
    """(width^2,): all such symmetries, as bits."""
    class_own: NDArray[np.int32]
    """(classes,): own squares of the standard form, family after family."""
    class_opp: NDArray[np.int32]
    """(classes,): the opponent's squares of the standard form."""
    class_fixed: NDArray[np.uint8]
    """(classes,): the symmetries that fix the standard form, as bits."""
    completing: Completing
    """The squares that complete a line; see `threats`."""


Families = dict[tuple[int, int], tuple[int, int]]
"""For the numbers of own and opposing pieces: the first filling, and how many there are."""


class Fillings(NamedTuple):
    """The tables, and where each family is in them."""

    layers: Layers
    ranks: Families
    classes: Families


@lru_cache(maxsize=4)
def build_layers(law: Law) -> Fillings:
    """The fillings of every layer of a rule set."""
    squares = law.board**2
    most = max(law.stock)
    masks = [
        sum(1 << square for square in chosen)
        for count in range(most + 1)
        for chosen in combinations(range(squares), count)
    ]
    width = len(masks)
    if width**2 > MOST_CODES:
        raise TableError(
            f"too many pieces of one size for this board: {most} on {squares} squares make "
            f"{width**2:,} pairs of masks; at most {MOST_CODES:,} are possible"
        )
    mask_number = np.full(1 << squares, -1, np.int32)
    mask_number[masks] = np.arange(width)
    mask_of = np.array(masks, np.int64)
    own_number, opp_number = np.nonzero(mask_of[:, None] & mask_of[None, :] == 0)
    owns, opps = mask_of[own_number], mask_of[opp_number]
    ternary = _sum_over_bits(squares, [3**square for square in range(squares)])
    order = np.lexsort(
        (ternary[owns] + 2 * ternary[opps], np.bitwise_count(opps), np.bitwise_count(owns))
    )
    owns, opps = owns[order], opps[order]
    views = [_view(law.board, symmetry) for symmetry in range(SYMMETRIES)]
    images = np.array([ternary[view[owns]] + 2 * ternary[view[opps]] for view in views])
    code = mask_number[owns] + width * mask_number[opps]
    ranks = _families(owns, opps)
    number = np.zeros(width**2, np.int32)
    number[code] = _ranks_in(ranks)
    rank_of = np.zeros((SYMMETRIES, width**2), np.int32)
    for symmetry, view in enumerate(views):
        seen = mask_number[view[owns]] + width * mask_number[view[opps]]
        rank_of[symmetry, code] = number[seen]
    standard = images.argmin(axis=0)
    lowest = images.min(axis=0)
    fixed = _bits(images == images[0])
    symmetry_of = np.zeros(width**2, np.int8)
    symmetry_of[code] = standard
    symmetries_of = np.zeros(width**2, np.uint8)
    symmetries_of[code] = _bits(images == lowest)
    leaders = np.flatnonzero(images[0] == lowest)
    classes = _families(owns[leaders], opps[leaders])
    number[:] = 0
    number[code[leaders]] = _ranks_in(classes)
    class_of = np.zeros(width**2, np.int32)
    for symmetry, view in enumerate(views):
        here = standard == symmetry
        seen = mask_number[view[owns[here]]] + width * mask_number[view[opps[here]]]
        class_of[code[here]] = number[seen]
    layers = Layers(
        board=law.board,
        sizes=law.sizes,
        width=width,
        mask_number=mask_number,
        rank_of=rank_of,
        own_of=owns.astype(np.int32),
        opp_of=opps.astype(np.int32),
        fixed_of=fixed,
        class_of=class_of,
        symmetry_of=symmetry_of,
        symmetries_of=symmetries_of,
        class_own=owns[leaders].astype(np.int32),
        class_opp=opps[leaders].astype(np.int32),
        class_fixed=fixed[leaders],
        completing=completing_squares(law),
    )
    return Fillings(layers, ranks, classes)


def _sum_over_bits(squares: int, terms: list[int]) -> NDArray[np.int64]:
    """For each mask, the sum of the terms of its squares."""
    sums = np.zeros(1 << squares, np.int64)
    masks = np.arange(1 << squares)
    for square, term in enumerate(terms):
        sums += (masks >> square & 1) * term
    return sums


def _view(board: int, symmetry: int) -> NDArray[np.int64]:
    """Each mask through a symmetry."""
    squares = board * board
    return _sum_over_bits(
        squares, [transform(1 << square, symmetry, board) for square in range(squares)]
    )


def _bits(rows: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Eight rows of truth values as the bits of one row."""
    bits: NDArray[np.uint8] = np.packbits(rows, axis=0, bitorder="little")[0]
    return bits


def _families(owns: NDArray[np.int64], opps: NDArray[np.int64]) -> Families:
    """Where each family is among fillings sorted by the numbers of own and opposing pieces."""
    keys = np.bitwise_count(owns).astype(np.int64) * 32 + np.bitwise_count(opps)
    found, firsts, lengths = np.unique(keys, return_index=True, return_counts=True)
    return {
        (int(key) // 32, int(key) % 32): (int(first), int(length))
        for key, first, length in zip(found, firsts, lengths, strict=True)
    }


def _ranks_in(families: Families) -> NDArray[np.int64]:
    """0, 1, … for each family, one after the other."""
    return np.concatenate([np.arange(length) for _, length in families.values()])
