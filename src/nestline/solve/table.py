"""Probing a tablebase: value, distance, and what each move is worth.

A tablebase is memory-mapped; blocks are decompressed on demand and a few are cached. What the board
alone tells is never looked up. `build` builds tablebases, `table_format` defines their bytes.
"""

import mmap
import os
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from nestline import kernel
from nestline.compiled import inlined
from nestline.errors import PositionError, TableError, errors_about
from nestline.position import Move, Position
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law
from nestline.solve import table_format
from nestline.solve.classify import classify, is_possible
from nestline.solve.entry import IMPOSSIBLE, OPEN, VALUE_NAMES, distance_of, value_of
from nestline.solve.groups.numbering import (
    locate_all_in_slices,
    locate_in_slices,
    number_slices,
)
from nestline.solve.groups.size import require_possible
from nestline.solve.index import Index, build_index, has_index, is_placement, lowest_entry_of
from nestline.system import cores

BLOCKS_WORTH_THREADS = 100
"""A batch that needs this many blocks has them decompressed on all cores."""

CACHED_BLOCKS = 96
"""Decompressed blocks in the cache, a quarter of a megabyte each."""


class Probe(NamedTuple):
    """The value of a position for the player to move: "win", "draw" or "loss", and its distance.

    The distance is in plies, 0 for a finished position; None for a draw that is not finished.
    """

    value: str
    distance: int | None


class MoveProbe(NamedTuple):
    """The value of a move for the player who makes it; distance 1 means that it ends the game."""

    move: Move
    value: str
    distance: int | None


@inlined
def locate(own: int, opp: int, law: Law, index: Index) -> int:
    """The number to look up, or minus the entry where the board alone tells it."""
    if not is_placement(own, opp, law) or not is_possible(own, opp, law):
        return -IMPOSSIBLE
    code = classify(own, opp, law, index)
    if code == OPEN:
        return lowest_entry_of(own, opp, index)
    return -code


@inlined
def _locate_all(
    owns: NDArray[np.int64], opps: NDArray[np.int64], law: Law, index: Index, block: int,
    numbers: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """`locate` for many positions; count how many fall into each block."""
    for place in range(len(owns)):
        number = locate(owns[place], opps[place], law, index)
        numbers[place] = number
        if number >= 0:
            counts[number // block] += 1


@inlined
def _sort_by_block(
    numbers: NDArray[np.int64], block: int, places: NDArray[np.int64], order: NDArray[np.int64],
    codes: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Sort the positions to look up by block; enter the codes of all others."""
    for place in range(len(numbers)):
        number = numbers[place]
        if number < 0:
            codes[place] = -number
        else:
            order[places[number // block]] = place
            places[number // block] += 1


@inlined
def _look_up(
    order: NDArray[np.int64], numbers: NDArray[np.int64], first: int, block: NDArray[np.uint8],
    codes: NDArray[np.uint8],
) -> None:  # fmt: skip
    for number in range(len(order)):
        place = order[number]
        codes[place] = block[numbers[place] - first]


@inlined
def _children(
    own: int, opp: int, law: Law, moves: NDArray[np.int16], owns: NDArray[np.int64],
    opps: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write the legal moves and the positions after them; return how many."""
    count = kernel.legal_moves(own, opp, law, moves)
    for place in range(count):
        owns[place] = opp
        opps[place] = kernel.play(own, int(moves[place]))
    return count


def tables_folder(folder: "str | os.PathLike[str] | None" = None) -> Path:
    """The folder given, or NESTLINE_TABLES, or the user's cache folder."""
    chosen = folder or os.environ.get("NESTLINE_TABLES")
    return Path(chosen) if chosen else user_cache_path("nestline") / "tables"


class _IndexNumbers:
    """Positions numbered by `solve.index`."""

    def __init__(self, law: Law) -> None:
        self._law, self._index = law, build_index(law)
        self.entries = self._index.entries

    def locate(self, own: int, opp: int) -> int:
        return locate(own, opp, self._law, self._index)

    def locate_all(
        self, owns: NDArray[np.int64], opps: NDArray[np.int64], block: int,
        numbers: NDArray[np.int64], counts: NDArray[np.int64],
    ) -> None:  # fmt: skip
        _locate_all(owns, opps, self._law, self._index, block, numbers, counts)


class _SliceNumbers:
    """Positions numbered by `solve.groups.numbering`."""

    def __init__(self, law: Law, block: int) -> None:
        numbering = number_slices(law, block)
        self._law, self._places = law, numbering.places
        self.entries = numbering.entries

    def locate(self, own: int, opp: int) -> int:
        return locate_in_slices(own, opp, self._law, self._places)

    def locate_all(
        self, owns: NDArray[np.int64], opps: NDArray[np.int64], block: int,
        numbers: NDArray[np.int64], counts: NDArray[np.int64],
    ) -> None:  # fmt: skip
        locate_all_in_slices(owns, opps, self._law, self._places, block, numbers, counts)


class Table:
    """The tablebase of one rule set, open for probing; close it, or use it in a `with`
    statement."""

    def __init__(self, rules: RuleSet, path: Path) -> None:
        self.rules = rules
        self.path = path
        self._law = rules.law
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            if not has_index(rules.law):
                with errors_about(rules.name):
                    require_possible(rules.law)
            raise TableError(
                f"there is no tablebase of {rules.name} at {path}; "
                f"build it with: nestline tables build {rules.reference}"
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise TableError(f"{path}: the tablebase cannot be read: {reason.lower()}") from None
        self._blocks: OrderedDict[int, NDArray[np.uint8]] = OrderedDict()
        self._lock = threading.Lock()
        try:
            self.header = table_format.unpack(self._map, path)
            self._check_rules()
            self._numbers = self._numbering()
        except TableError:
            self.close()
            raise

    def _check_rules(self) -> None:
        if self.header.rules_hash != table_format.rules_hash(self._law):
            raise TableError(
                f"{self.path}: this is the tablebase of other rules than {self.rules.name}"
            )

    def _numbering(self) -> _IndexNumbers | _SliceNumbers:
        found = (
            _IndexNumbers(self._law)
            if self.header.version == table_format.BY_INDEX
            else _SliceNumbers(self._law, self.header.block_entries)
        )
        if self.header.entries != found.entries:
            raise TableError(
                f"{self.path}: damaged tablebase: {self.header.entries} entries "
                f"where {found.entries} are expected"
            )
        return found

    def __repr__(self) -> str:
        return f'nestline.tables.open("{self.rules.reference}", "{self.path.parent}")'

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the tablebase can no longer be probed."""
        self._blocks.clear()
        self._map.close()

    def block(self, number: int) -> NDArray[np.uint8]:
        """The entries of a block, decompressed and checked; cached."""
        with self._lock:
            found = self._blocks.get(number)
            if found is not None:
                self._blocks.move_to_end(number)
                return found
        if self._map.closed:
            raise TableError(f"{self.path}: this tablebase has been closed")
        content = table_format.read_block(self._map, self.header, number, self.path)
        block = np.frombuffer(content, np.uint8)
        with self._lock:
            self._blocks[number] = block
            if len(self._blocks) > CACHED_BLOCKS:
                self._blocks.popitem(last=False)
        return block

    def probe(self, position: Position | str) -> Probe:
        """Value and distance of a position, or of its text, for the player to move."""
        position = self._position(position)
        code = self.probe_words(*self._words(position))
        return Probe(VALUE_NAMES[value_of(code)], distance_of(code))

    def moves(self, position: Position | str) -> tuple[MoveProbe, ...]:
        """Every legal move with its value and distance for the mover, best first."""
        position = self._position(position)
        own, opp = self._words(position)
        if position.outcome() is not None:
            return ()
        numbers = np.empty(kernel.MAX_MOVES, np.int16)
        owns = np.empty(kernel.MAX_MOVES, np.int64)
        opps = np.empty(kernel.MAX_MOVES, np.int64)
        count = _children(own, opp, self._law, numbers, owns, opps)
        codes = self.probe_codes(owns[:count], opps[:count])
        # The kernel writes moves in the order in which `Position` lists them.
        probes = [
            _seen_by_mover(move, int(code))
            for move, code in zip(position.legal_moves(), codes, strict=True)
        ]
        return tuple(sorted(probes, key=best_first))

    def probe_words(self, own: int, opp: int) -> int:
        """The entry of a position given as the kernel's bitboards (see `solve.entry`)."""
        number = self._numbers.locate(own, opp)
        if number < 0:
            if number == -IMPOSSIBLE:
                raise PositionError(f"the words {own:#x} and {opp:#x} are no position")
            return -number
        block_entries = self.header.block_entries
        return int(self.block(number // block_entries)[number % block_entries])

    def probe_codes(self, owns: NDArray[np.int64], opps: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The entries of many positions, given as arrays (n,) of the kernel's bitboards."""
        owns = np.ascontiguousarray(owns, np.int64)
        opps = np.ascontiguousarray(opps, np.int64)
        if owns.ndim != 1 or owns.shape != opps.shape:
            raise PositionError("batch probing takes two arrays of words of the same length")
        size = self.header.block_entries
        numbers = np.empty(len(owns), np.int64)
        counts = np.zeros(len(self.header.digests), np.int64)
        self._numbers.locate_all(owns, opps, size, numbers, counts)
        ends = np.cumsum(counts)
        codes = np.empty(len(owns), np.uint8)
        order = np.empty(ends[-1], np.int64)
        _sort_by_block(numbers, size, ends - counts, order, codes)

        def look_up(blocks: NDArray[np.int64]) -> None:
            for number in blocks.tolist():
                chosen = order[ends[number] - counts[number] : ends[number]]
                _look_up(chosen, numbers, number * size, self.block(number), codes)

        needed = np.flatnonzero(counts)
        if len(needed) < BLOCKS_WORTH_THREADS:
            look_up(needed)
        else:
            threads = cores()
            with ThreadPoolExecutor(threads) as pool:
                for _ in pool.map(look_up, np.array_split(needed, threads)):
                    pass
        if IMPOSSIBLE in codes:
            place = int(np.flatnonzero(codes == IMPOSSIBLE)[0])
            raise PositionError(
                f"position {place} of the batch: the words {int(owns[place]):#x} and "
                f"{int(opps[place]):#x} are no position"
            )
        return codes

    def probe_many(
        self, owns: NDArray[np.int64], opps: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Values (1, 0, -1) and distances (-1: none) of many positions, arrays of shape (n,).

        `owns` and `opps` hold the kernel's bitboards of the players to move and of the others.
        """
        codes = self.probe_codes(owns, opps)
        return _VALUES[codes], _DISTANCES[codes]

    def _position(self, position: Position | str) -> Position:
        return Position(position, self.rules) if isinstance(position, str) else position

    def _words(self, position: Position) -> tuple[int, int]:
        if position.rules is not self.rules and position.rules.law != self._law:
            raise TableError(
                f"a position of {position.rules.name} cannot be looked up "
                f"in the tablebase of {self.rules.name}"
            )
        return position.words


_VALUES = np.array([value_of(code) for code in range(256)], np.int8)
_DISTANCES = np.array(
    [-1 if (far := distance_of(code)) is None else far for code in range(256)], np.int16
)


def _seen_by_mover(move: Move, code: int) -> MoveProbe:
    value = -value_of(code)
    distance = distance_of(code)
    if value == 0 or distance is None:
        return MoveProbe(move, "draw", None)
    return MoveProbe(move, VALUE_NAMES[value], distance + 1)


def best_first(probe: MoveProbe) -> tuple[int, int]:
    """The sort key of moves: fast wins, draws, slow losses."""
    if probe.value == "win":
        return 0, probe.distance or 0
    return (1, 0) if probe.value == "draw" else (2, -(probe.distance or 0))


def open_table(
    rules: "str | os.PathLike[str] | RuleSet", folder: "str | os.PathLike[str] | None" = None
) -> Table:
    """The tablebase of a rule set, from the folder or the default one (see `tables_folder`).

    `TableError` if it is missing, damaged, or made for other rules.
    """
    loaded = load_rules(rules)
    return Table(loaded, tables_folder(folder) / table_format.table_name(loaded))


__all__ = ["MoveProbe", "Probe", "Table", "open_table", "tables_folder"]
