"""The search limits set by the arguments of UGI's `go`.

`search.time_management` divides a clock among the moves.

>>> read_limits("depth 5 movetime 200".split(), Side.FIRST)
Limits(seconds=0.2, depth=5, nodes=None)
>>> read_limits("p1time 60000 p2time 1000 p1inc 1000 p2inc 0".split(), Side.FIRST)
Limits(seconds=2.75, depth=None, nodes=None)
"""

import re

from nestline.engine.protocol.options import shortened
from nestline.engine.search.alphabeta import MAX_DEPTH
from nestline.engine.search.engine import MOST_SECONDS, Limits
from nestline.engine.search.time_management import MOVES_AHEAD, seconds_for_move
from nestline.errors import GameError
from nestline.position import Side

LEAST = {
    "depth": 0,
    "nodes": 1,
    "movetime": 1,
    "p1time": 1,
    "p2time": 1,
    "p1inc": 0,
    "p2inc": 0,
    "movestogo": 1,
}
"""The arguments that take a number, and its minimum; times are in milliseconds."""

MOST = 10**12 - 1
"""The maximum for all of them: longer than anybody would wait."""


def read_limits(words: list[str], side: Side) -> Limits:
    """The limits that the arguments set for the player to move; no arguments, no limits."""
    values: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            continue
        if word not in LEAST:
            allowed = ", ".join([*LEAST, "infinite"])
            raise GameError(f"go: unknown word {shortened(word)}; allowed are {allowed}")
        values[word] = _read_number(word, next(rest, None))
    depth = values.get("depth")
    return Limits(
        seconds=_seconds(values, side),
        # The specification allows a depth of 0; 1 is the least that gives a move.
        depth=None if depth is None else min(max(depth, 1), MAX_DEPTH),
        nodes=values.get("nodes"),
    )


def _read_number(word: str, text: str | None) -> int:
    allowed = f"go: {word} takes a whole number from {LEAST[word]} to {MOST}"
    if text is None:
        raise GameError(f"{allowed}; it is missing")
    if not re.fullmatch("[0-9]{1,12}", text) or int(text) < LEAST[word]:
        raise GameError(f"{allowed}, not {shortened(text)}")
    return int(text)


def _seconds(values: dict[str, int], side: Side) -> float | None:
    """The time for this move: the fixed one, a share of the clock, or the smaller of both."""
    own, other = ("p1", "p2") if side == Side.FIRST else ("p2", "p1")
    given = [values["movetime"] / 1000] if "movetime" in values else []
    clock = values.get(f"{own}time")
    if clock is not None:
        moves = values.get("movestogo", MOVES_AHEAD)
        increment = values.get(f"{own}inc", 0) / 1000
        given.append(seconds_for_move(clock / 1000, increment, moves))
    elif any(word in values for word in (f"{other}time", "p1inc", "p2inc", "movestogo")):
        raise GameError(f"go: {own} is to move, and {own}time is missing")
    return min(*given, MOST_SECONDS) if given else None
