"""Perft: counting move sequences, the classic test of a move generator.

>>> from nestline.position import Position
>>> count_sequences(Position.start("gobblers"), 3).nodes
20313

Only lines end a game here, draws of every kind are ignored; the last ply counts all moves,
including those that end the game. The kernel does the counting.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestline import kernel
from nestline.position import Move, Position, move_of_code


class SequenceCount(NamedTuple):
    """The number of sequences, in total and after each first move, and the time it took."""

    nodes: int
    seconds: float
    by_move: dict[Move, int]


def count_sequences(
    position: Position, depth: int, advance: Callable[[float], None] | None = None
) -> SequenceCount:
    """Count the sequences of `depth` moves; `advance` is called with the part done, up to 1."""
    own, opp = position.words
    law, board = position.rules.law, position.rules.board
    moves = np.empty((max(depth, 1), kernel.MAX_MOVES), np.int64)
    kernel.perft(own, opp, law, min(depth, 1), moves)  # Compile or load before the clock runs.
    began = time.perf_counter()
    by_move: dict[Move, int] = {}
    if depth > 0 and kernel.decision(own, opp, law) == kernel.ONGOING:
        first = np.empty(kernel.MAX_MOVES, np.int64)
        codes = first[: kernel.legal_moves(own, opp, law, first)].tolist()
        for done, code in enumerate(codes, 1):
            after = kernel.play(own, code)
            goes_on = depth == 1 or kernel.decision(opp, after, law) == kernel.ONGOING
            nodes = kernel.perft(opp, after, law, depth - 1, moves) if goes_on else 0
            by_move[move_of_code(board, code)] = nodes
            if advance:
                advance(done / len(codes))
    total = sum(by_move.values()) if depth else 1
    return SequenceCount(total, time.perf_counter() - began, by_move)
