"""Who sits where and who may act: people, computers, and the state of the game for them."""

import pickle

import pytest

from nestline import Game, GameError, Seat, Side, Status, read_record
from support.helpers import after, at, snapshot

FIRST, SECOND = Side.FIRST, Side.SECOND
PERSON, COMPUTER = Seat("Ann"), Seat("Computer", "easy")
SENTENCE = r"^in tictactoe a person who plays the computer is X and begins; the computer is O$"


# The person begins where the rule set says so.


def test_a_person_begins_against_the_computer() -> None:
    with pytest.raises(GameError, match=SENTENCE):
        Game("tictactoe", seats=(COMPUTER, PERSON))
    game = Game("tictactoe", seats=(PERSON, COMPUTER))
    before = snapshot(game)
    with pytest.raises(GameError, match=SENTENCE):
        game.seats = (COMPUTER, PERSON)
    assert snapshot(game) == before
    with pytest.raises(GameError, match=SENTENCE):
        Game.from_record(read_record('[Rules "tictactoe"] [FirstLevel "easy"] 1. b2 *'))


@pytest.mark.parametrize("seats", [(PERSON, PERSON), (COMPUTER, COMPUTER), (PERSON, COMPUTER)])
def test_all_other_seats_are_free(seats: tuple[Seat, Seat]) -> None:
    game = Game("tictactoe")
    game.seats = seats
    assert Game.from_record(game.to_record()).seats == seats


@pytest.mark.parametrize("name", ["gobblers", "gobblers-official", "gobblet", "gobblet-house"])
def test_other_rule_sets_leave_the_choice(name: str) -> None:
    assert Game(name, seats=(COMPUTER, PERSON)).seats == (COMPUTER, PERSON)


@pytest.mark.parametrize("seats", [(PERSON,), (PERSON,) * 3, ("Ann", "Ben"), "ab"])
def test_seats_are_two(seats: object) -> None:
    game = Game()
    with pytest.raises(GameError, match=r"^a game has two seats, not "):
        game.seats = seats
    with pytest.raises(GameError, match=r"^a game has two seats, not "):
        Game(seats=seats)


# Nobody plays for the computer by accident.


def test_who_plays_for_the_computer_says_so() -> None:
    game = after("4a1 4b1", "gobblet", seats=(COMPUTER, PERSON))
    before = snapshot(game)
    for act in (
        lambda: game.play("a1a2"),
        lambda: game.touch("a1"),
        lambda: game.play("a1a2", by=SECOND),
    ):
        with pytest.raises(GameError, match=r"turn") as caught:
            act()
        assert snapshot(game) == before
    with pytest.raises(GameError) as caught:
        game.play("not even a move")
    assert str(caught.value) == (
        "it is the computer's turn: whoever plays White for it says so with by=Side.FIRST"
    )
    game.touch("a1", by=FIRST)
    with pytest.raises(GameError, match="it is the computer's turn"):
        game.land("a2")
    game.land("a2", by=FIRST)
    game.play("b1b2")  # a person need not say so
    assert game.ply == 4


# State.


def test_status_is_an_enumeration_of_words() -> None:
    assert {status.name: status for status in Status} == {
        "ONGOING": "ongoing",
        "PLAYER_WON": "player won",
        "AI_WON": "computer won",
        "DRAW": "draw",
        "FIRST_WON": "first won",
        "SECOND_WON": "second won",
        "UNFINISHED": "unfinished",
    }
    game = Game("gobblers", seats=(PERSON, COMPUTER))
    assert game.status is Status.ONGOING
    assert f"{game.status}" == "ongoing"
    game.resign(FIRST)
    assert pickle.loads(pickle.dumps(game)).status is Status.AI_WON
    game.seats = (COMPUTER, PERSON)
    assert game.status is Status.PLAYER_WON
    game.seats = (PERSON, PERSON)
    assert game.status is Status.SECOND_WON


def test_repr_tells_the_game() -> None:
    assert repr(after("3b2")) == "<Game of gobblers after 1 ply, ongoing: x3/x,w3,x/x3 b>"
    won = after("a3 a2 b3 b2 c3", "tictactoe", seats=(PERSON, COMPUTER))
    assert repr(won) == ("<Game of tictactoe after 5 plies, player won: w1,w1,w1/b1,b1,x/x3 b>")


# Default visibility.


def test_visibility_is_as_the_rule_set_says() -> None:
    names = ("tictactoe", "gobblers", "gobblers-official", "gobblet", "gobblet-house")
    assert [Game(name).visibility for name in names] == ["open", "open", "peek", "open", "open"]
    assert at("b1w2,x2/x3/x3 b", "gobblers-official").view()["a3"] == ((FIRST, 2),)
    assert Game("gobblers-official", visibility="open").visibility == "open"


@pytest.mark.parametrize("visibility", ["open", "peek", "memory"])
def test_records_of_rules_that_hide_always_say_what_was_seen(visibility: str) -> None:
    record = Game("gobblers-official", visibility=visibility).to_record()
    assert record.tags["Visibility"] == visibility
    assert Game.from_record(read_record(str(record))).visibility == visibility


def test_records_without_the_tag_are_open_as_they_always_were() -> None:
    """Earlier versions wrote the tag only for hidden games."""
    old = '[Rules "gobblers-official"]\n[First "Red"]\n[Second "Blue"]\n\n1. 3b2 3a1 *\n'
    assert Game.from_record(read_record(old)).visibility == "open"
    assert "Visibility" not in Game("gobblers").to_record().tags
    assert Game("gobblers", visibility="memory").to_record().tags["Visibility"] == "memory"
