"""The engine for the page: evaluation, iterative deepening, and the mistakes of the levels.

The memory of a search is in a few blocks. A sheet is a head and `Sheet`'s arrays of words; weights
are the tempo, the weights of pieces, those of lines, a zero, and those of the network if there is
one, as in the page's files. Threads have a workspace and a root each, and share the rest.
"""

from typing import Any

from nestline import kernel
from nestline.browser.memory import (
    FRACTION,
    INTS,
    NUMBER,
    SHORTS,
    WORD,
    WORDS,
    array_at,
    as_word,
    beyond,
    export,
    helper,
    law_at,
)
from nestline.engine.players import mistakes
from nestline.engine.search import chance as chances
from nestline.engine.search import deepening
from nestline.engine.search.deepening import LINE_LENGTH, ROOT_NUMBERS, Root
from nestline.engine.search.evaluation import (
    COUNTS,
    LINES_PER_WORD,
    NET_KINDS,
    NET_WORDS,
    PIECE_TABLES,
    ROTATIONS,
    TEMPO_BY_HAND,
    UNITS,
    Sheet,
    count_patterns,
    fill_shares,
    pack_net,
    pattern_from_the_end,
    seen_square,
    words_of_lines,
    write_kinds,
)
from nestline.engine.search.evaluation import weigh_by_hand as write_weights
from nestline.engine.search.transposition import ENTRIES_PER_BUCKET, MARKS
from nestline.engine.search.workspace import EARLIER, MAX_PLY, RACE_WORDS, Workspace
from nestline.rules.law import LAYER_BITS, MAX_SIZES, Law
from nestline.threats import fill_completing

SHARE_WORDS, LINE_COUNT, KINDS, HIDDEN_UNITS = range(4)
"""The head of a sheet: words of the shares of a square, lines, kinds of lines, hidden units."""

MOST_STATES = 2 * MAX_SIZES + 1
MOST_WORDS = 12
_SHARES = 8
_STARTS = _SHARES + MOST_STATES * LAYER_BITS * MOST_WORDS
_LINES = _STARTS + MOST_WORDS * LINES_PER_WORD
_KINDS = _LINES + kernel.MAX_LINES * 4
_NET = _KINDS + kernel.MAX_LINES
_PIECES = MAX_SIZES * LAYER_BITS
SHEET_WORDS = _NET + (NET_KINDS + 1) * _PIECES * NET_WORDS

PIECE_WEIGHTS = PIECE_TABLES * MAX_SIZES * COUNTS
_NET_ROWS = NET_KINDS * _PIECES * UNITS
NET_WEIGHTS = _NET_ROWS + 2 * UNITS
MOST_WEIGHTS = 1 + PIECE_WEIGHTS + 3 * MOST_STATES**4 + 1 + NET_WEIGHTS
"""A 4x4 board with lines of 4 has three kinds of them; no other board has more patterns."""

_PATH = 16
_MOVES = _PATH + 2 * (EARLIER + MAX_PLY)
_RANKS = _MOVES + MAX_PLY * kernel.MAX_MOVES
_HISTORY = _RANKS + MAX_PLY * kernel.MAX_MOVES
_KILLERS = _HISTORY + 2 * kernel.MAX_MOVES
_VARIATIONS = _KILLERS + 2 * MAX_PLY
_STATICS = _VARIATIONS + (MAX_PLY + 1) ** 2
_DEFERRED = _STATICS + MAX_PLY * kernel.MAX_MOVES
WORKSPACE_WORDS = _DEFERRED + kernel.MAX_MOVES

ROOT_MOVES = ROOT_NUMBERS
_DRAWN = ROOT_MOVES + kernel.MAX_MOVES
ROOT_GUESSES = _DRAWN + kernel.MAX_MOVES
ROOT_SCORES = ROOT_GUESSES + kernel.MAX_MOVES
ROOT_LINES = ROOT_SCORES + kernel.MAX_MOVES
_FOUND_SCORES = ROOT_LINES + kernel.MAX_MOVES * LINE_LENGTH
_FOUND = _FOUND_SCORES + kernel.MAX_MOVES
_ORDER = _FOUND + kernel.MAX_MOVES * LINE_LENGTH
_ORIGINAL = _ORDER + kernel.MAX_MOVES
_SYMMETRY = _ORIGINAL + kernel.MAX_MOVES
ROOT_WORDS = _SYMMETRY + kernel.MAX_MOVES


@helper
def _lines_at(sheet: Any) -> Any:
    return array_at(beyond(sheet, _LINES), (kernel.MAX_LINES, 4))


@helper
def _kinds_at(sheet: Any) -> Any:
    return array_at(beyond(sheet, _KINDS), (kernel.MAX_LINES,))


@helper
def _starts_at(sheet: Any) -> Any:
    return array_at(beyond(sheet, _STARTS), (MOST_WORDS * LINES_PER_WORD,))


@helper
def _shares_at(law: Law, sheet: Any) -> Any:
    words = array_at(sheet, (_SHARES,))[SHARE_WORDS]
    return array_at(beyond(sheet, _SHARES), (2 * law.sizes + 1, LAYER_BITS, words))


@helper
def _completing_at(law: Law, completing: Any) -> Any:
    return array_at(completing, (1 << (law.board * law.board),))


@helper
def _pieces_at(weights: Any) -> Any:
    return array_at(beyond(weights, 1), (PIECE_TABLES, MAX_SIZES, COUNTS))


@helper
def _line_weights_at(law: Law, sheet: Any, weights: Any) -> Any:
    count = array_at(sheet, (_SHARES,))[KINDS] * count_patterns(law) + 1
    return array_at(beyond(weights, 1 + PIECE_WEIGHTS), (count,))


@helper
def _net_at(sheet: Any) -> Any:
    return array_at(beyond(sheet, _NET), (NET_KINDS + 1, _PIECES, NET_WORDS))


@helper
def _net_weights_at(law: Law, sheet: Any, weights: Any) -> Any:
    """The address of the network's weights, behind those of the lines."""
    lines = array_at(sheet, (_SHARES,))[KINDS] * count_patterns(law) + 1
    return beyond(weights, 1 + PIECE_WEIGHTS + lines)


@helper
def _sheet_at(law: Law, sheet: Any, completing: Any, weights: Any) -> Sheet:
    return Sheet(
        _shares_at(law, sheet),
        _starts_at(sheet),
        _line_weights_at(law, sheet, weights),
        _pieces_at(weights),
        _net_at(sheet),
        array_at(
            beyond(_net_weights_at(law, sheet, weights), _NET_ROWS + UNITS),
            (array_at(sheet, (_SHARES,))[HIDDEN_UNITS],),
        ),
        _completing_at(law, completing),
        as_word(array_at(weights, (1,))[0]),
    )


@helper
def _workspace_at(work: Any, busy: Any) -> Workspace:
    return Workspace(
        array_at(work, (16,)),
        array_at(beyond(work, _PATH), (EARLIER + MAX_PLY, 2)),
        array_at(beyond(work, _MOVES), (MAX_PLY, kernel.MAX_MOVES)),
        array_at(beyond(work, _RANKS), (MAX_PLY, kernel.MAX_MOVES)),
        array_at(beyond(work, _HISTORY), (2, kernel.MAX_MOVES)),
        array_at(beyond(work, _KILLERS), (MAX_PLY, 2)),
        array_at(beyond(work, _VARIATIONS), (MAX_PLY + 1, MAX_PLY + 1)),
        array_at(beyond(work, _STATICS), (MAX_PLY, kernel.MAX_MOVES)),
        array_at(beyond(work, _DEFERRED), (kernel.MAX_MOVES,)),
        array_at(busy, (MARKS,)),
        array_at(beyond(busy, MARKS), (RACE_WORDS,)),
    )


@helper
def _root_at(root: Any) -> Root:
    return Root(
        array_at(root, (ROOT_NUMBERS,)),
        array_at(beyond(root, ROOT_MOVES), (kernel.MAX_MOVES,)),
        array_at(beyond(root, _DRAWN), (kernel.MAX_MOVES,)),
        array_at(beyond(root, ROOT_GUESSES), (kernel.MAX_MOVES,)),
        array_at(beyond(root, ROOT_SCORES), (kernel.MAX_MOVES,)),
        array_at(beyond(root, ROOT_LINES), (kernel.MAX_MOVES, LINE_LENGTH)),
        array_at(beyond(root, _FOUND_SCORES), (kernel.MAX_MOVES,)),
        array_at(beyond(root, _FOUND), (kernel.MAX_MOVES, LINE_LENGTH)),
        array_at(beyond(root, _ORDER), (kernel.MAX_MOVES,)),
        array_at(beyond(root, _ORIGINAL), (kernel.MAX_MOVES,)),
        array_at(beyond(root, _SYMMETRY), (kernel.MAX_MOVES,)),
    )


@helper
def _chance_at(chance: Any) -> Any:
    return array_at(chance, (chances.WORDS + 1,))


@export(NUMBER, WORDS, WORDS, INTS)
def lay_out(law: Any, sheet: Any, completing: Any) -> int:
    """Fill an empty sheet and the table of completing squares."""
    rules, head = law_at(law), array_at(sheet, (_SHARES,))
    lines, kinds = _lines_at(sheet), _kinds_at(sheet)
    count = kernel.write_lines(rules, lines)
    head[LINE_COUNT] = count
    head[SHARE_WORDS] = words_of_lines(count)
    head[KINDS] = write_kinds(rules, lines, count, kinds)
    fill_shares(rules, lines, count, _shares_at(rules, sheet))
    patterns = count_patterns(rules)
    starts = _starts_at(sheet)
    for number in range(len(starts)):
        starts[number] = (kinds[number] if number < count else head[KINDS]) * patterns
    fill_completing(_completing_at(rules, completing), rules)
    return 0


@export(NUMBER, WORDS, WORDS, SHORTS)
def weigh_by_hand(law: Any, sheet: Any, weights: Any) -> int:
    """Write the weights that are set by hand, for rules for which none are learned."""
    rules = law_at(law)
    array_at(weights, (1,))[0] = TEMPO_BY_HAND
    kinds = array_at(sheet, (_SHARES,))[KINDS]
    write_weights(rules, kinds, _line_weights_at(rules, sheet, weights), _pieces_at(weights))
    return 0


@export(NUMBER, WORDS, WORDS, SHORTS, SHORTS, NUMBER)
def unfold_weights(law: Any, sheet: Any, weights: Any, file: Any, count: int) -> int:
    """Write the weights of a file, and add its network to the sheet if it has one; return how many
    of its numbers were read."""
    rules, given = law_at(law), array_at(file, (as_word(count),))
    pieces = array_at(weights, (1 + PIECE_WEIGHTS,))
    for number in range(len(pieces)):
        pieces[number] = given[number]
    read = len(pieces)
    lines, patterns = _line_weights_at(rules, sheet, weights), count_patterns(rules)
    for number in range(len(lines) - 1):
        pattern = number % patterns
        same = number - pattern + pattern_from_the_end(pattern, rules)
        if same < number:
            lines[number] = lines[same]
        else:
            lines[number] = given[read]
            read += 1
    if read == count:
        return read
    net = _net_weights_at(rules, sheet, weights)
    rows = array_at(net, (NET_KINDS * MAX_SIZES, LAYER_BITS, UNITS))
    for piece in range(NET_KINDS * MAX_SIZES):
        for unit in range(UNITS):
            first = unit - unit % len(ROTATIONS)
            for square in range(rules.board * rules.board):
                seen = seen_square(square, unit, rules.board)
                if first < unit or seen < square:
                    rows[piece, square, unit] = rows[piece, seen, first]
                else:
                    rows[piece, square, unit] = given[read]
                    read += 1
    units = array_at(beyond(net, _NET_ROWS), (2 * UNITS,))
    for number in range(len(units)):
        units[number] = given[read + number]
    pack_net(array_at(net, (NET_KINDS, _PIECES, UNITS)), units, _net_at(sheet))
    array_at(sheet, (_SHARES,))[HIDDEN_UNITS] = UNITS
    return read + len(units)


@export(NUMBER, WORDS, WORDS)
def shuffle_moves(root: Any, chance: Any) -> int:
    """Put the moves to search into a random order, which decides among equal ones."""
    place = _root_at(root)
    chances.shuffle(_chance_at(chance), place.moves[: place.numbers[deepening.MOVES]])
    return 0


@export(NUMBER, WORDS, WORDS, WORDS, WORDS, NUMBER, NUMBER, NUMBER)
def begin_search(
    law: Any, work: Any, root: Any, history: Any, positions: int, repetition: int, generation: int
) -> int:
    """Prepare a search; `history` are the two words of each position of the game."""
    deepening.begin(
        _root_at(root), _workspace_at(work, work), array_at(history, (as_word(positions), 2)),
        as_word(repetition), as_word(generation), law_at(law),
    )  # fmt: skip
    return 0


@export(NUMBER, WORDS, WORDS, INTS, SHORTS, WORDS, NUMBER, WORDS, WORDS)
def advance(
    law: Any, sheet: Any, completing: Any, weights: Any, table: Any, buckets: int, work: Any,
    root: Any,
) -> int:  # fmt: skip
    """Search one ply deeper; return one of `DEEPENED`, `FINISHED` and `STOPPED`.

    Threads share the table; the marks of moves that one of them is searching lie behind it, and
    behind those, what the first to finish a depth has found.
    """
    rules = law_at(law)
    entries = array_at(table, (as_word(buckets), ENTRIES_PER_BUCKET, 2))
    busy = beyond(table, as_word(buckets) * ENTRIES_PER_BUCKET * 2)
    return deepening.advance(
        _root_at(root), rules, _sheet_at(rules, sheet, completing, weights), entries,
        _workspace_at(work, busy),
    )  # fmt: skip


@export(NUMBER, WORDS, NUMBER, NUMBER, NUMBER, WORDS)
def draws_by_repetition(history: Any, positions: int, move: int, repetition: int, law: Any) -> int:
    """Whether a move from the last position makes the game a draw by repetition."""
    places = array_at(history, (as_word(positions), 2))
    return int(
        deepening.draws_by_repetition(places, as_word(move), as_word(repetition), law_at(law))
    )


@export(NUMBER, WORD, WORD, WORDS, WORDS, NUMBER, FRACTION, WORDS)
def noticed_win(
    own: int, opp: int, law: Any, moves: Any, count: int, sees_wins: float, chance: Any
) -> int:
    """The first of the moves that wins at once; `NO_MOVE` if none does, or if it is overlooked."""
    listed = array_at(moves, (as_word(count),))
    return mistakes.noticed_win(own, opp, listed, sees_wins, law_at(law), _chance_at(chance))


@export(NUMBER, FRACTION, WORDS)
def plies_ahead(depth: float, chance: Any) -> int:
    """How deep a player looks this time who looks `depth` plies ahead on average."""
    return mistakes.plies_ahead(depth, _chance_at(chance))


@export(NUMBER, WORDS, FRACTION, WORDS)
def forget(root: Any, forgets: float, chance: Any) -> int:
    """Remove each covered piece from the position to search with this probability."""
    numbers = array_at(root, (ROOT_NUMBERS,))
    own, opp = numbers[deepening.OWN], numbers[deepening.OPP]
    own, opp = mistakes.remembered(own, opp, forgets, _chance_at(chance))
    numbers[deepening.OWN], numbers[deepening.OPP] = own, opp
    return 0


@export(NUMBER, WORDS, FRACTION, FRACTION, WORDS)
def best_misjudged(root: Any, blur: float, sees_wins: float, chance: Any) -> int:
    """The place of the variation that looks best to a player who misjudges them."""
    found = _root_at(root)
    scores = found.scores[: found.numbers[deepening.VARIATIONS]]
    return mistakes.best_misjudged(scores, blur, sees_wins, _chance_at(chance))


@export(NUMBER, WORDS, NUMBER)
def below(chance: Any, limit: int) -> int:
    """A random number from 0 to `limit - 1`."""
    return chances.below(_chance_at(chance), as_word(limit))
