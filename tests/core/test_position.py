"""Which pieces can be on a board, and who can be to move: what `Position` refuses, and why.

`test_against_naive_rules` checks what moves do to a position.
"""

import random
from pathlib import Path

import pytest

import naive_rules
from nestline import Game, Position, PositionError, Side, load_rules, read_record, rule_set_names
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
