"""Retrograde analysis on an NVIDIA GPU: one thread per entry, in the order of
`retrograde.solve_slice`.

Work lists are in a different order than on the CPU, which changes no entry: the result is the same.
Arrays travel in named tuples, so that numba's simulator passes them to the compiled steps
unchanged. The simulator (NUMBA_ENABLE_CUDASIM=1) runs these kernels in tests, without a GPU.
"""

import threading
from typing import Any, NamedTuple

import numpy as np
from numba import int32, uint8

from nestline.errors import TableError
from nestline.gpu import Gpu, cuda
from nestline.kernel import popcount
from nestline.rules.law import Law
from nestline.solve.classify import classify, is_stuck
from nestline.solve.entry import DRAWN, FIRST_WIN, MAX_DISTANCE, OPEN
from nestline.solve.index import Index, build_index, words_of
from nestline.solve.propagate import NO_WITNESS, find_escape, mark_predecessors
from nestline.solve.retrograde import Progress, Solution, solve_slice

MOST_MOVES = 128
"""Room for the moves of a board up to 3x3: 13 sources, 9 targets."""
MOST_SLICES = 80
"""Room for the counts of entries by pieces: four sizes, nine squares, two players."""
SLICES_SHARE = 0.9
KEPT, LOST, TOLD, COUNTERS = range(4)
"""Offsets into a step's part of the counter array, and the length of that part."""


class _Arrays(NamedTuple):
    """The arrays on the GPU."""

    table: Any
    """(entries,) of bytes."""
    counts: Any
    """(MOST_SLICES,): entries left open by number of pieces; later where each slice's list goes."""
    listed: Any
    """(open entries,): the work lists of all slices, one after the other."""


class _Lists(NamedTuple):
    """The work of one slice at one distance: what is read, what is written."""

    listed: Any
    witnesses: Any
    kept: Any
    kept_witnesses: Any
    losses: Any
    counters: Any
    """(steps * COUNTERS,): for each step how many were kept, how many lost, whether any marked."""


def _define_kernels() -> Any:
    """Compile the kernels once; inside a function, so that importing needs no CUDA."""

    @cuda.jit
    def look(law, index, arrays):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(MOST_SLICES, int32)
        for place in range(cuda.threadIdx.x, MOST_SLICES, cuda.blockDim.x):
            shared[place] = 0
        cuda.syncthreads()
        for entry in range(cuda.grid(1), index.entries, cuda.gridsize(1)):
            own, opp = words_of(entry, index)
            code = classify(own, opp, law, index)
            arrays.table[entry] = code
            if code == OPEN:
                cuda.atomic.add(shared, popcount(own) + popcount(opp), 1)
        cuda.syncthreads()
        for place in range(cuda.threadIdx.x, MOST_SLICES, cuda.blockDim.x):
            if shared[place]:
                cuda.atomic.add(arrays.counts, place, shared[place])

    @cuda.jit
    def collect(index, arrays):  # type: ignore[no-untyped-def]
        # Each block counts its open entries first and reserves room for them all at once.
        shared = cuda.shared.array(MOST_SLICES, int32)
        for place in range(cuda.threadIdx.x, MOST_SLICES, cuda.blockDim.x):
            shared[place] = 0
        cuda.syncthreads()
        entry = cuda.grid(1)
        pieces = -1
        number = 0
        if entry < index.entries and arrays.table[entry] == OPEN:
            own, opp = words_of(entry, index)
            pieces = popcount(own) + popcount(opp)
            number = cuda.atomic.add(shared, pieces, 1)
        cuda.syncthreads()
        for place in range(cuda.threadIdx.x, MOST_SLICES, cuda.blockDim.x):
            if shared[place]:
                shared[place] = cuda.atomic.add(arrays.counts, place, shared[place])
        cuda.syncthreads()
        if pieces >= 0:
            arrays.listed[shared[pieces] + number] = entry

    @cuda.jit
    def find(law, index, arrays, lists, first, length, distance, step):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(2, int32)
        if cuda.threadIdx.x == 0:
            shared[KEPT] = 0
            shared[LOST] = 0
        cuda.syncthreads()
        moves = cuda.local.array(MOST_MOVES, uint8)
        place = cuda.grid(1)
        fate = -1
        number = 0
        entry = 0
        witness = NO_WITNESS
        if place < length:
            entry = int(lists.listed[first + place])
            if arrays.table[entry] == OPEN:
                own, opp = words_of(entry, index)
                witness = int(lists.witnesses[place])
                if distance == 0:
                    is_lost = is_stuck(own, opp, law)
                else:
                    limit = FIRST_WIN + 2 * (distance - 1)
                    witness = find_escape(own, opp, law, index, arrays.table, witness, limit, moves)
                    is_lost = witness == NO_WITNESS
                fate = LOST if is_lost else KEPT
                number = cuda.atomic.add(shared, fate, 1)
        cuda.syncthreads()
        if cuda.threadIdx.x < 2:
            shared[cuda.threadIdx.x] = cuda.atomic.add(
                lists.counters, step * COUNTERS + cuda.threadIdx.x, shared[cuda.threadIdx.x]
            )
        cuda.syncthreads()
        if fate == LOST:
            lists.losses[shared[LOST] + number] = entry
        elif fate == KEPT:
            lists.kept[shared[KEPT] + number] = entry
            lists.kept_witnesses[shared[KEPT] + number] = witness

    @cuda.jit
    def settle(law, index, arrays, lists, length, code, step):  # type: ignore[no-untyped-def]
        place = cuda.grid(1)
        if place < length:
            entry = int(lists.losses[place])
            arrays.table[entry] = code
            if code != DRAWN:
                own, opp = words_of(entry, index)
                if mark_predecessors(own, opp, law, index, arrays.table, code + 1):
                    lists.counters[step * COUNTERS + TOLD] = 1

    return look, collect, find, settle


_kernels: Any = None


class _Device(Gpu):
    """The GPU with the solver's kernels."""

    def __init__(self) -> None:
        global _kernels
        super().__init__("--device cuda", TableError)
        if _kernels is None:
            _kernels = _define_kernels()
        self.look, self.collect, self.find, self.settle = _kernels


class _Work:
    """What all slices use: the entries, and room for their lists."""

    def __init__(
        self, device: _Device, law: Law, index: Index, arrays: _Arrays, longest_list: int,
        slices: int,
    ) -> None:  # fmt: skip
        self.device, self.law, self.index, self.arrays = device, law, index, arrays
        self.nothing = device.copy_to(np.full(longest_list, NO_WITNESS, np.uint8))
        self.rooms = [
            (device.array(longest_list, np.int32), device.array(longest_list, np.uint8))
            for _ in range(2)
        ]
        self.losses = device.array(longest_list, np.int32)
        steps = slices * (MAX_DISTANCE + 2)
        self.counters = device.copy_to(np.zeros(steps * COUNTERS, np.int32))
        self.step = -1
        """The current step; each has counters of its own."""


class _GpuSlice:
    """A slice on the GPU; its list alternates between two buffers from distance to distance."""

    def __init__(self, work: _Work, first: int, length: int) -> None:
        self.length = length
        self._work, self._first = work, first
        self._listed, self._witnesses = work.arrays.listed, work.nothing

    def find_losses(self, distance: int) -> int:
        work = self._work
        work.step += 1
        kept, kept_witnesses = work.rooms[distance % 2]
        self._lists = _Lists(
            self._listed, self._witnesses, kept, kept_witnesses, work.losses, work.counters
        )
        work.device.launch(
            work.device.find, self.length, work.law, work.index, work.arrays, self._lists,
            self._first, self.length, distance, work.step,
        )  # fmt: skip
        self._listed, self._witnesses, self._first = kept, kept_witnesses, 0
        counted = self._counted()
        self.length = int(counted[KEPT])
        return int(counted[LOST])

    def settle(self, lost: int, code: int) -> int:
        work = self._work
        work.device.launch(
            work.device.settle, lost, work.law, work.index, work.arrays, self._lists, lost, code,
            work.step,
        )  # fmt: skip
        return int(self._counted()[TOLD])

    def _counted(self) -> Any:
        """The counters of the current step."""
        first = self._work.step * COUNTERS
        return self._work.device.copy_back(self._work.counters[first : first + COUNTERS])


def solve(law: Law, *, progress: Progress | None = None) -> Solution:
    """Solve the rule set on the GPU; the same `Solution` as from `retrograde.solve`."""
    device = _Device()
    plain = build_index(law)
    # The system allocates memory page by page; touching it meanwhile makes the last copy fast.
    entries = np.empty(plain.entries, np.uint8)
    preparing = threading.Thread(target=entries.fill, args=(0,))
    preparing.start()
    parts: Any = (device.copy_to(p) if isinstance(p, np.ndarray) else p for p in plain)
    index = Index(*parts)
    arrays = _Arrays(
        table=device.array(index.entries, np.uint8),
        counts=device.copy_to(np.zeros(MOST_SLICES, np.int32)),
        listed=device.array(1, np.int32),
    )
    device.launch(device.look, index.entries, law, index, arrays, most_blocks=132 * 16)
    lengths = device.copy_back(arrays.counts).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    arrays = arrays._replace(
        counts=device.copy_to(starts.astype(np.int32)),
        listed=device.array(max(1, int(lengths.sum())), np.int32),
    )
    device.launch(device.collect, index.entries, index, arrays)
    slices = 2 * sum(law.stock) + 1
    work = _Work(device, law, index, arrays, max(1, int(lengths.max())), slices)
    longest = 1
    has_stuck = False
    for pieces in range(slices - 1, -1, -1):
        part = _GpuSlice(work, int(starts[pieces]), int(lengths[pieces]))
        longest, is_stuck_here = solve_slice(part, law, longest)
        has_stuck |= is_stuck_here
        if progress:
            progress(SLICES_SHARE * (1 - pieces / (slices - 1)))
    preparing.join()
    if device.is_simulated:
        entries[:] = arrays.table
    else:
        arrays.table.copy_to_host(entries)
    if progress:
        progress(1.0)
    return Solution(law, plain, entries, has_stuck)
