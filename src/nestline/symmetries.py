"""The eight symmetries of the board, on actions, policies and observations.

A symmetry is a number from 0, the identity, to 7. Where nothing but the geometry counts, as in all
rule sets, a position and its image have the same value, and its best actions are the images of the
best actions: so each game of a learning agent can serve as eight.

>>> from nestline import Position
>>> from nestline.action_space import action_of
>>> corner = action_of("3a1", "gobblers")
>>> [image_of_actions(corner, symmetry, "gobblers") for symmetry in range(8)]
[18, 20, 24, 26, 18, 20, 24, 26]
>>> planes, policies = np.zeros((5, 19, 3, 3), np.int8), np.zeros((5, 108))
>>> turned = image_of_observations(planes, [0, 1, 2, 3, 4])     # one for each, or one for all
>>> turned_policies = image_of_policies(policies, [0, 1, 2, 3, 4], "gobblers")

The tables behind them index tensors of any library. Symmetries of positions are in `position`.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestline import kernel
from nestline.action_space import action_count
from nestline.errors import GameError, ShapeError
from nestline.rules import RuleSet, load_rules

SYMMETRIES = 8


@lru_cache
def square_table(board: int) -> NDArray[np.int64]:
    """Where each square goes, (SYMMETRIES, squares): squares counted from a1 along the rows."""
    bits = [1 << square for square in range(board * board)]
    table = np.array([
        [kernel.bit_index(kernel.transform(bit, symmetry, board)) for bit in bits]
        for symmetry in range(SYMMETRIES)
    ])  # fmt: skip
    table.flags.writeable = False
    return table


@lru_cache
def action_table(rules: str | RuleSet) -> NDArray[np.int64]:
    """Where each action goes, (SYMMETRIES, actions)."""
    loaded = load_rules(rules)
    to = square_table(loaded.board)
    sources, targets = np.divmod(np.arange(action_count(loaded)), loaded.squares)
    from_board = sources >= loaded.sizes
    moved = to[:, np.where(from_board, sources - loaded.sizes, 0)] + loaded.sizes
    table: NDArray[np.int64] = (
        np.where(from_board, moved, sources) * loaded.squares + to[:, targets]
    )
    table.flags.writeable = False
    return table


def inverse(symmetry: int) -> int:
    """The symmetry that undoes another one."""
    (wanted,) = _checked(symmetry).reshape(-1)
    there = square_table(2)
    identity = np.arange(there.shape[1])
    return next(
        back for back in range(SYMMETRIES) if (there[back][there[wanted]] == identity).all()
    )


def image_of_actions(actions: ArrayLike, symmetry: ArrayLike, rules: str | RuleSet) -> Any:
    """The images of actions of any shape; a symmetry for all, or an array of them that fits."""
    table = action_table(rules)
    found = np.asarray(actions)
    if found.dtype.kind not in "iu" or (found < 0).any() or (found >= table.shape[1]).any():
        raise ShapeError(f"actions are whole numbers from 0 to {table.shape[1] - 1}")
    images = table[_checked(symmetry), found]
    return images if images.ndim else int(images)


def image_of_policies(policies: ArrayLike, symmetry: ArrayLike, rules: str | RuleSet) -> Any:
    """The images of masks, probabilities or values of actions, (n, actions) of any type."""
    table = action_table(rules)
    found = np.asarray(policies)
    if found.ndim != 2 or found.shape[1] != table.shape[1]:
        raise ShapeError(
            f"policies have the shape (n, {table.shape[1]}), not {'x'.join(map(str, found.shape))}"
        )
    return _scattered(found, table[_for_each(symmetry, len(found))])


def image_of_observations(planes: ArrayLike, symmetry: ArrayLike) -> Any:
    """The images of observations (n, planes, board, board)."""
    found = np.asarray(planes)
    if found.ndim != 4 or found.shape[2] != found.shape[3]:
        raise ShapeError(
            f"observations have the shape (n, planes, board, board), not {found.shape}"
        )
    table = square_table(found.shape[2])[_for_each(symmetry, len(found))]
    rows = found.reshape(*found.shape[:2], -1)
    return _scattered(rows, table[:, None, :]).reshape(found.shape)


def _scattered(values: NDArray[Any], to: NDArray[np.int64]) -> NDArray[Any]:
    """The values along the last axis at the places that `to` tells."""
    images = np.empty_like(values)
    np.put_along_axis(images, np.broadcast_to(to, values.shape), values, axis=-1)
    return images


def _for_each(symmetry: ArrayLike, count: int) -> NDArray[np.int64]:
    found = _checked(symmetry)
    if found.shape not in ((), (count,)):
        raise ShapeError(f"give one symmetry, or {count} of them, not an array {found.shape}")
    return np.broadcast_to(found, (count,))


def _checked(symmetry: ArrayLike) -> NDArray[np.int64]:
    found = np.asarray(symmetry)
    if found.dtype.kind not in "iu" or (found < 0).any() or (found >= SYMMETRIES).any():
        raise GameError(f"symmetries are whole numbers from 0 to {SYMMETRIES - 1}")
    return found.astype(np.int64)
