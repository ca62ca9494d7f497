"""Time management: how much of the clock to spend on the next move.

>>> seconds_for_move(60.0, increment=1.0)
2.75
"""

MOVES_AHEAD = 30
"""The number of moves a clock is divided among, unless the moves to go are known."""

PART_OF_INCREMENT = 0.75

RESERVE = 0.05
"""Seconds of the clock kept in reserve: for the way through the pipe, and for stopping."""

SHORTEST = 0.01
"""The minimum thinking time in seconds, however little is left on the clock."""


def seconds_for_move(clock: float, increment: float = 0.0, moves: int = MOVES_AHEAD) -> float:
    """The seconds to think about a move with `clock` seconds left for this many `moves`.

    `increment` is what each move adds to the clock.
    """
    share = clock / moves + increment * PART_OF_INCREMENT
    return max(min(share, clock - RESERVE), SHORTEST)
