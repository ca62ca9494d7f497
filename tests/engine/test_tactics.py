"""The tactical suites: enough of each length, all different, and confirmed by `prove`."""

from collections import Counter

import pytest

from nestline.engine.prove.prover import Prover
from support.helpers import Tactic, read_tactics

NAMES = ("gobblet", "gobblet-house")
LENGTHS = (3, 5, 7, 9)
SAMPLE = 25
"""A quick run proves one position in this many."""


def check(tactics: list[Tactic]) -> None:
    """The win takes exactly this many plies, and only the moves named win that soon."""
    prover = Prover(tactics[0].position.rules)
    for tactic in tactics:
        position = tactic.position
        assert prover.prove(position, tactic.plies).plies == tactic.plies, str(tactic)
        best = []
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome() is None and prover.prove(after, tactic.plies - 1, position.turn).win:
                best.append(move)
        assert tuple(best) == tactic.best, str(tactic)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_of_each_length_and_all_differ(name: str) -> None:
    tactics = read_tactics(name)
    counts = Counter(tactic.plies for tactic in tactics)
    assert set(counts) == set(LENGTHS)
    assert min(counts.values()) >= 50
    assert len({tactic.position.canonical() for tactic in tactics}) == len(tactics)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_true(name: str) -> None:
    check(read_tactics(name)[::SAMPLE])


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_are_true(name: str) -> None:
    check(read_tactics(name))
