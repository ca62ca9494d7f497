"""The state of a batch can be copied, gathered, set, stepped in part, pickled and forked."""

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest

from nestline import GameError, Position, PositionError, ShapeError
from nestline.action_space import action_of
from nestline.envs.batch import Batch
from nestline.envs.batch.stepping import END_REASONS
from nestline.observations import words_of
from support.env_games import PLY_LIMIT, played_games
from support.helpers import FIVE_NAMES, random_positions

REVEALING = Position("x3/x3/w1b3,w2,w3 b", rules="gobblers")
"""Moving the size 3 from a1 uncovers a line."""


def assert_alike(ours: Any, theirs: Any) -> None:
    """The same games, and the same future."""
    assert ours.games == theirs.games
    for name in ("words", "counters", "chance", "starts", "settings"):
        assert (getattr(ours.state, name) == getattr(theirs.state, name)).all(), name
    for game in range(ours.games):
        assert ours.position(game) == theirs.position(game)
        if not ours.ends[game]:
            mine, other = ours.game(game), theirs.game(game)
            assert mine.positions == other.positions
    assert ours.random_steps(40) == theirs.random_steps(40)
    assert (ours.state.words == theirs.state.words).all()
    assert (ours.state.counters == theirs.state.counters).all()


def a_batch(name: str = "gobblers", **options: Any) -> Batch:
    batch = Batch(name, 12, seed=3, ply_limit=PLY_LIMIT, **options)
    batch.random_steps(9)
    return batch


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_a_copy_is_independent_and_plays_on_alike(name: str) -> None:
    batch = a_batch(name)
    before = batch.state.words.copy()
    twin = batch.copy()
    twin.random_steps(3)
    assert (batch.state.words == before).all()
    assert_alike(batch.copy(), batch)


@pytest.mark.parametrize("name", ["gobblers", "gobblet-house"])
def test_repetitions_are_known_to_gathered_games(name: str) -> None:
    games = [played for played in played_games(name) if len(played.actions) > 2]
    for played in games:
        batch = Batch(name, 2, ply_limit=PLY_LIMIT, auto_reset=False)
        for action in played.actions[:-1]:
            batch.step([action, 0], where=[True, False])
        last = batch.gather([0, 1, 0])
        assert last.occurrences.tolist() == [
            played.plies[-2].occurrences,
            1,
            played.plies[-2].occurrences,
        ]
        step = last.step([played.actions[-1]] * 3, where=[True, False, True])
        assert [END_REASONS[end] for end in step.ends] == [played.reason, None, played.reason]
        assert last.plies.tolist() == [len(played.actions), 0, len(played.actions)]


def test_gathered_games_share_their_luck_unless_seeded() -> None:
    batch = a_batch("gobblet")
    same = batch.gather([5] * 50)
    assert len(set(same.random_actions().tolist())) == 1
    other = batch.gather([5] * 50, seed=1)
    assert len(set(other.random_actions().tolist())) > 10
    assert (other.state.words == batch.state.words[:, 5:6]).all()


@pytest.mark.parametrize(
    ("indices", "message"),
    [([12], "there is no game 12; the batch has games 0 to 11"), ([-1], "there is no game -1"),
     ([0.5], "array of integers"), ([], "n at least 1"), ([[0]], "array of integers"),
     (None, "array of integers"), ([True], "array of integers")],
)  # fmt: skip
def test_games_that_cannot_be_gathered(indices: Any, message: str) -> None:
    with pytest.raises((GameError, ShapeError), match=message):
        a_batch().gather(indices)


# Positions.


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_positions_can_be_set(name: str) -> None:
    positions = random_positions(name, 6, seed=4)
    batch = a_batch(name)
    kept = [batch.position(game) for game in range(12)]
    where = np.arange(12) % 2 == 1
    batch.set_positions([str(position) for position in positions], where)
    for number, position in enumerate(positions):
        assert batch.position(2 * number + 1) == position
        assert batch.position(2 * number) == kept[2 * number]
    assert (batch.plies[where] == 0).all()
    assert (batch.occurrences[where] == 1).all()
    other = a_batch(name)
    other.set_words(batch.state.words[0], batch.state.words[1], batch.turns)
    assert [other.position(game) for game in range(12)] == [
        batch.position(game) for game in range(12)
    ]
    batch.reset()
    assert batch.position(1) == Position.start(name), "set positions are no starts"


def test_words_come_from_observations_too() -> None:
    batch, other = a_batch(), a_batch()
    other.set_words(*words_of(batch.observe(), "gobblers"), batch.turns)
    assert (other.state.words == batch.state.words).all()


def test_a_position_that_is_over_makes_a_finished_game() -> None:
    batch = Batch("gobblers", 3, auto_reset=False)
    lost = Position("w1,w2,w3/x3/x3 b", rules="gobblers")
    batch.set_positions([lost, REVEALING, REVEALING])
    assert [END_REASONS[end] for end in batch.ends] == ["line", None, None]
    assert batch.outcomes.tolist() == [-1, 0, 0]
    assert not batch.legal_action_mask()[0].any()
    reveal = action_of("a1b3", "gobblers")
    step = batch.step([0, reveal, reveal], where=[True, True, False])
    assert step.rewards.tolist() == [0, -1, 0]
    assert batch.outcomes.tolist() == [-1, 1, 0], "whose line was revealed is to move, and has won"
    assert (batch.outcomes.dtype, batch.turns.tolist()) == (np.int8, [1, 0, 1])


WHITE_3 = 1 << 32
NOT_POSITIONS = {
    "off the board": ("gobblers", 1 << 9, 0, 0),
    "a size too large": ("gobblers", 1 << 48, 0, 0),
    "two pieces of a size on a square": ("gobblers", 1, 1, 0),
    "too many of a size": ("gobblers", 0b111, 0, 0),
    "no such turn": ("gobblers", 0, 0, 2),
    "a turn that cannot be": ("tictactoe", 1, 0, 0),
    "from the inside of a nested stack": ("gobblet", 1, 0, 0),
}


@pytest.mark.parametrize("what", NOT_POSITIONS)
def test_words_that_are_no_position_are_refused(what: str) -> None:
    name, *given = NOT_POSITIONS[what]
    batch = Batch(name, 2)
    rows = np.array([[0, value] for value in given])
    with pytest.raises(PositionError, match=f"at index 1 are no position of {name}"):
        batch.set_words(*rows)
    assert (batch.state.words == 0).all()


def test_words_of_the_wrong_shape_are_refused() -> None:
    batch = Batch("gobblers", 2)
    with pytest.raises(ShapeError, match="three arrays of integers"):
        batch.set_words([0.0], [0], [0])
    with pytest.raises(ShapeError, match="3 positions do not fit 2 games"):
        batch.set_words([0] * 3, [0] * 3, [0] * 3)
    with pytest.raises(ShapeError, match="1 positions do not fit 2 games"):
        batch.set_positions(["start"])
    with pytest.raises(GameError, match="from a position of gobblet"):
        batch.set_positions([Position.start("gobblet")] * 2)


# A start per game, part of the games, the end.


def test_each_game_can_have_a_start() -> None:
    starts = random_positions("gobblers", 5, seed=6)
    batch = Batch("gobblers", 5, start=starts, seed=1, ply_limit=2)
    for _ in range(2):
        over = np.zeros(5, np.bool_)
        while not over.any():
            step = batch.step(batch.random_actions())
            over = step.terminated | step.truncated
        for game in np.flatnonzero(over):
            assert batch.position(game) == starts[game]
    batch.random_steps(7)
    batch.reset()
    assert [batch.position(game) for game in range(5)] == starts
    turned = batch.gather([4, 0])
    turned.random_steps(1)
    turned.reset()
    assert [turned.position(game) for game in range(2)] == [starts[4], starts[0]]
    with pytest.raises(ShapeError, match="5 starts do not fit 4 games"):
        Batch("gobblers", 4, start=starts)
    over_already = Position("w1,w2,w3/x3/x3 b", rules="gobblers")
    with pytest.raises(GameError, match="a position that is over"):
        Batch("gobblers", 2, start=[starts[0], over_already])


def test_games_that_are_not_marked_stand_still() -> None:
    batch = a_batch()
    before = batch.state.counters.copy()
    where = np.arange(12) % 3 == 0
    step = batch.step(np.where(where, batch.random_actions(), -7), where)
    assert not step.illegal.any()
    assert ((step.rewards == 0) | where).all()
    assert not (step.terminated | step.truncated)[~where].any()
    assert (batch.state.counters[:, ~where] == before[:, ~where]).all()
    assert batch.step(np.full(12, -7), where).illegal.tolist() == where.tolist()
    with pytest.raises(ShapeError, match="games are marked"):
        batch.step(np.zeros(12, np.int64), [True])


@pytest.mark.parametrize("name", ["tictactoe", "gobblet"])
def test_the_last_observation_is_kept_when_a_game_restarts(name: str) -> None:
    ends = Batch(name, 8, seed=2, auto_reset=False, ply_limit=20, hide_covered=True)
    runs_on = Batch(name, 8, seed=2, ply_limit=20, hide_covered=True)
    finals = np.full((8, *runs_on.observation_shape), 99, np.int8)
    seen = set()
    for _ in range(20):
        actions = ends.random_actions()
        actions = np.where(ends.ends == 0, actions, -1)
        stopped = ends.step(actions)
        runs_on.step(actions, final_observations=finals)
        over = stopped.terminated | stopped.truncated
        assert (finals[over] == ends.observe()[over]).all()
        assert (finals[~over] == 99).all()
        seen |= set(np.flatnonzero(over).tolist())
    assert len(seen) == 8
    with pytest.raises(ShapeError, match="final observations are written into"):
        runs_on.step(actions, final_observations=finals[:, :1])


def test_observations_from_a_chosen_side() -> None:
    batch = a_batch()
    assert (batch.observe(sides=batch.turns) == batch.observe()).all()
    other = batch.copy()
    other.set_words(batch.state.words[1], batch.state.words[0], 1 - batch.turns)
    planes = slice(0, 18)  # not the occurrences
    assert (batch.observe(sides=1 - batch.turns)[:, planes] == other.observe()[:, planes]).all()
    with pytest.raises(GameError, match="sides are 0"):
        batch.observe(sides=[2] * 12)


# Pickles, deep copies, forks.


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_a_batch_travels_with_its_games(way: str, threads: int) -> None:
    batch = a_batch("gobblers", threads=threads, hide_covered=True)
    there = pickle.loads(pickle.dumps(batch)) if way == "pickle" else copy.deepcopy(batch)
    assert (there.threads, there.hide_covered, there.rules) == (threads, True, batch.rules)
    assert_alike(there, batch)


def _play_on(batch: Batch, answer: Any) -> None:
    answer.put(batch.random_steps(60))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_forked_child_plays_on_with_threads() -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system cannot fork")
    batch = a_batch("gobblet", threads=2)
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    child = context.Process(target=_play_on, args=(batch, answer))
    child.start()
    assert answer.get(timeout=60) == batch.random_steps(60)
    child.join(60)
    assert child.exitcode == 0
