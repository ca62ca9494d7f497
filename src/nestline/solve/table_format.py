"""The file format of a tablebase: header, block index, compressed blocks; written atomically.

The header names the format version and the rules by hashes, the block index has the length and a
checksum of each block, and a checksum covers both. `entry` says what the bytes of a block mean.
`docs/research/tables.md` describes the format.
"""

import contextlib
import hashlib
import json
import mmap
import os
import secrets
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import zstandard

from nestline.errors import TableError
from nestline.rules import RuleSet
from nestline.rules.law import Law
from nestline.system import is_running

MAGIC = b"nestline"
BY_INDEX, BY_SLICES = 1, 2
"""The versions of the format: entries in the order of `solve.index`, or in that of
`solve.groups.numbering`. They differ in nothing else."""
BLOCK_ENTRIES = 1 << 18
COMPRESSION_LEVEL = 15
SUFFIX = ".table"
LONGEST_NAME = 100
"""At most this many characters of a rule set's name are in the name of its file."""

_HEADER = struct.Struct("<8sIIQI32s32s")
_BLOCK = struct.Struct("<I16s")
_CHECKSUM_BYTES = 32
_NOT_RULES = ("all_squares", "row_starts", "column_starts", "rising_starts", "falling_starts")
"""Fields of `Law` that follow from others."""
_YOUNGER = ("both_lines_draw", "reveal", "cover", "line_sizes", "wrap", "misere")


class Header(NamedTuple):
    """The metadata of a tablebase; block n holds the entries from n * block_entries on."""

    version: int
    block_entries: int
    entries: int
    rules_hash: bytes
    content_hash: bytes
    """Hash of the hashes of the uncompressed blocks: the same whichever library compressed them."""
    offsets: tuple[int, ...]
    """Where each block begins, and where the last one ends, which is the end of the file."""
    digests: tuple[bytes, ...]


def rules_hash(law: Law) -> bytes:
    """Hash of the fields of a rule set that affect values.

    Fields that are younger than the first tables count only where they are not 0.
    """
    fields = {
        key: value
        for key, value in law._asdict().items()
        if key not in _NOT_RULES and (value or key not in _YOUNGER)
    }
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).digest()


def table_name(rules: RuleSet) -> str:
    """The file name of a rule set's tablebase."""
    return f"{rules.name[:LONGEST_NAME]}-{rules_hash(rules.law).hex()[:12]}{SUFFIX}"


def block_digest(compressed: bytes) -> bytes:
    return hashlib.blake2b(compressed, digest_size=16).digest()


def compress(block: bytes) -> bytes:
    """A block as stored in the file; the same library always gives the same bytes."""
    return zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, write_checksum=True).compress(block)


def content_hash(blocks: Sequence[bytes]) -> bytes:
    """The hash of the content, from the SHA-256 of each uncompressed block."""
    return hashlib.sha256(b"".join(blocks)).digest()


def header_bytes(blocks: int) -> int:
    """How long the part of a file before its blocks is."""
    return _HEADER.size + blocks * _BLOCK.size + _CHECKSUM_BYTES


def pack_header(
    version: int, law: Law, entries: int, blocks: Sequence[tuple[int, bytes]], content: bytes
) -> bytes:
    """The part of a file before its blocks, each given by its length and `block_digest`."""
    head = _HEADER.pack(
        MAGIC, version, BLOCK_ENTRIES, entries, len(blocks), rules_hash(law), content
    ) + b"".join(_BLOCK.pack(length, digest) for length, digest in blocks)
    return head + hashlib.sha256(head).digest()


def pack(law: Law, entries: int, blocks: Sequence[bytes], content: bytes) -> bytes:
    """The bytes of a tablebase file in the order of the index."""
    told = [(len(block), block_digest(block)) for block in blocks]
    return b"".join([pack_header(BY_INDEX, law, entries, told, content), *blocks])


def unpack(data: "bytes | mmap.mmap", path: Path) -> Header:
    """Read and check the header of a tablebase; `TableError` if it is invalid."""
    damaged = f"{path}: damaged tablebase"
    if data[: len(MAGIC)] != MAGIC:
        raise TableError(f"{path}: not a nestline tablebase")
    if len(data) < _HEADER.size:
        raise TableError(f"{damaged}: the file is cut off inside its header")
    _, version, block_entries, entries, count, rules, content = _HEADER.unpack_from(data)
    if version not in (BY_INDEX, BY_SLICES):
        raise TableError(
            f"{path}: tablebase of format {version}, this program reads formats {BY_INDEX} and "
            f"{BY_SLICES}; remove it or build it again"
        )
    end = _HEADER.size + count * _BLOCK.size
    if len(data) < end + _CHECKSUM_BYTES:
        raise TableError(f"{damaged}: the file is cut off inside its header")
    if hashlib.sha256(data[:end]).digest() != data[end : end + _CHECKSUM_BYTES]:
        raise TableError(f"{damaged}: the checksum of its header does not fit")
    offsets = [end + _CHECKSUM_BYTES]
    digests = []
    for number in range(count):
        length, digest = _BLOCK.unpack_from(data, _HEADER.size + number * _BLOCK.size)
        offsets.append(offsets[-1] + length)
        digests.append(digest)
    if len(data) != offsets[-1]:
        raise TableError(f"{damaged}: {len(data)} bytes long where {offsets[-1]} are expected")
    return Header(version, block_entries, entries, rules, content, tuple(offsets), tuple(digests))


_of_this_thread = threading.local()


def _decompressor() -> zstandard.ZstdDecompressor:
    """One per thread: making one takes a while, and it is not thread-safe."""
    if not hasattr(_of_this_thread, "decompressor"):
        _of_this_thread.decompressor = zstandard.ZstdDecompressor()
    return cast(zstandard.ZstdDecompressor, _of_this_thread.decompressor)


def read_block(data: "bytes | mmap.mmap", header: Header, number: int, path: Path) -> bytes:
    """The uncompressed entries of a block; `TableError` if it is damaged."""
    compressed = data[header.offsets[number] : header.offsets[number + 1]]
    first = number * header.block_entries
    expected = min(header.block_entries, header.entries - first)
    if block_digest(compressed) == header.digests[number]:
        with contextlib.suppress(zstandard.ZstdError):
            block = _decompressor().decompress(compressed, max_output_size=expected)
            if len(block) == expected:
                return block
    raise TableError(
        f"{path}: damaged tablebase: block {number + 1} of {len(header.digests)} is not as "
        "written; remove it or build it again"
    )


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that replaces the one at the path in the end, unless writing fails.

    Readers see the old one or the new one, never half.
    """
    token = secrets.token_hex(4)
    temporary = path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}-{token}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path)
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TableError(f"{path}: the tablebase cannot be written: {reason}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file atomically."""
    with replacing(path) as file:
        file.write(data)


def require_writable(folder: Path) -> None:
    """Refuse a folder that a tablebase cannot be written to, before the work of solving."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TableError(f"{folder}: tablebases cannot be written to it: {reason}") from None


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of killed builds of this tablebase on this machine."""
    for part in path.parent.glob(f".{path.name}.{socket.gethostname()}-*.part"):
        process = part.name.rsplit("-", 2)[-2]
        if process.isdigit() and not is_running(int(process)):
            with contextlib.suppress(OSError):
                part.unlink()
