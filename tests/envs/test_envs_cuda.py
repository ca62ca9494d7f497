"""The batch for GPUs, run in numba's simulator: it plays like the one for CPUs.

On a real GPU `python benchmarks/envs_cuda.py` makes the same comparison.
"""

import pytest

from nestline import GameError, gpu
from nestline.envs.batch.cuda import CudaBatch
from support.helpers import FIVE_NAMES, in_cuda_simulator

SIMULATED = """
import copy
import pickle
import numpy as np
from support.env_games import PLY_LIMIT, played_games
from nestline import Position, ShapeError
from nestline.envs.batch import Batch
from nestline.envs.batch.cuda import CudaBatch
from envs.test_envs_batch import replay

import sys
for name in sys.argv[1:]:
    by_length = sorted(played_games(name), key=lambda played: -len(played.actions))
    shortest = {played.reason: played for played in by_length if not played.truncated}
    games = tuple(shortest.values())
    batch = CudaBatch(name, len(games), ply_limit=PLY_LIMIT, auto_reset=False)
    for ply in range(max(len(played.actions) for played in games) + 1):
        replay(games, batch, ply)
    there, here = CudaBatch(name, 6, seed=7, ply_limit=30), Batch(name, 6, seed=7, ply_limit=30)
    assert there.random_steps(25) == here.random_steps(25)
    for _ in range(5):
        actions = here.random_actions()
        assert (there.random_actions() == actions).all()
        actions[2] = -5
        ours, theirs = there.step(actions), here.step(actions)
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
        assert ours.illegal.tolist() == [False, False, True, False, False, False]
    for ours, theirs in zip(there.state[:2], here.state[:2], strict=True):
        assert (ours == theirs).all()
    assert str(there.game(3).position) == str(here.game(3).position)
    there.reset(np.arange(6) % 2 == 1, seed=1)
    here.reset(np.arange(6) % 2 == 1, seed=1)
    for ours, theirs in zip(there.state[:2], here.state[:2], strict=True):
        assert (ours == theirs).all()
    assert there.position(1) == Position.start(name)

def alike(ours, theirs):
    for name in ("words", "counters", "chance", "starts"):
        assert (getattr(ours.state, name) == getattr(theirs.state, name)).all(), name
    assert (ours.outcomes == theirs.outcomes).all()

start = ["start", "x3/x,b1w3,x/w2,x2 w", "x3/x,b1w3,x/w2,x2 b"]
options = dict(seed=7, ply_limit=5, start=start, hide_covered=True)
there, here = CudaBatch("gobblers", 3, **options), Batch("gobblers", 3, **options)
finals = np.full((2, 3, 19, 3, 3), 99, np.int8)
for _ in range(5):
    actions, where = here.random_actions(), np.array([True, True, False])
    there.random_actions()
    ours = there.step(actions, where, final_observations=finals[0])
    theirs = here.step(actions, where, final_observations=finals[1])
    assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    assert (finals[0] == finals[1]).all()
assert (finals != 99).any() and (finals[0, 2] == 99).all()
alike(there, here)
assert (there.observe(sides=[1, 1, 0]) == here.observe(sides=[1, 1, 0])).all()
alike(there.gather([2, 0, 0, 1]), here.gather([2, 0, 0, 1]))
alike(there.gather([2, 0], seed=5), here.gather([2, 0], seed=5))
alike(pickle.loads(pickle.dumps(there)), here.copy())
twin = copy.deepcopy(there)
lost = "w1,w2,w3/x3/x3 b"
for batch in (there, here):
    batch.set_positions([lost, "start"], np.array([True, False, True]))
alike(there, here)
assert there.outcomes.tolist() == [-1, 0, 0]
assert there.random_steps(3) == here.random_steps(3)
assert str(twin.position(0)) != lost

room = np.empty((2, 19, 3, 3), np.int8)
batch = CudaBatch("gobblers", 2, hide_covered=True,
                  start=Position("x3/x,b1w3,x/w2,x2 w", rules="gobblers"))
assert batch.observe(room) is room
assert (room[:, 9] == 0).all()
for wrong in ([0], [0.0, 0.0], np.zeros((2, 1), np.int64)):
    try:
        batch.step(wrong)
        raise AssertionError(wrong)
    except ShapeError as error:
        assert "shape (2,)" in str(error)
try:
    batch.observe(np.empty((2, 19, 9), np.int8))
    raise AssertionError
except ShapeError as error:
    assert "of shape (2, 19, 3, 3)" in str(error)
print("identical")
"""


@pytest.mark.parametrize(
    "rules", [("gobblet-house",), pytest.param(FIVE_NAMES, marks=pytest.mark.full)]
)
def test_the_kernels_in_the_simulator(rules: tuple[str, ...]) -> None:
    finished = in_cuda_simulator(SIMULATED, *rules)
    assert finished.stdout == "identical\n", finished.stderr


def test_without_a_graphics_card_there_is_a_clear_message() -> None:
    if gpu.cuda is not None and gpu.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(GameError, match="a batch on the GPU needs an NVIDIA"):
        CudaBatch("gobblers", 2)
