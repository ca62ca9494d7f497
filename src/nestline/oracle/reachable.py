"""The positions that can be reached and go on, up to symmetry: found once, then kept.

Finding them means solving the rule set again, a minute and a gigabyte on 3x3. The result, one bit
for each entry of the solution, is kept beside the compiled code, so it is found again when that
code changes.
"""

import contextlib
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import cache_folder, inlined
from nestline.errors import TableError
from nestline.oracle.positions import Words
from nestline.rules.law import Law
from nestline.solve.entry import OPEN, WIN_IN_ONE
from nestline.solve.index import Index, build_index, has_index, lowest_entry_of, words_of
from nestline.solve.retrograde import Progress, reachable, solve, split_evenly
from nestline.solve.table_format import write_whole
from nestline.system import cores

ENTRIES_AT_ONCE = 1_000_000
POSITIONS_AT_ONCE = 100_000
TASKS = 64
SOLVING_SHARE, REACHING_SHARE = 0.3, 0.6
"""The shares of solving and of finding what is reachable in the time that all takes."""


@dataclass(frozen=True)
class Reachable:
    """Which entries of a solution's index are positions to judge an agent by."""

    index: Index
    bits: NDArray[np.uint8]
    """A bit for each entry, eight to a byte, the lowest first; packed, it is 43 MB for gobblers."""

    def positions(
        self, sample: int | None = None, seed: int = 0
    ) -> Iterator[tuple[Words, Words, float]]:
        """All positions, or a sample, in batches, each with the share done so far."""
        chance = np.random.default_rng(seed)
        owns, opps = np.empty(ENTRIES_AT_ONCE, np.int64), np.empty(ENTRIES_AT_ONCE, np.int64)
        entries = self.index.entries
        first, found = 0, 0
        while first < entries if sample is None else found < sample:
            if sample is None:
                numbers = np.arange(first, min(first + ENTRIES_AT_ONCE, entries))
                first += ENTRIES_AT_ONCE
            else:
                numbers = chance.integers(0, entries, min(ENTRIES_AT_ONCE, 4 * sample))
            count = _pick(numbers, self.index, self.bits, owns, opps)
            if sample is not None:
                count = min(count, sample - found)
            found += count
            for part in range(0, count, POSITIONS_AT_ONCE):
                some = slice(part, min(part + POSITIONS_AT_ONCE, count))
                done = first / entries if sample is None else found / sample
                yield owns[some].copy(), opps[some].copy(), min(1.0, done)


@inlined
def _pick(
    numbers: NDArray[np.int64], index: Index, bits: NDArray[np.uint8], owns: Words, opps: Words
) -> int:
    """Write the positions of the marked entries; return how many."""
    count = 0
    for number in numbers:
        if bits[number >> 3] >> (number & 7) & 1:
            owns[count], opps[count] = words_of(number, index)
            count += 1
    return count


@inlined
def _mark(
    first: int, stop: int, index: Index, table: NDArray[np.uint8], reached: NDArray[np.uint8],
    bits: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Mark the entries of these bytes that are reachable, unfinished and canonical."""
    for place in range(first, stop):
        marks = 0
        for number in range(place * 8, min(place * 8 + 8, index.entries)):
            code = table[number]
            if reached[number] and (code == OPEN or code >= WIN_IN_ONE):
                own, opp = words_of(number, index)
                if lowest_entry_of(own, opp, index) == number:
                    marks |= 1 << (number & 7)
        bits[place] = marks


def _find(law: Law, progress: Progress) -> Reachable:
    solution = solve(law, progress=lambda part: progress(SOLVING_SHARE * part))
    reached = reachable(law, progress=lambda part: progress(SOLVING_SHARE + REACHING_SHARE * part))
    bits = np.zeros(_bytes(solution.index), np.uint8)
    index, entries = solution.index, solution.entries
    with ThreadPoolExecutor(cores()) as pool:
        for running in [
            pool.submit(_mark, first, stop, index, entries, reached, bits)
            for first, stop in split_evenly(len(bits), TASKS)
        ]:
            running.result()
    return Reachable(solution.index, bits)


def _bytes(index: Index) -> int:
    return (index.entries + 7) // 8


def _file(law: Law) -> Path:
    name = hashlib.sha256(repr(tuple(law)).encode()).hexdigest()[:16]
    return cache_folder() / f"reachable-{name}.bits"


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data).digest()


def _read(path: Path, index: Index) -> Reachable | None:
    """What an earlier process has kept; None if there is nothing, or if it is damaged."""
    with contextlib.suppress(OSError):
        data = path.read_bytes()
        bits, digest = data[: _bytes(index)], data[_bytes(index) :]
        if digest == _digest(bits):
            return Reachable(index, np.frombuffer(bits, np.uint8))
    return None


def find_reachable(law: Law, progress: Progress | None = None) -> Reachable:
    """The reachable positions, from the cache or found now."""
    if not has_index(law):
        raise TableError(
            "the reachable positions of so large a game are not listed; judge it by games, with "
            'over="play"'
        )
    path = _file(law)
    found = _read(path, build_index(law)) if path.exists() else None
    if found is None:
        found = _find(law, progress or (lambda _part: None))
        data = found.bits.tobytes()
        with contextlib.suppress(TableError):  # A full disk only means finding them again.
            write_whole(path, data + _digest(data))
    return found
