"""A game on the server: a `Game`, who holds its seats, and the requests players make to each other.

The database keeps a game's setup and the log of its actions; replaying them always gives the same
game. `actions` has the actions and says who may do them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self

from nestline.game import PLIES_WITHOUT_PEOPLE, Game, Seat
from nestline.position import Position, Side
from nestline.record import read_record
from nestline.rules import RuleSet
from nestline.web.fields import Json


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """Something that happened in a game. Its fields are stored and replayed at every load."""

    name: ClassVar[str]
    keeps_undo_request: ClassVar[bool] = False
    """Whether a pending take-back request stays open after this action."""
    seats_somebody: ClassVar[bool] = False
    """Whether it changes who holds a seat, which is stored beside the action."""
    side: Side
    """Who did it."""

    @abstractmethod
    def apply(self, online: "OnlineGame") -> None:
        """Do it; raises an error of `nestline.errors` if that is impossible."""

    def to_json(self) -> Json:
        """What the database keeps."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {"action": self.name} | {
            name: value for name, value in values.items() if value is not None
        }

    @classmethod
    def from_json(cls, stored: Json) -> Self:
        values: Json = {item.name: stored.get(item.name) for item in fields(cls)}
        values["side"] = Side(stored["side"])
        return cls(**values)


class StoredSeat(NamedTuple):
    """The hashes of a seat's secrets."""

    holder: str | None = None
    """Of the token that holds the seat."""
    invitation: str | None = None
    visitor: str | None = None
    """Of the cookie of the browser in which the seat was taken."""


class StoredAction(NamedTuple):
    number: int
    action: Action
    at: float


@dataclass(frozen=True)
class StoredGame:
    """A game as stored; `actions` start at the requested number."""

    id: str
    rules: str
    setup: Json
    creator: str
    """The hash of the client that created it."""
    number: int
    created: float
    changed: float
    seats: tuple[StoredSeat, StoredSeat]
    actions: tuple[StoredAction, ...] = ()


class Flags(NamedTuple):
    """What the database is queried for across games."""

    over: bool
    waiting: bool
    """Whether it is the computer's turn to do something."""
    between_people: bool


class UndoRequest(NamedTuple):
    """A take-back request: how many of the game's steps to undo, and to which ply."""

    side: Side
    steps: int
    ply: int


class OnlineGame:
    """The state after some actions. Once shared it never changes: `after` makes a new one."""

    def __init__(self, stored: StoredGame, rules: RuleSet) -> None:
        self.id = stored.id
        self.rules_name = stored.rules
        self.creator = stored.creator
        self.created = self.changed = stored.created
        self.seats = stored.seats
        self.number = 0
        self.replayed = 0
        """What replaying it costs: its actions, and the steps of those that take back or redo."""
        self.game = make_game(stored.setup, rules)
        self.ply_limit = self.game.ply_limit
        self.names: dict[Side, str | None] = {}
        self.levels: dict[Side, str | None] = {}
        for side, seat in zip(Side, stored.setup["seats"], strict=True):
            self.names[side], self.levels[side] = seat["name"], seat["level"]
        self.undo_request: UndoRequest | None = None
        self.rematch: str | None = None
        self.rematch_sides: frozenset[Side] = frozenset()
        self.last_action: Action | None = None
        self._seat_players()
        for action in stored.actions:
            self._add(action)

    def caught_up(self, stored: StoredGame) -> "OnlineGame":
        """The game after the actions stored since."""
        online = self._copy()
        online.seats = stored.seats
        for action in stored.actions:
            if action.number >= online.number:
                online._add(action)
        return online

    def after(self, action: Action, at: float) -> "OnlineGame":
        """The game after one more action; an error of `nestline.errors` if it is impossible."""
        online = self._copy()
        online._add(StoredAction(self.number, action, at))
        return online

    def with_holder(self, side: Side, holder: str) -> "OnlineGame":
        """The game with somebody else on a seat."""
        online = self._copy()
        seats = list(self.seats)
        seats[side] = StoredSeat(holder=holder)
        online.seats = seats[0], seats[1]
        return online

    def _copy(self) -> "OnlineGame":
        online = OnlineGame.__new__(OnlineGame)
        vars(online).update(vars(self))
        online.game = self.game.copy()
        return online

    def _add(self, stored: StoredAction) -> None:
        action = stored.action
        self.replayed += 1 + getattr(action, "steps", 0)
        action.apply(self)
        if not action.keeps_undo_request:
            self.undo_request = None
        self.number = stored.number + 1
        self.changed = stored.at
        self.last_action = action

    # Queries.

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    @property
    def is_hidden(self) -> bool:
        """Whether covered pieces are secret now."""
        return self.game.visibility != "open" and not self.is_over

    def is_computer(self, side: Side) -> bool:
        return self.levels[side] is not None

    @property
    def people(self) -> tuple[Side, ...]:
        """The sides that are not played by the computer."""
        return tuple(side for side in Side if not self.is_computer(side))

    @property
    def between_people(self) -> bool:
        """Whether two different people hold the seats, even while one lets the computer play.

        Otherwise, handing a seat over for a moment would let a player take back moves unasked, or
        study.
        """
        first, second = self.seats[0].holder, self.seats[1].holder
        return first is not None and second is not None and first != second

    @property
    def is_closed(self) -> bool:
        """Whether it is over for good: the rules allow only a new game."""
        rules = self.game.rules
        return self.is_over and not rules.take_back_after_end and not self.game.lenient

    @property
    def can_undo(self) -> bool:
        """Whether a move can be taken back; between people, if both agree."""
        # Only an agreed take-back frees a touched piece.
        is_touched = self.game.touched is not None and self.between_people
        return self.game.can_undo or (is_touched and not self.is_closed)

    @property
    def computer_side(self) -> Side | None:
        """The side for which the computer has to do something now: move, or answer an offer."""
        if self.is_over:
            return None
        offer = self.game.draw_offer
        if offer is not None and self.is_computer(offer.other):
            return offer.other
        return self.game.turn if self.is_computer(self.game.turn) else None

    @property
    def flags(self) -> Flags:
        return Flags(self.is_over, self.computer_side is not None, self.between_people)

    def name(self, side: Side) -> str:
        """What the rules call the player of a side."""
        return self.game.rules.players[side]

    # What actions change besides the game itself.

    def set_level(self, side: Side, level: str | None) -> None:
        """Let the computer play a side at a level, or with None a person."""
        self.levels = {**self.levels, side: level}
        self._seat_players()

    def set_name(self, side: Side, name: str | None) -> None:
        self.names = {**self.names, side: name}
        self._seat_players()

    def _seat_players(self) -> None:
        first, second = (
            Seat(self.names[side] or self.name(side)) if level is None else Seat("Computer", level)
            for side, level in self.levels.items()
        )
        self.game.seats = first, second
        if self.people:
            self.game.ply_limit = self.ply_limit
        elif self.game.ply_limit is None:
            self.game.ply_limit = self.game.ply + PLIES_WITHOUT_PEOPLE


def make_game(setup: Mapping[str, Any], rules: RuleSet) -> Game:
    """The game as it was set up, before anything happened on the server.

    Setups stored by earlier versions are not marked strict, so their games keep the rules they
    began with.
    """
    lenient = not setup.get("strict")
    if setup.get("record"):
        record = read_record(setup["record"], find_rules=lambda _name: rules, lenient=lenient)
        game = Game.from_record(record, lenient=lenient)
    else:
        game = Game(
            rules,
            start=Position(setup["position"], rules, lenient=lenient),
            visibility=setup["visibility"],
            touch_move=setup["touch_move"],
            ply_limit=setup["ply_limit"],
            lenient=lenient,
        )
    first, second = (Seat(seat["name"] or "", seat["level"]) for seat in setup["seats"])
    game.seats = first, second  # Refused here if the rules demand other seats.
    return game
