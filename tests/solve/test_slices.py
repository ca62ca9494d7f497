"""Tablebases by slices: those of games too large for the index."""

import errno
import json
import os
import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from nestline import tables
from nestline.engine.players.perfect import PerfectPlayer
from nestline.errors import PositionError, TableError
from nestline.game import Game
from nestline.oracle import Oracle
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.solve import build, retrograde, slices, table_format
from nestline.solve.entry import IMPOSSIBLE
from nestline.solve.groups.processor import Processor
from nestline.solve.index import size_of_index, turns_alternate, words_of
from support.command_line import nestline
from support.helpers import built_rules, custom_rules, random_fields

STUCK = built_rules(
    board=2, line=2, stock=(1, 1), place_onto="empty", moving=False, repetition=0, no_move="draw"
)
SHORT = built_rules(line=2, stock=(1, 1))
FOUR = {"board": 4, "line": 2, "stock": (1, 1)}
"""A small game on 4x4, which has no index."""


def small_rules() -> list[RuleSet]:
    """Small games of all kinds; some have symmetric positions, one has players without a move."""
    chance = random.Random(5)
    found = [SHORT, STUCK, built_rules(stock=(3,))]
    while len(found) < 12:
        rules = built_rules(**random_fields(chance))
        if rules.board <= 3 and size_of_index(rules.law) < 3000:
            found.append(rules)
    return found


@pytest.fixture
def by_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games count as too large for the index, and blocks are small."""
    monkeypatch.setattr(build, "has_index", lambda _law: False)
    monkeypatch.setattr(table_format, "BLOCK_ENTRIES", 64)


@pytest.fixture
def four(tmp_path: Path) -> RuleSet:
    return custom_rules(tmp_path, **FOUR)


@pytest.mark.usefixtures("by_slices")
@pytest.mark.parametrize("rules", small_rules(), ids=lambda rules: str(rules.stock))
def test_a_table_by_slices_gives_back_the_whole_solution(rules: RuleSet, tmp_path: Path) -> None:
    solution = retrograde.solve(rules.law)
    assert solution.has_stuck or rules != STUCK
    tables.build(rules, tmp_path)
    pairs = [words_of(number, solution.index) for number in range(len(solution.entries))]
    with tables.open(rules, tmp_path) as table:
        assert table.header.version == table_format.BY_SLICES
        known = []
        for (own, opp), code in zip(pairs, solution.entries.tolist(), strict=True):
            if code == IMPOSSIBLE or not turns_alternate(own, opp, rules.law):
                with pytest.raises(PositionError):
                    table.probe_words(own, opp)
            else:
                assert table.probe_words(own, opp) == code
                known.append((own, opp, code))
        owns, opps, codes = np.array(known, np.int64).T
        assert (table.probe_codes(owns, opps) == codes).all()
    assert tables.verify(rules, tmp_path, full=True).is_full


@pytest.mark.usefixtures("by_slices")
def test_any_number_of_threads_gives_the_same_bytes(tmp_path: Path) -> None:
    one = tables.build(SHORT, tmp_path / "one", threads=1)
    two = tables.build(SHORT, tmp_path / "two", threads=2)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.usefixtures("by_slices")
def test_a_wrong_entry_is_found_by_the_full_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = Processor.entries

    def spoilt(device: Processor) -> Any:
        found = entries(device).copy()
        lost = (found == 8).nonzero()[0]
        found[lost] = 12
        return found

    monkeypatch.setattr(Processor, "entries", spoilt)
    tables.build(SHORT, tmp_path)
    tables.verify(SHORT, tmp_path)
    with pytest.raises(TableError, match="does not follow from its moves"):
        tables.verify(SHORT, tmp_path, full=True)


def test_commands_and_players_on_four_by_four(four: RuleSet, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    options = ("--tables", str(folder), "--json")
    missing = nestline("probe", four.reference, "start", *options)
    assert missing.returncode == 2
    assert "build it with: nestline tables build" in missing.stderr.splitlines()[-1]
    with pytest.raises(TableError, match="there is no tablebase"):
        PerfectPlayer(1, folder).prepare(four)
    built = nestline("tables", "build", four.reference, *options)
    assert built.returncode == 0, built.stderr
    assert "entries" in built.stderr
    verified = nestline("tables", "verify", four.reference, "--full", *options)
    assert json.loads(verified.stdout)[0]["full"] is True
    found = json.loads(nestline("probe", four.reference, "start", *options).stdout)
    solved = json.loads(nestline("solve", four.reference, "--json").stdout)
    assert {"value": found["value"], "distance": found["distance"]} == solved["start"]
    assert len(found["moves"]) == len(Position.start(four).legal_moves())
    game = Game(four)
    with tables.open(four, folder) as table:
        best = {item.move for item in table.moves(game.position) if item.value == found["value"]}
    assert PerfectPlayer(1, folder).choose(game) in best
    oracle = Oracle(four, folder)
    assert oracle.of_positions([game.position]).best.sum() in range(1, len(best) + 1)
    with pytest.raises(TableError, match="so large a game"):
        oracle.reachable()


def test_every_move_of_a_large_board_is_probed(four: RuleSet, tmp_path: Path) -> None:
    """The numbers of moves from the last squares of 4x4 do not fit into a byte."""
    tables.build(four, tmp_path)
    with tables.open(four, tmp_path) as table:
        for text in ("w1,x,b2,x/x4/x4/x4 w", "x4/x4/x4/w1,x,b2,x w"):
            position = Position(text, four)
            found = table.moves(position)
            assert sorted(item.move for item in found) == sorted(position.legal_moves())
            for item in found:
                after = table.probe(position.play(item.move))
                assert item.value == {"win": "loss", "loss": "win", "draw": "draw"}[after.value]
                assert item.distance == (None if after.distance is None else after.distance + 1)


class Disk(NamedTuple):
    free: int


@pytest.mark.parametrize(
    ("stock", "memory", "disk", "message"),
    [
        ([3, 3, 3], 1 << 30, 1 << 50, "44,885,835,371 entries would need about .* of memory; this"),
        ([3, 3, 3], 1 << 50, 1 << 30, "44,885,835,371 entries would need about .* of disk in"),
        ([9, 9, 9, 9], 1 << 50, 1 << 50, "too large to be solved: about"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_work(
    stock: list[int], memory: int, disk: int, message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(slices, "memory_bytes", lambda: memory)
    monkeypatch.setattr(slices.shutil, "disk_usage", lambda _place: Disk(disk))
    with pytest.raises(TableError, match=message):
        tables.build(built_rules(stock=tuple(stock)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_errors_while_writing_leave_nothing(
    four: RuleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TableError, match="no space left"):
        tables.build(four, tmp_path / "tables")
    assert list((tmp_path / "tables").iterdir()) == []


def test_nobody_offers_to_build_what_is_too_large(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="too large to be solved: about"):
        tables.open(load_rules("gobblet"), tmp_path)
