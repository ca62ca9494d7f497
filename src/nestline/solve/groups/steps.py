"""Retrograde analysis of one position: does a move avoid the loss, and what are its predecessors?

Each function handles a single position and is compiled for the CPU and, called from CUDA kernels,
for a GPU. Moves come from the kernel. The reverse of a move on the board goes to any square that is
empty or shows a smaller piece, wherever the rules let the piece land.
"""

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import (
    bit_index,
    in_reserve,
    landings,
    layer,
    movable,
    open_squares,
    piece,
    placing_squares,
    shows_line,
    visible,
)
from nestline.rules.law import FORBIDDEN, Law
from nestline.solve.entry import OPEN
from nestline.solve.groups.cut import (
    Codes,
    Groups,
    address_with,
    code_of,
    smaller_codes,
    standard_symmetry,
)
from nestline.solve.groups.layers import Layers

NO_WITNESS = (1 << 15) - 1
"""No move is known that keeps the player to move from losing."""
NOWHERE = -1
"""Where the position after no move lies."""
ESCAPES = 256
"""In place of the slowest of the opponent's wins: some placement does not lose."""


@inlined
def _without(
    own: int, opp: int, symmetry: int, size: int, group: int, layers: Layers, groups: Groups
) -> int:
    """Where a position of a group would lie if its layer of this size, not the largest one, had
    rank 0."""
    top = layers.sizes
    number = int(layers.class_of[code_of(own, opp, top, layers)])
    address = int(groups.base[group]) + number * int(groups.strides[group, top - 1])
    for other in range(1, top):
        if other != size:
            rank = int(layers.rank_of[symmetry, code_of(own, opp, other, layers)])
            address += rank * int(groups.strides[group, other - 1])
    return address


@inlined
def _of_largest(code: int, codes: Codes, group: int, layers: Layers, groups: Groups) -> int:
    """Where a position of a group lies, by the codes of its layers."""
    return address_with(code, codes, int(layers.symmetry_of[code]), group, layers, groups)


@inlined
def slowest_placement(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    larger: NDArray[np.uint8],
) -> int:  # fmt: skip
    """The entry of the opponent's slowest win after placing a piece; 0 if none can be placed.

    ESCAPES if a placement leads to no win of the opponent. `larger` holds the next slice.
    """
    slowest = 0
    placing = placing_squares(own, opp, law)
    symmetry = standard_symmetry(opp, own, layers)
    codes = smaller_codes(opp, own, layers)
    for size in range(law.sizes, 0, -1):
        targets = layer(placing, size)
        if targets == 0 or not in_reserve(own, size, law):
            continue
        after = int(groups.placed[group, size - 1])
        without = 0
        if size < layers.sizes:
            without = _without(opp, own, symmetry, size, after, layers, groups)
        stride = int(groups.strides[after, size - 1])
        rest = int(layers.mask_number[layer(opp, size)])
        present = layer(own, size)
        while targets:
            target = targets & -targets
            targets ^= target
            code = rest + layers.width * int(layers.mask_number[present | target])
            if size < layers.sizes:
                address = without + int(layers.rank_of[symmetry, code]) * stride
            else:
                address = _of_largest(code, codes, after, layers, groups)
            entry = int(larger[address])
            if entry & 1 == 0:
                return ESCAPES
            if entry > slowest:
                slowest = entry
    return slowest


@inlined
def find_escape(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    table: NDArray[np.uint8], known: int, limit: int,
) -> tuple[int, int]:  # fmt: skip
    """The first move on the board from `known` on that does not lead to an opponent's win up to
    `limit`, as size * 256 + origin * 16 + target, and where the position after it lies; NO_WITNESS
    and NOWHERE if there is none.

    `known` is the move of an earlier call, since when wins have only been added; NO_WITNESS at
    first. `limit` is an entry, `table` holds this slice.
    """
    if law.moving == 0:
        return NO_WITNESS, NOWHERE
    first = 0 if known == NO_WITNESS else known
    after = int(groups.swapped[group])
    shown = movable(own, opp, law)
    free = landings(own, opp, law)
    symmetry = standard_symmetry(opp, own, layers)
    codes = smaller_codes(opp, own, layers)
    for size in range(1, law.sizes + 1):
        origins = layer(shown, size)
        if origins == 0 or size * 256 + 255 < first:
            continue
        without = 0
        if size < layers.sizes:
            without = _without(opp, own, symmetry, size, after, layers, groups)
        stride = int(groups.strides[after, size - 1])
        rest = int(layers.mask_number[layer(opp, size)])
        while origins:
            origin = origins & -origins
            origins ^= origin
            source = size * 256 + bit_index(origin) * 16
            if source + 15 < first:
                continue
            targets = layer(free, size) | (origin if law.same_square else 0)
            left = layer(own, size) ^ origin
            while targets:
                target = targets & -targets
                targets ^= target
                move = source + bit_index(target)
                if move < first:
                    continue
                code = rest + layers.width * int(layers.mask_number[left | target])
                if size < layers.sizes:
                    address = without + int(layers.rank_of[symmetry, code]) * stride
                else:
                    address = _of_largest(code, codes, after, layers, groups)
                entry = table[address]
                if entry & 1 == 0 or entry > limit:
                    return move, address
    return NO_WITNESS, NOWHERE


@inlined
def _lower(table: NDArray[np.uint8], address: int, entry: int) -> int:
    """Make a position a win, unless it is finished or a win at least as fast; 1 if it changed."""
    present = table[address]
    if present == OPEN or (present & 1 and present > entry):
        table[address] = entry
        return 1
    return 0


@inlined
def _lower_images(
    code: int, codes: Codes, group: int, layers: Layers, groups: Groups, table: NDArray[np.uint8],
    entry: int,
) -> int:  # fmt: skip
    """`_lower` for a position, given by the codes of its layers, and all its images in the group;
    return how many changed."""
    symmetries = int(layers.symmetries_of[code])
    told = 0
    while symmetries:
        lowest = symmetries & -symmetries
        symmetries ^= lowest
        address = address_with(code, codes, bit_index(lowest), group, layers, groups)
        told += _lower(table, address, entry)
    return told


@inlined
def mark_before_placing(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    smaller: NDArray[np.uint8], entry: int,
) -> int:  # fmt: skip
    """Make every position from which the opponent placed a piece a win with this `entry`; return
    how many changed.

    The position is lost. A faster win stays. Concurrent callers may bring different entries, so
    the caller has to keep the order. `smaller` holds the slice with one piece fewer. Where the
    largest layer does not change, the images of this position mark the images of its predecessors;
    where it changes, a predecessor may have more images than this one, all marked from here.
    """
    told = 0
    shown = visible(opp, own)
    symmetry = standard_symmetry(opp, own, layers)
    codes = smaller_codes(opp, own, layers)
    for size in range(1, law.sizes + 1):
        origins = layer(shown, size)
        before = int(groups.taken[group, size - 1])
        if origins == 0 or before < 0:
            continue
        without = 0
        if size < layers.sizes:
            without = _without(opp, own, symmetry, size, before, layers, groups)
        stride = int(groups.strides[before, size - 1])
        rest = layers.width * int(layers.mask_number[layer(own, size)])
        while origins:
            origin = origins & -origins
            origins ^= origin
            lifted = opp & ~piece(size, bit_index(origin))
            if (
                not in_reserve(lifted, size, law)
                or layer(placing_squares(lifted, own, law), size) & origin == 0
            ):
                continue
            code = rest + int(layers.mask_number[layer(lifted, size)])
            if size < layers.sizes:
                address = without + int(layers.rank_of[symmetry, code]) * stride
                told += _lower(smaller, address, entry)
            else:
                told += _lower_images(code, codes, before, layers, groups, smaller, entry)
    return told


@inlined
def came_from(own: int, opp: int, size: int, origin: int, free: int, law: Law) -> int:
    """Mask of the squares from which the opponent's visible piece on `origin` may have moved there.

    `free` are the `open_squares`, on any of which it can have been.
    """
    if law.cover or law.reveal == FORBIDDEN:
        lifted = opp & ~piece(size, bit_index(origin))
        if law.reveal == FORBIDDEN and shows_line(visible(own, lifted), law):
            return 0
        if layer(landings(lifted, own, law), size) & origin == 0:
            return origin if law.same_square else 0
    return layer(free, size) | (origin if law.same_square else 0)


@inlined
def mark_before_moving(
    own: int, opp: int, group: int, law: Law, layers: Layers, groups: Groups,
    table: NDArray[np.uint8], entry: int,
) -> int:  # fmt: skip
    """`mark_before_placing` for the positions from which the opponent moved on the board."""
    if law.moving == 0:
        return 0
    told = 0
    shown = visible(opp, own)
    free = open_squares(opp, own, law)
    symmetry = standard_symmetry(opp, own, layers)
    codes = smaller_codes(opp, own, layers)
    before = int(groups.swapped[group])
    for size in range(1, law.sizes + 1):
        origins = layer(shown, size)
        if origins == 0:
            continue
        without = 0
        if size < layers.sizes:
            without = _without(opp, own, symmetry, size, before, layers, groups)
        stride = int(groups.strides[before, size - 1])
        rest = layers.width * int(layers.mask_number[layer(own, size)])
        while origins:
            origin = origins & -origins
            origins ^= origin
            left = layer(opp, size) ^ origin
            targets = came_from(own, opp, size, origin, free, law)
            while targets:
                target = targets & -targets
                targets ^= target
                code = rest + int(layers.mask_number[left | target])
                if size < layers.sizes:
                    address = without + int(layers.rank_of[symmetry, code]) * stride
                    told += _lower(table, address, entry)
                else:
                    told += _lower_images(code, codes, before, layers, groups, table, entry)
    return told
