"""Building a tablebase: solve, fill the entries nobody looks up, compress, write.

Entries that the board alone tells, and all images of a position but the lowest, are never looked
up. They take the value of the entry before them, which compresses best of all variants tried.
"""

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law
from nestline.solve import table_format
from nestline.solve.classify import classify
from nestline.solve.entry import IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.index import Index, has_index, lowest_entry_of, words_of
from nestline.solve.retrograde import Progress, Solution, solve, solve_on_gpu
from nestline.solve.slices import write_slices
from nestline.solve.table import tables_folder
from nestline.system import cores

Device = Literal["cpu", "cuda"]
SOLVE_SHARE = 0.75
"""The share of a build's time spent on solving; for the progress bar."""


@inlined
def _is_looked_up(entry: int, code: int, law: Law, index: Index, has_stuck: bool) -> bool:
    """Whether probing may ask for this entry."""
    if IMPOSSIBLE <= code <= WIN_IN_ONE:
        # Where players can be stuck, these values may also stem from that, which only the tablebase
        # knows.
        if not has_stuck or code == IMPOSSIBLE:
            return False
        own, opp = words_of(entry, index)
        if classify(own, opp, law, index) != OPEN:
            return False
    number = entry
    for size in range(index.sizes - 1):
        number //= index.counts[size]
    if index.class_fixed[number] == 1:
        return True
    own, opp = words_of(entry, index)
    return lowest_entry_of(own, opp, index) == entry


@inlined
def _fill(
    first: int, law: Law, index: Index, has_stuck: bool, entries: NDArray[np.uint8],
    block: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Write the block of entries that begins at `first`."""
    last = -1
    for place in range(len(block)):
        code = entries[first + place]
        if _is_looked_up(first + place, code, law, index, has_stuck):
            if last < 0:
                block[:place] = code
            last = code
        if last >= 0:
            block[place] = last
    if last < 0:
        block[:] = OPEN


def pack_solution(
    solution: Solution, *, threads: int | None = None, progress: Progress | None = None
) -> bytes:
    """The bytes of a solution's tablebase; the same for any number of threads."""
    law, index, entries = solution.law, solution.index, solution.entries
    starts = range(0, index.entries, table_format.BLOCK_ENTRIES)

    def pack_block(first: int) -> tuple[bytes, bytes]:
        block = np.empty(min(table_format.BLOCK_ENTRIES, index.entries - first), np.uint8)
        _fill(first, law, index, solution.has_stuck, entries, block)
        content = block.tobytes()
        return table_format.compress(content), hashlib.sha256(content).digest()

    blocks = []
    hashes = []
    with ThreadPoolExecutor(threads or cores()) as pool:
        try:
            for compressed, content in pool.map(pack_block, starts):
                blocks.append(compressed)
                hashes.append(content)
                if progress:
                    progress(len(blocks) / len(starts))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return table_format.pack(law, index.entries, blocks, table_format.content_hash(hashes))


def solve_on(
    device: Device, law: Law, *, threads: int | None = None, progress: Progress | None = None
) -> Solution:
    """Solve a rule set on the CPU or on a GPU; the result is the same."""
    if device == "cuda":
        return solve_on_gpu(law, progress=progress)
    return solve(law, threads=threads, progress=progress)


def table_bytes(
    law: Law, *, device: Device = "cpu", threads: int | None = None,
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    """Solve a rule set and pack its tablebase, without writing it."""
    report: Callable[[float], None] = progress or (lambda _part: None)
    solution = solve_on(
        device, law, threads=threads, progress=lambda part: report(SOLVE_SHARE * part)
    )
    return pack_solution(
        solution,
        threads=threads,
        progress=lambda part: report(SOLVE_SHARE + (1 - SOLVE_SHARE) * part),
    )


def build_table(
    rules: "str | os.PathLike[str] | RuleSet", folder: "str | os.PathLike[str] | None" = None, *,
    device: Device = "cpu", threads: int | None = None, progress: Progress | None = None,
) -> Path:  # fmt: skip
    """Solve a rule set and write its tablebase to the folder, or the default one; returns its
    path."""
    loaded = load_rules(rules)
    path = tables_folder(folder) / table_format.table_name(loaded)
    if not has_index(loaded.law):
        write_slices(loaded.law, path, on_gpu=device == "cuda", threads=threads, progress=progress)
        return path
    table_format.require_writable(path.parent)
    data = table_bytes(loaded.law, device=device, threads=threads, progress=progress)
    table_format.write_whole(path, data)
    return path
