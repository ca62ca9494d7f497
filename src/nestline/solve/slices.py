"""Building the tablebase of a game too large for the index, slice by slice while it is solved.

Memory holds two slices at a time, never all entries. The blocks of a solved slice are compressed
while the next one is solved. As in `build`, entries that nobody looks up take the value of the one
before them.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined
from nestline.errors import TableError
from nestline.rules.law import Law
from nestline.solve import table_format
from nestline.solve.classify import classify
from nestline.solve.entry import IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.groups.cut import Cut, Groups, Slice, entry_words
from nestline.solve.groups.layers import Layers
from nestline.solve.groups.numbering import SliceNumbering, lowest_place_of, number_slices
from nestline.solve.groups.processor import MEMORY_SHARE, Processor, Team
from nestline.solve.groups.size import require_possible
from nestline.solve.groups.solver import Device, Progress, solve_slices
from nestline.solve.index import PROCESS_BYTES, SECONDS_PER_ENTRY, Estimate
from nestline.system import cores, memory_bytes

BYTES_PER_OPEN_ENTRY = 35
"""The work lists of a slice, at most, for each entry that the first look leaves open."""
FILE_BYTES_PER_ENTRY = 0.1
"""Of the compressed file: twice what the least compressible game tried takes."""
SAMPLE = 4096
"""Entries of a slice looked at to estimate how many are open."""


@inlined
def _is_looked_up(
    number: int, address: int, group: int, code: int, law: Law, layers: Layers, groups: Groups,
    has_stuck: bool,
) -> bool:  # fmt: skip
    """Whether probing may ask for this entry of a group."""
    if IMPOSSIBLE <= code <= WIN_IN_ONE:
        # Where players can be stuck, these values may also stem from that.
        if not has_stuck:
            return False
        own, opp, _ = entry_words(number, group, layers, groups)
        if classify(own, opp, law, layers) != OPEN:
            return False
    top = layers.sizes - 1
    place = groups.firsts[group, top] + number // groups.strides[group, top]
    if layers.class_fixed[place] == 1:
        return True
    own, opp, _ = entry_words(number, group, layers, groups)
    return lowest_place_of(own, opp, group, layers, groups) == address


@inlined
def group_end(group: int, layers: Layers, groups: Groups) -> int:
    """Where the entries of a group of a slice end."""
    top = layers.sizes - 1
    return int(groups.base[group] + groups.strides[group, top] * groups.lengths[group, top])


@inlined
def _fill(
    first: int, first_group: int, entries: int, law: Law, layers: Layers, groups: Groups,
    has_stuck: bool, table: NDArray[np.uint8], block: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Write the block that begins at the address `first` of a slice with this many entries."""
    group = first_group
    last = -1
    for place in range(len(block)):
        address = first + place
        if address < entries:
            while address >= group_end(group, layers, groups):
                group += 1
            code = table[address]
            number = address - groups.base[group]
            if _is_looked_up(number, address, group, code, law, layers, groups, has_stuck):
                if last < 0:
                    block[:place] = code
                last = code
        if last >= 0:
            block[place] = last
    if last < 0:
        block[:] = OPEN


@inlined
def _count_open(
    addresses: NDArray[np.int64], first_group: int, law: Law, layers: Layers, groups: Groups
) -> int:
    """How many of these entries of a slice, in rising order, the first look leaves open."""
    found = 0
    group = first_group
    for address in addresses:
        while address >= group_end(group, layers, groups):
            group += 1
        own, opp, _ = entry_words(address - groups.base[group], group, layers, groups)
        found += 1 if classify(own, opp, law, layers) == OPEN else 0
    return found


def _open_entries(part: Slice, work: Cut, chance: np.random.Generator) -> float:
    """Roughly how many entries of a slice the first look leaves open."""
    if part.entries == 0:
        return 0.0
    addresses = np.sort(chance.integers(0, part.entries, SAMPLE))
    found = _count_open(addresses, part.first, work.law, work.layers, work.groups)
    return found / SAMPLE * part.entries


def estimate_slices(law: Law, folder: Path, *, on_gpu: bool = False) -> Estimate:
    """What building the tablebase in a folder takes; `TableError` if memory or disk are too small.

    Slices that take too much of the memory are mapped from a temporary file. A GPU has the work
    lists in its own memory.
    """
    require_possible(law)
    work = number_slices(law, table_format.BLOCK_ENTRIES).work
    lists = 0.0
    if not on_gpu:
        chance = np.random.default_rng(0)
        lists = BYTES_PER_OPEN_ENTRY * max(
            _open_entries(part, work, chance) for part in work.slices
        )
    tables = [max(part.entries for part in work.slices[parity::2]) for parity in range(2)]
    present = memory_bytes()
    mapped = sum(room for room in tables if room > MEMORY_SHARE * present)
    layers = sum(item.nbytes for item in work.layers if isinstance(item, np.ndarray))
    memory = PROCESS_BYTES + layers + sum(tables) - mapped + lists
    need = Estimate(work.entries, memory, work.entries * SECONDS_PER_ENTRY)
    told = f"too large to be solved here: {work.entries:,} entries would need about"
    if memory > present:
        raise TableError(
            f"{told} {memory / 2**30:,.1f} GiB of memory; this machine has "
            f"{present / 2**30:,.1f} GiB"
        )
    file = int(FILE_BYTES_PER_ENTRY * work.entries)
    for place, bytes_needed in ((Path(tempfile.gettempdir()), mapped), (folder, file)):
        free = shutil.disk_usage(place).free
        if bytes_needed > free:
            raise TableError(
                f"{told} {bytes_needed / 2**30:,.1f} GiB of disk in {place}, where "
                f"{free / 2**30:,.1f} GiB are free"
            )
    return need


def write_slices(
    law: Law, path: Path, *, on_gpu: bool = False, threads: int | None = None,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Solve a rule set and write its tablebase; the bytes are the same for any number of
    threads."""
    table_format.require_writable(path.parent)
    estimate_slices(law, path.parent, on_gpu=on_gpu)
    numbering = number_slices(law, table_format.BLOCK_ENTRIES)
    with table_format.replacing(path) as file, Team(threads or cores()) as team:
        device: Device
        if on_gpu:
            from nestline.solve.groups.card import Card

            device = Card().load(numbering.work)
        else:
            device = Processor(team, numbering.work)
        with ThreadPoolExecutor(threads or cores()) as pool:
            try:
                _write(file, numbering, device, pool, progress)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _write(
    file: BinaryIO, numbering: SliceNumbering, device: Device, pool: ThreadPoolExecutor,
    progress: Progress | None,
) -> None:  # fmt: skip
    law, layers, groups = numbering.work.law, numbering.work.layers, numbering.work.groups
    size = table_format.BLOCK_ENTRIES
    blocks: list[tuple[int, bytes]] = []
    hashes: list[bytes] = []
    file.seek(table_format.header_bytes(numbering.entries // size))
    packed: Iterable[tuple[bytes, bytes]] = ()

    def write_packed() -> None:
        for compressed, content in packed:
            file.write(compressed)
            blocks.append((len(compressed), table_format.block_digest(compressed)))
            hashes.append(content)

    def finished(part: Slice, has_stuck: bool) -> None:
        nonlocal packed
        entries = device.entries()

        def pack_block(first: int) -> tuple[bytes, bytes]:
            block = np.empty(size, np.uint8)
            _fill(
                first, part.first, part.entries, law, layers, groups, has_stuck, entries, block
            )  # fmt: skip
            content = block.tobytes()
            return table_format.compress(content), hashlib.sha256(content).digest()

        # Solving the next slice overwrites the one before this.
        write_packed()
        packed = pool.map(pack_block, range(0, part.entries, size))

    solve_slices(numbering.work, device, progress=progress, finished=finished)
    write_packed()
    content = table_format.content_hash(hashes)
    file.seek(0)
    file.write(
        table_format.pack_header(table_format.BY_SLICES, law, numbering.entries, blocks, content)
    )
