"""The search: principal variation search (alpha-beta) on the kernel, compiled.

Scores are from the point of view of the player to move: `WIN` minus the number of plies for a
forced win, its negative for a forced loss, and otherwise what `evaluation` says. A forced score is
always proven. Without late move reductions the search is full width, so depth d finds every win
within d plies; with them it searches unlikely moves less deeply. At the leaves a quiescence search
continues as long as there is a threat to win in one.

Positions that repeat on the path from the root count as draws. Such a draw depends on the path, not
on the position, so scores that rest on one stay out of the transposition table.

`deepening` does iterative deepening with aspiration windows; `engine` manages threads and time.
"""

import numpy as np

from nestline import kernel
from nestline.compiled import inlined, recursive
from nestline.engine.search.evaluation import Sheet, evaluate
from nestline.engine.search.move_ordering import note_cutoff, rank_moves, take_best, take_idle
from nestline.engine.search.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    bound_in,
    depth_in,
    find,
    inverse,
    keep,
    key_of,
    mark_of,
    move_in,
    move_through,
    score_in,
    set_busy,
    set_idle,
)
from nestline.engine.search.workspace import (
    EARLIER_COUNT,
    GENERATION,
    MAX_PLY,
    NEVER,
    NODE_LIMIT,
    NODES,
    OLDEST_REPEATED,
    QUIESCENCE_END,
    REPETITION,
    SELECTIVE,
    SHARED,
    STOP,
    SYMMETRIC_PIECES,
    Numbers,
    Workspace,
)
from nestline.rules.law import Law
from nestline.threats import HAS_LINE, NO_MOVE, winning_move

WIN = 10_000
"""An immediate win; a forced win in n plies scores `WIN - n`."""

FORCED = 9_000
"""Scores beyond this, in either direction, are forced wins or losses."""

MAX_DEPTH = 60

NO_SCORE = 4 * WIN
"""In place of a score: the position has to be searched."""

WORTH_SHARING = 3
"""From this depth on, threads defer the moves that others are searching."""


@inlined
def _static_score(own: int, opp: int, ply: int, at_any_price: bool, law: Law, sheet: Sheet) -> int:
    """The score of a position without searching; `NO_SCORE` if a threat has to be answered.

    The opponent's last move did not win. `at_any_price` evaluates even under a threat.
    """
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    own_gaps = sheet.completing[own_squares]
    if own_gaps & HAS_LINE:
        return WIN - ply
    if kernel.draw(own, opp, law) != kernel.ONGOING:
        return 0
    if own_gaps:
        move = winning_move(own, opp, own_shown, opp_squares, own_gaps, law, sheet.completing)
        if move != NO_MOVE:
            return WIN - ply - 1
    opp_gaps = sheet.completing[opp_squares]
    if opp_gaps and not at_any_price:
        threat = winning_move(opp, own, opp_shown, own_squares, opp_gaps, law, sheet.completing)
        if threat != NO_MOVE:
            return NO_SCORE
    return evaluate(own, opp, own_shown, opp_shown, law, sheet)


@inlined
def static_scores(owns: Numbers, opps: Numbers, law: Law, sheet: Sheet, scores: Numbers) -> None:
    """Write the score of each position without searching, as a search of depth 0 would."""
    for index in range(len(owns)):
        scores[index] = _static_score(owns[index], opps[index], 0, False, law, sheet)


@inlined
def _repeated_since(own: int, opp: int, ply: int, law: Law, work: Workspace) -> int:
    """The ply of the same position on the path from the root, -1 if it occurred so often in the
    game that it is a draw, and NEVER otherwise."""
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
def _score_at_once(
    own: int, opp: int, own_shown: int, opp_shown: int, own_squares: int, opp_squares: int,
    ply: int, law: Law, sheet: Sheet, work: Workspace,
) -> int:  # fmt: skip
    """The score where no move has to be tried: finished, won in one, repeated; else `NO_SCORE`."""
    gaps = sheet.completing[own_squares]
    if gaps & HAS_LINE:
        return WIN - ply
    if kernel.draw(own, opp, law) != kernel.ONGOING:
        return 0
    if gaps:
        move = winning_move(own, opp, own_shown, opp_squares, gaps, law, sheet.completing)
        if move != NO_MOVE:
            work.variations[ply, 0] = 1
            work.variations[ply, 1] = move
            return WIN - ply - 1
    repeated = _repeated_since(own, opp, ply, law, work)
    if repeated < NEVER:
        work.control[OLDEST_REPEATED] = min(work.control[OLDEST_REPEATED], repeated)
        return 0
    if ply >= MAX_PLY - 1:
        return evaluate(own, opp, own_shown, opp_shown, law, sheet)
    return NO_SCORE


@inlined
def _symmetry_for(own: int, opp: int, depth: int, law: Law, work: Workspace) -> int:
    """The symmetry under which the transposition table stores a position; mostly 0."""
    if depth > 1:
        pieces = kernel.popcount(own) + kernel.popcount(opp)
        if pieces <= work.control[SYMMETRIC_PIECES]:
            return kernel.canonical_symmetry(own, opp, law.board)
    return 0


@inlined
def _probe(
    key: int, symmetry: int, depth: int, ply: int, alpha: int, beta: int, law: Law, table: Numbers
) -> tuple[int, int]:
    """The best move in the transposition table, and the score if it causes a cutoff."""
    known = find(table, key)
    if known == 0:
        return NO_MOVE, NO_SCORE
    move = move_through(move_in(known), inverse(symmetry), law.board)
    if depth_in(known) < depth or beta - alpha > 1:
        return move, NO_SCORE
    score = score_in(known)
    # Distances count from the position in the table, and from the root in the search.
    if score > FORCED:
        score -= ply
    elif score < -FORCED:
        score += ply
    bound = bound_in(known)
    if bound == EXACT or (bound == AT_LEAST and score >= beta):
        return move, score
    if bound == AT_MOST and score <= alpha:
        return move, score
    return move, NO_SCORE


@inlined
def _store(
    key: int, symmetry: int, depth: int, ply: int, best: int, bound: int, move: int, law: Law,
    table: Numbers, work: Workspace,
) -> None:  # fmt: skip
    """Store a result in the transposition table."""
    if best > FORCED:
        best += ply
    elif best < -FORCED:
        best -= ply
    move = move_through(move, symmetry, law.board)
    keep(table, key, best, depth, bound, move, work.control[GENERATION])


@inlined
def _order_moves(
    own: int, opp: int, answers: int, best: int, count: int, depth: int, ply: int, law: Law,
    sheet: Sheet, work: Workspace,
) -> None:  # fmt: skip
    """Rank the moves of this ply; where it pays, also by the static score after each of them."""
    rank_moves(answers, best, count, ply, work)
    if depth > 1:
        for index in range(count):
            child = kernel.play(own, work.moves[ply, index])
            score = _static_score(opp, child, ply, True, law, sheet)
            work.ranks[ply, index] += (WIN - score) << 20


@inlined
def _reduction(own: int, opp: int, depth: int, index: int, sheet: Sheet) -> int:
    """Late move reductions: by how many plies a late, quiet move of `opp` is reduced."""
    if depth < 4 or index < 3:
        return 0
    shown = kernel.squares_of(opp & ~kernel.under_larger(own | opp))
    if sheet.completing[shown]:
        return 0
    return 1 + (index >= 10 and depth >= 5) + (index >= 25 and depth >= 6)


@inlined
def _note_variation(move: int, ply: int, work: Workspace) -> None:
    """The principal variation from here is this move followed by that of the next ply."""
    variations = work.variations
    rest = variations[ply + 1, 0]
    variations[ply, 0] = rest + 1
    variations[ply, 1] = move
    for index in range(1, rest + 1):
        variations[ply, index + 1] = variations[ply + 1, index]


@recursive
def search(
    own: int, opp: int, depth: int, ply: int, alpha: int, beta: int, law: Law, sheet: Sheet,
    table: Numbers, work: Workspace,
) -> int:  # fmt: skip
    """The score of a position, exact if it is between alpha and beta; the depth is at least 1.

    The opponent's last move did not win. The score is meaningless once the search was stopped.
    """
    control = work.control
    control[NODES] += 1
    if control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
    work.variations[ply, 0] = 0
    if control[STOP]:
        return 0
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    score = _score_at_once(
        own, opp, own_shown, opp_shown, own_squares, opp_squares, ply, law, sheet, work
    )
    if score != NO_SCORE:
        return score
    # A win takes at least three plies from here; a loss comes with the player's own move at the
    # earliest.
    alpha = max(alpha, ply + 1 - WIN)
    beta = min(beta, WIN - ply - 3)
    if alpha >= beta:
        return alpha
    symmetry = _symmetry_for(own, opp, depth, law, work)
    key = key_of(own, opp, symmetry, law.board)
    best_move, score = _probe(key, symmetry, depth, ply, alpha, beta, law, table)
    if score != NO_SCORE:
        return score
    gaps = sheet.completing[opp_squares]
    threatened = gaps != 0 and (
        winning_move(opp, own, opp_shown, own_squares, gaps, law, sheet.completing) != NO_MOVE
    )
    count = kernel.legal_moves(own, opp, law, work.moves[ply])
    if count == 0:
        return 0 if law.no_move_draws else ply - WIN
    answers = opp_squares | gaps if threatened else 0
    _order_moves(own, opp, answers, best_move, count, depth, ply, law, sheet, work)

    oldest_before = control[OLDEST_REPEATED]
    control[OLDEST_REPEATED] = NEVER
    lower = alpha
    best = -WIN
    is_open = beta - alpha > 1
    shared = control[SHARED] != 0 and depth >= WORTH_SHARING
    mark = 0
    for index in range(count):
        if shared and index > 0:
            move = take_idle(index, count, ply, key, depth, work)
            mark = mark_of(key, move, depth)
            set_busy(work.busy, mark)
        else:
            move = take_best(index, count, ply, work)
        child = kernel.play(own, move)
        work.variations[ply + 1, 0] = 0
        if depth == 1:
            control[NODES] += 1
            is_end = ply + 1 >= control[QUIESCENCE_END]
            score = _static_score(opp, child, ply + 1, is_end, law, sheet)
            if score == NO_SCORE:
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
                    _note_variation(move, ply, work)
                if score >= beta:
                    note_cutoff(move, depth, ply, work)
                    break
    oldest = control[OLDEST_REPEATED]
    if oldest >= ply or abs(best) > FORCED:
        bound = AT_LEAST if best >= beta else AT_MOST if best <= lower else EXACT
        _store(key, symmetry, depth, ply, best, bound, best_move, law, table, work)
    control[OLDEST_REPEATED] = min(oldest_before, NEVER if oldest >= ply else oldest)
    return best


@recursive
def search_root(
    own: int, opp: int, depth: int, alpha: int, beta: int, root_moves: Numbers, drawn: Numbers,
    scores: Numbers, law: Law, sheet: Sheet, table: Numbers, work: Workspace,
) -> int:  # fmt: skip
    """Search each of the moves to a depth; the index of the best one, or -1 if stopped.

    `drawn` says of each move, by its number, whether it draws the game by repetition. `scores` gets
    the score of the best move and upper bounds for the others; the principal variation is in the
    first row of `variations`.
    """
    best_index = -1
    best = -2 * WIN
    work.path[work.control[EARLIER_COUNT], 0] = own
    work.path[work.control[EARLIER_COUNT], 1] = opp
    ply = int(np.int64(1))  # a variable's type, so that `search` is compiled only once
    for index in range(len(root_moves)):
        child = kernel.play(own, root_moves[index])
        work.variations[1, 0] = 0
        state = kernel.outcome(opp, child, law)
        if state == kernel.LINE or state == kernel.NO_MOVE_LOSES:
            score = WIN - 1
        elif state == kernel.REVEAL:
            score = 1 - WIN
        elif state != kernel.ONGOING or drawn[root_moves[index]]:
            score = 0
        elif depth == 1:
            work.control[NODES] += 1
            score = _static_score(opp, child, ply, False, law, sheet)
            if score == NO_SCORE:
                score = search(opp, child, depth, ply, -beta, -alpha, law, sheet, table, work)
            score = -score
        else:
            score = alpha + 1
            if index > 0:
                score = -search(
                    opp, child, depth - 1, ply, -alpha - 1, -alpha, law, sheet, table, work
                )
            if index == 0 or alpha < score < beta:
                score = -search(opp, child, depth - 1, ply, -beta, -alpha, law, sheet, table, work)
        if work.control[STOP]:
            return -1
        scores[index] = score
        if score > best:
            best = score
            best_index = index
            if score > alpha:
                alpha = score
                _note_variation(root_moves[index], 0, work)
                if score >= beta:
                    break
    return best_index
