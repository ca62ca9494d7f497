"""The article about the fairest game says what the committed atlas says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nestline.atlas.known import committed_atlas, known_game
from nestline.atlas.page import BASE, pairs
from nestline.atlas.table import Row
from support.helpers import built_rules

ARTICLE = Path(__file__).parents[2] / "docs" / "research" / "fairest.md"
ALL = list(committed_atlas())


def fields(row: Row) -> dict[str, Any]:
    return row.game.fields()


def is_ordinary(row: Row) -> bool:
    """Whether a game has the lines and the covering of Gobblet Gobblers, and no odd reveals."""
    odd = ("line_sizes", "wrap", "misere", "cover", "reveal")
    found = fields(row)
    return found["both_lines"] != "draw" and all(found[key] == BASE[key] for key in odd)


ROWS = [row for row in ALL if is_ordinary(row)]
ODD = [row for row in ALL if not is_ordinary(row)]


def variant(**changes: Any) -> Row:
    """What the atlas knows about Gobblet Gobblers with some fields changed."""
    row = known_game(built_rules(**changes))
    assert row is not None, changes
    return row


def line_of(stock: tuple[int, ...]) -> str:
    """The end of a row of the article's table."""
    row = variant(stock=stock)
    result = "draw" if row.value == "draw" else f"won in {row.distance}"
    return f"| {result} | {row.decided:.2%} | {row.longest_win} | {row.reachable:,} |".replace(
        "%", " %"
    )


MOVING = [row for row in ROWS if fields(row)["moving"]]
MOVING_3X3 = [row for row in MOVING if fields(row)["board"] == 3]
DRAWS_3X3 = [row for row in MOVING_3X3 if row.value == "draw"]


def count(rows: list[Any], is_counted: Callable[..., bool]) -> int:
    return sum(map(is_counted, rows))


def changed(both: list[tuple[Row, Row]], first: str, second: str) -> int:
    return count(both, lambda pair: (pair[0].value, pair[1].value) == (first, second))


def gained(pair: tuple[Row, Row]) -> int:
    """By how many plies the second win is faster."""
    first, second = (row.distance if row.value == "win" else None for row in pair)
    return 0 if first is None or second is None else first - second


def is_faster(pair: tuple[Row, Row]) -> bool:
    return gained(pair) > 0


def is_slower(pair: tuple[Row, Row]) -> bool:
    return gained(pair) < 0


def is_other(pair: tuple[Row, Row]) -> bool:
    return pair[0].value != pair[1].value


LINES = pairs(ROWS, "both_lines", "opponent", "mover")
EMPTY = pairs(MOVING_3X3, "place_onto", "smaller", "empty")
STAY = [pair for pair in pairs(ROWS, "moving", True, False) if fields(pair[0])["board"] == 3]
NO_MOVE = pairs(ROWS, "no_move", "loses", "draw")
STUCK_MOVING = [pair for pair in NO_MOVE if fields(pair[0])["moving"]]
STUCK = [pair for pair in NO_MOVE if not fields(pair[0])["moving"]]
FULL = pairs(ROWS, "draw_board_full", False, True)
PLACED = pairs(ROWS, "draw_all_placed", False, True)
WON_3X3 = [row for row in MOVING_3X3 if row.value == "win"]
JUDGED = [
    pair
    for key, first, second in (
        ("reveal", "loses", "forbidden"), ("reveal", "loses", "ignored"),
        ("both_lines", "opponent", "draw"),
    )
    for pair in pairs(ALL, key, first, second)
]  # fmt: skip


def moving_pairs(key: str, first: Any, second: Any) -> list[tuple[Row, Row]]:
    return [pair for pair in pairs(ALL, key, first, second) if fields(pair[0])["moving"]]


MISERE = moving_pairs("misere", False, True)
STILL_MISERE = [row for row in ALL if fields(row)["misere"] and not fields(row)["moving"]]
WRAP = moving_pairs("wrap", False, True)
NOT_COVERED = moving_pairs("cover", "any", "own") + moving_pairs("cover", "any", "none")

SENTENCES = [
    f"has {len(ALL):,} games of the family",
    f"The {len(ROWS):,} of them with ordinary lines",
    f"Of the {len(DRAWS_3X3)} games on 3x3 with moving pieces that are draws",
    *(f" {line_of(stock)}" for stock in ((2, 2, 2), (2, 1, 2), (2, 2, 1), (1, 2, 2), (1, 1, 2))),
    f"in {len(LINES)} pairs of games that differ in this rule alone",
    f"turned {changed(EMPTY, 'draw', 'win')} draws",
    f"in {len(EMPTY)} pairs; "
    f"{count(EMPTY, is_faster)}"
    f" of {changed(EMPTY, 'win', 'win')} wins became faster and {count(EMPTY, is_slower)} slower",
    f"of {len(STAY)} pairs on 3x3 {changed(STAY, 'win', 'draw')} wins become draws, "
    f"{changed(STAY, 'draw', 'win')} draws become wins, and in "
    f"{changed(STAY, 'win', 'loss') + changed(STAY, 'draw', 'loss')} games the player who begins",
    f"in {len(STUCK)} pairs a draw instead of a loss saved the player who begins in all "
    f"{changed(STUCK, 'loss', 'draw')} games that were lost, and the second player in "
    f"{changed(STUCK, 'win', 'draw')} of {count(STUCK, lambda pair: pair[0].value == 'win')}. ",
    f"changed {count(STUCK_MOVING, is_other)} results in {len(STUCK_MOVING)} pairs",
    f"saved the second player in {changed(FULL, 'win', 'draw')} of {len(FULL)} pairs and the "
    f"player who begins in {changed(FULL, 'loss', 'draw')};",
    f"in {changed(PLACED, 'win', 'draw')} of {len(PLACED)} and the other in "
    f"{changed(PLACED, 'loss', 'draw')}.",
    f"{len(MOVING)} such games are {count(MOVING, lambda row: row.value == 'win')} wins "
    f"and {count(MOVING, lambda row: row.value == 'draw')} draws.",
    f"All {count(ROWS, lambda row: row.value == 'loss')} games lost by the player who begins",
    f"longest won game takes {max(row.distance or 0 for row in ROWS if row.value == 'win')} plies",
    f"{count(WON_3X3, lambda row: row.distance == 9)} of {len(WON_3X3)} won games take exactly 9",
    f"that is won in {max(row.longest_win for row in ROWS)} plies and no sooner",
    f"{len(ODD)} games with odder rules",
    f"In {len(JUDGED)} pairs the result is always the same",
    f"All {count(ODD, lambda row: fields(row)['misere'] and fields(row)['moving'])} such games "
    f"in which pieces move are draws, and {changed(MISERE, 'win', 'draw')} of them",
    f"the player who begins wins {count(STILL_MISERE, lambda row: row.value == 'win')} of "
    f"{len(STILL_MISERE)} and loses {count(STILL_MISERE, lambda row: row.value == 'loss')}.",
    f"turned {changed(WRAP, 'draw', 'win')} draws of {len(WRAP)} games into wins",
    f"{changed(NOT_COVERED, 'win', 'draw')} wins all became draws, in {len(NOT_COVERED)} pairs",
    f"only {variant(stock=(1, 1, 1)).decided:.0%} of the placements".replace("%", " %"),
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_numbers_are_those_of_the_atlas(sentence: str) -> None:
    assert sentence in " ".join(ARTICLE.read_text("utf-8").split())


def test_the_fairest_game() -> None:
    sharpest = max(DRAWS_3X3, key=lambda row: row.decided)
    assert fields(sharpest)["stock"] == (2, 1, 2)
    fairest = variant(stock=(2, 1, 2))
    assert fairest.value == "draw"
    others = [row for row in DRAWS_3X3 if fields(row)["stock"] != (2, 1, 2)]
    assert fairest.decided > max(row.decided for row in others)
    assert fairest.first_moves == ("1a1", "3a1", "3b1", "3b2")
    assert variant(stock=(2, 2, 1)).first_moves == ("3a1", "3b1", "3b2")
    assert f"{fairest.decided:.1%}" == "99.7%" == f"{variant(stock=(2, 2, 1)).decided:.1%}"


@pytest.mark.parametrize("stock", [(2, 1, 2), (2, 2, 1)])
def test_where_new_pieces_may_go_decides_the_fairest_games(stock: tuple[int, ...]) -> None:
    empty, threat = (variant(stock=stock, place_onto=onto) for onto in ("empty", "threat"))
    assert (empty.value, empty.distance) == ("win", 9)
    assert (threat.value, threat.distance) == ("win", 13)


def test_what_decides_most_where_nothing_moves() -> None:
    def share(both: list[tuple[Row, Row]]) -> float:
        still = [pair for pair in both if not fields(pair[1])["moving"]]
        return count(still, is_other) / len(still)

    others = (pairs(ROWS, "place_onto", "smaller", "empty"), STAY, FULL, PLACED)
    assert share(STUCK) > max(map(share, others))


def test_who_never_wins_and_never_loses() -> None:
    assert all(first.value == second.value for first, second in LINES)
    assert sum(first.distance != second.distance for first, second in LINES) == 1
    assert changed(EMPTY, "win", "draw") == 0
    assert not any(row.value == "loss" for row in MOVING)
    lost = [row for row in ROWS if row.value == "loss"]
    assert all(fields(row)["no_move"] == "loses" and not fields(row)["moving"] for row in lost)
    # They run out of moves: where that is a draw, nobody beats them.
    assert {second.value for first, second in STUCK if first.value == "loss"} == {"draw"}
    assert variant(stock=(1, 1, 1)).longest_win == 1


def test_odder_rules() -> None:
    assert all(first.value == second.value for first, second in JUDGED)
    assert sum(first.distance != second.distance for first, second in JUDGED) == 1
    assert [sum(fields(row)["stock"]) > 5 for row in ODD].count(True) == 1
    moving = [row for row in ODD if fields(row)["moving"]]
    assert {row.value for row in moving if fields(row)["misere"]} == {"draw"}
    assert not any(row.value == "loss" for row in moving)
    assert changed(WRAP, "win", "draw") == 0
    assert changed(NOT_COVERED, "win", "win") == changed(NOT_COVERED, "draw", "win") == 0


def test_the_longest() -> None:
    longest = max(row.distance or 0 for row in ROWS if row.value == "win")
    long = [fields(row) for row in ROWS if row.value == "win" and row.distance == longest]
    assert {row["stock"] for row in long} == {(2, 1, 1), (1, 1, 1, 1)}
    assert all(row["place_onto"] == "empty" and row["draw_all_placed"] for row in long)
    slowest = [fields(row) for row in ROWS if row.longest_win == max(r.longest_win for r in ROWS)]
    assert [(row["stock"], row["place_onto"]) for row in slowest] == [((3, 4), "empty")]


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"both_lines": "mover"}, ("win", 13, 341_024_631, 27)),
        ({"place_onto": "threat"}, ("win", 13, 341_022_895, None)),
        ({"place_onto": "empty"}, ("win", 9, 341_018_099, None)),
        ({"reveal": "forbidden"}, ("win", 13, 263_096_473, None)),
        ({"moving": False, "repetition": 0, "no_move": "draw"}, ("draw", None, 148_599_441, None)),
        ({"moving": False, "repetition": 0, "draw_all_placed": True},
         ("draw", None, 148_599_441, None)),
    ],
    ids=str,
)  # fmt: skip
def test_facts_that_other_programs_found(
    changes: dict[str, Any], facts: tuple[str, int | None, int, int | None]
) -> None:
    row = variant(**changes)
    value, distance, reachable, longest = facts
    assert (row.value, row.distance, row.reachable) == (value, distance, reachable)
    assert longest is None or row.longest_win == longest
