"""The tactical suites: enough of each length, all different, and confirmed by `prove`."""

from collections import Counter

import pytest

from nestline import Game, Position
from nestline.engine import Engine, Limits
from nestline.engine.prove.prover import Prover
from support.helpers import Tactic, read_tactics

NAMES = ("gobblet", "gobblet-house")
LEAST = {3: 50, 5: 50, 7: 50, 9: 50, 11: 5}
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
    assert set(counts) == set(LEAST)
    assert all(counts[plies] >= least for plies, least in LEAST.items())
    assert len({tactic.position.canonical() for tactic in tactics}) == len(tactics)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_true(name: str) -> None:
    check(read_tactics(name)[::SAMPLE])


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_are_true(name: str) -> None:
    check(read_tactics(name))


def test_a_nearer_win_is_not_overlooked() -> None:
    """The selective search finds a win in 11 plies here, and is content with it."""
    text = "b1w3b4,b2w3,w1b3w4,w3b4/b1w2,w1b2w4,w2b3,x/x,w2b4,x2/b1w4,w1b3,x,b2 b"
    position = Position(text, "gobblet")
    tactic = next(each for each in read_tactics("gobblet") if each.position == position)
    found = Engine("gobblet", seed=1).think(Game(start=position), Limits(nodes=3_000_000))
    assert found.plies_to_win == tactic.plies == 9
    assert found.move in tactic.best
