"""The kernels of the solver on an NVIDIA GPU; `card` launches them.

Those that go through rows share them among the blocks, and a block's threads share the entries of a
row. The others go through lists. What the host needs to know of a slice is in its state.

Arrays travel in named tuples, so that numba's simulator passes them to the compiled steps
unchanged. The simulator (NUMBA_ENABLE_CUDASIM=1) runs these kernels in tests, without a GPU.
"""

from typing import Any, NamedTuple

from numba import int32, int64

from nestline.gpu import cuda, device_function, kernel_with_barriers
from nestline.kernel import popcount
from nestline.solve.classify import classify, is_stuck
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, MAX_DISTANCE, OPEN
from nestline.solve.groups.cut import entry_words, group_of_row, row_length, row_words
from nestline.solve.groups.look import (
    MOST_MOVERS,
    MOVER_FACTS,
    classify_in_row,
    is_looked_at_by_rows,
    look_at_row,
)
from nestline.solve.groups.processor import NUMBER, NUMBER_BITS
from nestline.solve.groups.reach import UNREACHED, fixing, spread_to
from nestline.solve.groups.steps import (
    ESCAPES,
    NO_WITNESS,
    NOWHERE,
    find_escape,
    mark_before_moving,
    mark_before_placing,
    slowest_placement,
)
from nestline.solve.index import SYMMETRIES

REGISTERS = 80
"""At most, in the kernels whose blocks wait for each other: so that they all fit on the GPU."""

UNCLEAR, LOST, LONGEST, NEXT = range(4)
"""In the state of a slice: how many entries the first look left open, how many losses there are,
the greatest distance of a win, and the next distance to settle."""
KEPT = 4
"""From here on, for each distance: how many candidates were kept by the step that looked for it."""
FIRST = KEPT + MAX_DISTANCE + 1
"""From here on: where the losses of each distance begin in their list, and where the last end."""
STATE = FIRST + MAX_DISTANCE + 2
"""The length of a state."""


class SliceOnCard(NamedTuple):
    """The slice on the GPU, and the one solved or reached before it."""

    table: Any
    neighbour: Any
    row_ends: Any
    first_group: int
    rows: int
    state: Any
    """(STATE,): how far it is solved."""


def define_kernels() -> Any:
    """Compile the kernels once; inside a function, so that importing needs no CUDA."""

    @cuda.jit
    def look(law, layers, groups, part):  # type: ignore[no-untyped-def]
        room = cuda.local.array((MOVER_FACTS, MOST_MOVERS), int64)
        found = cuda.shared.array(1, int32)
        if cuda.threadIdx.x == 0:
            found[0] = 0
        cuda.syncthreads()
        unclear = 0
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            if not is_looked_at_by_rows(law):
                length = row_length(group, layers, groups)
                for rank in range(cuda.threadIdx.x, length, cuda.blockDim.x):
                    own, opp, address = entry_words(number * length + rank, group, layers, groups)
                    code = classify(own, opp, law, layers)
                    part.table[address] = code
                    unclear += 1 if code == OPEN else 0
                continue
            own, opp, address = row_words(number, group, layers, groups)
            place = int(groups.firsts[group, 0])
            facts = look_at_row(
                own, opp, int(layers.own_of[place]), int(layers.opp_of[place]), law, room
            )
            for rank in range(cuda.threadIdx.x, groups.lengths[group, 0], cuda.blockDim.x):
                code = classify_in_row(
                    int(layers.own_of[place + rank]), int(layers.opp_of[place + rank]), facts,
                    law, layers, room,
                )  # fmt: skip
                part.table[address + rank] = code
                unclear += 1 if code == OPEN else 0
        cuda.atomic.add(found, 0, unclear)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(part.state, UNCLEAR, found[0])

    @cuda.jit
    def collect(law, layers, groups, part, kept, losses):  # type: ignore[no-untyped-def]
        counts = cuda.shared.array(2, int32)
        starts = cuda.shared.array(1, int64)
        if cuda.threadIdx.x == 0:
            counts[1] = 0
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            length = row_length(group, layers, groups)
            _, _, address = row_words(number, group, layers, groups)
            for first in range(0, length, cuda.blockDim.x):
                if cuda.threadIdx.x == 0:
                    counts[0] = 0
                cuda.syncthreads()
                rank = first + cuda.threadIdx.x
                slowest = ESCAPES
                entry = number * length + rank
                place = 0
                if rank < length and part.table[address + rank] == OPEN:
                    own, opp, _ = entry_words(entry, group, layers, groups)
                    slowest = slowest_placement(
                        own, opp, group, law, layers, groups, part.neighbour
                    )
                    if slowest == 0 and is_stuck(own, opp, law):
                        free = cuda.atomic.add(part.state, LOST, 1)
                        losses[free] = group << NUMBER_BITS | entry
                        slowest = ESCAPES
                    if slowest != ESCAPES:
                        place = cuda.atomic.add(counts, 0, 1)
                        cuda.atomic.max(counts, 1, slowest)
                # The block counts first and reserves room for all its candidates at once.
                cuda.syncthreads()
                if cuda.threadIdx.x == 0 and counts[0]:
                    starts[0] = cuda.atomic.add(part.state, KEPT, counts[0])
                cuda.syncthreads()
                if slowest != ESCAPES:
                    place += starts[0]
                    kept.items[place] = group << NUMBER_BITS | entry
                    kept.bounds[place] = slowest
                    kept.witnesses[place] = NO_WITNESS
                    if place < kept.after.shape[0]:
                        kept.after[place] = NOWHERE
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            # The first look tells wins in one.
            cuda.atomic.max(part.state, LONGEST, max(1, (counts[1] - FIRST_WIN) // 2))

    @device_function
    def find_in_distance(law, layers, groups, part, listed, kept, losses, distance):  # type: ignore[no-untyped-def]
        counts = cuda.shared.array(2, int32)
        starts = cuda.shared.array(2, int64)
        limit = FIRST_WIN + 2 * (distance - 1)
        length = part.state[KEPT + distance - 1]
        for start in range(
            cuda.blockIdx.x * cuda.blockDim.x, length, cuda.gridDim.x * cuda.blockDim.x
        ):
            if cuda.threadIdx.x < 2:
                counts[cuda.threadIdx.x] = 0
            cuda.syncthreads()
            place = start + cuda.threadIdx.x
            fate = -1
            number = 0
            item = 0
            bound = 0
            witness = NO_WITNESS
            after = NOWHERE
            if place < length:
                item = int(listed.items[place])
                bound = int(listed.bounds[place])
                witness = int(listed.witnesses[place])
                if place < listed.after.shape[0]:
                    after = int(listed.after[place])
                fate = 0
                if bound <= limit:
                    code = limit if after == NOWHERE else int(part.table[after])
                    if code & 1 and code <= limit:
                        group = item >> NUMBER_BITS
                        own, opp, here = entry_words(item & NUMBER, group, layers, groups)
                        if part.table[here] != OPEN:
                            fate = -1
                        else:
                            witness, after = find_escape(
                                own, opp, group, law, layers, groups, part.table, witness, limit
                            )
                            fate = 1 if witness == NO_WITNESS else 0
                if fate >= 0:
                    number = cuda.atomic.add(counts, fate, 1)
            cuda.syncthreads()
            if cuda.threadIdx.x < 2 and counts[cuda.threadIdx.x]:
                starts[cuda.threadIdx.x] = cuda.atomic.add(
                    part.state, LOST if cuda.threadIdx.x else KEPT + distance,
                    counts[cuda.threadIdx.x],
                )  # fmt: skip
            cuda.syncthreads()
            if fate == 1:
                losses[starts[1] + number] = item
            elif fate == 0:
                free = starts[0] + number
                kept.items[free] = item
                kept.bounds[free] = bound
                kept.witnesses[free] = witness
                if free < kept.after.shape[0]:
                    kept.after[free] = after

    @device_function
    def settle_distance(law, layers, groups, part, losses, distance):  # type: ignore[no-untyped-def]
        first = part.state[FIRST + distance]
        stop = part.state[LOST]
        is_drawn = distance == 0 and law.no_move_draws
        code = DRAWN if is_drawn else FIRST_LOSS + 2 * distance
        told = 0
        for place in range(first + cuda.grid(1), stop, cuda.gridsize(1)):
            item = int(losses[place])
            group = item >> NUMBER_BITS
            own, opp, address = entry_words(item & NUMBER, group, layers, groups)
            part.table[address] = code
            if not is_drawn:
                told += mark_before_moving(
                    own, opp, group, law, layers, groups, part.table, code + 1
                )
        if told:
            cuda.atomic.max(part.state, LONGEST, distance + 1)
        if cuda.grid(1) == 0:
            part.state[FIRST + distance + 1] = stop
            part.state[NEXT] = distance + 1

    @cuda.jit
    def find(law, layers, groups, part, listed, kept, losses, distance):  # type: ignore[no-untyped-def]
        find_in_distance(law, layers, groups, part, listed, kept, losses, distance)

    @cuda.jit
    def settle(law, layers, groups, part, losses, distance):  # type: ignore[no-untyped-def]
        settle_distance(law, layers, groups, part, losses, distance)

    def settle_all(law, layers, groups, part, odd, even, losses, distance):  # type: ignore[no-untyped-def]
        everyone = cuda.cg.this_grid()
        while (
            part.state[KEPT + distance - 1]
            and distance <= part.state[LONGEST] + 1
            and distance <= MAX_DISTANCE
        ):
            listed = even if distance & 1 else odd
            kept = odd if distance & 1 else even
            find_in_distance(law, layers, groups, part, listed, kept, losses, distance)
            everyone.sync()
            settle_distance(law, layers, groups, part, losses, distance)
            everyone.sync()
            distance += 1

    settle_all = kernel_with_barriers(settle_all, REGISTERS)

    def mark(law, layers, groups, part, larger, losses, distances):  # type: ignore[no-untyped-def]
        everyone = cuda.cg.this_grid()
        for distance in range(1 if law.no_move_draws else 0, distances):
            first = larger[FIRST + distance]
            stop = larger[FIRST + distance + 1]
            told = 0
            for place in range(first + cuda.grid(1), stop, cuda.gridsize(1)):
                item = int(losses[place])
                group = item >> NUMBER_BITS
                own, opp, _ = entry_words(item & NUMBER, group, layers, groups)
                told += mark_before_placing(
                    own, opp, group, law, layers, groups, part.table, FIRST_WIN + 2 * (distance + 1)
                )
            if told:
                cuda.atomic.max(part.state, LONGEST, distance + 1)
            # A faster win stays, so the distances must not mix.
            if stop > first:
                everyone.sync()

    mark = kernel_with_barriers(mark, REGISTERS)

    @cuda.jit
    def count(law, layers, groups, part, counts):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(256, int64)
        for code in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
            shared[code] = 0
        cuda.syncthreads()
        top = layers.sizes - 1
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            _, _, address = row_words(number, group, layers, groups)
            place = groups.firsts[group, top] + number // (
                groups.rows[group] // groups.lengths[group, top]
            )
            weight = SYMMETRIES // popcount(int(layers.class_fixed[place]))
            length = row_length(group, layers, groups)
            for rank in range(cuda.threadIdx.x, length, cuda.blockDim.x):
                cuda.atomic.add(shared, int(part.table[address + rank]), weight)
        cuda.syncthreads()
        for code in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
            if shared[code]:
                cuda.atomic.add(counts, code, shared[code])

    @cuda.jit
    def spread(law, layers, groups, part, is_first, found):  # type: ignore[no-untyped-def]
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            length = row_length(group, layers, groups)
            _, _, address = row_words(number, group, layers, groups)
            for rank in range(cuda.threadIdx.x, length, cuda.blockDim.x):
                if part.table[address + rank] == UNREACHED:
                    own, opp, _ = entry_words(number * length + rank, group, layers, groups)
                    mark = spread_to(
                        own, opp, group, law, layers, groups, part.table, part.neighbour, is_first
                    )
                    if mark != UNREACHED:
                        part.table[address + rank] = mark
                        found[0] = 1

    @cuda.jit
    def count_orbits(law, layers, groups, part, orbits):  # type: ignore[no-untyped-def]
        top = layers.sizes - 1
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            length = row_length(group, layers, groups)
            _, _, address = row_words(number, group, layers, groups)
            place = groups.firsts[group, top] + number // (
                groups.rows[group] // groups.lengths[group, top]
            )
            order = popcount(int(layers.class_fixed[place]))
            found = 0
            for rank in range(cuda.threadIdx.x, length, cuda.blockDim.x):
                if part.table[address + rank] != UNREACHED:
                    own, opp, _ = entry_words(number * length + rank, group, layers, groups)
                    found += fixing(own, opp, place, group, layers, groups)
            if found:
                cuda.atomic.add(orbits, order, found)

    @cuda.jit
    def fill(table, length, value):  # type: ignore[no-untyped-def]
        for place in range(cuda.grid(1), length, cuda.gridsize(1)):
            table[place] = value

    @cuda.jit
    def read(table, addresses, codes):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        if place < addresses.shape[0]:
            codes[place] = table[addresses[place]]

    return (
        look, collect, find, settle, settle_all, mark, count, spread, count_orbits, fill, read,
    )  # fmt: skip
