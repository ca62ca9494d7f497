"""The capping game, in which the bound of the proofs tries its defender: see `bound`.

Many positions of a proof have the same ledger, so results are kept in a table, which threads share.
Images of each other are one entry.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import compiled, inlined, recursive
from nestline.kernel import popcount, transform
from nestline.rules.law import LAYER_BITS, MAX_BOARD, Law
from nestline.threats import HAS_LINE, Completing, completing_squares

UNION_MOVES = 4
"""With at most this many moves left the attacker's moves to a square are tried as one."""

STORED_MOVES = 3
"""Results are stored if at least this many moves are left."""

PROBED_MOVES = 4
"""With this many left, all of D's moves are looked up before one is tried."""

BUCKET = 8
"""Words in a row of the table of results: four entries."""

SYMMETRIES = 8

MAX_WORD = (1 << 63) - 1

STOPPED, CAPPED = 1, 3
"""Indices into `control`; see `forced`."""


class Lines(NamedTuple):
    """The lines of a board; `squares` below is `board * board`."""

    masks: NDArray[np.int64]
    """(lines,): the squares of each line."""
    completing: Completing
    """The squares that complete a line; see `threats`."""
    images: NDArray[np.uint16]
    """(2^squares, 8): each mask under the symmetries of the board."""
    results: NDArray[np.int64]
    """(rows, BUCKET): results of the capping game."""


def lines_of(law: Law, memory: int) -> Lines:
    """The line tables of a rule set, with this many MiB for results of the capping game."""
    directions = (
        (law.row_starts, 1),
        (law.column_starts, law.board),
        (law.rising_starts, law.board + 1),
        (law.falling_starts, law.board - 1),
    )
    squares = law.board * law.board
    masks = sorted(
        {
            sum(1 << (start + index * step) for index in range(law.line))
            for starts, step in directions
            for start in range(squares)
            if starts >> start & 1
        }
    )
    images = np.empty((1 << squares, SYMMETRIES), np.uint16)
    _fill_images(images, law.board)
    rows = 1 << ((memory << 20) // (8 * BUCKET)).bit_length() - 1
    return Lines(
        np.array(masks, np.int64),
        completing_squares(law),
        images,
        np.zeros((rows, BUCKET), np.int64),
    )


@compiled
def _fill_images(images: NDArray[np.uint16], board: int) -> None:
    for mask in range(len(images)):
        for symmetry in range(SYMMETRIES):
            images[mask, symmetry] = transform(mask, symmetry, board)


@inlined
def _key(base: int, largest: int, caps: int, hard: int, images: NDArray[np.uint16]) -> int:
    """The squares in one word, the same for all images."""
    best = int(np.int64(MAX_WORD))
    for symmetry in range(SYMMETRIES):
        word = np.int64(images[base, symmetry]) | np.int64(images[largest, symmetry]) << 16
        word |= np.int64(images[caps, symmetry]) << 32 | np.int64(images[hard, symmetry]) << 48
        if word < best:
            best = int(word)
    return best


@inlined
def _row(key: int, means: int, rows: int) -> int:
    mixed = key * 0x1E3779B97F4A7C15 + means * 0x42B2AE3D27D4EB4F
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    return ((mixed * 0x165667B19E3779F9) >> 20) & (rows - 1)


@inlined
def _seal(entry: int) -> int:
    """Makes a key unreadable if several threads have written parts of an entry at once."""
    return entry * 0x1E3779B97F4A7C15


@inlined
def _recall(key: int, means: int, moves: int, results: NDArray[np.int64]) -> int:
    """Whether D survives this many moves of A's, 0 or 1; -1 if it is not known."""
    bucket = results[_row(key, means, len(results))]
    for place in range(0, BUCKET, 2):
        entry = bucket[place + 1]
        if entry >> 10 == means and bucket[place] ^ _seal(entry) == key:
            if moves <= entry & 31:
                return 1
            lost = entry >> 5 & 31
            return 0 if lost and lost <= moves else -1
    return -1


@inlined
def _remember(key: int, means: int, moves: int, is_held: bool, results: NDArray[np.int64]) -> None:
    """Store a result; an entry has the key and one more word.

    From its lowest bit: 5 bits, D survives this many moves; 5 bits, A wins with this many, 0 if it
    is not known; the means of both. What took the fewest moves is replaced.
    """
    bucket = results[_row(key, means, len(results))]
    held, lost = (moves, 0) if is_held else (0, moves)
    place, fewest = 0, 64
    for other in range(0, BUCKET, 2):
        entry = bucket[other + 1]
        if entry >> 10 == means and bucket[other] ^ _seal(entry) == key:
            held = max(held, entry & 31)
            sooner = entry >> 5 & 31
            if sooner and (lost == 0 or sooner < lost):
                lost = sooner
            place = other
            break
        depth = max(entry & 31, entry >> 5 & 31)
        if depth < fewest:
            place, fewest = other, depth
    entry = means << 10 | lost << 5 | held
    bucket[place] = key ^ _seal(entry)
    bucket[place + 1] = entry


@inlined
def _means(hand: int, passes: int) -> int:
    """What else the capping game depends on, never 0; D's reserve follows from his caps."""
    return 1 << 5 | hand << 1 | passes & 1


@inlined
def gaps_of(ledger: int, caps: int, lines: Lines) -> int:
    """The gaps of lines without a cap; `HAS_LINE` and more if one has no gap."""
    return int(lines.completing[ledger & ~caps]) & ~caps


@inlined
def _known_to_survive(
    base: int, largest: int, caps: int, hard: int, hand: int, reserve: int, moves: int,
    passes: int, lines: Lines,
) -> bool:  # fmt: skip
    if reserve == 0:
        hard = 0
    key = _key(base, largest, caps, hard, lines.images)
    return _recall(key, _means(hand, passes), moves, lines.results) == 1


@recursive
def survives(
    attacks: int, base: int, largest: int, caps: int, hard: int, hand: int, reserve: int,
    moves: int, passes: int, lines: Lines, control: NDArray[np.int64],
) -> bool:  # fmt: skip
    """Whether D survives the capping game; `attacks` is 1 in A's turn.

    `moves` are those that A has left; `hand` and `reserve` are the pieces of size L in the reserves
    of A and D; `hard` are the squares where D may not place one because of smaller pieces of his;
    `passes` is 1 if he may pass, and 3 if he places pieces onto smaller ones. If A is to move and
    there is a gap, he may not land on it. Meaningless once stopped.
    """
    ledger = base | largest
    gaps = gaps_of(ledger, caps, lines)
    may_pass = passes & 1 == 1 and reserve == 0
    everywhere = len(lines.completing) - 1
    if attacks:
        if moves <= 1:
            return True
        control[CAPPED] += 1
        if control[STOPPED]:
            return False
        adding = everywhere & ~ledger
        if may_pass and moves < MAX_BOARD:
            in_reach, open_lines = 0, 0
            for number in range(len(lines.masks)):
                line = lines.masks[number]
                missing = line & ~ledger
                if popcount(missing) <= moves:
                    in_reach |= missing
                    open_lines += line & caps == 0
            if open_lines == 0:
                return True
            adding &= in_reach
        adding &= ~(caps | gaps)
        if reserve == 0:
            hard = 0
        key, means = 0, _means(hand, passes)
        if moves >= STORED_MOVES:
            key = _key(base, largest, caps, hard, lines.images)
            known = _recall(key, means, moves, lines.results)
            if known >= 0:
                return known == 1
        left = moves - 1
        is_held = adding != 0 or survives(
            1 - attacks, base, largest, caps, hard, hand, reserve, left, passes, lines, control
        )
        targets = adding | ledger & ~(largest | caps)
        slipping = largest & ~base
        while is_held and targets:
            # First the squares that are new to the ledger.
            target = targets & adding
            if target == 0:
                target = targets
            target &= -target
            targets ^= target
            if moves <= UNION_MOVES and survives(
                1 - attacks, base | target, largest | target, caps, hard, hand, reserve, left,
                passes, lines, control,
            ):  # fmt: skip
                continue
            if base & target == 0:
                is_held = survives(
                    1 - attacks, base | target, largest, caps, hard, hand, reserve, left, passes,
                    lines, control,
                )  # fmt: skip
            if is_held and hand:
                is_held = survives(
                    1 - attacks, base, largest | target, caps, hard, hand - 1, reserve, left,
                    passes, lines, control,
                )  # fmt: skip
            origins = largest
            while is_held and origins:
                origin = origins & -origins
                origins ^= origin
                is_held = survives(
                    1 - attacks, base, largest ^ origin | target, caps, hard, hand, reserve, left,
                    passes, lines, control,
                )  # fmt: skip
        while is_held and slipping:
            target = slipping & -slipping
            slipping ^= target
            is_held = survives(
                1 - attacks, base | target, largest, caps, hard, hand, reserve, left, passes,
                lines, control,
            )  # fmt: skip
        if moves >= STORED_MOVES and not control[STOPPED]:
            _remember(key, means, moves, is_held, lines.results)
        return is_held

    if gaps >= HAS_LINE:
        return False
    if moves == 0:
        return True
    free = everywhere & ~(caps | largest)
    placing = free if passes & 2 else free & ~(base | hard)
    if reserve == 0:
        placing = 0
    if moves == 1 and gaps == 0 and (may_pass or placing):
        return True
    if moves >= PROBED_MOVES:
        if (
            may_pass
            and gaps == 0
            and _known_to_survive(base, largest, caps, hard, hand, reserve, moves, passes, lines)
        ):
            return True
        origins = caps | (1 << LAYER_BITS if placing else 0)
        while origins:
            origin = origins & -origins
            origins ^= origin
            is_new = origin >> LAYER_BITS
            targets = placing if is_new else free
            while targets:
                target = targets & -targets
                targets ^= target
                after = caps & ~origin | target
                if gaps_of(ledger, after, lines) == 0 and _known_to_survive(
                    base, largest, after, hard, hand, reserve - is_new, moves, passes, lines
                ):
                    return True
    if (
        may_pass
        and gaps == 0
        and survives(
            1 - attacks, base, largest, caps, hard, hand, reserve, moves, passes, lines, control
        )
    ):
        return True
    preferred = gaps if gaps else free
    for is_second in range(2):
        origins = caps | (1 << LAYER_BITS if placing else 0)
        while origins:
            # A new piece before those on the board.
            origin = 1 << LAYER_BITS if origins >> LAYER_BITS else origins & -origins
            origins ^= origin
            is_new = origin >> LAYER_BITS
            targets = placing if is_new else free
            targets &= ~preferred if is_second else preferred
            while targets:
                target = targets & -targets
                targets ^= target
                after = caps & ~origin | target
                if gaps_of(ledger, after, lines) == 0 and survives(
                    1 - attacks, base, largest, after, hard, hand, reserve - is_new, moves, passes,
                    lines, control,
                ):  # fmt: skip
                    return True
    return False
