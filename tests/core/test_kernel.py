"""The numbers of the kernel, which the page, the GPU and files rely on."""

import numpy as np

from nestline import kernel
from nestline.position import Position


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
