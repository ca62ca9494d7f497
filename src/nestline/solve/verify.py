"""Verifying a tablebase: its size, its checksums, and in a full check every single entry.

The full check relies on the kernel alone. A win must have a move to a loss one ply nearer and none
to a nearer one; a loss must have only moves to wins, the furthest of which is one ply nearer; a
draw must have a move to a draw and none to a loss. Since distances count down to finished
positions, and a player who has a draw can always keep it, a tablebase in which every entry passes
is correct.
"""

import hashlib
import os
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law
from nestline.solve import table_format
from nestline.solve.entry import IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.follows import UNKNOWN, finished_entry, with_move
from nestline.solve.index import Index, build_index, entry_of, lowest_entry_of, words_of
from nestline.solve.retrograde import Progress, first_look, split_evenly
from nestline.solve.table import Table, tables_folder
from nestline.solve.verify_slices import check_every_slice
from nestline.system import cores

TASKS = 512


class Verification(NamedTuple):
    """The findings about a tablebase that is in order; anything else raises `TableError`."""

    path: Path
    size: int
    sha256: str
    content: str
    committed: str
    """"same", "same content" (compressed by another library), or "none" for other rule sets."""
    is_full: bool


@inlined
def _expected(
    own: int, opp: int, law: Law, index: Index, table: NDArray[np.uint8], moves: NDArray[np.uint8]
) -> int:
    """The entry that follows from the kernel and the entries after each move."""
    expected = finished_entry(own, opp, law)
    if expected == UNKNOWN:
        for place in range(kernel.legal_moves(own, opp, law, moves)):
            after = entry_of(opp, kernel.play(own, int(moves[place])), index)
            expected = with_move(expected, int(table[after]))
            if expected == WIN_IN_ONE:
                break
    return expected


@inlined
def _find_error(
    first: int, stop: int, law: Law, index: Index, table: NDArray[np.uint8],
    moves: NDArray[np.uint8],
) -> int:  # fmt: skip
    """The first entry in these rows that does not follow from its successors, or -1."""
    for entry in range(first * index.row, stop * index.row):
        code = table[entry]
        if code != IMPOSSIBLE:
            own, opp = words_of(entry, index)
            if code != _expected(own, opp, law, index, table, moves):
                return entry
    return -1


@inlined
def _expand(
    first: int, stop: int, index: Index, stored: NDArray[np.uint8], table: NDArray[np.uint8]
) -> None:
    """Replace what the first look left open in these rows by what the tablebase says."""
    for entry in range(first * index.row, stop * index.row):
        if table[entry] == OPEN:
            own, opp = words_of(entry, index)
            table[entry] = stored[lowest_entry_of(own, opp, index)]


def committed_checksums() -> dict[str, Any]:
    """For each rule set whose tablebase is known: rules, file, content, size, zstandard version."""
    text = (resources.files("nestline.solve") / "checksums.toml").read_text("utf-8")
    return tomllib.loads(text)


def verify_table(
    rules: "str | os.PathLike[str] | RuleSet", folder: "str | os.PathLike[str] | None" = None, *,
    full: bool = False, threads: int | None = None, progress: Progress | None = None,
) -> Verification:  # fmt: skip
    """Check the tablebase of a rule set; `TableError` says what is wrong with it."""
    rules = load_rules(rules)
    path = tables_folder(folder) / table_format.table_name(rules)
    report: Callable[[float], None] = progress or (lambda _part: None)
    with Table(rules, path) as table:
        header = table.header
        by_slices = header.version == table_format.BY_SLICES
        stored = np.empty(header.entries, np.uint8) if full and not by_slices else None
        hashes = []
        for number in range(len(header.digests)):
            block = table.block(number)
            hashes.append(hashlib.sha256(block.data).digest())
            if stored is not None:
                first = number * header.block_entries
                stored[first : first + len(block)] = block
            report((number + 1) / len(header.digests) * (0.05 if full else 1))
        if table_format.content_hash(hashes) != header.content_hash:
            raise TableError(f"{path}: damaged tablebase: the checksum of its content does not fit")
        with open(path, "rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        committed = _compare(rules, path, sha256, header.content_hash.hex())
        if stored is not None:
            _check_every_entry(rules, path, stored, threads, report)
        elif full:
            check_every_slice(table, threads, lambda part: report(0.05 + 0.95 * part))
        content = header.content_hash.hex()
        return Verification(path, header.offsets[-1], sha256, content, committed, full)


def _compare(rules: RuleSet, path: Path, sha256: str, content: str) -> str:
    """How a tablebase compares with the committed checksums of its rules, if there are any."""
    rules_hash = table_format.rules_hash(rules.law).hex()
    for known in committed_checksums().values():
        if known["rules"] == rules_hash:
            if known["content"] != content:
                raise TableError(
                    f"{path}: the content differs from the tablebase made when this version was "
                    "released; build it again, and report it if that does not help"
                )
            return "same" if known["file"] == sha256 else "same content"
    return "none"


def _check_every_entry(
    rules: RuleSet, path: Path, stored: NDArray[np.uint8], threads: int | None, report: Progress
) -> None:
    law = rules.law
    index = build_index(law)
    table = first_look(law, threads=threads)
    rows = index.entries // index.row
    ranges = split_evenly(rows, min(TASKS, rows))

    def expand(part: tuple[int, int]) -> None:
        _expand(*part, index, stored, table)

    def check(part: tuple[int, int]) -> int:
        return _find_error(*part, law, index, table, np.empty(kernel.MAX_MOVES, np.uint8))

    with ThreadPoolExecutor(threads or cores()) as pool:
        try:
            for _ in pool.map(expand, ranges):
                pass
            for number, wrong in enumerate(pool.map(check, ranges)):
                if wrong >= 0:
                    own, opp = words_of(wrong, index)
                    position = Position.from_movers_words(own, opp, rules)
                    raise TableError(
                        f"{path}: wrong tablebase: {position} does not follow from its moves"
                    )
                report(0.1 + 0.9 * (number + 1) / len(ranges))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
