"""The full check of a tablebase by slices: every entry of each slice against its moves.

A slice and the one with one piece more are in memory. `verify` checks the checksums before.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.position import Position
from nestline.rules.law import Law
from nestline.solve.entry import OPEN, WIN_IN_ONE
from nestline.solve.follows import UNKNOWN, finished_entry, with_move
from nestline.solve.groups.cut import Slice, address_of, entry_words
from nestline.solve.groups.numbering import (
    Places,
    SliceNumbering,
    group_of,
    groups_by_pieces,
    lowest_place_of,
    number_slices,
)
from nestline.solve.groups.processor import Processor, Team, room_for, split_evenly
from nestline.solve.groups.solver import Progress
from nestline.solve.slices import group_end
from nestline.solve.table import Table
from nestline.system import cores

TASKS = 256


@inlined
def _expand(
    first: int, stop: int, first_group: int, places: Places, stored: NDArray[np.uint8],
    table: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Replace what the first look left open in a part of a slice by what the tablebase says."""
    layers, groups = places.layers, places.groups
    group = first_group
    for address in range(first, stop):
        while address >= group_end(group, layers, groups):
            group += 1
        if table[address] == OPEN:
            number = address - groups.base[group]
            own, opp, _ = entry_words(number, group, layers, groups)
            table[address] = stored[lowest_place_of(own, opp, group, layers, groups)]


@inlined
def _find_error(
    first: int, stop: int, first_group: int, law: Law, places: Places, table: NDArray[np.uint8],
    larger: NDArray[np.uint8], moves: NDArray[np.int16],
) -> tuple[int, int]:  # fmt: skip
    """The words of the first position in a part of a slice whose entry does not follow from its
    moves; -1 and -1 if there is none. `larger` holds the slice with one piece more."""
    layers, groups = places.layers, places.groups
    group = first_group
    for address in range(first, stop):
        while address >= group_end(group, layers, groups):
            group += 1
        own, opp, _ = entry_words(address - groups.base[group], group, layers, groups)
        expected = finished_entry(own, opp, law)
        if expected == UNKNOWN:
            for place in range(kernel.legal_moves(own, opp, law, moves)):
                played = kernel.play(own, int(moves[place]))
                after = group_of(opp, played, law, places.group_at)
                at = address_of(opp, played, after, layers, groups)
                is_placed = kernel.popcount(played) > kernel.popcount(own)
                expected = with_move(expected, int(larger[at] if is_placed else table[at]))
                if expected == WIN_IN_ONE:
                    break
        if table[address] != expected:
            return own, opp
    return -1, -1


def check_every_slice(table: Table, threads: int | None, progress: Progress) -> None:
    """Check every entry of an open tablebase; `TableError` names a position that is wrong."""
    size = table.header.block_entries
    numbering = number_slices(table.rules.law, size)
    work = numbering.work
    places = Places(work.layers, work.groups, groups_by_pieces(work))
    count = threads or cores()
    done = 0
    with Team(count) as team, ThreadPoolExecutor(count) as pool:
        device = Processor(team, work)
        for part in reversed(work.slices):
            if part.entries == 0:
                continue
            device.open_slice(part)
            try:
                _check_slice(table, numbering, part, device, places, pool)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
            done += part.entries
            progress(done / work.entries)


def _check_slice(
    table: Table, numbering: SliceNumbering, part: Slice, device: Processor, places: Places,
    pool: ThreadPoolExecutor,
) -> None:  # fmt: skip
    law, size = table.rules.law, table.header.block_entries
    stored = room_for(part.entries)
    for first in range(0, part.entries, size):
        block = table.block((numbering.starts[part.pieces] + first) // size)
        stored[first : first + size] = block[: part.entries - first]
    ranges = split_evenly(part.entries, min(TASKS, part.entries))

    def expand(bounds: tuple[int, int]) -> None:
        _expand(*bounds, part.first, places, stored, device.table)

    def check(bounds: tuple[int, int]) -> tuple[int, int]:
        moves = np.empty(kernel.MAX_MOVES, np.int16)
        return _find_error(*bounds, part.first, law, places, device.table, device.neighbour, moves)

    for _ in pool.map(expand, ranges):
        pass
    for own, opp in pool.map(check, ranges):
        if own >= 0:
            position = Position.from_movers_words(own, opp, table.rules)
            raise TableError(
                f"{table.path}: wrong tablebase: {position} does not follow from its moves"
            )
