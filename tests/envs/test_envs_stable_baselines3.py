"""The `VecEnv` for Stable-Baselines3, with the real package; skipped where it is not installed."""

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from nestline import GameError, Position

pytest.importorskip("stable_baselines3", exc_type=ImportError)
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]

EXAMPLE = Path(__file__).parents[2] / "examples" / "maskable_ppo.py"


def make(games: int = 3, rules: str = "gobblers", **options: Any) -> Any:
    from nestline.envs.stable_baselines3 import NestlineVecEnv

    return NestlineVecEnv(games, rules, **options)


def lowest(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def test_games_run_like_those_of_gymnasium() -> None:
    """The same games, but that a finished one restarts in the same step."""
    ours = make(4, "gobblers", opponent=lowest, side="first", ply_limit=20)
    env_id = "nestline.envs.gymnasium:nestline/Nestline-v1"
    theirs = [
        gymnasium.make(env_id, rules="gobblers", opponent=lowest, side="first", ply_limit=20)
        for _ in range(4)
    ]
    planes = ours.reset()
    for row, env in zip(planes, theirs, strict=True):
        assert (env.reset()[0] == row).all()
    chance = np.random.default_rng(1)
    ended = 0
    for _ in range(80):
        masks = ours.action_masks()
        assert (np.stack(ours.env_method("action_masks")) == masks).all()
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in masks])
        if chance.random() < 0.1:
            actions[0] = -1
        planes, rewards, over, infos = ours.step(actions)
        assert rewards.dtype == np.float32
        for number, env in enumerate(theirs):
            seen, reward, terminated, truncated, info = env.step(actions[number])
            assert (rewards[number], over[number]) == (reward, terminated or truncated)
            if over[number]:
                ended += 1
                told = infos[number]
                assert (told["terminal_observation"] == seen).all()
                assert told["TimeLimit.truncated"] == truncated
                assert (told["reason"], told["illegal"]) == (info["reason"], info["illegal"])
                seen, _ = env.reset()
            assert (planes[number] == seen).all()
    assert ended > 5


def test_seeds_and_options_hold_for_one_reset() -> None:
    first, second = make(50), make(50)
    for env in (first, second):
        env.seed(4)
    assert (first.reset() == second.reset()).all()
    assert {info["side"] for info in first.reset_infos} == {"first", "second"}
    first.set_options({"side": "first", "start": "x3/x,w3,x/b3,x2 w"})
    first.reset()
    assert first.games.batch.position(7) == Position("x3/x,w3,x/b3,x2 w", rules="gobblers")
    first.reset()
    assert {info["side"] for info in first.reset_infos} == {"first", "second"}
    with pytest.raises(GameError, match="reset has the options side, start, not sides"):
        first.set_options({"sides": 1})


def test_what_stable_baselines3_asks_for() -> None:
    env = make(3)
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert env.get_attr("render_mode", [0, 2]) == [None, None]
    assert env.has_attr("action_masks")
    assert len(env.env_method("action_masks", indices=1)) == 1
    with pytest.raises(GameError, match="share one environment"):
        env.set_attr("side", 1)
    with pytest.raises(GameError, match=r"action_masks\(\), not play"):
        env.env_method("play")
    pictures = make(2, render_mode="rgb_array")
    pictures.reset()
    assert pictures.get_images()[1].shape[2] == 3
    env.reset()
    env.step(env.action_masks().argmax(axis=1))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (twin.games.observe() == env.games.observe()).all()
    env.close()


def test_the_example_learns() -> None:
    pytest.importorskip("sb3_contrib")
    finished = subprocess.run(
        [sys.executable, str(EXAMPLE), "tictactoe", "40000"], capture_output=True, text=True
    )
    found = re.fullmatch(r"tictactoe: (\S+) before learning, (\S+) after\n", finished.stdout)
    assert found, finished.stderr
    before, after = map(float, found.groups())
    assert after > max(0.4, before + 0.3)
