"""Build the tablebases of the largest games that a GPU solves, and check samples of them.

Run `python benchmarks/large_tables.py FOLDER`. Each game has a process of its own, for its peak
memory. It takes minutes on a GPU with 80 GB and 16 cores; `--small` takes seconds on a CPU.
"""

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nestline import kernel, tables
from nestline.engine.prove.prover import Prover
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.solve.entry import OPEN
from nestline.solve.follows import UNKNOWN, finished_entry, with_move
from nestline.solve.groups.cut import entry_words
from nestline.solve.groups.numbering import number_slices
from nestline.solve.slices import group_end
from nestline.solve.table import Table

LARGE = {
    "four": "board = 4\nline = 4\nstock = [3, 3]",
    "nine": "stock = [3, 3, 3]",
}
SMALL = {"small": "board = 4\nline = 3\nstock = [2, 2]"}
"""Differences to `gobblers`."""
BY_MOVES = 200_000
BY_PROOFS = 300
PLIES = {3: 7, 4: 5}
"""How far the proofs search, by the size of the board."""


@njit
def words_at(numbers, first_group, layers, groups, owns, opps):  # type: ignore[no-untyped-def]
    """The words of entries of a slice, given by their addresses in rising order."""
    group = first_group
    for place, address in enumerate(numbers):
        while address >= group_end(group, layers, groups):
            group += 1
        own, opp, _ = entry_words(address - groups.base[group], group, layers, groups)
        owns[place], opps[place] = own, opp


@njit
def children(owns, opps, law, moves, starts, after_owns, after_opps):  # type: ignore[no-untyped-def]
    """All positions after a move; `starts` says where those of each position begin."""
    total = 0
    for place in range(len(owns)):
        starts[place] = total
        if finished_entry(owns[place], opps[place], law) == UNKNOWN:
            for number in range(kernel.legal_moves(owns[place], opps[place], law, moves)):
                after_owns[total] = opps[place]
                after_opps[total] = kernel.play(owns[place], int(moves[number]))
                total += 1
    starts[len(owns)] = total


@njit
def count_errors(owns, opps, law, codes, starts, after):  # type: ignore[no-untyped-def]
    """How many entries do not follow from those after their moves."""
    errors = 0
    for place in range(len(owns)):
        expected = finished_entry(owns[place], opps[place], law)
        for child in range(starts[place], starts[place + 1]):
            expected = with_move(expected, int(after[child]))
        errors += expected != codes[place]
    return errors


def sample(rules: RuleSet, block: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Random placements, each entry as likely as another."""
    work = number_slices(rules.law, block).work
    chance = np.random.default_rng(1)
    entries = np.array([part.entries for part in work.slices], float)
    owns, opps = np.empty(count, np.int64), np.empty(count, np.int64)
    done = 0
    for part, share in zip(
        work.slices, chance.multinomial(count, entries / entries.sum()), strict=True
    ):
        numbers = np.sort(chance.integers(0, max(part.entries, 1), share))
        words_at(
            numbers, part.first, work.layers, work.groups,
            owns[done : done + share], opps[done : done + share],
        )  # fmt: skip
        done += share
    return owns, opps


def check_moves(table: Table, owns: NDArray[np.int64], opps: NDArray[np.int64]) -> int:
    codes = table.probe_codes(owns, opps)
    room = len(owns) * 128
    after_owns, after_opps = np.empty(room, np.int64), np.empty(room, np.int64)
    starts = np.empty(len(owns) + 1, np.int64)
    law: Any = table.rules.law
    children(owns, opps, law, np.empty(kernel.MAX_MOVES, np.int16), starts, after_owns, after_opps)
    after = table.probe_codes(after_owns[: starts[-1]], after_opps[: starts[-1]])
    return int(count_errors(owns, opps, law, codes, starts, after))


def check_proofs(table: Table, positions: list[Position]) -> tuple[int, int]:
    """How many values proof search confirms and contradicts: wins, losses, or neither so soon."""
    prover = Prover(table.rules)
    plies = PLIES[table.rules.board]
    right = wrong = 0
    for position in positions:
        found = table.probe(position)
        for value, attacker in (("win", position.turn), ("loss", position.turn.other)):
            proof = prover.prove(position, plies, attacker)
            is_near = found.value == value and (found.distance or 0) <= plies
            fits = proof.plies == found.distance if is_near else not proof.win
            right, wrong = right + fits, wrong + (not fits)
    return right, wrong


def main(name: str, folder: Path, device: Any) -> None:
    rules_file = folder / f"{name}.toml"
    rules_file.write_text(f'like = "gobblers"\n{(LARGE | SMALL)[name]}\n')
    rules = load_rules(rules_file)
    began = time.perf_counter()
    path = tables.build(rules, folder, device=device)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    with tables.open(rules, folder) as table:
        print(
            f"{name}: {table.header.entries:,} numbers, {seconds:.1f} s with compilation, "
            f"{path.stat().st_size:,} bytes, peak {peak:.1f} GiB, "
            f"content {table.header.content_hash.hex()[:16]}, {table.probe(Position.start(rules))}",
            flush=True,
        )
        owns, opps = sample(rules, table.header.block_entries, BY_MOVES)
        began = time.perf_counter()
        errors = check_moves(table, owns, opps)
        seconds = time.perf_counter() - began
        print(f"  {BY_MOVES:,} against their moves in {seconds:.1f} s: {errors} wrong", flush=True)
        codes = table.probe_codes(owns, opps)
        open_ones = np.flatnonzero((codes == OPEN) | (codes > 4))
        chosen = np.random.default_rng(2).choice(open_ones, BY_PROOFS, replace=False)
        positions = [
            Position.from_movers_words(int(owns[place]), int(opps[place]), rules)
            for place in chosen
        ]
        began = time.perf_counter()
        right, wrong = check_proofs(table, positions)
        seconds = time.perf_counter() - began
        print(f"  proofs in {seconds:.1f} s: {right} confirm, {wrong} contradict", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--game")
    chosen = parser.parse_args()
    device = "cpu" if chosen.small else "cuda"
    if chosen.game:
        main(chosen.game, chosen.folder, device)
    else:
        small = ["--small"] if chosen.small else []
        for game in SMALL if chosen.small else LARGE:
            subprocess.run(
                [sys.executable, __file__, str(chosen.folder), *small, "--game", game], check=True
            )
