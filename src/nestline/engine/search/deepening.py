"""Iterative deepening with aspiration windows: one thread's search of a game's position.

Several of them make a lazy SMP search: all search the same position and share the transposition
table. They race: the first to finish a depth tells the others its best line, and all go on with the
next depth. `engine` starts and stops them; in the page the worker does, by the same functions.
"""

from typing import NamedTuple

import numpy as np

from nestline import kernel
from nestline.compiled import inlined, rare, recursive
from nestline.engine.search.alphabeta import FORCED, MAX_DEPTH, NO_SCORE, WIN, search_root
from nestline.engine.search.evaluation import Sheet, evaluate_apart
from nestline.engine.search.transposition import move_through
from nestline.engine.search.workspace import (
    AFTER_NULL,
    AIM,
    EARLIER,
    EARLIER_COUNT,
    GENERATION,
    MAX_PLY,
    NEVER,
    NODE_LIMIT,
    NODES,
    OVERTAKEN,
    QUIESCENCE_END,
    RACE_CHECKSUM,
    RACE_DEPTH,
    RACE_LINE,
    RACE_SCORE,
    REPETITION,
    SELECTIVE,
    SHARED,
    STOP,
    SYMMETRIC_PIECES,
    Numbers,
    Workspace,
)
from nestline.rules.law import Law
from nestline.threats import NO_MOVE

ASPIRATION_WINDOW = 40
"""Half the width of the aspiration window around the score of the last depth."""

QUIESCENCE_PLIES = 12
"""Quiescence search follows threats at most this many plies beyond the depth."""

MOST_SYMMETRIC_PIECES = 6
"""With at most this many pieces, symmetric positions share a transposition table entry."""

LARGEST_FULL_WIDTH = 3
"""Boards up to this size are searched without late move reductions."""

NEARER_WIN_NODES = 4
"""A nearer win than the one found is looked for in at most this many times the nodes so far."""

OWN, OPP, MOVES, VARIATIONS, DEEPEST, NODES_ALLOWED, JUDGED_DEPTH, DEPTH, DIFFERENT = range(9)
"""Indices into `Root.numbers`: the bitboards, how many moves and variations there are, the limits,
up to which depth all moves are judged, the last depth that was finished, and how many moves are no
mirror images of others."""

ROOT_NUMBERS = 16
LINE_LENGTH = MAX_PLY + 1

DEEPENED, FINISHED, STOPPED, IMPROVED = range(4)
"""What `advance` has done: searched another depth, found that none is needed, been stopped, been
stopped when a better move had been found."""


class Root(NamedTuple):
    """The position to search, and what has been found about its moves.

    numbers: named above; moves: (MAX_MOVES,), in the order of the search, mirror images last;
    drawn, guesses: (MAX_MOVES,), by move: whether it draws by repetition, and its last score;
    scores: (MAX_MOVES,) and lines: (MAX_MOVES, LINE_LENGTH), the variations of the last finished
    depth, best first, each with its length in front; found, found_scores, order: the same for the
    depth being searched; original, symmetry: (MAX_MOVES,), by move: the move whose mirror image it
    is, itself if none, and the symmetry that maps that one to it.
    """

    numbers: Numbers
    moves: Numbers
    drawn: Numbers
    guesses: Numbers
    scores: Numbers
    lines: Numbers
    found_scores: Numbers
    found: Numbers
    order: Numbers
    original: Numbers
    symmetry: Numbers


def make_root() -> Root:
    """Room for the search of a position."""
    one, line = kernel.MAX_MOVES, (kernel.MAX_MOVES, LINE_LENGTH)
    shapes = (ROOT_NUMBERS, one, one, one, one, line, one, line, one, one, one)
    return Root(*(np.zeros(shape, np.int64) for shape in shapes))


@inlined
def draws_by_repetition(history: Numbers, move: int, repetition: int, law: Law) -> bool:
    """Whether a move brings a position about for the time that makes the game a draw.

    `history` are the bitboards of all positions of the game, (n, 2), the last one to move in;
    `repetition` is how often is too often, 0 if the rules do not mind.
    """
    last = len(history) - 1
    own, opp = history[last, 0], history[last, 1]
    child = kernel.play(own, move)
    if repetition == 0 or kernel.outcome(opp, child, law) != kernel.ONGOING:
        return False
    times = 1
    for place in range(last - 1, -1, -2):
        if history[place, 0] == opp and history[place, 1] == child:
            times += 1
    return times >= repetition


@inlined
def _is_asymmetric(history: Numbers) -> bool:
    """Whether an earlier position can recur: then mirror images of a move may differ from it."""
    last = len(history) - 1
    pieces = kernel.popcount(history[last, 0]) + kernel.popcount(history[last, 1])
    before = max(last - 1, 0)
    earlier = kernel.popcount(history[before, 0]) + kernel.popcount(history[before, 1])
    return bool(last > 0 and pieces == earlier)


@inlined
def _find_mirror_images(root: Root, is_asymmetric: bool, law: Law) -> None:
    """Fill `original` and `symmetry`, and move the mirror images of other moves to the end."""
    numbers, moves = root.numbers, root.moves
    own, opp = numbers[OWN], numbers[OPP]
    for move in range(kernel.MAX_MOVES):
        root.original[move] = NO_MOVE
    different = 0
    for index in range(numbers[MOVES]):
        move = moves[index]
        if root.original[move] != NO_MOVE:
            continue
        root.original[move] = move
        root.symmetry[move] = 0
        moves[index] = moves[different]
        moves[different] = move
        different += 1
        for symmetry in range(1, 1 if is_asymmetric else 8):
            if (
                kernel.transform(own, symmetry, law.board) == own
                and kernel.transform(opp, symmetry, law.board) == opp
            ):
                image = move_through(move, symmetry, law.board)
                if root.original[image] == NO_MOVE:
                    root.original[image] = move
                    root.symmetry[image] = symmetry
    numbers[DIFFERENT] = different


@inlined
def begin(
    root: Root, work: Workspace, history: Numbers, repetition: int, generation: int, law: Law
) -> None:
    """Prepare the search of the moves in `root.moves`; its numbers are set.

    `history` is as in `draws_by_repetition`. The root's bitboards may differ from its last
    position, for a player who forgets.
    """
    for move in range(kernel.MAX_MOVES):
        work.history[0, move] = 0
        work.history[1, move] = 0
        root.guesses[move] = NO_SCORE
        root.drawn[move] = 0
    for ply in range(MAX_PLY):
        work.killers[ply, 0] = NO_MOVE
        work.killers[ply, 1] = NO_MOVE
    for index in range(root.numbers[MOVES]):
        move = root.moves[index]
        root.drawn[move] = draws_by_repetition(history, move, repetition, law)
    _find_mirror_images(root, _is_asymmetric(history), law)
    root.numbers[DEPTH] = 0
    control = work.control
    control[NODES] = 0
    control[STOP] = 0
    control[NODE_LIMIT] = NEVER
    control[AIM] = NEVER
    control[REPETITION] = repetition if repetition else NEVER
    control[GENERATION] = generation
    control[SELECTIVE] = law.board > LARGEST_FULL_WIDTH
    control[SYMMETRIC_PIECES] = MOST_SYMMETRIC_PIECES
    control[SHARED] = 0
    control[AFTER_NULL] = 0
    earlier = len(history) - 1
    first = max(earlier - EARLIER, 0)
    control[EARLIER_COUNT] = earlier - first
    for place in range(first, earlier):
        work.path[place - first, 0] = history[place, 0]
        work.path[place - first, 1] = history[place, 1]


@inlined
def _best_from(
    first: int, depth: int, above: int, root: Root, law: Law, sheet: Sheet, table: Numbers,
    work: Workspace,
) -> int:  # fmt: skip
    """The best of the moves from this place on, as its distance from there; -1 if stopped, or if
    none scores above a bound."""
    moves = root.moves[first : root.numbers[DIFFERENT]]
    scores = root.order[first:]  # Free until all variations are found.
    guess = root.guesses[moves[0]]
    alpha, beta = above, WIN
    if guess != NO_SCORE and depth > 3 and abs(guess) < FORCED and above == -WIN:
        alpha, beta = guess - ASPIRATION_WINDOW, guess + ASPIRATION_WINDOW
    while True:
        best = search_root(
            root.numbers[OWN], root.numbers[OPP], depth, alpha, beta, moves, root.drawn, scores,
            law, sheet, table, work,
        )  # fmt: skip
        if best < 0:
            return -1
        score = scores[best]
        if work.control[STOP] or alpha < score < beta or (alpha == above and beta == WIN):
            break
        if score <= alpha:
            alpha = above
        else:
            beta = WIN
    if score <= above:
        return -1
    root.guesses[moves[best]] = score
    root.found_scores[first] = score
    line, found = work.variations[0], root.found[first]
    found[0] = 1
    found[1] = moves[best]
    if line[0] > 0 and line[1] == moves[best]:
        for index in range(line[0] + 1):
            found[index] = line[index]
    return int(best)


@recursive
def deepen(
    depth: int, variations: int, above: int, root: Root, law: Law, sheet: Sheet, table: Numbers,
    work: Workspace,
) -> bool:  # fmt: skip
    """Find the best lines at this depth; False if stopped before, or if none scores above a
    bound."""
    work.control[QUIESCENCE_END] = depth + QUIESCENCE_PLIES
    different = min(variations, root.numbers[DIFFERENT])
    for first in range(different):
        best = _best_from(first, depth, above, root, law, sheet, table, work)
        if best < 0 or (work.control[STOP] and variations > 1):
            return False
        _move_up(first + best, first, root)
    _sort_lines(_add_mirror_images(different, root, law), root)
    return True


@inlined
def _move_up(index: int, first: int, root: Root) -> None:
    """Put the move at this place in front of those from `first` on."""
    move = root.moves[index]
    for place in range(index, first, -1):
        root.moves[place] = root.moves[place - 1]
    root.moves[first] = move


@rare
def _tell(depth: int, root: Root, race: Numbers) -> None:
    """Tell the other threads the best line of a finished depth."""
    score, line = root.scores[0], root.lines[0]
    race[RACE_SCORE] = score
    race[RACE_CHECKSUM] = _checksum(depth, score, line)
    for index in range(line[0] + 1):
        race[RACE_LINE + index] = line[index]
    race[RACE_DEPTH] = depth


@inlined
def _checksum(depth: int, score: int, line: Numbers) -> int:
    total = depth * LINE_LENGTH + score
    for index in range(min(line[0], MAX_PLY) + 1):
        total = (total ^ line[index]) * 0x1E3779B97F4A7C15
    return int(total)


@rare
def _take_over(root: Root, law: Law, race: Numbers) -> bool:
    """Go on from what another thread has found; False if two that wrote at once have spoilt it."""
    depth, score, line = race[RACE_DEPTH], race[RACE_SCORE], root.found[0]
    for index in range(LINE_LENGTH):
        line[index] = race[RACE_LINE + index]
    if depth <= root.numbers[DEPTH] or race[RACE_CHECKSUM] != _checksum(depth, score, line):
        return False
    index = 0
    while index < root.numbers[DIFFERENT] and root.moves[index] != line[1]:
        index += 1
    if index == root.numbers[DIFFERENT]:
        return False
    _move_up(index, 0, root)
    root.found_scores[0] = root.guesses[line[1]] = score
    root.numbers[DEPTH] = depth
    _sort_lines(_add_mirror_images(1, root, law), root)
    return True


@rare
def _add_mirror_images(different: int, root: Root, law: Law) -> int:
    """Give mirror images the lines and scores of the moves they mirror; how many lines there are
    then."""
    count = different
    for index in range(root.numbers[DIFFERENT], root.numbers[MOVES]):
        image = root.moves[index]
        move, symmetry = root.original[image], root.symmetry[image]
        root.guesses[image] = root.guesses[move]
        for place in range(different):
            line = root.found[place]
            if line[1] == move:
                root.found_scores[count] = root.found_scores[place]
                root.found[count, 0] = line[0]
                for step in range(1, line[0] + 1):
                    root.found[count, step] = move_through(line[step], symmetry, law.board)
                count += 1
    return count


@rare
def _sort_lines(variations: int, root: Root) -> None:
    """Move the lines that were found to the finished ones, the best first."""
    order = root.order
    for place in range(variations):
        number = place
        while number > 0 and root.found_scores[order[number - 1]] < root.found_scores[place]:
            order[number] = order[number - 1]
            number -= 1
        order[number] = place
    for place in range(variations):
        root.scores[place] = root.found_scores[order[place]]
        found, line = root.found[order[place]], root.lines[place]
        for index in range(found[0] + 1):
            line[index] = found[index]
    different = 0
    for place in range(variations):
        move = root.lines[place, 1]
        if root.original[move] == move:
            root.moves[different] = move
            different += 1


_GOES_ON_OR_WINS = (kernel.ONGOING, kernel.LINE, kernel.REVEAL_WINS)


@rare
def _glance(root: Root, law: Law, sheet: Sheet) -> None:
    """Judge each move by the position after it, without a thought about the answer."""
    numbers = root.numbers
    for place in range(numbers[MOVES]):
        move = root.moves[place]
        own, opp = numbers[OPP], kernel.play(numbers[OWN], move)
        state = kernel.outcome(own, opp, law)
        covered = kernel.under_larger(own | opp)
        score = -evaluate_apart(own, opp, own & ~covered, opp & ~covered, law, sheet)
        if kernel.verdict(state) < 0:
            score = 1 - WIN
        elif root.drawn[move] or state not in _GOES_ON_OR_WINS:
            score = 0
        root.found_scores[place] = score
        root.found[place, 0] = 1
        root.found[place, 1] = move
    _sort_lines(numbers[MOVES], root)


@inlined
def _is_settled(score: int, depth: int) -> bool:
    """Whether deepening can find nothing new: a forced result is known, and none is nearer."""
    return abs(score) > FORCED and WIN - abs(score) <= depth


@inlined
def _may_be_nearer(root: Root, work: Workspace) -> bool:
    """Whether there may be a nearer win than the one found: a selective search can overlook it."""
    is_selective = work.control[SELECTIVE] != 0
    return bool(is_selective and root.numbers[VARIATIONS] == 1 and root.scores[0] > FORCED)


@recursive
def advance(root: Root, law: Law, sheet: Sheet, table: Numbers, work: Workspace) -> int:
    """Search one ply deeper, unless that is beyond the limits or can find nothing new.

    The first depth takes no time, and is finished whatever the limits. With a limit of 0, the
    player only glances at the moves. After a selective search has found a win, nearer ones are
    looked for at full width; that need not be deep, since the last plies of a win are forced. Where
    another thread was faster, its findings count.
    """
    numbers, control = root.numbers, work.control
    depth = numbers[DEPTH] + 1
    if depth == 1 and numbers[DEEPEST] == 0:
        _glance(root, law, sheet)
        numbers[DEPTH] = 1
        return DEEPENED
    last, above = depth, int(np.int64(-WIN))  # a variable, so that `deepen` is compiled once
    settled = False
    if depth > 1:
        if depth > numbers[DEEPEST] or depth > MAX_DEPTH:
            return FINISHED
        settled = True
        for place in range(numbers[VARIATIONS]):
            settled = settled and _is_settled(root.scores[place], depth - 1)
        control[NODE_LIMIT] = numbers[NODES_ALLOWED]
    if settled:
        if not _may_be_nearer(root, work):
            return FINISHED
        above = root.scores[0]
        depth, last = 1, WIN - above - 4
        most = (1 + NEARER_WIN_NODES) * control[NODES]
        control[NODE_LIMIT] = min(control[NODE_LIMIT], most)
        control[SELECTIVE] = 0
    variations = numbers[MOVES] if depth <= numbers[JUDGED_DEPTH] else numbers[VARIATIONS]
    if settled:
        variations = 1
    is_found = False
    races = control[SHARED] != 0 and variations == 1 and 1 < depth == last
    control[AIM] = depth if races else NEVER
    while depth <= last and not is_found:
        is_found = deepen(depth, variations, above, root, law, sheet, table, work)
        if control[AIM] != OVERTAKEN:
            depth += 2
        elif _take_over(root, law, work.race):
            return DEEPENED
        else:
            control[AIM] = NEVER
    if settled:
        control[SELECTIVE] = 1
        return DEEPENED if is_found else FINISHED
    if not is_found:
        return STOPPED
    if control[STOP]:
        return IMPROVED
    numbers[DEPTH] = last
    if control[SHARED] and last > work.race[RACE_DEPTH]:
        _tell(last, root, work.race)
    return DEEPENED
