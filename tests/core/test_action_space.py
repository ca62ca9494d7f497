"""Actions are numbers for moves: one for each kind of move, the same everywhere."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive_rules
from nestline import IllegalMove, Move, NotationError, Position, ShapeError, kernel, load_rules
from nestline.action_space import (
    action_count,
    action_names,
    action_of,
    code_of_action,
    legal_actions,
    move_of,
    write_mask,
)
from nestline.position import code_of_move
from nestline.rules import RuleSet
from support.helpers import FIVE_NAMES, custom_rules, naive_rules_of, random_position, random_rules


def mask_of(position: Position) -> np.ndarray:
    masks = np.ones((2, action_count(position.rules)), np.bool_)
    write_mask(*position.words, position.rules.law, 1, masks)
    assert masks[0].all(), "the other rows are left alone"
    return masks[1]


@pytest.mark.parametrize(
    ("name", "count"),
    [("tictactoe", 9), ("gobblers", 108), ("gobblers-official", 108), ("gobblet", 320),
     ("gobblet-house", 320)],
)  # fmt: skip
def test_the_number_of_actions_is_fixed(name: str, count: int) -> None:
    assert action_count(name) == count
    assert len(set(action_names(name))) == count


def test_the_numbering_never_changes() -> None:
    """Trained agents depend on it: by size, then by origin, and by target within each."""
    names = action_names("gobblers")
    squares = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    placing = [f"{size}{target}" for size in (1, 2, 3) for target in squares]
    assert list(names) == placing + [origin + target for origin in squares for target in squares]
    assert action_names("tictactoe") == tuple(f"1{target}" for target in squares)
    assert action_names("gobblet")[:20:6] == ("1a1", "1c2", "1a4", "2c1")
    assert action_names("gobblet")[64::85] == ("a1a1", "b2b2", "c3c3", "d4d4")


def test_identical_pieces_share_an_action() -> None:
    assert legal_actions(Position.start("gobblers")) == list(range(27))


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_actions_and_notation_convert_both_ways(name: str) -> None:
    rules = load_rules(name)
    for action in range(action_count(rules)):
        move = move_of(action, rules)
        assert action_of(move, rules) == action_of(str(move), name) == action
        assert code_of_action(action, rules.law) == code_of_move(rules, move)


def test_moves_are_read_in_any_spelling() -> None:
    assert action_of("L b2", "gobblers") == action_of("3 BB", "gobblers") == 22
    assert action_of("(2,0)->(0,2)", "gobblers") == action_of("a1-c3", "gobblers") == 35
    assert action_of("b2", "tictactoe") == 4


@pytest.mark.parametrize(
    ("move", "name"),
    [(Move("4a1"), "gobblers"), (Move("3d1"), "gobblers"), (Move("a1d4"), "gobblers"),
     (Move("a1b2"), "tictactoe"), ("a1b2", "tictactoe"), (Move("2a1"), "tictactoe")],
)  # fmt: skip
def test_what_is_no_move_of_the_rules_has_no_number(move: Move | str, name: str) -> None:
    with pytest.raises(IllegalMove, match=f"{move} is not a move of {name}"):
        action_of(move, name)


def test_what_is_no_move_at_all_has_no_number_either() -> None:
    with pytest.raises(NotationError):
        action_of("9z9", "gobblers")


@pytest.mark.parametrize("action", [-1, 108, 10**30])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(IllegalMove, match=r"there is no action .* actions are 0 to 107"):
        move_of(action, "gobblers")


@pytest.mark.parametrize("action", [1.5, "3b2", None, np.zeros(2, np.int64)])
def test_what_is_no_number_is_refused(action: Any) -> None:
    with pytest.raises(ShapeError, match="an action is a whole number, not"):
        move_of(action, "gobblers")


def check(position: Position) -> None:
    """Masks, legality of single moves and the nth move all agree with the naive rules."""
    rules = position.rules
    fields = naive_rules_of(rules)
    moves = naive_rules.possible_moves(fields, naive_rules.parse(fields, str(position)))
    expected = sorted(action_of(move, rules) for move in moves)
    assert np.flatnonzero(mask_of(position)).tolist() == expected
    own, opp = position.words
    codes = [code_of_action(action, rules.law) for action in expected]
    legal = [move for move in range(-16, 400) if kernel.is_legal(own, opp, move, rules.law)]
    assert legal == codes
    found = [kernel.nth_move(own, opp, number, rules.law) for number in range(len(codes) + 1)]
    assert found == [*codes, -1]


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_masks_are_those_of_the_naive_rules(name: str) -> None:
    chance = random.Random(f"masks of {name}")
    for _ in range(60):
        check(random_position(load_rules(name), chance))


def test_masks_in_other_rule_sets(tmp_path: Path) -> None:
    chance = random.Random("masks of many rules")
    rules: list[RuleSet] = [random_rules(tmp_path, chance) for _ in range(40)]
    rules.append(custom_rules(tmp_path, same_square=True))
    for item in rules:
        for _ in range(5):
            check(random_position(item, chance))
