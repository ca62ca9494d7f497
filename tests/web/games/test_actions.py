"""The actions of a game and what watchers are told of it, without a server.

`test_play` and `test_seats` do the same through the API.
"""

from types import SimpleNamespace
from typing import Any, cast

import orjson
import pytest
from pydantic import TypeAdapter, ValidationError

from nestline.errors import GameError, NestlineError
from nestline.position import Position, Side
from nestline.record import read_record
from nestline.rules import RuleSet, load_rules
from nestline.web.games import actions, views
from nestline.web.games.actions import AnyActionRequest, Join, read_action
from nestline.web.games.online_game import OnlineGame, StoredGame, StoredSeat
from nestline.web.refusals import Refusal
from nestline.web.settings import Settings
from support.helpers import built_rules

FIRST, SECOND = Side.FIRST, Side.SECOND
REQUEST: TypeAdapter[Any] = TypeAdapter(AnyActionRequest)
TABLEBASES = cast(
    Any,
    SimpleNamespace(
        remark=lambda rules: "wait for the table", is_solvable=lambda rules: True,
        state=lambda rules: "ready",
    ),
)  # fmt: skip


def online_game(
    record: str = "",
    rules: str | RuleSet = "gobblers",
    holders: tuple[str | None, str | None] = ("one", "other"),
    levels: tuple[str | None, str | None] = (None, None),
    **setup: Any,
) -> OnlineGame:
    """A game between people by default, after the moves of a record."""
    found = load_rules(rules) if isinstance(rules, str) else rules
    setup = {
        "record": record and f'[Rules "{found.name}"] {record}',
        "seats": [{"name": None, "level": level} for level in levels],
        "position": str(Position.start(found)), "visibility": "open", "touch_move": False,
        "ply_limit": None, "strict": True, **setup,
    }  # fmt: skip
    first, second = map(StoredSeat, holders)
    stored = StoredGame("game", found.name, setup, "creator", 0, 0.0, 0.0, (first, second))
    return OnlineGame(stored, found)


def alone(record: str = "", **more: Any) -> OnlineGame:
    """A game at one screen."""
    return online_game(record, holders=("one", "one"), **more)


def act(online: OnlineGame, side: Side, action: str, **fields: Any) -> OnlineGame:
    """The game after a request; the action is stored and read again on the way."""
    request = REQUEST.validate_python({"action": action, "number": online.number, **fields})
    asked = request.settle(online, side)
    stored = orjson.loads(orjson.dumps(asked.to_json()))
    assert type(read_action(stored)) is type(asked)
    return online.after(read_action(stored), 5.0)


def refused(online: OnlineGame, side: Side, action: str, **fields: Any) -> str:
    with pytest.raises((Refusal, NestlineError)) as error:
        act(online, side, action, **fields)
    return str(error.value)


# At the board.


def test_moves_are_read_in_any_spelling_and_played_for_a_side() -> None:
    online = act(online_game(), FIRST, "move", move=" 3B2")
    assert (str(online.game.position), online.number, online.changed) == ("x3/x,w3,x/x3 b", 1, 5.0)
    assert "turn" in refused(online, FIRST, "move", move="3a1")
    assert "not a move" in refused(online, SECOND, "move", move="nonsense")


def test_a_touched_piece_lands() -> None:
    online = online_game("1. 4a1 4d4", "gobblet", touch_move=True)
    assert refused(online, FIRST, "land", square="a2") == "no piece has been touched"
    online = act(online, FIRST, "touch", square="A1")
    assert online.game.touched == "a1"
    assert str(act(online, FIRST, "land", square="a2").game.last_move) == "a1a2"
    assert "turn" in refused(online_game("1. 4a1", "gobblet"), FIRST, "touch", square="a1")


def test_draws_and_resigning_leave_or_end_requests() -> None:
    online = act(online_game("1. 4a1 4d4", "gobblet"), FIRST, "ask-undo")
    offered = act(online, SECOND, "offer-draw")
    assert (offered.game.draw_offer, bool(offered.undo_request)) == (SECOND, True)
    declined = act(offered, FIRST, "decline-draw")
    assert (declined.game.draw_offer, bool(declined.undo_request)) == (None, True)
    agreed = act(offered, FIRST, "accept-draw")
    assert agreed.game.outcome is not None
    assert agreed.undo_request is None
    assert act(online, SECOND, "resign").game.outcome.winner == FIRST  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("move", {"move": "3b2"}), ("touch", {"square": "a1"}), ("land", {"square": "a1"}),
        ("resign", {}), ("offer-draw", {}), ("accept-draw", {}), ("decline-draw", {}),
    ],
)  # fmt: skip
def test_a_seat_of_the_computers_is_its_own(action: str, fields: dict[str, str]) -> None:
    online = alone(levels=("easy", None))
    told = "the computer plays P1; take the seat over first"
    assert refused(online, FIRST, action, **fields) == told
    assert act(online, FIRST, "rename", player="Ann").names[FIRST] == "Ann"


# Taking back.


def test_at_one_screen_undo_goes_to_before_the_last_move() -> None:
    online = alone("1. 3b2 3a1 2. 2c1")
    back = act(online, SECOND, "undo")
    assert (back.game.ply, back.last_action.steps) == (2, 1)  # type: ignore[union-attr]
    assert act(online, FIRST, "undo", ply=0).game.ply == 0
    assert act(online, FIRST, "undo", ply=1).game.ply == 1
    for ply in (-1, 4):
        with pytest.raises((Refusal, ValidationError)):
            act(online, FIRST, "undo", ply=ply)
    told = "ply 4 is not there to go to; allowed is 0 to 3"
    assert refused(online, FIRST, "undo", ply=4) == told
    assert refused(online, FIRST, "undo", ply=3) == "there is nothing to take back"
    assert "nothing" in refused(alone(), FIRST, "undo")


def test_redo_replays_one_move_or_up_to_a_ply() -> None:
    online = act(alone("1. 3b2 3a1 2. 2c1 2b1"), FIRST, "undo", ply=1)
    assert act(online, FIRST, "redo").game.ply == 2
    assert act(online, FIRST, "redo", ply=3).game.ply == 3
    assert act(online, FIRST, "redo", ply=4).game.ply == 4
    told = "after doing everything again there are 4 moves, not 5"
    assert refused(online, FIRST, "redo", ply=5) == told
    told = "ply 0 is not there to go to; allowed is at least 1"
    assert refused(online, FIRST, "redo", ply=0) == told
    assert "not 1" in refused(online, FIRST, "redo", ply=1)
    assert "nothing" in refused(alone(), FIRST, "redo")


def test_against_the_computer_its_moves_go_too() -> None:
    online = alone("1. 3b2 3a1 2. 2c1 2b1", levels=(None, "easy"))
    back = act(online, FIRST, "undo")
    assert back.game.ply == 2
    assert act(back, FIRST, "redo").game.ply == 4
    assert act(back, FIRST, "redo", ply=3).game.ply == 3
    assert act(online, FIRST, "undo", ply=3).game.ply == 3
    begun = alone("1. 3b2", levels=("easy", None))
    assert refused(begun, SECOND, "undo") == "there is nothing to take back"
    both = alone("1. 3b2", levels=("easy", "easy"))
    for action in ("undo", "redo"):
        told = "the computer plays both sides; take a seat over first"
        assert refused(both, FIRST, action) == told


def test_between_people_taking_back_is_agreed() -> None:
    online = online_game("1. 3b2 3a1 2. 2c1")
    for action in ("undo", "redo"):
        assert refused(online, FIRST, action).endswith("use ask-undo")
    told = "here nobody has to be asked: use undo"
    assert refused(alone("1. 3b2"), FIRST, "ask-undo") == told
    for side, asked, ply in ((FIRST, {}, 2), (SECOND, {}, 1), (SECOND, {"ply": 0}, 0)):
        waiting = act(online, side, "ask-undo", **asked)
        assert waiting.undo_request == (side, 3 - ply, ply)
        assert "already" in refused(waiting, side.other, "ask-undo")
        told = f"nobody has asked {online.name(side)} to take anything back"
        for answer in ("accept-undo", "decline-undo"):
            assert refused(waiting, side, answer) == told
            assert "nobody has asked" in refused(online, side.other, answer)
        agreed = act(waiting, side.other, "accept-undo")
        assert (agreed.game.ply, agreed.undo_request) == (ply, None)
        declined = act(waiting, side.other, "decline-undo")
        assert (declined.game.ply, declined.undo_request) == (3, None)
    assert act(waiting, FIRST, "rename", player="Ann").undo_request
    assert waiting.after(Join(FIRST, "Ann"), 5.0).undo_request
    assert act(waiting, SECOND, "move", move="3a2").undo_request is None
    told = "there is no move of P2 to take back"
    assert refused(online_game("1. 3b2"), SECOND, "ask-undo") == told
    assert act(online_game("1. 3b2"), FIRST, "ask-undo").undo_request == (FIRST, 1, 0)


def test_answers_to_no_request_cannot_be_applied() -> None:
    for kind in (actions.AcceptUndo, actions.DeclineUndo):
        with pytest.raises(GameError, match="nobody has asked"):
            online_game("1. 3b2").after(kind(SECOND), 5.0)


def test_an_agreed_take_back_frees_a_touched_piece() -> None:
    online = act(online_game("1. 4a1 4d4", "gobblet", touch_move=True), FIRST, "touch", square="a1")
    for asked in ({}, {"ply": 2}):
        waiting = act(online, FIRST, "ask-undo", **asked)
        assert act(waiting, SECOND, "accept-undo").game.touched is None


def test_no_take_back_shows_what_was_covered() -> None:
    lifted = "1. 3b2 3a1 2. b2b1"
    for online in (alone(lifted), online_game(lifted)):
        online.game.visibility = "memory"
        action = "ask-undo" if online.between_people else "undo"
        assert "a piece was lifted" in refused(online, FIRST, action, ply=2)
    online.game.visibility = "open"
    act(online, FIRST, "ask-undo")


# Seats.


def test_seats_are_handed_to_the_computer_and_back() -> None:
    online = act(online_game(), SECOND, "hand-over", level="easy")
    assert (online.levels[FIRST], online.levels[SECOND]) == (None, "easy")
    again = act(online, SECOND, "take-over")
    assert again.levels[SECOND] is None
    told = "P2 is played by a person already"
    assert refused(again, SECOND, "take-over") == told


def test_names_are_tidied_and_told() -> None:
    online = act(online_game(), FIRST, "rename", player="  Ann   B. ")
    assert online.game.seats[FIRST].name == "Ann B."
    joined = online.after(read_action(Join(SECOND, "Bob").to_json()), 7.0)
    assert joined.names == {FIRST: "Ann B.", SECOND: "Bob"}


def test_a_rematch_takes_both_players() -> None:
    online = online_game()
    told = "a rematch can be asked for when the game is over"
    assert refused(online, FIRST, "rematch") == told
    over = act(online, FIRST, "resign")
    asked = act(over, FIRST, "rematch")
    assert (asked.rematch_sides, asked.rematch) == ({FIRST}, None)
    assert "asked for a rematch already" in refused(asked, FIRST, "rematch")
    answer = REQUEST.validate_python({"action": "rematch", "number": 2}).settle(asked, SECOND)
    assert answer.completes(asked)
    assert not answer.completes(over)
    begun = asked.after(read_action(answer.with_game("next").to_json()), 5.0)
    assert (begun.rematch_sides, begun.rematch) == ({FIRST, SECOND}, "next")
    told = "the rematch has begun: it is game next"
    assert refused(begun, FIRST, "rematch") == told
    lonely = act(online_game(holders=("one", None)), FIRST, "resign")
    assert refused(lonely, FIRST, "rematch").startswith("nobody has taken the other seat")
    single = act(alone(), FIRST, "resign")
    answer = REQUEST.validate_python({"action": "rematch", "number": 1}).settle(single, FIRST)
    assert answer.sides == (FIRST, SECOND)
    assert answer.completes(single)


# Limits, and requests in the wrong form.


def test_a_finished_game_of_some_rules_takes_nothing_but_a_rematch() -> None:
    over = alone("1. a3 a2 2. b3 b2 3. c3", rules="tictactoe", levels=(None, "easy"))
    told = "a finished game of tictactoe stays as it is; ask for a rematch or begin a new game"
    for action in ("undo", "resign", "take-over"):
        assert refused(over, FIRST, action) == told
    assert act(over, FIRST, "rematch").rematch_sides
    other = act(alone("1. 3a1 1b1 2. 3a2 1c1 3. 2a3"), FIRST, "undo")
    assert not other.is_over


def test_games_have_a_greatest_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_PLIES", 2)
    act(alone("1. 3b2"), SECOND, "move", move="3a1")
    online = alone("1. 3b2 3a1")
    told = "a game has at most 2 moves; end it, and begin a new one"
    assert refused(online, FIRST, "move", move="3c1") == told
    assert act(online, FIRST, "undo").game.ply == 1
    monkeypatch.setattr(actions, "MOST_PLIES", 1_000)
    monkeypatch.setattr(actions, "MOST_REPLAYED", 3)
    online = act(act(online, FIRST, "undo"), FIRST, "rename", player="Ann")
    assert online.replayed == 3
    told = "in a game at most 3 moves are played and taken back; end it, and begin a new one"
    assert refused(online, SECOND, "move", move="3c1") == told
    assert refused(online, SECOND, "rename", player="Ann") == told
    over = act(online, SECOND, "resign")
    assert act(over, SECOND, "rematch").rematch_sides


@pytest.mark.parametrize(
    "request_",
    [
        {"action": "move"}, {"action": "move", "move": "3b2", "steps": 1}, {"action": "join"},
        {"action": "undo", "ply": "1"}, {"action": "touch"}, {"action": "rename", "player": ""},
        {"action": "hand-over"}, {"action": "resign", "seat": "third"},
    ],
)  # fmt: skip
def test_requests_have_the_fields_of_their_action(request_: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        REQUEST.validate_python({**request_, "number": 0})
    with pytest.raises(ValidationError):
        REQUEST.validate_python({"action": "resign"})


# What watchers are told.


def told(online: OnlineGame, **more: Any) -> dict[str, Any]:
    return views.game_json(online, TABLEBASES, **more)


def test_a_game_between_people_in_json() -> None:
    online = act(online_game("1. 3b2 3a1"), FIRST, "move", move="b2a2")
    facts = told(act(online, SECOND, "ask-undo", ply=1), known=1, days_kept=2)
    assert facts["created"] == "1970-01-01T00:00:00.000+00:00"
    assert facts["changed"] == "1970-01-01T00:00:05.000+00:00"
    assert facts["expires"] == "1970-01-03T00:00:05.000+00:00"
    assert facts["board"] == {
        "text": "x3/w3,x2/b3,x2 b", "turn": "second", "stacks": {"a1": ["b3"], "a2": ["w3"]},
        "reserves": {"first": [1, 1, 2, 2, 3], "second": [1, 1, 2, 2, 3]},
    }  # fmt: skip
    assert facts["start"]["text"] == "x3/x3/x3 w"
    assert facts["moves"]["from"] == 1
    assert [each["move"] for each in facts["moves"]["list"]] == ["3a1", "b2a2"]
    assert facts["moves"]["list"][1]["board"] == facts["board"]
    assert (facts["last_move"], facts["ply"], facts["turn"]) == ("b2a2", 3, "second")
    assert facts["seats"]["second"] == {
        "player": "person", "name": "P2", "level": None, "taken": True,
    }  # fmt: skip
    assert facts["undo_request"] == {"seat": "second", "ply": 1}
    assert facts["event"] == {"action": "ask-undo", "seat": "second"}
    assert (facts["thinking"], facts["outcome"], facts["touched"]) == (None, None, None)
    assert (facts["between_people"], facts["can_undo"], facts["can_redo"]) == (True, True, False)
    assert (facts["hidden"], facts["rematch_offers"], facts["dangerous"]) == (False, [], [])
    begun = told(online_game(holders=("one", None)))
    for field in ("last_move", "undo_request", "event", "expires", "draw_offer"):
        assert begun[field] is None
    assert begun["seats"]["second"]["taken"] is False
    assert begun["moves"] == {"from": 0, "list": []}
    offered = told(act(online_game("1. 4a1", "gobblet"), SECOND, "offer-draw"))
    assert offered["draw_offer"] == "second"


def test_the_end_and_dangerous_moves_in_json() -> None:
    row = "b1w3,w1b2,b3/x3/w1,w2,x w"
    facts = told(alone(position=row))
    moves = facts["legal"]
    assert sorted(facts["dangerous"]) == sorted(
        move for move in moves if move.startswith("a3") and move[2:] not in ("b3", "c3")
    )
    over = act(alone(position=row), FIRST, "move", move="a3b1")
    assert views.outcome_json(over.game) == {
        "winner": "second", "reason": "reveal", "result": "0-1", "lines": [["a3", "b3", "c3"]],
    }  # fmt: skip
    assert views.outcome_json(over.game.position) == views.outcome_json(over.game)
    assert views.outcome_json(alone().game) is None
    assert views.outcome_json(alone().game.position) is None
    own = Position("w1w3,b2,b3/x3/x3 w", "gobblers")
    assert views.dangerous_moves(own, own.legal_moves()) == []
    draw = act(act(online_game("1. 4a1", "gobblet"), SECOND, "offer-draw"), FIRST, "accept-draw")
    outcome = views.outcome_json(draw.game)
    assert outcome is not None
    assert (outcome["winner"], outcome["lines"]) == (None, [])


def test_nothing_covered_is_told_while_it_is_secret() -> None:
    online = online_game("1. 1b2 2b2 2. 3b2 3a1")
    online.game.visibility = "memory"
    facts = told(online)
    assert facts["hidden"] is True
    assert facts["board"]["stacks"] == {"a1": ["b3"], "b2": ["w3"]}
    assert facts["board"]["text"] == "x3/x,w3,x/b3,x2 w"
    assert facts["moves"] == {"from": 0, "list": []}
    row = alone(position="b1w3,b2,b3/x3/w1,w2,x w")
    row.game.visibility = "peek"
    assert told(row)["dangerous"] == []
    shown = act(online, FIRST, "resign")
    assert told(shown)["board"]["stacks"] == {"a1": ["b3"], "b2": ["w1", "b2", "w3"]}
    assert views.common_moves(online, online) == 0
    for pair in ((online, shown), (shown, online)):
        assert views.common_moves(*pair) == 0
    assert views.common_moves(shown, shown) == 4


def test_the_computer_thinks_aloud() -> None:
    online = alone(levels=("perfect", None))
    waits = {"seat": "first", "level": "perfect", "remark": "wait for the table"}
    assert told(online)["thinking"] == waits
    assert told(online, getting_ready="compiling")["thinking"]["remark"] == "compiling"
    easy = told(alone(levels=("easy", None)))
    assert easy["thinking"] == {"seat": "first", "level": "easy", "remark": None}
    assert easy["seats"]["first"] == {
        "player": "computer", "name": "Computer", "level": "easy", "taken": True,
    }  # fmt: skip


def test_texts_are_made_once_and_for_the_last_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = views.game_json

    def counted(online: OnlineGame, tables: Any, remark: Any, known: int, days: float) -> Any:
        made.append(known)
        return real(online, tables, remark, known, days)

    monkeypatch.setattr(views, "game_json", counted)
    monkeypatch.setattr(views, "TEXTS_KEPT", 2)
    monkeypatch.setattr(views, "MOVES_AT_ONCE", 2)
    preparation = cast(Any, SimpleNamespace(remark=None))
    texts = views.GameTexts(Settings(), TABLEBASES, preparation)
    online = online_game("1. 3b2 3a1 2. 2c1")
    assert [each["move"] for each in orjson.loads(texts.of(online))["moves"]["list"]] == [
        "3a1", "2c1",
    ]  # fmt: skip
    for known in (0, 1, 2, 1, 2):
        texts.of(online, known)
    assert made == [1, 2]
    texts.of(online, 3)  # The first one is forgotten.
    texts.of(online, 2)
    texts.of(online, 1)
    assert made == [1, 2, 3, 1]
    assert orjson.loads(texts.of(online))["expires"]
    begun = orjson.loads(texts.of(online_game("1. 3b2")))["moves"]
    assert (begun["from"], len(begun["list"])) == (0, 1)


def test_records_and_pictures() -> None:
    online = online_game("1. 3b2 3a1")
    record = read_record(views.record_text(online))
    assert record.tags["Date"] == "1970-01-01"
    assert [str(move) for move in record.moves] == ["3b2", "3a1"]
    assert views.picture(online).startswith("<svg")


def test_rule_sets_in_json() -> None:
    facts = views.rule_set_json("gobblers", load_rules("gobblers"), TABLEBASES)
    assert facts["custom"] is False
    assert facts["start"]["text"] == "x3/x3/x3 w"
    assert facts["table"] == "ready"
    assert len(facts["line_squares"]) == 8
    assert [each["level"] for each in facts["strengths"]] == facts["levels"]
    own = views.rule_set_json("own", built_rules(), TABLEBASES)
    assert own["custom"] is True
    for fields, choices in (
        ({"peek": True}, ["open", "peek", "memory"]),
        ({"peek": False}, ["open", "memory"]),
        ({"stock": (9,), "peek": False, "moving": False, "place_onto": "empty"}, ["open"]),
    ):
        rules = built_rules(**fields)
        assert views.rule_set_json("own", rules, TABLEBASES)["visibilities"] == choices
