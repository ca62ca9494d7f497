"""The rules in the page are those of the kernel: the same moves, results and dangers."""

import random
from pathlib import Path
from typing import Any

import pytest

from core.test_perft import SUITE, rules_of
from nestline.position import Position
from nestline.rules import RuleSet
from nestline.web.games.views import board_json, dangerous_moves, outcome_json
from support.helpers import FIVE_NAMES, random_position, random_rules, walked_position
from webassembly.conftest import Ask

SCRIPT = "law.mjs"


def told_natively(position: Position) -> dict[str, Any]:
    board, moves = board_json(position), position.legal_moves()
    after = [position.play(move) for move in moves]
    return {
        "stacks": board["stacks"],
        "reserves": board["reserves"],
        "outcome": outcome_json(position),
        "legal": [str(move) for move in moves],
        "dangerous": dangerous_moves(position, moves),
        "after": [board_json(each)["stacks"] for each in after],
        "illegal": [],
        "distinct": len({each.canonical() for each in after}),
        "perft": [],
    }


def compare(ask: Ask, positions: dict[RuleSet, list[Position]]) -> None:
    questions = [
        {"rules": rules.fields(), "boards": [board_json(each) for each in each_of_them]}
        for rules, each_of_them in positions.items()
    ]
    answers = ask(SCRIPT, questions)
    for (rules, asked), answer in zip(positions.items(), answers, strict=True):
        assert answer["lines"] == [list(line) for line in rules.line_squares]
        for position, told in zip(asked, answer["positions"], strict=True):
            assert told == told_natively(position), repr(position)


def some_positions(rules: RuleSet, chance: random.Random, count: int) -> list[Position]:
    most = 4 * rules.squares
    walked = [walked_position(rules, chance, chance.randint(0, most)) for _ in range(count // 2)]
    return walked + [random_position(rules, chance) for _ in range(count - count // 2)]


def test_the_five_sets(ask: Ask) -> None:
    chance = random.Random("the five in the page")
    compare(
        ask, {rules_of(name): some_positions(rules_of(name), chance, 40) for name in FIVE_NAMES}
    )


def test_random_sets(ask: Ask, tmp_path: Path) -> None:
    chance = random.Random("random sets in the page")
    sets = [random_rules(tmp_path, chance) for _ in range(30)]
    compare(ask, {rules: some_positions(rules, chance, 12) for rules in sets})


@pytest.mark.full
def test_many_positions_of_random_sets(ask: Ask, tmp_path: Path) -> None:
    chance = random.Random("many in the page")
    for _ in range(30):
        rules = random_rules(tmp_path, chance)
        compare(ask, {rules: some_positions(rules, chance, 1000)})


def check_perft(ask: Ask, most: int) -> None:
    """The suites, as far as they have at most this many nodes."""
    asked = [
        (count, [depth for depth, nodes in enumerate(count.numbers, 1) if nodes <= most])
        for count in SUITE
    ]
    questions = [
        {
            "rules": rules_of(count.name).fields(),
            "boards": [board_json(Position(count.position, rules_of(count.name)))],
            "depths": depths,
        }
        for count, depths in asked
    ]
    answers = ask(SCRIPT, questions)
    for (count, depths), answer in zip(asked, answers, strict=True):
        expected = [count.numbers[depth - 1] for depth in depths]
        assert answer["positions"][0]["perft"] == expected, count


def test_perft(ask: Ask) -> None:
    check_perft(ask, 200_000)


@pytest.mark.full
def test_perft_to_the_end(ask: Ask) -> None:
    check_perft(ask, 10**12)
