"""Side, Piece, Move, Outcome: the small immutable values that positions and games consist of.

`position` knows what a move does and when an outcome is reached; `draw` registers with `picture_of`
how to draw them.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import singledispatch, total_ordering
from typing import NamedTuple

from nestline.errors import NotationError, PositionError

REASONS = (
    "line",
    "reveal",
    "both-lines",
    "no-move",
    "repetition",
    "all-placed",
    "board-full",
    "agreement",
    "touch",
    "resignation",
    "unfinished",
)
"""Why a game ended; `unfinished` is a game stopped by a ply limit, scored as a draw."""

DRAWING_REASONS = (
    "both-lines", "repetition", "all-placed", "board-full", "agreement", "unfinished",
)  # fmt: skip
"""Those that end a game without a winner; `no-move` may do either, as the rule set says."""


class Side(IntEnum):
    """The player who began, or the other one. Names and colours come from the rule set."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Side":
        return Side.FIRST if self else Side.SECOND

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Side.{self.name}"


class Piece(NamedTuple):
    """A piece by its owner and its size, 1 being the smallest."""

    side: Side
    size: int


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Move:
    """A piece from the reserve to a square, or from one square to another.

    >>> Move("3b2").size, Move("a1c3").origin
    (3, 'a1')

    Takes only the canonical spelling, since the others depend on the rule set: use
    `Position.read_move` for what people type.
    """

    size: int | None
    origin: str | None
    target: str
    text: str = field(compare=False)
    """As `str` gives it."""

    def __init__(self, text: str) -> None:
        size = origin = None
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is not a move like 3b2 or a1c3")
        if len(text) == 3 and text[0] in "1234" and _is_square(text[1:]):
            size, target = int(text[0]), text[1:]
        elif len(text) == 4 and _is_square(text[:2]) and _is_square(text[2:]):
            origin, target = text[:2], text[2:]
        else:
            raise NotationError(f"{text!r} is not a move like 3b2 or a1c3")
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "text", text)

    @property
    def places(self) -> bool:
        """Whether the piece comes from the reserve."""
        return self.origin is None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f'Move("{self}")'

    def __lt__(self, other: "Move") -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.text < other.text


def _is_square(text: str) -> bool:
    return text[0] in "abcd" and text[1] in "1234"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (none in a draw) and one of `REASONS`."""

    winner: Side | None
    reason: str

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            raise PositionError(
                f"{self.reason!r} is not a reason; reasons are {', '.join(REASONS)}"
            )
        if self.winner not in (None, *Side):
            raise PositionError(f"{self.winner!r} is not a side; a winner is a side or None")
        if self.reason != "no-move" and (self.winner is None) != (self.reason in DRAWING_REASONS):
            what = "a draw" if self.winner is None else "a win"
            raise PositionError(f"{self.reason} is not a reason for {what}")

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    @property
    def result(self) -> str:
        """As in records: 1-0, 0-1 or 1/2-1/2."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]

    def __str__(self) -> str:
        return f"{self.result} ({self.reason})"


@singledispatch
def picture_of(value: object) -> str | None:
    """The value as an SVG picture, for notebooks; None where nothing has registered to draw it."""
    return None
