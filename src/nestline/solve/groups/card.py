"""The steps of a slice on an NVIDIA GPU.

A launch with all the tables takes a quarter of a millisecond, and reading a number back as long as
a small step. So what follows from the state of the slice stays on the GPU, and where few candidates
are left, one launch settles all distances. Work lists are in a different order than on the CPU,
which changes no entry: the result is the same.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline.errors import TableError
from nestline.gpu import Gpu, cuda
from nestline.solve.entry import IMPOSSIBLE
from nestline.solve.groups.card_kernels import (
    KEPT,
    LONGEST,
    LOST,
    NEXT,
    REGISTERS,
    STATE,
    UNCLEAR,
    SliceOnCard,
    define_kernels,
)
from nestline.solve.groups.cut import Cut, Groups, Slice, address_of
from nestline.solve.groups.layers import Layers
from nestline.solve.groups.processor import Candidates
from nestline.solve.groups.reach import REACHED, UNREACHED
from nestline.solve.index import SYMMETRIES

THREADS = 128
REGISTERS_OF_A_PROCESSOR = 1 << 16
ROW_THREADS = 32
"""In kernels that go through rows: their threads all look at the larger pieces of a row."""
MOST_BLOCKS = 132 * 128
"""Enough blocks to keep a large GPU busy; each goes through many rows."""
FEW_CANDIDATES = 1 << 22
"""So many are settled by one launch, whatever the distance. More are worth a launch for each step,
since those kernels have all the registers they want."""
MOST_REMEMBERED = 1 << 28
"""For so many candidates it is remembered where the move that saves them leads, in 2 GiB."""

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
            _kernels = define_kernels()
        (
            self._look, self._collect, self._find, self._settle, self._settle_all, self._mark,
            self._count, self._spread, self._count_orbits, self._fill, self._read,
        ) = _kernels  # fmt: skip
        gpu = self._gpu
        self._most_waiting = 1
        if not gpu.is_simulated:
            processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
            self._most_waiting = processors * (REGISTERS_OF_A_PROCESSOR // (REGISTERS * THREADS))
        self._table_rooms = [_Room(gpu, np.uint8) for _ in range(2)]
        self._list_rooms = [_Room(gpu, np.int64, np.uint8, np.int16) for _ in range(2)]
        self._after_rooms = [_Room(gpu, np.int64) for _ in range(2)]
        self._loss_rooms = [_Room(gpu, np.int64) for _ in range(2)]

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
        self._states = gpu.copy_to(np.zeros((len(work.slices) + 1, STATE), np.int64))
        self._distances = 0
        return self

    def _copied(self, value: Any) -> Any:
        return self._gpu.copy_to(value) if isinstance(value, np.ndarray) else value

    def _launch(self, kernel: Any, blocks: int, threads: int, *arguments: Any) -> None:
        law, layers, groups = self._work.law, self._layers, self._groups
        arguments = (law, layers, groups, self._part, *arguments)
        self._gpu.launch_blocks(kernel, blocks, threads, *arguments)

    def _over_rows(self, kernel: Any, *arguments: Any) -> None:
        """Launch a kernel with blocks that share the rows of the slice."""
        simulated = self._gpu.is_simulated
        blocks = min(self._part.rows, 4 if simulated else MOST_BLOCKS)
        threads = self._gpu.threads if simulated else ROW_THREADS
        self._launch(kernel, blocks, threads, *arguments)

    def _over_list(self, kernel: Any, length: int, most_blocks: int, *arguments: Any) -> None:
        """Launch a kernel with blocks that share a list."""
        threads = self._gpu.threads
        blocks = max(1, min(-(-length // threads), most_blocks))
        self._launch(kernel, blocks, threads, *arguments)

    def _read_state(self) -> NDArray[np.int64]:
        """The state of the slice, when all steps so far are done."""
        return np.asarray(self._gpu.copy_back(self._part.state))

    def _open(self, part: Slice) -> None:
        self._odd = part.pieces % 2
        self._part = SliceOnCard(
            self._tables[self._odd], self._tables[1 - self._odd],
            self._gpu.copy_to(part.row_ends), part.first, int(part.row_ends[-1]),
            self._states[part.pieces],
        )  # fmt: skip
        self._entries = part.entries

    def open_slice(self, part: Slice) -> None:
        self._open(part)
        self._larger = self._states[part.pieces + 1]
        self._over_rows(self._look)
        self._unclear = int(self._read_state()[UNCLEAR])

    def mark_placed(self) -> None:
        if self._distances:
            losses = self._loss_rooms[1 - self._odd].arrays(0)[0]
            self._over_list(
                self._mark, self._lost, self._most_waiting, self._larger, losses, self._distances
            )

    def collect(self) -> bool:
        self._losses = self._loss_rooms[self._odd].arrays(self._unclear)[0]
        self._lists = [self._list_of(0, self._unclear)]
        self._over_rows(self._collect, self._lists[0], self._losses)
        self._over_list(self._settle, self._unclear, self._most_waiting, self._losses, 0)
        self._note_state()
        self._lists.append(self._list_of(1, self.candidates))
        return self._lost > 0

    def _list_of(self, which: int, length: int) -> Candidates:
        """One of the two lists of candidates, with room for this many."""
        after = self._after_rooms[which].arrays(min(length, MOST_REMEMBERED))
        return Candidates(*self._list_rooms[which].arrays(length), *after)

    def _note_state(self) -> None:
        """Read how far the slice is solved."""
        state = self._read_state()
        self._distances = int(state[NEXT])
        self.candidates = int(state[KEPT + self._distances - 1])
        self.longest = int(state[LONGEST])
        self._lost = int(state[LOST])

    def settle(self, distance: int) -> int:
        even, odd = self._lists
        length = self.candidates
        if length <= FEW_CANDIDATES:
            self._over_list(
                self._settle_all, length, self._most_waiting, odd, even, self._losses, distance
            )
        else:
            lists = (even, odd) if distance % 2 else (odd, even)
            self._over_list(self._find, length, MOST_BLOCKS, *lists, self._losses, distance)
            self._over_list(self._settle, length, MOST_BLOCKS, self._losses, distance)
        self._note_state()
        return self._distances

    def entries(self) -> NDArray[np.uint8]:
        return np.asarray(self._gpu.copy_back(self._part.table[: self._entries]))

    def count(self) -> NDArray[np.int64]:
        counts = self._gpu.copy_to(np.zeros(256, np.int64))
        self._over_rows(self._count, counts)
        return np.asarray(self._gpu.copy_back(counts))

    def open_reach(self, part: Slice) -> None:
        self._open(part)
        if part.pieces == 0 or not self._work.is_whole:
            length = self._work.entries if self._work.is_whole else part.entries
            self._fill_table(self._part.table, length, UNREACHED)
        if part.pieces == 0:
            first = int(self._work.groups.base[part.first])
            self._fill_table(self._part.table[first:], 1, REACHED)

    def _fill_table(self, table: Any, length: int, value: int) -> None:
        self._gpu.launch(self._fill, length, table, length, value, most_blocks=MOST_BLOCKS)

    def spread(self, *, is_first: bool) -> int:
        found = self._gpu.copy_to(np.zeros(1, np.int64))
        self._over_rows(self._spread, int(is_first), found)
        return int(self._gpu.copy_back(found)[0])

    def count_orbits(self) -> NDArray[np.int64]:
        orbits = self._gpu.copy_to(np.zeros(SYMMETRIES + 1, np.int64))
        self._over_rows(self._count_orbits, orbits)
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

    def copy_whole(self, entries: NDArray[np.uint8]) -> None:
        """Copy all entries, in the whole layout."""
        if self._gpu.is_simulated:
            entries[:] = self._tables[0][: self._work.entries]
        else:
            self._tables[0][: self._work.entries].copy_to_host(entries)
