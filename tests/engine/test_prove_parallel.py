"""Proofs by several threads: the same results as by one, and nothing is proved twice."""

import random
import threading
from pathlib import Path

import pytest

from nestline import NestlineError, Position, Side
from nestline.engine.prove import ParallelProver, Prover, check_leaves
from nestline.engine.prove.split import Part, Tree
from support.helpers import random_positions


def test_threads_find_what_one_finds() -> None:
    one, several = Prover("gobblers"), ParallelProver(Prover("gobblers"), threads=3)
    chance = random.Random("threads")
    for position in random_positions("gobblers", 12, seed=3):
        side = chance.choice(list(Side))
        expected, found = (prover.prove(position, 11, side) for prover in (one, several))
        assert (found.win, found.plies) == (expected.win, expected.plies), (position, side)
        assert len(found.line) == len(expected.line)


@pytest.mark.parametrize(("rules", "within"), [("gobblet-house", 13), ("gobblers", 13)])
def test_the_start_is_proved_by_threads(rules: str, within: int) -> None:
    proof = ParallelProver(Prover(rules), threads=2).prove(Position.start(rules), within)
    assert (proof.win, proof.searched) == ((True, 11) if rules == "gobblers" else (False, 13))


def test_a_proof_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    start = Position.start("gobblet-house")
    slow = Prover("gobblet-house", bounded=False)
    prover = ParallelProver(slow, threads=2, journal=journal)
    watching = threading.Thread(target=stop_after_some_answers, args=(prover, journal))
    watching.start()
    stopped = prover.prove(start, 15)
    watching.join()
    assert stopped.win is None
    answered = journal.read_text().splitlines()
    with journal.open("a") as file:
        file.write("[12, 3")  # Killed while it wrote.
    finished = ParallelProver(Prover("gobblet-house"), journal=journal).prove(start, 13)
    assert finished.win is False
    again = ParallelProver(Prover("gobblet-house"), journal=journal).prove(start, 13)
    assert again.nodes == finished.nodes, "nothing was left to do"
    assert journal.read_text().splitlines()[: len(answered)] == answered


def stop_after_some_answers(prover: ParallelProver, journal: Path) -> None:
    while not journal.exists() or len(journal.read_text().splitlines()) < 10:
        pass
    prover.stop()


def test_a_journal_belongs_to_one_proof(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    ParallelProver(Prover("gobblers"), journal=journal).prove(Position.start("gobblers"), 3)
    with pytest.raises(NestlineError, match="not a journal of this proof"):
        ParallelProver(Prover("gobblers-official"), journal=journal).prove(
            Position.start("gobblers-official"), 3
        )
    other = tmp_path / "other"
    other.write_text("dear diary\n")
    with pytest.raises(NestlineError, match="not a journal of this proof"):
        ParallelProver(Prover("gobblers"), journal=other).prove(Position.start("gobblers"), 3)
    header = journal.read_text().splitlines()[0]
    for wrong in ("7", "[1, 2]", '{"own": 1}', '[1, 2, 0, 3, "yes", 5]'):
        journal.write_text(f"{header}\n[0, 0, 1, 1, 0, 1]\n{wrong}\n")
        with pytest.raises(NestlineError, match="answer 2"):
            ParallelProver(Prover("gobblers"), journal=journal).prove(Position.start("gobblers"), 3)
    assert other.read_text() == "dear diary\n"


def test_a_tree_asks_only_for_what_it_needs() -> None:
    """All moves of the attacker, one reply of the defender; images of each other once."""
    prover = Prover("gobblet")
    tree = Tree(prover.rules, lambda part: None)
    start = Position.start("gobblet")
    root = tree.part(*start.words, 1, 13)
    wanted = tree.wanted(root, 10_000)
    assert len(wanted) == len(set(wanted))
    assert {part.plies for part in wanted} == {8}
    for part in wanted:
        tree.learn(part, False)
    while wanted := tree.wanted(root, 100):
        for part in wanted:
            tree.learn(part, False)
    assert tree.answer(root) is False
    assert tree.answer(root._replace(plies=11)) is False
    assert tree.answer(root._replace(plies=15)) is None


def test_one_winning_move_is_enough() -> None:
    start = Position.start("gobblet")
    tree = Tree(start.rules, lambda part: None)
    root = tree.part(*start.words, 1, 13)
    while wanted := tree.wanted(root, 1):
        tree.learn(Part(*wanted[0]), True)
    assert tree.answer(root) is True


def test_the_number_of_threads_is_checked() -> None:
    with pytest.raises(NestlineError, match="at least 1"):
        ParallelProver(Prover("gobblers"), threads=0)


def test_leaves_of_a_proof_are_checked_by_brute_force() -> None:
    prover = Prover("gobblet-house")
    start = Position.start("gobblet-house")
    assert prover.prove(start, 12, Side.SECOND).win is False
    assert check_leaves(prover, start, 12, Side.SECOND, 20) > 15


def test_a_wrong_proof_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover that says that nothing is ever forced."""
    monkeypatch.setattr(Prover, "is_forced", lambda *words: False)
    with pytest.raises(NestlineError, match="the proof is wrong"):
        check_leaves(Prover("gobblers"), Position.start("gobblers"), 13, Side.FIRST, 200)


@pytest.mark.full
def test_a_cluster_proves_the_same_and_shares_the_journal(tmp_path: Path) -> None:
    start = Position.start("gobblet-house")
    journal = tmp_path / "journal"
    proof = ParallelProver(Prover("gobblet-house"), ray="local", journal=journal).prove(start, 13)
    assert (proof.win, proof.searched) == (False, 13)
    again = ParallelProver(Prover("gobblet-house"), threads=2, journal=journal).prove(start, 13)
    assert again.nodes == proof.nodes
