"""What the notation refuses, and in which words: what was wrong, and what is allowed."""

import pytest

from nestline import NotationError, load_rules
from nestline.notation import read_board, read_move, read_square
from support.helpers import built_rules

GOBBLERS = load_rules("gobblers")
TICTACTOE = load_rules("tictactoe")
GOBBLET = load_rules("gobblet")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("d1", "d1 is not on the 3x3 board; its squares are a1 to c3"),
        ("a4", "a4 is not on the 3x3 board; its squares are a1 to c3"),
        ("a0", "a0 is not on the 3x3 board; its squares are a1 to c3"),
        ("3,0", "3,0 is not on the 3x3 board; rows and columns are 0 to 2, from the top left"),
        ("0,-1", "0,-1 is not on the 3x3 board; rows and columns are 0 to 2, from the top left"),
        ("b", "'b' is not a square; squares are written like b2"),
    ],
)
def test_squares(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_square(text, GOBBLERS)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("text", "name"),
    [("b3", "b3"), ("BC", "b3"), ("CB", "c2"), ("(0,2)", "c3"), ("2, 0", "a1"), ("1,0", "a2")],
)
def test_spellings_of_squares(text: str, name: str) -> None:
    assert read_square(text, GOBBLERS) == name
    assert read_move(f"2 {text}", GOBBLERS) == (2, None, name)
    assert read_move(f"a1 {text}", GOBBLERS) == (None, "a1", name)


def test_sizes_as_letters() -> None:
    assert [read_move(f"{letter}b2", GOBBLERS).size for letter in "sml"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("gobblers", "nonsense", "'nonsense' is not a move; moves are written like 3c3 or a1c3"),
        ("tictactoe", "nonsense", "'nonsense' is not a move; moves are written like 1c3 or c3"),
        ("gobblet", "nonsense", "'nonsense' is not a move; moves are written like 4d4 or a1d4"),
        ("gobblers", "4a1", "there is no size 4; sizes are 1 to 3"),
        ("gobblers", "0a1", "there is no size 0; sizes are 1 to 3"),
        ("tictactoe", "2a1", "there is no size 2; the only size is 1"),
        ("tictactoe", "l a1", "sizes are written as letters only where there are three; "
                              "here the only size is 1"),
        ("gobblet", "l a1", "sizes are written as letters only where there are three; "
                            "here sizes are 1 to 4"),
        ("gobblers", "b2", "'b2' names one square only; put a size before it (3b2) or the square "
                           "the piece comes from"),
    ],
)  # fmt: skip
def test_moves(name: str, text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_move(text, load_rules(name))
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x3/x3/x3 q", "the player to move is w or b, not 'q'"),
        ("x3/x3/x3 wb", "the player to move is w or b, not 'wb'"),
        ("x3 w", "the board has 1 row; gobblers has 3, separated by /"),
        ("x3/x3 w", "the board has 2 rows; gobblers has 3, separated by /"),
        ("x3/x3/x w", "row 1 has 1 square; gobblers has 3"),
        ("x3/x2/x3 w", "row 2 has 2 squares; gobblers has 3"),
        ("x3/x3/x4 w", "row 1 has 4 squares; gobblers has 3"),
        ("x3", "'x3' is not a position; it takes a board and w or b for the player to move, like "
               "x3/x3/x3 w"),
    ],
)  # fmt: skip
def test_positions(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_board(text, GOBBLERS)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("length", "shown"), [(39, "?" * 39), (40, "?" * 40), (41, "?" * 39 + "…")]
)
def test_long_texts_are_cut_to_forty_characters(length: int, shown: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_square("?" * length, GOBBLERS)
    assert str(refusal.value).startswith(f"{shown!r} is not a square")


def test_what_is_no_text_is_cut_too() -> None:
    with pytest.raises(NotationError) as refusal:
        read_square(list(range(30)), GOBBLERS)  # type: ignore[arg-type]
    assert str(refusal.value).startswith(f"{str(list(range(30)))[:40]} is not a square")


def test_two_sizes() -> None:
    with pytest.raises(NotationError, match="there is no size 3; sizes are 1 to 2"):
        read_move("3a1", built_rules(stock=(2, 2)))
