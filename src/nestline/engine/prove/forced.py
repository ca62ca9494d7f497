"""The proof search: can one player, the attacker, force a win within a number of plies?

Compiled, without Python in the loop. An AND/OR search on the kernel: at the attacker's turn one
move must win, at the defender's all. Every position is checked before it is searched: it may be
finished, won in one, out of reach (see `bound`), or known from the transposition table. Repetitions
need no check: a shortest win never repeats a position, since the same win would be nearer from its
first occurrence. `prover` does the iterative deepening and finds the line of play.
"""

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import compiled, inlined, recursive
from nestline.engine.prove.bound import out_of_reach, promising
from nestline.engine.prove.capping import Lines
from nestline.kernel import LINE, NO_MOVE_LOSES, ONGOING, REVEAL
from nestline.rules.law import SMALLER, Law
from nestline.threats import NO_MOVE, winning_move

NONE, WIN, UNKNOWN = range(3)
"""What a static check tells about a win of the attacker within the plies asked for."""

NODES, STOP, BOUNDED, CAPPED, CONTROLS = range(5)
"""Indices into `control`: positions checked, whether to stop, whether to use the bound, and the
positions of the capping game that it took."""

PREVIOUS = kernel.MAX_MOVES
"""Where a row of moves keeps the target of the move being tried."""

MAX_PLIES = 60

TABLE_PLIES = 3
"""Positions are stored if at least this many plies are left; the others are cheap to search."""

SYMMETRY_PLIES = 5
SYMMETRY_PIECES = 8
"""With this many plies left and this few pieces on the board, symmetric images share an entry."""

WORDS_PER_ENTRY = 4
BUCKET = 2 * WORDS_PER_ENTRY
"""Words per row of the table: an entry replaced by depth, and one always replaced."""

Words = NDArray[np.int64]


@inlined
def _is_never_stuck(own: int, law: Law) -> bool:
    """Whether a player can certainly never lose by having no move.

    A largest piece on the board stays there and stays visible, and can move unless largest pieces
    occupy all other squares.
    """
    if law.no_move_draws:
        return True
    has_room = 2 * law.stock[law.sizes - 1] < law.board * law.board
    return bool(law.moving) and has_room and kernel.layer(own, law.sizes) != 0


@inlined
def _has_reserve(own: int, law: Law) -> bool:
    return kernel.popcount(own) < kernel.pieces_each(law)


@inlined
def _may_be_stuck(own: int, opp: int, law: Law) -> bool:
    """Whether the opponent's next move might leave this player without a move, and so lost."""
    if _is_never_stuck(own, law):
        return False
    empty = kernel.popcount(law.all_squares & ~kernel.squares_of(own | opp))
    return empty < 2 or not _has_reserve(own, law)


@inlined
def _is_surely_mobile(own: int, opp: int, law: Law) -> bool:
    """Whether the player to move certainly has a move, told without listing any."""
    is_open = kernel.squares_of(own | opp) != law.all_squares
    can_move = not law.no_move_draws and _is_never_stuck(own, law)
    return is_open and (_has_reserve(own, law) or can_move)


@inlined
def _has_quiet_move(own: int, opp: int, law: Law) -> bool:
    """Whether the player to move has a move that certainly uncovers nothing of the opponent's."""
    if _has_reserve(own, law) and kernel.squares_of(own | opp) != law.all_squares:
        return True
    if law.moving:
        tops = kernel.visible(own, opp)
        covering = kernel.squares_of(kernel.visible(opp, own & ~tops))
        free = kernel.landings(own, opp, law)
        for size in range(1, law.sizes + 1):
            if kernel.layer(tops, size) & ~covering and kernel.layer(free, size):
                return True
    return False


@recursive
def answers(own: int, opp: int, law: Law, lines: Lines) -> int:
    """The squares of which this player must land on one, or the opponent wins in one.

    For each line of the opponent's that is one square short, it considers each piece that can
    certainly fill the gap, whatever happens elsewhere: a new one on an empty square, or on any
    smaller piece where the rules allow it; or one that moves there and uncovers nothing of this
    player's. Only landing on that line or on that piece can prevent it. This player has no win in
    one.
    """
    tops = kernel.visible(opp, own)
    shown = kernel.squares_of(tops)
    answering = law.all_squares
    if lines.completing[shown] == 0:
        return answering
    free = kernel.landings(opp, own, law)
    placing = 0
    for size in range(1, law.sizes + 1):
        if kernel.in_reserve(opp, size, law):
            placing |= kernel.layer(free, size)
    if law.place_onto != SMALLER:
        placing &= ~kernel.squares_of(own | opp)
    below = opp & ~tops
    on_opp = kernel.squares_of(kernel.visible(below, own))
    on_own = kernel.squares_of(kernel.visible(own, below))
    for index in range(len(lines.masks)):
        line = lines.masks[index]
        gap = line & ~shown
        if gap & (gap - 1):
            continue
        if gap & placing:
            answering &= line
        elif law.moving:
            for size in range(1, law.sizes + 1):
                if kernel.layer(free, size) & gap:
                    movers = kernel.layer(tops, size) & ~on_own & (~line | on_opp)
                    while movers:
                        mover = movers & -movers
                        movers ^= mover
                        answering &= line | mover
    return answering


@inlined
def may_be_drawn(own: int, opp: int, law: Law) -> bool:
    """Whether a move might end the game as a draw by `kernel.draw`, found without trying any."""
    if law.draw_board_full:
        empty = law.all_squares & ~kernel.squares_of(own | opp)
        if empty & (empty - 1) == 0:
            return True
    return bool(law.draw_all_placed) and not (_has_reserve(opp, law) and _has_reserve(own, law))


@inlined
def _row(own: int, opp: int, rows: int) -> int:
    mixed = own * 0x1E3779B97F4A7C15 + opp * 0x42B2AE3D27D4EB4F
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= 0x165667B19E3779F9
    return (mixed >> 20) & (rows - 1)


@inlined
def _is_entry_of(bucket: Words, place: int, own: int, opp: int, attacks: int) -> bool:
    entry = bucket[place + 2]
    is_same = bucket[place] == own and bucket[place + 1] == opp
    if not is_same or entry == 0 or entry & 1 != attacks:
        return False
    return bool(bucket[place + 3] == _seal(own, opp, entry))


@inlined
def _seal(own: int, opp: int, entry: int) -> int:
    """A word that does not fit if several threads have written parts of an entry at once."""
    return (own ^ opp * 0x42B2AE3D27D4EB4F) * 0x1E3779B97F4A7C15 ^ entry


@inlined
def _key(own: int, opp: int, plies: int, law: Law) -> tuple[int, int]:
    """The position as the transposition table stores it."""
    if plies >= SYMMETRY_PLIES and kernel.popcount(own) + kernel.popcount(opp) <= SYMMETRY_PIECES:
        symmetry = kernel.canonical_symmetry(own, opp, law.board)
        own = kernel.transform(own, symmetry, law.board)
        opp = kernel.transform(opp, symmetry, law.board)
    return own, opp


@recursive
def _recall(own: int, opp: int, plies: int, attacks: int, law: Law, table: Words) -> int:
    """What the transposition table says about a win within these plies."""
    own, opp = _key(own, opp, plies, law)
    bucket = table[_row(own, opp, len(table))]
    for place in range(0, BUCKET, WORDS_PER_ENTRY):
        if _is_entry_of(bucket, place, own, opp, attacks):
            entry = bucket[place + 2]
            if plies <= (entry >> 1) & 255:
                return NONE
            proved = (entry >> 9) & 255
            if proved and proved <= plies:
                return WIN
    return UNKNOWN


@recursive
def _remember(
    own: int, opp: int, plies: int, attacks: int, is_won: bool, law: Law, table: Words
) -> None:
    """Store a result; an entry holds the position, who is to move, and the plies it covers.

    From the lowest bit: 1 if the attacker is to move; 8 bits, no win within this many plies; 8
    bits, a win within this many, 0 if none is known; the plies of the last search.
    """
    own, opp = _key(own, opp, plies, law)
    bucket = table[_row(own, opp, len(table))]
    refuted, proved = (0, plies) if is_won else (plies, 0)
    place = WORDS_PER_ENTRY
    for known in range(0, BUCKET, WORDS_PER_ENTRY):
        if _is_entry_of(bucket, known, own, opp, attacks):
            entry = bucket[known + 2]
            refuted = max(refuted, (entry >> 1) & 255)
            sooner = (entry >> 9) & 255
            if sooner and (proved == 0 or sooner < proved):
                proved = sooner
            place = known
            break
        if known == 0 and plies >= bucket[2] >> 17:
            for word in range(WORDS_PER_ENTRY):
                bucket[WORDS_PER_ENTRY + word] = bucket[word]
            place = 0
            break
    entry = plies << 17 | proved << 9 | refuted << 1 | attacks
    bucket[place] = own
    bucket[place + 1] = opp
    bucket[place + 2] = entry
    bucket[place + 3] = _seal(own, opp, entry)


@recursive
def look(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words,
    control: Words,
) -> int:  # fmt: skip
    """What can be told without a search; `attacks` is 1 if the attacker is to move, else 0."""
    control[NODES] += 1
    state = kernel.decision(own, opp, law)
    if state == ONGOING:
        if _is_surely_mobile(own, opp, law):
            state = kernel.draw(own, opp, law)
        else:
            state = kernel.outcome(own, opp, law)
    if state != ONGOING:
        if state == REVEAL:
            return WIN if attacks else NONE
        if state in (LINE, NO_MOVE_LOSES):
            return NONE if attacks else WIN
        return NONE
    if plies == 0:
        return NONE
    shown_own = kernel.visible(own, opp)
    shown_opp = kernel.squares_of(kernel.visible(opp, own))
    gaps = int(lines.completing[kernel.squares_of(shown_own)])
    if gaps and (
        winning_move(own, opp, shown_own, shown_opp, gaps, law, lines.completing) != NO_MOVE
    ):
        return WIN if attacks else NONE
    if attacks:
        if plies == 1 and not _may_be_stuck(opp, own, law):
            return NONE
    else:
        is_safe_now = plies == 1 or (
            plies == 2 and lines.completing[shown_opp] == 0 and _is_never_stuck(own, law)
        )
        if is_safe_now and _has_quiet_move(own, opp, law):
            return NONE
    if plies >= TABLE_PLIES:
        known = _recall(own, opp, plies, attacks, law, table)
        if known != UNKNOWN:
            return int(known)
    if plies > 1 and control[BOUNDED]:
        attacker, defender = (own, opp) if attacks else (opp, own)
        if out_of_reach(attacker, defender, plies, attacks, law, lines, control):
            return NONE
    return UNKNOWN


@inlined
def _worth_trying(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, control: Words
) -> int:
    """The targets of moves that might change anything; landing elsewhere certainly fails."""
    if plies < 2:
        return law.all_squares
    if not attacks and may_be_drawn(own, opp, law):
        return law.all_squares
    targets = answers(own, opp, law, lines)
    if attacks and plies > 2 and control[BOUNDED]:
        return promising(own, opp, targets, plies, law, lines, control)
    return targets


@inlined
def _list_moves(own: int, opp: int, targets: int, law: Law, row: Words, weights: Words) -> int:
    """Write the moves onto these targets into the row, the most often successful first."""
    count = 0
    for index in range(kernel.legal_moves(own, opp, law, row)):
        move = row[index]
        if targets >> (move & 15) & 1:
            place = count
            while place > 0 and weights[row[place - 1]] < weights[move]:
                row[place] = row[place - 1]
                place -= 1
            row[place] = move
            count += 1
    return count


@recursive
def search(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words,
    history: Words, moves: Words, control: Words,
) -> bool:  # fmt: skip
    """Whether the attacker wins within these plies, for a position that `look` could not decide.

    `moves` has a row for each number of plies; `history` counts, for defender and attacker, which
    moves succeeded after a landing on which square. Meaningless once stopped.
    """
    row = moves[plies]
    weights = history[attacks, moves[plies + 1, PREVIOUS]]
    targets = _worth_trying(own, opp, plies, attacks, law, lines, control)
    count = _list_moves(own, opp, targets, law, row, weights)
    wanted = WIN if attacks else NONE
    succeeding = -1
    open_moves = 0
    for index in range(count):
        move = row[index]
        after = kernel.play(own, move)
        seen = look(opp, after, plies - 1, 1 - attacks, law, lines, table, control)
        if seen == wanted:
            succeeding = move
            break
        if seen == UNKNOWN:
            row[open_moves] = move
            open_moves += 1
    index = 0
    while succeeding < 0 and index < open_moves:
        move = row[index]
        row[PREVIOUS] = move & 15
        after = kernel.play(own, move)
        is_won = search(
            opp, after, plies - 1, 1 - attacks, law, lines, table, history, moves, control
        )
        if control[STOP]:
            return False
        if is_won == (attacks == 1):
            succeeding = move
        index += 1
    if succeeding >= 0:
        weights[succeeding] += plies * plies
    is_won = (succeeding >= 0) == (attacks == 1)
    if plies >= TABLE_PLIES:
        _remember(own, opp, plies, attacks, is_won, law, table)
    return is_won


@compiled
def is_forced(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words,
    history: Words, moves: Words, control: Words,
) -> bool:  # fmt: skip
    """Whether the attacker wins within these plies. Meaningless once stopped."""
    seen = look(own, opp, plies, attacks, law, lines, table, control)
    if seen == UNKNOWN:
        return search(own, opp, plies, attacks, law, lines, table, history, moves, control)
    return seen == WIN


@compiled
def glance(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words,
    control: Words,
) -> int:  # fmt: skip
    """`look`, for callers outside compiled code."""
    return look(own, opp, plies, attacks, law, lines, table, control)
