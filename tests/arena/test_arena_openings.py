"""Openings: random, undecided, no two alike, and always the same for a seed."""

import random
from pathlib import Path

import pytest

from nestline import Game, NestlineError, Position, load_rules, rule_set_names, tables
from nestline.arena.openings import Opening, make_openings, read_openings, usual_plies
from nestline.rules import RuleSet
from support.helpers import custom_rules, random_rules


def reached(rules: RuleSet, opening: Opening) -> Position:
    position = Position.start(rules)
    for move in opening.moves:
        position = position.play(move)
    return position


def wins_at_once(position: Position) -> bool:
    outcomes = (position.play(move).outcome() for move in position.legal_moves())
    return any(outcome and outcome.winner == position.turn for outcome in outcomes)


@pytest.mark.parametrize("name", rule_set_names())
@pytest.mark.parametrize("plies", [None, 1, 3])
def test_openings_are_undecided_and_different_up_to_symmetry(name: str, plies: int | None) -> None:
    rules = load_rules(name)
    openings = make_openings(rules, 40, plies=plies, seed=5)
    assert len(openings) == 40
    assert {len(opening.moves) for opening in openings} == {
        usual_plies(rules) if plies is None else plies
    }
    positions = [reached(rules, opening) for opening in openings]
    different = len({min(image.symmetries()) for image in positions})
    assert different == len(set(openings))
    assert not any(position.outcome() or wins_at_once(position) for position in positions)
    # Nor does every move lose at once.
    for position in positions:
        after = [position.play(move) for move in position.legal_moves()]
        assert not all(other.outcome() or wins_at_once(other) for other in after)


def test_openings_depend_on_the_seed_and_on_nothing_else() -> None:
    rules = load_rules("gobblet")
    assert make_openings(rules, 30, seed=1) == make_openings(rules, 30, seed=1)
    assert make_openings(rules, 30, seed=1) != make_openings(rules, 30, seed=2)
    assert make_openings(rules, 30, seed=1)[:10] == make_openings(rules, 10, seed=1)


def test_where_there_are_few_openings_they_are_repeated_in_order() -> None:
    openings = make_openings(load_rules("tictactoe"), 30, plies=2)
    assert len(set(openings)) == 12  # corner, edge and middle with 5, 5 and 2 answers
    assert openings[:12] == openings[12:24]
    assert make_openings(load_rules("gobblers"), 3, plies=0) == [Opening()] * 3


def test_balanced_openings_are_drawn(standard_tables: Path) -> None:
    rules = load_rules("gobblers-official")
    with tables.open(rules, standard_tables) as table:
        openings = make_openings(rules, 10, plies=3, table=table)
        assert len(set(openings)) == 10
        assert {table.probe(reached(rules, opening)).value for opening in openings} == {"draw"}


def test_too_much_balance_is_refused(standard_tables: Path) -> None:
    with (
        tables.open("gobblers", standard_tables) as table,
        pytest.raises(NestlineError, match="gobblers has no balanced opening of 0 plies"),
    ):
        make_openings(load_rules("gobblers"), 1, plies=0, table=table)


def test_games_that_are_decided_at_once_begin_at_the_start(tmp_path: Path) -> None:
    rules = custom_rules(tmp_path, line=1)
    assert make_openings(rules, 2, plies=4) == [Opening()] * 2


def test_openings_do_not_end_by_repetition(tmp_path: Path) -> None:
    """Pieces that wander about return to the same position, which may be a draw."""
    rules = custom_rules(tmp_path, board=2, line=2, stock=[1], repetition=2)
    for seed in range(10):
        for opening in make_openings(rules, 5, plies=6, seed=seed):
            game = Game(rules)
            for move in opening.moves:
                assert not game.outcome
                game.play(move)
            assert not game.outcome


def test_all_rules_have_openings(tmp_path: Path) -> None:
    for seed in range(20):
        rules = random_rules(tmp_path, random.Random(seed))
        openings = make_openings(rules, 3, plies=3, seed=seed)
        assert len(openings) == 3
        for opening in openings:
            assert len(opening.moves) <= 3
            assert not opening.moves or reached(rules, opening).outcome() is None


FILE = """
# My openings
1. 3b2 3a1 {a comment}
3b2 3a1 (1... 2a1) 2. 2c3 *
x3/x,w3,x/x3 b
[Rules "gobblers"] [Position "w1,x2/x3/x3 b"] 1... 3b2
x3/x3/x3 w
"""


def test_openings_are_read_from_a_file(tmp_path: Path) -> None:
    rules = load_rules("gobblers")
    (tmp_path / "openings.txt").write_text(FILE)
    openings = read_openings(tmp_path / "openings.txt", rules)
    assert [(list(map(str, opening.moves)), opening.start) for opening in openings] == [
        (["3b2", "3a1"], None),
        (["3b2", "3a1", "2c3"], None),
        ([], "x3/x,w3,x/x3 b"),
        (["3b2"], "w1,x2/x3/x3 b"),
        ([], None),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "openings.txt: this file has no opening"),
        ("# 3b2", "openings.txt: this file has no opening"),
        ("3b2\n3b2 3b2", r"openings.txt: line 2: move 1 of \w+: 3b2: b2 shows a size 3"),
        ("x3/x3 w", "openings.txt: line 1: "),
        ("what", "openings.txt: line 1: "),
        ("w1,w1,w2/x3/x3 b", "openings.txt: line 1: the game is over"),
        ('[Rules "gobblet"] 4a1', "line 1: this is a record of gobblet, not of gobblers"),
        ("\xff", "the openings are not UTF-8"),
    ],
)
def test_openings_that_cannot_be_played_are_refused(
    content: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "openings.txt").write_bytes(content.encode("latin-1"))
    with pytest.raises(NestlineError, match=message):
        read_openings(tmp_path / "openings.txt", load_rules("gobblers"))
    with pytest.raises(NestlineError, match="the openings cannot be read: no such file"):
        read_openings(tmp_path / "none.txt", load_rules("gobblers"))
