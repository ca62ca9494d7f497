"""Move ordering: in which order the search tries the moves of a position, the best guess first.

First the move from the transposition table, then moves that answer a threat, killer moves, and the
others by the static score after them, where that is known, and the history heuristic. Threads defer
moves that another thread is searching.
"""

from nestline.compiled import inlined
from nestline.engine.search.transposition import is_busy, mark_of
from nestline.engine.search.workspace import Workspace

MOST_CREDIT = 1 << 14
"""The history heuristic stays between this and its negative."""

HISTORY_SHIFT = 0
"""How much the history heuristic counts beside the static score, of which a hundredth is 2^20."""

PUT_OFF = -(1 << 60)
"""The rank of a move that another thread was searching when its turn came."""


@inlined
def rank_moves(answers: int, best: int, count: int, ply: int, work: Workspace) -> None:
    """Rank the moves of this ply; `best` is the transposition table's, `answers` are the squares on
    which a threat can be answered."""
    for index in range(count):
        move = work.moves[ply, index]
        rank = work.history[ply & 1, move] << HISTORY_SHIFT
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
def put_first(best: int, count: int, ply: int, work: Workspace) -> bool:
    """Swap the move of the transposition table to the front, before any is ranked; whether it is
    legal."""
    moves = work.moves
    for index in range(count):
        if moves[ply, index] == best:
            moves[ply, index] = moves[ply, 0]
            moves[ply, 0] = best
            return True
    return False


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
def _credit(move: int, bonus: int, ply: int, work: Workspace) -> None:
    history = work.history
    history[ply & 1, move] += bonus - history[ply & 1, move] * abs(bonus) // MOST_CREDIT


@inlined
def note_cutoff(index: int, depth: int, ply: int, work: Workspace) -> None:
    """Credit the move at this place, which caused a cutoff, in the history heuristic and as a
    killer move; those tried before it lose credit."""
    move = work.moves[ply, index]
    bonus = min(16 * depth * depth, MOST_CREDIT // 8)
    _credit(move, bonus, ply, work)
    for earlier in range(index):
        _credit(work.moves[ply, earlier], -bonus, ply, work)
    if move != work.killers[ply, 0]:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move
