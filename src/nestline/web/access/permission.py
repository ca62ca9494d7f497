"""Who may study: everybody except the players of a running game between people.

A computer that answers a position of one's choice is study too, whatever it is called.
"""

import time
from typing import Protocol

from nestline.web.access.visitors import Visitor
from nestline.web.refusals import Refusal


class PlayedGames(Protocol):
    """What this needs from a database; `storage` implements it."""

    async def game_that_forbids_study(
        self, visitor: str | None, holders: frozenset[str], since: float, apart_from: str
    ) -> str | None:
        """A running game between people in which this browser, or one of these tokens, plays.

        Games without an action since that time do not count, nor does the one with that id.
        """


class StudyPermission:
    """Refuses study for some hours after the last action in an unfinished game."""

    def __init__(self, games: PlayedGames, hours: float) -> None:
        self._games = games
        self._hours = hours

    async def require(
        self, visitor: Visitor, what: str = "there is no study", apart_from: str = ""
    ) -> None:
        """Refuse `what` to the players of a running game between people, other than that one."""
        if visitor.browser is None and not visitor.holders:
            return
        since = time.time() - self._hours * 3600
        game = await self._games.game_that_forbids_study(
            visitor.browser, visitor.holders, since, apart_from
        )
        if game is not None:
            raise Refusal(
                403,
                "study-refused",
                f"{what} while you play a person; it is open again when the game is over",
                game=game,
            )
