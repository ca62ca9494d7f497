"""The symmetries of actions and observations are those of positions."""

import numpy as np
import pytest

from nestline import GameError, Position, ShapeError
from nestline.action_space import action_count, action_of, legal_actions
from nestline.observations import observation_shape, write_observation
from nestline.symmetries import (
    SYMMETRIES,
    action_table,
    image_of_actions,
    image_of_observations,
    image_of_policies,
    inverse,
)
from support.helpers import FIVE_NAMES, random_positions


def planes_of(positions: list[Position]) -> np.ndarray:
    rules = positions[0].rules
    shape = observation_shape(rules)
    rows = np.zeros((len(positions), int(np.prod(shape))), np.int8)
    for number, position in enumerate(positions):
        write_observation(*position.words, 1, rules.law, 0, number, rows)
    return rows.reshape(-1, *shape)


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_images_of_actions_and_observations_belong_to_the_image_of_the_position(name: str) -> None:
    for position in random_positions(name, 10, seed=1):
        images = position.symmetries()
        actions = legal_actions(position)
        after = [position.play(move).symmetries() for move in position.legal_moves()]
        mask = np.zeros((1, action_count(name)), np.bool_)
        mask[0, actions] = True
        planes = planes_of([position])
        for symmetry, image in enumerate(images):
            moved = image_of_actions(actions, symmetry, name)
            legal = legal_actions(image)
            assert sorted(moved) == legal
            (turned,) = image_of_policies(mask, symmetry, name)
            assert np.flatnonzero(turned).tolist() == legal
            assert (image_of_observations(planes, symmetry) == planes_of([image])).all()
            for expected, there in zip(after, moved, strict=True):
                move = image.legal_moves()[legal.index(there)]
                assert image.play(move) == expected[symmetry]


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_an_inverse_undoes_a_symmetry(symmetry: int) -> None:
    actions = np.arange(320)
    there = image_of_actions(actions, symmetry, "gobblet")
    assert (image_of_actions(there, inverse(symmetry), "gobblet") == actions).all()


def test_each_row_can_have_its_own_symmetry() -> None:
    positions = random_positions("gobblers", SYMMETRIES, seed=2)
    all_of_them = np.arange(SYMMETRIES)
    turned = image_of_observations(planes_of(positions), all_of_them)
    expected = [position.symmetries()[number] for number, position in enumerate(positions)]
    assert (turned == planes_of(expected)).all()
    policies = np.random.default_rng(1).random((SYMMETRIES, 108))
    together = image_of_policies(policies, all_of_them, "gobblers")
    for number in all_of_them:
        (alone,) = image_of_policies(policies[number : number + 1], int(number), "gobblers")
        assert (together[number] == alone).all()
    assert image_of_actions(action_of("a1c3", "gobblers"), 0, "gobblers") == 35


def test_bad_arguments_are_refused() -> None:
    for symmetry in (8, -1, 0.5, [0, 9]):
        with pytest.raises(GameError, match="whole numbers from 0 to 7"):
            image_of_actions(0, symmetry, "gobblers")
    with pytest.raises(ShapeError, match="from 0 to 107"):
        image_of_actions([108], 0, "gobblers")
    with pytest.raises(ShapeError, match=r"the shape \(n, 108\)"):
        image_of_policies(np.zeros(108), 0, "gobblers")
    with pytest.raises(ShapeError, match=r"\(n, planes, board, board\)"):
        image_of_observations(np.zeros((19, 3, 3)), 0)
    with pytest.raises(ShapeError, match="one symmetry, or 2 of them"):
        image_of_observations(np.zeros((2, 19, 3, 3)), [0, 1, 2])
    with pytest.raises(ValueError, match="read-only"):
        action_table("gobblers")[0, 0] = 1
