"""Tablebases of tiny rule sets: every byte of the file, every entry, every refusal.

`test_tables` probes real ones, and `test_tables_faults` damages them.
"""

import os
import random
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from nestline import tables
from nestline.errors import PositionError, TableError
from nestline.position import Position, Side
from nestline.rules import RuleSet, load_rules
from nestline.solve import retrograde, table, table_format
from nestline.solve.entry import FIRST_WIN, OPEN, distance_of, value_of
from nestline.solve.index import build_index, lowest_entry_of, words_of
from nestline.solve.table import MoveProbe, Table, best_first
from support.helpers import built_rules, custom_rules

BLOCK = 100
"""Entries in a block here, so that a tiny table has several."""


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return built_rules(board=2, line=2, stock=(2, 1))


@pytest.fixture(scope="module")
def solution(rules: RuleSet) -> retrograde.Solution:
    return retrograde.solve(rules.law)


@pytest.fixture
def path(rules: RuleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(table_format, "BLOCK_ENTRIES", BLOCK)
    return tables.build(rules, tmp_path)


# The file.


def test_the_header_says_what_is_in_the_file(rules: RuleSet, path: Path) -> None:
    data = path.read_bytes()
    header = table_format.unpack(data, path)
    assert data.startswith(b"nestline" + struct.pack("<II", 1, BLOCK))
    assert (header.block_entries, header.entries) == (BLOCK, 315)
    assert header.rules_hash == table_format.rules_hash(rules.law)
    assert len(header.digests) == 4
    assert len(header.offsets) == 5
    # 92 bytes for the header, 20 for each block, 32 for the checksum.
    assert (header.offsets[0], header.offsets[-1]) == (92 + 4 * 20 + 32, len(data))
    assert table_format.header_bytes(4) == header.offsets[0]
    blocks = [
        data[start:end] for start, end in zip(header.offsets, header.offsets[1:], strict=False)
    ]
    assert header.digests == tuple(map(table_format.block_digest, blocks))
    assert {len(digest) for digest in header.digests} == {16}
    for block in blocks:
        parameters = zstandard.get_frame_parameters(block)
        assert parameters.has_checksum
        assert parameters.content_size in (BLOCK, 15)
    whole = [table_format.read_block(data, header, number, path) for number in range(4)]
    assert [len(block) for block in whole] == [BLOCK, BLOCK, BLOCK, 15]
    assert table_format.BLOCK_ENTRIES == BLOCK


def test_blocks_of_the_tables_that_are_shared() -> None:
    assert table_format.BLOCK_ENTRIES == 262_144


def test_names_follow_from_the_fields_that_matter(rules: RuleSet) -> None:
    """Tables that people have built keep their names, whatever fields are added."""
    assert table_format.table_name(load_rules("gobblers")) == "gobblers-f40e1bad722e.table"
    long = built_rules()
    object.__setattr__(long, "name", "x" * 200)
    assert len(table_format.table_name(long)) == 100 + len("-0123456789ab.table")
    law = load_rules("gobblers").law
    seen = {table_format.rules_hash(law)}
    for field in law._fields:
        changed = law._replace(**{field: (1, 1, 1, 0) if field == "stock" else 7})
        is_derived = field == "all_squares" or field.endswith("_starts")
        assert (table_format.rules_hash(changed) in seen) == is_derived
        seen.add(table_format.rules_hash(changed))


def test_every_cut_and_every_wrong_byte_of_the_head_is_told(path: Path) -> None:
    data = path.read_bytes()
    end = table_format.unpack(data, path).offsets[0]
    damaged = f"{path}: damaged tablebase"
    for length in range(len(data)):
        if length < len(b"nestline"):
            told = f"{path}: not a nestline tablebase"
        elif length < end:
            told = f"{damaged}: the file is cut off inside its header"
        else:
            told = f"{damaged}: {length} bytes long where {len(data)} are expected"
        with pytest.raises(TableError) as error:
            table_format.unpack(data[:length], path)
        assert str(error.value) == told
    for place in range(24, end):
        spoilt = bytearray(data)
        spoilt[place] ^= 1
        with pytest.raises(TableError) as error:
            table_format.unpack(bytes(spoilt), path)
        if place >= 28:  # Before that stands the number of blocks.
            assert str(error.value) == f"{damaged}: the checksum of its header does not fit"
    with pytest.raises(TableError) as error:
        table_format.unpack(data[:8] + struct.pack("<I", 3) + data[12:], path)
    assert str(error.value) == (
        f"{path}: tablebase of format 3, this program reads formats 1 and 2; "
        "remove it or build it again"
    )


def test_a_damaged_block_is_told_and_the_others_are_read(rules: RuleSet, path: Path) -> None:
    data = path.read_bytes()
    header = table_format.unpack(data, path)
    spoilt = bytearray(data)
    spoilt[header.offsets[1]] ^= 1
    path.write_bytes(spoilt)
    told = f"{path}: damaged tablebase: block 2 of 4 is not as written; remove it or build it again"
    with Table(rules, path) as damaged:
        with pytest.raises(TableError) as error:
            damaged.block(1)
        assert str(error.value) == told
        assert len(damaged.block(2)) == BLOCK
    # A block that fits its digest, but not what the header says of its length.
    longer = header._replace(entries=header.entries + 1)
    with pytest.raises(TableError, match="block 4 of 4"):
        table_format.read_block(data, longer, 3, path)
    nonsense = header._replace(
        offsets=(0, 8, 8, 8, 8), digests=(table_format.block_digest(data[:8]),) * 4
    )
    with pytest.raises(TableError, match="block 1 of 4"):
        table_format.read_block(data, nonsense, 0, path)


def test_files_are_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "new" / "folder" / "a.table"
    table_format.write_whole(file, b"one")
    table_format.write_whole(file, b"two")
    assert [item.name for item in file.parent.iterdir()] == ["a.table"]
    assert file.read_bytes() == b"two"

    def full(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(TableError) as error:
        table_format.write_whole(file, b"three")
    assert str(error.value) == f"{file}: the tablebase cannot be written: no space left on device"
    assert [item.name for item in file.parent.iterdir()] == ["a.table"]
    assert file.read_bytes() == b"two"


def test_what_killed_builds_left_is_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    here = socket.gethostname()
    kept = [
        f".a.table.{here}-{os.getpid()}-0.part", f".a.table.elsewhere-{ended.pid}-0.part",
        f".b.table.{here}-{ended.pid}-0.part", f".a.table.{here}-x-0.part",
    ]  # fmt: skip
    for name in (*kept, f".a.table.{here}-{ended.pid}-0.part"):
        (tmp_path / name).touch()
    table_format.remove_leftovers(tmp_path / "a.table")
    assert sorted(item.name for item in tmp_path.iterdir()) == sorted(kept)


def test_folders_are_checked_before_the_work(tmp_path: Path) -> None:
    table_format.require_writable(tmp_path / "new" / "folder")
    table_format.require_writable(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(TableError) as error:
        table_format.require_writable(tmp_path / "file")
    assert (
        str(error.value) == f"{tmp_path / 'file'}: tablebases cannot be written to it: file exists"
    )


# Probing.


def test_every_entry_singly_and_in_a_batch(
    rules: RuleSet, path: Path, solution: retrograde.Solution
) -> None:
    numbers = random.Random(1).sample(range(315), 315)
    words = [words_of(number, solution.index) for number in numbers]
    expected = solution.entries[numbers].tolist()
    owns, opps = np.array(words, np.int64).T
    assert len({code for code in expected if code > OPEN}) > 3
    with Table(rules, path) as found:
        assert [found.probe_words(*pair) for pair in words] == expected
        assert found.probe_codes(owns, opps).tolist() == expected
        own, opp = 0x10, 0x10
        told = "the words 0x10 and 0x10 are no position"
        with pytest.raises(PositionError) as error:
            found.probe_words(own, opp)
        assert str(error.value) == told
        with pytest.raises(PositionError) as error:
            found.probe_codes(np.array([owns[0], own, 1]), np.array([opps[0], opp, 1]))
        assert str(error.value) == f"position 1 of the batch: {told}"
        for shapes in ((owns, opps[1:]), (owns.reshape(1, -1), opps.reshape(1, -1))):
            with pytest.raises(PositionError, match="two arrays of words of the same length"):
                found.probe_codes(*shapes)
        assert found.probe_codes(owns[:0], opps[:0]).tolist() == []


def test_entries_come_from_all_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a table with made-up entries, for rules under which no position is over."""
    rules = built_rules(stock=(1, 1))
    index = build_index(rules.law)
    chance = random.Random(2)
    entries = bytes(chance.choice([OPEN, *range(FIRST_WIN, 255)]) for _ in range(index.entries))
    blocks = [entries[first : first + BLOCK] for first in range(0, len(entries), BLOCK)]
    monkeypatch.setattr(table_format, "BLOCK_ENTRIES", BLOCK)
    path = tmp_path / "made-up.table"
    packed = [table_format.compress(block) for block in blocks]
    path.write_bytes(table_format.pack(rules.law, len(entries), packed, bytes(32)))
    numbers = chance.sample(range(len(entries)), len(entries))
    words = [words_of(number, index) for number in numbers]
    expected = [entries[lowest_entry_of(own, opp, index)] for own, opp in words]
    owns, opps = np.array(words, np.int64).T
    with Table(rules, path) as found:
        assert [found.probe_words(*pair) for pair in words] == expected
        for worth in (1, 1000):
            monkeypatch.setattr(table, "BLOCKS_WORTH_THREADS", worth)
            found._blocks.clear()
            assert found.probe_codes(owns, opps).tolist() == expected
            assert len(found._blocks) > 10
        values, distances = found.probe_many(owns, opps)
    assert values.tolist() == [value_of(code) for code in expected]
    far = [distance_of(code) for code in expected]
    assert distances.tolist() == [-1 if one is None else one for one in far]
    assert (values.dtype, distances.dtype) == (np.int8, np.int16)


def test_moves_are_worth_what_their_positions_are(
    rules: RuleSet, path: Path, solution: retrograde.Solution
) -> None:
    seen = set()
    with Table(rules, path) as found:
        for number in range(315):
            own, opp = words_of(number, solution.index)
            position = Position.from_words(int(own), int(opp), Side.FIRST, rules)
            probe = found.probe(position)
            assert probe == found.probe(str(position))
            assert found.moves(str(position)) == found.moves(position)
            if position.outcome() is not None:
                assert found.moves(position) == ()
                assert probe.distance == 0
                continue
            moves = found.moves(position)
            assert sorted(each.move for each in moves) == sorted(position.legal_moves())
            assert list(moves) == sorted(moves, key=best_first)
            assert (moves[0].value, moves[0].distance) == tuple(probe)
            for move, value, distance in moves:
                after = found.probe(position.play(move))
                assert value == {"win": "loss", "draw": "draw", "loss": "win"}[after.value]
                is_draw = value == "draw"
                assert distance == (None if is_draw else (after.distance or 0) + 1)
                seen.add(value)
    assert seen >= {"win", "loss"}


def test_the_best_moves_come_first() -> None:
    words = [("win", 1), ("win", 3), ("draw", None), ("loss", 4), ("loss", 2)]
    probes = [MoveProbe(None, *each) for each in words]  # type: ignore[arg-type]
    for seed in range(5):
        mixed = random.Random(seed).sample(probes, len(probes))
        assert sorted(mixed, key=best_first) == probes


def test_a_move_that_ends_in_a_draw_has_no_distance(tmp_path: Path) -> None:
    rules = built_rules(stock=(1,), draw_all_placed=True, peek=False)
    position = Position("x3/x3/w1,x2 b", rules)
    assert all(position.play(move).outcome() for move in position.legal_moves())
    tables.build(rules, tmp_path)
    with tables.open(rules, tmp_path) as found:
        assert {each[1:] for each in found.moves(position)} == {("draw", None)}


def test_a_few_blocks_are_kept(rules: RuleSet, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "CACHED_BLOCKS", 2)
    with Table(rules, path) as found:
        blocks = [found.block(number) for number in (0, 1)]
        assert found.block(0) is blocks[0]
        found.block(2)  # The second was used longest ago.
        assert found.block(0) is blocks[0]
        assert found.block(1) is not blocks[1]
    with pytest.raises(TableError, match="has been closed"):
        found.block(0)


def test_tables_of_other_rules(rules: RuleSet, path: Path, tmp_path: Path) -> None:
    other = built_rules(board=2, line=2, stock=(1, 1))
    with pytest.raises(TableError) as error:
        Table(other, path)
    assert str(error.value) == f"{path}: this is the tablebase of other rules than built"
    with tables.open(rules, path.parent) as found:
        # The same rules under another name are the same game.
        twin = custom_rules(tmp_path, board=2, line=2, stock=(2, 1))
        assert found.probe(Position.start(twin)) == found.probe(Position.start(rules))
        with pytest.raises(TableError) as error:
            found.probe(Position.start(other))
        told = "a position of built cannot be looked up in the tablebase of built"
        assert str(error.value) == told
        assert repr(found) == f'nestline.tables.open("built", "{path.parent}")'
    data = path.read_bytes()
    header = table_format.unpack(data, path)
    path.write_bytes(table_format.pack(rules.law, 316, [], header.content_hash))
    with pytest.raises(TableError) as error:
        Table(rules, path)
    assert str(error.value) == f"{path}: damaged tablebase: 316 entries where 315 are expected"


def test_missing_and_unreadable_tables(
    rules: RuleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "none.table"
    with pytest.raises(TableError) as error:
        Table(rules, place)
    assert str(error.value) == (
        f"there is no tablebase of built at {place}; build it with: nestline tables build built"
    )
    with pytest.raises(TableError, match="gobblet: too large to be solved"):
        Table(load_rules("gobblet"), place)
    place.touch()
    with pytest.raises(TableError, match="cannot be read: cannot mmap an empty file"):
        Table(rules, place)
    monkeypatch.setenv("NESTLINE_TABLES", str(tmp_path / "set"))
    assert tables.tables_folder() == tmp_path / "set"
    assert tables.tables_folder(tmp_path) == tmp_path
    monkeypatch.delenv("NESTLINE_TABLES")
    assert tables.tables_folder().name == "tables"
