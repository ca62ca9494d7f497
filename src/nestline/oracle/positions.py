"""Many positions as two arrays of bitboards: their observations, and their successors.

Positions have no history here. Values and policies are left to the other modules.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.action_space import action_count, action_of_code, write_mask
from nestline.compiled import inlined
from nestline.observations import observation_shape, write_observation
from nestline.rules import RuleSet
from nestline.rules.law import Law

Words = NDArray[np.int64]


class Children(NamedTuple):
    """The positions after every legal action of some positions; arrays of one length.

    They are ordered by parent, and for one parent by action. Finished parents have none.
    """

    parents: NDArray[np.int64]
    """Indices of the parents."""
    actions: NDArray[np.int64]
    owns: Words
    opps: Words
    ends: NDArray[np.uint8]
    """The states of the positions, as from `kernel.outcome`."""

    def only(self, marked: NDArray[np.bool_]) -> "Children":
        """The marked ones."""
        parents, actions, owns, opps = (part[marked] for part in self[:4])
        return Children(parents, actions, owns, opps, self.ends[marked])


@inlined
def _observe(owns: Words, opps: Words, law: Law, planes: NDArray[np.int8]) -> None:
    for place in range(len(owns)):
        write_observation(owns[place], opps[place], 1, law, 0, place, planes)


@inlined
def _mark(owns: Words, opps: Words, law: Law, masks: NDArray[np.bool_]) -> None:
    for place in range(len(owns)):
        if kernel.outcome(owns[place], opps[place], law) == kernel.ONGOING:
            write_mask(owns[place], opps[place], law, place, masks)


@inlined
def _count(owns: Words, opps: Words, law: Law, counts: NDArray[np.int64]) -> None:
    for place in range(len(owns)):
        own, opp = owns[place], opps[place]
        if kernel.outcome(own, opp, law) == kernel.ONGOING:
            counts[place] = kernel.count_moves(own, opp, law)


@inlined
def _expand(
    owns: Words, opps: Words, law: Law, counts: NDArray[np.int64], moves: NDArray[np.int64],
    children: Children,
) -> None:  # fmt: skip
    at = 0
    for place in range(len(owns)):
        if counts[place]:
            own, opp = owns[place], opps[place]
            kernel.legal_moves(own, opp, law, moves)
            for number in range(counts[place]):
                after = kernel.play(own, moves[number])
                children.parents[at] = place
                children.actions[at] = action_of_code(moves[number], law)
                children.owns[at] = opp
                children.opps[at] = after
                children.ends[at] = kernel.outcome(opp, after, law)
                at += 1


def observe(owns: Words, opps: Words, rules: RuleSet) -> NDArray[np.int8]:
    """What the players to move see, shape (n, planes, board, board), without repetitions."""
    shape = (len(owns), *observation_shape(rules))
    planes = np.empty(shape, np.int8)
    _observe(owns, opps, rules.law, planes.reshape(len(owns), -1))
    return planes


def legal_masks(owns: Words, opps: Words, rules: RuleSet) -> NDArray[np.bool_]:
    """Which actions are legal, shape (n, actions); none in finished positions."""
    masks = np.zeros((len(owns), action_count(rules)), np.bool_)
    _mark(owns, opps, rules.law, masks)
    return masks


def expand(owns: Words, opps: Words, rules: RuleSet) -> Children:
    """The positions after every legal action."""
    counts = np.zeros(len(owns), np.int64)
    _count(owns, opps, rules.law, counts)
    total = int(counts.sum())
    parents, actions, after_owns, after_opps = np.empty((4, total), np.int64)
    children = Children(parents, actions, after_owns, after_opps, np.empty(total, np.uint8))
    room = np.empty(kernel.MAX_MOVES, np.int64)
    _expand(owns, opps, rules.law, counts, room, children)
    return children
