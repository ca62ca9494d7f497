"""`threats` uses a look-up table, for speed; the rule itself is the kernel's."""

import random
from collections.abc import Iterable
from itertools import islice, repeat
from typing import Any

import numpy as np
import pytest

import naive_rules as naive
from nestline import Position, Side, kernel
from nestline.rules import RuleSet
from nestline.threats import HAS_LINE, NO_MOVE, completing_squares, fill_completing, winning_move
from support.helpers import (
    built_rules,
    random_fields,
    random_position,
    random_positions,
    random_stacks,
    walked_position,
)


def check(positions: Iterable[Position]) -> dict[bool, int]:
    """Compare with playing every move; count the positions with a winning move and without."""
    seen = {True: 0, False: 0}
    for position in positions:
        own, opp = position.words
        law = position.rules.law
        completing = completing_squares(law)
        shown = kernel.visible(own, opp)
        opponents = kernel.squares_of(kernel.visible(opp, own))
        gaps = int(completing[kernel.squares_of(shown)])
        moves = np.empty(kernel.MAX_MOVES, np.int64)
        wins = [
            move
            for move in moves[: kernel.legal_moves(own, opp, law, moves)].tolist()
            if kernel.verdict(kernel.decision(opp, kernel.play(own, move), law)) > 0
        ]
        if gaps:
            move = winning_move(own, opp, shown, opponents, gaps, law, completing)
            assert move in (wins or [NO_MOVE]), position
        else:
            assert not wins, position
        seen[bool(wins)] += 1
    return seen


def generated(count: int) -> Iterable[RuleSet]:
    """Rule sets on boards with small tables."""
    for seed in range(count):
        fields = random_fields(random.Random(f"threats {seed}"))
        if fields["board"] in (2, 3):
            yield built_rules(**fields)


@pytest.mark.parametrize("name", ["gobblers", "gobblers-official", "gobblet", "gobblet-house"])
def test_winning_moves_of_games(name: str) -> None:
    assert min(check(random_positions(name, 400, seed=9)).values()) > 25


def test_winning_moves_in_generated_rule_sets() -> None:
    chance = random.Random("winning moves")
    seen = {True: 0, False: 0}
    for rules in generated(150):
        dropped = [random_position(rules, chance) for _ in range(12)]
        walked = [walked_position(rules, chance, plies) for plies in range(4, 12)]
        found = check(each for each in dropped + walked if each.outcome() is None)
        for wins, count in found.items():
            seen[wins] += count
    assert min(seen.values()) > 100


IGNORED = {"reveal": "ignored", "both_lines": "mover"}


@pytest.mark.parametrize("stock", [(1, 1, 1), (1, 1, 1, 1), (2, 2, 2)])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"both_lines": "mover"},
        {"reveal": "forbidden"},
        {"same_square": True},
        IGNORED,
        {**IGNORED, "same_square": True},
    ],
)
def test_winning_moves_when_every_piece_is_on_the_board(
    stock: tuple[int, ...], changes: dict[str, Any]
) -> None:
    rules = built_rules(stock=stock, **changes)
    chance = random.Random(f"{stock} {changes}")
    dropped = (
        Position.from_stacks(random_stacks(rules, chance, 30), Side(chance.randint(0, 1)), rules)
        for _ in repeat(None)
    )
    assert check(islice((each for each in dropped if each.outcome() is None), 60))[True] > 10


def test_a_piece_wins_on_the_line_that_it_reveals() -> None:
    """b1a1 completes the first column, and the line of the opponent's in the first row goes."""
    rules = built_rules(stock=(1, 1, 1))
    assert check([Position("w2,x2/w1,x2/b1,b2w3,b3 w", rules)]) == {True: 1, False: 0}


def test_the_mover_wins_with_a_line_beside_the_one_that_is_revealed() -> None:
    """c3c1 completes the first row, and reveals the opponent's line in the third."""
    rules = built_rules(stock=(3, 1), both_lines="mover")
    position = Position("b1,b1,b1w2/x,w1b2,x/w1,w1,x w", rules)
    assert check([position]) == {True: 1, False: 0}


@pytest.mark.parametrize(
    ("board", "line", "misere"),
    [(1, 1, False), (2, 2, False), (3, 3, False), (3, 2, True), (4, 2, False)],
)
def test_completing_squares(board: int, line: int, misere: bool) -> None:
    law = built_rules(board=board, line=line, misere=misere).law
    lines = [sum(1 << square for square in squares) for squares in naive.lines_of(board, line)]
    bits = [1 << square for square in range(board * board)]

    def has_line(mask: int) -> bool:
        return any(mask & each == each for each in lines)

    # The first masks of a large board do; the last of them have a line with its last square.
    completing = np.full(min(1 << len(bits), 1100), -1, np.int32)
    fill_completing(completing, law)
    for mask, found in enumerate(completing.tolist()):
        completed = sum(bit for bit in bits if misere or has_line(mask | bit))
        assert found == completed + HAS_LINE * has_line(mask)
    if board < 4:
        assert (completing_squares(law) == completing).all()
    assert max(bits) < HAS_LINE
