"""The scratch memory of one search thread: counters, moves, killers, history, variations."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.engine.search.transposition import MARKS, make_marks
from nestline.threats import NO_MOVE

MAX_PLY = 100
"""The search goes no further than this many plies from the root."""

EARLIER = 256
"""At most this many positions of the game before the root are remembered."""

NODES, STOP, NODE_LIMIT, OLDEST_REPEATED, EARLIER_COUNT, REPETITION, QUIESCENCE_END, SELECTIVE, \
    SYMMETRIC_PIECES, GENERATION, SHARED, AFTER_NULL, AIM = range(13)  # fmt: skip
"""Indices into `Workspace.control`."""

NEVER = 1 << 40

OVERTAKEN = 0
"""Instead of the depth that a thread aims at: another one has finished it."""

RACE_DEPTH, RACE_SCORE, RACE_CHECKSUM, RACE_LINE = range(4)
"""Indices into `Workspace.race`: the depth that a thread has finished, the score of its best line,
the checksum of all this, and the line, its length in front."""

RACE_WORDS = RACE_LINE + MAX_PLY + 1
SHARED_WORDS = MARKS + RACE_WORDS

Numbers = NDArray[np.int64]


class Workspace(NamedTuple):
    """The arrays of one thread.

    control: the numbers named above; path: (EARLIER + MAX_PLY, 2), the bitboards of the positions
    before the root and on the path from it; moves, ranks: (MAX_PLY, MAX_MOVES), one row per ply;
    history: (2, MAX_MOVES), the history heuristic, how well a move did for either player; killers:
    (MAX_PLY, 2), the last moves that caused a cutoff at each ply; variations: (MAX_PLY + 1, MAX_PLY
    + 1), the principal variation from each ply on, its length in column 0; statics: (MAX_PLY,
    MAX_MOVES), by ply and move, the static score after it; deferred: (MAX_MOVES,), by place, the
    root moves that another thread was searching; busy, race: shared by all threads, marks of the
    moves being searched, and what the first to finish a depth has found.
    """

    control: Numbers
    path: Numbers
    moves: Numbers
    ranks: Numbers
    history: Numbers
    killers: Numbers
    variations: Numbers
    statics: Numbers
    deferred: Numbers
    busy: Numbers
    race: Numbers


def make_workspaces(threads: int) -> list[Workspace]:
    """One workspace per thread."""
    busy, race = make_marks(), np.zeros(RACE_WORDS, np.int64)
    return [_make_workspace(busy, race) for _ in range(threads)]


def _make_workspace(busy: Numbers, race: Numbers) -> Workspace:
    return Workspace(
        control=np.zeros(16, np.int64),
        path=np.zeros((EARLIER + MAX_PLY, 2), np.int64),
        moves=np.zeros((MAX_PLY, kernel.MAX_MOVES), np.int64),
        ranks=np.zeros((MAX_PLY, kernel.MAX_MOVES), np.int64),
        history=np.zeros((2, kernel.MAX_MOVES), np.int64),
        killers=np.full((MAX_PLY, 2), NO_MOVE, np.int64),
        variations=np.zeros((MAX_PLY + 1, MAX_PLY + 1), np.int64),
        statics=np.zeros((MAX_PLY, kernel.MAX_MOVES), np.int64),
        deferred=np.zeros(kernel.MAX_MOVES, np.int64),
        busy=busy,
        race=race,
    )
