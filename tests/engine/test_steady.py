"""Steady values: mirror images are worth the same, depths agree, every move has a value."""

import time

import pytest

from nestline import Game, Move, Position, load_rules, rule_set_names
from nestline.engine.search.engine import Engine, Limits, Report
from nestline.engine.search.tempo import parity_swings
from nestline.web.study.values import by_engine
from nestline.web.work.tablebases import Tablebases
from support.helpers import random_positions

NODES = 500_000
"""About as many as a second is enough for."""


def mirror_images(position: Position) -> list[set[Move]]:
    """The moves of a position in groups that lead to the same position but for a symmetry."""
    groups: dict[Position, set[Move]] = {}
    for move in position.legal_moves():
        groups.setdefault(position.play(move).canonical(), set()).add(move)
    return list(groups.values())


@pytest.mark.parametrize("rules", ["gobblet", "gobblet-house"])
def test_mirror_images_of_a_move_have_the_same_value(rules: str) -> None:
    """A position that is its own mirror image, with a transposition table filled unevenly."""
    position = Position("x3,b4/b3,x,w4,x/w3,b4,x2/w4,w3,b3,x w", rules)
    moves = position.legal_moves()
    for seed in range(3):
        engine = Engine(rules, seed=seed)
        engine.think(Game(start=position), Limits(depth=6))
        found = engine.think(Game(start=position), Limits(depth=4), variations=len(moves))
        scores = {line.move: line.score for line in found.variations}
        assert set(scores) == set(moves)
        groups = mirror_images(position)
        assert len(groups) == len(moves) / 2
        for group in groups:
            assert len({scores[move] for move in group}) == 1


@pytest.mark.parametrize("rules", rule_set_names())
def test_of_mirror_images_one_is_searched(rules: str) -> None:
    start = Position.start(rules)
    found = Engine(rules, seed=1, tables=False).think(Game(rules), Limits(depth=1))
    assert found.nodes < 2 * len(mirror_images(start)) < len(start.legal_moves())


def test_the_lines_of_mirror_images_can_be_played() -> None:
    game = Game("gobblet")
    found = Engine("gobblet", seed=1).think(game, Limits(depth=5), variations=16)
    for line in found.variations:
        played = game.copy()
        for move in line.moves:
            played.play(move)


def test_a_mirror_image_that_repeats_a_position_is_judged_by_itself() -> None:
    """P1's piece may go back to either of two mirror images; one position has been there twice."""
    game = Game("gobblet")
    for move in ("4a1", "4d4", "a1d1", "d4a4", "d1a1", "a4d4", "a1d1", "d4a4", "d1a1"):
        game.play(move)
    engine = Engine("gobblet", seed=1)
    found = engine.think(game, Limits(depth=2), variations=len(game.legal_moves()))
    scores = {str(line.move): line.score for line in found.variations}
    assert scores["a4d4"] == 0 != scores["4b1"]


@pytest.mark.parametrize("rules", ["gobblet", "gobblet-house"])
def test_scores_do_not_swing_with_the_parity_of_the_depth(rules: str) -> None:
    swings = list(parity_swings(load_rules(rules)))
    assert len(swings) > 20
    assert abs(sum(swings) / len(swings)) < 3


@pytest.mark.parametrize("rules", ["gobblet", "gobblet-house"])
def test_every_move_has_a_value_within_the_first_second(rules: str) -> None:
    """Of the processor, since others may use it too."""
    reports: list[tuple[float, Report]] = []

    def note(report: Report) -> None:
        reports.append((time.process_time(), report))

    engine = Engine(rules, seed=1)
    engine.think(Game(rules), Limits(depth=1), every_move=True)  # Loads the compiled search.
    for position in random_positions(rules, 5, seed=8):
        game = Game(start=position)
        reports.clear()
        began = time.process_time()
        engine.think(game, Limits(nodes=NODES), variations=2, every_move=True, report=note)
        assert reports[0][0] - began < 1
        for _, report in reports:
            study = by_engine(game, report, Tablebases())
            scores = [move["score"] for move in study["moves"]]
            assert len(scores) == len(game.legal_moves())
            assert None not in scores
            assert scores == sorted(scores, reverse=True)
