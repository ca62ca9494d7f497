"""New games: from what a visitor chose to what is stored.

Options that contradict each other are refused by `Game` itself, which is made here once for that.
"""

import time
from dataclasses import dataclass
from typing import Any

from nestline.engine.players.levels import check_level
from nestline.engine.players.perfect import PerfectPlayer
from nestline.errors import GameError
from nestline.position import Side
from nestline.record import Record
from nestline.rules import RuleSet
from nestline.web.access.tokens import hash_of, new_id, new_secret
from nestline.web.games.online_game import make_game
from nestline.web.games.views import SIDE_NAMES
from nestline.web.http.requests import NewGame, SeatChoice
from nestline.web.refusals import invalid
from nestline.web.storage.store import StoredGame, StoredSeat
from nestline.web.study.tablebases import Solutions

DEFAULT_RULES = "gobblers"


@dataclass(frozen=True)
class Creation:
    """A game to be stored, and the secrets for its creator."""

    game: StoredGame
    tokens: dict[str, str]
    invitations: dict[str, str]


def require_level(level: str, rules: RuleSet, solutions: Solutions) -> None:
    """Refuse a level that does not exist, or not for these rules."""
    try:
        check_level(level)
    except GameError as error:
        raise invalid(f"level: {error}") from None
    if level == PerfectPlayer.name and not solutions.is_solvable(rules):
        raise invalid(f"level: there is no perfect play in {rules.name}, which is not solved here")


def create(
    request: NewGame, rules: RuleSet, record: Record | None, creator: str, browser: str,
    solutions: Solutions,
) -> Creation:  # fmt: skip
    """The game that a visitor asks for; an error or a refusal if it makes no sense."""
    choices = {Side.FIRST: request.seats.first, Side.SECOND: request.seats.second}
    for side, choice in choices.items():
        _check_seat(SIDE_NAMES[side], choice, rules, solutions)
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
    make_game(setup, rules)
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


def _check_seat(seat: str, choice: SeatChoice, rules: RuleSet, solutions: Solutions) -> None:
    if (choice.player == "computer") != (choice.level is not None):
        raise invalid(
            f"seats.{seat}: a computer needs a level"
            if choice.level is None
            else f"seats.{seat}: only a computer has a level"
        )
    if choice.level is not None:
        require_level(choice.level, rules, solutions)


def _check_alone(request: NewGame) -> None:
    beside = [
        name
        for name in ("rules", "visibility", "touch_move", "ply_limit", "position")
        if getattr(request, name) is not None
    ]
    if beside:
        raise invalid(f"{beside[0]}: the record says it; leave it out beside record")


def _recorded_name(record: Record | None, side: Side) -> str | None:
    """The name in the record, unless it is what the rules or nobody in particular are called."""
    if record is None:
        return None
    name = " ".join(record.tags.get(("First", "Second")[side], "").split())[:40]
    is_usual = name in (*record.rules.players, "Computer", "Person", "")
    return name if not is_usual and name.isprintable() else None
