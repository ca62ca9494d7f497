"""The PettingZoo environment: PettingZoo's own tests, and the same games as everywhere else."""

import copy
import importlib
import itertools
import pickle
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

from nestline import GameError, IllegalMove, Position, ShapeError
from nestline.action_space import action_count, action_of, legal_actions, move_of
from nestline.draw import text_board
from nestline.envs import nestline_v1
from nestline.envs.pettingzoo import ASKED_OFTEN
from nestline.observations import observation_shape
from support.env_games import PLY_LIMIT, played_games
from support.helpers import FIVE_NAMES

with warnings.catch_warnings():
    # The tests load PettingZoo's own games in a way that it has deprecated.
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

# Warnings that the tests give for every environment with a mask that is not one of PettingZoo's
# own, and for masks after the end of a game.
remarks = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",
    )
]


def with_remarks(test: Any) -> Any:
    for mark in remarks:
        test = mark(test)
    return test


@with_remarks
@pytest.mark.parametrize("name", FIVE_NAMES)
def test_pettingzoos_api_test(name: str) -> None:
    """One call plays about one game."""
    env = nestline_v1.env(rules=name)
    for _ in range(100):
        api_test(env)


@with_remarks
@pytest.mark.parametrize("name", FIVE_NAMES)
def test_pettingzoos_other_tests(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = partial(nestline_v1.env, rules=name)
    api_test(nestline_v1.env(rules=name, hide_covered=True, ply_limit=7))
    for _ in range(2):
        seed_test(make)
    render_test(make)
    # Its five seconds pass within a hundred readings of the clock.
    clock = SimpleNamespace(time=partial(next, itertools.count(0, 0.05)))
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module, "time", clock)
    performance_benchmark(make())


def test_the_environment_is_registered() -> None:
    env = pettingzoo.make("aec", "nestline/nestline-v1", rules="gobblet")
    env.reset()
    assert env.action_space("player_1").n == 320
    assert str(env.unwrapped) == "nestline_v1"
    importlib.reload(nestline_v1)  # registers nothing twice, which would warn


@pytest.mark.parametrize("name", FIVE_NAMES)
@pytest.mark.parametrize("make", [nestline_v1.env, nestline_v1.raw_env])
def test_games_run_like_everywhere(name: str, make: Any) -> None:
    env = make(rules=name, ply_limit=PLY_LIMIT)
    for played in played_games(name):
        env.reset(seed=1)
        for ply, action in enumerate(played.actions):
            now = played.plies[ply]
            agent = env.agent_selection
            assert agent == ("player_1", "player_2")[now.turn]
            seen, reward, terminated, truncated, info = env.last()
            assert np.flatnonzero(seen["action_mask"]).tolist() == list(now.legal)
            assert str(env.unwrapped.game.position(0)) == now.position
            assert (reward, terminated, truncated, info) == (0, False, False, {})
            assert env.observation_space(agent).contains(seen)
            env.step(action)
        assert str(env.unwrapped.game.position(0)) == played.plies[-1].position
        returns = dict(zip(("player_1", "player_2"), played.returns, strict=True))
        assert env.rewards == returns
        for _ in range(2):
            agent = env.agent_selection
            seen, reward, terminated, truncated, info = env.last()
            assert not seen["action_mask"].any()
            assert reward == returns[agent]
            assert (terminated, truncated) == (not played.truncated, played.truncated)
            assert info == {"reason": played.reason}
            env.step(None)
        assert env.agents == []


def test_each_agent_sees_its_own_side() -> None:
    env = nestline_v1.raw_env(rules="gobblers")
    env.reset()
    env.step(action_of("3b2", "gobblers"))
    second, first = env.observe("player_2"), env.observe("player_1")
    assert second["observation"][8, 1, 1] == 1, "the opponent's visible large piece"
    assert first["observation"][2, 1, 1] == 1, "the own one"
    assert first["action_mask"].sum() == 0
    assert second["action_mask"].sum() == 24
    assert (first["observation"][14] == 1).all(), "one large piece is left in the reserve"


def test_observations_are_not_overwritten() -> None:
    env = nestline_v1.env()
    env.reset()
    before = env.last()[0]
    kept = copy.deepcopy(before)
    env.step(3)
    env.last()
    assert (before["observation"] == kept["observation"]).all()
    assert (before["action_mask"] == kept["action_mask"]).all()


def test_spaces_tell_the_layout() -> None:
    env = nestline_v1.env(rules="gobblet")
    space = env.observation_space("player_2")
    assert space["observation"].shape == observation_shape("gobblet")
    assert space["observation"].high[:, 0, 0].tolist() == [1] * 16 + [3] * 9
    assert space["action_mask"].shape == (action_count("gobblet"),)


def test_the_memory_game() -> None:
    env = nestline_v1.env(hide_covered=True)
    env.reset()
    for move in ("1b2", "3b2", "1a1"):
        env.step(action_of(move, "gobblers"))
    assert env.observe("player_1")["observation"][3, 1, 1] == 1, "own covered pieces are known"
    assert env.observe("player_2")["observation"][9:12].sum() == 0


# Pictures.


def test_pictures() -> None:
    env = nestline_v1.env(render_mode="ansi")
    env.reset()
    env.step(action_of("3b2", "gobblers"))
    position = Position.start("gobblers").play("3b2")
    assert env.render() == text_board(position)
    env = nestline_v1.env(rules="gobblet", render_mode="rgb_array")
    env.reset()
    empty = env.render()
    assert empty.shape[1:] == (480, 3)
    env.step(action_of("4a1", "gobblet"))
    assert (env.render() != empty).any()
    env.close()


def test_people_see_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    env = nestline_v1.env(rules="tictactoe", render_mode="human")
    env.reset()
    env.step(4)
    printed = capsys.readouterr().out
    assert printed.count("a    b    c") == 2
    assert printed.count(" X ") == 1


def test_without_a_mode_nothing_is_drawn() -> None:
    env = nestline_v1.env()
    env.reset()
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None


# Bad input.


def test_an_illegal_action_ends_the_game_as_pettingzoo_says() -> None:
    env = nestline_v1.env()
    env.reset()
    env.step(action_of("3b2", "gobblers"))
    env.step(action_of("2b2", "gobblers"))
    assert env.rewards == {"player_1": 0, "player_2": -1}
    assert all(env.terminations.values())
    env.reset()
    assert env.agents == ["player_1", "player_2"]


def test_the_raw_environment_tells_what_is_wrong() -> None:
    env = nestline_v1.raw_env()
    env.reset()
    env.step(action_of("3b2", "gobblers"))
    before = env.last()[0]
    refusals: list[tuple[Any, type[Exception], str]] = [
        (action_of("2b2", "gobblers"), IllegalMove, "b2 shows a size 3"),
        (108, IllegalMove, "actions are 0 to 107"),
        (-1, IllegalMove, "actions are 0 to 107"),
        (10**40, IllegalMove, "actions are 0 to 107"),
        (1.5, ShapeError, "an action is a whole number, not 1.5"),
        ("3a1", ShapeError, "an action is a whole number"),
        (None, ShapeError, "an action is a whole number"),
    ]
    for action, error, message in refusals:
        with pytest.raises(error, match=message):
            env.step(action)
        now = env.last()[0]
        assert all((now[key] == before[key]).all() for key in before)
    assert env.agent_selection == "player_2"


@pytest.mark.parametrize(
    ("options", "error"),
    [({"render_mode": "braille"}, "render modes are ansi"), ({"ply_limit": 0}, "a limit has")],
)
def test_impossible_options_are_refused(options: dict[str, Any], error: str) -> None:
    with pytest.raises(GameError, match=error):
        nestline_v1.env(**options)


def test_a_finished_single_game_refuses_moves() -> None:
    game = nestline_v1.raw_env(ply_limit=1).game
    game.play(0)
    with pytest.raises(GameError, match="the game is over"):
        game.play(1)


def test_the_wrappers_are_pettingzoos_and_tell_what_the_game_tells() -> None:
    env = nestline_v1.env()
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = env.agent_selection
    assert isinstance(env, wrappers.OrderEnforcingWrapper)
    assert isinstance(env.env, wrappers.AssertOutOfBoundsWrapper)
    assert isinstance(env.env.env, wrappers.TerminateIllegalWrapper)
    env.reset()
    for action in (0, 1, 2):
        for wrapped in (env, env.env, env.env.env):
            for name in ASKED_OFTEN:
                assert getattr(wrapped, name) is getattr(env.unwrapped, name)
        env.step(action)


def test_environments_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(nestline_v1.env(rules="gobblet-house", ply_limit=5)))
    env.reset()
    assert env.unwrapped.game.rules.name == "gobblet-house"
    assert env.unwrapped.game.ply_limit == 5


@pytest.mark.parametrize("make", [nestline_v1.env, nestline_v1.raw_env])
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_game(make: Any, way: Any) -> None:
    env = make(rules="gobblers", ply_limit=30)
    env.reset()
    for move in ("3a1", "3c3", "a1a2"):
        env.step(action_of(move, "gobblers"))
    twin = way(env)
    assert twin.unwrapped.game.position(0) == env.unwrapped.game.position(0)
    assert twin.agent_selection == env.agent_selection == "player_2"
    assert (twin.observe("player_2")["action_mask"] == env.observe("player_2")["action_mask"]).all()
    twin.step(action_of("c3c2", "gobblers"))
    assert env.agent_selection == "player_2", "the copy is independent"
    assert env.unwrapped.game.ply == 3


def test_a_game_can_start_anywhere_for_once() -> None:
    env = nestline_v1.env(rules="gobblers")
    env.reset(options={"start": "x3/x,w3,x/x3 b"})
    assert env.agent_selection == "player_2"
    assert env.last()[0]["action_mask"].sum() == 24
    env.step(action_of("3a1", "gobblers"))
    assert env.agent_selection == "player_1"
    env.reset()
    assert (env.agent_selection, env.unwrapped.game.ply) == ("player_1", 0)
    with pytest.raises(GameError, match="a position that is over"):
        env.reset(options={"start": "w1,w2,w3/x3/x3 b"})


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_tianshou_plays_it() -> None:
    tianshou = pytest.importorskip("tianshou.env", exc_type=ImportError)
    env = tianshou.PettingZooEnv(nestline_v1.env(rules="tictactoe"))
    seen, _ = env.reset()
    position = Position.start("tictactoe")
    over = False
    while not over:
        assert seen["agent_id"] == ("player_1", "player_2")[position.turn]
        assert np.flatnonzero(seen["mask"]).tolist() == legal_actions(position)
        action = int(np.flatnonzero(seen["mask"])[0])
        position = position.play(move_of(action, "tictactoe"))
        seen, rewards, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert position.outcome() is not None
    assert rewards == [1.0, -1.0]
    assert info["reason"] == "line"
