"""The search: principal variations by alpha-beta on the kernel, compiled, without Python inside.

Scores are seen from the player to move: `WIN` minus the number of plies for a forced win, its
negative for a forced loss, and otherwise what `evaluation` says. A forced score is always proven.
Where the search is not selective it is full width, so that depth d finds every win within d plies.

Repeated positions on the way from the root count as draws. Such a draw belongs to the way and not
to the position, so scores that rest on one are kept out of the memory.

Deepening, threads, time and variations are the business of `thinking`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined, recursive
from nestline.engine.search.evaluation import HAS_LINE, Sheet, evaluate
from nestline.engine.search.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    bound_in,
    depth_in,
    find,
    inverse,
    is_busy,
    keep,
    key_of,
    make_marks,
    mark_of,
    move_in,
    move_through,
    score_in,
    set_busy,
    set_idle,
)
from nestline.rules.law import Law

WIN = 10_000
"""A win now; a forced win in n plies scores `WIN - n`."""

FORCED = 9_000
"""Scores beyond this, in either direction, are forced wins or losses."""

MAX_DEPTH = 60
MAX_PLY = 100
"""No line of play is followed further than this from the root."""

EARLIER = 256
"""So many positions of the game before the root are remembered at most."""

UNSETTLED = 4 * WIN
"""Told instead of a score where a threat has to be answered first."""

NODES, STOP, NODE_LIMIT, OLDEST_REPEATED, EARLIER_COUNT, REPETITION, FURTHEST, SELECTIVE, \
    SYMMETRIC_PIECES, GENERATION, SHARED = range(11)  # fmt: skip
"""The numbers of `Workspace.control`."""

NEVER = 1 << 40

WORTH_SHARING = 3
"""From this depth on threads leave each other the moves they are looking at."""

PUT_OFF = -1
"""The rank of a move that another thread was looking at when its turn came."""

Numbers = NDArray[np.int64]


class Workspace(NamedTuple):
    """What one thread writes on while it searches.

    control: the numbers named above; path: (EARLIER + MAX_PLY, 2), the words of the positions
    before the root and on the way from it; moves, ranks: (MAX_PLY, MAX_MOVES), one row per ply;
    history: (2, MAX_MOVES), how often a move was good; killers: (MAX_PLY, 2), the last good ones;
    lines: (MAX_PLY + 1, MAX_PLY + 1), the best line from each ply on, its length in column 0;
    busy: common to all threads, marks of the moves that are being looked at.
    """

    control: Numbers
    path: Numbers
    moves: Numbers
    ranks: Numbers
    history: Numbers
    killers: Numbers
    lines: Numbers
    busy: Numbers


def make_workspaces(threads: int) -> list[Workspace]:
    busy = make_marks()
    return [_make_workspace(busy) for _ in range(threads)]


def _make_workspace(busy: Numbers) -> Workspace:
    return Workspace(
        control=np.zeros(16, np.int64),
        path=np.zeros((EARLIER + MAX_PLY, 2), np.int64),
        moves=np.zeros((MAX_PLY, kernel.MAX_MOVES), np.int64),
        ranks=np.zeros((MAX_PLY, kernel.MAX_MOVES), np.int64),
        history=np.zeros((2, kernel.MAX_MOVES), np.int64),
        killers=np.full((MAX_PLY, 2), NO_MOVE, np.int64),
        lines=np.zeros((MAX_PLY + 1, MAX_PLY + 1), np.int64),
        busy=busy,
    )


@inlined
def winning_move(own: int, opp: int, own_shown: int, gaps: int, law: Law) -> int:
    """A move that wins at once, or `NO_MOVE`; `gaps` are the squares that would complete a line.

    A move adds no visible square but its target, so it can only win on one of the gaps.
    """
    placing = kernel.placing_squares(own, opp, law)
    for size in range(law.sizes, 0, -1):
        targets = kernel.layer(placing, size) & gaps
        if targets and kernel.in_reserve(own, size, law):
            return (size - 1) * 16 + kernel.bit_index(targets & -targets)
    if law.moving:
        free = kernel.landings(own, opp, law)
        for size in range(law.sizes, 0, -1):
            targets = kernel.layer(free, size) & gaps
            if targets == 0:
                continue
            origins = kernel.layer(own_shown, size)
            while origins:
                origin = origins & -origins
                origins ^= origin
                source = kernel.FIRST_BOARD_SOURCE + kernel.bit_index(origin)
                landings = targets
                while landings:
                    target = landings & -landings
                    landings ^= target
                    move = source * 16 + kernel.bit_index(target)
                    if kernel.decision(opp, kernel.play(own, move), law) == kernel.LINE:
                        return move
    return NO_MOVE


@inlined
def _is_drawn(own: int, opp: int, law: Law) -> bool:
    """Whether a position without lines is a draw as the rule set has it."""
    if law.draw_board_full and kernel.squares_of(own | opp) == law.all_squares:
        return True
    if law.draw_all_placed:
        stock = 0
        for size in range(law.sizes):
            stock += 2 * law.stock[size]
        return kernel.popcount(own) + kernel.popcount(opp) == stock
    return False


@inlined
def _glance(own: int, opp: int, ply: int, at_any_price: bool, law: Law, sheet: Sheet) -> int:
    """The score of a position without searching; `UNSETTLED` if a threat has to be answered.

    The opponent has just moved and has not won by it. `at_any_price` evaluates all the same.
    """
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_lines = sheet.completing[kernel.squares_of(own_shown)]
    if own_lines & HAS_LINE:
        return WIN - ply
    if _is_drawn(own, opp, law):
        return 0
    if own_lines and winning_move(own, opp, own_shown, own_lines, law) != NO_MOVE:
        return WIN - ply - 1
    gaps = sheet.completing[kernel.squares_of(opp_shown)]
    if gaps and not at_any_price and winning_move(opp, own, opp_shown, gaps, law) != NO_MOVE:
        return UNSETTLED
    return evaluate(own, opp, own_shown, opp_shown, law, sheet)


@inlined
def glance_at_all(owns: Numbers, opps: Numbers, law: Law, sheet: Sheet, scores: Numbers) -> None:
    """Write the score of each position without searching, as a search of depth 0 takes it."""
    for index in range(len(owns)):
        scores[index] = _glance(owns[index], opps[index], 0, False, law, sheet)


@inlined
def _repeated_since(own: int, opp: int, ply: int, law: Law, work: Workspace) -> int:
    """The ply of the same position on the way from the root, -1 if the game has had it so often
    that it is drawn, and NEVER if neither."""
    control = work.control
    here = control[EARLIER_COUNT] + ply
    work.path[here, 0] = own
    work.path[here, 1] = opp
    if not law.moving:
        return NEVER
    pieces = kernel.popcount(own) + kernel.popcount(opp)
    before = 0
    there = here - 2
    while there >= 0:
        other_own, other_opp = work.path[there, 0], work.path[there, 1]
        if other_own == own and other_opp == opp:
            since_root: int = there - control[EARLIER_COUNT]
            if since_root >= 0:
                return since_root
            before += 1
        elif kernel.popcount(other_own) + kernel.popcount(other_opp) != pieces:
            break
        there -= 2
    return -1 if before and before + 1 >= control[REPETITION] else NEVER


@inlined
def _rank(answers: int, best: int, count: int, ply: int, work: Workspace) -> None:
    """How promising the moves of this ply are: the remembered one, those that land where a threat
    can be answered, the last good ones, and those that were good most often."""
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
def _rank_by_a_glance(
    own: int, opp: int, count: int, ply: int, law: Law, sheet: Sheet, work: Workspace
) -> None:
    """Rank moves that are not known to be good by what the position after them looks like."""
    for index in range(count):
        child = kernel.play(own, work.moves[ply, index])
        score = _glance(opp, child, ply, True, law, sheet)
        work.ranks[ply, index] += (WIN - score) << 20


@inlined
def _take_best(start: int, count: int, ply: int, work: Workspace) -> int:
    """Bring the most promising move of those from `start` on to the front of them."""
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
def _take_idle(start: int, count: int, ply: int, key: int, depth: int, work: Workspace) -> int:
    """As `_take_best`, but moves that another thread is looking at are put off to the end.

    Their scores are then mostly found in the memory, so that threads divide the work.
    """
    move = _take_best(start, count, ply, work)
    while work.ranks[ply, start] != PUT_OFF and is_busy(work.busy, mark_of(key, move, depth)):
        work.ranks[ply, start] = PUT_OFF
        move = _take_best(start, count, ply, work)
    return move


@inlined
def _note_good(move: int, depth: int, ply: int, work: Workspace) -> None:
    history = work.history
    history[ply & 1, move] += depth * depth
    if history[ply & 1, move] > 1 << 30:
        for index in range(kernel.MAX_MOVES):
            history[ply & 1, index] >>= 1
    if move != work.killers[ply, 0]:
        work.killers[ply, 1] = work.killers[ply, 0]
        work.killers[ply, 0] = move


@inlined
def _note_line(move: int, ply: int, work: Workspace) -> None:
    """The best line from here is this move and then the best line from the next ply on."""
    lines = work.lines
    rest = lines[ply + 1, 0]
    lines[ply, 0] = rest + 1
    lines[ply, 1] = move
    for index in range(1, rest + 1):
        lines[ply, index + 1] = lines[ply + 1, index]


@inlined
def _reduction(own: int, opp: int, depth: int, index: int, sheet: Sheet) -> int:
    """By how many plies less a late and quiet move is searched, `opp` having just made it."""
    if depth < 4 or index < 3:
        return 0
    shown = kernel.squares_of(opp & ~kernel.under_larger(own | opp))
    if sheet.completing[shown]:
        return 0
    return 1 + (index >= 10 and depth >= 5) + (index >= 25 and depth >= 6)


@recursive
def search(
    own: int, opp: int, depth: int, ply: int, alpha: int, beta: int, law: Law, sheet: Sheet,
    table: Numbers, work: Workspace,
) -> int:  # fmt: skip
    """The score of a position, exact if it lies between alpha and beta, searched to a depth >= 1.

    The opponent has just moved and has not won by it. Meaningless once the search was stopped.
    """
    control = work.control
    control[NODES] += 1
    if control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
    work.lines[ply, 0] = 0
    if control[STOP]:
        return 0
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    own_lines = sheet.completing[own_squares]
    if own_lines & HAS_LINE:
        return WIN - ply
    if _is_drawn(own, opp, law):
        return 0
    if own_lines:
        move = winning_move(own, opp, own_shown, own_lines, law)
        if move != NO_MOVE:
            work.lines[ply, 0] = 1
            work.lines[ply, 1] = move
            return WIN - ply - 1
    repeated = _repeated_since(own, opp, ply, law, work)
    if repeated < NEVER:
        control[OLDEST_REPEATED] = min(control[OLDEST_REPEATED], repeated)
        return 0
    if ply >= MAX_PLY - 1:
        return evaluate(own, opp, own_shown, opp_shown, law, sheet)
    # A win takes three plies from here, and the player to move loses at the earliest by his move.
    alpha = max(alpha, ply + 1 - WIN)
    beta = min(beta, WIN - ply - 3)
    if alpha >= beta:
        return alpha

    symmetry = 0
    if depth > 1:
        pieces = kernel.popcount(own) + kernel.popcount(opp)
        if pieces <= control[SYMMETRIC_PIECES]:
            symmetry = kernel.canonical_symmetry(own, opp, law.board)
    key = key_of(own, opp, symmetry, law.board)
    best_move = NO_MOVE
    is_open = beta - alpha > 1
    known = find(table, key)
    if known:
        best_move = move_through(move_in(known), inverse(symmetry), law.board)
        score = score_in(known)
        # Distances in the memory count from its position, in the search from the root.
        if score > FORCED:
            score -= ply
        elif score < -FORCED:
            score += ply
        bound = bound_in(known)
        if depth_in(known) >= depth and not is_open:
            if bound == EXACT or (bound == AT_LEAST and score >= beta):
                return score
            if bound == AT_MOST and score <= alpha:
                return score
    gaps = sheet.completing[opp_squares]
    threatened = gaps != 0 and winning_move(opp, own, opp_shown, gaps, law) != NO_MOVE
    count = kernel.legal_moves(own, opp, law, work.moves[ply])
    if count == 0:
        return 0 if law.no_move_draws else ply - WIN
    _rank(opp_squares | gaps if threatened else 0, best_move, count, ply, work)
    if depth > 1:
        _rank_by_a_glance(own, opp, count, ply, law, sheet, work)

    oldest_before = control[OLDEST_REPEATED]
    control[OLDEST_REPEATED] = NEVER
    lower = alpha
    best = -WIN
    shared = control[SHARED] != 0 and depth >= WORTH_SHARING
    mark = 0
    for index in range(count):
        if shared and index > 0:
            move = _take_idle(index, count, ply, key, depth, work)
            mark = mark_of(key, move, depth)
            set_busy(work.busy, mark)
        else:
            move = _take_best(index, count, ply, work)
        child = kernel.play(own, move)
        work.lines[ply + 1, 0] = 0
        if depth == 1:
            control[NODES] += 1
            score = _glance(opp, child, ply + 1, ply + 1 >= control[FURTHEST], law, sheet)
            if score == UNSETTLED:
                score = search(opp, child, depth, ply + 1, -beta, -alpha, law, sheet, table, work)
            score = -score
        else:
            reduction = 0
            if control[SELECTIVE] and not threatened:
                reduction = _reduction(opp, child, depth, index, sheet)
            score = alpha + 1
            if index > 0:
                score = -search(
                    opp, child, depth - 1 - reduction, ply + 1, -alpha - 1, -alpha,
                    law, sheet, table, work,
                )  # fmt: skip
                if reduction and score > alpha:
                    score = -search(
                        opp, child, depth - 1, ply + 1, -alpha - 1, -alpha,
                        law, sheet, table, work,
                    )  # fmt: skip
            if index == 0 or (is_open and alpha < score < beta):
                score = -search(
                    opp, child, depth - 1, ply + 1, -beta, -alpha, law, sheet, table, work
                )
        if control[STOP]:
            return 0
        if shared and index > 0:
            set_idle(work.busy, mark)
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if is_open:
                    _note_line(move, ply, work)
                if score >= beta:
                    _note_good(move, depth, ply, work)
                    break
    bound = EXACT
    if best >= beta:
        bound = AT_LEAST
    elif best <= lower:
        bound = AT_MOST
    oldest = control[OLDEST_REPEATED]
    if oldest >= ply or abs(best) > FORCED:
        stored = best
        if stored > FORCED:
            stored += ply
        elif stored < -FORCED:
            stored -= ply
        best_move = move_through(best_move, symmetry, law.board)
        keep(table, key, stored, depth, bound, best_move, control[GENERATION])
    if oldest >= ply:
        oldest = NEVER
    control[OLDEST_REPEATED] = min(oldest_before, oldest)
    return best


@recursive
def search_root(
    own: int, opp: int, depth: int, alpha: int, beta: int, root_moves: Numbers, drawn: Numbers,
    scores: Numbers, law: Law, sheet: Sheet, table: Numbers, work: Workspace,
) -> int:  # fmt: skip
    """Search each of the moves to a depth; the index of the best one, or -1 if stopped.

    Moves with a mark in `drawn` end the game as a draw by its history. `scores` gets the score of
    the best move and upper bounds of the others; its line stands in the first row of `lines`.
    """
    best_index = -1
    best = -2 * WIN
    work.path[work.control[EARLIER_COUNT], 0] = own
    work.path[work.control[EARLIER_COUNT], 1] = opp
    for index in range(len(root_moves)):
        child = kernel.play(own, root_moves[index])
        work.lines[1, 0] = 0
        state = kernel.outcome(opp, child, law)
        if state == kernel.LINE or state == kernel.NO_MOVE_LOSES:
            score = WIN - 1
        elif state == kernel.REVEAL:
            score = 1 - WIN
        elif state != kernel.ONGOING or drawn[index]:
            score = 0
        elif depth == 1:
            work.control[NODES] += 1
            score = _glance(opp, child, int(np.int64(1)), False, law, sheet)
            if score == UNSETTLED:
                score = search(
                    opp, child, depth, int(np.int64(1)), -beta, -alpha, law, sheet, table, work
                )
            score = -score
        else:
            score = alpha + 1
            if index > 0:
                score = -search(
                    opp, child, depth - 1, int(np.int64(1)), -alpha - 1, -alpha,
                    law, sheet, table, work,
                )  # fmt: skip
            if index == 0 or alpha < score < beta:
                score = -search(
                    opp, child, depth - 1, int(np.int64(1)), -beta, -alpha,
                    law, sheet, table, work,
                )  # fmt: skip
        if work.control[STOP]:
            return -1
        scores[index] = score
        if score > best:
            best = score
            best_index = index
            if score > alpha:
                alpha = score
                _note_line(root_moves[index], 0, work)
                if score >= beta:
                    break
    return best_index
