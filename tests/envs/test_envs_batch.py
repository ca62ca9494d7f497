"""Many games at once play like single games, step for step."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nestline import Game, GameError, Position, ShapeError, load_rules
from nestline.action_space import action_of, legal_actions
from nestline.envs.batch import Batch
from nestline.envs.batch.base import Tally, seeded_chance
from nestline.envs.batch.stepping import END_REASONS, mixed
from nestline.observations import observation_shape, write_observation
from nestline.rules import RuleSet
from support.env_games import PLY_LIMIT, STYLES, Played, play_game, played_games
from support.helpers import FIVE_NAMES, custom_rules, random_rules


def observation_of(position: Position, occurrences: int) -> np.ndarray:
    shape = observation_shape(position.rules)
    rows = np.zeros((1, int(np.prod(shape))), np.int8)
    write_observation(*position.words, occurrences, position.rules.law, 0, 0, rows)
    return rows[0].reshape(shape)


def replay(games: tuple[Played, ...], batch: Any, ply: int) -> None:
    """Compare one step of a batch that plays these games without auto-reset."""
    actions = [played.actions[ply] if ply < len(played.actions) else 0 for played in games]
    step = batch.step(actions)
    masks, planes = batch.legal_action_mask(), batch.observe()
    turns, occurrences, plies = batch.turns, batch.occurrences, batch.plies
    for game, played in enumerate(games):
        last = len(played.actions)
        now = played.plies[min(ply + 1, last)]
        position = batch.position(game)
        assert str(position) == now.position
        assert np.flatnonzero(masks[game]).tolist() == list(now.legal)
        assert (planes[game] == observation_of(position, now.occurrences)).all()
        assert (turns[game], occurrences[game]) == (now.turn, now.occurrences)
        assert plies[game] == min(ply + 1, last)
        over = ply + 1 >= last
        assert END_REASONS[step.ends[game]] == (played.reason if over else None)
        assert step.terminated[game] == (over and not played.truncated)
        assert step.truncated[game] == (over and played.truncated)
        mover = played.plies[ply].turn if ply < last else 0
        assert step.rewards[game] == (played.returns[mover] if ply + 1 == last else 0)
        assert not step.illegal[game]


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("tictactoe", {"line", "board-full"}),
        ("gobblers", {"line", "reveal", "repetition"}),
        ("gobblers-official", {"line", "reveal", "all-placed", "unfinished"}),
        ("gobblet", {"line", "reveal", "repetition", "unfinished"}),
        ("gobblet-house", {"line", "reveal", "board-full", "unfinished"}),
    ],
)
def test_the_games_played_everywhere_end_in_every_way(name: str, reasons: set[str]) -> None:
    games = played_games(name)
    assert {played.reason for played in games} >= reasons
    assert {played.winner for played in games} == {None, 0, 1}


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_games_run_like_single_ones(name: str) -> None:
    games = played_games(name)
    batch = Batch(name, len(games), ply_limit=PLY_LIMIT, auto_reset=False)
    for ply in range(max(len(played.actions) for played in games) + 1):
        replay(games, batch, ply)


def test_games_of_other_rule_sets_do_too(tmp_path: Path) -> None:
    chance = random.Random("batches of many rules")
    sets = [custom_rules(tmp_path, same_square=True, repetition=2)]
    sets += [random_rules(tmp_path, chance) for _ in range(2)]
    for rules in sets:
        games = tuple(play_game(rules, chance, 20, style) for style in STYLES * 2)
        batch = Batch(rules, len(games), ply_limit=20, auto_reset=False)
        for ply in range(max(len(played.actions) for played in games) + 1):
            replay(games, batch, ply)


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_a_game_that_ends_begins_anew_in_the_same_step(name: str) -> None:
    games = played_games(name)
    batch = Batch(name, 1, ply_limit=PLY_LIMIT)
    for played in games:
        for ply, action in enumerate(played.actions):
            assert str(batch.position(0)) == played.plies[ply].position
            step = batch.step([action])
            over = ply + 1 == len(played.actions)
            assert (step.terminated[0] or step.truncated[0]) == over
            assert END_REASONS[step.ends[0]] == (played.reason if over else None)
        assert batch.position(0) == Position.start(name)
        assert (batch.plies[0], batch.turns[0], batch.occurrences[0], batch.ends[0]) == (0, 0, 1, 0)


# Random play.


def chosen_by_hand(rules: RuleSet, seed: int, games: int, plies: int) -> Iterator[list[str]]:
    """What random play does, written with `Game` and Python integers."""
    sources = [int(source) % 2**64 for source in seeded_chance(seed, games)]
    running = [Game(rules, ply_limit=PLY_LIMIT) for _ in range(games)]
    for _ in range(plies):
        for number, game in enumerate(running):
            sources[number] = (sources[number] + 0x9E3779B97F4A7C15) % 2**64
            bits = sources[number]
            bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % 2**64
            bits ^= bits >> 31
            moves = game.legal_moves()
            game.play(moves[(bits >> 33) * len(moves) >> 31])
            if game.outcome:
                game.reset()
        yield [str(game.position) for game in running]


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_random_play_is_the_same_in_one_go_and_by_hand(name: str) -> None:
    games, plies = 5, 40
    one_by_one = Batch(name, games, seed=7, ply_limit=PLY_LIMIT)
    one_go = Batch(name, games, seed=7, ply_limit=PLY_LIMIT)
    ended = 0
    for expected in chosen_by_hand(load_rules(name), 7, games, plies):
        step = one_by_one.step(one_by_one.random_actions())
        ended += int((step.terminated | step.truncated).sum())
        assert [str(one_by_one.position(game)) for game in range(games)] == expected
    tally = one_go.random_steps(plies)
    assert [str(one_go.position(game)) for game in range(games)] == expected
    assert tally.games == ended == tally.first_won + tally.second_won + tally.drawn
    for ours, theirs in zip(one_go.state[:2], one_by_one.state[:2], strict=True):
        assert (ours == theirs).all()
    assert (one_go.state.chance == one_by_one.state.chance).all()


def test_random_playouts_end_every_game_and_count_them() -> None:
    batch = Batch("gobblers", 500, seed=3, auto_reset=False)
    tally = batch.random_steps(batch.ply_limit)
    assert isinstance(tally, Tally)
    assert tally.games == 500
    assert (batch.ends > 0).all()
    by_hand = [batch.position(game).outcome() for game in range(500)]
    winners = [outcome.winner for outcome in by_hand if outcome]
    assert (winners.count(0), winners.count(1)) == (tally.first_won, tally.second_won)
    assert min(tally.first_won, tally.second_won) > 100
    again = batch.random_steps(5)
    assert again.games == 0, "finished games stand still"


def test_random_moves_are_alike_probable() -> None:
    actions = Batch("gobblers", 27_000, seed=5).random_actions()
    counts = np.bincount(actions, minlength=108)
    assert counts[27:].sum() == 0
    assert counts[:27].min() > 1000 * 0.8
    assert counts[:27].max() < 1000 * 1.2


def test_a_seed_decides_and_can_be_given_again() -> None:
    first, second = Batch("gobblet", 50, seed=1), Batch("gobblet", 50, seed=2)
    assert (first.random_actions() != second.random_actions()).any()
    first.reset(seed=2)
    second.reset(seed=2)
    assert first.random_steps(60) == second.random_steps(60)
    assert (first.state.words == second.state.words).all()
    assert (Batch("gobblet", 50).random_actions() != Batch("gobblet", 50).random_actions()).any()


def test_the_mixing_is_that_of_splitmix64() -> None:
    """Reference numbers of the generator seeded with 1234567."""
    state, found = 1234567, []
    for _ in range(3):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        signed = state - 2**64 if state >= 2**63 else state
        found.append(mixed(signed) % 2**64)
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


# Threads, options, single games.


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_change_nothing(threads: int) -> None:
    alone = Batch("gobblet", 101, seed=4)
    shared = Batch("gobblet", 101, seed=4, threads=threads)
    for _ in range(30):
        actions = alone.random_actions()
        assert (shared.random_actions() == actions).all()
        for ours, theirs in zip(shared.step(actions), alone.step(actions), strict=True):
            assert (ours == theirs).all()
    assert shared.random_steps(50) == alone.random_steps(50)
    assert (shared.observe() == alone.observe()).all()
    assert (shared.legal_action_mask() == alone.legal_action_mask()).all()
    marks = np.arange(101) % 2 == 0
    shared.reset(marks)
    alone.reset(marks)
    assert (shared.state.words == alone.state.words).all()
    assert (alone.plies[marks] == 0).all()
    assert (alone.plies[~marks] > 0).any()


def test_a_batch_can_start_anywhere() -> None:
    start = Position("x3/x,b1w3,x/w2,x2 b", rules="gobblers")
    batch = Batch("gobblers", 2, start=start, ply_limit=3)
    assert batch.position(1) == start
    assert batch.turns.tolist() == [1, 1]
    assert np.flatnonzero(batch.legal_action_mask()[0]).tolist() == legal_actions(start)
    ended = np.zeros(2, np.bool_)
    for _ in range(3):
        step = batch.step(batch.random_actions())
        over = step.terminated | step.truncated
        assert all(batch.position(game) == start for game in np.flatnonzero(over))
        ended |= over
    assert ended.all()


@pytest.mark.parametrize("name", ["gobblers", "gobblet-house"])
def test_single_games_can_be_taken_out_and_go_on(name: str) -> None:
    for played in played_games(name):
        batch = Batch(name, 1, ply_limit=PLY_LIMIT, auto_reset=False)
        for ply, action in enumerate(played.actions):
            game = batch.game(0)
            assert str(game.position) == played.plies[ply].position
            if game.rules.repetition:
                assert game.repetitions == played.plies[ply].occurrences
            assert legal_actions(game.position) == list(played.plies[ply].legal)
            batch.step([action])
        game.play(game.legal_moves()[list(played.plies[-2].legal).index(played.actions[-1])])
        assert game.outcome is not None
        assert game.outcome.reason == played.reason


def test_the_memory_game_hides_the_opponents_covered_pieces() -> None:
    start = Position("x3/x,b1w3,x/w2,x2 w", rules="gobblers")
    seen = Batch("gobblers", 3, start=start).observe()
    hidden = Batch("gobblers", 3, start=start, hide_covered=True).observe()
    assert seen[:, 9, 1, 1].tolist() == [1, 1, 1]
    assert (hidden[:, 9:12] == 0).all()
    seen[:, 9:12] = 0
    assert (hidden == seen).all()


def test_arrays_can_be_written_into() -> None:
    batch = Batch("gobblers", 3)
    planes, masks = np.empty((3, 19, 3, 3), np.int8), np.empty((3, 108), np.bool_)
    assert batch.observe(planes) is planes
    assert batch.legal_action_mask(masks) is masks
    assert (planes == batch.observe()).all()
    assert (masks == batch.legal_action_mask()).all()


# Bad input.


def test_an_illegal_action_only_raises_its_flag() -> None:
    batch = Batch("gobblers", 6, seed=1)
    first = action_of("3b2", "gobblers")
    batch.step([first] * 6)
    before = [array.copy() for array in batch.state]
    wrong = [-1, 108, 2**62, -(2**63), action_of("2b2", "gobblers"), action_of("b2a1", "gobblers")]
    step = batch.step(wrong)
    assert step.illegal.all()
    assert not (step.terminated | step.truncated).any()
    assert (step.rewards == 0).all()
    for ours, theirs in zip(batch.state, before, strict=True):
        if ours is not batch.state.history:  # most of it has never been written
            assert (ours == theirs).all()
    mixed_step = batch.step([*wrong[:5], action_of("3a1", "gobblers")])
    assert mixed_step.illegal.tolist() == [True] * 5 + [False]


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_random_numbers_as_actions_do_no_harm(name: str) -> None:
    """Every number that is not in the mask is flagged, every other one is played."""
    chance = np.random.default_rng(1)
    batch = Batch(name, 64, seed=1, ply_limit=30)
    limits = np.iinfo(np.int64)
    for round_ in range(60):
        wild = chance.integers(limits.min, limits.max, 64)
        near = chance.integers(-2, batch.actions + 2, 64)
        actions = np.where(np.arange(64) % 4 == round_ % 4, wild, near)
        masks = batch.legal_action_mask()
        inside = (actions >= 0) & (actions < batch.actions)
        legal = inside & masks[np.arange(64), np.where(inside, actions, 0)]
        assert (batch.step(actions).illegal == ~legal).all()
        batch.step(batch.random_actions())


@pytest.mark.parametrize(
    "actions",
    [[0, 0], [[0, 0, 0]], 0, [0.0, 0.0, 0.0], ["a", "b", "c"], [True, False, True], None,
     np.zeros((3, 1), np.int64), np.zeros(3, np.float32), np.zeros(3, np.complex64)],
)  # fmt: skip
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    batch = Batch("gobblers", 3)
    with pytest.raises(ShapeError, match=r"whole numbers in an array of shape \(3,\), not"):
        batch.step(actions)
    assert batch.plies.tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint64])
def test_actions_of_any_whole_numbers_are_taken(kind: type) -> None:
    batch = Batch("gobblers", 3)
    assert not batch.step(np.array([1, 2, 3], kind)).illegal.any()


@pytest.mark.parametrize("where", [[True], [1, 0, 1], np.ones((1, 3), np.bool_), np.ones(3), "all"])
def test_marks_of_another_shape_or_kind_are_refused(where: Any) -> None:
    with pytest.raises(ShapeError, match=r"bool array of shape \(3,\), not"):
        Batch("gobblers", 3).reset(where)


@pytest.mark.parametrize(
    "out",
    [np.empty((3, 19, 3, 3), np.int16), np.empty((2, 19, 3, 3), np.int8), [],
     np.empty((3, 19, 3, 6), np.int8)[..., ::2]],
)  # fmt: skip
def test_room_of_another_shape_or_kind_is_refused(out: Any) -> None:
    expected = r"contiguous int8 array of shape \(3, 19, 3, 3\), not"
    with pytest.raises(ShapeError, match=expected):
        Batch("gobblers", 3).observe(out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "a batch has 1 to .* games, not 0"),
        ({"games": 2.5}, "games, not 2.5"),
        ({"ply_limit": 0}, "a limit has 1 to .* plies, not 0"),
        ({"threads": 0}, "a batch takes 1 to 256 threads, not 0"),
        ({"start": Position.start("gobblet")}, "cannot start from a position of gobblet"),
        ({"start": Position("w1,w2,w3/x3/x3 b")}, "a position that is over"),
    ],
)
def test_impossible_batches_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Batch("gobblers", **{"games": 2, **options})


def test_a_game_that_is_not_there_is_refused() -> None:
    batch = Batch("gobblers", 2)
    for number in (-1, 2):
        with pytest.raises(GameError, match="the batch has games 0 to 1"):
            batch.position(number)
    with pytest.raises(GameError, match="a run has 1 to"):
        batch.random_steps(0)
