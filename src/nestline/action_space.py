"""Moves as numbers for learning agents: one numbering for all environments and the oracle.

An action is `source * squares + target`. The sources are first the reserve, by size, then, where
pieces may move, the squares of the board; targets are squares; squares count from a1 along the
rows. Identical pieces share an action, and the number of a move depends only on the rule set's
board, sizes and whether pieces move. So a vector of all actions can be viewed as an array of shape
(sources, board, board).

>>> rules = load_rules("gobblers")
>>> action_count(rules)
108
>>> action_of("3b2", rules), action_of("a1c3", rules)
(22, 35)
>>> move_of(22, rules)
Move("3b2")
>>> legal_actions(Position.start(rules)) == list(range(27))
True

The kernel knows which actions are legal; `observations` defines what agents see.
"""

import operator
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.errors import IllegalMove, ShapeError
from nestline.position import Move, Position, code_of_move, move_of_code
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law


@inlined
def source_count(law: Law) -> int:
    """How many sources a rule set has: its sizes, plus its squares where pieces move."""
    return law.sizes + law.moving * law.board * law.board


@inlined
def code_of_action(action: int, law: Law) -> int:
    """The kernel's code for an action; -1 for an invalid number."""
    squares = law.board * law.board
    if action < 0 or action >= source_count(law) * squares:
        return -1
    source = action // squares
    if source >= law.sizes:
        source += kernel.FIRST_BOARD_SOURCE - law.sizes
    return source * 16 + action % squares


@inlined
def action_of_code(code: int, law: Law) -> int:
    """The action for one of the kernel's codes."""
    source = code >> 4
    if source >= kernel.FIRST_BOARD_SOURCE:
        source += law.sizes - kernel.FIRST_BOARD_SOURCE
    return source * law.board * law.board + (code & 15)


@inlined
def write_mask(own: int, opp: int, law: Law, game: int, masks: NDArray[np.bool_]) -> None:
    """Mark the legal actions of an unfinished position in row `game` of (games, actions)."""
    squares = law.board * law.board
    shown = kernel.movable(own, opp, law)
    free = kernel.landings(own, opp, law)
    placing = kernel.placing_squares(own, opp, law)
    for index in range(source_count(law)):
        source = index if index < law.sizes else index - law.sizes + kernel.FIRST_BOARD_SOURCE
        targets = kernel.targets_of(source, own, shown, free, placing, law)
        for square in range(squares):
            masks[game, index * squares + square] = targets >> square & 1 != 0


def action_count(rules: str | RuleSet) -> int:
    """How many actions a rule set has; they are numbered from 0."""
    law = load_rules(rules).law
    return source_count(law) * law.board * law.board


def action_of(move: Move | str, rules: str | RuleSet) -> int:
    """The action of a move, or of its text in any spelling; it need not be legal."""
    loaded = load_rules(rules)
    found = Position.start(loaded).read_move(move) if isinstance(move, str) else move
    if {found.origin or found.target, found.target} <= set(loaded.square_names):
        code = code_of_move(loaded, found)
        action = action_of_code(code, loaded.law)
        if code_of_action(action, loaded.law) == code:
            return action
    raise IllegalMove(f"{found} is not a move of {loaded.name}, whatever the position")


def checked_action(action: Any) -> int:
    """An action as an int; `ShapeError` for anything else."""
    try:
        return operator.index(action)
    except TypeError:
        raise ShapeError(f"an action is a whole number, not {action!r}") from None


def move_of(action: int, rules: str | RuleSet) -> Move:
    """The move of an action; `str` gives its notation."""
    loaded = load_rules(rules)
    number = checked_action(action)
    if not 0 <= number < action_count(loaded):
        raise IllegalMove(
            f"there is no action {number} in {loaded.name}; actions are 0 to "
            f"{action_count(loaded) - 1}"
        )
    return move_of_code(loaded.board, code_of_action(number, loaded.law))


def legal_actions(position: Position) -> list[int]:
    """The legal actions of a position, in ascending order."""
    return actions_of(position.legal_moves(), position.rules)


def actions_of(moves: Iterable[Move | str], rules: str | RuleSet) -> list[int]:
    """The actions of several moves."""
    return [action_of(move, rules) for move in moves]


@lru_cache
def action_names(rules: str | RuleSet) -> tuple[str, ...]:
    """The notation of every action, in order."""
    return tuple(str(move_of(action, rules)) for action in range(action_count(rules)))
