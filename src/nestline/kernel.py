"""The rules of the games, on integers: moves, results, perft.

A player's pieces are one bitboard, a 64-bit word (`words`). A position is two such words, `own`
for the player to move and `opp` for the other; the reserve follows from them. A move is one number,
`source * 16 + target`, where a source below 4 is the reserve of size `source + 1` and any other one
is the square `source - 4` on the board. Differences in rules come as the numbers of a `Law`; no
function here knows a game's name. Everything compiles for the CPU and, called from CUDA kernels,
for a GPU: no Python objects, no allocation.

`lines` finds lines; `game` has the rules of a game in progress (repetition, touching, agreement).
"""

import numpy as np
import numpy.typing as npt

from nestline.compiled import compiled, inlined, rare, recursive
from nestline.lines import (
    MAX_LINES,
    full_lines,
    has_line,
    has_unusual_line,
    shows_line,
    threatening,
    write_lines,
)
from nestline.rules.law import (
    ANY,
    EMPTY,
    FORBIDDEN,
    IGNORED,
    LAYER_BITS,
    NOTHING,
    OPPONENTS,
    SMALLER,
    Law,
)
from nestline.words import (
    LAYER,
    ONE_PER_LAYER,
    bit_index,
    canonical_symmetry,
    layer,
    piece,
    popcount,
    squares_of,
    transform,
    under_larger,
    visible,
)

__all__ = [
    "ALL_PLACED", "BOARD_FULL", "BOTH_LINES", "FIRST_BOARD_SOURCE", "LAYER", "LAYER_BITS", "LINE",
    "LINE_LOSES", "MAX_LINES", "MAX_MOVES", "NO_MOVE_DRAWS", "NO_MOVE_LOSES", "ONE_PER_LAYER",
    "ONGOING", "REVEAL", "REVEAL_WINS", "STATES", "bit_index", "canonical_symmetry", "count_moves",
    "dangerous_moves", "decision", "draw", "full_lines", "has_line", "in_reserve", "is_legal",
    "landings", "layer", "legal_moves", "meaning_of_lines", "movable", "nth_move", "open_squares",
    "outcome", "perft", "piece", "pieces_each", "placing_squares", "play", "popcount", "shows_line",
    "squares_of", "takeable", "targets_of", "threatening", "transform", "under_larger", "verdict",
    "visible", "write_lines",
]  # fmt: skip

FIRST_BOARD_SOURCE = 4
"""Sources below this number are the reserve, by size; from here on they are squares."""

MAX_MOVES = 320
"""Room for the moves of any position: 20 sources, 16 targets."""

Moves = npt.NDArray[np.integer]

# The state of a position. LINE: the player who has just moved wins, by a line of his own; REVEAL:
# the one to move does. The last two are the same where a line loses, with the other winner.
(ONGOING, LINE, REVEAL, ALL_PLACED, BOARD_FULL, NO_MOVE_LOSES, NO_MOVE_DRAWS, BOTH_LINES,
 LINE_LOSES, REVEAL_WINS, STATES) = range(11)  # fmt: skip


@compiled
def open_squares(own: int, opp: int, law: Law) -> int:
    """In each layer, the squares that are empty or show a smaller piece."""
    both = own | opp
    return ~(both | under_larger(both)) & (law.all_squares * ONE_PER_LAYER)


@rare
def _spared(own: int, opp: int, law: Law) -> int:
    """Mask of the squares that show a piece which `own` may not cover."""
    if law.cover == NOTHING:
        return squares_of(own | opp)
    return squares_of(visible(own, opp) if law.cover == OPPONENTS else visible(opp, own))


@compiled
def landings(own: int, opp: int, law: Law) -> int:
    """In each layer, the squares where a piece of `own` may land: empty ones, and those that show a
    smaller piece which it may cover."""
    free = open_squares(own, opp, law)
    return free if law.cover == ANY else free & ~(_spared(own, opp, law) * ONE_PER_LAYER)


@rare
def _revealing(own: int, opp: int, shown: int, law: Law) -> int:
    """The pieces of `shown`, the visible ones of `own`, without which `opp` has a line."""
    if shows_line(visible(opp, own), law):
        return shown
    on_opponents = squares_of(visible(opp, own & ~shown)) * ONE_PER_LAYER
    found, rest = 0, shown & on_opponents
    while rest:
        lifted = rest & -rest
        rest ^= lifted
        if shows_line(visible(opp, own ^ lifted), law):
            found |= lifted
    return found


@compiled
def movable(own: int, opp: int, law: Law) -> int:
    """The pieces of `own` that may be lifted from the board, as a word."""
    shown = visible(own, opp)
    if law.reveal == FORBIDDEN:
        shown &= ~_revealing(own, opp, shown, law)
    return shown


@compiled
def pieces_each(law: Law) -> int:
    """How many pieces each player has, on the board and in the reserve."""
    pieces = 0
    for size in range(law.sizes):
        pieces += law.stock[size]
    return pieces


@compiled
def takeable(own: int, size: int, law: Law) -> int:
    """How many pieces of this size can be taken from the reserve now."""
    placed = popcount(layer(own, size))
    if law.nested and size < law.sizes:
        # A stack shows this size when its next larger piece has left and this one has not.
        return popcount(layer(own, size + 1)) - placed
    return law.stock[size - 1] - placed


@compiled
def in_reserve(own: int, size: int, law: Law) -> bool:
    """Whether a piece of this size can be taken from the reserve now."""
    return takeable(own, size, law) > 0


@compiled
def _placing_among(free: int, own: int, opp: int, law: Law) -> int:
    """`placing_squares`, of the squares that `landings` has found."""
    if law.place_onto == SMALLER:
        return free
    allowed = ~squares_of(own | opp) & LAYER
    if law.place_onto != EMPTY and popcount(opp) >= law.line - 1:  # Otherwise nothing can threaten.
        allowed |= threatening(squares_of(visible(opp, own)), law)
    return free & (allowed * ONE_PER_LAYER)


@compiled
def placing_squares(own: int, opp: int, law: Law) -> int:
    """In each layer, the squares where a new piece may be placed."""
    return _placing_among(landings(own, opp, law), own, opp, law)


@compiled
def _targets_from(origin: int, shown: int, free: int, law: Law) -> int:
    """Mask of the squares to which the movable piece on a square, given as its bit, may move."""
    for size in range(1, law.sizes + 1):
        if layer(shown, size) & origin:
            return layer(free, size) | (origin if law.same_square else 0)
    return 0


@compiled
def legal_moves(own: int, opp: int, law: Law, moves: Moves) -> int:
    """Write the legal moves into the array `moves`, in ascending order; return how many.

    Lines are not checked: a finished game has no moves, and the caller checks `outcome` for that.
    """
    count = 0
    placing = placing_squares(own, opp, law)
    for size in range(1, law.sizes + 1):
        if in_reserve(own, size, law):
            targets = layer(placing, size)
            while targets:
                target = targets & -targets
                targets ^= target
                moves[count] = (size - 1) * 16 + bit_index(target)
                count += 1
    if law.moving:
        shown = movable(own, opp, law)
        free = landings(own, opp, law)
        origins = squares_of(shown)
        while origins:
            origin = origins & -origins
            origins ^= origin
            targets = _targets_from(origin, shown, free, law)
            source = FIRST_BOARD_SOURCE + bit_index(origin)
            while targets:
                target = targets & -targets
                targets ^= target
                moves[count] = source * 16 + bit_index(target)
                count += 1
    return count


@inlined
def count_moves(own: int, opp: int, law: Law) -> int:
    """How many moves `legal_moves` would write."""
    count = 0
    free = landings(own, opp, law)
    placing = _placing_among(free, own, opp, law)
    shown = movable(own, opp, law) * law.moving
    for size in range(1, law.sizes + 1):
        count += in_reserve(own, size, law) * popcount(layer(placing, size))
        movers = popcount(layer(shown, size))
        count += movers * (popcount(layer(free, size)) + law.same_square)
    return count


@compiled
def targets_of(source: int, own: int, shown: int, free: int, placing: int, law: Law) -> int:
    """Mask of the squares to which a piece may go from a source; any number is valid as the source.

    `shown`, `free` and `placing` are the words of `movable`, `landings` and `placing_squares`.
    """
    if 0 <= source < law.sizes:
        return layer(placing, source + 1) if in_reserve(own, source + 1, law) else 0
    square = source - FIRST_BOARD_SOURCE
    if law.moving and 0 <= square < law.board * law.board:
        return _targets_from(1 << square, shown, free, law)
    return 0


@inlined
def is_legal(own: int, opp: int, move: int, law: Law) -> bool:
    """Whether `legal_moves` would write this move; any number is valid as the move."""
    shown = movable(own, opp, law)
    free = landings(own, opp, law)
    placing = _placing_among(free, own, opp, law)
    return targets_of(move >> 4, own, shown, free, placing, law) >> (move & 15) & 1 != 0


@compiled
def _nth_bit(mask: int, number: int) -> int:
    """Index of the bit of a mask that has this many set bits below it."""
    for _ in range(number):
        mask &= mask - 1
    return bit_index(mask & -mask)


@compiled
def nth_move(own: int, opp: int, number: int, law: Law) -> int:
    """The move that `legal_moves` would write at this index; -1 if there are fewer."""
    placing = placing_squares(own, opp, law)
    for size in range(1, law.sizes + 1):
        if in_reserve(own, size, law):
            targets = layer(placing, size)
            count = popcount(targets)
            if number < count:
                return (size - 1) * 16 + _nth_bit(targets, number)
            number -= count
    if law.moving:
        shown = movable(own, opp, law)
        free = landings(own, opp, law)
        origins = squares_of(shown)
        while origins:
            origin = origins & -origins
            origins ^= origin
            targets = _targets_from(origin, shown, free, law)
            count = popcount(targets)
            if number < count:
                return (FIRST_BOARD_SOURCE + bit_index(origin)) * 16 + _nth_bit(targets, number)
            number -= count
    return -1


@compiled
def play(own: int, move: int) -> int:
    """The mover's word after a legal move; the opponent's word never changes."""
    source = move >> 4
    target = move & 15
    if source < FIRST_BOARD_SOURCE:
        return own | piece(source + 1, target)
    origin = source - FIRST_BOARD_SOURCE
    size = 4
    while own & piece(size, origin) == 0:
        size -= 1
    return own & ~piece(size, origin) | piece(size, target)


@inlined
def _two_masks(own: int, opp: int) -> int:
    """The squares that show each player's pieces, those of `opp` 32 bits higher."""
    return squares_of(visible(own, opp)) | squares_of(visible(opp, own)) << 32


@rare
def meaning_of_lines(own: int, opp: int, law: Law) -> int:
    """`decision` without its shortcut, for positions that most likely have a line."""
    if law.wrap | law.line_sizes:
        mine = int(has_unusual_line(visible(own, opp), law))
        theirs = int(has_unusual_line(visible(opp, own), law))
    else:
        lines = full_lines(_two_masks(own, opp), law)
        mine, theirs = lines & LAYER, lines >> 32
    if theirs == 0 and (mine == 0 or law.reveal == IGNORED):
        return ONGOING
    if law.both_lines_draw and mine and theirs:
        return BOTH_LINES
    state = LINE if theirs and (law.mover_wins_both or mine == 0) else REVEAL
    return state + law.misere * (LINE_LOSES - LINE)


@inlined
def decision(own: int, opp: int, law: Law) -> int:
    """What the lines on the board say after a move of `opp`; ONGOING if there is none."""
    if law.wrap | law.line_sizes or full_lines(_two_masks(own, opp), law):
        return meaning_of_lines(own, opp, law)
    return ONGOING


@compiled
def verdict(state: int) -> int:
    """1 if the player who has just moved wins in a state, -1 if the one to move does, else 0."""
    if state in (LINE, NO_MOVE_LOSES, REVEAL_WINS):
        return 1
    return -1 if state in (REVEAL, LINE_LOSES) else 0


@compiled
def dangerous_moves(own: int, opp: int, law: Law, moves: Moves) -> int:
    """Write the legal moves that lose at once by revealing a line; return how many."""
    count = 0
    for index in range(legal_moves(own, opp, law, moves)):
        move = moves[index]
        if move >> 4 >= FIRST_BOARD_SOURCE and decision(opp, play(own, move), law) == REVEAL:
            moves[count] = move
            count += 1
    return count


@compiled
def draw(own: int, opp: int, law: Law) -> int:
    """ALL_PLACED, BOARD_FULL or ONGOING: what the pieces say where nobody has a line."""
    if law.draw_all_placed and popcount(own) + popcount(opp) == 2 * pieces_each(law):
        return ALL_PLACED
    if law.draw_board_full and squares_of(own | opp) == law.all_squares:
        return BOARD_FULL
    return ONGOING


@compiled
def outcome(own: int, opp: int, law: Law) -> int:
    """The outcome of a position by itself: lines, then draws, then a player without moves."""
    state = decision(own, opp, law)
    if state == ONGOING:
        state = draw(own, opp, law)
    if state == ONGOING and count_moves(own, opp, law) == 0:
        return NO_MOVE_DRAWS if law.no_move_draws else NO_MOVE_LOSES
    return state


@recursive
def perft(own: int, opp: int, law: Law, depth: int, moves: Moves) -> int:
    """Number of sequences of this many moves from a position without lines; lines end games early.

    `moves` is scratch for the moves of each ply, an array of shape (depth, MAX_MOVES).
    """
    if depth == 0:
        return 1
    nodes = 0
    room = moves[depth - 1]
    count = legal_moves(own, opp, law, room)
    if depth == 1:
        return count
    for index in range(count):
        after = play(own, room[index])
        if decision(opp, after, law) == ONGOING:
            if depth == 2:
                nodes += count_moves(opp, after, law)
            else:
                nodes += perft(opp, after, law, depth - 1, moves)
    return nodes
