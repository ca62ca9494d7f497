"""What games need from a database: `storage` implements it, and games know only this interface.

Every method can raise a `Refusal` with status 503 if the database does not respond.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from nestline.position import Side
from nestline.web.games.online_game import Action, Flags, StoredAction, StoredGame


class NewAction(NamedTuple):
    """An action to add to a game at this number, and the game's flags afterwards."""

    game: str
    number: int
    action: Action
    at: float
    flags: Flags


class NewStoredGame(NamedTuple):
    game: StoredGame
    flags: Flags


class Announcement(NamedTuple):
    """A process has stored an action in a game, which has reached this number."""

    game: str
    number: int
    read: Callable[[], StoredAction] | None = None
    """The action, unless it has to be read from the database."""


class SeatClaim(NamedTuple):
    """Somebody takes a seat: the hashes of the invitation, of the new token, of the browser."""

    side: Side
    invitation: str
    holder: str
    visitor: str


Holders = tuple[str | None, str | None]
"""The hashes of the tokens that hold the two seats."""


class RuleSetStore(Protocol):
    """Where the rule sets of visitors are kept."""

    async def find_rule_set(self, name: str) -> str | None:
        """The text of a rule set."""

    async def keep_rule_set(self, name: str, text: str) -> None: ...


class GameStore(RuleSetStore, Protocol):
    """Where games are kept. Storing an action is what changes a game."""

    is_shared: bool
    """Whether other processes change the same games."""

    async def load_game(self, game_id: str, since: int = 0) -> StoredGame | None:
        """A game with its actions from number `since` on."""

    async def number_of(self, game_id: str) -> int | None:
        """The number of a game's next action."""

    async def add_game(self, new: NewStoredGame, most_open: int, rules_text: str | None) -> None:
        """Store a new game, and the custom rule set it came with.

        Refused if its creator already has `most_open` unfinished games.
        """

    async def add_action(
        self, new: NewAction, claim: SeatClaim | None = None, rematch: NewStoredGame | None = None
    ) -> bool:
        """Store an action with all that belongs to it, atomically.

        False if the game's number has changed; refused if the invitation has been used.
        """

    async def set_invitation(
        self, game_id: str, side: Side, invitation: str, holders: Holders
    ) -> bool:
        """Store an invitation; False if the seats are not held as the caller has seen them."""

    async def release_leases(self) -> None:
        """Release every lease: the processes that held them are gone."""

    async def lease_waiting_games(self, most: int) -> tuple[list[str], bool]:
        """Lease games in which the computer has something to do and that no process looks after.

        The flag says whether there may be more.
        """

    async def renew_leases(self) -> None:
        """Tell other processes that this one still looks after its games."""
