"""A game in progress: every ending, touched pieces, offers, undo, what is visible, records.

`test_game_actions` plays random actions, allowed and refused, against a model of these rules.
"""

from pathlib import Path

import pytest

from nestline.errors import GameError, IllegalMove, NestlineError, NotationError
from nestline.game import Game
from nestline.position import REASONS, Move, Outcome, Position, Side
from nestline.record import read_record, write_record
from support.helpers import after, at, built_rules, custom_rules, snapshot

FIRST, SECOND = Side.FIRST, Side.SECOND
SHUFFLE = "a1a2 c3c2 a2a1 c2c3"
OPENS_ROW_3 = "b1w3,b2,b3/x3/w1,w2,x w"
OPENS_ROW_4 = "b3w4,b4,b4,b3/x4/x4/w4,w4,w3,x w"
NOTHING_SMALLER = "w4,w4,b4,b4/b4,b3,w4,w3/w3,w3,b3,b3/b2,b2,w2,w2 b"
"""Every square is occupied; a size 2 has no smaller piece to land on."""


def stuck(no_move: str) -> Game:
    """One piece each, which never moves: the first player is stuck after two plies."""
    fields = {"stock": (1,), "moving": False, "repetition": 0, "no_move": no_move}
    return after("1a1 1b1", built_rules(**fields))


# Every reason why a game ends.


def agreed() -> Game:
    game = after("4a1", "gobblet")
    game.offer_draw(SECOND)
    game.accept_draw(FIRST)
    return game


def touched_to_death() -> Game:
    game = at(NOTHING_SMALLER, "gobblet")
    game.touch("a1")
    return game


def resigned() -> Game:
    game = after("3b2 3a1")
    game.resign(SECOND)
    return game


ENDS = {
    "line": (lambda: after("a3 a2 b3 b2 c3", "tictactoe"), FIRST, "X wins with the line a3-b3-c3."),
    "line of the second": (
        lambda: after("a1 a3 b1 b3 c2 c3", "tictactoe"),
        SECOND,
        "O wins with the line a3-b3-c3.",
    ),
    "line, both": (
        lambda: after("", start=Position(OPENS_ROW_3, "gobblers-official")),
        FIRST,
        "Red wins with the line a1-b1-c1, although Blue has the line a3-b3-c3 too.",
    ),
    "reveal": (
        lambda: at(OPENS_ROW_3),
        SECOND,
        "P2 wins: lifting a3 revealed P2's line a3-b3-c3.",
    ),
    "both-lines": (
        lambda: at(OPENS_ROW_3, "gobblers.both_lines-draw"),
        None,
        "Draw: both players have a line.",
    ),
    "no-move": (lambda: stuck("loses"), SECOND, "P2 wins: P1 has no legal move."),
    "no-move, draw": (lambda: stuck("draw"), None, "Draw: P1 has no legal move."),
    "repetition": (
        lambda: after(f"3a1 3c3 {SHUFFLE} {SHUFFLE}"),
        None,
        "Draw: the same position has occurred 3 times.",
    ),
    "all-placed": (
        lambda: at("w1w3,b1b3,w3/w2,b1b3,b2/b2,w2,x w", "gobblers-official"),
        None,
        "Draw: all pieces are on the board and nobody has a line.",
    ),
    "board-full": (
        lambda: after("a3 b3 c3 a2 c2 b2 a1 c1 b1", "tictactoe"),
        None,
        "Draw: every square is occupied and nobody has a line.",
    ),
    "agreement": (agreed, None, "Draw by agreement."),
    "touch": (touched_to_death, FIRST, "White wins: Black touched a1, which cannot be played."),
    "resignation": (resigned, FIRST, "P1 wins: P2 resigned."),
    "unfinished": (
        lambda: after("3a1 3c3 a1a2", ply_limit=3),
        None,
        "Unfinished after 3 moves, the limit of this game; it counts as a draw.",
    ),
}
LAST_MOVES = {"line, both": "a3c1", "both-lines": "a3c1", "reveal": "a3c1", "all-placed": "1c1"}


def ended(case: str) -> Game:
    game: Game = ENDS[case][0]()
    if case in LAST_MOVES:
        assert game.outcome is None
        game.play(LAST_MOVES[case])
    return game


def test_all_reasons_are_here() -> None:
    assert {case.split(",")[0].split(" ")[0] for case in ENDS} == set(REASONS)


@pytest.mark.parametrize("case", ENDS)
def test_the_end_and_its_reason(case: str) -> None:
    game = ended(case)
    winner, sentence = ENDS[case][1:]
    reason = case.split(",")[0].split(" ")[0]
    assert game.outcome == Outcome(winner, reason)
    assert game.result == {FIRST: "1-0", SECOND: "0-1", None: "1/2-1/2"}[winner]
    drawn = "unfinished" if reason == "unfinished" else "draw"
    assert game.status == (drawn if winner is None else f"{winner} won")
    assert game.explain() == sentence
    assert game.legal_moves() == ()


@pytest.mark.parametrize("case", ENDS)
def test_nothing_can_be_done_after_the_end(case: str) -> None:
    game = ended(case)
    before = snapshot(game)
    for act in (
        lambda: game.play("1a1"),
        lambda: game.play("not a move"),
        lambda: game.touch("a1"),
        lambda: game.land("a2"),
        lambda: game.resign(FIRST),
        lambda: game.resign(SECOND),
        lambda: game.offer_draw(FIRST),
        lambda: game.accept_draw(SECOND),
        lambda: game.decline_draw(SECOND),
    ):
        with pytest.raises(GameError, match=r"^the game is over: "):
            act()
        assert snapshot(game) == before


@pytest.mark.parametrize("case", ENDS)
def test_the_end_can_be_taken_back_and_done_again(case: str) -> None:
    game = ended(case)
    before = snapshot(game)[2:4]
    if not game.rules.take_back_after_end:
        assert not game.can_undo
        with pytest.raises(GameError, match="a finished game of tictactoe cannot be taken back"):
            game.undo(agreed=True)
        assert snapshot(game)[2:4] == before
        return
    game.undo(agreed=case == "touch")
    assert game.outcome is None
    assert game.status == "ongoing"
    assert game.result == "*"
    assert game.explain().endswith("is to move.")
    game.redo()
    assert snapshot(game)[2:4] == before


@pytest.mark.parametrize("case", ENDS)
def test_a_game_comes_back_from_its_record(case: str, tmp_path: Path) -> None:
    game = ended(case)
    record = game.to_record({"Date": "2024-05-01"})
    assert record.result == game.result
    assert record.tags["Date"] == "2024-05-01"
    assert record.tags["Termination"] == case.split(",")[0].split(" ")[0]
    again = Game.from_record(record)
    assert snapshot(again)[2:4] == snapshot(game)[2:4]
    assert again.explain() == game.explain()
    if game.rules.name != "built":
        assert read_record(write_record(record)) == record


def test_a_finished_start() -> None:
    game = at("w1,w2,w3/x3/b1,b2,x b")
    assert game.outcome == Outcome(FIRST, "line")
    assert game.explain() == "P1 wins with the line a3-b3-c3."
    assert not game.can_undo


def test_a_reveal_that_nobody_lifted() -> None:
    assert at("b1,b2,b3/x3/w1,w2,x b").explain() == "P2 wins: there stands P2's line a3-b3-c3."


def test_two_lines_at_once() -> None:
    game = after("", start=Position("w1,w1,x/b1,b1,w1/b1,b1,w1 w", "tictactoe"))
    game.play("c3")
    assert game.explain() == "X wins with the lines a3-b3-c3 and c1-c2-c3."


# Repetition.


def test_repetition_counts_position_and_player() -> None:
    game = after("3a1 3c3")
    assert game.repetitions == 1
    for move in SHUFFLE.split():
        game.play(move)
    assert (game.repetitions, game.outcome) == (2, None)
    for move in SHUFFLE.split()[:3]:
        game.play(move)
        assert (game.repetitions, game.outcome) == (2, None)
    game.play("c2c3")
    assert (game.repetitions, game.outcome) == (3, Outcome(None, "repetition"))


def test_repetition_after_taking_back() -> None:
    """Undone positions have not occurred."""
    game = after(f"3a1 3c3 {SHUFFLE} {SHUFFLE}")
    for _ in range(4):
        game.undo()
    assert (game.repetitions, game.outcome) == (2, None)
    for move in ("a1b1", "c3c2", "b1a1"):
        game.play(move)
        assert game.outcome is None
    game.play("c2c3")
    assert game.outcome == Outcome(None, "repetition")


def test_the_start_counts_and_an_image_does_not() -> None:
    game = at("x3/x3/w3,x,b3 w")
    for move in ("a1a2", "c1c2", "a2a1", "c2c1"):
        game.play(move)
    assert game.repetitions == 2
    mirrored = after("3a1 3c1 a1a2 c1c2 a2c1 c2a1")
    assert mirrored.position.canonical() == mirrored.positions[2].canonical()
    assert mirrored.repetitions == 1


def test_a_touch_is_no_repetition(tmp_path: Path) -> None:
    game = Game("gobblet", start=Position("x4/x4/x4/w4,x2,b4 w", "gobblet"))
    game.touch("a1")
    assert (game.repetitions, game.ply) == (1, 0)
    game.undo(agreed=True)
    game.touch("a1")
    game.land("a2")
    assert (game.repetitions, game.ply) == (1, 1)


def test_rule_sets_without_repetition_go_on() -> None:
    game = after(f"3a1 3c3 {' '.join([SHUFFLE] * 5)}", "gobblers-official")
    assert (game.repetitions, game.outcome) == (6, None)


def test_repetition_where_a_piece_may_return(tmp_path: Path) -> None:
    rules = custom_rules(tmp_path, same_square=True, repetition=2)
    game = after("3a1 3c3 a1a1", rules)
    assert game.outcome is None
    game.play("c3c3")
    assert game.outcome == Outcome(None, "repetition")


# Touched pieces.


def test_a_touched_piece_must_be_played() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("A1", by=FIRST)
    assert game.touched == "a1"
    assert game.turn == FIRST
    assert {move.origin for move in game.legal_moves()} == {"a1"}
    before = snapshot(game)
    for refused in ("4c3", "a2a3"):
        with pytest.raises(GameError, match=f"{refused}: White has touched a1 and must play it"):
            game.play(refused)
    with pytest.raises(GameError, match="White has already touched a1"):
        game.touch("a1")
    with pytest.raises(IllegalMove, match="a piece cannot go back to its own square"):
        game.land("a1")
    with pytest.raises(IllegalMove, match="b1 shows a size 4"):
        game.land("b1")
    with pytest.raises(NotationError, match="is not a square"):
        game.land("upwards")
    with pytest.raises(GameError, match="it is White's turn, not Black's"):
        game.land("a2", by=SECOND)
    assert snapshot(game) == before
    game.land("(0,0)", by=FIRST)
    assert (str(game.last_move), game.touched, game.turn) == ("a1a4", None, SECOND)
    assert game.ply == 3


def test_a_touched_piece_may_be_played_in_one_step() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("a1")
    game.play("a1c3")
    assert game.moves[-1] == Move("a1c3")
    assert after("4a1 4b1 a1c3", "gobblet").position == game.position


@pytest.mark.parametrize(
    ("square", "expected"),
    [
        ("c3", "c3 is empty; White can only lift own pieces"),
        ("b1", "b1 shows Black's piece; White can only lift own pieces"),
        ("e5", "e5 is not on the 4x4 board"),
        ("", "is not a square"),
    ],
)
def test_touching_nothing_commits_to_nothing(square: str, expected: str) -> None:
    game = after("4a1 4b1", "gobblet")
    before = snapshot(game)
    with pytest.raises(NestlineError) as caught:
        game.touch(square)
    assert expected in str(caught.value)
    assert snapshot(game) == before


def test_touching_an_unplayable_piece_loses_at_once() -> None:
    game = touched_to_death()
    assert (game.touched, game.outcome) == ("a1", Outcome(FIRST, "touch"))
    game.undo(agreed=True)
    assert (game.touched, game.outcome) == (None, None)
    game.touch("b3")
    assert game.outcome is None, "a size 3 finds a size 2 to land on"


def test_a_touched_piece_whose_landings_all_lose() -> None:
    """The game is lost when it lands, not when it is touched."""
    game = at(OPENS_ROW_4, "gobblet")
    game.touch("a4")
    assert game.outcome is None
    game.land("b2")
    assert game.outcome == Outcome(SECOND, "reveal")
    game.undo()
    assert (game.touched, game.outcome) == ("a4", None), "it stays touched"
    game.land("d4")
    assert game.outcome is None


def test_undo_and_redo_of_a_touch() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("a1")
    game.undo(agreed=True)
    assert (game.touched, game.ply) == (None, 2)
    game.redo()
    assert (game.touched, game.ply) == ("a1", 2)
    game.resign(SECOND)
    assert game.outcome == Outcome(FIRST, "resignation")
    game.undo()
    assert (game.touched, game.outcome) == ("a1", None)
    game.land("a2")
    with pytest.raises(GameError, match="nothing to do again"):
        game.redo()


@pytest.mark.parametrize("name", ["tictactoe", "gobblers", "gobblers-official", "gobblet-house"])
def test_no_touching_where_the_rules_know_none(name: str) -> None:
    with pytest.raises(GameError, match=f"^{name} has no rule about touched pieces$"):
        Game(name, touch_move=True)
    game = Game(name)
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[-1])
    with pytest.raises(GameError, match="touch-move is not played"):
        game.touch("a1")
    with pytest.raises(GameError, match="no piece has been touched"):
        game.land("a1")


def test_touch_move_can_be_left_out() -> None:
    game = after("4a1 4b1", "gobblet", touch_move=False)
    with pytest.raises(GameError, match="touch-move is not played"):
        game.touch("a1")
    record = game.to_record()
    assert record.tags["TouchMove"] == "no"
    assert not Game.from_record(record).touch_move
    assert Game("gobblet").touch_move


def test_a_record_keeps_the_touched_piece() -> None:
    game = after("4a1 4b1", "gobblet")
    game.touch("a1")
    again = Game.from_record(read_record(write_record(game.to_record())))
    assert (again.touched, again.moves) == ("a1", game.moves)
