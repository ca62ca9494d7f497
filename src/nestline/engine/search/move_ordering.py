"""Move ordering: in which order the search tries the moves of a position, the best guess first.

First the move from the transposition table, then moves that answer a threat, killer moves, and the
others by the history heuristic. Threads defer moves that another thread is searching.
"""

from nestline import kernel
from nestline.compiled import inlined
from nestline.engine.search.transposition import is_busy, mark_of
from nestline.engine.search.workspace import Workspace

PUT_OFF = -1
"""The rank of a move that another thread was searching when its turn came."""


@inlined
def rank_moves(answers: int, best: int, count: int, ply: int, work: Workspace) -> None:
    """Rank the moves of this ply; `best` is the transposition table's, `answers` are the squares on
    which a threat can be answered."""
    for index in range(count):
        move = work.moves[ply, index]
        rank = work.history[ply & 1, move]
        if move == best:
            rank += 1 << 50
        elif move == work.killers[ply, 0]:
            rank += 1 << 41
        elif move == work.killers[ply, 1]:
            rank += 1 << 40
        if answers >> (move & 15) & 1:
            rank += 1 << 45
        work.ranks[ply, index] = rank


@inlined
def take_best(start: int, count: int, ply: int, work: Workspace) -> int:
    """Swap the highest-ranked of the moves from `start` on to the front."""
    moves, ranks = work.moves, work.ranks
    best = start
    for index in range(start + 1, count):
        if ranks[ply, index] > ranks[ply, best]:
            best = index
    move: int = moves[ply, best]
    rank = ranks[ply, best]
    moves[ply, best] = moves[ply, start]
    ranks[ply, best] = ranks[ply, start]
    moves[ply, start] = move
    ranks[ply, start] = rank
    return move


@inlined
def take_idle(start: int, count: int, ply: int, key: int, depth: int, work: Workspace) -> int:
    """Like `take_best`, but moves that another thread is searching are deferred to the end.

    By then their scores are mostly in the transposition table, so the threads share the work.
    """
    move = take_best(start, count, ply, work)
    while work.ranks[ply, start] != PUT_OFF and is_busy(work.busy, mark_of(key, move, depth)):
        work.ranks[ply, start] = PUT_OFF
        move = take_best(start, count, ply, work)
    return move


@inlined
def note_cutoff(move: int, depth: int, ply: int, work: Workspace) -> None:
    """Credit a move that caused a cutoff: in the history heuristic and as a killer move."""
    history = work.history
    history[ply & 1, move] += depth * depth
    if history[ply & 1, move] > 1 << 30:
        for index in range(kernel.MAX_MOVES):
            history[ply & 1, index] >>= 1
    if move != work.killers[ply, 0]:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move
