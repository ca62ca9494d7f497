"""How many simulations the tree search makes in a second: python benchmarks/tree_search.py.

Without an evaluator, and with a trivial one written in NumPy, on all cores, as a ratio to random
steps of the batch in the same run.
"""

import time
from collections.abc import Callable

import numpy as np

from nestline.envs import Batch, TreeSearch
from nestline.system import cores

GAMES, SIMULATIONS, ROUNDS = 2048, 100, 3


def trivial(planes: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every leaf is worth 0, and all moves are alike."""
    return np.zeros(len(planes), np.float32), masks.astype(np.float32)


def rate(count: int, work: Callable[[], object]) -> float:
    """How many of `count` things a second, the best of some rounds; the first one compiles."""
    work()
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return count / min(seconds)


def measure(rules: str) -> None:
    """Print the rates of one rule set."""
    batch = Batch(rules, GAMES, seed=1, threads=cores())
    batch.random_steps(4)
    search = TreeSearch(batch, SIMULATIONS)
    count = GAMES * SIMULATIONS
    alone = rate(count, lambda: search.run(batch)) / 1e6
    called = rate(count, lambda: search.run(batch, trivial)) / 1e6
    steps = rate(count, lambda: batch.copy().random_steps(SIMULATIONS)) / 1e6
    print(
        f"{rules}: {alone:.2f} million simulations a second, {called:.2f} million with an "
        f"evaluator; {steps:.1f} million random steps, {steps / alone:.0f} for a simulation"
    )


if __name__ == "__main__":
    for name in ("tictactoe", "gobblers", "gobblet"):
        measure(name)
