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
from nestline.compiled import inlined, rare, recursive
from nestline.engine.search.evaluation import Sheet, evaluate, evaluate_apart
from nestline.engine.search.move_ordering import (
    note_cutoff,
    put_first,
    rank_moves,
    take_best,
    take_idle,
)
from nestline.engine.search.selective import (
    FRONTIER_MARGIN,
    FUTILITY_DEPTH,
    GUESSED_DEPTH,
    NULL_MOVE_DEPTH,
    depth_after_passing,
    futility_bound,
    reduction,
    stands,
)
from nestline.engine.search.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    bound_in,
    depth_in,
    find,
    inverse,
    is_busy,
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
    AFTER_NULL,
    AIM,
    EARLIER_COUNT,
    GENERATION,
    MAX_PLY,
    NEVER,
    NODE_LIMIT,
    NODES,
    OLDEST_REPEATED,
    OVERTAKEN,
    QUIESCENCE_END,
    RACE_DEPTH,
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

FULL_WIDTH_KEY = 0x2545F4914F6CDD1D
"""Keeps what a search at full width stores apart from the guesses of a selective one."""


@rare
def _score_of_lines(own: int, opp: int, ply: int, law: Law) -> int:
    """The score if lines have ended the game; else `NO_SCORE`."""
    state = kernel.meaning_of_lines(own, opp, law)
    return NO_SCORE if state == kernel.ONGOING else -kernel.verdict(state) * (WIN - ply)


@inlined
def _static_score(own: int, opp: int, ply: int, at_any_price: bool, law: Law, sheet: Sheet) -> int:
    """The score of a position without searching; `NO_SCORE` if a threat has to be answered.

    The opponent's last move did not win. `at_any_price` evaluates even under a threat.
    """
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    own_gaps = sheet.completing[own_squares]
    if own_gaps & HAS_LINE or law.misere:
        score = _score_of_lines(own, opp, ply, law)
        if score != NO_SCORE:
            return score
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
    while there >= control[AFTER_NULL]:
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
    if gaps & HAS_LINE or law.misere:
        score = _score_of_lines(own, opp, ply, law)
        if score != NO_SCORE:
            return score
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
            move = work.moves[ply, index]
            child = kernel.play(own, move)
            score = -_static_score(opp, child, ply + 1, True, law, sheet)
            work.statics[ply, move] = score
            work.ranks[ply, index] += (WIN + score) << 20


@inlined
def _is_over(control: Numbers) -> bool:
    """Whether the search was stopped, or another thread has finished its depth."""
    return bool(control[STOP] != 0 or control[AIM] == OVERTAKEN)


@inlined
def _shown_squares(own: int, opp: int) -> int:
    """The mask of the visible pieces of `own`."""
    return kernel.squares_of(own & ~kernel.under_larger(own | opp))


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

    The opponent's last move did not win. The score is meaningless once the search was stopped, or
    another thread has finished its depth.
    """
    control = work.control
    control[NODES] += 1
    if control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
    if work.race[RACE_DEPTH] >= control[AIM]:
        control[AIM] = OVERTAKEN
    work.variations[ply, 0] = 0
    if _is_over(control):
        return 0
    covered = kernel.under_larger(own | opp)
    own_shown, opp_shown = own & ~covered, opp & ~covered
    own_squares, opp_squares = kernel.squares_of(own_shown), kernel.squares_of(opp_shown)
    score = _score_at_once(
        own, opp, own_shown, opp_shown, own_squares, opp_squares, ply, law, sheet, work
    )
    if score != NO_SCORE:
        return score
    # A win takes at least three plies from here, unless the opponent has to make a line that loses;
    # a loss comes with the player's own move at the earliest.
    alpha = max(alpha, ply + 1 - WIN)
    beta = min(beta, WIN - ply - (1 if law.misere else 3))
    if alpha >= beta:
        return alpha
    gaps = sheet.completing[opp_squares]
    threatened = gaps != 0 and (
        winning_move(opp, own, opp_shown, own_squares, gaps, law, sheet.completing) != NO_MOVE
    )
    is_open = beta - alpha > 1
    prunes = (
        control[SELECTIVE] != 0 and not threatened and abs(alpha) < FORCED and abs(beta) < FORCED
    )
    is_end = (depth == 0 and not threatened) or ply >= MAX_PLY - 1
    static = 0
    if is_end or prunes:
        static = evaluate_apart(own, opp, own_shown, opp_shown, law, sheet)
        if is_end or (prunes and not is_open and stands(static, depth, beta)):
            return static
    depth = max(depth, 1)
    symmetry = _symmetry_for(own, opp, depth, law, work)
    key = key_of(own, opp, symmetry, law.board) ^ ((control[SELECTIVE] - 1) & FULL_WIDTH_KEY)
    best_move, score = _probe(key, symmetry, depth, ply, alpha, beta, law, table)
    if score != NO_SCORE:
        return score
    here = control[EARLIER_COUNT] + ply
    oldest_before, null_before = control[OLDEST_REPEATED], control[AFTER_NULL]
    if (
        prunes and not is_open and depth >= NULL_MOVE_DEPTH and static >= beta
        and null_before != here
    ):  # fmt: skip
        # No position before a null move counts as repeated after it.
        control[AFTER_NULL] = here + 1
        score = -search(
            opp, own, depth_after_passing(depth), ply + 1, -beta, 1 - beta, law, sheet, table, work
        )
        control[AFTER_NULL] = null_before
        control[OLDEST_REPEATED] = oldest_before
        if control[STOP] or score >= beta:
            return score if score < FORCED else beta
    if control[SELECTIVE] and depth >= GUESSED_DEPTH and best_move == NO_MOVE:
        depth -= 1
    count = kernel.legal_moves(own, opp, law, work.moves[ply])
    if count == 0:
        return 0 if law.no_move_draws else ply - WIN
    answers = opp_squares | gaps if threatened else 0

    control[OLDEST_REPEATED] = NEVER
    lower = alpha
    best = -WIN
    shared = control[SHARED] != 0 and depth >= WORTH_SHARING
    mark = 0
    # The table's move mostly causes a cutoff; only if it does not, the others are judged.
    has_first = depth > 1 and put_first(best_move, count, ply, work)
    only_threats = prunes and depth == 1 and static + FRONTIER_MARGIN <= alpha
    for index in range(count):
        if index == has_first:
            _order_moves(own, opp, answers, best_move, count, depth, ply, law, sheet, work)
        if index < has_first:
            move = best_move
        elif shared and index > 0:
            move = take_idle(index, count, ply, key, depth, work)
        else:
            move = take_best(index, count, ply, work)
        child = kernel.play(own, move)
        is_quiet = sheet.completing[_shown_squares(child, opp)] == 0
        work.variations[ply + 1, 0] = 0
        if depth == 1:
            control[NODES] += 1
            if only_threats and is_quiet and index > 0:
                best = max(best, static + FRONTIER_MARGIN)
                continue
            is_end = ply + 1 >= control[QUIESCENCE_END]
            score = _static_score(opp, child, ply + 1, is_end, law, sheet)
            if score == NO_SCORE:
                score = search(opp, child, depth, ply + 1, -beta, -alpha, law, sheet, table, work)
            score = -score
        else:
            less = 0
            if index >= has_first:
                guess = work.statics[ply, move]
                if guess < -FORCED:  # The opponent wins at once.
                    best = max(best, guess)
                    continue
                if control[SELECTIVE] and is_quiet and not threatened and index > 0:
                    most = futility_bound(guess, depth)
                    if prunes and depth <= FUTILITY_DEPTH and most <= alpha:
                        best = max(best, most)
                        continue
                    less = reduction(depth, index, is_open)
            if shared:
                mark = mark_of(key, move, depth)
                set_busy(work.busy, mark)
            score = alpha + 1
            if index > 0:
                score = -search(
                    opp, child, depth - 1 - less, ply + 1, -alpha - 1, -alpha, law, sheet, table,
                    work,
                )  # fmt: skip
                if less and score > alpha:
                    score = -search(
                        opp, child, depth - 1, ply + 1, -alpha - 1, -alpha, law, sheet, table, work
                    )
            if index == 0 or (is_open and alpha < score < beta):
                score = -search(
                    opp, child, depth - 1, ply + 1, -beta, -alpha, law, sheet, table, work
                )
            if shared:
                set_idle(work.busy, mark)
        if _is_over(control):
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if is_open:
                    _note_variation(move, ply, work)
                if score >= beta:
                    note_cutoff(index, depth, ply, work)
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
    """Search each of the moves to a depth; the index of the best one, or -1 if stopped too early.

    Once the first move has been searched, a search that is stopped returns the best so far.

    `drawn` says of each move, by its number, whether it draws the game by repetition. `scores` gets
    the score of the best move and upper bounds for the others; the principal variation is in the
    first row of `variations`.
    """
    best_index = -1
    best = -2 * WIN
    lower = alpha
    control = work.control
    work.path[control[EARLIER_COUNT], 0] = own
    work.path[control[EARLIER_COUNT], 1] = opp
    ply = int(np.int64(1))  # a variable's type, so that `search` is compiled only once
    shared = control[SHARED] != 0 and depth >= WORTH_SHARING
    key = key_of(own, opp, 0, law.board)
    count = len(root_moves)
    # The second round is for the moves that other threads were searching when their turn came.
    for turn in range(2 * count):
        index = turn % count
        if turn < count:
            work.deferred[index] = 0
        elif not work.deferred[index]:
            continue
        move = root_moves[index]
        mark = mark_of(key, move, depth)
        if shared and 0 < turn < count and is_busy(work.busy, mark):
            work.deferred[index] = 1
            continue
        child = kernel.play(own, move)
        work.variations[1, 0] = 0
        state = kernel.outcome(opp, child, law)
        verdict = kernel.verdict(state)
        if verdict != 0:
            score = verdict * (WIN - 1)
        elif state != kernel.ONGOING or drawn[move]:
            score = 0
        else:
            if shared:
                set_busy(work.busy, mark)
            score = alpha + 1
            if index > 0:
                less = reduction(depth, index, True) if control[SELECTIVE] else 0
                score = -search(
                    opp, child, depth - 1 - less, ply, -alpha - 1, -alpha, law, sheet, table, work
                )
                if less and score > alpha:
                    score = -search(
                        opp, child, depth - 1, ply, -alpha - 1, -alpha, law, sheet, table, work
                    )
            if index == 0 or alpha < score < beta:
                score = -search(opp, child, depth - 1, ply, -beta, -alpha, law, sheet, table, work)
            if shared:
                set_idle(work.busy, mark)
        if _is_over(control):
            return best_index if best > lower and control[AIM] != OVERTAKEN else -1
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
