"""The levels in words: each has a name of its own, and ratings are those that were measured."""

import re
from pathlib import Path

import pytest

from nestline import load_rules, rule_set_names
from nestline.engine.players.level_names import levels_of
from nestline.engine.players.level_words import strengths_of

RESULTS = (Path(__file__).parents[2] / "docs" / "research" / "results.md").read_text("utf-8")


@pytest.mark.parametrize("is_solved", [True, False])
@pytest.mark.parametrize("name", rule_set_names())
def test_every_level_has_a_name_and_a_sentence(name: str, is_solved: bool) -> None:
    rules = load_rules(name)
    strengths = strengths_of(rules, is_solved)
    assert tuple(each.level for each in strengths) == levels_of(rules, is_solved)
    assert len({each.title for each in strengths}) == len(strengths)
    assert all(each.words.endswith(".") for each in strengths)
    ratings = [each.rating for each in strengths if each.rating is not None]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("name", ["tictactoe", "gobblers"])
def test_ratings_are_the_measured_ones(name: str) -> None:
    table = RESULTS.split(f"`{name}`:\n\n", 1)[1].split("\n\n", 1)[0]
    steps = [int(step) for step in re.findall(r"\| \+(\d+) ± \d+ \|$", table, re.MULTILINE)]
    expected, total = [0], 0
    for step in steps:
        total += step
        expected.append(total)
    assert [each.rating for each in strengths_of(load_rules(name), is_solved=True)] == expected
    # Without the tablebase other levels come last, which nobody has measured.
    unsolved = [each.rating for each in strengths_of(load_rules(name), is_solved=False)]
    assert unsolved == expected[:-1] + [None] * (len(unsolved) - len(expected) + 1)


@pytest.mark.parametrize(
    ("name", "begins", "ends", "last"),
    [
        ("gobblet", "`gobblet`: the levels", "`gobblet-house` has", "16"),
        ("gobblet-house", "`gobblet-house` has", "### Baselines", "8"),
    ],
)
def test_ratings_of_the_large_board_are_the_measured_ones(
    name: str, begins: str, ends: str, last: str
) -> None:
    tables = RESULTS.split(begins, 1)[1].split(ends, 1)[0]
    row = r"^\| (\S+) over [^|]+\|.*\| \+(\d+) ± \d+ \|$"
    steps = {higher: int(elo) for higher, elo in re.findall(row, tables, re.MULTILINE)}
    total = 0
    for each in strengths_of(load_rules(name), is_solved=False):
        total += steps.get(each.level, 0)
        assert each.rating == (total if each.level in {"random", *steps} else None)
    assert last in steps
