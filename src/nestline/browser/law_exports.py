"""The rules for the page: moves, results, dangers, symmetries, perft, as the kernel has them."""

from typing import Any

from nestline import kernel
from nestline.browser.memory import (
    LAW_WORDS,
    NUMBER,
    WORD,
    WORDS,
    array_at,
    as_word,
    export,
    helper,
    law_at,
)
from nestline.rules import law as law_module

_line_starts = helper(law_module.line_starts)


@export(NUMBER, WORDS)
def complete_law(law: Any) -> int:
    """Write the fields of a law that follow from the others."""
    words = array_at(law, (LAW_WORDS,))
    board, line, wrap = words[0], words[1], words[19]
    words[21] = (1 << (board * board)) - 1
    words[22] = _line_starts(board, line, as_word(1), as_word(0), wrap)
    words[23] = _line_starts(board, line, as_word(0), as_word(1), wrap)
    words[24] = _line_starts(board, line, as_word(1), as_word(1), wrap)
    words[25] = _line_starts(board, line, as_word(-1), as_word(1), wrap)
    return 0


@export(NUMBER, WORDS, WORDS)
def write_lines(law: Any, lines: Any) -> int:
    """Write the squares of each line, four words for each; return how many lines there are."""
    return kernel.write_lines(law_at(law), array_at(lines, (kernel.MAX_LINES, 4)))


@export(NUMBER, WORD, WORD, WORDS, WORDS)
def legal_moves(own: int, opp: int, law: Any, moves: Any) -> int:
    """Write the moves, in ascending order; return how many. A finished game has some, too."""
    return kernel.legal_moves(own, opp, law_at(law), array_at(moves, (kernel.MAX_MOVES,)))


@export(NUMBER, WORD, WORD, WORDS, WORDS)
def dangerous_moves(own: int, opp: int, law: Any, moves: Any) -> int:
    """Write the moves that lose at once by revealing a line; return how many."""
    return kernel.dangerous_moves(own, opp, law_at(law), array_at(moves, (kernel.MAX_MOVES,)))


@export(NUMBER, WORD, WORD, NUMBER, WORDS)
def is_legal(own: int, opp: int, move: int, law: Any) -> int:
    return int(kernel.is_legal(own, opp, as_word(move), law_at(law)))


@export(WORD, WORD, NUMBER)
def play(own: int, move: int) -> int:
    """The mover's pieces after a legal move."""
    return kernel.play(own, as_word(move))


@export(NUMBER, WORD, WORD, WORDS)
def outcome(own: int, opp: int, law: Any) -> int:
    return kernel.outcome(own, opp, law_at(law))


@export(WORD, WORD, WORD)
def visible(own: int, opp: int) -> int:
    """The pieces of the first word that are on top of their stacks."""
    return kernel.visible(own, opp)


@export(WORD, WORD, WORD, WORDS)
def movable(own: int, opp: int, law: Any) -> int:
    """The pieces of the first word that may be lifted from the board."""
    return kernel.movable(own, opp, law_at(law))


@export(NUMBER, WORD, NUMBER, WORDS)
def takeable(own: int, size: int, law: Any) -> int:
    """How many pieces of this size can be taken from the reserve now."""
    return kernel.takeable(own, as_word(size), law_at(law))


@export(WORD, WORD, NUMBER, NUMBER)
def transform(word: int, symmetry: int, board: int) -> int:
    """The pieces under one of the eight symmetries."""
    return kernel.transform(word, as_word(symmetry), as_word(board))


@export(NUMBER, WORD, WORD, NUMBER)
def canonical_symmetry(own: int, opp: int, board: int) -> int:
    """The symmetry that gives the same position for all eight images."""
    return kernel.canonical_symmetry(own, opp, as_word(board))


@export(WORD, WORD, WORD, WORDS, NUMBER, WORDS)
def perft(own: int, opp: int, law: Any, depth: int, moves: Any) -> int:
    """The number of sequences of `depth` moves; `moves` is scratch, `MAX_MOVES` for each ply."""
    room = array_at(moves, (max(as_word(depth), 1), kernel.MAX_MOVES))
    return kernel.perft(own, opp, law_at(law), as_word(depth), room)
