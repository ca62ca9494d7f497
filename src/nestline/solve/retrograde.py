"""Retrograde analysis on the CPU: every entry of the index, from full boards to the empty one.

Pieces never return to the reserve, so positions with more pieces on the board never depend on those
with fewer: the slices are solved by number of pieces, from all to none. The first look settles most
entries. The others go into a work list, which is processed for each distance in turn: an entry
whose moves all lead to wins of the opponent found so far is a loss, and marks its predecessors as
wins, in this slice and in the next one. Each entry remembers one move that still keeps it from
being lost, so that mostly one probe per distance is enough. What remains is drawn.

Threads share each step. Concurrent writes to an entry all write the same value, and nothing read in
the step depends on them, so the result is the same for any number of threads.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.kernel import MAX_MOVES, popcount
from nestline.rules.law import Law
from nestline.solve.classify import is_stuck
from nestline.solve.classify_rows import classify_rows
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, MAX_DISTANCE, OPEN
from nestline.solve.index import Index, build_index, words_of
from nestline.solve.propagate import NO_WITNESS, find_escape, mark_predecessors
from nestline.system import cores

CLASSIFYING_TASKS = 256
SMALLEST_TASK = 4096
TASKS_PER_THREAD = 8
GLANCE_SHARE = 0.45
"""The share of the total time taken by the first look at all entries; for the progress bar."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Solution:
    """All entries of a rule set, in the order of the index."""

    law: Law
    index: Index
    entries: NDArray[np.uint8]
    has_stuck: bool
    """Whether some player has no move in an unfinished position."""


@inlined
def _collect(
    first: int, stop: int, index: Index, table: NDArray[np.uint8], places: NDArray[np.int64],
    listed: NDArray[np.int32],
) -> None:  # fmt: skip
    """Write the open entries of these rows into the work list, each slice in its own place."""
    for entry in range(first * index.row, stop * index.row):
        if table[entry] == OPEN:
            own, opp = words_of(entry, index)
            pieces = popcount(own) + popcount(opp)
            listed[places[pieces]] = entry
            places[pieces] += 1


@inlined
def _find_losses(
    first: int, stop: int, law: Law, index: Index, table: NDArray[np.uint8], distance: int,
    listed: NDArray[np.int32], witnesses: NDArray[np.uint8], losses: NDArray[np.int32],
    moves: NDArray[np.uint8],
) -> tuple[int, int]:  # fmt: skip
    """One pass over the listed entries `first` to `stop`, looking for losses at this distance.

    Distance 0 is for players without a move. Entries still open move to the front of the range, the
    losses go into `losses` from `first` on; both counts are returned. `moves` is scratch.
    """
    limit = FIRST_WIN + 2 * (distance - 1)
    kept = first
    lost = first
    for place in range(first, stop):
        entry = listed[place]
        if table[entry] != OPEN:
            continue
        own, opp = words_of(entry, index)
        witness = witnesses[place]
        if distance == 0:
            is_lost = is_stuck(own, opp, law)
        else:
            witness = find_escape(own, opp, law, index, table, witness, limit, moves)
            is_lost = witness == NO_WITNESS
        if is_lost:
            losses[lost] = entry
            lost += 1
        else:
            listed[kept] = entry
            witnesses[kept] = witness
            kept += 1
    return kept - first, lost - first


@inlined
def _set_losses(
    first: int, stop: int, law: Law, index: Index, table: NDArray[np.uint8], code: int,
    losses: NDArray[np.int32],
) -> int:  # fmt: skip
    """Enter the losses, and mark their predecessors as wins; return how many were marked."""
    told = 0
    for place in range(first, stop):
        own, opp = words_of(losses[place], index)
        table[losses[place]] = code
        told += mark_predecessors(own, opp, law, index, table, code + 1)
    return told


class _Team:
    """Threads that share the ranges of a step; the steps themselves run without the GIL."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> "_Team":
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


def split_evenly(length: int, parts: int) -> list[tuple[int, int]]:
    """This many ranges (first, stop) of nearly equal length that cover everything."""
    bounds = [length * part // parts for part in range(parts + 1)]
    return list(pairwise(bounds))


class Slice(Protocol):
    """The entries with one number of pieces that the first look left open."""

    length: int
    """How many of them are still open."""

    def find_losses(self, distance: int) -> int:
        """Remove the losses at this distance from the list and count them; smaller ones are
        settled.

        Distance 0 is for players without a move.
        """

    def settle(self, lost: int, code: int) -> int:
        """Enter the losses just found and, unless they are drawn, mark their predecessors as wins;
        return how many were marked."""


def solve_slice(part: Slice, law: Law, longest: int) -> tuple[int, bool]:
    """Settle a slice, distance by distance, on whatever device holds it.

    `longest` is the greatest distance found so far. Returns the new greatest distance, and whether
    some player had no move.
    """
    has_stuck = False
    distance = 0
    while part.length and distance <= longest + 1:
        lost = part.find_losses(distance)
        if lost:
            if distance >= MAX_DISTANCE:
                raise TableError(f"some games last more than {MAX_DISTANCE} plies")
            has_stuck |= distance == 0
            is_drawn = distance == 0 and law.no_move_draws
            if part.settle(lost, DRAWN if is_drawn else FIRST_LOSS + 2 * distance):
                longest = max(longest, distance + 1)
        distance += 1
    return longest, has_stuck


class _CpuSlice:
    """A slice in main memory, processed by a team of threads."""

    def __init__(
        self, team: _Team, law: Law, index: Index, table: NDArray[np.uint8],
        listed: NDArray[np.int32], witnesses: NDArray[np.uint8], losses: NDArray[np.int32],
    ) -> None:  # fmt: skip
        self.team, self.law, self.index, self.table = team, law, index, table
        self.listed, self.witnesses, self.losses = listed, witnesses, losses
        self.length = len(listed)

    def find_losses(self, distance: int) -> int:
        def step(first: int, stop: int) -> tuple[int, int]:
            return _find_losses(
                first, stop, self.law, self.index, self.table, distance, self.listed,
                self.witnesses, self.losses, np.empty(MAX_MOVES, np.uint8),
            )  # fmt: skip

        ranges = self.team.split(self.length)
        kept = lost = 0
        for (first, _), (still_open, found) in zip(
            ranges, self.team.run(step, ranges), strict=True
        ):
            self.listed[kept : kept + still_open] = self.listed[first : first + still_open]
            self.witnesses[kept : kept + still_open] = self.witnesses[first : first + still_open]
            self.losses[lost : lost + found] = self.losses[first : first + found]
            kept += still_open
            lost += found
        self.length = kept
        return lost

    def settle(self, lost: int, code: int) -> int:
        if code == DRAWN:
            self.table[self.losses[:lost]] = DRAWN
            return 0

        def step(first: int, stop: int) -> int:
            return _set_losses(first, stop, self.law, self.index, self.table, code, self.losses)

        return sum(self.team.run(step, self.team.split(lost)))


def solve(law: Law, *, threads: int | None = None, progress: Progress | None = None) -> Solution:
    """Solve the rule set on the CPU; `progress` is called with the part done, 0 to 1."""
    report = progress or _silent
    index = build_index(law)
    table = np.empty(index.entries, np.uint8)
    with _Team(threads or cores()) as team:
        lists = _first_look(team, law, index, table, report)
        witnesses = np.full(max(map(len, lists)), NO_WITNESS, np.uint8)
        losses = np.empty(len(witnesses), np.int32)
        longest = 1  # what the first look tells
        has_stuck = False
        done = 0
        total = max(1, sum(map(len, lists)))
        for listed in reversed(lists):
            witnesses[: len(listed)] = NO_WITNESS
            part = _CpuSlice(team, law, index, table, listed, witnesses, losses)
            longest, is_stuck_here = solve_slice(part, law, longest)
            has_stuck |= is_stuck_here
            done += len(listed)
            report(GLANCE_SHARE + (1 - GLANCE_SHARE) * done / total)
    return Solution(law, index, table, has_stuck)


def _silent(_part: float) -> None:
    """A progress callback that does nothing."""


def _first_look(
    team: _Team, law: Law, index: Index, table: NDArray[np.uint8], report: Progress
) -> list[NDArray[np.int32]]:
    """Classify all entries; list the open ones by number of pieces, in ascending order."""
    slices = 2 * sum(law.stock) + 1
    rows = index.entries // index.row
    ranges = split_evenly(rows, min(CLASSIFYING_TASKS, rows))
    counts = np.zeros((len(ranges), slices), np.int64)
    numbers = {first: number for number, (first, _) in enumerate(ranges)}

    def look(first: int, stop: int) -> None:
        room = np.empty((3, law.board * law.board), np.int64)
        classify_rows(first, stop, law, index, table, counts[numbers[first]], room)

    for number, _ in enumerate(team.run(look, ranges), start=1):
        report(GLANCE_SHARE * number / len(ranges))
    # Each range writes to its own part of each slice, so the lists keep the order of the entries.
    flat = counts.T.ravel()
    places = (np.cumsum(flat) - flat).reshape(slices, len(ranges)).T.copy()
    listed = np.empty(counts.sum(), np.int32)

    def collect(first: int, stop: int) -> None:
        _collect(first, stop, index, table, places[numbers[first]], listed)

    for _ in team.run(collect, ranges):
        pass
    return np.split(listed, np.cumsum(counts.sum(axis=0))[:-1])
