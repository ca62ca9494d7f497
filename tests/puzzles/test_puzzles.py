"""The puzzles: that they are sound, how they are found, and the command that makes them."""

import json
from importlib import resources
from pathlib import Path

import pytest

from nestline import Position, load_rules, tables
from nestline.engine.prove import Prover
from nestline.puzzles.check import check_duplicates, check_puzzle
from nestline.puzzles.find import find, shape, solution
from nestline.puzzles.grade import Graders
from nestline.puzzles.judges import Judge, ProofJudge, TableJudge
from nestline.puzzles.puzzle import ATTEMPTS, Puzzle, PuzzleError, read_puzzles, write_puzzles
from support.command_line import nestline

FILES = resources.files("nestline.web") / "static" / "learn" / "puzzles"
LEAST = {"gobblers": 500, "gobblers-official": 500, "gobblet": 200, "gobblet-house": 200}
SAMPLE = {"gobblers": 40, "gobblers-official": 40, "gobblet": 4, "gobblet-house": 4}
MOST_BYTES = 150_000


def puzzles_of(name: str) -> list[Puzzle]:
    rules, puzzles = read_puzzles((FILES / f"{name}.json").read_text("utf-8"))
    assert rules == name
    return puzzles


def judge_of(name: str, folder: Path) -> Judge:
    if load_rules(name).board == 3:
        return TableJudge(tables.open(name, folder))
    return ProofJudge(Prover(name))


@pytest.mark.parametrize("name", LEAST)
def test_there_are_enough_and_no_two_alike(name: str) -> None:
    puzzles = puzzles_of(name)
    assert len(puzzles) >= LEAST[name]
    check_duplicates(puzzles, load_rules(name))
    assert puzzles == sorted(puzzles, key=lambda each: (each.fails, each.plies, each.position))
    assert write_puzzles(name, puzzles) == (FILES / f"{name}.json").read_text("utf-8")


def test_they_are_small() -> None:
    assert sum(len((FILES / f"{name}.json").read_bytes()) for name in LEAST) < MOST_BYTES


@pytest.mark.parametrize("name", LEAST)
def test_a_sample_is_sound(name: str, standard_tables: Path) -> None:
    puzzles = puzzles_of(name)
    judge = judge_of(name, standard_tables)
    for puzzle in puzzles[:: len(puzzles) // SAMPLE[name]]:
        check_puzzle(puzzle, load_rules(name), judge)


@pytest.mark.full
@pytest.mark.parametrize("name", LEAST)
def test_all_are_sound(name: str, standard_tables: Path) -> None:
    judge = judge_of(name, standard_tables)
    for puzzle in puzzles_of(name):
        check_puzzle(puzzle, load_rules(name), judge)


def test_what_is_not_sound_is_told(standard_tables: Path) -> None:
    rules = load_rules("gobblers")
    judge = judge_of("gobblers", standard_tables)
    good = puzzles_of("gobblers")[0]
    first, reply, last = good.line
    for puzzle, words in (
        (good._replace(position="rubbish"), "'rubbish' is not a position"),
        (good._replace(line=(first, reply)), "the solver moves last"),
        (good._replace(line=(reply, first, last)), "does not win in 3 plies"),
        (good._replace(fails=ATTEMPTS + 1), "cannot fail"),
    ):
        with pytest.raises(PuzzleError, match=words):
            check_puzzle(puzzle, rules, judge)
    image = str(Position(good.position, rules).symmetries()[1])
    with pytest.raises(PuzzleError, match="is an image of"):
        check_duplicates([good, good._replace(position=image)], rules)
    # The start is won in 13 plies, by more than one move.
    assert solution(Position.start("gobblers"), 13, judge) is None


def test_table_and_prover_agree(standard_tables: Path) -> None:
    table, proof = judge_of("gobblers", standard_tables), ProofJudge(Prover("gobblers"))
    for puzzle in [each for each in puzzles_of("gobblers") if each.plies == 5][:3]:
        position = Position(puzzle.position, "gobblers")
        assert table.plies_to_win(position, 5) == proof.plies_to_win(position, 5) == 5
        assert table.wins(position, 5) == proof.wins(position, 5)
        after = position.play(puzzle.line[0])
        assert set(table.defences(after, 4)) == set(proof.defences(after, 4))


def test_the_same_seed_finds_the_same_puzzles(standard_tables: Path) -> None:
    rules = load_rules("gobblers")
    judge = judge_of("gobblers", standard_tables)
    first, second = (list(find(rules, {3: 3, 5: 2}, judge, 5)) for _ in range(2))
    assert first == second
    assert sorted(len(line) for _, line in first) == [3, 3, 3, 5, 5]
    assert len({shape(position) for position, _ in first}) == 5


def test_a_grade_counts_failures() -> None:
    easy, hard = puzzles_of("gobblers")[0], puzzles_of("gobblers")[-1]
    graders = Graders()
    counts = [
        graders.failures(
            position := Position(each.position, "gobblers"),
            [position.read_move(move) for move in each.line],
        )
        for each in (easy, hard)
    ]
    assert counts[0] < counts[1]


@pytest.mark.usefixtures("unhurried_levels")
def test_the_command_makes_and_checks(tmp_path: Path, standard_tables: Path) -> None:
    path = tmp_path / "few.json"
    folder = ["--tables", str(standard_tables)]
    made = nestline("puzzles", "gobblers", "--count", "8", "--output", str(path), *folder)
    assert made.returncode == 0
    assert json.loads(path.read_text("utf-8"))["attempts"] == ATTEMPTS
    checked = nestline("puzzles", "gobblers", "--check", str(path), *folder)
    assert (checked.returncode, "all sound" in checked.stdout) == (0, True)
    # In whatever order they are graded again, with the same levels the grades are the same.
    facts = json.loads(path.read_text("utf-8"))
    shuffled = tmp_path / "shuffled.json"
    other = {**facts, "puzzles": [[*each[:2], 0] for each in reversed(facts["puzzles"])]}
    shuffled.write_text(json.dumps(other), "utf-8")
    again = nestline("puzzles", "gobblers", "--grade", str(shuffled))
    assert (again.returncode, again.stdout) == (0, path.read_text("utf-8"))
    both = nestline("puzzles", "gobblers", "--grade", str(path), "--check", str(path))
    assert (both.returncode, "choose one" in both.stderr) == (2, True)
    for rules, content, words in (
        ("gobblers-official", path.read_text("utf-8"), "puzzles of gobblers, not of"),
        ("gobblers", "[]", "no file of puzzles"),
    ):
        wrong = tmp_path / "wrong.json"
        wrong.write_text(content, "utf-8")
        refused = nestline("puzzles", rules, "--check", str(wrong), *folder)
        assert refused.returncode == 2
        assert words in refused.stderr
