"""Tables: building, probing, verifying, and their commands."""

import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import naive_rules
from nestline import kernel, tables
from nestline.errors import PositionError, TableError
from nestline.position import Position, Side
from nestline.rules import RuleSet, load_rules
from nestline.solve import retrograde, table_format
from nestline.solve.classify import classify
from nestline.solve.entry import FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN
from nestline.solve.index import build_index, size_of_index, words_of
from nestline.solve.table import CACHED_BLOCKS, Table
from nestline.solve.verify import committed_checksums
from support.command_line import nestline
from support.helpers import built_rules, custom_rules, naive_rules_of, random_fields

GOBBLERS = ("gobblers", "gobblers-official")
STANDARD = ("tictactoe", "gobblers", "gobblers-official")
RANDOM_POSITIONS, HARD_POSITIONS, FULL = 3_000, 700, 6
HARD_DISTANCE = 9


def small_rules() -> Iterator[RuleSet]:
    chance = random.Random(3)
    count = 0
    while count < 12:
        rules = built_rules(**random_fields(chance))
        if rules.board <= 3 and size_of_index(rules.law) < 3000:
            count += 1
            yield rules


@pytest.mark.parametrize("rules", list(small_rules()), ids=lambda rules: str(rules.stock))
def test_a_table_gives_back_the_whole_solution(rules: RuleSet, tmp_path: Path) -> None:
    solution = retrograde.solve(rules.law)
    tables.build(rules, tmp_path)
    with tables.open(rules, tmp_path) as table:
        for number, code in enumerate(solution.entries):
            own, opp = words_of(number, solution.index)
            turn = opp.bit_count() - own.bit_count()
            if code == IMPOSSIBLE or not (rules.moving or turn in (0, 1)):
                with pytest.raises(PositionError):
                    table.probe_words(own, opp)
            else:
                assert table.probe_words(own, opp) == code
    assert tables.verify(rules, tmp_path, full=True).is_full


def test_small_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_format, "BLOCK_ENTRIES", 1 << 10)
    rules = built_rules(stock=(2, 2))
    solution = retrograde.solve(rules.law)
    tables.build(rules, tmp_path)
    with tables.open(rules, tmp_path) as table:
        assert len(table.header.digests) > 2 * CACHED_BLOCKS
        pairs = np.array([words_of(n, solution.index) for n in range(0, 311637, 7)], np.int64)
        codes = table.probe_codes(pairs[:, 0], pairs[:, 1])
        assert (codes == solution.entries[::7]).all()
        assert len(table._blocks) <= CACHED_BLOCKS


@pytest.mark.parametrize("name", STANDARD[:1])
def test_rebuilding_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    first = tables.build(load_rules(name), tmp_path / "a", threads=1).read_bytes()
    second = tables.build(load_rules(name), tmp_path / "b", threads=2).read_bytes()
    assert first == second


@pytest.mark.full
def test_gobblers_with_one_thread_gives_the_same_bytes(
    standard_tables: Path, tmp_path: Path
) -> None:
    with tables.open("gobblers", standard_tables) as table:
        one = tables.build(load_rules("gobblers"), tmp_path, threads=1)
        assert one.read_bytes() == table.path.read_bytes()


@pytest.mark.parametrize("name", ["tictactoe", *GOBBLERS])
def test_tables_are_the_committed_ones(name: str, standard_tables: Path) -> None:
    found = tables.verify(load_rules(name), standard_tables)
    assert found.committed in ("same", "same content")
    assert found.size <= 10_000_000


@pytest.mark.full
@pytest.mark.parametrize("name", STANDARD)
def test_every_entry_follows_from_its_moves(name: str, standard_tables: Path) -> None:
    assert tables.verify(load_rules(name), standard_tables, full=True).is_full


@pytest.mark.parametrize(
    ("name", "value", "distance"),
    [
        ("tictactoe", "draw", None),
        ("gobblers", "win", 13),
        ("gobblers-official", "win", 13),
    ],
)
def test_the_start(name: str, value: str, distance: int | None, standard_tables: Path) -> None:
    with tables.open(name, standard_tables) as table:
        assert table.probe(Position.start(name)) == (value, distance)


def words_to_check(table: Table, count: int, hard: int) -> Iterator[tuple[int, int]]:
    """Random positions, and hard ones: far from the end, drawn, or lost in an odd number."""
    chance = random.Random(7)
    for _ in range(count):
        yield words_of(chance.randrange(table.header.entries), build_index(table.rules.law))
    while hard:
        number = chance.randrange(len(table.header.digests))
        block = table.block(number)
        odd = (block >= FIRST_LOSS) & (block % 4 == 2)
        far = block >= FIRST_WIN + 2 * HARD_DISTANCE
        for place in np.flatnonzero(odd | far | (block == OPEN))[:hard]:
            entry = number * table.header.block_entries + int(place)
            own, opp = words_of(entry, build_index(table.rules.law))
            if classify(own, opp, table.rules.law, build_index(table.rules.law)) == OPEN:
                hard -= 1
                yield own, opp


def expected_from_naive_rules(table: Table, text: str) -> tuple[str, int | None]:
    """The value that follows from the naive rules' moves and the table's values after them."""
    fields = naive_rules_of(table.rules)
    state = naive_rules.parse(fields, text)
    end = naive_rules.outcome(fields, state)
    if end is not None:
        return ("draw" if end.winner is None else "win" if end.winner == state.turn else "loss"), 0
    found = []
    for move in naive_rules.possible_moves(fields, state):
        after = naive_rules.text_of(fields, naive_rules.apply(fields, state, move))
        found.append(table.probe(Position(after, table.rules)))
    losses = [distance for value, distance in found if value == "loss" and distance is not None]
    if losses:
        return "win", min(losses) + 1
    if all(value == "win" for value, _ in found):
        return "loss", max(distance or 0 for _, distance in found) + 1
    return "draw", None


@pytest.mark.parametrize("times", [1, pytest.param(FULL, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", GOBBLERS)
def test_positions_follow_from_the_naive_moves(
    name: str, times: int, standard_tables: Path
) -> None:
    with tables.open(name, standard_tables) as table:
        for own, opp in words_to_check(table, times * RANDOM_POSITIONS, times * HARD_POSITIONS):
            position = Position.from_words(own, opp, Side.FIRST, table.rules)
            assert table.probe(position) == expected_from_naive_rules(table, str(position)), (
                position
            )


@pytest.mark.parametrize("name", GOBBLERS)
def test_best_play_lasts_as_long_as_the_table_says(name: str, standard_tables: Path) -> None:
    with tables.open(name, standard_tables) as table:
        position = Position.start(name)
        value, distance = table.probe(position)
        assert distance is not None
        for left in range(distance, 0, -1):
            best = table.moves(position)[0]
            assert (best.value, best.distance) == (value, left)
            position = position.play(best.move)
            value = "loss" if value == "win" else "win"
        assert position.outcome() is not None


def test_moves_are_the_legal_ones_best_first(standard_tables: Path) -> None:
    with tables.open("gobblers", standard_tables) as table:
        position = Position("x3/x,b1w3,x/w2,x2 b")
        found = table.moves(position)
        assert sorted(item.move for item in found) == sorted(position.legal_moves())
        order = {"win": 0, "draw": 1, "loss": 2}
        assert [order[item.value] for item in found] == sorted(order[i.value] for i in found)
        wins = [item.distance for item in found if item.value == "win"]
        losses = [item.distance for item in found if item.value == "loss"]
        assert wins == sorted(wins, key=lambda far: far or 0)
        assert losses == sorted(losses, key=lambda far: -(far or 0))
        assert table.probe(position)[1] == found[0].distance


def test_a_winning_move_has_distance_one_and_a_finished_position_no_moves(
    standard_tables: Path,
) -> None:
    with tables.open("tictactoe", standard_tables) as table:
        position = Position("x3/b1,b1,x/w1,w1,x w", rules="tictactoe")
        assert table.probe(position) == ("win", 1)
        assert table.moves(position)[0][1:] == ("win", 1)
        finished = position.play("c1")
        assert table.probe(finished) == ("loss", 0)
        assert table.moves(finished) == ()


def test_batches_say_what_single_probes_say(standard_tables: Path) -> None:
    with tables.open("gobblers", standard_tables) as table:
        pairs = np.array(list(words_to_check(table, 800, 200)), np.int64)
        values, distances = table.probe_many(pairs[:, 0], pairs[:, 1])
        for (own, opp), value, distance in zip(pairs, values, distances, strict=True):
            position = Position.from_words(int(own), int(opp), Side.FIRST, table.rules)
            single = table.probe(position)
            assert {"win": 1, "draw": 0, "loss": -1}[single.value] == value
            assert (-1 if single.distance is None else single.distance) == distance
        nothing = np.empty(0, np.int64)
        assert len(table.probe_many(nothing, nothing)[0]) == 0


def test_words_that_are_no_position_are_refused(standard_tables: Path) -> None:
    with tables.open("tictactoe", standard_tables) as table:
        with pytest.raises(PositionError, match="no position"):
            table.probe_words(1, 1)
        nine_marks, four_marks = (1 << 9) - 1, (1 << 4) - 1
        for own, opp in ((1, 0), (0, 3), (nine_marks, 0), (four_marks, 0)):
            with pytest.raises(PositionError, match="no position"):
                table.probe_words(own, opp)  # nobody places two at once
        assert table.probe_words(0, 1) == table.probe_words(0, 4)
        with pytest.raises(PositionError, match="so it cannot be O's turn"):
            table.probe("x3/x3/x3 b")
        with pytest.raises(PositionError, match="position 1 of the batch"):
            table.probe_many(np.array([0, 1 << 12]), np.array([0, 0]))
        with pytest.raises(TableError, match="cannot be looked up"):
            table.probe(Position.start("gobblers"))


def test_an_independent_search_confirms_a_short_win(standard_tables: Path) -> None:
    """The values near the end by plain search with the kernel, without any table."""
    rules = load_rules("gobblers")

    def wins(own: int, opp: int, plies: int) -> bool:
        moves = np.empty(kernel.MAX_MOVES, np.uint8)
        for move in moves[: kernel.legal_moves(own, opp, rules.law, moves)]:
            after = kernel.play(own, int(move))
            state = kernel.outcome(opp, after, rules.law)
            if state == kernel.LINE or (
                state == kernel.ONGOING and plies > 2 and loses(opp, after, plies - 1)
            ):
                return True
        return False

    def loses(own: int, opp: int, plies: int) -> bool:
        moves = np.empty(kernel.MAX_MOVES, np.uint8)
        for move in moves[: kernel.legal_moves(own, opp, rules.law, moves)]:
            after = kernel.play(own, int(move))
            state = kernel.outcome(opp, after, rules.law)
            if state != kernel.REVEAL and not (
                state == kernel.ONGOING and wins(opp, after, plies - 1)
            ):
                return False
        return True

    with tables.open("gobblers", standard_tables) as table:
        checked = 0
        for own, opp in words_to_check(table, 4000, 0):
            code = table.probe_words(own, opp)
            if code in (FIRST_WIN + 6, FIRST_LOSS + 4) and checked < 40:
                checked += 1
                assert wins(own, opp, 3) == (code == FIRST_WIN + 6)
                assert loses(own, opp, 2) == (code == FIRST_LOSS + 4)
        assert checked == 40


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_probing_stays_below_64_mebibytes(standard_tables: Path) -> None:
    """All blocks are needed in turn; the memory counted is what comes on top of an open table."""
    code = """
import sys
from pathlib import Path
import numpy as np
from nestline import tables
from nestline.solve.index import build_index, words_of
table = tables.open("gobblers", sys.argv[1])
chance = np.random.default_rng(1)
entries = chance.integers(0, table.header.entries, 40_000)
words = [words_of(int(entry), build_index(table.rules.law)) for entry in entries]
table.probe_words(*words[0])
held = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4
before = most = held()
for number, (own, opp) in enumerate(words):
    table.probe_words(own, opp)
    if number % 100 == 0:
        most = max(most, held())
print(most - before)
"""
    command = [sys.executable, "-c", code, str(standard_tables)]
    grown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert 1_000 < int(grown) < 64 * 1024


def test_the_folder_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESTLINE_TABLES", str(tmp_path))
    assert tables.tables_folder() == tmp_path
    assert tables.tables_folder("other") == Path("other")
    with pytest.raises(TableError, match="nestline tables build tictactoe"):
        tables.open("tictactoe")


def test_two_builds_at_once_do_no_harm(tmp_path: Path) -> None:
    rules = built_rules(stock=(2, 2))
    builds = [
        threading.Thread(target=tables.build, args=(rules, tmp_path)) for _ in range(2)
    ]  # fmt: skip
    for build in builds:
        build.start()
    for build in builds:
        build.join()
    assert tables.verify(rules, tmp_path).size
    assert [path.name for path in tmp_path.iterdir()] == [table_format.table_name(rules)]


def test_committed_checksums_name_the_rules_they_are_for() -> None:
    known = committed_checksums()
    assert sorted(known) == sorted(STANDARD)
    for name in STANDARD:
        assert known[name]["rules"] == table_format.rules_hash(load_rules(name).law).hex()


def test_commands_on_a_small_rule_set(tmp_path: Path) -> None:
    rules = custom_rules(tmp_path, stock=(1, 1))
    place = tmp_path / "tables"
    options = ("--tables", str(place), "--json")
    built = nestline("tables", "build", rules.reference, *options)
    assert built.returncode == 0, built.stderr
    assert "entries" in built.stderr
    (facts,) = json.loads(built.stdout)
    assert facts["bytes"] == Path(facts["path"]).stat().st_size
    listed = json.loads(nestline("tables", "list", *options).stdout)
    assert [row["rules"] for row in listed] == [*STANDARD, rules.name]
    assert [row["bytes"] is None for row in listed] == [True, True, True, False]
    verified = nestline("tables", "verify", rules.reference, "--full", *options)
    assert json.loads(verified.stdout)[0]["full"] is True
    probed = json.loads(nestline("probe", rules.reference, "x3/x3/x3 w", *options).stdout)
    with tables.open(rules, place) as table:
        start = Position.start(rules)
        assert (probed["value"], probed["distance"]) == table.probe(start)
        assert [row["move"] for row in probed["moves"]] == [
            str(item.move) for item in table.moves(start)
        ]
    lines = "x3/x3/x3 w\nnonsense\n\nx3/x,w2,x/x3 b\n"
    answers = nestline("probe", rules.reference, "-", *options, text=lines)
    many = [json.loads(line) for line in answers.stdout.splitlines()]
    assert many[0] == probed
    assert list(many[1]) == list(many[2]) == ["error"]
    assert many[3]["position"] == "x3/x,w2,x/x3 b"


def test_solve_command(tmp_path: Path) -> None:
    finished = nestline("solve", "tictactoe", "--stats", "--json", "--threads", "2")
    facts = json.loads(finished.stdout)
    assert list(facts) == ["rules", "start", "counts", "reachable_positions", "seconds"]
    assert facts["start"] == {"value": "draw", "distance": None}
    assert facts["reachable_positions"] == 765
    ends = [(row["value"], row["distance"]) for row in facts["counts"] if row["reachable"]]
    assert ends[0] == ("win", 1)
    assert ("draw", None) in ends
    assert ("draw", 0) in ends
    assert ("loss", 0) in ends
    assert sum(row["placements"] for row in facts["counts"]) == 6046
    text = nestline("solve", "tictactoe").stdout
    assert text.startswith("tictactoe: a draw with best play.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "gobblet"), "too large to be solved"),
        (("solve", "gobblers", "--device", "cuda"), "NVIDIA"),
        (("probe", "gobblers", "x3/x3 w"), "2 rows"),
        (("tables", "verify", "--tables", "/nonexistent"), "there are no tablebases"),
        (
            ("tables", "verify", "tictactoe", "--tables", "/nonexistent"),
            "no tablebase of tictactoe",
        ),
    ],
)
def test_refusals_are_one_line(arguments: tuple[str, ...], message: str) -> None:
    finished = nestline(*arguments)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert message in finished.stderr.splitlines()[-1]
    assert "Traceback" not in finished.stderr


def test_interrupting_a_build_leaves_nothing(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "nestline", "tables", "build", "gobblers", "--tables", tmp_path],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "entries" in process.stderr.readline()
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 130
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_reachable_positions_of_gobblers() -> None:
    finished = nestline("solve", "gobblers", "--stats", "--json")
    facts = json.loads(finished.stdout)
    assert facts["start"] == {"value": "win", "distance": 13}
    assert facts["reachable_positions"] == 341_024_631
    assert sum(row["placements"] for row in facts["counts"]) == 1423**3
    assert max(row["distance"] or 0 for row in facts["counts"]) == 24


def test_verify_tells_what_it_does_not_check(tmp_path: Path) -> None:
    (tmp_path / "mine-0123456789ab.table").write_bytes(b"nestline")
    finished = nestline("tables", "verify", "--tables", str(tmp_path))
    assert finished.returncode == 2
    assert (
        "Not checked, since their rules are not known: mine-0123456789ab.table" in finished.stderr
    )
