"""Games in progress: what the players have done, may do, and may see."""

from nestline.game.game import PLIES_WITHOUT_PEOPLE, Game
from nestline.game.seats import Seat, Status

__all__ = ["PLIES_WITHOUT_PEOPLE", "Game", "Seat", "Status"]
