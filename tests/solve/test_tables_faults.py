"""Tables in trouble: killed builds, full disks, flipped bits; never a wrong answer."""

import errno
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nestline import tables
from nestline.errors import TableError
from nestline.rules import RuleSet
from nestline.solve import table_format
from nestline.solve.classify import classify
from nestline.solve.entry import OPEN
from nestline.solve.index import build_index, words_of
from support.helpers import custom_rules

TINY_DISK = 64 * 1024


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    return custom_rules(tmp_path_factory.mktemp("rules"), stock=(2, 2))


@pytest.fixture(scope="module")
def good(rules: RuleSet, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of the intact table."""
    return tables.build(rules, tmp_path_factory.mktemp("good")).read_bytes()


@pytest.fixture
def path(rules: RuleSet, good: bytes, tmp_path: Path) -> Path:
    """A table to be damaged."""
    place = tmp_path / table_format.table_name(rules)
    place.write_bytes(good)
    return place


def build_command(rules: RuleSet, folder: Path) -> list[str]:
    command = [sys.executable, "-m", "nestline", "tables", "build", rules.reference]
    return [*command, "--threads", "1", "--tables", str(folder)]


def seconds_of_a_build(rules: RuleSet, folder: Path) -> float:
    began = time.monotonic()
    subprocess.run(build_command(rules, folder), check=True, capture_output=True)
    return time.monotonic() - began


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.full)])
def test_killed_builds(kills: int, rules: RuleSet, good: bytes, path: Path) -> None:
    """Killed at any moment, a build leaves the old table, or the same one rewritten."""
    chance = random.Random(kills)
    whole = seconds_of_a_build(rules, path.parent)
    for _ in range(kills):
        process = subprocess.Popen(
            build_command(rules, path.parent), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.2, 1.0) * whole)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_bytes() == good
        tables.verify(rules, path.parent)
    seconds_of_a_build(rules, path.parent)
    assert os.listdir(path.parent) == [path.name]


def test_leftovers_of_killed_builds_are_removed(rules: RuleSet, good: bytes, path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for process in (dead.pid, os.getpid()):
        name = f".{path.name}.{os.uname().nodename}-{process}-00000000.part"
        path.with_name(name).write_bytes(good[:100])
    table_format.write_whole(path, good)
    parts = [name for name in os.listdir(path.parent) if name.endswith(".part")]
    assert parts == [f".{path.name}.{os.uname().nodename}-{os.getpid()}-00000000.part"]


def test_a_full_disk_leaves_the_old_table(rules: RuleSet, good: bytes, tmp_path: Path) -> None:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={TINY_DISK}", "tmpfs", str(tmp_path)],
        capture_output=True,
        text=True,
    ) if shutil.which("mount") and os.geteuid() == 0 else None  # fmt: skip
    if mounted is None or mounted.returncode:
        pytest.skip("a tiny file system cannot be mounted here")
    try:
        path = tmp_path / table_format.table_name(rules)
        path.write_bytes(good)
        room = os.statvfs(tmp_path)
        (tmp_path / "ballast").write_bytes(bytes(room.f_bavail * room.f_frsize))
        finished = subprocess.run(build_command(rules, tmp_path), capture_output=True, text=True)
        assert finished.returncode == 2
        assert "no space left" in finished.stderr.splitlines()[-1]
        assert "Traceback" not in finished.stderr
        assert sorted(os.listdir(tmp_path)) == sorted(["ballast", path.name])
        assert path.read_bytes() == good
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_errors_while_writing_leave_the_old_table(
    rules: RuleSet, good: bytes, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TableError, match="no space left"):
        tables.build(rules, path.parent)
    assert os.listdir(path.parent) == [path.name]
    assert path.read_bytes() == good


def probe_everything(rules: RuleSet, folder: Path, good_codes: list[tuple[int, int, int]]) -> None:
    with tables.open(rules, folder) as table:
        for own, opp, code in good_codes:
            assert table.probe_words(own, opp) == code


def test_flipped_bits_are_noticed(rules: RuleSet, good: bytes, path: Path) -> None:
    """Every flipped bit gives an error or right answers, and `verify` finds each of them."""
    chance = random.Random(4)
    with tables.open(rules, path.parent) as table:
        known = []
        while len(known) < 300:
            own, opp = words_of(chance.randrange(table.header.entries), build_index(rules.law))
            if classify(own, opp, rules.law, build_index(rules.law)) == OPEN:
                known.append((own, opp, table.probe_words(own, opp)))
    noticed = 0
    header = len(good) - len(good) // 2
    for _ in range(120):
        place = chance.randrange(len(good) if chance.random() < 0.5 else header)
        spoilt = bytearray(good)
        spoilt[place] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        with pytest.raises(TableError) as caught:
            tables.verify(rules, path.parent)
        assert "\n" not in str(caught.value)
        try:
            probe_everything(rules, path.parent, known)
        except TableError:
            noticed += 1
    assert noticed > 60


def test_a_spoilt_header_is_noticed_on_opening(rules: RuleSet, good: bytes, path: Path) -> None:
    """Even where only its checksum can tell: the hashes of the content and the blocks."""
    header = table_format.unpack(good, path)
    end = header.offsets[0]
    told = set()
    for place in range(end):
        spoilt = bytearray(good)
        spoilt[place] ^= 1 << place % 8
        path.write_bytes(spoilt)
        with pytest.raises(TableError) as caught:
            tables.open(rules, path.parent)
        if good.index(header.content_hash) <= place:
            told.add(str(caught.value))
    assert told == {f"{path}: damaged tablebase: the checksum of its header does not fit"}


@pytest.mark.parametrize("length", [0, 5, 60, 120, 200, -1])
def test_a_file_cut_off_is_noticed(length: int, rules: RuleSet, good: bytes, path: Path) -> None:
    path.write_bytes(good[:length])
    with pytest.raises(TableError):
        tables.open(rules, path.parent)


def test_a_longer_file_is_noticed(rules: RuleSet, good: bytes, path: Path) -> None:
    path.write_bytes(good + b"\0")
    with pytest.raises(TableError, match="expected"):
        tables.open(rules, path.parent)


def test_the_table_of_other_rules_is_refused(rules: RuleSet, path: Path) -> None:
    other = custom_rules(path.parent, stock=(2, 2), both_lines="mover")
    with pytest.raises(TableError, match="no table"):
        tables.open(other, path.parent)
    shutil.copy(path, path.with_name(table_format.table_name(other)))
    with pytest.raises(TableError, match="other rules"):
        tables.open(other, path.parent)


def test_a_table_of_another_version_is_refused(rules: RuleSet, good: bytes, path: Path) -> None:
    spoilt = bytearray(good)
    struct.pack_into("<I", spoilt, len(table_format.MAGIC), table_format.BY_SLICES + 1)
    path.write_bytes(spoilt)
    with pytest.raises(TableError, match="format 3, this program reads formats 1 and 2"):
        tables.open(rules, path.parent)


def test_something_else_is_refused(rules: RuleSet, path: Path) -> None:
    path.write_bytes(b"#!/bin/sh\n" * 100)
    with pytest.raises(TableError, match="not a nestline table"):
        tables.open(rules, path.parent)
    path.unlink()
    path.mkdir()
    with pytest.raises(TableError, match="cannot be read"):
        tables.open(rules, path.parent)


def test_a_wrong_entry_is_found_by_the_full_check(
    rules: RuleSet, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nestline.solve import build

    solve = build.solve_on

    def spoil(*arguments: object, **options: object):  # type: ignore[no-untyped-def]
        solution = solve(*arguments, **options)  # type: ignore[arg-type]
        lost = (solution.entries == 8).nonzero()[0]
        solution.entries[lost[len(lost) // 2]] = 12
        return solution

    monkeypatch.setattr(build, "solve_on", spoil)
    tables.build(rules, path.parent)
    tables.verify(rules, path.parent)
    with pytest.raises(TableError, match="does not follow from its moves"):
        tables.verify(rules, path.parent, full=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written(rules: RuleSet, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(TableError, match="cannot be written"):
        tables.build(rules, tmp_path)


def test_a_folder_that_is_a_file_is_refused_before_the_work(rules: RuleSet, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[float] = []
    with pytest.raises(TableError, match="tablebases cannot be written to it"):
        tables.build(rules, tmp_path / "file", progress=told.append)
    assert told == []


def test_a_damaged_table_ends_a_batch_of_probes(rules: RuleSet, tmp_path: Path) -> None:
    path = tables.build(rules, tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    command = [sys.executable, "-m", "nestline", "probe", rules.reference, "-", "--json"]
    finished = subprocess.run(
        [*command, "--tables", str(tmp_path)], input="start\n", capture_output=True, text=True
    )
    assert finished.returncode == 2
    assert "damaged table" in finished.stderr
