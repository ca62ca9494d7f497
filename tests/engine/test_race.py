"""Threads race: the first to finish a depth tells the others, which go on from its line."""

import pytest

from nestline import Game
from nestline.engine.choices import moves_of
from nestline.engine.search import workspace
from nestline.engine.search.alphabeta import MAX_DEPTH
from nestline.engine.search.engine import Engine, Limits
from nestline.engine.search.search_thread import SearchThread, Variation
from support.helpers import random_positions

DEPTH = 5


def two_threads(game: Game, variations: int = 1) -> tuple[Engine, SearchThread, SearchThread]:
    """The threads of an engine, which nobody has started."""
    engine = Engine(game.rules, threads=2, memory=2, seed=1, tables=False)
    moves = list(moves_of(game))
    words = game.position.words
    first, second = engine._begin(game, words, moves, variations, MAX_DEPTH, workspace.NEVER, 0)
    return engine, first, second


def deepen(thread: SearchThread, depth: int) -> tuple[Variation, ...]:
    found: tuple[Variation, ...] | None = ()
    while thread.depth < depth:
        found = thread.advance()
    assert found
    return found


@pytest.mark.parametrize("rules", ["gobblet", "gobblet-house", "gobblers"])
def test_who_is_overtaken_goes_on_from_the_line_of_the_faster_one(rules: str) -> None:
    game = Game(rules)
    _, first, second = two_threads(game)
    found = deepen(second, DEPTH)
    assert first.advance() is not None
    assert first.depth == 1, "the first depth is finished by every thread"
    nodes = first.nodes
    assert first.advance() == found
    assert first.depth == DEPTH
    assert first.nodes <= nodes + 3
    [deeper] = first.advance() or ()
    assert first.depth == DEPTH + 1
    assert deeper.move in game.legal_moves()


def test_what_two_threads_have_spoilt_by_writing_at_once_is_not_believed() -> None:
    game = Game("gobblet")
    for place in (workspace.RACE_SCORE, workspace.RACE_LINE, workspace.RACE_LINE + 1):
        engine, first, second = two_threads(game)
        deepen(second, DEPTH)
        first.advance()
        engine._workspaces[0].race[place] += 1
        [line] = first.advance() or ()
        assert first.depth == 2
        assert line.move in game.legal_moves()


def test_who_wants_several_lines_is_not_overtaken() -> None:
    _, first, second = two_threads(Game("gobblet"), variations=3)
    deepen(second, DEPTH)
    for depth in range(1, 4):
        lines = first.advance()
        assert lines
        assert first.depth == depth
        assert len({line.move for line in lines}) == 3


def test_a_stop_counts_for_who_is_overtaken_too() -> None:
    _, first, second = two_threads(Game("gobblet"))
    found = deepen(second, DEPTH)
    first.advance()
    first.stop()
    assert first.advance() in (found, None)
    assert first.advance() is None


@pytest.mark.parametrize("rules", ["gobblet", "gobblet-house"])
def test_three_threads_prove_nothing_else_than_one(rules: str) -> None:
    decided = 0
    for position in random_positions(rules, 24, seed=21):
        game, limits = Game(start=position), Limits(depth=4)
        alone, together = (
            Engine(rules, seed=1, tables=False, memory=2, threads=threads).think(game, limits)
            for threads in (1, 3)
        )
        assert together.move in game.legal_moves()
        if alone.plies_to_win:
            decided += 1
            assert together.plies_to_loss is None
        if alone.plies_to_loss:
            assert together.plies_to_win is None
    assert decided
