"""The cut of all placements into groups, and where each entry lies.

A group is the placements with the same numbers of own and opposing pieces of each size. A move on
the board leads to the group with the colours swapped, and placing a piece to a group with one piece
more. Groups with the same number of pieces are a slice. An entry is known by its group and its
number there: the class of the largest layer and the ranks of the others, the smallest varying
fastest. Where it lies in memory follows from the group's base and strides, so one code serves two
layouts: the whole index of `solve.index`, or dense slices of which two suffice.
"""

import math
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import layer
from nestline.rules.law import LAYER_BITS, Law
from nestline.solve.groups.layers import Families, Fillings, Layers

NONE = -1
"""In place of a group that does not exist."""

Codes = tuple[int, int, int]


class Groups(NamedTuple):
    """All groups of a rule set, those with few pieces first; the second axis is the size - 1."""

    base: NDArray[np.int64]
    """(groups,): where the first entry lies."""
    strides: NDArray[np.int64]
    """(groups, 4): the distance between entries that differ by one in that layer's rank."""
    lengths: NDArray[np.int64]
    """(groups, 4): the number of ranks, or classes of the largest layer."""
    firsts: NDArray[np.int64]
    """(groups, 4): the family's place in `Layers.own_of`, or `class_own` for the largest layer."""
    rows: NDArray[np.int64]
    """(groups,): how many rows, runs of entries that differ only in the smallest of several sizes,
    the group has."""
    own: NDArray[np.int64]
    """(groups, 4): own pieces on the board."""
    opp: NDArray[np.int64]
    """(groups, 4): the opponent's."""
    swapped: NDArray[np.int32]
    """(groups,): the group with the colours swapped, in which a move on the board ends."""
    placed: NDArray[np.int32]
    """(groups, 4): the group in which placing a piece of that size ends."""
    taken: NDArray[np.int32]
    """(groups, 4): the group before the opponent placed a piece of that size."""


class Slice(NamedTuple):
    """The groups with one number of pieces."""

    pieces: int
    first: int
    stop: int
    """The numbers of its groups."""
    row_ends: NDArray[np.int64]
    """(groups,): the rows of the slice up to the end of each group."""
    entries: int


class Cut(NamedTuple):
    """The groups of a rule set in one layout."""

    law: Law
    layers: Layers
    groups: Groups
    slices: tuple[Slice, ...]
    """By number of pieces, from none to all."""
    entries: int
    """Of all groups together; in the whole layout, of the index."""
    is_whole: bool


def is_group(own: tuple[int, ...], opp: tuple[int, ...], law: Law, *, whole: bool) -> bool:
    """Whether these numbers of pieces can be on the board by the reserve and by taking turns.

    The whole layout has those that cannot arise by taking turns, too.
    """
    if law.nested:
        for side in (own, opp):
            if any(smaller > larger for smaller, larger in pairwise(side)):
                return False
    return whole or law.moving != 0 or 0 <= sum(opp) - sum(own) <= 1


def cut(law: Law, fillings: Fillings, *, whole: bool = False) -> Cut:
    """The groups of a rule set."""
    layers, ranks, classes = fillings
    sizes = law.sizes
    choices = [range(stock + 1) for stock in law.stock[:sizes]]
    families = [ranks] * (sizes - 1) + [classes]
    sides = list(product(*choices))
    keys = [
        (own, opp)
        for own in sides
        for opp in sides
        if is_group(own, opp, law, whole=whole)
        and all((a, b) in family for a, b, family in zip(own, opp, families, strict=True))
    ]
    keys.sort(key=lambda key: sum(key[0]) + sum(key[1]))
    number = {key: place for place, key in enumerate(keys)}
    groups = Groups(
        base=np.zeros(len(keys), np.int64),
        strides=np.zeros((len(keys), 4), np.int64),
        lengths=np.ones((len(keys), 4), np.int64),
        firsts=np.zeros((len(keys), 4), np.int64),
        rows=np.ones(len(keys), np.int64),
        own=np.zeros((len(keys), 4), np.int64),
        opp=np.zeros((len(keys), 4), np.int64),
        swapped=np.full(len(keys), NONE, np.int32),
        placed=np.full((len(keys), 4), NONE, np.int32),
        taken=np.full((len(keys), 4), NONE, np.int32),
    )
    totals = [_of_stock(family, stock) for family, stock in zip(families, law.stock, strict=False)]
    next_base: dict[int, int] = {}
    for place, (own, opp) in enumerate(keys):
        groups.own[place, :sizes] = own
        groups.opp[place, :sizes] = opp
        groups.swapped[place] = number.get((opp, own), NONE)
        found = [families[size][own[size], opp[size]] for size in range(sizes)]
        groups.firsts[place, :sizes] = [first for first, _ in found]
        lengths = [length for _, length in found]
        groups.lengths[place, :sizes] = lengths
        groups.rows[place] = math.prod(lengths[1:]) if sizes > 1 else lengths[0]
        if whole:
            groups.strides[place, :sizes] = [math.prod(totals[:size]) for size in range(sizes)]
            groups.base[place] = sum(
                _before(families[size], law.stock[size], own[size], opp[size])
                * math.prod(totals[:size])
                for size in range(sizes)
            )
        else:
            pieces = sum(own) + sum(opp)
            groups.strides[place, :sizes] = [math.prod(lengths[:size]) for size in range(sizes)]
            groups.base[place] = next_base.get(pieces, 0)
            next_base[pieces] = int(groups.base[place]) + math.prod(lengths)
        for size in range(sizes):
            groups.placed[place, size] = number.get((opp, _changed(own, size, 1)), NONE)
            groups.taken[place, size] = number.get((_changed(opp, size, -1), own), NONE)
    slices = []
    for pieces in range(2 * sum(law.stock) + 1):
        inside = [place for place, key in enumerate(keys) if sum(key[0]) + sum(key[1]) == pieces]
        first, stop = (inside[0], inside[-1] + 1) if inside else (0, 0)
        entries = int(groups.lengths[first:stop].prod(axis=1).sum())
        slices.append(Slice(pieces, first, stop, np.cumsum(groups.rows[first:stop]), entries))
    entries = math.prod(totals) if whole else sum(part.entries for part in slices)
    return Cut(law, layers, groups, tuple(slices), entries, whole)


def _of_stock(families: Families, stock: int) -> int:
    """How many fillings the families within a stock have."""
    return sum(
        length for (own, opp), (_, length) in families.items() if own <= stock and opp <= stock
    )


def _before(families: Families, stock: int, own: int, opp: int) -> int:
    """How many fillings within the stock come before this family."""
    return sum(
        length
        for (a, b), (_, length) in families.items()
        if a <= stock and b <= stock and (a, b) < (own, opp)
    )


def _changed(counts: tuple[int, ...], size: int, by: int) -> tuple[int, ...]:
    return (*counts[:size], counts[size] + by, *counts[size + 1 :])


@inlined
def row_words(row: int, group: int, layers: Layers, groups: Groups) -> tuple[int, int, int]:
    """The pieces of all entries of a row, as the words of the player to move and of the other, and
    where the row lies. With one size the row is a single entry."""
    own = 0
    opp = 0
    address = int(groups.base[group])
    for size in range(2, layers.sizes):
        length = groups.lengths[group, size - 1]
        rank = row % length
        row //= length
        place = groups.firsts[group, size - 1] + rank
        own |= int(layers.own_of[place]) << (LAYER_BITS * (size - 1))
        opp |= int(layers.opp_of[place]) << (LAYER_BITS * (size - 1))
        address += rank * groups.strides[group, size - 1]
    top = layers.sizes - 1
    place = groups.firsts[group, top] + row
    own |= int(layers.class_own[place]) << (LAYER_BITS * top)
    opp |= int(layers.class_opp[place]) << (LAYER_BITS * top)
    return own, opp, address + row * groups.strides[group, top]


@inlined
def row_length(group: int, layers: Layers, groups: Groups) -> int:
    """How many entries a row of the group has."""
    return int(groups.lengths[group, 0]) if layers.sizes > 1 else 1


@inlined
def entry_words(number: int, group: int, layers: Layers, groups: Groups) -> tuple[int, int, int]:
    """The words of an entry, and where it lies."""
    if layers.sizes == 1:
        return row_words(number, group, layers, groups)
    length = int(groups.lengths[group, 0])
    row = number // length
    rank = number - row * length
    own, opp, address = row_words(row, group, layers, groups)
    place = groups.firsts[group, 0] + rank
    return own | int(layers.own_of[place]), opp | int(layers.opp_of[place]), address + rank


@inlined
def code_of(own: int, opp: int, size: int, layers: Layers) -> int:
    """The code of one layer of a position."""
    first = int(layers.mask_number[layer(own, size)])
    return first + layers.width * int(layers.mask_number[layer(opp, size)])


@inlined
def standard_symmetry(own: int, opp: int, layers: Layers) -> int:
    """The symmetry through which `address_of` views the smaller layers."""
    return int(layers.symmetry_of[code_of(own, opp, layers.sizes, layers)])


@inlined
def smaller_codes(own: int, opp: int, layers: Layers) -> Codes:
    """The codes of the layers of sizes 1 to 3; those below the largest go to `address_with`."""
    return (
        code_of(own, opp, 1, layers), code_of(own, opp, 2, layers), code_of(own, opp, 3, layers)
    )  # fmt: skip


@inlined
def address_with(
    code: int, codes: Codes, symmetry: int, group: int, layers: Layers, groups: Groups
) -> int:
    """`address_through`, given the code of the largest layer and the `smaller_codes`.

    Written without a loop, so that what does not change from move to move stays in registers.
    """
    top = layers.sizes
    first, second, third = codes
    address = int(groups.base[group]) + int(layers.class_of[code]) * int(
        groups.strides[group, top - 1]
    )
    if top > 1:
        address += int(layers.rank_of[symmetry, first]) * int(groups.strides[group, 0])
    if top > 2:
        address += int(layers.rank_of[symmetry, second]) * int(groups.strides[group, 1])
    if top > 3:
        address += int(layers.rank_of[symmetry, third]) * int(groups.strides[group, 2])
    return address


@inlined
def address_through(
    own: int, opp: int, symmetry: int, group: int, layers: Layers, groups: Groups
) -> int:
    """Where the position lies when its largest layer comes into standard form by a symmetry."""
    code = code_of(own, opp, layers.sizes, layers)
    return address_with(code, smaller_codes(own, opp, layers), symmetry, group, layers, groups)


@inlined
def address_of(own: int, opp: int, group: int, layers: Layers, groups: Groups) -> int:
    """Where a position of a group lies."""
    symmetry = standard_symmetry(own, opp, layers)
    return address_through(own, opp, symmetry, group, layers, groups)


@inlined
def group_of_row(row: int, first: int, row_ends: NDArray[np.int64]) -> int:
    """The group of a row of a slice whose first group is `first`."""
    low = 0
    high = row_ends.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if row < row_ends[middle]:
            high = middle
        else:
            low = middle + 1
    return first + low
