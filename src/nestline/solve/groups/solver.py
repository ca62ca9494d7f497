"""Solving slice by slice, from full boards to the empty one, on whatever device does the steps.

Pieces never return to the reserve, so a slice needs only itself and the slice with one piece more.
The first look settles most entries. The losses of the larger slice then make wins of this one, and
an open entry that some placement saves from losing is no candidate for a loss any more. The others
are gone through for each distance in turn: a candidate whose moves on the board all lead to wins of
the opponent found so far is lost, and makes wins of its predecessors. Each candidate remembers one
move that still saves it, so that mostly one probe per distance is enough. What remains is drawn.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nestline.errors import TableError
from nestline.solve.entry import MAX_DISTANCE
from nestline.solve.groups.cut import Cut, Slice
from nestline.solve.index import SYMMETRIES

Progress = Callable[[float], None]


class Device(Protocol):
    """What does the steps of a slice: threads of the processor, or a GPU."""

    @property
    def candidates(self) -> int:
        """How many entries may still turn out to be lost."""

    @property
    def longest(self) -> int:
        """The greatest distance of a win so far, in the slice or after placing a piece."""

    def open_slice(self, part: Slice) -> None:
        """Classify all entries of a slice, the one with one piece fewer than the last."""

    def mark_placed(self) -> None:
        """Make wins of the slice from the losses of the larger one."""

    def collect(self) -> bool:
        """List the candidates for losses, and settle players without a move; return whether there
        are any."""

    def settle(self, distance: int) -> int:
        """Find the losses of this distance among the candidates, and make wins of their
        predecessors in the slice.

        A device may go on with the next distances, as long as `solve_slices` would. Return the one
        that follows.
        """

    def entries(self) -> NDArray[np.uint8]:
        """All entries of the slice, in main memory; overwritten when the next but one is
        opened."""

    def count(self) -> NDArray[np.int64]:
        """(256,): how many placements of the slice have each entry."""

    def read(self, words: list[tuple[int, int, int]]) -> list[int]:
        """The entries of some positions of the slice, each given by its group and its words."""

    def open_reach(self, part: Slice) -> None:
        """Begin to look for the reached entries of a slice, the one with one piece more than the
        last."""

    def spread(self, *, is_first: bool) -> int:
        """Look once at all entries not reached so far; return how many are reached now."""

    def count_orbits(self) -> NDArray[np.int64]:
        """(9,): for each number of symmetries that fix the largest layer, the sum over the reached
        entries of how many of them fix the whole position."""


def reach_slices(
    work: Cut, device: Device, *, progress: Progress | None = None,
    finished: Callable[[Slice], None] | None = None,
) -> None:  # fmt: skip
    """Find what can be reached from the empty board, slice by slice.

    `finished` is called with each slice while the device still holds it.
    """
    done = 0
    total = max(1, sum(part.entries for part in work.slices))
    for part in work.slices:
        if part.entries == 0:
            break  # Every placement is a piece more, so nothing larger is reached either.
        device.open_reach(part)
        found = device.spread(is_first=True)
        while found and work.law.moving:
            found = device.spread(is_first=False)
        if finished:
            finished(part)
        done += part.entries
        if progress:
            progress(done / total)


def reached_positions(work: Cut, device: Device, *, progress: Progress | None = None) -> int:
    """How many positions can be reached from the empty board, up to symmetry."""
    orbits = np.zeros(SYMMETRIES + 1, np.int64)

    def finished(_part: Slice) -> None:
        nonlocal orbits
        orbits = orbits + device.count_orbits()

    reach_slices(work, device, progress=progress, finished=finished)
    return sum(int(orbits[order]) // order for order in (1, 2, 4, 8))


def solve_slices(
    work: Cut, device: Device, *, progress: Progress | None = None,
    finished: Callable[[Slice, bool], None] | None = None,
) -> bool:  # fmt: skip
    """Solve all slices; return whether some player has no move in an unfinished position.

    `finished` is called with each slice while the device still holds it, and with whether there
    has been such a player so far.
    """
    has_stuck = False
    done = 0
    total = max(1, sum(part.entries for part in work.slices))
    for part in reversed(work.slices):
        if part.entries == 0:
            continue
        device.open_slice(part)
        device.mark_placed()
        has_stuck |= device.collect()
        distance = 1
        while device.candidates and distance <= device.longest + 1:
            if distance > MAX_DISTANCE:
                raise TableError(f"some games last more than {MAX_DISTANCE} plies")
            distance = device.settle(distance)
        if finished:
            finished(part, has_stuck)
        done += part.entries
        if progress:
            progress(done / total)
    return has_stuck
