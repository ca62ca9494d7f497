"""What every action is worth, exactly, in any position of a solved rule set."""

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import tables
from nestline.action_space import action_count
from nestline.errors import PositionError, ShapeError
from nestline.observations import words_of
from nestline.oracle.policies import random_policy
from nestline.oracle.positions import Words, expand
from nestline.position import Position
from nestline.rules import RuleSet, load_rules

ILLEGAL = -2
"""The value of an illegal action: below all others."""

NO_DISTANCE = -1

AT_ONCE = 200_000
"""Positions whose successors are looked up together."""


class ActionValues(NamedTuple):
    """The value of each action for the player to move; arrays of shape (n, actions)."""

    values: NDArray[np.int8]
    """1 wins, 0 draws, -1 loses; ILLEGAL."""
    distances: NDArray[np.int16]
    """Plies to the end with best play, this one included; -1 for draws and illegal actions."""

    @property
    def best(self) -> NDArray[np.bool_]:
        """The actions that keep the value, and win fastest or lose slowest."""
        # No distance reaches a thousand plies, so the value comes first.
        ranks = 1000 * self.values.astype(np.int32) - self.values * self.distances
        legal = self.values != ILLEGAL
        ranks[~legal] = ILLEGAL * 1000
        best: NDArray[np.bool_] = legal & (ranks == ranks.max(axis=1, keepdims=True))
        return best


class ExactValues:
    """The solution of a rule set, asked about many positions at once.

    It needs the rule set's tablebase, from the folder or the default one (see `nestline.tables`).
    """

    def __init__(
        self, rules: str | RuleSet = "gobblers", folder: "str | os.PathLike[str] | None" = None
    ) -> None:
        self.rules = load_rules(rules)
        self.table = tables.open(self.rules, folder)
        self.actions = action_count(self.rules)

    def values(self, owns: Words, opps: Words) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Values (1, 0, -1) and distances (-1: none) of positions, arrays of shape (n,)."""
        return self.table.probe_many(*checked_words(owns, opps))

    def action_values(self, owns: Words, opps: Words) -> ActionValues:
        """What each action is worth in positions given as the kernel's words, shape (n,)."""
        owns, opps = checked_words(owns, opps)
        values = np.full((len(owns), self.actions), ILLEGAL, np.int8)
        distances = np.full((len(owns), self.actions), NO_DISTANCE, np.int16)
        for first in range(0, len(owns), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            children = expand(owns[part], opps[part], self.rules)
            value, distance = self.table.probe_many(children.owns, children.opps)
            places = (children.parents + first, children.actions)
            values[places] = -value
            distances[places] = np.where(value == 0, NO_DISTANCE, distance + 1)
        return ActionValues(values, distances)

    def of_positions(self, positions: "list[Position | str]") -> ActionValues:
        """`action_values` of positions, also as text."""
        words = [self._words(position) for position in positions]
        owns, opps = np.array(words, np.int64).reshape(-1, 2).T
        return self.action_values(owns.copy(), opps.copy())

    def _words(self, position: Position | str) -> tuple[int, int]:
        found = Position(position, self.rules) if isinstance(position, str) else position
        if found.rules.law != self.rules.law:
            raise PositionError(
                f"a position of {found.rules.name} cannot be judged by the oracle of "
                f"{self.rules.name}"
            )
        return found.words

    def policy(self, planes: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Perfect play: a uniformly random best action."""
        return random_policy(planes, self.action_values(*words_of(planes, self.rules)).best)


def checked_words(owns: Words, opps: Words) -> tuple[Words, Words]:
    """Arrays of words as the compiled functions take them; `ShapeError` if they do not fit."""
    first, second = np.asarray(owns), np.asarray(opps)
    if (
        first.ndim != 1
        or first.shape != second.shape
        or {first.dtype, second.dtype} != {np.dtype(np.int64)}
    ):
        raise ShapeError(
            "positions are given as two int64 arrays of the same shape (n,), not "
            f"{first.dtype} of shape {first.shape} and {second.dtype} of shape {second.shape}"
        )
    return np.ascontiguousarray(first), np.ascontiguousarray(second)
