"""How many simulations the tree search makes in a second: python benchmarks/tree_search.py.

Without an evaluator, with a trivial one, and with the network of `examples/alphazero.py` where
PyTorch is installed, by PUCT and by Gumbel's method; as a ratio to random steps of the batch in the
same run. With `--gpu` on an NVIDIA GPU, after a comparison with the CPU, number for number.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nestline.envs import Batch, CudaBatch, CudaTreeSearch, TreeSearch
from nestline.system import cores

RULES = ("tictactoe", "gobblers", "gobblet")
GAMES, SIMULATIONS, ROUNDS = 2048, 100, 3
GPU_GAMES = {"tictactoe": 1 << 18, "gobblers": 1 << 17, "gobblet": 1 << 16}
GPU_SIMULATIONS = 64
COMPARED = 512
EXAMPLES = Path(__file__).parents[1] / "examples"


def trivial(planes: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every leaf is worth 0, and all moves are alike."""
    return np.zeros(len(planes), np.float32), masks.astype(np.float32)


def rate(count: int, work: Callable[[], object]) -> float:
    """How many millions of `count` things a second, the best of some rounds after a first one."""
    work()
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return count / min(seconds) / 1e6


def network_of(rules: str, device: str) -> Any:
    """The example's network with random weights, or None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    sys.path.insert(0, str(EXAMPLES))
    import alphazero

    size = alphazero.SIZES[device]
    network = alphazero.Network(rules, size.width, size.blocks).to(device)
    return network.to(torch.bfloat16) if device == "cuda" else network


def measure(rules: str) -> None:
    """Print the rates of one rule set on the CPU."""
    batch = Batch(rules, GAMES, seed=1, threads=cores())
    batch.random_steps(4)
    count = GAMES * SIMULATIONS
    steps = rate(count, lambda: batch.copy().random_steps(SIMULATIONS))
    for name, options in (("PUCT", {}), ("Gumbel", {"gumbel": 16, "seed": 1})):
        search = TreeSearch(batch, SIMULATIONS, **options)
        alone = rate(count, lambda: search.run(batch))  # noqa: B023
        called = rate(count, lambda: search.run(batch, trivial))  # noqa: B023
        told = f"{alone:.2f} million simulations a second, {called:.2f} with a trivial evaluator"
        if network := network_of(rules, "cpu"):
            from alphazero import on_cpu

            learned = rate(count, lambda: search.run(batch, on_cpu(network)))  # noqa: B023
            told += f", {learned:.3f} with the example's network"
        print(f"{rules}, {name}: {told}; random steps {steps / alone:.0f} times", flush=True)


def pseudo_network(planes: Any, masks: Any) -> tuple[Any, Any]:
    """Values and policies that differ between positions and are exact in float32."""
    rows = planes.reshape(len(planes), -1)
    weights = np.arange(1, rows.shape[1] + 1) % 11
    sums = rows.astype(np.int64) @ weights
    preferences = (sums[:, None] + 7 * np.arange(masks.shape[1])) % 13 + 1
    return ((sums % 17 - 8) / 16).astype(np.float32), (preferences * masks).astype(np.float32)


def compare(rules: str) -> None:
    """Print how far searches of the same games agree between the GPU and the CPU."""
    here, there = (kind(rules, COMPARED, seed=2, auto_reset=False) for kind in (Batch, CudaBatch))
    here.random_steps(6), there.random_steps(6)
    from numba import cuda

    def on_gpu(planes: Any, masks: Any) -> Any:
        answer = pseudo_network(planes.copy_to_host(), masks.copy_to_host())
        return tuple(cuda.to_device(part) for part in answer)

    for name, options in (("PUCT", {}), ("Gumbel", {"gumbel": 16, "seed": 3})):
        for what, evaluators in (("alone", (None, None)), ("asking", (pseudo_network, on_gpu))):
            expected = TreeSearch(here, 40, **options).run(here, evaluators[0])
            found = CudaTreeSearch(there, 40, **options).run(there, evaluators[1])
            visits = (found.visits.copy_to_host() == expected.visits).all(axis=1)
            actions = found.actions.copy_to_host() == expected.actions
            print(
                f"{rules}, {name}, {what}: {visits.mean():.2%} of the games with the same visits, "
                f"{actions.mean():.2%} with the same action",
                flush=True,
            )
            # Exponentials round differently on a GPU, which can decide between equal moves.
            assert visits.mean() >= (0.98 if name == "Gumbel" else 1)


def measure_gpu(rules: str) -> None:
    """Print the rates of one rule set on a GPU."""
    import torch
    from numba import cuda

    games = GPU_GAMES[rules]
    batch = CudaBatch(rules, games, seed=1)
    batch.random_steps(4)
    count = games * GPU_SIMULATIONS
    zeros, ones = torch.zeros(games, device="cuda"), None

    def nothing(planes: Any, masks: Any) -> Any:
        nonlocal ones
        if ones is None:
            ones = torch.ones(tuple(masks.shape), device="cuda")
        return zeros, ones

    def timed(work: Callable[[], object]) -> float:
        def run() -> None:
            work()
            cuda.synchronize()

        return rate(count, run)

    steps = timed(lambda: batch.copy().random_steps(GPU_SIMULATIONS))
    for name, options in (("PUCT", {}), ("Gumbel", {"gumbel": 16, "seed": 1})):
        search = CudaTreeSearch(batch, GPU_SIMULATIONS, **options)
        alone = timed(lambda: search.run(batch))  # noqa: B023
        called = timed(lambda: search.run(batch, nothing))  # noqa: B023
        print(
            f"{rules}, {name}, {games:,} games on the GPU: {alone:.0f} million simulations a "
            f"second, {called:.0f} with a trivial evaluator; random steps {steps / alone:.0f} "
            "times",
            flush=True,
        )


def measure_network(rules: str, games: int) -> None:
    """The same with the example's network, as a CUDA graph."""
    import torch

    network = network_of(rules, "cuda")
    from alphazero import SIZES, Games

    size = SIZES["cuda"]
    for name, gumbel in (("PUCT", None), ("Gumbel", size.considered)):
        held = Games(network, games, GPU_SIMULATIONS, gumbel=gumbel, device="cuda")
        held.batch.random_steps(4)

        def run(held: Any = held) -> None:
            held.search()
            torch.cuda.synchronize()

        found = rate(games * GPU_SIMULATIONS, run)
        print(
            f"{rules}, {name}, {games:,} games: {found:.2f} million simulations a second with a "
            f"network of {size.blocks} blocks of {size.width}",
            flush=True,
        )


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--gpu", action="store_true")
    options = parser.parse_args(arguments)
    for name in RULES:
        if not options.gpu:
            measure(name)
            continue
        compare(name)
        measure_gpu(name)
    if options.gpu:
        for name, games in (("gobblers", 8192), ("gobblet", 4096), ("gobblet", 16384)):
            measure_network(name, games)


if __name__ == "__main__":
    main(sys.argv[1:])
