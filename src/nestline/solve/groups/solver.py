"""Solving slice by slice, from full boards to the empty one, on whatever device does the steps.

Pieces never return to the reserve, so a slice needs only itself and the slice with one piece more.
The first look settles most entries. The losses of the larger slice then make wins of this one, and
an open entry that some placement saves from losing is no candidate for a loss any more. The others
are gone through for each distance in turn: a candidate whose moves on the board all lead to wins of
the opponent found so far is lost, and makes wins of its predecessors. Each candidate remembers one
move that still saves it, so that mostly one probe per distance is enough. What remains is drawn.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nestline.errors import TableError
from nestline.rules.law import Law
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, MAX_DISTANCE
from nestline.solve.groups.cut import Cut, Slice
from nestline.solve.index import SYMMETRIES

Progress = Callable[[float], None]


class Losses(NamedTuple):
    """Where the losses of one distance are in the list of a slice's losses."""

    code: int
    first: int
    stop: int


class Device(Protocol):
    """What does the steps of a slice: threads of the processor, or a GPU."""

    def open_slice(self, part: Slice) -> None:
        """Classify all entries of a slice, the one with one piece fewer than the last."""

    def mark_placed(self, losses: Losses) -> int:
        """Make wins of the slice from losses of the larger one; return how many changed."""

    def collect(self) -> int:
        """List the candidates for losses; list as lost, and count, players without a move."""

    @property
    def candidates(self) -> int:
        """How many are left."""

    @property
    def slowest(self) -> int:
        """The slowest of the opponent's wins after a candidate places a piece, as an entry; 0 if
        none does."""

    def find_losses(self, distance: int) -> int:
        """Move the losses of this distance from the candidates to the losses, and count them."""

    def settle(self, losses: Losses) -> int:
        """Enter these losses and, unless they are drawn, make wins of their predecessors in the
        slice; return how many changed."""

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
    losses: list[Losses] = []
    done = 0
    total = max(1, sum(part.entries for part in work.slices))
    for part in reversed(work.slices):
        if part.entries == 0:
            losses = []
            continue
        device.open_slice(part)
        longest = 1  # what the first look tells
        for found in losses:
            if device.mark_placed(found):
                longest = max(longest, (found.code - FIRST_LOSS) // 2 + 1)
        stuck = device.collect()
        longest = max(longest, (device.slowest - FIRST_WIN) // 2)
        has_stuck |= stuck > 0
        losses = _settle_all(work.law, device, stuck, longest)
        if finished:
            finished(part, has_stuck)
        done += part.entries
        if progress:
            progress(done / total)
    return has_stuck


def _settle_all(law: Law, device: Device, stuck: int, longest: int) -> list[Losses]:
    """Settle the candidates of a slice, distance by distance; return its losses.

    `longest` is the greatest distance of a win so far, in the slice or after placing a piece.
    """
    losses = []
    distance = 0
    last = 0
    lost = stuck
    while True:
        if lost:
            if distance >= MAX_DISTANCE:
                raise TableError(f"some games last more than {MAX_DISTANCE} plies")
            is_drawn = distance == 0 and law.no_move_draws
            code = DRAWN if is_drawn else FIRST_LOSS + 2 * distance
            found = Losses(code, last, last + lost)
            if device.settle(found):
                longest = max(longest, distance + 1)
            last += lost
            if not is_drawn:
                losses.append(found)
        distance += 1
        if device.candidates == 0 or distance > longest + 1:
            return losses
        lost = device.find_losses(distance)
