"""Numbering positions: an index of every placement of the pieces on a small board, up to symmetry.

From the point of view of the player to move, a size layer is a way to put own and opposing pieces
of one size on the squares. A position's number consists of the class of its largest layer under the
eight symmetries and the ranks of the smaller layers, viewed through a symmetry that brings the
largest layer into its class's standard form. Classes and ranks are sorted by number of pieces.
`entry` says what the entries mean.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.kernel import ONE_PER_LAYER, layer, popcount, transform
from nestline.rules.law import LAYER_BITS, Law
from nestline.system import memory_bytes
from nestline.threats import Completing, completing_squares

MAX_SOLVED_BOARD = 3
"""The largest board with an index; larger ones are solved by slices."""
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
    """Tables that map the kernel's bitboards to numbers and back; `squares` is `board * board`."""

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
    """The position with this number, as the bitboards of the player to move and of the other."""
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
def fill_codes(
    board: int, ternary: NDArray[np.int16], own: NDArray[np.int16], opp: NDArray[np.int16],
    images: NDArray[np.int16],
) -> None:  # fmt: skip
    """Fill `Index.ternary`, and the tables of all codes of a layer: the squares of either player,
    (3^squares,), and the code under each symmetry, (8, 3^squares)."""
    for mask in range(ternary.shape[0]):
        code, digit, rest = 0, 1, mask
        while rest:
            code += digit * (rest & 1)
            digit *= 3
            rest >>= 1
        ternary[mask] = code
    for code in range(own.shape[0]):
        own_squares, opp_squares, square, rest = 0, 0, 1, code
        while rest:
            if rest % 3 == 1:
                own_squares |= square
            elif rest % 3 == 2:
                opp_squares |= square
            square <<= 1
            rest //= 3
        own[code] = own_squares
        opp[code] = opp_squares
        for symmetry in range(SYMMETRIES):
            image = ternary[transform(own_squares, symmetry, board)]
            image += 2 * ternary[transform(opp_squares, symmetry, board)]
            images[symmetry, code] = image


@inlined
def fill_ranks(
    stock: int, own: NDArray[np.int16], opp: NDArray[np.int16], images: NDArray[np.int16],
    rank_of: NDArray[np.int16],
) -> int:  # fmt: skip
    """Fill a layer of `Index.rank_of`, (8, 3^squares); return how many ranks there are.

    Ranks are sorted by the numbers of own and of opposing pieces.
    """
    rank = 0
    for code in range(own.shape[0]):
        rank_of[0, code] = -1
    for own_count in range(stock + 1):
        for opp_count in range(stock + 1):
            for code in range(own.shape[0]):
                if popcount(int(own[code])) == own_count and popcount(int(opp[code])) == opp_count:
                    rank_of[0, code] = rank
                    rank += 1
    for symmetry in range(1, SYMMETRIES):
        for code in range(own.shape[0]):
            rank_of[symmetry, code] = rank_of[0, images[symmetry, code]]
    return rank


@inlined
def fill_classes(
    stock: int, own: NDArray[np.int16], opp: NDArray[np.int16], images: NDArray[np.int16],
    class_of: NDArray[np.int16], symmetry_of: NDArray[np.int8], symmetries_of: NDArray[np.uint8],
) -> int:  # fmt: skip
    """Fill `Index.class_of`, `symmetry_of` and `symmetries_of`; return how many classes there are.

    A class's standard form is its lowest code; classes are sorted like ranks.
    """
    for code in range(own.shape[0]):
        first, lowest, symmetries = 0, images[0, code], 0
        for symmetry in range(SYMMETRIES):
            if images[symmetry, code] < lowest:
                first, lowest, symmetries = symmetry, images[symmetry, code], 0
            if images[symmetry, code] == lowest:
                symmetries |= 1 << symmetry
        symmetry_of[code] = first
        symmetries_of[code] = symmetries
        class_of[code] = -1
    number = 0
    for own_count in range(stock + 1):
        for opp_count in range(stock + 1):
            for code in range(own.shape[0]):
                here = (
                    popcount(int(own[code])) == own_count and popcount(int(opp[code])) == opp_count
                )
                if here and symmetries_of[code] & 1:
                    class_of[code] = number
                    number += 1
    for code in range(own.shape[0]):
        if popcount(int(own[code])) <= stock and popcount(int(opp[code])) <= stock:
            class_of[code] = class_of[images[symmetry_of[code], code]]
    return number


def size_of_index(law: Law) -> int:
    """How many entries the index of a rule set would have, without building it."""
    if law.board > MAX_SOLVED_BOARD:
        raise TableError(
            f"only boards up to {MAX_SOLVED_BOARD}x{MAX_SOLVED_BOARD} have an index of all "
            f"positions; this one is {law.board}x{law.board}"
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


def has_index(law: Law) -> bool:
    """Whether a rule set is small enough for the index; larger games are solved by slices."""
    return law.board <= MAX_SOLVED_BOARD and size_of_index(law) < MAX_ENTRIES


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
    squares = law.board**2
    total = 3**squares
    ternary = np.zeros(1 << squares, np.int16)
    own, opp = np.zeros((2, total), np.int16)
    images = np.zeros((SYMMETRIES, total), np.int16)
    fill_codes(law.board, ternary, own, opp, images)
    lower = law.stock[: law.sizes - 1]
    stocks = sorted(set(lower)) or [0]
    rank_of = np.zeros((len(stocks), SYMMETRIES, total), np.int16)
    ranks = [
        fill_ranks(stock, own, opp, images, rank_of[kind]) for kind, stock in enumerate(stocks)
    ]
    by_rank = np.zeros((len(stocks), max(ranks)), np.int64)
    for kind, count in enumerate(ranks):
        by_rank[kind, :count] = _places(rank_of[kind, 0])
    class_of = np.zeros(total, np.int16)
    symmetry_of = np.zeros(total, np.int8)
    symmetries_of = np.zeros(total, np.uint8)
    top_stock = law.stock[law.sizes - 1]
    fill_classes(top_stock, own, opp, images, class_of, symmetry_of, symmetries_of)
    classes = _places(np.where(symmetries_of & 1, class_of, np.int16(-1)))
    bits = (1 << np.arange(SYMMETRIES))[:, None]
    fixed = ((images == np.arange(total)) * bits).sum(axis=0).astype(np.uint8)
    kinds = [stocks.index(stock) for stock in lower]
    counts = [ranks[kind] for kind in kinds]
    return Index(
        board=law.board,
        sizes=law.sizes,
        entries=entries,
        row=counts[0] if counts else 1,
        kinds=_four(kinds, 0),
        counts=_four(counts, 1),
        strides=_four([math.prod(counts[:size]) for size in range(len(counts) + 1)], 0),
        ternary=ternary,
        rank_of=rank_of,
        own_of=own[by_rank],
        opp_of=opp[by_rank],
        class_of=class_of,
        symmetry_of=symmetry_of,
        symmetries_of=symmetries_of,
        class_own=own[classes],
        class_opp=opp[classes],
        class_weight=(SYMMETRIES // np.bitwise_count(fixed[classes])).astype(np.int8),
        class_fixed=fixed[classes],
        rank_fixed=fixed[by_rank],
        completing=completing_squares(law),
    )


def _places(numbers: NDArray[np.int16]) -> NDArray[np.int64]:
    """Where 0, 1, … are in an array that has each of them once, and elsewhere -1."""
    found = np.flatnonzero(numbers >= 0)
    return found[np.argsort(numbers[found])]


def _four(values: list[int], missing: int) -> tuple[int, int, int, int]:
    first, second, third, fourth = values + [missing] * (4 - len(values))
    return first, second, third, fourth
