"""Time the GPU solver and compare its result with the CPU's: python benchmarks/solve_cuda.py.

With `--large` it solves games that are too large for a table, and tells the value of the start.

The first run of each rule set compiles; the times printed are the best of the following ones, with
and without copying the result to main memory.
"""

import hashlib
import sys
import time

from nestline.rules import load_rules, read_rules
from nestline.solve.entry import VALUE_NAMES, distance_of, value_of
from nestline.solve.groups.card import Card
from nestline.solve.groups.solver import solve_slices
from nestline.solve.groups.survey import survey
from nestline.solve.retrograde import solve as solve_on_cpu
from nestline.solve.retrograde import solve_on_gpu, whole_cut

RUNS = 4
LARGE = (
    "stock = [3, 3, 3]",
    "board = 4\nline = 4\nstock = [1, 1, 1, 1]",
    "board = 4\nline = 4\nstock = [3, 3]",
)
"""Differences to `gobblers`."""


def solve_large() -> None:
    card = Card()
    survey(load_rules("tictactoe").law, reach=False, load=card.load)
    for text in LARGE:
        law = read_rules(f'like = "gobblers"\n{text}', "large").law
        began = time.perf_counter()
        found = survey(law, reach=False, load=card.load)
        seconds = time.perf_counter() - began
        value, distance = VALUE_NAMES[value_of(found.start)], distance_of(found.start)
        print(
            f"{text.replace(chr(10), ', ')}: {found.entries:,} entries in {seconds:.2f} s, "
            f"{value} {distance or ''}",
            flush=True,
        )


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
        on_card = []
        card, work = Card(), whole_cut(law)
        for _ in range(RUNS):
            began = time.perf_counter()
            solve_slices(work, card.load(work))
            on_card.append(time.perf_counter() - began)
        del card
        began = time.perf_counter()
        expected = solve_on_cpu(law)
        on_cpu = time.perf_counter() - began
        same = bool((solution.entries == expected.entries).all())
        print(
            f"{name}: {min(times):.3f} s on the GPU, {min(on_card):.3f} s without copying "
            f"({first:.1f} s with compilation), "
            f"{on_cpu:.1f} s on the CPU, {'identical' if same else 'DIFFERENT'}, "
            f"sha256 {hashlib.sha256(solution.entries).hexdigest()[:16]}",
            flush=True,
        )


if __name__ == "__main__":
    if "--large" in sys.argv:
        solve_large()
        sys.exit()
    main(sys.argv[1:] or ["tictactoe", "gobblers", "gobblers-official"])
