"""Time the GPU solver and compare its result with the CPU's: python benchmarks/solve_cuda.py.

The first run of each rule set compiles; the time printed is the best of the following ones,
including copying the result.
"""

import hashlib
import sys
import time

from nestline.rules import load_rules
from nestline.solve.cuda import solve as solve_on_gpu
from nestline.solve.retrograde import solve as solve_on_cpu

RUNS = 4


def main(names: list[str]) -> None:
    for name in names:
        law = load_rules(name).law
        began = time.perf_counter()
        solution = solve_on_gpu(law)
        first = time.perf_counter() - began
        times = []
        for _ in range(RUNS):
            began = time.perf_counter()
            solution = solve_on_gpu(law)
            times.append(time.perf_counter() - began)
        began = time.perf_counter()
        expected = solve_on_cpu(law)
        on_cpu = time.perf_counter() - began
        same = bool((solution.entries == expected.entries).all())
        print(
            f"{name}: {min(times):.3f} s on the GPU ({first:.1f} s with compilation), "
            f"{on_cpu:.1f} s on the CPU, {'identical' if same else 'DIFFERENT'}, "
            f"sha256 {hashlib.sha256(solution.entries).hexdigest()[:16]}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:] or ["tictactoe", "gobblers", "gobblers-official"])
