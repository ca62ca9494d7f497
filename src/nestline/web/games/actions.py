"""From what a person asks for to what is stored: who may do what, and what exactly it means.

Only what concerns seats and people is decided here; whether a move or an offer is possible is
asked of the game, when the entry is added to a copy of it.
"""

from collections.abc import Mapping
from typing import Any

from nestline.game import Game
from nestline.notation import read_square
from nestline.position import Side
from nestline.web.access.tokens import is_same
from nestline.web.games.online_game import Entry, Match
from nestline.web.refusals import Refusal, refused

Request = Mapping[str, Any]
SIDES = tuple(Side)
"""Going through an enumeration itself takes long, and this is done with every message."""


def sides_of(match: Match, holders: frozenset[str]) -> tuple[Side, ...]:
    """The seats that these hashes of tokens hold."""
    return tuple(
        side for side in SIDES if any(is_same(match.seats[side].holder, own) for own in holders)
    )


def side_of(seat: str) -> Side:
    return Side.FIRST if seat == "first" else Side.SECOND


def acting_side(match: Match, holders: frozenset[str], seat: str | None) -> Side:
    """The seat an action is done for."""
    held = sides_of(match, holders)
    if not held:
        if not holders:
            raise Refusal(401, "token-missing", "this needs the token of a seat")
        raise Refusal(403, "not-yours", "the token holds no seat of this game")
    if seat is None:
        return held[0] if len(held) == 1 else match.game.turn
    side = side_of(seat)
    if side not in held:
        raise Refusal(403, "not-yours", f"the token does not hold the {seat} seat")
    return side


def entry_for(match: Match, side: Side, request: Request) -> Entry:
    """What to store for a person's action; a refusal if it is not his to do."""
    action: str = request["action"]
    game = match.game
    if action in _OF_PERSONS and match.is_computer(side):
        raise refused(f"the computer plays {match.name(side)}; take the seat over first")
    if action == "move":
        # The spelling is settled now, so that the store has the canonical one.
        move = game.position.read_move(request["move"])
        return {"action": "move", "side": side, "move": str(move)}
    if action == "land":
        return _landing(game, side, request["square"])
    if action == "touch":
        square = read_square(request["square"], game.rules)
        return {"action": "touch", "side": side, "square": square}
    if action in ("undo", "redo"):
        return _stepping(match, side, action, request.get("ply"))
    if action == "ask-undo":
        return _asking(match, side, request.get("ply"))
    if action in ("accept-undo", "decline-undo"):
        asked = match.undo_request
        if asked is None or asked.side == side:
            raise refused(f"nobody has asked {match.name(side)} to take anything back")
        return {"action": action, "side": side}
    if action == "hand-over":
        return {"action": action, "side": side, "level": request["level"]}
    if action == "take-over":
        if not match.is_computer(side):
            raise refused(f"{match.name(side)} is played by a person already")
        return {"action": action, "side": side}
    if action == "rematch":
        return _rematch(match, side)
    return {"action": action, "side": side}


_OF_PERSONS = ("move", "touch", "land", "resign", "offer-draw", "accept-draw", "decline-draw")
"""What is done at the board, by whoever plays there."""


def _landing(game: Game, side: Side, square: str) -> Entry:
    if not game.touched:
        raise refused("no piece has been touched")
    move = game.position.read_move(f"{game.touched}-{square}")
    return {"action": "move", "side": side, "move": str(move)}


def _stepping(match: Match, side: Side, action: str, ply: int | None) -> Entry:
    if match.between_people:
        raise refused("between people nothing is taken back without asking: use ask-undo")
    if not match.people:
        raise refused("the computer plays both sides; take a seat over first")
    game = match.game.copy()
    if action == "redo":
        steps = _redo(match, game, ply)
    else:
        steps = _undo(match, game, ply)
        _check_secrets(match, game)
    return {"action": action, "side": side, "steps": steps}


def _undo(match: Match, game: Game, ply: int | None, agreed: bool = False) -> int:
    """Take back on the copy; the number of steps."""
    _check_ply(ply, 0, game.ply)
    game.undo(agreed)
    steps = 1
    if ply is None:
        while match.is_computer(game.turn) and game.can_undo:
            game.undo()
            steps += 1
        if match.is_computer(game.turn):
            raise refused("there is nothing to take back")
        return steps
    if game.ply < ply:
        raise refused("there is nothing to take back")
    while game.ply > ply:
        game.undo(agreed)
        steps += 1
    return steps


def _redo(match: Match, game: Game, ply: int | None) -> int:
    _check_ply(ply, game.ply, None)
    game.redo()
    steps = 1
    while game.can_redo and (match.is_computer(game.turn) if ply is None else game.ply < ply):
        game.redo()
        steps += 1
    if ply is not None and game.ply != ply:
        raise refused(f"after doing everything again there are {game.ply} moves, not {ply}")
    return steps


def _check_ply(ply: int | None, least: int, most: int | None) -> None:
    if ply is not None and (ply < least or (most is not None and ply > most)):
        allowed = f"at least {least}" if most is None else f"{least} to {most}"
        raise refused(f"ply {ply} is not there to go to; allowed is {allowed}")


def _asking(match: Match, side: Side, ply: int | None) -> Entry:
    if not match.between_people:
        raise refused("here nobody has to be asked: use undo")
    if match.undo_request is not None:
        raise refused("a request to take back waits for its answer already")
    game = match.game.copy()
    if ply is None:
        game.undo(agreed=True)
        steps = 1
        while game.turn != side and game.can_undo:
            game.undo(agreed=True)
            steps += 1
        if game.turn != side:
            raise refused(f"there is no move of {match.name(side)} to take back")
    else:
        steps = _undo(match, game, ply, agreed=True)
    _check_secrets(match, game)
    return {"action": "ask-undo", "side": side, "steps": steps, "ply": game.ply}


def _check_secrets(match: Match, back: Game) -> None:
    """Where covered pieces are secret, taking back must not become a way to look."""
    if match.game.visibility == "open":
        return
    if match.is_over:
        raise refused("the covered pieces have been shown; this game cannot go on")
    if any(move.origin for move in match.game.moves[back.ply :]):
        raise refused("a piece was lifted, and taking that back would be a look under it")


def _rematch(match: Match, side: Side) -> Entry:
    if not match.is_over:
        raise refused("a rematch can be asked for when the game is over")
    if match.rematch is not None:
        raise refused(f"the rematch has begun: it is game {match.rematch}")
    if match.seats[side.other].holder is None:
        raise refused("nobody has taken the other seat, so there is no one to play again")
    mine = match.seats[side].holder
    sides = [other for other in Side if match.seats[other].holder == mine]
    if match.rematch_sides.issuperset(sides):
        raise refused("you have asked for a rematch already, which waits for its answer")
    return {"action": "rematch", "side": side, "sides": sides}


def completes_rematch(match: Match, entry: Entry) -> bool:
    """Whether everybody who plays wants it, with this entry."""
    return entry["action"] == "rematch" and (
        match.rematch_sides | set(entry["sides"])
    ).issuperset(match.people)  # fmt: skip


def rematch_order(match: Match) -> tuple[Side, Side]:
    """Whose players begin the next game and whose come second: they change sides, unless the
    rules say that a person begins against the computer."""
    if match.game.rules.person_begins and len(match.people) == 1:
        return Side.FIRST, Side.SECOND
    return Side.SECOND, Side.FIRST


def rematch_setup(match: Match) -> dict[str, Any]:
    """The next game: everything the same but who begins."""
    game = match.game
    return {
        "strict": not game.lenient,
        "position": str(game.start),
        "visibility": game.visibility,
        "touch_move": game.touch_move if game.rules.touch_move else None,
        "ply_limit": match.ply_limit,
        "seats": [
            {"name": match.names[side], "level": match.levels[side]}
            for side in rematch_order(match)
        ],
    }
