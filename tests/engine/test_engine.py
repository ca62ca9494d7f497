"""The engine: limits, stopping, variations, memory, threads, and every kind of rule set."""

import random
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from nestline import Game, GameError, Move, Position, kernel, rule_set_names
from nestline.engine.search import transposition
from nestline.engine.search.engine import Engine, Limits, Report, Stop
from nestline.engine.search.workspace import make_workspaces
from support.helpers import random_positions, random_rules


def engine_for(rules: str, **options: object) -> Engine:
    return Engine(rules, seed=1, tables=False, memory=2, **options)  # type: ignore[arg-type]


def replay(game: Game, moves: tuple[Move, ...]) -> Game:
    other = Game(start=game.position)
    for move in moves:
        other.play(move)
    return other


@pytest.mark.parametrize("rules", rule_set_names())
def test_every_depth_is_reported_with_a_line_that_can_be_played(rules: str) -> None:
    for position in random_positions(rules, 6, seed=3):
        game = Game(start=position)
        reports: list[Report] = []
        found = engine_for(rules).think(game, Limits(depth=4), report=reports.append)
        assert [report.depth for report in reports] == list(range(1, found.depth + 1))
        assert reports[-1].variations == found.variations
        for report in reports:
            end = replay(game, report.variations[0].moves)
            plies = report.plies_to_win or report.plies_to_loss
            if plies == len(report.variations[0].moves):
                assert end.outcome is not None
                assert (end.outcome.winner == game.turn) == (report.plies_to_win is not None)


@pytest.mark.parametrize("rules", ["gobblers", "gobblet", "gobblet-house"])
def test_the_same_seed_and_depth_on_one_thread_give_the_same_answer(rules: str) -> None:
    for position in random_positions(rules, 4, seed=5):
        game = Game(start=position)
        answers = {
            (found.variations, found.nodes)
            for found in (engine_for(rules).think(game, Limits(depth=5)) for _ in range(2))
        }
        assert len(answers) == 1


def test_variations_are_different_moves_in_the_order_of_their_scores() -> None:
    game = Game("gobblet")
    game.play("4a1")
    found = engine_for("gobblet").think(game, Limits(depth=4), variations=5)
    scores = [line.score for line in found.variations]
    assert len({line.move for line in found.variations}) == 5
    assert scores == sorted(scores, reverse=True)
    everything = engine_for("gobblet").think(game, Limits(depth=2), variations=1000)
    assert {line.move for line in everything.variations} == set(game.legal_moves())


def test_several_variations_agree_with_one() -> None:
    """In a full-width search, the best score does not depend on the number of variations."""
    for position in random_positions("gobblers", 10, seed=8):
        game = Game(start=position)
        one = engine_for("gobblers").think(game, Limits(depth=4))
        many = engine_for("gobblers").think(game, Limits(depth=4), variations=4)
        assert one.score == many.score


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_limit_on_nodes_is_kept(threads: int) -> None:
    found = engine_for("gobblet", threads=threads).think(Game("gobblet"), Limits(nodes=20_000))
    assert found.nodes <= 20_000 + 1000 * threads
    assert found.move in Game("gobblet").legal_moves()


def test_the_least_limits_still_give_a_move() -> None:
    for limits in (Limits(nodes=1), Limits(seconds=1e-9), Limits(depth=1)):
        found = engine_for("gobblet").think(Game("gobblet"), limits)
        assert found.depth >= 1
        assert found.move in Game("gobblet").legal_moves()


@pytest.mark.parametrize("threads", [1, 2])
def test_endless_thinking_stops_when_asked(threads: int) -> None:
    engine = engine_for("gobblet", threads=threads)
    deep = threading.Event()
    answers: list[Report] = []

    def think() -> None:
        answers.append(
            engine.think(
                Game("gobblet"), Limits(), report=lambda found: found.depth > 6 and deep.set()
            )
        )

    thread = threading.Thread(target=think)
    thread.start()
    assert deep.wait(120)
    asked = time.perf_counter()
    engine.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert time.perf_counter() - asked < 5
    assert answers[0].depth > 6


def test_a_stop_that_comes_before_the_thinking_is_not_lost() -> None:
    stop = Stop()
    stop.ask()
    found = engine_for("gobblet").think(Game("gobblet"), Limits(), stop=stop)
    assert found.depth == 1


def test_a_stop_for_one_thinking_does_not_touch_the_next() -> None:
    engine = engine_for("gobblet")
    stop = Stop()
    stop.ask()
    engine.think(Game("gobblet"), Limits(), stop=stop)
    engine.stop()  # Nothing is running.
    assert engine.think(Game("gobblet"), Limits(depth=4)).depth == 4


def test_the_solution_is_used_where_it_is_at_hand(standard_tables: Path) -> None:
    reports: list[Report] = []
    engine = Engine("gobblers", tables=standard_tables)
    found = engine.think(Game("gobblers"), Limits(depth=1), variations=2, report=reports.append)
    assert found.exact
    assert found.plies_to_win == 13
    assert reports == [found]
    assert len(found.variations) == 2
    assert replay(Game("gobblers"), found.variations[0].moves).outcome is not None


def test_only_some_moves_are_looked_at(standard_tables: Path) -> None:
    game = Game("gobblers")
    for tables in (False, standard_tables):
        found = Engine("gobblers", tables=tables).think(game, Limits(depth=2), only=(Move("1a1"),))
        assert found.move == Move("1a1")
        with pytest.raises(GameError, match="none of the moves"):
            Engine("gobblers", tables=tables).think(game, Limits(depth=2), only=(Move("a1b1"),))


def test_what_a_forgetful_player_has_in_mind_is_what_is_judged() -> None:
    """Lifting the 3 from a1 reveals a line; a player who has forgotten the 1 below sees no harm."""
    position = Position("w3,w2,x/x,b3,x/b1w3,b1,b2 w", rules="gobblers")
    game = Game(start=position)
    lifts = [move for move in game.legal_moves() if move.origin == "a1" and move.target == "c3"]
    own, opp = position.words
    truth = engine_for("gobblers").think(game, Limits(depth=1), only=lifts)
    assert truth.plies_to_loss == 1
    dreamt = engine_for("gobblers").think(
        game, Limits(depth=1), only=lifts, remembered=(own, opp & ~1)
    )
    assert dreamt.plies_to_loss is None


@pytest.mark.parametrize("seed", range(25))
def test_any_rule_set_can_be_thought_about(seed: int, tmp_path: Path) -> None:
    """Every move is legal, and a forced win in one or two is confirmed by trying everything."""
    chance = random.Random(seed)
    rules = random_rules(tmp_path, chance)
    engine = Engine(rules, memory=1, seed=seed, tables=False)
    game = Game(rules, ply_limit=40)
    while not game.outcome:
        found = engine.think(game, Limits(depth=3, nodes=3000), variations=chance.choice((1, 1, 3)))
        wins = [
            move
            for move in game.legal_moves()
            if (after := game.position.play(move).outcome()) and after.winner == game.turn
        ]
        if wins:
            assert found.plies_to_win == 1
            assert found.move in wins
        else:
            assert found.plies_to_win != 1
        game.play(found.move if chance.random() < 0.7 else chance.choice(game.legal_moves()))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": 0}, "more than 0 seconds"),
        ({"seconds": -1}, "more than 0 seconds"),
        ({"seconds": float("nan")}, "more than 0 seconds"),
        ({"depth": 0}, "between 1 and 60"),
        ({"depth": 61}, "between 1 and 60"),
        ({"nodes": 0}, "at least 1"),
    ],
)
def test_impossible_limits_are_refused(limits: dict[str, float], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Limits(**limits)  # type: ignore[arg-type]


def test_impossible_options_are_refused() -> None:
    for options, message in (
        ({"threads": 0}, "1 to 256 threads"),
        ({"memory": 0}, "1 to 65536 MiB"),
    ):
        with pytest.raises(GameError, match=message):
            Engine("gobblet", **options)  # type: ignore[arg-type]
    engine = engine_for("gobblet")
    with pytest.raises(GameError, match="plays gobblet, not gobblers"):
        engine.think(Game("gobblers"), Limits(depth=1))
    with pytest.raises(GameError, match="at least 1, not 0"):
        engine.think(Game("gobblet"), Limits(depth=1), variations=0)
    finished = Game("gobblet")
    finished.resign(finished.turn)
    with pytest.raises(GameError, match="resigned"):
        engine.think(finished, Limits(depth=1))


@pytest.mark.parametrize("symmetry", range(8))
def test_moves_come_back_through_the_inverse_symmetry(symmetry: int) -> None:
    back = transposition.inverse(symmetry)
    for move in range(kernel.MAX_MOVES):
        if move >> 4 < 20:
            there = transposition.move_through(move, symmetry, 4)
            assert transposition.move_through(there, back, 4) == move


def test_what_is_kept_is_found_again() -> None:
    table = transposition.make_table(1)
    chance = random.Random(1)
    kept = {}
    for _ in range(1000):
        key = transposition.key_of(chance.getrandbits(62), chance.getrandbits(62), 0, 4)
        entry = (chance.randint(-10_000, 10_000), chance.randint(0, 60), chance.randint(0, 2),
                 chance.randint(0, 320))  # fmt: skip
        transposition.keep(table, key, *entry, 3)
        kept[key] = entry
    found = 0
    for key, entry in kept.items():
        known = transposition.find(table, key)
        if known:
            found += 1
            assert entry == (
                transposition.score_in(known),
                transposition.depth_in(known),
                transposition.bound_in(known),
                transposition.move_in(known),
            )
    assert found == len(kept)
    assert transposition.find(table, 12345) == 0


def test_a_torn_entry_is_not_found() -> None:
    table = transposition.make_table(1)
    transposition.keep(table, 77, 5, 5, 0, 5, 0)
    assert transposition.find(table, 77)
    table[77 & (len(table) - 1), 0, 1] ^= 1 << 20
    assert transposition.find(table, 77) == 0


def test_words_are_plain_numbers() -> None:
    """Python writes to the workspace: nothing there may become a float."""
    for column in make_workspaces(1)[0]:
        assert column.dtype == np.int64
