"""Sides, pieces, moves and outcomes by themselves."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from nestline import Move, NotationError, Outcome, Piece, PositionError, Side
from nestline.values import DRAWING_REASONS, REASONS

NAMES = {each.__name__: each for each in (Side, Piece, Move, Outcome)}


def test_moves_have_their_parts() -> None:
    placed, moved = Move("3b2"), Move("a1c3")
    assert (placed.size, placed.origin, placed.target, placed.places) == (3, None, "b2", True)
    assert (moved.size, moved.origin, moved.target, moved.places) == (None, "a1", "c3", False)
    assert (str(placed), repr(moved)) == ("3b2", 'Move("a1c3")')
    assert {placed, moved, Move("3b2")} == {placed, moved}


@pytest.mark.parametrize(
    "text",
    ["", "3", "3b", "b2", "0b2", "5b2", "xb2", "3e2", "3b0", "3b5", "3bx", "3xx", "3b22", "33b2",
     "a1", "a1c", "a1c5", "a5c1", "e1c3", "a1e3", "a1xx", "xxc3", "xxxx", "a1c33", "a1 c3"],
)  # fmt: skip
def test_moves_take_one_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move like 3b2 or a1c3"):
        Move(text)


def test_moves_are_sorted_by_their_text() -> None:
    moves = [Move(text) for text in ("b1a1", "2b1", "a1a2", "1a1", "2a1")]
    assert " ".join(map(str, sorted(moves))) == "1a1 2a1 2b1 a1a2 b1a1"
    assert not moves[0] < moves[0]
    with pytest.raises(TypeError):
        _ = moves[0] < "c1a1"  # type: ignore[operator]


def test_values_cannot_be_changed() -> None:
    for value, name in ((Move("3b2"), "size"), (Outcome(None, "agreement"), "winner")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 1)


def test_repr_of_moves_evaluates_back() -> None:
    squares = [column + row for column in "abcd" for row in "1234"]
    texts = [size + square for size in "1234" for square in squares]
    texts += [origin + target for origin in squares for target in squares]
    for text in texts:
        move = Move(text)
        assert repr(move) == f'Move("{text}")'
        assert eval(repr(move), NAMES) == move
        assert pickle.loads(pickle.dumps(move)) == move


def test_repr_of_small_values_evaluates_back() -> None:
    for side in Side:
        assert eval(repr(side), NAMES) is side
        for size in (1, 2, 3, 4):
            assert eval(repr(Piece(side, size)), NAMES) == Piece(side, size)
    for reason in REASONS:
        winners = (None,) if reason in DRAWING_REASONS else tuple(Side)
        for winner in winners:
            outcome = Outcome(winner, reason)
            assert eval(repr(outcome), NAMES) == outcome
            assert pickle.loads(pickle.dumps(outcome)) == outcome
            assert hash(eval(repr(outcome), NAMES)) == hash(outcome)


def test_sides_as_text() -> None:
    assert [str(side) for side in Side] == ["first", "second"]
    assert [side.other for side in Side] == [Side.SECOND, Side.FIRST]


@pytest.mark.parametrize("reason", REASONS)
def test_outcomes_have_a_winner_or_a_reason_for_a_draw(reason: str) -> None:
    drawn, won = reason in (*DRAWING_REASONS, "no-move"), reason not in DRAWING_REASONS
    for winner, result, fits, what in (
        (None, "1/2-1/2", drawn, "a draw"),
        (Side.FIRST, "1-0", won, "a win"),
        (Side.SECOND, "0-1", won, "a win"),
    ):
        if fits:
            outcome = Outcome(winner, reason)
            assert (outcome.result, outcome.is_draw) == (result, winner is None)
            assert str(outcome) == f"{result} ({reason})"
        else:
            with pytest.raises(PositionError, match=f"^{reason} is not a reason for {what}$"):
                Outcome(winner, reason)


def test_outcomes_of_nobody_and_for_no_reason() -> None:
    with pytest.raises(PositionError, match="'luck' is not a reason; reasons are line, "):
        Outcome(Side.FIRST, "luck")
    with pytest.raises(PositionError, match="2 is not a side"):
        Outcome(2, "line")  # type: ignore[arg-type]
