"""Which seats somebody holds, and which of them an action is for."""

from nestline.position import Side
from nestline.web.access.tokens import is_same
from nestline.web.games.online_game import OnlineGame
from nestline.web.refusals import Refusal

SIDES = tuple(Side)
"""A tuple, since iterating over an enumeration is slow and every message does it."""


def side_of(seat: str) -> Side:
    return Side.FIRST if seat == "first" else Side.SECOND


def sides_of(online: OnlineGame, holders: frozenset[str]) -> tuple[Side, ...]:
    """The seats that the tokens with these hashes hold."""
    return tuple(
        [side for side in SIDES for own in holders if is_same(online.seats[side].holder, own)]
    )


def acting_side(online: OnlineGame, holders: frozenset[str], seat: str | None) -> Side:
    """The seat an action is for; refused if the visitor does not hold it."""
    held = sides_of(online, holders)
    if not held:
        if not holders:
            raise Refusal(401, "token-missing", "this needs the token of a seat")
        raise Refusal(403, "not-yours", "the token holds no seat of this game")
    if seat is None:
        return held[0] if len(held) == 1 else online.game.turn
    side = side_of(seat)
    if side not in held:
        raise Refusal(403, "not-yours", f"the token does not hold the {seat} seat")
    return side
