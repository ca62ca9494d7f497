"""A game on the server: a `Game`, who holds its seats, and what the people ask each other.

A match is rebuilt from its setup and its entries, always with the same result. An entry is what
the database keeps of an action; which entries a person may add is decided in `actions`.
"""

import copy
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from nestline.errors import GameError
from nestline.game import Game, Seat
from nestline.position import Move, Position, Side
from nestline.record import read_record
from nestline.rules import RuleSet
from nestline.web.storage.store import Flags, StoredAction, StoredGame, StoredSeat

PLIES_WITHOUT_PEOPLE = 200
"""Some rules let a game go on for ever; while only computers play it ends after so many moves."""

Entry = Mapping[str, Any]


class UndoRequest(NamedTuple):
    """A player asks to go back: how many of the game's steps that takes, and to which ply."""

    side: Side
    steps: int
    ply: int


class Match:
    """The state after some entries. Published matches do not change: `with_entry` makes another."""

    __slots__ = (
        "changed", "created", "creator", "event", "game", "id", "levels", "names", "number",
        "ply_limit", "rematch", "rematch_sides", "rules_name", "seats", "undo_request",
    )  # fmt: skip

    def __init__(self, stored: StoredGame, rules: RuleSet) -> None:
        self.id = stored.id
        self.rules_name = stored.rules
        self.creator = stored.creator
        self.created = self.changed = stored.created
        self.seats = stored.seats
        self.number = 0
        self.game = make_game(stored.setup, rules)
        self.ply_limit = self.game.ply_limit
        self.names: dict[Side, str | None] = {}
        self.levels: dict[Side, str | None] = {}
        for side, seat in zip(Side, stored.setup["seats"], strict=True):
            self.names[side], self.levels[side] = seat["name"], seat["level"]
        self.undo_request: UndoRequest | None = None
        self.rematch: str | None = None
        self.rematch_sides: frozenset[Side] = frozenset()
        self.event: Entry | None = None
        self._seat_players()
        for action in stored.actions:
            self._add(action)

    def caught_up(self, stored: StoredGame) -> "Match":
        """The match after what else has been stored since."""
        match = self._copy()
        match.seats = stored.seats
        for action in stored.actions:
            if action.number >= match.number:
                match._add(action)
        return match

    def with_entry(self, entry: Entry, at: float) -> "Match":
        """The match after one more entry; an error of `nestline.errors` if that is impossible."""
        match = self._copy()
        match._add(StoredAction(self.number, dict(entry), at))
        return match

    def with_holder(self, side: Side, holder: str) -> "Match":
        """The match with somebody else on a seat."""
        match = self._copy()
        seats = list(self.seats)
        seats[side] = StoredSeat(holder=holder)
        match.seats = seats[0], seats[1]
        return match

    def _copy(self) -> "Match":
        match = copy.copy(self)
        match.game = self.game.copy()
        return match

    def _add(self, action: StoredAction) -> None:
        entry = action.entry
        _APPLY[entry["action"]](self, entry)
        if entry["action"] not in ("ask-undo", "join", "offer-draw", "decline-draw"):
            self.undo_request = None
        self.number = action.number + 1
        self.changed = action.at
        self.event = entry

    # What others ask of it.

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
        """Whether two different people hold the seats, also while one lets the computer play.

        Otherwise handing a seat over for a moment would be a way to take back alone, or to study.
        """
        first, second = (seat.holder for seat in self.seats)
        return None not in (first, second) and first != second

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

    # What the entries do.

    def _move(self, entry: Entry) -> None:
        self.game.play(_move(entry["move"]), by=Side(entry["side"]))

    def _touch(self, entry: Entry) -> None:
        self.game.touch(entry["square"], by=Side(entry["side"]))

    def _resign(self, entry: Entry) -> None:
        self.game.resign(Side(entry["side"]))

    def _offer_draw(self, entry: Entry) -> None:
        self.game.offer_draw(Side(entry["side"]))

    def _accept_draw(self, entry: Entry) -> None:
        self.game.accept_draw(Side(entry["side"]))

    def _decline_draw(self, entry: Entry) -> None:
        self.game.decline_draw(Side(entry["side"]))

    def _undo(self, entry: Entry) -> None:
        for _ in range(entry["steps"]):
            self.game.undo(agreed=entry.get("agreed", False))

    def _redo(self, entry: Entry) -> None:
        for _ in range(entry["steps"]):
            self.game.redo()

    def _ask_undo(self, entry: Entry) -> None:
        self.undo_request = UndoRequest(Side(entry["side"]), entry["steps"], entry["ply"])

    def _accept_undo(self, entry: Entry) -> None:
        if self.undo_request is None:
            raise GameError("nobody has asked to take anything back")
        self._undo({"steps": self.undo_request.steps, "agreed": True})

    def _decline_undo(self, entry: Entry) -> None:
        if self.undo_request is None:
            raise GameError("nobody has asked to take anything back")

    def _hand_over(self, entry: Entry) -> None:
        self.levels = {**self.levels, Side(entry["side"]): entry["level"]}
        self._seat_players()

    def _take_over(self, entry: Entry) -> None:
        self.levels = {**self.levels, Side(entry["side"]): None}
        self._seat_players()

    def _join(self, entry: Entry) -> None:
        self.names = {**self.names, Side(entry["side"]): entry["name"]}
        self._seat_players()

    def _rematch(self, entry: Entry) -> None:
        self.rematch_sides |= {Side(side) for side in entry["sides"]}
        self.rematch = entry.get("game")

    def _seat_players(self) -> None:
        """Tell the game who plays. One that only computers play shall end some time."""
        first, second = (
            Seat(self.names[side] or self.name(side)) if level is None else Seat("Computer", level)
            for side, level in self.levels.items()
        )
        self.game.seats = first, second
        if self.people:
            self.game.ply_limit = self.ply_limit
        elif self.game.ply_limit is None:
            self.game.ply_limit = self.game.ply + PLIES_WITHOUT_PEOPLE


@cache
def _move(text: str) -> Move:
    """A move as entries have it; there are not many, and thousands of games remember theirs."""
    return Move(text)


_APPLY: dict[str, Callable[[Match, Entry], None]] = {
    "move": Match._move,
    "touch": Match._touch,
    "resign": Match._resign,
    "offer-draw": Match._offer_draw,
    "accept-draw": Match._accept_draw,
    "decline-draw": Match._decline_draw,
    "undo": Match._undo,
    "redo": Match._redo,
    "ask-undo": Match._ask_undo,
    "accept-undo": Match._accept_undo,
    "decline-undo": Match._decline_undo,
    "hand-over": Match._hand_over,
    "take-over": Match._take_over,
    "join": Match._join,
    "rematch": Match._rematch,
}


def make_game(setup: Mapping[str, Any], rules: RuleSet) -> Game:
    """The game as it was set up, before anything happened on the server.

    Setups of earlier versions are not marked as strict, and their games go on as they began.
    """
    lenient = not setup.get("strict")
    if setup.get("record"):
        record = read_record(setup["record"], find_rules=lambda _name: rules)
        game = Game.from_record(record, lenient=lenient)
    else:
        game = Game(
            rules,
            start=Position(setup["position"], rules),
            visibility=setup["visibility"],
            touch_move=setup["touch_move"],
            ply_limit=setup["ply_limit"],
            lenient=lenient,
        )
    first, second = (Seat(seat["name"] or "", seat["level"]) for seat in setup["seats"])
    game.seats = first, second  # Refused here where the rules want them otherwise.
    return game
