"""Numbering the positions of a game too large for the index: slice after slice, as solved.

The slice of full boards comes first, and each slice begins with a new block of the tablebase, so
that it can be written while the next one is being solved. Within a slice the entries lie as `cut`
lays them out. `table` looks numbers up, `build` writes them.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import layer, popcount
from nestline.rules.law import Law
from nestline.solve.classify import classify, is_possible
from nestline.solve.entry import IMPOSSIBLE, OPEN
from nestline.solve.groups.cut import NONE, Cut, Groups, address_through, code_of, cut
from nestline.solve.groups.layers import Layers, build_layers
from nestline.solve.index import SYMMETRIES, is_placement


class Places(NamedTuple):
    """Where positions are: in a tablebase or, with the bases of `cut`, in their slice."""

    layers: Layers
    groups: Groups
    group_at: NDArray[np.int32]
    """The group with given numbers of pieces, which are read as the digits of a place in this
    array; NONE where there is no such group."""


class SliceNumbering(NamedTuple):
    """The numbers of all positions of a rule set."""

    work: Cut
    places: Places
    """With the bases of a tablebase."""
    starts: tuple[int, ...]
    """The number of the first entry of each slice of `work`."""
    entries: int
    """All numbers, with those that fill up the last block of each slice."""


@inlined
def group_of(own: int, opp: int, law: Law, group_at: NDArray[np.int32]) -> int:
    """The group of a position within the stock."""
    place = 0
    for size in range(1, law.sizes + 1):
        base = law.stock[size - 1] + 1
        place = place * base + popcount(layer(own, size))
        place = place * base + popcount(layer(opp, size))
    return int(group_at[place])


@inlined
def lowest_place_of(own: int, opp: int, group: int, layers: Layers, groups: Groups) -> int:
    """The lowest place among a position of a group and its images, the only one looked up."""
    symmetries = int(layers.symmetries_of[code_of(own, opp, layers.sizes, layers)])
    lowest = -1
    for symmetry in range(SYMMETRIES):
        if symmetries >> symmetry & 1:
            place = address_through(own, opp, symmetry, group, layers, groups)
            if lowest < 0 or place < lowest:
                lowest = place
    return lowest


@inlined
def locate_in_slices(own: int, opp: int, law: Law, places: Places) -> int:
    """The number to look up, or minus the entry where the board alone tells it."""
    if not is_placement(own, opp, law) or not is_possible(own, opp, law):
        return -IMPOSSIBLE
    code = classify(own, opp, law, places.layers)
    if code != OPEN:
        return -code
    group = group_of(own, opp, law, places.group_at)
    return lowest_place_of(own, opp, group, places.layers, places.groups)


@inlined
def locate_all_in_slices(
    owns: NDArray[np.int64], opps: NDArray[np.int64], law: Law, places: Places, block: int,
    numbers: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """`locate_in_slices` for many positions; count how many fall into each block."""
    for place in range(len(owns)):
        number = locate_in_slices(owns[place], opps[place], law, places)
        numbers[place] = number
        if number >= 0:
            counts[number // block] += 1


def groups_by_pieces(work: Cut) -> NDArray[np.int32]:
    """The table for `group_of`."""
    law, groups = work.law, work.groups
    stock = law.stock[: law.sizes]
    shape = [pieces + 1 for pieces in stock for _ in range(2)]
    found = np.full(shape, NONE, np.int32)
    counts = np.stack([groups.own, groups.opp], axis=2)[:, : law.sizes].reshape(len(groups.own), -1)
    found[tuple(counts.T)] = np.arange(len(counts))
    return found.ravel()


@lru_cache(maxsize=2)
def number_slices(law: Law, block_entries: int) -> SliceNumbering:
    """The numbers in a tablebase with blocks of this many entries."""
    work = cut(law, build_layers(law))
    base = work.groups.base.copy()
    starts = [0] * len(work.slices)
    entries = 0
    for part in reversed(work.slices):
        starts[part.pieces] = entries
        base[part.first : part.stop] += entries
        entries += -(-part.entries // block_entries) * block_entries
    places = Places(work.layers, work.groups._replace(base=base), groups_by_pieces(work))
    return SliceNumbering(work, places, tuple(starts), entries)
