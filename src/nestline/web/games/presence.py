"""Who is at the board: whether the players of a game are here, away or gone.

Somebody is here while his page is open and visible, away while it is hidden or silent, and gone
without a connection. Processes that share the games announce what they see to each other, again
and again, so that nothing has to be kept: what is not repeated is forgotten.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from nestline.position import Side
from nestline.web.games.views import SIDE_NAMES

SILENT_SECONDS = 40.0
"""The page sends something every 15 seconds; a laptop that was closed does not."""
GRACE_SECONDS = 3.0
"""A page that is loaded again has left and come back; nobody is told."""
SECONDS_BETWEEN_ROLL_CALLS = 10.0
FORGOTTEN_SECONDS = 3 * SECONDS_BETWEEN_ROLL_CALLS
"""What another process sees, unless it is said again."""
TOLD_AT_ONCE = 50
HERE, AWAY, GONE = "here", "away", "gone"
ORDER = (HERE, AWAY, GONE)
States = tuple[str, ...]
"""The states of both sides."""
NOBODY: States = (GONE,) * len(SIDE_NAMES)


class Present(Protocol):
    """A connection of a player."""

    heard: float
    """When it last sent something, by `time.monotonic`."""


@dataclass(slots=True)
class _Visit:
    sides: tuple[Side, ...]
    is_hidden: bool = False


class Presence:
    """See the module. `post` sends a text to all who watch a game in this process."""

    def __init__(
        self, post: Callable[[str, str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._post = post
        self._clock = clock
        self.announce: Callable[[str, States], None] = lambda game, states: None
        """Called with what this process sees of a game, whenever it changes and at roll calls."""
        self._visits: dict[str, dict[Present, _Visit]] = {}
        self._elsewhere: dict[str, dict[str, tuple[States, float]]] = {}
        """What other processes see, and when they said so: by game and process."""
        self._told: dict[str, States] = {}
        self._announced: dict[str, States] = {}

    def enter(self, game: str, visitor: Present, sides: Iterable[Side]) -> str:
        """Somebody with these seats, or a spectator, watches the game; what he has to know."""
        held = tuple(sides)
        if held:
            before = self._visits.setdefault(game, {}).get(visitor)
            self._visits[game][visitor] = _Visit(held, before.is_hidden if before else False)
            self._tell(game)
        return _text(game, self._states(game))

    def leave(self, game: str, visitor: Present) -> None:
        visit = self._visits.get(game, {}).get(visitor)
        if visit is not None:
            loop = asyncio.get_running_loop()
            loop.call_later(GRACE_SECONDS, self._depart, game, visitor, visit)

    def _depart(self, game: str, visitor: Present, visit: _Visit) -> None:
        visits = self._visits.get(game, {})
        if visits.get(visitor) is visit:  # He may have come back.
            del visits[visitor]
            if not visits:
                del self._visits[game]
            self._tell(game)

    def hide(self, game: str, visitor: Present, is_hidden: bool) -> None:
        """A player's page was hidden or shown."""
        visit = self._visits.get(game, {}).get(visitor)
        if visit is not None:
            visit.is_hidden = is_hidden
            self._tell(game)

    def on_announcement(self, process: str, seen: Mapping[str, States]) -> None:
        """Another process says whom it sees in some games; one that asks names none."""
        for game, states in seen.items():
            self._elsewhere.setdefault(game, {})[process] = states, self._clock()
            self._tell(game)
        if not seen:
            self.announce_all()

    def announce_all(self) -> None:
        """Say again what this process sees."""
        for game, states in self._announced.items():
            self.announce(game, states)

    async def check(self) -> None:
        """Notice whose connection has fallen silent; to be called at roll calls."""
        self.announce_all()
        for number, game in enumerate({*self._visits, *self._elsewhere}):
            self._tell(game)
            if number % TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)  # There may be thousands, and others have their turn too.

    def _tell(self, game: str) -> None:
        """Tell the watchers and the other processes what has changed."""
        _change(self._announced, game, self._own(game), self.announce)
        _change(self._told, game, self._states(game), self._post_states)

    def _post_states(self, game: str, states: States) -> None:
        self._post(game, _text(game, states))

    def _states(self, game: str) -> States:
        """The best that any process sees of each side."""
        seen = [self._own(game), *self._seen_elsewhere(game)]
        return tuple(min(states, key=ORDER.index) for states in zip(*seen, strict=True))

    def _seen_elsewhere(self, game: str) -> list[States]:
        """What other processes have said lately; the rest is forgotten."""
        oldest = self._clock() - FORGOTTEN_SECONDS
        said = self._elsewhere.pop(game, {})
        kept = {by: each for by, each in said.items() if each[0] != NOBODY and each[1] > oldest}
        if kept:
            self._elsewhere[game] = kept
        return [states for states, _ in kept.values()]

    def _own(self, game: str) -> States:
        visits = self._visits.get(game, {})
        return tuple(self._state(visits, side) for side in SIDE_NAMES)

    def _state(self, visits: Mapping[Present, _Visit], side: Side) -> str:
        held = [(visitor, visit) for visitor, visit in visits.items() if side in visit.sides]
        silent = self._clock() - SILENT_SECONDS
        if any(not visit.is_hidden and visitor.heard > silent for visitor, visit in held):
            return HERE
        return AWAY if held else GONE


def _change(
    known: dict[str, States], game: str, states: States, tell: Callable[[str, States], None]
) -> None:
    """Tell what is new; a game with nobody at the board is not kept."""
    if known.get(game, NOBODY) == states:
        return
    if states == NOBODY:
        del known[game]
    else:
        known[game] = states
    tell(game, states)


def _text(game: str, states: States) -> str:
    seats = dict(zip(SIDE_NAMES.values(), states, strict=True))
    return json.dumps({"type": "presence", "game": game, "seats": seats}, separators=(",", ":"))
