"""Numbering positions: an index of every placement of the pieces on a small board, up to symmetry.

From the point of view of the player to move, a size layer is a way to put own and opposing pieces
of one size on the squares. A position's number consists of the class of its largest layer under the
eight symmetries and the ranks of the smaller layers, viewed through a symmetry that brings the
largest layer into its class's standard form. Classes and ranks are sorted by number of pieces.
`entry` says what the entries mean.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.kernel import ONE_PER_LAYER, layer, popcount, transform
from nestline.rules.law import LAYER_BITS, Law
from nestline.system import memory_bytes
from nestline.threats import Completing, completing_squares

MAX_SOLVED_BOARD = 3
SYMMETRIES = 8
MAX_ENTRIES = 1 << 31
"""Position numbers are 32 bits wide while solving."""

PROCESS_BYTES = 170 * 2**20
"""The memory of the process itself."""
BYTES_PER_ENTRY = 2.5
"""A value, a reachability mark for `--stats`, and the work lists as measured on `gobblers`."""
SECONDS_PER_ENTRY = 9e-8
"""Time on one core, measured on `gobblers`; both are only for the estimate beforehand."""


class Index(NamedTuple):
    """Tables that map the kernel's bit boards to numbers and back; `squares` is `board * board`."""

    board: int
    sizes: int
    entries: int
    row: int
    """How many consecutive entries differ only in the smallest layer (1: one size)."""
    kinds: tuple[int, int, int, int]
    """For each size, the row of `rank_of`, `own_of` and `opp_of` that fits its stock."""
    counts: tuple[int, int, int, int]
    """For each size, the number of ranks of its layer (the largest one has classes instead)."""
    strides: tuple[int, int, int, int]
    """For each size, the distance between entries that differ by one in that layer's rank."""
    ternary: NDArray[np.int16]
    """(2^squares,): a mask read as a number in base 3; a layer's code is own + 2 * opp of these."""
    rank_of: NDArray[np.int16]
    """(kinds, 8, 3^squares): rank of a layer's code viewed through a symmetry, -1 where none."""
    own_of: NDArray[np.int16]
    """(kinds, ranks): own squares of a rank."""
    opp_of: NDArray[np.int16]
    """(kinds, ranks): the opponent's squares of a rank."""
    class_of: NDArray[np.int16]
    """(3^squares,): class of the code of a largest layer, -1 where none."""
    symmetry_of: NDArray[np.int8]
    """(3^squares,): the first symmetry that brings this largest layer into standard form."""
    symmetries_of: NDArray[np.uint8]
    """(3^squares,): all such symmetries, as bits."""
    class_own: NDArray[np.int16]
    """(classes,): own squares of the standard form."""
    class_opp: NDArray[np.int16]
    """(classes,): the opponent's squares of the standard form."""
    class_weight: NDArray[np.int8]
    """(classes,): how many different layers fall into the class."""
    class_fixed: NDArray[np.uint8]
    """(classes,): the symmetries that fix the standard form, as bits."""
    rank_fixed: NDArray[np.uint8]
    """(kinds, ranks): the symmetries that fix a rank's layer, as bits."""
    completing: Completing
    """The squares that complete a line; see `threats`."""


@inlined
def entry_of(own: int, opp: int, index: Index) -> int:
    """The number of a position."""
    top = index.sizes
    code = index.ternary[layer(own, top)] + 2 * index.ternary[layer(opp, top)]
    entry = int(index.class_of[code])
    symmetry = index.symmetry_of[code]
    for size in range(top - 1, 0, -1):
        code = index.ternary[layer(own, size)] + 2 * index.ternary[layer(opp, size)]
        rank = index.rank_of[index.kinds[size - 1], symmetry, code]
        entry = entry * index.counts[size - 1] + int(rank)
    return entry


@inlined
def lowest_entry_of(own: int, opp: int, index: Index) -> int:
    """The lowest number among a position and its images, the only one kept in tables."""
    top = index.sizes
    code = index.ternary[layer(own, top)] + 2 * index.ternary[layer(opp, top)]
    symmetries = int(index.symmetries_of[code])
    lowest = index.entries
    for symmetry in range(SYMMETRIES):
        if symmetries >> symmetry & 1:
            entry = int(index.class_of[code])
            for size in range(top - 1, 0, -1):
                lower = index.ternary[layer(own, size)] + 2 * index.ternary[layer(opp, size)]
                rank = index.rank_of[index.kinds[size - 1], symmetry, lower]
                entry = entry * index.counts[size - 1] + int(rank)
            lowest = min(lowest, entry)
    return lowest


@inlined
def turns_alternate(own: int, opp: int, law: Law) -> bool:
    """Whether these piece counts can arise by taking turns; where pieces move, all can."""
    return law.moving != 0 or 0 <= popcount(opp) - popcount(own) <= 1


@inlined
def is_placement(own: int, opp: int, law: Law) -> bool:
    """Whether two words are pieces on different places of the board, within the stock, and in
    numbers that can arise by taking turns."""
    board = law.all_squares * (ONE_PER_LAYER >> (LAYER_BITS * (4 - law.sizes)))
    if own & opp or (own | opp) & ~board:
        return False
    for size in range(1, law.sizes + 1):
        stock = law.stock[size - 1]
        if popcount(layer(own, size)) > stock or popcount(layer(opp, size)) > stock:
            return False
    return turns_alternate(own, opp, law)


@inlined
def words_of(entry: int, index: Index) -> tuple[int, int]:
    """The position with this number, as the bit boards of the player to move and of the other."""
    own = 0
    opp = 0
    for size in range(1, index.sizes):
        count = index.counts[size - 1]
        rank = entry % count
        entry //= count
        kind = index.kinds[size - 1]
        own |= int(index.own_of[kind, rank]) << (LAYER_BITS * (size - 1))
        opp |= int(index.opp_of[kind, rank]) << (LAYER_BITS * (size - 1))
    own |= int(index.class_own[entry]) << (LAYER_BITS * (index.sizes - 1))
    opp |= int(index.class_opp[entry]) << (LAYER_BITS * (index.sizes - 1))
    return own, opp


@inlined
def _fill_symmetries(board: int, images: NDArray[np.int16]) -> None:
    for symmetry in range(images.shape[0]):
        for mask in range(images.shape[1]):
            images[symmetry, mask] = transform(mask, symmetry, board)


def size_of_index(law: Law) -> int:
    """How many entries the index of a rule set would have, without building it."""
    if law.board > MAX_SOLVED_BOARD:
        raise TableError(
            f"only boards up to {MAX_SOLVED_BOARD}x{MAX_SOLVED_BOARD} can be solved completely; "
            f"this one is {law.board}x{law.board}"
        )
    *lower, top = law.stock[: law.sizes]
    return _count_classes(law.board, top) * math.prod(_count_ranks(law.board, s) for s in lower)


def _count_ranks(board: int, stock: int) -> int:
    """The number of ways to fill a layer with at most this many pieces of each player."""
    squares, counts = board * board, range(stock + 1)
    return sum(
        math.comb(squares, own) * math.comb(squares - own, opp)
        for own in counts if own <= squares
        for opp in counts
    )  # fmt: skip


def _count_classes(board: int, stock: int) -> int:
    """The same up to symmetry, by Burnside: the mean number of fillings that a symmetry fixes."""
    square = np.arange(board * board).reshape(board, board)
    images = [np.rot90(seen, turns).ravel() for seen in (square, square.T) for turns in range(4)]
    digits = np.arange(3**square.size)[:, None] // 3 ** np.arange(square.size) % 3
    digits = digits[((digits == 1).sum(1) <= stock) & ((digits == 2).sum(1) <= stock)]
    fixed = sum(int((digits[:, image] == digits).all(1).sum()) for image in images)
    return fixed // SYMMETRIES


class Estimate(NamedTuple):
    """Roughly what solving a rule set takes, before it starts."""

    entries: int
    memory: float
    """Bytes."""
    seconds: float
    """On one processor core."""


def estimate(law: Law) -> Estimate:
    """The size of the task; `TableError` says why it cannot be done on this machine."""
    entries = size_of_index(law)
    memory = PROCESS_BYTES + entries * BYTES_PER_ENTRY
    need = Estimate(entries, memory, entries * SECONDS_PER_ENTRY)
    told = (
        f"{entries:,} entries would need about {need.memory / 2**30:,.1f} GiB of memory "
        f"and {need.seconds / 3600:,.1f} hours of one core"
    )
    if entries >= MAX_ENTRIES:
        raise TableError(f"too large to be solved: {told}; at most {MAX_ENTRIES:,} are possible")
    present = memory_bytes()
    if need.memory > present:
        raise TableError(
            f"too large to be solved here: {told}; this machine has {present / 2**30:,.1f} GiB"
        )
    return need


@lru_cache(maxsize=4)
def build_index(law: Law) -> Index:
    """The index of a rule set; raises `TableError` where it is too large."""
    entries = estimate(law).entries
    codes = _Codes(law.board)
    top_stock = law.stock[law.sizes - 1]
    lower = law.stock[: law.sizes - 1]
    stocks = sorted(set(lower)) or [0]
    ranks = [codes.ranks(stock) for stock in stocks]
    width = max(len(members) for members in ranks)
    rank_of = np.full((len(stocks), SYMMETRIES, codes.total), -1, np.int16)
    own_of = np.zeros((len(stocks), width), np.int16)
    opp_of = np.zeros((len(stocks), width), np.int16)
    rank_fixed = np.zeros((len(stocks), width), np.uint8)
    for kind, members in enumerate(ranks):
        plain = np.full(codes.total, -1, np.int16)
        plain[members] = np.arange(len(members))
        rank_of[kind] = plain[codes.images]
        own_of[kind, : len(members)] = codes.own[members]
        opp_of[kind, : len(members)] = codes.opp[members]
        rank_fixed[kind, : len(members)] = codes.fixed(members)
    classes = codes.classes(top_stock)
    class_of = np.full(codes.total, -1, np.int16)
    class_of[classes] = np.arange(len(classes))
    class_of = np.where(codes.allowed(top_stock), class_of[codes.standard], np.int16(-1))
    reaching = codes.images == codes.standard
    bits = (1 << np.arange(SYMMETRIES))[:, None]
    kinds = [stocks.index(stock) for stock in lower]
    counts = [len(ranks[kind]) for kind in kinds]
    return Index(
        board=law.board,
        sizes=law.sizes,
        entries=entries,
        row=counts[0] if counts else 1,
        kinds=_four(kinds, 0),
        counts=_four(counts, 1),
        strides=_four([math.prod(counts[:size]) for size in range(len(counts) + 1)], 0),
        ternary=codes.ternary.astype(np.int16),
        rank_of=rank_of,
        own_of=own_of,
        opp_of=opp_of,
        class_of=class_of,
        symmetry_of=reaching.argmax(axis=0).astype(np.int8),
        symmetries_of=(reaching * bits).sum(axis=0).astype(np.uint8),
        class_own=codes.own[classes],
        class_opp=codes.opp[classes],
        class_weight=(SYMMETRIES // reaching[:, classes].sum(axis=0)).astype(np.int8),
        class_fixed=codes.fixed(classes),
        rank_fixed=rank_fixed,
        completing=completing_squares(law),
    )


def _four(values: list[int], missing: int) -> tuple[int, int, int, int]:
    first, second, third, fourth = values + [missing] * (4 - len(values))
    return first, second, third, fourth


class _Codes:
    """All ways to fill one layer of a board, as base-3 numbers: 0 empty, 1 own, 2 opponent."""

    def __init__(self, board: int) -> None:
        self.squares = board * board
        self.total = 3**self.squares
        powers = 3 ** np.arange(self.squares)
        digits = np.arange(self.total)[:, None] // powers % 3
        bits = 1 << np.arange(self.squares)
        self.own = ((digits == 1) * bits).sum(axis=1).astype(np.int16)
        self.opp = ((digits == 2) * bits).sum(axis=1).astype(np.int16)
        self.own_count = (digits == 1).sum(axis=1)
        self.opp_count = (digits == 2).sum(axis=1)
        masks = np.arange(1 << self.squares)[:, None] >> np.arange(self.squares) & 1
        self.ternary = (masks * powers).sum(axis=1)
        mask_images = np.zeros((SYMMETRIES, 1 << self.squares), np.int16)
        _fill_symmetries(board, mask_images)
        self.images = (
            self.ternary[mask_images[:, self.own]] + 2 * self.ternary[mask_images[:, self.opp]]
        )
        self.standard = self.images.min(axis=0)

    def allowed(self, stock: int) -> NDArray[Any]:
        few: NDArray[Any] = (self.own_count <= stock) & (self.opp_count <= stock)
        return few

    def ranks(self, stock: int) -> NDArray[np.int64]:
        """The codes that a layer with this stock can have, in the order of their ranks."""
        return self._sorted(np.flatnonzero(self.allowed(stock)))

    def classes(self, stock: int) -> NDArray[np.int64]:
        """The standard form of each class of such codes, in the order of the classes."""
        codes = np.arange(self.total)
        return self._sorted(np.flatnonzero(self.allowed(stock) & (self.standard == codes)))

    def fixed(self, codes: NDArray[np.int64]) -> NDArray[Any]:
        """For each code, the symmetries that fix it, as bits."""
        same = self.images[:, codes] == codes
        bits: NDArray[Any] = (same * (1 << np.arange(SYMMETRIES))[:, None]).sum(axis=0)
        return bits.astype(np.uint8)

    def _sorted(self, codes: NDArray[np.int64]) -> NDArray[Any]:
        return codes[np.lexsort((codes, self.opp_count[codes], self.own_count[codes]))]
