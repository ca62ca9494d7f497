"""The steps of a slice on the CPU, shared by threads.

Concurrent writes to an entry all write the same value, and nothing read in the step depends on
them, so the result is the same for any number of threads.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.kernel import popcount
from nestline.rules.law import Law
from nestline.solve.classify import is_stuck
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, MAX_DISTANCE, OPEN
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
from nestline.solve.groups.look import ROOM, classify_rows
from nestline.solve.groups.reach import REACHED, UNREACHED, fixing, spread_to
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
from nestline.system import memory_bytes

ROW_TASKS = 256
SMALLEST_TASK = 2048
TASKS_PER_THREAD = 8

MEMORY_SHARE = 0.3
"""How much of the memory one of the two slices may take; larger ones are mapped from a file."""

NUMBER_BITS = 40
"""An entry in a list is its group and, in this many bits, its number there."""
NUMBER = (1 << NUMBER_BITS) - 1


class Candidates(NamedTuple):
    """What may still turn out to be lost."""

    items: NDArray[np.int64]
    """The group and the number there."""
    bounds: NDArray[np.uint8]
    """The slowest of the opponent's wins after placing a piece, as an entry; 0 if none."""
    witnesses: NDArray[np.int16]
    """A move on the board that saves the player, as from `find_escape`."""
    after: NDArray[np.int64]
    """Where the position after it lies."""


@inlined
def _collect(
    first: int, stop: int, first_group: int, row_ends: NDArray[np.int64], law: Law, layers: Layers,
    groups: Groups, table: NDArray[np.uint8], larger: NDArray[np.uint8], place: int,
    listed: NDArray[np.int64], bounds: NDArray[np.uint8], witnesses: NDArray[np.int16],
    after: NDArray[np.int64], losses: NDArray[np.int64],
) -> tuple[int, int]:  # fmt: skip
    """List the candidates for losses in these rows from `place` on, and the players without a move
    in `losses`; return how many there are of both."""
    kept = place
    lost = place
    group = group_of_row(first, first_group, row_ends)
    for row in range(first, stop):
        while row >= row_ends[group - first_group]:
            group += 1
        number = row - (row_ends[group - first_group] - groups.rows[group])
        length = row_length(group, layers, groups)
        large_own, large_opp, address = row_words(number, group, layers, groups)
        for rank in range(length):
            if table[address + rank] != OPEN:
                continue
            own, opp = large_own, large_opp
            if layers.sizes > 1:
                own |= int(layers.own_of[groups.firsts[group, 0] + rank])
                opp |= int(layers.opp_of[groups.firsts[group, 0] + rank])
            slowest = slowest_placement(own, opp, group, law, layers, groups, larger)
            if slowest == ESCAPES:
                continue
            item = group << NUMBER_BITS | number * length + rank
            if slowest == 0 and is_stuck(own, opp, law):
                losses[lost] = item
                lost += 1
            else:
                listed[kept] = item
                bounds[kept] = slowest
                witnesses[kept] = NO_WITNESS
                after[kept] = NOWHERE
                kept += 1
    return kept - place, lost - place


@inlined
def _find_losses(
    first: int, stop: int, law: Law, layers: Layers, groups: Groups, table: NDArray[np.uint8],
    limit: int, listed: NDArray[np.int64], bounds: NDArray[np.uint8],
    witnesses: NDArray[np.int16], after: NDArray[np.int64], losses: NDArray[np.int64],
) -> tuple[int, int, int]:  # fmt: skip
    """One pass over the candidates `first` to `stop`: which are lost to wins up to `limit`?

    Those still open move to the front of the range. Those lost to a win of `limit` go into `losses`
    from `first` on, those lost to faster ones from the end of the range backwards; all three counts
    are returned.
    """
    kept = first
    lost = first
    sooner = stop
    for place in range(first, stop):
        item = listed[place]
        witness = int(witnesses[place])
        address = after[place]
        bound = int(bounds[place])
        if bound <= limit:
            entry = limit if address == NOWHERE else int(table[address])
            if entry & 1 and entry <= limit:
                group = item >> NUMBER_BITS
                own, opp, here = entry_words(item & NUMBER, group, layers, groups)
                # A candidate that has become a win goes when its witness does: to look at it each
                # time would cost as much as looking at the witness.
                if table[here] != OPEN:
                    continue
                known = witness
                witness, address = find_escape(
                    own, opp, group, law, layers, groups, table, known, limit
                )
                if witness == NO_WITNESS:
                    is_slow = bound == limit or (known != NO_WITNESS and entry == limit)
                    if not is_slow:
                        slow, _ = find_escape(
                            own, opp, group, law, layers, groups, table, known, limit - 2
                        )
                        is_slow = slow != NO_WITNESS
                    if is_slow:
                        losses[lost] = item
                        lost += 1
                    else:
                        sooner -= 1
                        losses[sooner] = item
                    continue
        listed[kept] = item
        bounds[kept] = bound
        witnesses[kept] = witness
        after[kept] = address
        kept += 1
    return kept - first, lost - first, stop - sooner


@inlined
def _settle(
    first: int, stop: int, law: Law, layers: Layers, groups: Groups, table: NDArray[np.uint8],
    code: int, losses: NDArray[np.int64],
) -> int:  # fmt: skip
    """Enter the losses, and mark their predecessors on the board as wins; count those."""
    told = 0
    for place in range(first, stop):
        group = losses[place] >> NUMBER_BITS
        own, opp, address = entry_words(losses[place] & NUMBER, group, layers, groups)
        table[address] = code
        if code != DRAWN:
            told += mark_before_moving(own, opp, group, law, layers, groups, table, code + 1)
    return told


@inlined
def _mark_placed(
    first: int, stop: int, law: Law, layers: Layers, groups: Groups, table: NDArray[np.uint8],
    code: int, losses: NDArray[np.int64],
) -> int:  # fmt: skip
    """Mark the positions from which these losses of the larger slice were placed; count them."""
    told = 0
    for place in range(first, stop):
        group = losses[place] >> NUMBER_BITS
        own, opp, _ = entry_words(losses[place] & NUMBER, group, layers, groups)
        told += mark_before_placing(own, opp, group, law, layers, groups, table, code + 1)
    return told


@inlined
def _count(
    first: int, stop: int, first_group: int, row_ends: NDArray[np.int64], layers: Layers,
    groups: Groups, table: NDArray[np.uint8], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the placements of these rows by their entry."""
    group = group_of_row(first, first_group, row_ends)
    top = layers.sizes - 1
    for row in range(first, stop):
        while row >= row_ends[group - first_group]:
            group += 1
        number = row - (row_ends[group - first_group] - groups.rows[group])
        _, _, address = row_words(number, group, layers, groups)
        place = groups.firsts[group, top] + number // (
            groups.rows[group] // groups.lengths[group, top]
        )
        weight = SYMMETRIES // popcount(int(layers.class_fixed[place]))
        for rank in range(row_length(group, layers, groups)):
            counts[table[address + rank]] += weight


@inlined
def _spread(
    first: int, stop: int, first_group: int, row_ends: NDArray[np.int64], law: Law, layers: Layers,
    groups: Groups, marks: NDArray[np.uint8], smaller: NDArray[np.uint8], is_first: int,
) -> int:  # fmt: skip
    """One pass of `reach` over these rows; return how many entries were reached."""
    found = 0
    group = group_of_row(first, first_group, row_ends)
    for row in range(first, stop):
        while row >= row_ends[group - first_group]:
            group += 1
        number = row - (row_ends[group - first_group] - groups.rows[group])
        large_own, large_opp, address = row_words(number, group, layers, groups)
        for rank in range(row_length(group, layers, groups)):
            if marks[address + rank] != UNREACHED:
                continue
            own, opp = large_own, large_opp
            if layers.sizes > 1:
                own |= int(layers.own_of[groups.firsts[group, 0] + rank])
                opp |= int(layers.opp_of[groups.firsts[group, 0] + rank])
            mark = spread_to(own, opp, group, law, layers, groups, marks, smaller, is_first)
            if mark != UNREACHED:
                marks[address + rank] = mark
                found += 1
    return found


@inlined
def _count_orbits(
    first: int, stop: int, first_group: int, row_ends: NDArray[np.int64], layers: Layers,
    groups: Groups, marks: NDArray[np.uint8], orbits: NDArray[np.int64],
) -> None:  # fmt: skip
    """Sum `fixing` over the reached entries of these rows, by the number of symmetries that fix
    the largest layer."""
    group = group_of_row(first, first_group, row_ends)
    top = layers.sizes - 1
    for row in range(first, stop):
        while row >= row_ends[group - first_group]:
            group += 1
        number = row - (row_ends[group - first_group] - groups.rows[group])
        large_own, large_opp, address = row_words(number, group, layers, groups)
        place = groups.firsts[group, top] + number // (
            groups.rows[group] // groups.lengths[group, top]
        )
        order = popcount(int(layers.class_fixed[place]))
        for rank in range(row_length(group, layers, groups)):
            if marks[address + rank] == UNREACHED:
                continue
            if order == 1:
                orbits[1] += 1
                continue
            own, opp = large_own, large_opp
            if layers.sizes > 1:
                own |= int(layers.own_of[groups.firsts[group, 0] + rank])
                opp |= int(layers.opp_of[groups.firsts[group, 0] + rank])
            orbits[order] += fixing(own, opp, place, group, layers, groups)


def room_for(entries: int) -> NDArray[np.uint8]:
    """Room for a slice: in memory, or if that would be too much of it, in a temporary file."""
    if entries <= MEMORY_SHARE * memory_bytes():
        return np.empty(entries, np.uint8)
    with tempfile.TemporaryFile(prefix="nestline-slice-") as file:
        file.truncate(entries)
        # The file lives as long as the array that maps it.
        return np.asarray(np.memmap(file, np.uint8, "r+", shape=entries))


def split_evenly(length: int, parts: int) -> list[tuple[int, int]]:
    """This many ranges (first, stop) of nearly equal length that cover everything."""
    bounds = [length * part // parts for part in range(parts + 1)]
    return list(pairwise(bounds))


class Team:
    """Threads that share the ranges of a step; the steps themselves run without the GIL."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def run(self, step: Callable[[int, int], Any], ranges: list[tuple[int, int]]) -> Iterator[Any]:
        """The results of the step on each range, in the order of the ranges."""
        if self._pool is None or len(ranges) == 1:
            return (step(first, stop) for first, stop in ranges)
        return self._pool.map(step, *zip(*ranges, strict=True))

    def split(self, length: int) -> list[tuple[int, int]]:
        """Split a list of this length into ranges, a few for each thread, none of them tiny."""
        parts = max(1, min(self.threads * TASKS_PER_THREAD, length // SMALLEST_TASK))
        return split_evenly(length, parts)


class Processor:
    """A `solver.Device`: the slices in main memory, processed by a team of threads."""

    def __init__(self, team: Team, work: Cut) -> None:
        self._team, self._work = team, work
        if work.is_whole:
            self.table = np.empty(work.entries, np.uint8)
            if work.law.nested:
                # Stacked reserves do not allow every number of pieces: some entries have no group.
                self.table[:] = IMPOSSIBLE
            self._tables = [self.table, self.table]
        else:
            self._tables = [
                room_for(max(part.entries for part in work.slices[parity::2]))
                for parity in range(2)
            ]
        self._losses = np.empty(0, np.int64)
        self._by_code: list[tuple[int, int, int]] = []
        """The entry of some losses of the slice, and where they are among `_losses`."""

    def open_slice(self, part: Slice) -> None:
        self._part = part
        self.table = self._tables[part.pieces % 2]
        self.neighbour = self._tables[1 - part.pieces % 2]
        rows = int(part.row_ends[-1])
        self._rows = split_evenly(rows, min(ROW_TASKS, rows))
        law, layers, groups = self._work.law, self._work.layers, self._work.groups

        def look(first: int, stop: int) -> int:
            return classify_rows(
                first, stop, part.first, part.row_ends, law, layers, groups, self.table,
                np.empty(ROOM, np.int64),
            )  # fmt: skip

        self._open = list(self._team.run(look, self._rows))
        self.longest = 1

    def mark_placed(self) -> None:
        for code, first, stop in self._by_code:
            self._mark(_mark_placed, code, first, stop)

    def _mark(self, mark: Callable[..., int], code: int, first: int, stop: int) -> None:
        """Make wins of the predecessors of some losses."""
        law, layers, groups = self._work.law, self._work.layers, self._work.groups
        table, losses = self.table, self._losses

        def step(start: int, end: int) -> int:
            return mark(first + start, first + end, law, layers, groups, table, code, losses)

        if sum(self._team.run(step, self._team.split(stop - first))):
            self.longest = max(self.longest, (code - FIRST_LOSS) // 2 + 1)

    def collect(self) -> bool:
        part = self._part
        law, layers, groups = self._work.law, self._work.layers, self._work.groups
        total = sum(self._open)
        self._lists = Candidates(
            np.empty(total, np.int64), np.empty(total, np.uint8), np.empty(total, np.int16),
            np.empty(total, np.int64),
        )  # fmt: skip
        self._room = np.empty(total, np.int64)
        self._losses = np.empty(total, np.int64)
        self._by_code, self._lost = [], 0
        starts = (np.cumsum(self._open) - self._open).tolist()
        start_of = {first: start for (first, _), start in zip(self._rows, starts, strict=True)}

        def step(first: int, stop: int) -> tuple[int, int]:
            return _collect(
                first, stop, part.first, part.row_ends, law, layers, groups, self.table,
                self.neighbour, start_of[first], *self._lists, self._room,
            )  # fmt: skip

        found = list(self._team.run(step, self._rows))
        self._keep((start, kept) for start, (kept, _) in zip(starts, found, strict=True))
        stuck = self._take((start, lost) for start, (_, lost) in zip(starts, found, strict=True))
        bounds = self._lists.bounds
        slowest = max((bounds[first:stop].max() for first, stop in self._ranges), default=0)
        self.longest = max(self.longest, (int(slowest) - FIRST_WIN) // 2)
        self._enter(DRAWN if law.no_move_draws else FIRST_LOSS, stuck)
        return stuck > 0

    def _keep(self, found: Iterable[tuple[int, int]]) -> None:
        """Keep this many candidates from each of these places on."""
        self._ranges = [(first, first + kept) for first, kept in found if kept]
        self.candidates = sum(stop - first for first, stop in self._ranges)

    def _take(self, found: Iterable[tuple[int, int]]) -> int:
        """Add this many losses from each of these places on to those of the slice; return how
        many."""
        before = self._lost
        for first, lost in found:
            self._losses[self._lost : self._lost + lost] = self._room[first : first + lost]
            self._lost += lost
        return self._lost - before

    def _enter(self, code: int, losses: int) -> None:
        """Enter the losses found last, and make wins of their predecessors in the slice."""
        if losses:
            first = self._lost - losses
            self._mark(_settle, code, first, self._lost)
            if code != DRAWN:
                self._by_code.append((code, first, self._lost))

    def settle(self, distance: int) -> int:
        """Two distances in one pass: all wins that decide the losses of the second are known before
        those of the first are entered."""
        law, layers, groups = self._work.law, self._work.layers, self._work.groups
        last = min(distance + 1, MAX_DISTANCE)
        limit = FIRST_WIN + 2 * (last - 1)

        def step(first: int, stop: int) -> tuple[int, int, int]:
            return _find_losses(
                first, stop, law, layers, groups, self.table, limit, *self._lists, self._room
            )

        if self.candidates < len(self._ranges) * SMALLEST_TASK:
            self._join_ranges()
        ranges = self._ranges
        found = list(self._team.run(step, ranges))
        counts = list(zip(ranges, found, strict=True))
        self._keep((first, kept) for (first, _), (kept, _, _) in counts)
        sooner = self._take((stop - lost, lost) for (_, stop), (_, _, lost) in counts)
        self._enter(FIRST_LOSS + 2 * (last - 1), sooner)
        later = self._take((first, lost) for (first, _), (_, lost, _) in counts)
        self._enter(FIRST_LOSS + 2 * last, later)
        return last + 1

    def _join_ranges(self) -> None:
        """Move the candidates to the front of the lists, and split them into fewer ranges."""
        start = 0
        for first, stop in self._ranges:
            for values in self._lists:
                values[start : start + stop - first] = values[first:stop]
            start += stop - first
        self._ranges = self._team.split(start)

    def entries(self) -> NDArray[np.uint8]:
        return self.table[: self._part.entries]

    def count(self) -> NDArray[np.int64]:
        part = self._part
        counts = np.zeros((len(self._rows), 256), np.int64)
        numbers = {first: number for number, (first, _) in enumerate(self._rows)}

        def step(first: int, stop: int) -> None:
            _count(
                first, stop, part.first, part.row_ends, self._work.layers, self._work.groups,
                self.table, counts[numbers[first]],
            )  # fmt: skip

        for _ in self._team.run(step, self._rows):
            pass
        return np.asarray(counts.sum(axis=0))

    def open_reach(self, part: Slice) -> None:
        self._part = part
        self.table = self._tables[part.pieces % 2]
        self.neighbour = self._tables[1 - part.pieces % 2]
        rows = int(part.row_ends[-1])
        self._rows = split_evenly(rows, min(ROW_TASKS, rows))
        if part.pieces == 0 or not self._work.is_whole:
            self.table[:] = UNREACHED
        if part.pieces == 0:
            self.table[self._work.groups.base[part.first]] = REACHED

    def spread(self, *, is_first: bool) -> int:
        part = self._part
        law, layers, groups = self._work.law, self._work.layers, self._work.groups

        def step(first: int, stop: int) -> int:
            return _spread(
                first, stop, part.first, part.row_ends, law, layers, groups, self.table,
                self.neighbour, int(is_first),
            )  # fmt: skip

        return sum(self._team.run(step, self._rows))

    def count_orbits(self) -> NDArray[np.int64]:
        part = self._part
        orbits = np.zeros((len(self._rows), SYMMETRIES + 1), np.int64)
        numbers = {first: number for number, (first, _) in enumerate(self._rows)}

        def step(first: int, stop: int) -> None:
            _count_orbits(
                first, stop, part.first, part.row_ends, self._work.layers, self._work.groups,
                self.table, orbits[numbers[first]],
            )  # fmt: skip

        for _ in self._team.run(step, self._rows):
            pass
        return np.asarray(orbits.sum(axis=0))

    def read(self, words: list[tuple[int, int, int]]) -> list[int]:
        layers, groups = self._work.layers, self._work.groups
        return [
            int(self.table[address_of(own, opp, group, layers, groups)])
            for group, own, opp in words
        ]
