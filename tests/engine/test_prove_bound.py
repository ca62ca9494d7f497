"""The capping game of the proofs' bound, against a second implementation without short cuts."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from nestline.compiled import compiled
from nestline.engine.prove import capping, forced
from support.helpers import built_rules

Squares = frozenset[int]


class State(NamedTuple):
    """The attacker's ledger and the defender's largest pieces."""

    base: Squares
    largest: Squares
    caps: Squares
    hand: int
    reserve: int


class Game:
    """The capping game by its rules: everything is tried, nothing is known."""

    def __init__(self, board: int, hard: Squares, may_pass: bool, onto_smaller: bool) -> None:
        cells = [(row, column) for row in range(board) for column in range(board)]
        self.squares = frozenset(range(board * board))
        ways = {tuple((row, each) for each in range(board)) for row in range(board)}
        ways |= {tuple((each, column) for each in range(board)) for column in range(board)}
        ways |= {tuple((each, each) for each in range(board))}
        ways |= {tuple((each, board - 1 - each) for each in range(board))}
        self.lines = [frozenset(cells.index(cell) for cell in way) for way in ways]
        self.hard, self.may_pass, self.onto_smaller = hard, may_pass, onto_smaller
        self.known: dict[tuple[State, int], bool] = {}

    def missing(self, state: State) -> list[Squares]:
        """What each line without a cap lacks."""
        ledger = state.base | state.largest
        return [line - ledger for line in self.lines if not line & state.caps]

    def gaps(self, state: State) -> Squares:
        return frozenset().union(*(each for each in self.missing(state) if len(each) == 1))

    def attacks(self, state: State) -> Iterator[State]:
        yield state
        for square in self.squares - state.caps - self.gaps(state):
            yield state._replace(base=state.base | {square})
            if square not in state.largest:
                more = state.largest | {square}
                if state.hand:
                    yield state._replace(largest=more, hand=state.hand - 1)
                for left in state.largest:
                    yield state._replace(largest=more - {left})

    def answers(self, state: State) -> Iterator[State]:
        if self.may_pass and not state.reserve:
            yield state
        for square in self.squares - state.caps - state.largest:
            more = state.caps | {square}
            if state.reserve and (self.onto_smaller or square not in state.base | self.hard):
                yield state._replace(caps=more, reserve=state.reserve - 1)
            for left in state.caps:
                yield state._replace(caps=more - {left})

    def attacker_fails(self, state: State, moves: int) -> bool:
        if (state, moves) not in self.known:
            self.known[state, moves] = moves == 0 or all(
                self.defender_holds(after, moves - 1) for after in self.attacks(state)
            )
        return self.known[state, moves]

    def defender_holds(self, state: State, moves: int) -> bool:
        if frozenset() in self.missing(state):
            return False
        return moves == 0 or any(
            frozenset() not in self.missing(after)
            and not self.gaps(after)
            and self.attacker_fails(after, moves)
            for after in self.answers(state)
        )


@compiled
def survives(
    attacks: int, base: int, largest: int, caps: int, hard: int, hand: int, reserve: int,
    moves: int, passes: int, lines: capping.Lines, control: forced.Words,
) -> bool:  # fmt: skip
    return capping.survives(
        attacks, base, largest, caps, hard, hand, reserve, moves, passes, lines, control
    )


def mask(squares: Squares) -> int:
    return sum(1 << square for square in squares)


@pytest.mark.parametrize(("board", "most"), [(3, 4), (4, 2)])
def test_the_capping_game_is_solved_as_by_trying_everything(board: int, most: int) -> None:
    chance = random.Random(f"capping {board}")
    lines = capping.lines_of(built_rules(board=board, line=board).law, 1)
    control = np.zeros(forced.CONTROLS, np.int64)
    found = {True: 0, False: 0}
    few = (0, 3) if board == 3 else (4, 7)
    for number in range(160 if board == 3 else 100):
        order = chance.sample(range(board * board), board * board)
        counts = [chance.randint(*limits) for limits in (few, (0, 2), (0, 2))]
        base, largest, caps = (
            frozenset(order[sum(counts[:each]) : sum(counts[: each + 1])]) for each in range(3)
        )
        hidden = frozenset(chance.sample(sorted(largest | caps), min(1, len(largest | caps))))
        state = State(base | hidden, largest, caps, chance.randint(0, 1), 2 - len(caps))
        hard = frozenset(chance.sample(order, 2)) if chance.random() < 0.5 else frozenset()
        game = Game(board, hard, bool(number & 1), bool(number & 2))
        attacks, moves = number >> 2 & 1, chance.randint(1, most)
        if frozenset() in game.missing(state) or (attacks and game.gaps(state)):
            continue
        expected = (
            game.attacker_fails(state, moves) if attacks else game.defender_holds(state, moves)
        )
        words = (mask(state.base), mask(largest), mask(caps), mask(hard))
        passes = number & 3
        assert expected == survives(
            attacks, *words, state.hand, state.reserve, moves, passes, lines, control
        ), (state, game.__dict__, attacks, moves)  # fmt: skip
        found[expected] += 1
    assert min(found.values()) > 10, found
