"""Every action in a game, one class each: what a request has, who may do it, what is stored, and
what it does.

`ask` turns a person's request into an action, or refuses it. Its parameters after the game and the
side are the fields of the request, and the API's models are generated from them. Only questions of
seats and people are decided here. The game itself decides whether a move or an offer is possible,
when the action is applied to a copy of it.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union

from pydantic import Field, create_model

from nestline import position
from nestline.errors import GameError
from nestline.game import Game
from nestline.notation import read_square
from nestline.position import Side
from nestline.rules import RuleSet
from nestline.web.fields import MOST_PLIES, Json, Model, Name, Number, Ply, SeatName, Short
from nestline.web.games.online_game import Action, OnlineGame, UndoRequest
from nestline.web.refusals import refused

SPELLINGS_KEPT = 2_000


class PlayerAction(Action):
    """An action that people can request."""

    __slots__ = ()
    is_at_the_board: ClassVar[bool] = False
    """Whether only whoever plays the seat may do it, not just whoever holds it."""

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, *_fields: Any, **_more: Any) -> Action:
        """The action somebody requests; refused if it is not theirs to do."""
        return cls(side)


# At the board.


@dataclass(frozen=True, slots=True)
class Move(PlayerAction):
    """Play a move, in any spelling of the notation."""

    name = "move"
    is_at_the_board = True
    move: position.Move

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, move: Short) -> "Move":
        return cls(side, _read_spelling(move, online.game.rules))

    def apply(self, online: OnlineGame) -> None:
        online.game.play(self.move, by=self.side)

    def to_json(self) -> Json:
        return {"action": "move", "side": self.side, "move": str(self.move)}

    @classmethod
    def from_json(cls, stored: Json) -> Self:
        return cls(Side(stored["side"]), _read_move(stored["move"]))


@lru_cache(SPELLINGS_KEPT)
def _read_spelling(text: str, rules: RuleSet) -> position.Move:
    return position.Position.start(rules).read_move(text)


@cache
def _read_move(text: str) -> position.Move:
    """A stored move, cached: there are few different moves, and thousands of games share them."""
    return position.Move(text)


class Land(Move):
    """Play the touched piece to a square; it then counts as a move like any other."""

    __slots__ = ()
    name = "land"

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, square: Short) -> Move:
        touched = online.game.touched
        if not touched:
            raise refused("no piece has been touched")
        return Move(side, online.game.position.read_move(f"{touched}-{square}"))


@dataclass(frozen=True, slots=True)
class Touch(PlayerAction):
    """Touch one of your pieces on the board, which you must then play."""

    name = "touch"
    is_at_the_board = True
    square: str

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, square: Short) -> "Touch":
        return cls(side, read_square(square, online.game.rules))

    def apply(self, online: OnlineGame) -> None:
        online.game.touch(self.square, by=self.side)


class Resign(PlayerAction):
    """Give up."""

    __slots__ = ()
    name = "resign"
    is_at_the_board = True

    def apply(self, online: OnlineGame) -> None:
        online.game.resign(self.side)


class OfferDraw(PlayerAction):
    """Offer a draw, where the rules have draws by agreement."""

    __slots__ = ()
    name = "offer-draw"
    is_at_the_board = True
    keeps_undo_request = True

    def apply(self, online: OnlineGame) -> None:
        online.game.offer_draw(self.side)


class AcceptDraw(PlayerAction):
    """Accept the draw the opponent has offered."""

    __slots__ = ()
    name = "accept-draw"
    is_at_the_board = True

    def apply(self, online: OnlineGame) -> None:
        online.game.accept_draw(self.side)


class DeclineDraw(PlayerAction):
    """Decline the draw the opponent has offered."""

    __slots__ = ()
    name = "decline-draw"
    is_at_the_board = True
    keeps_undo_request = True

    def apply(self, online: OnlineGame) -> None:
        online.game.decline_draw(self.side)


# Taking back.


@dataclass(frozen=True, slots=True)
class Undo(PlayerAction):
    """Go back to before your last move, or to the position after `ply` moves."""

    name = "undo"
    steps: int

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, ply: Ply | None = None) -> "Undo":
        _require_no_opponent(online)
        back = online.game.copy()
        steps = _undo(online, back, ply)
        _require_no_secret_told(online, back)
        return cls(side, steps)

    def apply(self, online: OnlineGame) -> None:
        for _ in range(self.steps):
            online.game.undo()


@dataclass(frozen=True, slots=True)
class Redo(PlayerAction):
    """Replay what was taken back until it is a person's turn, or up to `ply` moves."""

    name = "redo"
    steps: int

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, ply: Ply | None = None) -> "Redo":
        _require_no_opponent(online)
        return cls(side, _redo(online, online.game.copy(), ply))

    def apply(self, online: OnlineGame) -> None:
        for _ in range(self.steps):
            online.game.redo()


@dataclass(frozen=True, slots=True)
class AskUndo(PlayerAction):
    """Between people: ask to take back your last move, or to return to `ply` moves."""

    name = "ask-undo"
    keeps_undo_request = True
    steps: int
    ply: int

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, ply: Ply | None = None) -> "AskUndo":
        if not online.between_people:
            raise refused("here nobody has to be asked: use undo")
        if online.undo_request is not None:
            raise refused("a request to take back waits for its answer already")
        back = online.game.copy()
        if ply is None:
            back.undo(agreed=True)
            steps = 1
            while back.turn != side and back.can_undo:
                back.undo(agreed=True)
                steps += 1
            if back.turn != side:
                raise refused(f"there is no move of {online.name(side)} to take back")
        else:
            steps = _undo(online, back, ply, agreed=True)
        _require_no_secret_told(online, back)
        return cls(side, steps, back.ply)

    def apply(self, online: OnlineGame) -> None:
        online.undo_request = UndoRequest(self.side, self.steps, self.ply)


class AcceptUndo(PlayerAction):
    """Agree to the take-back the other player has asked for."""

    __slots__ = ()
    name = "accept-undo"

    @classmethod
    def ask(cls, online: OnlineGame, side: Side) -> "AcceptUndo":
        _require_undo_request(online, side)
        return cls(side)

    def apply(self, online: OnlineGame) -> None:
        if online.undo_request is None:
            raise GameError("nobody has asked to take anything back")
        for _ in range(online.undo_request.steps):
            online.game.undo(agreed=True)


class DeclineUndo(PlayerAction):
    """Decline the take-back the other player has asked for."""

    __slots__ = ()
    name = "decline-undo"

    @classmethod
    def ask(cls, online: OnlineGame, side: Side) -> "DeclineUndo":
        _require_undo_request(online, side)
        return cls(side)

    def apply(self, online: OnlineGame) -> None:
        if online.undo_request is None:
            raise GameError("nobody has asked to take anything back")


# Seats, and the next game.


@dataclass(frozen=True, slots=True)
class HandOver(PlayerAction):
    """Let the computer play a seat you hold at this level from now on."""

    name = "hand-over"
    level: str

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, level: Short) -> "HandOver":
        return cls(side, level)

    def apply(self, online: OnlineGame) -> None:
        online.set_level(self.side, self.level)


class TakeOver(PlayerAction):
    """Play a seat you hold yourself again, in place of the computer."""

    __slots__ = ()
    name = "take-over"

    @classmethod
    def ask(cls, online: OnlineGame, side: Side) -> "TakeOver":
        if not online.is_computer(side):
            raise refused(f"{online.name(side)} is played by a person already")
        return cls(side)

    def apply(self, online: OnlineGame) -> None:
        online.set_level(self.side, None)


@dataclass(frozen=True, slots=True)
class Join(Action):
    """Somebody has taken a seat with its invitation, through an endpoint of its own."""

    name = "join"
    keeps_undo_request = True
    seats_somebody = True
    player: str | None

    def apply(self, online: OnlineGame) -> None:
        online.set_name(self.side, self.player)

    def to_json(self) -> Json:
        return {"action": "join", "side": self.side, "name": self.player}

    @classmethod
    def from_json(cls, stored: Json) -> Self:
        return cls(Side(stored["side"]), stored["name"])


@dataclass(frozen=True, slots=True)
class Rename(PlayerAction):
    """Tell the others what you are called."""

    name = "rename"
    keeps_undo_request = True
    player: str

    @classmethod
    def ask(cls, online: OnlineGame, side: Side, player: Name) -> "Rename":
        return cls(side, player)

    def apply(self, online: OnlineGame) -> None:
        online.set_name(self.side, self.player)


@dataclass(frozen=True, slots=True)
class Rematch(PlayerAction):
    """After the end, ask for another game with the sides swapped."""

    name = "rematch"
    sides: tuple[Side, ...]
    """All sides held by whoever asks."""
    game: str | None = None
    """The id of the next game, if this was the last player to ask for it."""

    @classmethod
    def ask(cls, online: OnlineGame, side: Side) -> "Rematch":
        if not online.is_over:
            raise refused("a rematch can be asked for when the game is over")
        if online.rematch is not None:
            raise refused(f"the rematch has begun: it is game {online.rematch}")
        if online.seats[side.other].holder is None:
            raise refused("nobody has taken the other seat, so there is no one to play again")
        mine = online.seats[side].holder
        sides = tuple(other for other in Side if online.seats[other].holder == mine)
        if online.rematch_sides.issuperset(sides):
            raise refused("you have asked for a rematch already, which waits for its answer")
        return cls(side, sides)

    def completes(self, online: OnlineGame) -> bool:
        """Whether this is the last player to ask for it."""
        return (online.rematch_sides | set(self.sides)).issuperset(online.people)

    def with_game(self, game_id: str) -> "Rematch":
        return replace(self, game=game_id)

    def apply(self, online: OnlineGame) -> None:
        online.rematch_sides |= {Side(side) for side in self.sides}
        online.rematch = self.game


# How undo and redo count their steps.


def _require_no_opponent(online: OnlineGame) -> None:
    if online.between_people:
        raise refused("between people nothing is taken back without asking: use ask-undo")
    if not online.people:
        raise refused("the computer plays both sides; take a seat over first")


def _require_undo_request(online: OnlineGame, side: Side) -> None:
    asked = online.undo_request
    if asked is None or asked.side == side:
        raise refused(f"nobody has asked {online.name(side)} to take anything back")


def _undo(online: OnlineGame, back: Game, ply: int | None, agreed: bool = False) -> int:
    """Take back on the copy; returns the number of steps."""
    _require_ply(ply, 0, back.ply)
    back.undo(agreed)
    steps = 1
    if ply is None:
        while online.is_computer(back.turn) and back.can_undo:
            back.undo()
            steps += 1
        if online.is_computer(back.turn):
            raise refused("there is nothing to take back")
        return steps
    if back.ply < ply:
        raise refused("there is nothing to take back")
    while back.ply > ply:
        back.undo(agreed)
        steps += 1
    return steps


def _redo(online: OnlineGame, forward: Game, ply: int | None) -> int:
    """Replay on the copy; returns the number of steps."""
    _require_ply(ply, forward.ply, None)
    forward.redo()
    steps = 1
    while forward.can_redo and (
        online.is_computer(forward.turn) if ply is None else forward.ply < ply
    ):
        forward.redo()
        steps += 1
    if ply is not None and forward.ply != ply:
        raise refused(f"after doing everything again there are {forward.ply} moves, not {ply}")
    return steps


def _require_ply(ply: int | None, least: int, most: int | None) -> None:
    if ply is not None and (ply < least or (most is not None and ply > most)):
        allowed = f"at least {least}" if most is None else f"{least} to {most}"
        raise refused(f"ply {ply} is not there to go to; allowed is {allowed}")


def _require_no_secret_told(online: OnlineGame, back: Game) -> None:
    """Where covered pieces are secret, a take-back must not be a way to look under a piece."""
    if refusal := online.game.secrecy_refusal(back.ply):
        raise refused(refusal)


# The union.

REQUESTED: tuple[type[PlayerAction], ...] = (
    Move, Touch, Land, Resign, OfferDraw, AcceptDraw, DeclineDraw, Undo, Redo, AskUndo, AcceptUndo,
    DeclineUndo, HandOver, TakeOver, Rename, Rematch,
)  # fmt: skip
_GOING_ON = frozenset({Move, Touch, Land})
_ENDING = frozenset({Resign, AcceptDraw, Rematch})
MOST_REPLAYED = 5_000
"""Actions and steps of undo and redo in one game, which are all replayed when it is loaded."""
BY_NAME: dict[str, type[PlayerAction]] = {kind.name: kind for kind in REQUESTED}
_STORED: dict[str, type[Action]] = {**BY_NAME, Join.name: Join}


def read_action(stored: Json) -> Action:
    """An action read from its stored form."""
    return _STORED[stored["action"]].from_json(stored)


class ActionRequest(Model):
    """What every action request has besides its own fields."""

    action: str
    number: Number
    """The number of the game this request responds to."""
    seat: SeatName | None = None

    def settle(self, online: OnlineGame, side: Side) -> Action:
        """The requested action; refused if it is not this side's to do."""
        kind = BY_NAME[self.action]
        if online.is_closed and kind is not Rematch:
            raise refused(
                f"a finished game of {online.rules_name} stays as it is; "
                "ask for a rematch or begin a new game"
            )
        if kind in _GOING_ON and online.game.ply >= MOST_PLIES:
            raise refused(f"a game has at most {MOST_PLIES:,} moves; end it, and begin a new one")
        if kind not in _ENDING and online.replayed >= MOST_REPLAYED:
            raise refused(
                f"in a game at most {MOST_REPLAYED:,} moves are played and taken back; "
                "end it, and begin a new one"
            )
        if kind.is_at_the_board and online.is_computer(side):
            raise refused(f"the computer plays {online.name(side)}; take the seat over first")
        return kind.ask(online, side, **{name: getattr(self, name) for name in _FIELDS[kind]})


def _own_fields(kind: type[PlayerAction]) -> dict[str, Parameter]:
    found = list(signature(kind.ask).parameters.values())[2:]
    plain = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return {item.name: item for item in found if item.kind not in plain}


_FIELDS = {kind: _own_fields(kind) for kind in REQUESTED}


def _request_model(kind: type[PlayerAction]) -> type[ActionRequest]:
    own: dict[str, Any] = {
        name: (item.annotation, ... if item.default is Parameter.empty else item.default)
        for name, item in _FIELDS[kind].items()
    }
    action: Any = (Literal[kind.name], ...)
    return create_model(
        f"{kind.__name__}Action", __base__=ActionRequest, __doc__=kind.__doc__, action=action, **own
    )


if TYPE_CHECKING:
    AnyActionRequest = ActionRequest
else:
    AnyActionRequest = Annotated[
        Union[tuple(map(_request_model, REQUESTED))],  # noqa: UP007
        Field(discriminator="action"),
    ]
"""The discriminated union of all requests, told apart by `action`."""
