"""Which pieces can be on a board, who can be to move, and which moves are refused, and why.

`test_against_naive_rules` checks what moves do to a position.
"""

import random
from pathlib import Path
from typing import Any

import pytest

import naive_rules
from nestline import (
    Game,
    IllegalMove,
    Position,
    PositionError,
    Side,
    load_rules,
    read_record,
    rule_set_names,
)
from nestline.draw import svg
from nestline.rules import RuleSet
from support.helpers import built_rules, custom_rules, naive_rules_of, random_position

FIRST, SECOND = Side.FIRST, Side.SECOND
ONLY_PLACED = built_rules(board=2, line=2, stock=(1, 2), moving=False, repetition=0)


# Nested stacks.


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x4/x4/x4/w3,x3 b", "White has more pieces of size 3 on the board than of size 4"),
        ("x4/x4/x4/w4,w3,x2 w", None),
        ("x4/x4/x4/w4,w3,w3,x w", "White has more pieces of size 3 on the board than of size 4"),
        ("b4,x3/x4/b2,x3/x4 w", "Black has more pieces of size 2 on the board than of size 3"),
        ("b1b2b3b4,x3/x4/x4/x4 w", None),
        ("b1b2b4,x3/x4/x4/x4 w", "Black has more pieces of size 2 on the board than of size 3"),
    ],
)
def test_sizes_on_the_board_fit_nested_stacks(text: str, sentence: str | None) -> None:
    """The lower pieces of a reserve stack come out after the upper ones."""
    if sentence is None:
        assert str(Position(text, "gobblet")) == text
        return
    with pytest.raises(PositionError) as caught:
        Position(text, "gobblet")
    assert str(caught.value) == f"{sentence}; nested stacks are played from the largest down"
    with pytest.raises(ValueError, match="no stack of the reserve shows"):
        naive_rules.parse(naive_rules.FIVE["gobblet"], text)


def test_loose_pieces_come_in_any_order() -> None:
    assert str(Position("x3/x3/w1,w1,x b")) == "x3/x3/w1,w1,x b"


# Whose turn it is, where pieces are only placed.

REFUSED = [
    ("x3/x3/x3 b", "X has 0 and O 0 on the board, so it cannot be O's turn"),
    ("x3/x,w1,x/x3 w", "X has 1 and O 0 on the board, so it cannot be X's turn"),
    ("x3/x,b1,x/x3 w", "X has 0 and O 1 on the board, so it cannot be X's turn"),
    ("w1,w1,w1/w1,w1,w1/w1,w1,w1 b", "X has 9 and O 0 on the board, so it cannot be O's turn"),
    ("w1,w1,w1/b1,b1,x/x3 w", "X has 3 and O 2 on the board, so it cannot be X's turn"),
    ("b1,b1,b1/w1,w1,x/w1,x2 b", "X has 3 and O 3 on the board, so it cannot be O's turn"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_marks_tell_whose_turn_it_is(text: str, sentence: str) -> None:
    told = f"{sentence}; pieces are only placed here, by turns, and X begins"
    for read in (
        lambda: Position(text, "tictactoe"),
        lambda: Position(text.replace(" ", "_"), "tictactoe"),
        lambda: read_record(f'[Rules "tictactoe"] [Position "{text}"] *'),
    ):
        with pytest.raises(PositionError) as caught:
            read()
        assert str(caught.value) == told
    with pytest.raises(ValueError, match="the turn does not fit the pieces"):
        naive_rules.parse(naive_rules.FIVE["tictactoe"], text)


def test_stacks_tell_whose_turn_it_is() -> None:
    assert Position.from_stacks({"a1": [(0, 1)]}, SECOND, "tictactoe").turn == SECOND
    for turn, stacks in ((FIRST, {"a1": [(0, 1)]}), (SECOND, {})):
        with pytest.raises(PositionError, match="so it cannot be"):
            Position.from_stacks(stacks, turn, "tictactoe")


def test_finished_positions_have_their_turn() -> None:
    won = Position("w1,w1,w1/b1,b1,x/x3 b", "tictactoe")
    assert won.outcome() is not None
    assert won.turn == SECOND
    assert svg(won).startswith("<svg")


def test_the_field_decides_not_the_name(tmp_path: Path) -> None:
    still = custom_rules(tmp_path, moving=False, repetition=0, players=["Sun", "Moon"])
    with pytest.raises(PositionError, match="so it cannot be Moon's turn"):
        Position("x3/x3/x3 b", still)
    assert Position("x3/x3/w1b2,x2 w", still).turn == FIRST
    for name in set(rule_set_names()) - {"tictactoe"}:
        side = load_rules(name).board
        assert Position("/".join([f"x{side}"] * side) + " b", name).turn == SECOND


@pytest.mark.parametrize("rules", [load_rules("tictactoe"), ONLY_PLACED], ids=lambda r: r.name)
def test_package_and_naive_rules_refuse_the_same_turns(rules: RuleSet) -> None:
    chance = random.Random(3)
    fields = naive_rules_of(rules)
    for _ in range(300):
        position = random_position(rules, chance)
        assert naive_rules.text_of(fields, naive_rules.parse(fields, str(position))) == str(
            position
        )
        board, turn = str(position).split(" ")
        wrong = f"{board} {'b' if turn == 'w' else 'w'}"
        with pytest.raises(PositionError):
            Position(wrong, rules)
        with pytest.raises(ValueError, match="turn"):
            naive_rules.parse(fields, wrong)


def test_the_movers_words_tell_who_moves() -> None:
    start = Position.start("tictactoe")
    for position in (start, start.play("b2"), start.play("b2").play("a1")):
        assert Position.from_movers_words(*position.words, "tictactoe") == position
    loose = Position("x3/x,w3,x/x3 b")
    assert Position.from_movers_words(*loose.words, "gobblers").turn == FIRST


def test_stored_positions_of_earlier_versions_are_read() -> None:
    text = "x3/x3/x3 b"
    assert str(Position(text, "tictactoe", lenient=True)) == text
    record = read_record(f'[Rules "tictactoe"] [Position "{text}"] 1... b2 *', lenient=True)
    game = Game.from_record(record, lenient=True)
    assert str(game.position) == "x3/x,b1,x/x3 w"


# Pieces that do not exist, and stacks that cannot be.


@pytest.mark.parametrize(
    ("stack", "sentence"),
    [
        ([(0, 0)], "a1: there is no size 0; sizes are 1 to 3"),
        ([(0, 4)], "a1: there is no size 4; sizes are 1 to 3"),
        ([(2, 1)], "a1: there is no side 2; sides are 0 and 1"),
        ([(0, 1), (1, 1)], "a1: a size 1 cannot lie on a size 1; stacks are written from bottom to "
                           "top, each piece larger than the one below"),
    ],
)  # fmt: skip
def test_refused_stacks(stack: list[tuple[int, int]], sentence: str) -> None:
    with pytest.raises(PositionError) as refusal:
        Position.from_stacks({"a1": stack})
    assert str(refusal.value) == sentence


def test_there_are_only_so_many_pieces() -> None:
    rules = built_rules(stock=(1, 2))
    for row, sentence in (
        ("w1,w1,x", "2 pieces of size 1 on the board; there are 1"),
        ("w2,w2,w2", "3 pieces of size 2 on the board; there are 2"),
    ):
        with pytest.raises(PositionError, match=sentence):
            Position(f"x3/x3/{row} w", rules)


# Values and lines.


def test_positions_are_compared_by_all_they_have() -> None:
    one, two, three = (Position(f"x3/x3/{row}") for row in ("w1,b1,x w", "w1,x,b1 w", "w1,b1,x b"))
    assert len({one, two, three, Position(str(one))}) == 3
    assert one not in (two, three)
    assert sorted([two, three, one]) == [three, one, two]
    assert not one < one
    with pytest.raises(TypeError):
        _ = one < str(two)  # type: ignore[operator]


def test_lines_are_made_of_the_sizes_on_top() -> None:
    position = Position("x3/x3/b1w2,w2,w2 b", built_rules(stock=(3, 3), line_sizes="equal"))
    assert position.lines(FIRST) == (("a1", "b1", "c1"),)
    assert position.lines(SECOND) == ()


# What the kernel is given, and why it refuses moves.


def test_words_are_signed() -> None:
    """The last square of the largest size is the sign."""
    for text in ("x3,w4/x4/x4/w4,x3 b", "x3,b4/x4/x4/b4,x3 w"):
        position = Position(text, "gobblet")
        assert position.words == (0, -(1 << 63) + (1 << 48))
        assert str(position) == text


@pytest.mark.parametrize(
    ("changes", "board", "sentence"),
    [
        ({"cover": "opponent"}, "w1,w3,x",
         "b1a1: a1 shows an own piece; only pieces of the opponent's can be covered"),
        ({"cover": "opponent"}, "b1,w3,x", None),
        ({"cover": "own"}, "b1,w3,x",
         "b1a1: a1 shows a piece of the opponent's; only own pieces can be covered"),
        ({"cover": "own"}, "w1,w3,x", None),
        ({"cover": "none", "place_onto": "empty"}, "b1,w3,x",
         "b1a1: a1 is occupied; pieces do not cover each other"),
        ({"cover": "own"}, "b3,w3,x",
         "b1a1: a1 shows a size 3; a size 3 can only land on smaller pieces"),
        ({"reveal": "forbidden"}, "b1,b2w3,b3",
         "b1a1: lifting b1 reveals a line of the opponent's, which is forbidden"),
        ({"reveal": "forbidden"}, "b1,b2w3,x", None),
    ],
)  # fmt: skip
def test_refused_moves(changes: dict[str, Any], board: str, sentence: str | None) -> None:
    position = Position(f"x3/x3/{board} w", built_rules(**changes))
    if sentence is None:
        assert position.play("b1a1").top("a1") == (FIRST, 3)
        return
    with pytest.raises(IllegalMove) as refusal:
        position.play("b1a1")
    assert str(refusal.value) == sentence
