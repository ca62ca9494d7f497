"""Retrograde analysis of a rule set: the value of every entry of the index.

`groups` does the work, cut into groups of placements; here the results of all groups lie where the
index of the tablebases has them.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestline.rules.law import Law
from nestline.solve.groups.cut import Cut, cut
from nestline.solve.groups.layers import build_layers
from nestline.solve.groups.processor import Processor, Team, split_evenly
from nestline.solve.groups.solver import Progress, reach_slices, solve_slices
from nestline.solve.index import Index, build_index
from nestline.system import cores

PAGE_TASKS = 64


@dataclass(frozen=True)
class Solution:
    """All entries of a rule set, in the order of the index."""

    law: Law
    index: Index
    entries: NDArray[np.uint8]
    has_stuck: bool
    """Whether some player has no move in an unfinished position."""


def whole_cut(law: Law) -> Cut:
    """The groups of a rule set in the layout of its index."""
    return cut(law, build_layers(law), whole=True)


def solve(law: Law, *, threads: int | None = None, progress: Progress | None = None) -> Solution:
    """Solve the rule set on the CPU; `progress` is called with the part done, 0 to 1."""
    index = build_index(law)
    work = whole_cut(law)
    with Team(threads or cores()) as team:
        device = Processor(team, work)
        has_stuck = solve_slices(work, device, progress=progress)
    return Solution(law, index, device.table, has_stuck)


def solve_on_gpu(law: Law, *, progress: Progress | None = None) -> Solution:
    """Solve the rule set on an NVIDIA GPU; the same `Solution` as from `solve`."""
    from nestline.solve.groups.card import Card

    index = build_index(law)
    work = whole_cut(law)
    device = Card().load(work)
    entries = np.empty(work.entries, np.uint8)
    with ThreadPoolExecutor() as pool:
        # The system provides memory page by page, which takes longer than copying to it.
        for part in np.array_split(entries, PAGE_TASKS):
            pool.submit(part.fill, 0)
        has_stuck = solve_slices(work, device, progress=progress)
    device.copy_whole(entries)
    return Solution(law, index, entries, has_stuck)


def first_look(law: Law, *, threads: int | None = None) -> NDArray[np.uint8]:
    """Every entry of the index as far as the board alone tells; see `classify`."""
    work = whole_cut(law)
    with Team(threads or cores()) as team:
        device = Processor(team, work)
        for part in work.slices:
            if part.entries:
                device.open_slice(part)
    return device.table


def reachable(
    law: Law, *, threads: int | None = None, progress: Progress | None = None
) -> NDArray[np.uint8]:
    """For each entry of the index, 0 if its position cannot be reached from the empty board."""
    work = whole_cut(law)
    with Team(threads or cores()) as team:
        device = Processor(team, work)
        reach_slices(work, device, progress=progress)
    return device.table


__all__ = ["Progress", "Solution", "first_look", "reachable", "solve", "solve_on_gpu",
           "split_evenly"]  # fmt: skip
