"""The search against the tablebase: depth d finds exactly the wins within d plies."""

import random
from pathlib import Path
from typing import Any

import pytest

from nestline import Game, tables
from nestline.engine.search.engine import Engine, Limits
from nestline.solve.entry import distance_of, value_of
from nestline.solve.index import entry_of
from nestline.solve.retrograde import solve
from support.helpers import built_rules, random_position, random_positions, walked_position

MODES = {
    "plain": {},
    "two threads": {"threads": 2},
    "small memory": {"memory": 1},
    "no symmetry": {"symmetry": False},
    "large memory": {"memory": 64, "symmetry": True},
}


@pytest.mark.parametrize("rules", ["gobblers", "gobblers-official", "tictactoe"])
@pytest.mark.parametrize("mode", MODES)
def test_a_search_finds_exactly_the_wins_within_its_depth(
    rules: str, mode: str, standard_tables: Path
) -> None:
    engine = Engine(rules, seed=1, tables=False, **MODES[mode])  # type: ignore[arg-type]
    found = {"win": 0, "loss": 0, "neither": 0}
    with tables.open(rules, standard_tables) as table:
        for number, position in enumerate(random_positions(rules, 150, seed=len(mode))):
            depth = 1 + number % 6
            report = engine.think(Game(start=position), Limits(depth=depth))
            probe = table.probe(position)
            told = report.plies_to_win or report.plies_to_loss
            if probe.distance is not None and probe.distance <= depth:
                assert told == probe.distance, position
                assert (report.plies_to_win is None) == (probe.value == "loss")
                found[probe.value] += 1
            elif told is not None:
                # Quiescence search follows threats beyond the depth; what it finds there is true as
                # well.
                assert (report.plies_to_win is None) == (probe.value == "loss")
                assert probe.distance is not None
                assert told >= probe.distance > depth
            else:
                found["neither"] += 1
    assert min(found.values()) > (1 if rules == "tictactoe" else 5)


@pytest.mark.parametrize(
    "changes",
    [
        {"reveal": "forbidden"},
        {"reveal": "ignored", "both_lines": "mover"},
        {"reveal": "ignored", "both_lines": "mover", "same_square": True},
        {"both_lines": "draw"},
        {"cover": "opponent"},
        {"cover": "none", "place_onto": "empty"},
        {"line_sizes": "rising"},
        {"line_sizes": "equal", "stock": (3, 1)},
        {"wrap": True},
        {"misere": True, "line": 2},
        {"misere": True, "line": 2, "both_lines": "draw"},
    ],
    ids=str,
)
def test_a_search_is_right_about_rules_in_which_the_five_sets_are_alike(
    changes: dict[str, Any],
) -> None:
    """Wins and losses that it claims are true, and it finds those that are near."""
    rules = built_rules(**{"stock": (1, 1, 1), **changes})
    solution = solve(rules.law, threads=1)
    engine = Engine(rules, seed=1, tables=False, memory=1)
    chance = random.Random(str(changes))
    near = 0
    for number in range(120):
        position = (
            walked_position(rules, chance, chance.randint(3, 12))
            if number % 2
            else random_position(rules, chance)
        )
        if position.outcome() is not None:
            continue
        depth = 1 + number % 5
        report = engine.think(Game(start=position), Limits(depth=depth))
        code = int(solution.entries[entry_of(*position.words, solution.index)])
        told = 1 if report.plies_to_win else -1 if report.plies_to_loss else 0
        distance = distance_of(code)
        assert told in (0, value_of(code)), position
        if value_of(code) and distance is not None and distance <= depth:
            assert told == value_of(code), position
            near += 1
    assert near > 5
