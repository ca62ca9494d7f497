"""The search against the tablebase: depth d finds exactly the wins within d plies."""

from pathlib import Path

import pytest

from nestline import Game, tables
from nestline.engine.search.engine import Engine, Limits
from support.helpers import random_positions

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
