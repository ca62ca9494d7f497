"""What is worth knowing about a solved game, without keeping its solution.

Two slices are in memory at a time, so games far beyond the size of a tablebase can be surveyed.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestline.kernel import MAX_MOVES, legal_moves, play, transform
from nestline.rules.law import Law
from nestline.solve.entry import FIRST_WIN, IMPOSSIBLE, distance_of, value_of
from nestline.solve.groups.cut import Cut, Slice, cut
from nestline.solve.groups.layers import build_layers
from nestline.solve.groups.processor import Processor, Team
from nestline.solve.groups.size import require_possible
from nestline.solve.groups.solver import Device, Progress, reached_positions, solve_slices
from nestline.solve.index import SYMMETRIES
from nestline.system import cores

SOLVING_SHARE = 0.5
"""The share of solving in the time that all takes; for the progress."""


class Survey(NamedTuple):
    """The facts about a game. Entries are those of `solve.entry`, seen by the player to move."""

    entries: int
    """How many entries were solved: placements up to symmetry of the largest layer."""
    start: int
    """The entry of the empty board."""
    first_moves: dict[int, int]
    """For the first moves, one of each kind up to symmetry, the entry of the position after it."""
    counts: dict[int, int]
    """How many placements, not reduced by symmetry, have each entry."""
    has_stuck: bool
    """Whether some placement leaves the player to move without a move in an unfinished game."""
    reachable: int | None
    """How many positions can be reached from the empty board, up to symmetry; None if not asked
    for."""

    def placements(self, value: int) -> int:
        """How many placements are won (1), drawn (0) or lost (-1) for the player to move."""
        return sum(count for code, count in self.counts.items() if value_of(code) == value)

    def longest(self, value: int) -> int:
        """The greatest distance of a win (1) or a loss (-1) among all placements; 0 if none."""
        return max(
            (distance_of(code) or 0 for code in self.counts if value_of(code) == value), default=0
        )

    def best_first_moves(self) -> list[int]:
        """The first moves that win fastest, or draw, or lose slowest."""
        ranked = {move: _for_opponent(code) for move, code in self.first_moves.items()}
        best = min(ranked.values(), default=(0, 0))
        return [move for move, rank in ranked.items() if rank == best]


def _for_opponent(code: int) -> tuple[int, int]:
    """A sort key for entries seen by the opponent: fast losses first, fast wins last."""
    if code < FIRST_WIN:
        return 1, 0
    far = distance_of(code) or 0
    return (2, -far) if value_of(code) == 1 else (0, far)


def survey(
    law: Law, *, reach: bool = True, load: Callable[[Cut], Device] | None = None,
    threads: int | None = None, progress: Progress | None = None,
) -> Survey:  # fmt: skip
    """Solve a game on the CPU, or on the device that `load` prepares.

    With `reach` it also counts the positions that can be reached, which takes as long again.
    """
    require_possible(law)
    work = cut(law, build_layers(law))
    with Team(threads or cores()) as team:
        device: Device = load(work) if load else Processor(team, work)
        return _survey(work, device, reach, progress or (lambda _part: None))


def _survey(work: Cut, device: Device, reach: bool, progress: Progress) -> Survey:
    share = SOLVING_SHARE if reach else 1.0
    counts = np.zeros(256, np.int64)
    found: dict[int, list[int]] = {}
    moves = _first_moves(work.law)
    asked = {
        0: [(_group(work, 0, 0), 0, 0)],
        1: [(_group(work, 0, played), 0, played) for played in moves.values()],
    }

    def finished(part: Slice, _has_stuck: bool) -> None:
        nonlocal counts
        counts = counts + device.count()
        if asked.get(part.pieces):
            found[part.pieces] = device.read(asked[part.pieces])

    has_stuck = solve_slices(
        work, device, progress=lambda part: progress(share * part), finished=finished
    )
    reachable = None
    if reach:
        reachable = reached_positions(
            work, device, progress=lambda part: progress(share + (1 - share) * part)
        )
    return Survey(
        entries=work.entries,
        start=found[0][0],
        first_moves=dict(zip(moves, found.get(1, []), strict=True)),
        counts={
            code: int(count) for code, count in enumerate(counts) if count and code != IMPOSSIBLE
        },
        has_stuck=has_stuck,
        reachable=reachable,
    )


def _first_moves(law: Law) -> dict[int, int]:
    """The first moves up to symmetry, each with the mover's word after it."""
    moves = np.empty(MAX_MOVES, np.int64)
    found: dict[int, int] = {}
    for move in moves[: legal_moves(0, 0, law, moves)].tolist():
        after = play(0, move)
        if min(transform(after, symmetry, law.board) for symmetry in range(SYMMETRIES)) == after:
            found[move] = after
    return found


def _group(work: Cut, own: int, opp: int) -> int:
    """The group of a position with at most one piece."""

    def counted(word: int) -> list[int]:
        return [(word >> 16 * size & 0xFFFF).bit_count() for size in range(4)]

    same = (work.groups.own == counted(own)).all(axis=1)
    return int(np.flatnonzero(same & (work.groups.opp == counted(opp)).all(axis=1))[0])
