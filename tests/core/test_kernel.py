"""The numbers of the kernel, which the page, the GPU and files rely on."""

import random

import numpy as np
import pytest

from nestline import kernel
from nestline.position import Position, move_of_code
from nestline.rules import load_rules, rule_set_names
from support.helpers import built_rules, random_position


def test_moves_are_numbered_by_source_and_target() -> None:
    position = Position("x4/x4/x,w4,x2/x4 w", "gobblet")
    moves = np.empty(kernel.MAX_MOVES, np.int64)
    count = kernel.legal_moves(*position.words, position.rules.law, moves)
    squares = set(range(16))
    # The largest pieces, and the next size, which the first stack shows now.
    placed = {size * 16 + square for size in (2, 3) for square in squares - {5}}
    moved = {(4 + 5) * 16 + square for square in squares - {5}}
    assert set(moves[:count].tolist()) == placed | moved
    assert (kernel.FIRST_BOARD_SOURCE, kernel.STATES) == (4, 10)
    own = position.words[0]
    assert own == 1 << (3 * 16 + 5)
    assert kernel.play(own, 9 * 16 + 0) == 1 << 3 * 16
    assert kernel.play(own, 2 * 16 + 1) == own | 1 << (2 * 16 + 1)


def test_verdicts_of_states() -> None:
    """For the player who has just moved."""
    won = {kernel.LINE, kernel.NO_MOVE_LOSES, kernel.REVEAL_WINS}
    lost = {kernel.REVEAL, kernel.LINE_LOSES}
    for state in range(kernel.STATES):
        assert kernel.verdict(state) == (state in won) - (state in lost)
    assert (kernel.ONGOING, kernel.LINE, kernel.REVEAL, kernel.LINE_LOSES) == (0, 1, 2, 8)


def test_a_line_over_the_edge_decides() -> None:
    text = "x,w1,x/w2,x2/x2,w3 b"
    words = Position(text, "gobblers").words
    assert kernel.decision(*words, load_rules("gobblers").law) == kernel.ONGOING
    assert kernel.decision(*words, built_rules(wrap=True).law) == kernel.LINE


def test_dangerous_moves_reveal_a_line() -> None:
    chance = random.Random("dangerous moves")
    rules = load_rules("gobblers")
    seen = 0
    for _ in range(150):
        position = random_position(rules, chance)
        if position.outcome():
            continue
        moves = np.full(kernel.MAX_MOVES, -1, np.int64)
        count = kernel.dangerous_moves(*position.words, rules.law, moves)
        expected = [move for move in position.legal_moves() if position.is_losing_reveal(move)]
        assert [move_of_code(rules.board, int(code)) for code in moves[:count]] == expected
        seen += count
    assert seen > 20


@pytest.mark.filterwarnings("ignore:overflow")  # NumPy tells it where nothing is compiled.
def test_perft_counts_what_is_played() -> None:
    """`test_perft` has more positions, and greater depths."""
    moves = np.empty((4, kernel.MAX_MOVES), np.int64)
    for name, numbers in (("tictactoe", [1, 9, 72, 504, 3024]), ("gobblers", [1, 27, 675])):
        rules = load_rules(name)
        for depth, number in enumerate(numbers):
            assert kernel.perft(0, 0, rules.law, depth, moves) == number
    row = Position("x3/x3/w1,w2,x w", "gobblers")
    expected = sum(
        len(row.play(move).legal_moves()) for move in row.legal_moves()
        if not row.play(move).outcome()
    )  # fmt: skip
    assert kernel.perft(*row.words, row.rules.law, 1, moves) == len(row.legal_moves())
    assert kernel.perft(*row.words, row.rules.law, 2, moves) == expected


@pytest.mark.parametrize("name", rule_set_names())
def test_outcomes_are_those_of_positions(name: str) -> None:
    chance = random.Random(f"outcomes of {name}")
    rules = load_rules(name)
    for _ in range(40):
        position = random_position(rules, chance)
        state = kernel.outcome(*position.words, rules.law)
        assert (state == kernel.ONGOING) == (position.outcome() is None)


@pytest.mark.parametrize(
    ("board", "line", "wrap", "count"),
    [
        (3, 3, False, 8),
        (4, 4, False, 10),
        (4, 3, False, 24),
        (4, 3, True, 64),
        (3, 3, True, 12),
        (3, 2, False, 20),
        (3, 1, False, 9),
    ],
)
def test_every_line_of_a_rule_set(board: int, line: int, wrap: bool, count: int) -> None:
    rules = built_rules(board=board, line=line, wrap=wrap)
    squares = np.full((kernel.MAX_LINES, 4), -1, np.int64)
    assert kernel.write_lines(rules.law, squares) == len(rules.line_squares) == count
    rows = [row[:line].tolist() for row in squares[:count]]
    names = [tuple(rules.square_names[square] for square in row) for row in rows]
    assert names == list(rules.line_squares)
    for row in rows:
        whole = sum(1 << square for square in row)
        assert kernel.has_line(whole, rules.law)
        assert line < board or kernel.threatening(whole, rules.law) == 0
        for square in row:
            rest = whole ^ 1 << square
            assert not kernel.has_line(rest, rules.law)
            assert kernel.threatening(rest, rules.law) == rest
            alone = 1 << square
            assert kernel.threatening(alone, rules.law) == (alone if line == 2 else 0)
