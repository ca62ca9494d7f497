"""Games stored before the rules became stricter: they load, and go on as they began.

Setups and actions are as those versions wrote them to the database, without the mark `strict`.
"""

from typing import Any

from nestline.game import Seat
from nestline.position import Side
from nestline.rules import load_rules
from nestline.web.games.actions import read_action
from nestline.web.games.online_game import OnlineGame, StoredAction, StoredGame, StoredSeat

PERSON: dict[str, Any] = {"name": "Ann", "level": None}
COMPUTER: dict[str, Any] = {"name": None, "level": "1"}


def stored(
    rules: str, *actions: dict[str, Any], seats: tuple[Any, Any] = (PERSON, PERSON), **setup: Any
) -> OnlineGame:
    usual = {"position": "start", "visibility": "open", "touch_move": None, "ply_limit": None}
    mine = StoredSeat(holder="token")
    done = tuple(
        StoredAction(number, read_action(action), 0.0) for number, action in enumerate(actions)
    )
    game = StoredGame(
        "id", rules, {**usual, "seats": list(seats), **setup}, "creator", len(done), 0.0, 0.0,
        (mine, mine), done,
    )  # fmt: skip
    return OnlineGame(game, load_rules(rules))


def move(side: int, text: str) -> dict[str, Any]:
    return {"action": "move", "side": side, "move": text}


def test_the_computer_that_had_x_keeps_it() -> None:
    online = stored("tictactoe", move(0, "1b2"), seats=(COMPUTER, PERSON))
    assert [seat.level for seat in online.game.seats] == ["1", None]
    handed = online.after(read_action({"action": "hand-over", "side": 0, "level": "3"}), 0.0)
    assert handed.game.seats[0] == Seat("Computer", "3")


def test_a_finished_game_of_tictactoe_that_was_taken_back() -> None:
    moves = [move(number % 2, text) for number, text in
             enumerate(("1a3", "1a2", "1b3", "1b2", "1c3"))]  # fmt: skip
    undo = {"action": "undo", "side": 0, "steps": 1}
    online = stored("tictactoe", *moves, undo, move(0, "1c1"))
    assert (online.game.ply, online.is_over) == (5, False)


def test_a_touched_piece_that_was_freed() -> None:
    """The steps of a take-back counted a touch as one, and a touch that was played as none."""
    online = stored(
        "gobblet", move(0, "4a1"), move(1, "4b1"),
        {"action": "touch", "side": 0, "square": "a1"},
        {"action": "undo", "side": 0, "steps": 1},
        {"action": "touch", "side": 0, "square": "a1"},
        move(0, "a1a2"), move(1, "b1b2"),
        {"action": "undo", "side": 0, "steps": 2}, move(0, "4c3"),
    )  # fmt: skip
    assert [str(each) for each in online.game.moves] == ["4a1", "4b1", "4c3"]
    assert online.game.touched is None


def test_a_turn_that_does_not_fit_the_marks() -> None:
    online = stored("tictactoe", move(1, "1b2"), position="x3/x3/x3 b")
    assert (online.game.turn, online.game.ply) == (Side.FIRST, 1)
    record = '[Rules "tictactoe"] [Position "x3/x3/x3 b"] [FirstLevel "1"] 1... b2 *'
    assert stored("tictactoe", record=record).game.ply == 1
