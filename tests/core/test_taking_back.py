"""Undo: what stays touched, what is final, and games of earlier versions."""

import time

import pytest

from nestline import Game, GameError, Outcome, Position, Seat, Side, read_record, write_record
from support.helpers import after, at, snapshot

FIRST, SECOND = Side.FIRST, Side.SECOND
PERSON, COMPUTER = Seat("Ann"), Seat("Computer", "easy")
STUCK = "w4,w4,b4,b4/b4,b3,w4,w3/w3,w3,b3,b3/b2,b2,w2,w2 b"
"""Every square is occupied; the size 2 on a1 has no smaller piece to land on."""


def again(game: Game) -> Game:
    return Game.from_record(read_record(write_record(game.to_record())))


# Touched pieces.


def test_a_touch_cannot_be_taken_back() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("a1")
    for touched in (game, again(game)):
        before = snapshot(touched)
        assert not touched.can_undo
        with pytest.raises(GameError) as caught:
            touched.undo()
        assert str(caught.value) == (
            "White has touched a1 and must play it; taking back does not free a touched piece"
        )
        assert snapshot(touched) == before


def test_a_move_that_is_taken_back_leaves_its_piece_touched() -> None:
    """Whether it was touched first or moved directly: to move a piece is to touch it."""
    touching = after("4a1 4b1", "gobblet")
    touching.touch("a1")
    touching.land("a2")
    for game in (touching, after("4a1 4b1 a1a2", "gobblet")):
        game.undo()
        for undone in (game.copy(), again(game)):
            assert (undone.touched, undone.ply, undone.can_undo) == ("a1", 2, False)
            with pytest.raises(GameError, match="4c3: White has touched a1 and must play it"):
                undone.play("4c3")
            with pytest.raises(GameError, match="taking back does not free"):
                undone.undo()
            undone.land("c3")
            assert [str(move) for move in undone.moves] == ["4a1", "4b1", "a1c3"]
        game.redo()
        assert (game.touched, game.ply, str(game.last_move)) == (None, 3, "a1a2")
        assert not game.can_redo


def test_a_placement_that_is_taken_back_touches_nothing() -> None:
    """The document speaks of pieces that are on the board."""
    game = after("4a1 4b1 4c1", "gobblet")
    for ply in (2, 1, 0):
        game.undo()
        assert (game.touched, game.ply) == (None, ply)


def test_what_both_agree_on_frees_the_piece() -> None:
    game = after("4a1 4b1 a1a2", "gobblet")
    game.undo(agreed=True)
    assert game.touched is None
    game.redo()
    game.undo()
    assert game.touched == "a1"
    game.undo(agreed=True)
    assert (game.touched, game.ply) == (None, 2)
    game.play("4c3")


def test_the_computers_moves_are_taken_back_without_a_trace() -> None:
    """A person playing the computer gets back to his own turn, and to his own touched piece."""
    game = after("4a1 4b1 a1a2 b1b2", "gobblet", seats=(PERSON, COMPUTER))
    game.undo()
    assert (game.turn, game.touched) == (SECOND, None)
    game.undo()
    assert (game.turn, game.touched, game.can_undo) == (FIRST, "a1", False)


def test_a_seat_that_changes_hands_keeps_its_touched_pieces() -> None:
    """The person cannot hand the seat to the computer for the moment in which the move is taken
    back; and what the computer has played was never touched, whoever has its seat now."""
    moves = "4a1 4b1 a1a2 b1b2"
    for players in ((PERSON, COMPUTER), (COMPUTER, PERSON)):
        game = after(moves, "gobblet", seats=players)
        game.seats = players[::-1]
        touched = []
        while game.ply > 2:
            game.undo(agreed=game.touched is not None)
            touched.append(game.touched)
        assert touched == ([None, "a1"] if players[0] is PERSON else ["b1", None, None])


def test_a_piece_that_lost_by_being_touched_stays_touched() -> None:
    game = at(STUCK, "gobblet")
    game.touch("a1")
    assert game.outcome == Outcome(FIRST, "touch")
    with pytest.raises(GameError, match="Black has touched a1 and must play it"):
        game.undo()
    assert not game.can_undo
    game.undo(agreed=True)
    assert (game.touched, game.outcome) == (None, None)


def test_a_resignation_is_taken_back_to_the_touched_piece() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("a1")
    game.resign(FIRST)
    assert game.can_undo
    game.undo()
    assert (game.touched, game.outcome, game.can_undo) == ("a1", None, False)


def test_without_touch_move_everything_is_taken_back() -> None:
    game = after("4a1 4b1 a1a2 b1b2", "gobblet", touch_move=False)
    while game.can_undo:
        game.undo()
        assert game.touched is None
    assert game.ply == 0


# After the end.


@pytest.mark.parametrize("agreed", [False, True])
def test_a_finished_game_of_tic_tac_toe_is_over(agreed: bool) -> None:
    won = after("a3 a2 b3 b2 c3", "tictactoe")
    resigned = after("a3", "tictactoe")
    resigned.resign(SECOND)
    for game in (won, resigned, again(won), again(resigned)):
        before = snapshot(game)
        assert not game.can_undo
        with pytest.raises(GameError) as caught:
            game.undo(agreed)
        assert str(caught.value) == (
            "a finished game of tictactoe cannot be taken back; start again instead"
        )
        assert snapshot(game) == before
        game.reset()
        assert (game.ply, game.outcome) == (0, None)
    unfinished = after("a3 a2 b3 b2", "tictactoe")
    unfinished.undo(agreed)
    assert unfinished.ply == 3


# Games of earlier versions.


def test_lenient_games_go_on_as_they_began() -> None:
    game = Game("tictactoe", seats=(COMPUTER, PERSON), lenient=True)
    for move in ("a3", "a2", "b3", "b2", "c3"):
        game.play(move, by=game.turn)
    game.undo()
    assert (game.ply, game.outcome, game.copy().lenient) == (4, None, True)
    record = read_record('[Rules "tictactoe"] [FirstLevel "easy"] [Second "Ann"] 1. b2 *')
    assert Game.from_record(record, lenient=True).seats == (Seat("X", "easy"), Seat("Ann"))


def test_lenient_games_free_touched_pieces() -> None:
    """Step by step as in earlier versions, whose stored undos count the steps."""
    game = Game("gobblet", lenient=True)
    for move in ("4a1", "4b1", "a1a2"):
        game.play(move)
    game.undo()
    assert (game.touched, game.ply) == (None, 2)
    game.touch("a1")
    game.undo()
    assert (game.touched, game.ply) == (None, 2)
    game.undo()
    assert game.ply == 1


# Long games.


def test_long_games_cost_no_more_per_move() -> None:
    """Six thousand plies are played, undone and played again; the last is as fast as the first."""
    lap = ("a1a2", "c3c2", "a2a1", "c2c3")
    game = after("3a1 3c3", "gobblers-official")

    def seconds_for(act: str) -> float:
        began = time.process_time()
        for number in range(1000):
            if act == "play":
                game.play(lap[number % 4])
            elif act == "undo":
                game.undo()
            else:
                game.redo()
            assert game.repetitions > 0
            assert game.ply >= 2
        return time.process_time() - began

    for act in ("play", "undo", "redo"):
        times = [seconds_for(act) for _ in range(6)]
        assert times[-1] < 5 * times[0] + 0.05, f"{act}: {times}"
    assert game.ply == 6002
    assert game.positions[-1] == game.position == Position("x2,b3/x3/w3,x2 w", "gobblers-official")
