"""New games: turns a visitor's choices, or a finished game, into what is stored.

Whether the options contradict each other is decided by `Game`, which is made from them.
"""

import time
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from nestline.engine.players.level_names import levels_of
from nestline.engine.players.levels import check_level
from nestline.engine.players.perfect import PerfectPlayer
from nestline.errors import GameError
from nestline.position import Side
from nestline.record import Record
from nestline.rules import RuleSet
from nestline.web.access.tokens import hash_of, new_id, new_secret
from nestline.web.fields import (
    MOST_PLIES,
    Model,
    Name,
    PositionText,
    RecordText,
    RulesName,
    Short,
    Text,
    Visibility,
)
from nestline.web.games.online_game import OnlineGame, StoredGame, StoredSeat
from nestline.web.games.views import SIDE_NAMES
from nestline.web.refusals import invalid
from nestline.web.work.tablebases import Tablebases

DEFAULT_RULES = "gobblers"


class CustomRules(Model):
    """A rule set of your own, as the text of its TOML file."""

    toml: Text


class SeatChoice(Model):
    """Who plays a side: whoever creates the game, a person with the invitation, or the computer."""

    player: Literal["here", "link", "computer"] = "here"
    name: Name | None = None
    level: Short | None = None


class SeatChoices(Model):
    first: SeatChoice = SeatChoice()
    second: SeatChoice = SeatChoice()


class NewGame(Model):
    """A game to be created; everything has a default."""

    rules: RulesName | CustomRules | None = None
    seats: SeatChoices = SeatChoices()
    visibility: Visibility | None = None
    touch_move: bool | None = None
    ply_limit: Annotated[int, Field(ge=1, le=MOST_PLIES)] | None = None
    position: PositionText | None = None
    record: RecordText | None = None

    @property
    def asks_the_computer(self) -> bool:
        """Whether the computer is to answer a position that the visitor has chosen."""
        has_computer = "computer" in (self.seats.first.player, self.seats.second.player)
        return has_computer and (self.record is not None or self.position is not None)


@dataclass(frozen=True)
class Creation:
    """A game to be stored, and the secrets for its creator."""

    game: StoredGame
    tokens: dict[str, str]
    invitations: dict[str, str]


def require_level(level: str, rules: RuleSet, tablebases: Tablebases) -> None:
    """Refuse a level that does not exist, or that these rules do not have."""
    is_solved = tablebases.is_solvable(rules)
    try:
        check_level(level, levels_of(rules, is_solved))
    except GameError as error:
        raise invalid(f"level: {error}") from None
    if level == PerfectPlayer.name and not is_solved:
        raise invalid(f"level: there is no perfect play in {rules.name}, which is not solved here")


def create(
    request: NewGame, rules: RuleSet, record: Record | None, creator: str, browser: str,
    tablebases: Tablebases,
) -> Creation:  # fmt: skip
    """The game a visitor asks for; an error or a refusal if it makes no sense."""
    choices = {Side.FIRST: request.seats.first, Side.SECOND: request.seats.second}
    for side, choice in choices.items():
        _check_seat(SIDE_NAMES[side], choice, rules, tablebases)
    setup: dict[str, Any] = {
        "seats": [
            {"name": choice.name or _recorded_name(record, side), "level": choice.level}
            for side, choice in choices.items()
        ],
        "strict": True,
    }
    if record is not None:
        _check_alone(request)
        setup["record"] = request.record
    else:
        setup |= {
            "position": request.position or "start",
            "visibility": request.visibility or rules.visibility,
            "touch_move": request.touch_move,
            "ply_limit": request.ply_limit,
        }
    token, tokens, invitations, seats = new_secret(), {}, {}, []
    for side, choice in choices.items():
        if choice.player == "link":
            invitation = invitations[SIDE_NAMES[side]] = new_secret()
            seats.append(StoredSeat(invitation=hash_of(invitation)))
        else:
            tokens[SIDE_NAMES[side]] = token
            seats.append(StoredSeat(holder=hash_of(token), visitor=browser))
    now = time.time()
    game = StoredGame(new_id(), rules.name, setup, creator, 0, now, now, (seats[0], seats[1]), ())
    return Creation(game, tokens, invitations)


def _check_seat(seat: str, choice: SeatChoice, rules: RuleSet, tablebases: Tablebases) -> None:
    if (choice.player == "computer") != (choice.level is not None):
        raise invalid(
            f"seats.{seat}: a computer needs a level"
            if choice.level is None
            else f"seats.{seat}: only a computer has a level"
        )
    if choice.level is not None:
        require_level(choice.level, rules, tablebases)


def _check_alone(request: NewGame) -> None:
    beside = [
        name
        for name in ("rules", "visibility", "touch_move", "ply_limit", "position")
        if getattr(request, name) is not None
    ]
    if beside:
        raise invalid(f"{beside[0]}: the record says it; leave it out beside record")


def _recorded_name(record: Record | None, side: Side) -> str | None:
    """The player's name in the record, unless it is only a default one."""
    if record is None:
        return None
    name = " ".join(record.tags.get(("First", "Second")[side], "").split())[:40]
    is_usual = name in (*record.rules.players, "Computer", "Person", "")
    return name if not is_usual and name.isprintable() else None


def rematch_of(online: OnlineGame) -> StoredGame:
    """The next game: the same in everything but who begins."""
    game, order = online.game, _rematch_order(online)
    setup: dict[str, Any] = {
        "strict": True,
        "position": str(game.start),
        "visibility": game.visibility,
        "touch_move": game.touch_move if game.rules.touch_move else None,
        "ply_limit": online.ply_limit,
        "seats": [{"name": online.names[side], "level": online.levels[side]} for side in order],
    }
    first, second = (online.seats[side]._replace(invitation=None) for side in order)
    now = time.time()
    return StoredGame(
        new_id(), online.rules_name, setup, online.creator, 0, now, now, (first, second)
    )


def _rematch_order(online: OnlineGame) -> tuple[Side, Side]:
    """Who begins the next game, by the sides of this one: players swap sides, unless the rules
    say that a person begins against the computer."""
    if online.game.rules.person_begins and len(online.people) == 1:
        return online.people[0], online.people[0].other
    return Side.SECOND, Side.FIRST
