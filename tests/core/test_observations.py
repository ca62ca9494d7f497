"""What agents see of a game: every plane against a plain reading of the position."""

import random
from pathlib import Path

import numpy as np
import pytest

from nestline import Position, load_rules
from nestline.observations import (
    observation_shape,
    plane_limits,
    plane_names,
    write_observation,
)
from support.helpers import FIVE_NAMES, random_position, random_rules


def observed(position: Position, occurrences: int = 1, hide_covered: int = 0) -> np.ndarray:
    shape = observation_shape(position.rules)
    rows = np.full((3, int(np.prod(shape))), 99, np.int8)
    write_observation(*position.words, occurrences, position.rules.law, hide_covered, 1, rows)
    assert (rows[[0, 2]] == 99).all(), "the other rows are left alone"
    return rows[1].reshape(shape)


def expected(position: Position, occurrences: int = 1, hide_covered: int = 0) -> np.ndarray:
    """The same, plane by plane from its name."""
    rules = position.rules
    planes = np.zeros(observation_shape(rules), np.int8)
    for plane, name in zip(planes, plane_names(rules), strict=True):
        if name.startswith("occurrences"):
            plane[:] = occurrences
            continue
        what, size = name.split(", size ")
        side = position.turn if what.startswith("own") else position.turn.other
        if "reserve" in what:
            plane[:] = position.reserve(side)[int(size)]
            continue
        for square, stack in position.stacks.items():
            column, row = "abcd".index(square[0]), int(square[1]) - 1
            for piece in stack:
                shown = "visible" if piece == stack[-1] else "covered"
                if piece == (side, int(size)) and shown in what:
                    plane[row, column] = 1
        if hide_covered and what == "opponent's covered":
            plane[:] = 0
    return planes


@pytest.mark.parametrize(
    ("name", "shape"),
    [("tictactoe", (6, 3, 3)), ("gobblers", (19, 3, 3)), ("gobblers-official", (18, 3, 3)),
     ("gobblet", (25, 4, 4)), ("gobblet-house", (24, 4, 4))],
)  # fmt: skip
def test_the_shape_is_fixed(name: str, shape: tuple[int, int, int]) -> None:
    assert observation_shape(name) == shape
    assert len(plane_names(name)) == len(plane_limits(name)) == shape[0]


@pytest.mark.parametrize("name", FIVE_NAMES)
@pytest.mark.parametrize("hide_covered", [0, 1])
def test_planes_show_the_position(name: str, hide_covered: int) -> None:
    chance = random.Random(f"planes of {name}")
    limits = np.array(plane_limits(name))[:, None, None]
    for _ in range(60):
        position = random_position(load_rules(name), chance)
        seen = observed(position, 2, hide_covered)
        assert (seen == expected(position, 2, hide_covered)).all(), position
        assert (seen >= 0).all()
        assert (seen <= limits).all()


def test_planes_in_other_rule_sets(tmp_path: Path) -> None:
    chance = random.Random("planes of many rules")
    for _ in range(40):
        position = random_position(random_rules(tmp_path, chance), chance)
        assert (observed(position) == expected(position)).all(), position


def test_a_covered_piece_is_hidden_only_when_asked_for() -> None:
    position = Position("x3/x,b1w3,x/w2,x2 w", rules="gobblers")
    opponents_covered = 9  # of size 1
    assert observed(position)[opponents_covered, 1, 1] == 1
    assert observed(position, hide_covered=1)[opponents_covered].sum() == 0
    own_covered = 3
    turned = Position("x3/x,b1w3,x/w2,x2 b", rules="gobblers")
    assert observed(turned, hide_covered=1)[own_covered, 1, 1] == 1, "own pieces are known"
