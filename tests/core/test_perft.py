"""Perft: the numbers of `suites/*.perft`, by the kernel and by the naive rules.

One wrong move anywhere in the tree changes a number. `test_against_naive_rules` compares the moves
themselves, and how games end.
"""

import random
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import naive_rules
from nestline import kernel
from nestline.perft import count_sequences
from nestline.position import Position
from nestline.rules import RuleSet, load_rules, rule_set_names
from support.helpers import naive_rules_of, random_position, random_rules, walked_position

SUITES = Path(__file__).parents[1] / "suites"

NAIVE_NODES = 15_000
"""The naive rules count up to this many sequences."""

RULE_BOOK = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "gobblers": [27, 675, 20313, 572472, 16635384, 442903368],
    "gobblet": [16, 240, 10080, 406560, 19024320],
    "gobblet-house": [16, 240, 10080, 409920, 19420800],
}


class Count(NamedTuple):
    """One line of a suite."""

    name: str
    position: str
    numbers: tuple[int, ...]


@cache
def rules_of(name: str) -> RuleSet:
    """The rule set a suite is named after: a file beside it, or a shipped one."""
    own = SUITES / f"{name}.toml"
    return load_rules(str(own)) if own.exists() else load_rules(name)


def read_suite(path: Path) -> list[Count]:
    counts = []
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            position, numbers = re.split(r"\s{2,}", line.strip(), maxsplit=1)
            counts.append(Count(path.stem, position, tuple(map(int, numbers.split()))))
    return counts


SUITE = [count for path in sorted(SUITES.glob("*.perft")) for count in read_suite(path)]
EVERY_LINE = pytest.mark.parametrize("count", SUITE, ids=lambda count: f"{count[0]}: {count[1]}")


def perft(position: Position, depth: int) -> int:
    return count_sequences(position, depth).nodes


def test_the_suites_are_complete() -> None:
    """Every shipped set has a suite with the start and middle games; nothing was misread."""
    by_name = {name: [c for c in SUITE if c.name == name] for name in rule_set_names()}
    for counts in by_name.values():
        assert counts[0].position == "start"
        assert len(counts) >= 6


@pytest.mark.parametrize("name", RULE_BOOK)
def test_the_suites_hold_the_numbers_of_the_rule_book(name: str) -> None:
    start = next(count for count in SUITE if (count.name, count.position) == (name, "start"))
    assert list(start.numbers) == RULE_BOOK[name]


@EVERY_LINE
def test_kernel(count: Count) -> None:
    position = Position(count.position, rules_of(count.name))
    moves = np.empty((len(count.numbers), kernel.MAX_MOVES), np.int64)
    for depth, number in enumerate(count.numbers, 1):
        assert kernel.perft(*position.words, position.rules.law, depth, moves) == number


@EVERY_LINE
def test_count_sequences(count: Count) -> None:
    position = Position(count.position, rules_of(count.name))
    for depth, number in enumerate(count.numbers[:4], 1):
        assert perft(position, depth) == number


@EVERY_LINE
def test_naive_rules_count_the_same(count: Count) -> None:
    rules = naive_rules_of(rules_of(count.name))
    text = str(Position(count.position, rules_of(count.name)))
    state = naive_rules.parse(rules, text)
    for depth, number in enumerate(count.numbers, 1):
        if number > NAIVE_NODES:
            break
        assert naive_rules.perft(rules, state, depth) == number


@EVERY_LINE
def test_all_images_have_the_same_numbers(count: Count) -> None:
    position = Position(count.position, rules_of(count.name))
    for image in position.symmetries():
        assert (
            tuple(perft(image, depth) for depth in (1, 2, 3)[: len(count.numbers)])
            == (count.numbers[:3])
        )


def kernel_moves(position: Position) -> list[int]:
    moves = np.full(kernel.MAX_MOVES, -1, np.int64)
    number = kernel.legal_moves(*position.words, position.rules.law, moves)
    assert (moves[number:] == -1).all(), "the kernel wrote beyond the moves it reported"
    return moves[:number].tolist()  # type: ignore[no-any-return]


def check_moves(position: Position) -> None:
    codes = kernel_moves(position)
    assert kernel.count_moves(*position.words, position.rules.law) == len(codes)
    assert codes == sorted(set(codes)), "in rising order, each once"


@pytest.mark.parametrize("name", [*rule_set_names(), "short-lines"])
def test_count_moves_counts_legal_moves(name: str) -> None:
    chance = random.Random(f"counting in {name}")
    rules = rules_of(name)
    for plies in range(60):
        check_moves(walked_position(rules, chance, plies % 30))
        check_moves(random_position(rules, chance))


def test_count_moves_in_generated_rule_sets(tmp_path: Path) -> None:
    chance = random.Random("counting in custom sets")
    for _ in range(100):
        rules = random_rules(tmp_path, chance)
        for _ in range(10):
            check_moves(random_position(rules, chance))


def test_the_numbers_behind_each_first_move() -> None:
    """What `perft --divide` shows: a number for each legal move, counted by the naive rules."""
    for name in ("gobblers", "gobblet", "short-lines"):
        fields = naive_rules_of(rules_of(name))
        for count in [count for count in SUITE if count.name == name][1:4]:
            state = naive_rules.parse(fields, count.position)
            found = count_sequences(Position(count.position, rules_of(name)), 2)
            assert {str(move): number for move, number in found.by_move.items()} == {
                move: naive_rules.perft(fields, naive_rules.apply(fields, state, move), 1)
                for move in naive_rules.possible_moves(fields, state)
            }


def test_depth_nought() -> None:
    assert perft(Position.start("gobblers"), 0) == 1


def test_perft_of_a_finished_game() -> None:
    """A finished game has no continuation; a full board does not end the count."""
    line = Position("w1,w2,w3/x3/b1,b2,x b", rules="gobblers")
    assert [perft(line, depth) for depth in (0, 1, 2, 3)] == [1, 0, 0, 0]
    full = Position("w4,w4,b4,b4/b4,b3,w4,w3/w3,w3,b3,b3/b2,b2,w2,w2 b", rules="gobblet-house")
    assert full.outcome() is not None
    assert full.legal_moves() == ()
    rules = naive_rules_of(full.rules)
    assert perft(full, 2) == naive_rules.perft(rules, naive_rules.parse(rules, str(full)), 2) > 0
