"""Numbers of Gobblet Gobblers and its variants that independent programs have found, too."""

from typing import Any, NamedTuple

import pytest

from nestline.solve.entry import distance_of, value_of
from nestline.solve.groups.survey import survey
from support.helpers import built_rules


class Fact(NamedTuple):
    """A variant with its reachable positions up to symmetry, and the value of the start."""

    changes: dict[str, Any]
    reachable: int
    plies: int | None
    """In how many plies the first player wins; None for a draw."""


FACTS = [
    Fact({"both_lines": "mover"}, 341_024_631, 13),
    Fact({"place_onto": "threat"}, 341_022_895, 13),
    Fact({"place_onto": "empty"}, 341_018_099, 9),
    Fact({"reveal": "forbidden"}, 263_096_473, 13),
    Fact({"reveal": "ignored", "both_lines": "mover"}, 353_267_668, 13),
    Fact({"moving": False, "repetition": 0, "no_move": "draw"}, 148_599_441, None),
]


@pytest.mark.full
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: str(fact.changes))
def test_known_facts(fact: Fact) -> None:
    found = survey(built_rules(**fact.changes).law)
    assert found.reachable == fact.reachable
    assert value_of(found.start) == (0 if fact.plies is None else 1)
    assert fact.plies is None or distance_of(found.start) == fact.plies
    if fact.changes == {"both_lines": "mover"}:
        assert found.longest(1) == 27
    if fact.changes == {"reveal": "forbidden"}:
        assert found.longest(-1) == 26
