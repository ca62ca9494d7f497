"""The steps of a slice on an NVIDIA GPU.

Work lists are in a different order than on the CPU, which changes no entry: the result is the same.
Arrays travel in named tuples, so that numba's simulator passes them to the compiled steps
unchanged. The simulator (NUMBA_ENABLE_CUDASIM=1) runs these kernels in tests, without a GPU.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numba import int32, int64
from numpy.typing import NDArray

from nestline.errors import TableError
from nestline.gpu import Gpu, cuda
from nestline.kernel import popcount
from nestline.solve.classify import classify, is_stuck
from nestline.solve.entry import DRAWN, FIRST_WIN, IMPOSSIBLE, OPEN
from nestline.solve.groups.cut import (
    Cut,
    Groups,
    Slice,
    address_of,
    entry_words,
    group_of_row,
    row_length,
    row_words,
)
from nestline.solve.groups.layers import Layers
from nestline.solve.groups.look import (
    MOST_MOVERS,
    MOVER_FACTS,
    classify_in_row,
    is_looked_at_by_rows,
    look_at_row,
)
from nestline.solve.groups.processor import NUMBER, NUMBER_BITS
from nestline.solve.groups.reach import REACHED, UNREACHED, fixing, spread_to
from nestline.solve.groups.solver import Losses
from nestline.solve.groups.steps import (
    ESCAPES,
    NO_WITNESS,
    find_escape,
    mark_before_moving,
    mark_before_placing,
    slowest_placement,
)
from nestline.solve.index import SYMMETRIES

THREADS = 128
PAGE_TASKS = 16
MOST_BLOCKS = 132 * 64
"""Enough blocks to keep a large GPU busy; each goes through many rows."""
STEPS = 4096
"""For how many steps the counters are set to zero at once."""
KEPT, LOST, TOLD, UNCLEAR, SLOWEST, COUNTERS = range(6)
"""What the counters of a step count, and how many there are: candidates kept, losses, whether any
entry was marked, entries left open by the first look, the slowest bound of a candidate."""


class _Slice(NamedTuple):
    """The slice on the GPU, and the one solved or reached before it."""

    table: Any
    neighbour: Any
    row_ends: Any
    first_group: int
    rows: int


class _Lists(NamedTuple):
    """What a step reads and writes."""

    listed: Any
    bounds: Any
    witnesses: Any
    kept: Any
    kept_bounds: Any
    kept_witnesses: Any
    losses: Any
    counters: Any
    """(STEPS * COUNTERS,): each step has its own."""


def _define_kernels() -> Any:
    """Compile the kernels once; inside a function, so that importing needs no CUDA."""

    @cuda.jit
    def look(law, layers, groups, part, counters, at):  # type: ignore[no-untyped-def]
        room = cuda.local.array((MOVER_FACTS, MOST_MOVERS), int64)
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
        if unclear:
            cuda.atomic.add(counters, at + UNCLEAR, unclear)

    @cuda.jit
    def collect(law, layers, groups, part, lists, at):  # type: ignore[no-untyped-def]
        for row in range(cuda.blockIdx.x, part.rows, cuda.gridDim.x):
            group = group_of_row(row, part.first_group, part.row_ends)
            number = row - (part.row_ends[group - part.first_group] - groups.rows[group])
            length = row_length(group, layers, groups)
            _, _, address = row_words(number, group, layers, groups)
            for rank in range(cuda.threadIdx.x, length, cuda.blockDim.x):
                if part.table[address + rank] == OPEN:
                    entry = number * length + rank
                    own, opp, _ = entry_words(entry, group, layers, groups)
                    slowest = slowest_placement(
                        own, opp, group, law, layers, groups, part.neighbour
                    )
                    if slowest != ESCAPES:
                        item = group << NUMBER_BITS | entry
                        if slowest == 0 and is_stuck(own, opp, law):
                            lists.losses[cuda.atomic.add(lists.counters, at + LOST, 1)] = item
                        else:
                            free = cuda.atomic.add(lists.counters, at + KEPT, 1)
                            lists.kept[free] = item
                            lists.kept_bounds[free] = slowest
                            cuda.atomic.max(lists.counters, at + SLOWEST, slowest)
                            lists.kept_witnesses[free] = NO_WITNESS

    @cuda.jit
    def find(law, layers, groups, part, lists, length, limit, lost_before, at):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(2, int32)
        starts = cuda.shared.array(2, int64)
        if cuda.threadIdx.x < 2:
            shared[cuda.threadIdx.x] = 0
        cuda.syncthreads()
        place = cuda.grid(1)
        fate = -1
        number = 0
        item = 0
        bound = 0
        witness = NO_WITNESS
        if place < length:
            item = int(lists.listed[place])
            group = item >> NUMBER_BITS
            known = int(lists.witnesses[place])
            witness = known
            bound = int(lists.bounds[place])
            fate = KEPT
            if bound <= limit:
                own, opp, address = entry_words(item & NUMBER, group, layers, groups)
                witness = find_escape(
                    own, opp, group, law, layers, groups, part.table, known, limit
                )
                if witness != known or witness == NO_WITNESS:
                    if part.table[address] != OPEN:
                        fate = -1
                    elif witness == NO_WITNESS:
                        fate = LOST
            if fate >= 0:
                number = cuda.atomic.add(shared, fate, 1)
        cuda.syncthreads()
        # Each block counts first and reserves room for all its entries at once.
        if cuda.threadIdx.x < 2:
            starts[cuda.threadIdx.x] = cuda.atomic.add(
                lists.counters, at + cuda.threadIdx.x, shared[cuda.threadIdx.x]
            )
        cuda.syncthreads()
        if fate == LOST:
            lists.losses[lost_before + starts[LOST] + number] = item
        elif fate == KEPT:
            free = starts[KEPT] + number
            lists.kept[free] = item
            lists.kept_bounds[free] = bound
            lists.kept_witnesses[free] = witness

    @cuda.jit
    def settle(law, layers, groups, part, losses, first, length, code, counters, at):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        if place < length:
            item = int(losses[first + place])
            group = item >> NUMBER_BITS
            own, opp, address = entry_words(item & NUMBER, group, layers, groups)
            part.table[address] = code
            if code != DRAWN and mark_before_moving(
                own, opp, group, law, layers, groups, part.table, code + 1
            ):
                counters[at + TOLD] = 1

    @cuda.jit
    def mark(law, layers, groups, part, losses, first, length, code, counters, at):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        if place < length:
            item = int(losses[first + place])
            group = item >> NUMBER_BITS
            own, opp, _ = entry_words(item & NUMBER, group, layers, groups)
            if mark_before_placing(own, opp, group, law, layers, groups, part.table, code + 1):
                counters[at + TOLD] = 1

    @cuda.jit
    def count(layers, groups, part, counts):  # type: ignore[no-untyped-def]
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
    def spread(law, layers, groups, part, is_first, counters, at):  # type: ignore[no-untyped-def]
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
                        counters[at + TOLD] = 1

    @cuda.jit
    def count_orbits(layers, groups, part, orbits):  # type: ignore[no-untyped-def]
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

    return look, collect, find, settle, mark, count, spread, count_orbits, fill, read


_kernels: Any = None


class _Room:
    """Arrays on the GPU that grow when they have to, and are used again otherwise."""

    def __init__(self, gpu: Gpu, *kinds: Any) -> None:
        self._gpu, self._kinds, self._length = gpu, kinds, 0
        self._arrays: tuple[Any, ...] = ()

    def arrays(self, length: int) -> tuple[Any, ...]:
        """One array of each kind with room for this many; what they held is lost when they grow."""
        if length > self._length or not self._arrays:
            self._arrays = ()  # Freed first, so that old and new need not fit together.
            self._length = max(length, 1)
            self._arrays = tuple(self._gpu.array(self._length, kind) for kind in self._kinds)
        return self._arrays


class Card:
    """A `solver.Device`: the slices on a GPU. One serves many rule sets, one after the other."""

    def __init__(self) -> None:
        global _kernels
        self._gpu = Gpu("--device cuda", TableError, threads=THREADS)
        if _kernels is None:
            _kernels = _define_kernels()
        (self._look, self._collect, self._find, self._settle, self._mark, self._count,
         self._spread, self._count_orbits, self._fill, self._read) = _kernels  # fmt: skip
        gpu = self._gpu
        self._table_rooms = [_Room(gpu, np.uint8) for _ in range(2)]
        self._list_rooms = [_Room(gpu, np.int64, np.uint8, np.int16) for _ in range(2)]
        self._loss_rooms = [_Room(gpu, np.int64) for _ in range(2)]
        self._at = STEPS * COUNTERS
        self._next_step()

    def load(self, work: Cut) -> "Card":
        """Begin with a rule set."""
        gpu = self._gpu
        self._work = work
        self._layers = Layers(*map(self._copied, work.layers))
        self._groups = Groups(*map(gpu.copy_to, work.groups))
        if work.is_whole:
            table = self._table_rooms[0].arrays(work.entries)[0]
            self._tables = [table, table]
            self._fill_table(table, work.entries, IMPOSSIBLE)
        else:
            self._tables = [
                room.arrays(max(part.entries for part in work.slices[parity::2]))[0]
                for parity, room in enumerate(self._table_rooms)
            ]
        self._losses = None
        return self

    def _copied(self, value: Any) -> Any:
        return self._gpu.copy_to(value) if isinstance(value, np.ndarray) else value

    def _launch(self, kernel: Any, length: int, *arguments: Any) -> None:
        self._gpu.launch(kernel, length, self._work.law, self._layers, self._groups, *arguments)

    def _over_rows(self, kernel: Any, *arguments: Any) -> None:
        """Launch a kernel with blocks that share the rows of the slice."""
        blocks = min(self._part.rows, 4 if self._gpu.is_simulated else MOST_BLOCKS)
        kernel[blocks, self._gpu.threads](*arguments)

    def _next_step(self) -> int:
        """Where the counters of the next step are, all zero."""
        self._at += COUNTERS
        if self._at >= STEPS * COUNTERS:
            self._counters = self._gpu.copy_to(np.zeros(STEPS * COUNTERS, np.int64))
            self._at = 0
        return self._at

    def _counted(self) -> NDArray[np.int64]:
        """The counters of the current step."""
        return np.asarray(self._gpu.copy_back(self._counters[self._at : self._at + COUNTERS]))

    def open_slice(self, part: Slice) -> None:
        odd = part.pieces % 2
        self._part = _Slice(
            self._tables[odd], self._tables[1 - odd], self._gpu.copy_to(part.row_ends), part.first,
            int(part.row_ends[-1]),
        )  # fmt: skip
        self._odd = odd
        self._entries = part.entries
        self._larger_losses = self._losses
        at = self._next_step()
        self._over_rows(
            self._look, self._work.law, self._layers, self._groups, self._part, self._counters, at
        )
        self._unclear = int(self._counted()[UNCLEAR])

    def mark_placed(self, losses: Losses) -> int:
        return self._mark_from(self._mark, self._larger_losses, losses)

    def _mark_from(self, kernel: Any, items: Any, losses: Losses) -> int:
        at = self._next_step()
        length = losses.stop - losses.first
        self._launch(
            kernel, length, self._part, items, losses.first, length, losses.code, self._counters, at
        )
        return int(self._counted()[TOLD])

    def collect(self) -> int:
        at = self._next_step()
        self._losses = self._loss_rooms[self._odd].arrays(self._unclear)[0]
        self._flip = 0
        self.candidates = 0
        lists = self._lists(self._unclear)
        self._over_rows(
            self._collect, self._work.law, self._layers, self._groups, self._part, lists, at
        )
        counted = self._counted()
        self.candidates, self._lost = int(counted[KEPT]), int(counted[LOST])
        self.slowest = int(counted[SLOWEST])
        return self._lost

    def _lists(self, length: int) -> _Lists:
        """The lists of a step that keeps at most this many candidates; swaps their roles."""
        present = self._list_rooms[self._flip].arrays(self.candidates)
        self._flip = 1 - self._flip
        kept = self._list_rooms[self._flip].arrays(length)
        arrays: tuple[Any, ...] = (*present, *kept, self._losses, self._counters)
        return _Lists(*arrays)

    def find_losses(self, distance: int) -> int:
        at = self._next_step()
        limit = FIRST_WIN + 2 * (distance - 1)
        lists = self._lists(self.candidates)
        self._launch(
            self._find, self.candidates, self._part, lists, self.candidates, limit, self._lost, at
        )
        counted = self._counted()
        self.candidates = int(counted[KEPT])
        self._lost += int(counted[LOST])
        return int(counted[LOST])

    def settle(self, losses: Losses) -> int:
        return self._mark_from(self._settle, self._losses, losses)

    def entries(self) -> NDArray[np.uint8]:
        return np.asarray(self._gpu.copy_back(self._part.table[: self._entries]))

    def count(self) -> NDArray[np.int64]:
        counts = self._gpu.copy_to(np.zeros(256, np.int64))
        self._over_rows(self._count, self._layers, self._groups, self._part, counts)
        return np.asarray(self._gpu.copy_back(counts))

    def open_reach(self, part: Slice) -> None:
        odd = part.pieces % 2
        self._part = _Slice(
            self._tables[odd], self._tables[1 - odd], self._gpu.copy_to(part.row_ends), part.first,
            int(part.row_ends[-1]),
        )  # fmt: skip
        if part.pieces == 0 or not self._work.is_whole:
            length = self._work.entries if self._work.is_whole else part.entries
            self._fill_table(self._part.table, length, UNREACHED)
        if part.pieces == 0:
            first = int(self._work.groups.base[part.first])
            self._fill_table(self._part.table[first:], 1, REACHED)

    def _fill_table(self, table: Any, length: int, value: int) -> None:
        self._gpu.launch(self._fill, length, table, length, value, most_blocks=MOST_BLOCKS)

    def spread(self, *, is_first: bool) -> int:
        at = self._next_step()
        self._over_rows(
            self._spread, self._work.law, self._layers, self._groups, self._part, int(is_first),
            self._counters, at,
        )  # fmt: skip
        return int(self._counted()[TOLD])

    def count_orbits(self) -> NDArray[np.int64]:
        orbits = self._gpu.copy_to(np.zeros(SYMMETRIES + 1, np.int64))
        self._over_rows(self._count_orbits, self._layers, self._groups, self._part, orbits)
        return np.asarray(self._gpu.copy_back(orbits))

    def read(self, words: list[tuple[int, int, int]]) -> list[int]:
        layers, groups = self._work.layers, self._work.groups
        addresses = np.array(
            [address_of(own, opp, group, layers, groups) for group, own, opp in words], np.int64
        )
        codes = self._gpu.copy_to(np.zeros(len(words), np.uint8))
        kernel = self._read
        self._gpu.launch(kernel, len(words), self._part.table, self._gpu.copy_to(addresses), codes)
        return [int(code) for code in self._gpu.copy_back(codes)]

    def whole_table(self) -> NDArray[np.uint8]:
        """All entries, in the whole layout."""
        if self._gpu.is_simulated:
            return np.array(self._tables[0][: self._work.entries])
        entries = np.empty(self._work.entries, np.uint8)
        # The system allocates memory page by page, which takes longer than copying.
        with ThreadPoolExecutor() as pool:
            for _ in pool.map(lambda part: part.fill(0), np.array_split(entries, PAGE_TASKS)):
                pass
        self._tables[0][: self._work.entries].copy_to_host(entries)
        return entries
