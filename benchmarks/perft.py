"""Perft speed of the kernel on one core, and its ratio to the naive rules in the same run."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import naive_rules
from nestline.perft import count_sequences
from nestline.position import Position

DEPTHS = {"gobblers": (5, 4), "gobblet": (5, 4)}
"""For each rule set, the depths the kernel and the naive rules count to."""

REPEATS = 5


def best_speed(count: Callable[[], int]) -> float:
    """Nodes per second of CPU time, the best of some runs, since the machine may be busy."""
    best = 0.0
    for _ in range(REPEATS):
        began = time.process_time()
        nodes = count()
        best = max(best, nodes / (time.process_time() - began))
    return best


def kernel_speed(rules: str, depth: int) -> float:
    start = Position.start(rules)
    count_sequences(start, 2)  # Loads the compiled code.
    return best_speed(lambda: count_sequences(start, depth).nodes)


def naive_speed(rules: str, depth: int) -> float:
    fields = naive_rules.FIVE[rules]
    return best_speed(lambda: naive_rules.perft(fields, naive_rules.start(fields), depth))


def main() -> None:
    print("perft, nodes per second on one core")
    for rules, (depth, naive_depth) in DEPTHS.items():
        fast, naive = kernel_speed(rules, depth), naive_speed(rules, naive_depth)
        print(
            f"{rules:10} depth {depth}: kernel {fast / 1e6:7.1f} million/s, "
            f"naive rules {naive / 1e3:7.1f} thousand/s, ratio {fast / naive:,.0f}"
        )


if __name__ == "__main__":
    main()
