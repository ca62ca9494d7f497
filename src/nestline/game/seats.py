"""Who plays, and the state of the game from their point of view."""

from enum import StrEnum
from typing import NamedTuple


class Seat(NamedTuple):
    """Who plays a side: a person, or the computer at a level."""

    name: str
    level: str | None = None

    @property
    def is_computer(self) -> bool:
        return self.level is not None


class Status(StrEnum):
    """The state of a game. Document 002 has the first four, where a person plays the computer."""

    ONGOING = "ongoing"
    PLAYER_WON = "player won"
    AI_WON = "computer won"
    DRAW = "draw"
    FIRST_WON = "first won"
    SECOND_WON = "second won"
    UNFINISHED = "unfinished"
