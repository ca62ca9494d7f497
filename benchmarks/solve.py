"""Solving and probing `gobblers`: time with 1 and 2 threads, memory, table size, probes per second.

Run with `make bench` or `python benchmarks/solve.py [RULES]`, on an idle machine. Each run
has a process of its own, after compilation, so that the peak memory is its own.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numba import njit

from nestline import tables
from nestline.position import Position
from nestline.rules import load_rules
from nestline.solve.build import table_bytes
from nestline.solve.entry import OPEN, WIN_IN_ONE
from nestline.solve.index import build_index, words_of
from nestline.solve.retrograde import solve

BATCH = 5_000_000
COLD_PROBES = 300
WARM_PROBES = 20_000


def solve_once(name: str, threads: int) -> None:
    """Print the seconds and peak memory of one run, without compilation."""
    solve(load_rules("tictactoe").law, threads=threads)
    began = time.perf_counter()
    solve(load_rules(name).law, threads=threads)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "peak": peak}))


@njit
def write_words(numbers, index, owns, opps):  # type: ignore[no-untyped-def]
    for place in range(len(numbers)):
        owns[place], opps[place] = words_of(numbers[place], index)


def probe_rates(name: str, folder: Path) -> None:
    index = build_index(load_rules(name).law)
    numbers = np.random.default_rng(1).integers(0, index.entries, BATCH)
    owns, opps = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    write_words(numbers, index, owns, opps)
    with tables.open(name, folder) as table:
        codes = table.probe_codes(owns, opps)
    # Positions that have to be looked up: neither finished nor won at once.
    hidden = np.flatnonzero((codes == OPEN) | (codes > WIN_IN_ONE))
    with tables.open(name, folder) as table:
        began = time.perf_counter()
        for place in hidden[:COLD_PROBES]:
            table.probe_words(int(owns[place]), int(opps[place]))
        print(f"  single cold probes: {COLD_PROBES / (time.perf_counter() - began):,.0f} a second")
        position = Position.start(name)
        table.probe(position)
        began = time.perf_counter()
        for _ in range(WARM_PROBES):
            table.probe(position)
        print(f"  single warm probes: {WARM_PROBES / (time.perf_counter() - began):,.0f} a second")
        for count in (BATCH // 5, BATCH):
            began = time.perf_counter()
            table.probe_many(owns[:count], opps[:count])
            rate = count / (time.perf_counter() - began)
            print(f"  batch of {count:,} random placements: {rate:,.0f} a second")
        owns, opps = owns[hidden], opps[hidden]
        began = time.perf_counter()
        table.probe_many(owns, opps)
        rate = len(owns) / (time.perf_counter() - began)
        print(f"  batch of {len(owns):,} that all have to be looked up: {rate:,.0f} a second")


def main(name: str) -> None:
    print(f"{name}:")
    for threads in (1, 2):
        command = [sys.executable, __file__, name, str(threads)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        facts = json.loads(answer)
        print(
            f"  solved with {threads} thread{'s' * (threads > 1)}: {facts['seconds']:.1f} s, "
            f"peak memory {facts['peak'] / 2**30:.2f} GiB"
        )
    with tempfile.TemporaryDirectory() as folder:
        rules = load_rules(name)
        table_bytes(load_rules("tictactoe").law)
        began = time.perf_counter()
        path = tables.build(rules, Path(folder))
        seconds = time.perf_counter() - began
        print(f"  table built in {seconds:.1f} s: {path.stat().st_size / 1e6:.2f} MB")
        probe_rates(name, Path(folder))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        solve_once(sys.argv[1], int(sys.argv[2]))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else "gobblers")
