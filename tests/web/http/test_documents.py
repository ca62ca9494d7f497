"""What the source documents ask of a game, through the API: seats, take-backs, the end, secrecy."""

import pytest

from nestline import GameError, Side, load_rules
from nestline.web.games.actions import TakeOver
from nestline.web.games.online_game import OnlineGame, StoredGame, StoredSeat
from support.web_driver import Refused, Server, create
from web.conftest import Servers
from web.games.test_play import LINK, act, link_game, show

COMPUTER = {"player": "computer", "level": "1"}
PERSON_IS_X = "in tictactoe a person who plays the computer is X and begins; the computer is O"
TOUCHED = "White has touched a1 and must play it; taking back does not free a touched piece"
OVER = "a finished game of tictactoe stays as it is; ask for a rematch or begin a new game"


def refusal(server: Server, game: str, token: str, action: str, **more: object) -> str:
    """The sentence that refuses an action; the game is unchanged."""
    before = show(server, game)
    with pytest.raises(Refused) as refused:
        act(server, game, token, action, before["number"], **more)
    assert refused.value.status == 409
    assert show(server, game) == before
    return refused.value.message


# 002: Player is always X, AI is always O, Player makes first move.


def test_the_computer_is_never_x_against_a_person(server: Server) -> None:
    for seats in ({"first": COMPUTER}, {"first": COMPUTER, "second": {"player": "link"}}):
        with pytest.raises(Refused) as refused:
            create(server, rules="tictactoe", seats=seats)
        assert (refused.value.status, refused.value.message) == (409, PERSON_IS_X)
    made = create(server, rules="tictactoe", seats={"second": COMPUTER})
    assert (made["game"]["turn"], made["game"]["thinking"]) == ("first", None)


def test_a_person_who_comes_back_is_x(server: Server) -> None:
    made = create(server, rules="tictactoe", seats={"second": COMPUTER})
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "take-over", 0, seat="second")
    assert refusal(server, game, token, "hand-over", seat="first", level="1") == PERSON_IS_X
    # Starting with two computers, where no person plays a computer.
    seats = [{"name": None, "level": "1"}] * 2
    setup = {"strict": True, "position": "start", "visibility": "open", "touch_move": None,
             "ply_limit": None, "seats": seats}  # fmt: skip
    mine = StoredSeat(holder="token")
    stored = StoredGame("id", "tictactoe", setup, "creator", 0, 0.0, 0.0, (mine, mine))
    online = OnlineGame(stored, load_rules("tictactoe"))
    with pytest.raises(GameError, match=PERSON_IS_X):
        online.after(TakeOver(Side.SECOND), 0.0)
    assert online.after(TakeOver(Side.FIRST), 0.0).people == (Side.FIRST,)


def test_records_seat_the_computer_as_o_too(server: Server) -> None:
    record = '[Rules "tictactoe"]\n[FirstLevel "easy"]\n\n1. b2 *'
    with pytest.raises(Refused) as refused:
        create(server, record=record)
    assert (refused.value.status, refused.value.message) == (409, PERSON_IS_X)
    with pytest.raises(Refused) as refused:
        create(server, record='[Rules "tictactoe"]\n\n1. b2 *', seats={"first": COMPUTER})
    assert (refused.value.status, refused.value.message) == (409, PERSON_IS_X)
    made = create(server, record='[Rules "tictactoe"]\n\n1. b2 *', seats={"second": COMPUTER})
    assert made["game"]["ply"] == 1


def test_a_rematch_against_the_computer_keeps_the_sides(server: Server) -> None:
    made = create(server, rules="tictactoe", seats={"second": COMPUTER})
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "resign", 0, seat="first")
    over = act(server, game, token, "rematch", 1)
    following = show(server, over["rematch"])
    assert following["seats"]["first"]["player"] == "person"
    assert following["seats"]["second"]["player"] == "computer"


def test_other_rule_sets_leave_the_choice(server: Server) -> None:
    made = create(server, rules="gobblers", seats={"first": COMPUTER})
    assert made["game"]["seats"]["first"]["player"] == "computer"


# 003: Once you touch a gobblet that is on the board, you must play it.


def test_taking_back_does_not_free_a_touched_piece(server: Server) -> None:
    made = create(server, rules="gobblet")
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "move", 0, move="4a1")
    act(server, game, token, "move", 1, move="4b1")
    touched = act(server, game, token, "touch", 2, square="a1")
    assert (touched["touched"], touched["can_undo"]) == ("a1", False)
    told = refusal(server, game, token, "undo")
    assert (
        told == "White has touched a1 and must play it; taking back does not free a touched piece"
    )
    act(server, game, token, "land", 3, square="a2")
    # The piece that was moved has been touched.
    back = act(server, game, token, "undo", 4)
    assert (back["ply"], back["touched"]) == (2, "a1")
    assert back["legal"]
    assert all(move.startswith("a1") for move in back["legal"])
    assert "must play it" in refusal(server, game, token, "move", move="4c3")
    again = act(server, game, token, "redo", back["number"])
    assert (again["ply"], again["last_move"], again["touched"]) == (3, "a1a2", None)


def test_a_touched_piece_stays_touched_in_the_record(server: Server) -> None:
    record = '[Rules "gobblet"]\n[Touched "a1"]\n\n1. 4a1 4b1 *'
    made = create(server, record=record)
    game, token = made["game"]["id"], made["tokens"]["first"]
    assert made["game"]["touched"] == "a1"
    assert "does not free a touched piece" in refusal(server, game, token, "undo")


def test_between_people_an_agreed_take_back_frees_it(servers: Servers) -> None:
    game, one, other = link_game(servers, rules="gobblet")
    number = show(servers.one, game)["number"]
    act(servers.one, game, one, "move", number, move="4a1")
    act(servers.one, game, other, "move", number + 1, move="4b1")
    touched = act(servers.one, game, one, "touch", number + 2, square="a1")
    assert touched["can_undo"]
    act(servers.one, game, one, "ask-undo", number + 3)
    free = act(servers.other, game, other, "accept-undo", number + 4)
    assert (free["touched"], free["ply"]) == (None, 2)
    assert "4c3" in free["legal"]


# 002: Game must be explicitly reset to play again.


def test_a_finished_game_of_tictactoe_takes_only_a_rematch(server: Server) -> None:
    made = create(server, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    for number, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
        over = act(server, game, token, "move", number, move=move)
    assert (over["outcome"]["winner"], over["can_undo"], over["can_redo"]) == (
        "first",
        False,
        False,
    )
    for action, more in (
        ("undo", {}), ("undo", {"ply": 2}), ("redo", {}), ("move", {"move": "c3"}), ("resign", {}),
        ("hand-over", {"level": "1", "seat": "second"}), ("ask-undo", {}),
    ):  # fmt: skip
        assert refusal(server, game, token, action, **more) == OVER, action
    assert act(server, game, token, "rematch", over["number"])["rematch"]


def test_other_rule_sets_can_be_taken_back_after_the_end(server: Server) -> None:
    made = create(server, rules="gobblers")
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "move", 0, move="3b2")
    over = act(server, game, token, "resign", 1, seat="second")
    assert over["can_undo"]
    assert act(server, game, token, "undo", 2)["outcome"] is None


# 001, Memory Rule.


def test_a_game_shows_what_the_rule_set_says_unless_it_is_set_up_otherwise(server: Server) -> None:
    for rules, usual in (("gobblers-official", "peek"), ("gobblers", "open"), ("gobblet", "open")):
        assert create(server, rules=rules)["game"]["visibility"] == usual
        assert server.get(f"/api/v1/rules/{rules}").json()["visibility"] == usual
    shown = create(server, rules="gobblers-official", visibility="open")
    assert shown["game"]["visibility"] == "open"
    linked = create(server, rules="gobblers-official", seats=LINK)
    assert (linked["game"]["visibility"], linked["game"]["hidden"]) == ("peek", True)


# 002: Enforce X always goes first.


@pytest.mark.parametrize("position", ["x3/x3/x3 b", "w1,w1,w1/w1,w1,w1/w1,w1,w1 w"])
def test_where_marks_only_come_the_turn_has_to_fit_them(server: Server, position: str) -> None:
    for request in (
        {"rules": "tictactoe", "position": position},
        {"record": f'[Rules "tictactoe"]\n[Position "{position}"]\n\n*'},
    ):
        with pytest.raises(Refused) as refused:
            create(server, **request)
        assert (refused.value.status, refused.value.code) == (422, "invalid")
        assert "on the board" in refused.value.message
    address = f"/api/v1/positions/tictactoe?position={position.replace(' ', '_')}"
    assert server.get(address).status_code == 422
    with server.client() as client:
        checked_ = client.post("/check", json={"rules": "tictactoe", "position": position})
    assert "on the board" in checked_.json()["problem"]
