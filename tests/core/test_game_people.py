"""A game between people: offers, turns, undo, what each may see, options, records.

How games end and the rule of touched pieces are in `test_game`.
"""

from typing import Any

import pytest

from nestline.errors import GameError, IllegalMove, NestlineError, NotationError
from nestline.game import Game, Seat
from nestline.position import Move, Outcome, Piece, Position, Side
from nestline.record import Record, read_record, write_record
from nestline.rules import load_rules
from support.helpers import after, at, snapshot

FIRST, SECOND = Side.FIRST, Side.SECOND

# Draws by agreement, and resignation.


def test_an_offer_is_accepted() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(FIRST)
    assert game.draw_offer == FIRST
    game.accept_draw(SECOND)
    assert game.outcome == Outcome(None, "agreement")
    assert game.draw_offer is None


def test_an_offer_is_declined() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(SECOND)
    game.decline_draw(FIRST)
    assert (game.draw_offer, game.outcome) == (None, None)
    with pytest.raises(GameError, match="nobody has offered White a draw"):
        game.accept_draw(FIRST)
    game.offer_draw(SECOND)
    assert game.draw_offer == SECOND


def test_an_offer_lapses_when_the_opponent_plays_on() -> None:
    game = Game("gobblet")
    game.offer_draw(FIRST)
    game.play("4a1")
    assert game.draw_offer == FIRST, "it waits for the opponent"
    game.play("4b1")
    assert game.draw_offer is None
    with pytest.raises(GameError, match="nobody has offered Black a draw"):
        game.accept_draw(SECOND)


def test_an_offer_outlives_a_refused_move() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(FIRST)
    with pytest.raises(IllegalMove):
        game.play("4a1")
    assert game.draw_offer == FIRST


@pytest.mark.parametrize("side", Side)
def test_nobody_answers_himself_or_offers_twice(side: Side) -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(side)
    before = snapshot(game)
    own, other = (game.rules.players[each] for each in (side, side.other))
    for answer in (game.accept_draw, game.decline_draw):
        with pytest.raises(GameError, match=f"nobody has offered {own} a draw"):
            answer(side)
    for again in Side:
        with pytest.raises(GameError, match=f"{own} has already offered a draw, which waits"):
            game.offer_draw(again)
    assert other != own
    assert snapshot(game) == before


def test_taking_back_ends_an_offer() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(FIRST)
    game.undo()
    assert game.draw_offer is None
    game.offer_draw(FIRST)
    game.redo()
    assert game.draw_offer is None
    game.offer_draw(FIRST)
    game.reset()
    assert game.draw_offer is None


@pytest.mark.parametrize("name", ["tictactoe", "gobblers", "gobblers-official", "gobblet-house"])
def test_no_agreement_where_the_rules_know_none(name: str) -> None:
    game = Game(name)
    before = snapshot(game)
    for act in (game.offer_draw, game.accept_draw, game.decline_draw):
        with pytest.raises(GameError, match=f"^{name} knows no draw by agreement$"):
            act(FIRST)
    assert snapshot(game) == before


@pytest.mark.parametrize("side", Side)
def test_both_can_resign_at_any_time(side: Side) -> None:
    for moves in ("", "3a1"):
        game = after(moves)
        game.resign(side)
        assert game.outcome == Outcome(side.other, "resignation")


def test_an_offer_ends_with_a_resignation() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(FIRST)
    game.resign(SECOND)
    assert game.draw_offer is None
    assert game.outcome == Outcome(FIRST, "resignation")


# Turns and refused moves.


def test_only_the_player_to_move_may_move() -> None:
    game = Game("tictactoe")
    game.play("b2", by=FIRST)
    before = snapshot(game)
    with pytest.raises(GameError, match=r"^it is O's turn, not X's$"):
        game.play("a1", by=FIRST)
    assert snapshot(game) == before
    game.play("a1", by=SECOND)
    assert game.turn == FIRST


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("3a1", "3a1: a1 shows a size 3; a size 3 can only land on smaller pieces"),
        ("1b2", "1b2: b2 shows a size 3; a size 1 can only land on smaller pieces"),
        ("b2c3", "b2c3: b2 shows P1's piece, and it is P2's turn"),
        ("a2a1", "a2a1: a2 is empty"),
        ("a1a1", "a1a1: a piece cannot go back to its own square"),
        ("a1b2", "a1b2: b2 shows a size 3; a size 3 can only land on smaller pieces"),
        ("a1", "'a1' names one square only; put a size before it (3a1) or the square the piece "),
        ("4c3", "there is no size 4; sizes are 1 to 3"),
        ("3d4", "d4 is not on the 3x3 board; its squares are a1 to c3"),
        ("", "'' is not a move; moves are written like 3c3 or a1c3"),
        (Move("4c3"), "4c3: there is no size 4; sizes are 1 to 3"),
        (Move("3d4"), "3d4: d4 is not on the 3x3 board"),
        (Move("a4a1"), "a4a1: a4 is not on the 3x3 board"),
    ],
)
def test_refused_moves_change_nothing(move: Any, expected: str) -> None:
    """Not even the undone moves that can be redone."""
    game = after("3b2 3a1 1c3 1c1")
    game.undo()
    before = snapshot(game)
    with pytest.raises(NestlineError) as caught:
        game.play(move)
    assert str(caught.value).startswith(expected)
    assert snapshot(game) == before
    assert game.can_redo


# Undo, redo, reset.


def test_nothing_to_take_back_or_do_again() -> None:
    game = Game()
    for act in (game.undo, game.redo):
        with pytest.raises(GameError, match=r"^there is nothing to "):
            act()
    assert (game.can_undo, game.can_redo) == (False, False)


def test_a_new_move_forgets_what_was_taken_back() -> None:
    game = after("3b2 3a1")
    game.undo()
    assert game.can_redo
    game.play("3c1")
    assert not game.can_redo
    assert [str(move) for move in game.moves] == ["3b2", "3c1"]


def test_an_end_forgets_what_was_taken_back() -> None:
    game = after("3b2 3a1")
    game.undo()
    game.resign(FIRST)
    assert not game.can_redo


def test_the_history() -> None:
    game = after("3b2 3a1")
    start = Position.start("gobblers")
    assert game.positions == (start, start.play("3b2"), start.play("3b2").play("3a1"))
    assert (game.ply, game.last_move) == (2, Move("3a1"))
    game.resign(FIRST)
    assert (game.ply, game.last_move, len(game.positions)) == (2, Move("3a1"), 3)
    assert Game().last_move is None


def test_reset_keeps_everything_but_the_moves() -> None:
    seats = (Seat("Ann"), Seat("Computer", "hard"))
    start = Position("x3/x,w3,x/x3 b", "gobblers-official")
    game = Game(start=start, seats=seats, visibility="memory", ply_limit=50)
    game.play("3a1", by=SECOND)
    game.undo()
    game.resign(FIRST)
    game.reset()
    assert (game.seats, game.visibility, game.ply_limit) == (seats, "memory", 50)
    assert (game.position, game.start, game.turn) == (start, start, SECOND)
    assert (game.outcome, game.moves, game.can_undo, game.can_redo) == (None, (), False, False)
    casual = after("4a1", "gobblet", touch_move=False)
    casual.reset()
    assert not casual.touch_move


def test_status_says_who_won_for_a_person_against_the_computer() -> None:
    person, computer = Seat("Ann"), Seat("Computer", "easy")
    for seats, statuses in (
        ((person, computer), ["player won", "computer won"]),
        ((computer, person), ["computer won", "player won"]),
        ((person, person), ["first won", "second won"]),
        ((computer, computer), ["first won", "second won"]),
    ):
        for winner, expected in zip(Side, statuses, strict=True):
            game = Game("gobblers", seats=seats)
            assert game.status == "ongoing"
            game.resign(winner.other)
            assert game.status == expected


def test_seats_are_named_after_the_rules() -> None:
    assert Game("gobblet").seats == (Seat("White"), Seat("Black"))
    assert not Seat("Ann").is_computer
    assert Seat("Computer", "hard").is_computer


# What each player may see.

COVERED = "b1w3,x2/w1b2,x2/w2,x2 w"


def test_open_games_show_everything() -> None:
    game = at(COVERED)
    for side in (*Side, None):
        assert game.view(side) == dict(game.position.stacks)
    view = game.view()
    view["a1"] = ()
    assert game.position.stack("a1") == (Piece(FIRST, 2),)


@pytest.mark.parametrize("visibility", ["peek", "memory"])
def test_secret_games_show_the_tops_only(visibility: str) -> None:
    game = at(COVERED, "gobblers-official", visibility=visibility)
    tops = {"a1": (Piece(FIRST, 2),), "a2": (Piece(SECOND, 2),), "a3": (Piece(FIRST, 3),)}
    for side in (*Side, None):
        assert game.view(side) == tops
    game.resign(FIRST)
    for side in (*Side, None):
        assert game.view(side) == dict(game.position.stacks), "no secrets after the end"


@pytest.mark.parametrize("visibility", ["open", "peek"])
def test_peeking_under_own_pieces(visibility: str) -> None:
    game = at(COVERED, "gobblers-official", visibility=visibility)
    before = snapshot(game)
    assert game.peek(FIRST, "a3") == (Piece(SECOND, 1), Piece(FIRST, 3))
    assert game.peek(FIRST, "AC") == (Piece(SECOND, 1), Piece(FIRST, 3))
    assert game.peek(SECOND, "a2") == (Piece(FIRST, 1), Piece(SECOND, 2)), "also out of turn"
    for side, square, expected in (
        (SECOND, "a3", "a3 shows Red's piece; Blue can only lift own pieces"),
        (FIRST, "a2", "a2 shows Blue's piece; Red can only lift own pieces"),
        (FIRST, "b2", "b2 is empty; Red can only lift own pieces"),
        (FIRST, "d4", "d4 is not on the 3x3 board"),
    ):
        with pytest.raises(NestlineError) as caught:
            game.peek(side, square)
        assert expected in str(caught.value)
    assert snapshot(game) == before, "looking changes nothing"


def test_no_peeking_from_memory() -> None:
    game = at(COVERED, "gobblers-official", visibility="memory")
    with pytest.raises(GameError, match="played from memory"):
        game.peek(FIRST, "a3")


@pytest.mark.parametrize("name", ["tictactoe", "gobblers", "gobblet", "gobblet-house"])
def test_no_peeking_where_the_rules_forbid_it(name: str) -> None:
    with pytest.raises(GameError, match=f"^{name} does not allow looking under pieces$"):
        Game(name, visibility="peek")
    game = Game(name)
    game.play(game.legal_moves()[0])
    with pytest.raises(GameError, match=f"^{name} does not allow looking under pieces$"):
        game.peek(FIRST, "a1")
    assert Game(name, visibility="memory").visibility == "memory"


# Options.


def test_a_limit_on_plies() -> None:
    game = after("3a1 3c3", ply_limit=3)
    assert game.outcome is None
    game.play("a1a2")
    assert game.outcome == Outcome(None, "unfinished")
    assert game.status == "unfinished"
    game.undo()
    assert game.outcome is None
    game.play("3b2")
    assert game.outcome == Outcome(None, "unfinished")


def test_a_line_on_the_last_ply_is_a_win() -> None:
    assert after("a3 a2 b3 b2 c3", "tictactoe", ply_limit=5).outcome == Outcome(FIRST, "line")


@pytest.mark.parametrize("limit", [0, -1])
def test_impossible_limits(limit: int) -> None:
    with pytest.raises(
        GameError, match=f"a limit on plies is a whole number of at least 1, not {limit}"
    ):
        Game(ply_limit=limit)


def test_impossible_visibility() -> None:
    with pytest.raises(GameError, match="visibility is one of open, peek, memory, not 'closed'"):
        Game(visibility="closed")


# Records.


def test_a_record_keeps_players_and_options() -> None:
    seats = (Seat('Ann "the \\ fox"'), Seat("Computer", "medium"))
    game = Game("gobblers-official", seats=seats, visibility="memory", ply_limit=7)
    game.play("3b2")
    text = write_record(game.to_record())
    again = Game.from_record(read_record(text))
    assert (again.seats, again.visibility, again.ply_limit) == (seats, "memory", 7)
    assert (again.moves, again.outcome) == (game.moves, None)
    assert "[Result " in text
    assert text.rstrip().endswith("1. 3b2 *")
    assert Game.from_record(read_record(write_record(again.to_record()))).seats == seats


def test_a_record_keeps_the_start() -> None:
    game = at("x3/x,w3,x/x3 b")
    game.play("3a1")
    record = read_record(write_record(game.to_record()))
    assert record.start == game.start
    assert Game.from_record(record).position == game.position
    assert "1... 3a1" in write_record(record)


GOING_ON = "1. 3b2 3a1 "


@pytest.mark.parametrize(
    ("rules", "tags", "moves", "expected"),
    [
        ("gobblers", "", GOING_ON + "1-0", Outcome(FIRST, "resignation")),
        ("gobblers", "", GOING_ON + "0-1", Outcome(SECOND, "resignation")),
        ("gobblers", "", GOING_ON + "*", None),
        ("gobblers", "", GOING_ON, None),
        ("gobblers", '[Termination "unfinished"]', GOING_ON + "*", None),
        ("gobblers", "", GOING_ON + "1/2-1/2", Outcome(None, "unfinished")),
        ("gobblet", "", "1. 4b2 1/2-1/2", Outcome(None, "agreement")),
        ("gobblet", '[Termination "unfinished"]', "1. 4b2 1/2-1/2", Outcome(None, "unfinished")),
        ("gobblet", '[Termination "touch"]', "1. 4b2 1-0", Outcome(FIRST, "touch")),
        ("tictactoe", "", "a3 a2 b3 b2 c3", Outcome(FIRST, "line")),
        ("tictactoe", "", "a3 a2 b3 b2 c3 *", Outcome(FIRST, "line")),
    ],
)
def test_ends_of_records_written_by_hand(
    rules: str, tags: str, moves: str, expected: Outcome | None
) -> None:
    record = read_record(f'[Rules "{rules}"]\n{tags}\n\n{moves}')
    assert Game.from_record(record).outcome == expected


@pytest.mark.parametrize(
    ("rules", "tags", "moves", "expected"),
    [
        ("tictactoe", "", "a3 a2 b3 b2 c3 0-1", "the result 0-1 contradicts the moves, which end"),
        ("gobblers", '[Termination "line"]', GOING_ON + "1-0", "allowed are resignation"),
        ("gobblers", '[Termination "touch"]', GOING_ON + "1-0", "allowed are resignation"),
        ("gobblers", '[Termination "agreement"]', GOING_ON + "1/2-1/2", "allowed are unfinished"),
        ("gobblet", '[Termination "repetition"]', "4a1 1/2-1/2", "agreement and unfinished"),
        ("gobblet", '[Termination "mate"]', "4a1 1-0", "tag Termination: 'mate' is none of line,"),
    ],
)
def test_records_that_contradict_themselves(
    rules: str, tags: str, moves: str, expected: str
) -> None:
    record = read_record(f'[Rules "{rules}"]\n{tags}\n\n{moves}')
    with pytest.raises(NotationError) as caught:
        Game.from_record(record)
    assert expected in str(caught.value)


def test_a_record_that_goes_on_after_a_repetition() -> None:
    """A record knows only positions; the game itself finds that it was already over."""
    shuffle = "a1a2 c3c2 a2a1 c2c3 "
    record = read_record('[Rules "gobblers"]\n3a1 3c3 ' + shuffle * 3)
    assert isinstance(record, Record)
    with pytest.raises(GameError, match="the game is over: Draw: the same position has occurred"):
        Game.from_record(record)


def test_losing_reveals_can_be_played_and_foreseen() -> None:
    game = at("b1w3,b2,b3/x3/w1,w2,x w")
    loses = [str(move) for move in game.legal_moves() if game.position.is_losing_reveal(move)]
    assert "a3c1" in loses
    assert "a3b3" not in loses
    assert {move[:2] for move in loses} == {"a3"}


def test_the_rules_of_the_start_are_those_of_the_game() -> None:
    assert at("x4/x4/x4/w4,x3 b", "gobblet").rules is load_rules("gobblet")
    assert Game().rules is load_rules("gobblers")


def test_a_termination_that_contradicts_the_moves_is_refused() -> None:
    text = '[Rules "tictactoe"] [Termination "board-full"] 1. a1 b1 2. a2 b2 3. a3 1-0'
    with pytest.raises(NotationError, match="board-full contradicts the moves, which end by line"):
        Game.from_record(read_record(text))


def test_a_start_of_other_rules_is_refused() -> None:
    with pytest.raises(GameError, match="a game of gobblet cannot start from a position of gob"):
        Game("gobblet", start=Position.start("gobblers"))
    assert Game(start=Position.start("tictactoe")).rules.name == "tictactoe"


@pytest.mark.parametrize("nobody", [2, -1, None, "x"])
def test_only_sides_can_do_things(nobody: Any) -> None:
    game = after("4a1 4b2", "gobblet")
    game.offer_draw(FIRST)
    before = snapshot(game)
    actions = (game.accept_draw, game.decline_draw, game.resign, game.offer_draw)
    for action in actions:
        with pytest.raises(GameError):
            action(nobody)
    if nobody is not None:
        with pytest.raises(GameError, match="is not a side"):
            game.play("4c3", by=nobody)
    assert snapshot(game) == before


def test_an_offer_is_kept_in_the_record() -> None:
    game = after("4a1 4b2", "gobblet")
    game.offer_draw(SECOND)
    assert Game.from_record(read_record(write_record(game.to_record()))).draw_offer == SECOND


@pytest.mark.parametrize("tag", ['[TouchMove "maybe"]', '[DrawOffer "both"]'])
def test_option_tags_are_checked(tag: str) -> None:
    with pytest.raises(NotationError, match="is none of"):
        Game.from_record(read_record(f'[Rules "gobblet"] {tag} 1. 4a1 *'))


def test_added_tags_do_not_replace_what_the_record_is() -> None:
    tags = {"Rules": "gobblet", "Result": "1-0", "Position": "x", "Event": "club"}
    text = write_record(after("3b2 3a1").to_record(tags))
    assert read_record(text).tags["Event"] == "club"
    assert Game.from_record(read_record(text)).moves == after("3b2 3a1").moves


def test_an_unfinished_game_without_a_limit_tells_of_none() -> None:
    game = Game.from_record(read_record('[Rules "gobblers"] 1. 3b2 1/2-1/2'))
    assert game.explain() == "Unfinished after 1 move; it counts as a draw."


@pytest.mark.parametrize(
    ("winner", "reason"), [(None, "line"), (FIRST, "repetition"), (5, "line"), (None, "touch")]
)
def test_impossible_outcomes(winner: Any, reason: str) -> None:
    with pytest.raises(NestlineError):
        Outcome(winner, reason)


def test_a_game_keeps_the_tags_it_does_not_know() -> None:
    text = '[Rules "gobblers"] [Date "1998-05-01"] [Event "Club"] [Second "Ann"] 1. 3b2 *'
    game = Game.from_record(read_record(text))
    assert game.tags == {"Date": "1998-05-01", "Event": "Club"}
    game.play("3a1")
    record = game.copy().to_record({"Date": "2024-01-01", "Place": "Rome"})
    assert (record.tags["Date"], record.tags["Event"], record.tags["Place"]) == (
        "1998-05-01", "Club", "Rome",
    )  # fmt: skip
    game.reset()
    assert game.tags == {}, "another game, another day"
