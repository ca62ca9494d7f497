"""The batch on a GPU: does it match the CPU, and how fast is it?

Run by hand on a machine with an NVIDIA GPU: python benchmarks/envs_cuda.py [RULES …]. For each
rule set the same games are played on both and compared number for number; then random steps are
timed, fused and one by one with masks and observations. With PyTorch or CuPy installed it also
checks that arrays are shared, not copied.
"""

import sys
import time

import numpy as np
from numba import cuda

from nestline.envs.batch import Batch
from nestline.envs.batch.cuda import CudaBatch
from nestline.rules import rule_set_names

COMPARED, COMPARED_STEPS = 4096, 150
GAMES = 1 << 20
STEPS = 500
RUNS = 5


def compare(name: str) -> None:
    """Play the same games on both, fused and step by step, with some illegal actions."""
    here, there = Batch(name, COMPARED, seed=1), CudaBatch(name, COMPARED, seed=1)
    for _ in range(COMPARED_STEPS):
        actions = here.random_actions()
        assert (there.random_actions().copy_to_host() == actions).all()
        actions[::50] = -1
        for ours, theirs in zip(there.step(actions), here.step(actions), strict=True):
            assert (ours.copy_to_host() == theirs).all()
        assert (there.legal_action_mask().copy_to_host() == here.legal_action_mask()).all()
        assert (there.observe().copy_to_host() == here.observe()).all()
    assert there.random_steps(1000) == here.random_steps(1000)
    for ours, theirs in zip(there.state[:2], here.state[:2], strict=True):
        assert (ours.copy_to_host() == theirs).all()
    assert there.game(5).positions == here.game(5).positions


def alike(there: CudaBatch, here: Batch) -> None:
    """The same games, where they stand, how they go on and where they restart."""
    for name in ("words", "counters", "chance", "starts"):
        ours, theirs = getattr(there.state, name), getattr(here.state, name)
        assert (ours.copy_to_host() == theirs).all(), name
    assert (there.outcomes.copy_to_host() == here.outcomes).all()


def compare_state(name: str) -> None:
    """Copies, gathered games, set positions, steps of some games and what both sides see."""
    options = {"seed": 5, "auto_reset": False, "ply_limit": 60}
    here, there = Batch(name, COMPARED, **options), CudaBatch(name, COMPARED, **options)
    here.random_steps(4), there.random_steps(4)
    chance = np.random.default_rng(1)
    positions = [here.position(number) for number in range(0, COMPARED, 16)]
    for _ in range(20):
        where = chance.random(COMPARED) < 0.5
        actions = here.random_actions()
        there.random_actions()
        shape = (COMPARED, *here.observation_shape)
        expected, found = np.zeros(shape, np.int8), cuda.to_device(np.zeros(shape, np.int8))
        here.step(actions, where, final_observations=expected)
        there.step(actions, where, final_observations=found)
        assert (found.copy_to_host() == expected).all()
        alike(there, here)
    sides = chance.integers(0, 2, COMPARED)
    assert (there.observe(sides=sides).copy_to_host() == here.observe(sides=sides)).all()
    indices = chance.integers(0, COMPARED, 3 * COMPARED)
    for ours, theirs in (
        (there.copy(), here.copy()),
        (there.gather(indices), here.gather(indices)),
        (there.gather(cuda.to_device(indices), seed=9), here.gather(indices, seed=9)),
    ):
        alike(ours, theirs)
        assert ours.random_steps(10) == theirs.random_steps(10)
        alike(ours, theirs)
    marks = np.arange(COMPARED) % 16 == 3
    here.set_positions(positions, marks), there.set_positions(positions, marks)
    alike(there, here)
    assert there.random_steps(10) == here.random_steps(10)
    alike(there, here)


def best_time(work) -> float:  # type: ignore[no-untyped-def]
    """Seconds: the best of some runs, after one that compiles."""
    times = []
    for _ in range(RUNS + 1):
        cuda.synchronize()
        began = time.perf_counter()
        work()
        cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times[1:])


def measure(name: str) -> str:
    batch = CudaBatch(name, GAMES, seed=1)
    fused = GAMES * STEPS / best_time(lambda: batch.random_steps(STEPS))
    planes, masks = batch.observe(), batch.legal_action_mask()

    def plain() -> None:
        for _ in range(20):
            batch.step(batch.random_actions())

    def seen() -> None:
        for _ in range(20):
            batch.step(batch.random_actions())
            batch.legal_action_mask(masks)
            batch.observe(planes)

    singly = GAMES * 20 / best_time(plain)
    with_all = GAMES * 20 / best_time(seen)
    return (
        f"{fused / 1e6:,.0f} million random steps/s in one go, {singly / 1e6:,.0f} one by one, "
        f"{with_all / 1e6:,.0f} with masks and observations"
    )


def share() -> str:
    """Check that other libraries see our memory and we see theirs."""
    batch = CudaBatch("gobblers", 4, seed=1)
    planes = batch.observe()
    address = planes.__cuda_array_interface__["data"][0]
    told = []
    try:
        import torch

        tensor = torch.as_tensor(planes, device="cuda")
        assert tensor.data_ptr() == address
        actions = torch.zeros(4, dtype=torch.int64, device="cuda")
        assert not batch.step(actions).illegal.copy_to_host().any()
        assert batch.observe(tensor).__cuda_array_interface__["data"][0] == address
        told.append(f"PyTorch {torch.__version__}")
    except ImportError:
        pass
    try:
        import cupy

        array = cupy.asarray(planes)
        assert array.data.ptr == address
        told.append(f"CuPy {cupy.__version__}")
    except ImportError:
        pass
    return "shared without copying: " + (", ".join(told) or "no other library is installed")


def main(names: list[str]) -> None:
    name = cuda.get_current_device().name
    card = name.decode() if isinstance(name, bytes) else name
    print(f"{card}, {GAMES:,} games, {STEPS} steps in one go")
    for name in names:
        began = time.perf_counter()
        compare(name)
        compare_state(name)
        seconds = time.perf_counter() - began
        print(
            f"{name}: the same as on the processor ({seconds:.0f} s); {measure(name)}", flush=True
        )
    print(share())


if __name__ == "__main__":
    np.seterr(all="raise")
    main(sys.argv[1:] or list(rule_set_names()))
