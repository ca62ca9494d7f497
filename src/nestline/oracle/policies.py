"""Agents as functions on arrays: the interface, its checks, and some simple policies.

A policy gets observations (n, planes, board, board) and masks (n, actions), and returns n
actions, or probabilities (n, actions). Judging policies is left to the other modules.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.action_space import action_of, move_of
from nestline.engine.players.player import Player
from nestline.errors import IllegalMove, ShapeError
from nestline.game import Game
from nestline.observations import words_of
from nestline.oracle.positions import Words, expand, legal_masks, observe
from nestline.position import Position
from nestline.rules import RuleSet, load_rules

Policy = Callable[[NDArray[np.int8], NDArray[np.bool_]], Any]

AT_ONCE = 16_384
"""How many positions a policy gets in one call."""

TOLERANCE = 1e-4
"""The tolerance for probabilities that should sum to 1."""


def ask(policy: Policy, owns: Words, opps: Words, rules: RuleSet) -> NDArray[np.float64]:
    """The probabilities (n, actions) with which a policy plays in positions that go on."""
    parts = [np.empty((0, legal_masks(owns[:0], opps[:0], rules).shape[1]))]
    for first in range(0, len(owns), AT_ONCE):
        own, opp = owns[first : first + AT_ONCE], opps[first : first + AT_ONCE]
        masks = legal_masks(own, opp, rules)
        parts.append(probabilities(policy(observe(own, opp, rules), masks), masks, rules))
    return np.concatenate(parts)


def probabilities(answer: Any, masks: NDArray[np.bool_], rules: RuleSet) -> NDArray[np.float64]:
    """A policy's answer as probabilities (n, actions); errors if it makes no sense."""
    found = np.asarray(answer)
    count, actions = masks.shape
    if found.dtype.kind in "iu" and found.shape == (count,):
        return _certain(found, masks, rules)
    if found.dtype.kind != "f" or found.shape != masks.shape:
        raise ShapeError(
            f"a policy answers with whole numbers of shape ({count},) or with probabilities of "
            f"shape ({count}, {actions}), not with {found.dtype} of shape {found.shape}"
        )
    chances = found.astype(np.float64)
    sums = chances.sum(axis=1)
    if not ((chances >= 0).all() and (abs(sums - 1) < TOLERANCE).all()):
        raise ShapeError("the probabilities of a policy are at least 0 and sum to 1")
    illegal = np.where(masks, 0, chances)
    if illegal.max(initial=0) > TOLERANCE:
        place, action = np.unravel_index(int(illegal.argmax()), illegal.shape)
        raise _illegal(int(place), int(action), rules)
    chances[~masks] = 0
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def _certain(chosen: NDArray[Any], masks: NDArray[np.bool_], rules: RuleSet) -> NDArray[np.float64]:
    rows = np.arange(len(chosen))
    inside = (chosen >= 0) & (chosen < masks.shape[1])
    legal = inside & masks[rows, np.where(inside, chosen, 0)]
    if not legal.all():
        place = int(np.flatnonzero(~legal)[0])
        raise _illegal(place, int(chosen[place]), rules)
    chances = np.zeros(masks.shape)
    chances[rows, chosen] = 1
    return chances


def _illegal(place: int, action: int, rules: RuleSet) -> IllegalMove:
    move = move_of(action, rules)  # raises its own error for an invalid action number
    return IllegalMove(
        f"the policy plays {move}, action {action}, where it is illegal (row {place})"
    )


def draw(chances: NDArray[np.float64], chance: np.random.Generator) -> NDArray[np.int64]:
    """A random action for each row of probabilities (n, actions); never one of probability 0."""
    sums = chances.cumsum(axis=1)
    draws = chance.random(len(chances))[:, None]
    drawn: NDArray[np.int64] = (sums <= draws * sums[:, -1:]).sum(axis=1)
    return drawn


def random_policy(planes: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A uniformly random legal action."""
    chances: NDArray[np.float64] = masks / masks.sum(axis=1, keepdims=True)
    return chances


def one_ply_policy(rules: str | RuleSet) -> Policy:
    """Looks one move ahead: wins at once if it can, does not lose at once if it can help it, and
    is otherwise indifferent."""
    loaded = load_rules(rules)

    def choose(planes: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        children = expand(*words_of(planes, loaded), loaded)
        rewards = np.full(masks.shape, -2)
        verdicts = np.array([kernel.verdict(state) for state in range(kernel.STATES)])
        rewards[children.parents, children.actions] = verdicts[children.ends]
        return random_policy(planes, rewards == rewards.max(axis=1, keepdims=True))

    return choose


def player_policy(player: Player, rules: str | RuleSet) -> Policy:
    """A player of the engine, asked about one position at a time, without history."""
    loaded = load_rules(rules)

    def choose(planes: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        owns, opps = words_of(planes, loaded)
        actions = np.empty(len(owns), np.int64)
        for place, (own, opp) in enumerate(zip(owns.tolist(), opps.tolist(), strict=True)):
            game = Game(start=Position.from_movers_words(own, opp, loaded), touch_move=False)
            actions[place] = action_of(player.choose(game), loaded)
        return actions

    return choose
