"""Proofs of forced wins against the tablebases, the naive rules, and the unbounded search."""

import json
import random
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import naive_rules as naive
from nestline import GameError, Position, PositionError, Side, kernel, load_rules, tables
from nestline.engine.prove.forced import MAX_PLIES, may_be_drawn
from nestline.engine.prove.prover import Proof, Prover, prove
from nestline.position import code_of_move
from support.helpers import (
    PLAIN,
    built_rules,
    custom_rules,
    naive_rules_of,
    random_fields,
    random_position,
    random_positions,
    random_stacks,
    read_tactics,
    walked_position,
)

FOUR_BY_FOUR = ("gobblet", "gobblet-house")


REVEALED = {
    "w1b2w3,x,b1/x,w1w2b3,x/b1w3,b2,w2b3 w": -1,
    "w1,b1,x/x,w1b3,x/w2b3,b1b2w3,b2w3 w": 2,
    "b1w3,x2/w1w2b3,b2,b1w3/w1w2b3,x2 w": -3,
    "w2,x,b1b2/b3,b1,w1w3/b2w3,w1,w2b3 w": 4,
    "w1w2,x2/w3,b2,x/w1b2b3,b1w3,w2b3 w": -5,
    "b2w3,x2/w1b3,b1,w3/b1,w1,b2b3 w": 6,
    "w1w2b3,b1b2,x/x,b1w3,x/x2,w2b3 w": -7,
    "x2,b2/b1w3,x,b2/w1b3,w1w3,b1w2 w": 8,
    "b1,w1w2,b2/w1b3,x,w2w3/x,b1b2b3,x w": -13,
    "w2,b2,x/b1b2,x,w1w2/w1b3,b1w3,x w": 12,
}
"""In `gobblers`: plies in which the first player wins, or loses, by a line somebody must reveal."""


def follow(position: Position, proof: Proof, attacker: Side) -> None:
    """The line of a proof can be played, and ends the game as it says."""
    assert proof.win
    assert len(proof.line) == proof.plies
    for move in proof.line:
        assert position.outcome() is None
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == attacker


def open_positions(rules: str, count: int, seed: int) -> list[Position]:
    """Half from random games, half with pieces put anywhere, some of them crowded."""
    chance = random.Random(f"{rules} {seed}")
    anywhere: list[Position] = []
    while len(anywhere) < count // 2:
        position = random_position(load_rules(rules), chance)
        if position.outcome() is None:
            anywhere.append(position)
    return random_positions(rules, count - len(anywhere), seed) + anywhere


# Against the solved tables.

MODES = {
    "plain": {},
    "no bound": {"bounded": False},
    "small memory": {"memory": 1},
    "small memory, no bound": {"memory": 1, "bounded": False},
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", ["gobblers", "gobblers-official", "tictactoe"])
def test_wins_and_distances_are_those_of_the_tables(
    rules: str, mode: str, standard_tables: Path
) -> None:
    """For both sides, whoever is to move; a win one ply beyond the search is not found."""
    prover = Prover(rules, **MODES[mode])  # type: ignore[arg-type]
    chance = random.Random(f"{rules} {mode}")
    found = dict.fromkeys(("win", "loss", "beyond", "none"), 0)
    with tables.open(rules, standard_tables) as table:
        for position in open_positions(rules, 350, seed=len(mode)):
            value, distance = table.probe(position)
            within = chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 12))
            for side in Side:
                proof = prover.prove(position, within, side)
                wins = value == ("win" if side == position.turn else "loss")
                if wins and distance is not None and distance <= within:
                    assert proof.plies == distance, (position, side)
                    follow(position, proof, side)
                    found[value] += 1
                else:
                    assert proof == (False, None, (), within, proof.nodes, proof.seconds)
                    found["beyond" if wins else "none"] += 1
    assert min(found.values()) > 5, found


def test_the_loser_of_a_line_delays_as_long_as_the_table_says(standard_tables: Path) -> None:
    prover = Prover("gobblers")
    ends = set()
    with tables.open("gobblers", standard_tables) as table:
        revealed = [Position(text, "gobblers") for text in REVEALED]
        for position in open_positions("gobblers", 300, seed=7) + revealed:
            distance = table.probe(position).distance
            if distance is None or distance < 2:
                continue
            winner = position.turn if table.probe(position).value == "win" else position.turn.other
            for move in prover.prove(position, distance, winner).line:
                assert table.probe(position).distance == distance
                position = position.play(move)
                distance -= 1
            assert distance == 0
            ends.add(position.outcome().reason)  # type: ignore[union-attr]
    assert ends == {"line", "reveal"}


@pytest.mark.parametrize("bounded", [True, False])
def test_a_player_forced_to_reveal_a_line_has_lost(bounded: bool) -> None:
    prover = Prover("gobblers", bounded=bounded)
    for text, plies in REVEALED.items():
        position = Position(text, "gobblers")
        winner = Side.FIRST if plies > 0 else Side.SECOND
        proof = prover.prove(position, 13, winner)
        assert proof.plies == abs(plies)
        for move in proof.line:
            position = position.play(move)
        assert str(position.outcome()) == f"{'1-0' if plies > 0 else '0-1'} (reveal)"
        if abs(plies) > 1:
            assert prover.prove(Position(text, "gobblers"), abs(plies) - 1, winner).win is False


@pytest.mark.parametrize("rules", ["gobblers", "gobblers-official"])
def test_the_first_player_wins_from_the_start_in_thirteen_plies(rules: str) -> None:
    start = Position.start(rules)
    proof = prove(start, 13)
    assert (proof.win, proof.plies, proof.searched) == (True, 13, 11)
    follow(start, proof, Side.FIRST)
    assert prove(start, 12).win is False
    assert prove(start, 12, Side.SECOND).win is False


@pytest.mark.parametrize("side", Side)
def test_tictactoe_is_won_by_nobody(side: Side) -> None:
    assert prove(Position.start("tictactoe"), 9, side).win is False


# Against the naive rules.


def forced_by_naive_rules(
    rules: naive.Rules, state: naive.State, plies: int, attacker: int
) -> bool:
    """Brute force, by the naive rules."""
    outcome = naive.outcome(rules, state)
    if outcome is not None:
        return outcome.winner == attacker
    if plies == 0:
        return False
    after = (naive.apply(rules, state, move) for move in naive.possible_moves(rules, state))
    wins = (forced_by_naive_rules(rules, position, plies - 1, attacker) for position in after)
    return any(wins) if state.turn == attacker else all(wins)


def compare_with_naive_rules(position: Position, provers: list[Prover], most: int) -> int | None:
    """Ask both for the shortest win within as many plies as the naive rules can look ahead."""
    rules = naive_rules_of(position.rules)
    state = naive.parse(rules, str(position))
    width = len(position.legal_moves())
    shortest = None
    for side in Side:
        within, cost = 1, width
        while within < 4 and cost * width < most:
            within, cost = within + 1, cost * width
        told = range(1, within + 1)
        expected = next((n for n in told if forced_by_naive_rules(rules, state, n, side)), None)
        for prover in provers:
            assert prover.prove(position, within, side).plies == expected, (position, side)
        shortest = shortest or expected
    return shortest


def plain_fields(chance: random.Random) -> dict[str, Any]:
    """The fields of a random rule set that can be proved."""
    fields = random_fields(chance) | PLAIN
    return fields | {"both_lines": chance.choice(("opponent", "mover"))}


@pytest.mark.parametrize(
    ("key", "value"),
    [("line_sizes", "rising"), ("wrap", True), ("misere", True), ("cover", "own"),
     ("reveal", "forbidden"), ("both_lines", "draw")],
)  # fmt: skip
def test_rules_that_proofs_do_not_know_are_refused(key: str, value: object) -> None:
    written = re.escape(json.dumps(value))
    with pytest.raises(GameError, match=f"built: proofs do not know {key} = {written}; the search"):
        Prover(built_rules(**{key: value}))


def test_custom_rule_sets_agree_with_the_naive_rules(tmp_path: Path) -> None:
    chance = random.Random("custom proofs")
    lengths: Counter[int | None] = Counter()
    for _ in range(60):
        fields = plain_fields(chance)
        if chance.random() < 0.7:  # The others are over after a move or two.
            fields |= {
                "board": 3,
                "line": 3,
                "stock": (chance.randint(1, 3),) * chance.randint(1, 3),
            }
            fields["peek"] = False
        rules = custom_rules(tmp_path, **fields)
        provers = [Prover(rules, memory=1), Prover(rules, memory=1, bounded=False)]
        for number in range(8):
            position = (
                walked_position(rules, chance, chance.randint(0, 12))
                if number % 2
                else random_position(rules, chance)
            )
            if position.outcome() is None:
                lengths[compare_with_naive_rules(position, provers, 2000)] += 1
    assert min(lengths[plies] for plies in (1, 2, 3, None)) > 2, lengths


@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_the_four_by_four_sets_agree_with_the_naive_rules(name: str) -> None:
    chance = random.Random(f"proofs in {name}")
    provers = [Prover(name, memory=1), Prover(name, memory=1, bounded=False)]
    tactics = [tactic for tactic in read_tactics(name) if tactic.plies == 3]
    found = []
    for tactic in chance.sample(tactics, 12):
        position = tactic.position.play(chance.choice(tactic.best))
        assert position.outcome() is None
        found.append(compare_with_naive_rules(position, provers, 6000))
    assert found == [2] * len(found), "after the best move the win is two plies away"


# The bound.


def nearby(position: Position, chance: random.Random) -> Position:
    """An unfinished position some random plies further on."""
    for _ in range(chance.randint(0, 3)):
        moves = [m for m in position.legal_moves() if position.play(m).outcome() is None]
        if moves:
            position = position.play(chance.choice(moves))
    return position


def compare_bounded(positions: list[Position], within: int) -> tuple[Counter[int | None], int]:
    """The result is the same with and without the bound; counts of each length, and nodes saved."""
    provers = [Prover(positions[0].rules, memory=4, bounded=b) for b in (True, False)]
    found: Counter[int | None] = Counter()
    saved = 0
    for position in positions:
        for side in Side:
            quick, slow = (prover.prove(position, within, side) for prover in provers)
            assert quick.plies == slow.plies, (position, side)
            assert quick.searched == slow.searched
            found[quick.plies] += 1
            saved += slow.nodes - quick.nodes
    return found, saved


@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_the_bound_changes_nothing_in_middle_games(name: str) -> None:
    chance = random.Random(f"bound in {name}")
    sharp = [nearby(tactic.position, chance) for tactic in read_tactics(name)]
    found, _ = compare_bounded(sharp, 5)
    assert min(found[plies] for plies in (1, 2, 3, 4, 5, None)) > 0, found
    _, saved = compare_bounded(random_positions(name, 100, seed=2), 5)
    assert saved > 100_000


@pytest.mark.full
@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_the_bound_changes_nothing_in_middle_games_seven_plies_deep(name: str) -> None:
    chance = random.Random(f"deep bound in {name}")
    sharp = [nearby(tactic.position, chance) for tactic in read_tactics(name)]
    found, saved = compare_bounded(sharp + random_positions(name, 300, seed=3), 7)
    assert found[7] > 10
    assert saved > 1_000_000


def test_the_bound_changes_nothing_in_custom_sets(tmp_path: Path) -> None:
    """Lines of three, pieces that move: where the bound applies."""
    chance = random.Random("bound in custom sets")
    found: Counter[int | None] = Counter()
    saved = 0
    for number in range(48):
        fields = plain_fields(chance) | {"moving": True, "line": 3, "peek": False}
        fields["board"] = 3 + number // 3 % 2
        fields["place_onto"] = ("empty", "smaller", "threat")[number % 3]
        fields["stock"] = (chance.randint(1, 3),) * chance.randint(1, 3)
        rules = custom_rules(tmp_path, **fields)
        positions = [walked_position(rules, chance, chance.randint(0, 14)) for _ in range(12)]
        positions += [random_position(rules, chance) for _ in range(12)]
        positions = [position for position in positions if position.outcome() is None]
        lengths, nodes = compare_bounded(positions, 6 if rules.board == 3 else 4)
        found += lengths
        saved += nodes
    assert min(found[plies] for plies in (1, 2, 3, 4, 5, None)) > 2, found
    assert saved > 10_000


def test_a_largest_piece_may_leave_a_line_that_it_has_an_own_piece_below() -> None:
    """So two of them do not stop a third square from being filled by one of the two."""
    rules = built_rules(stock=(1, 2), place_onto="threat", both_lines="mover", no_move="draw")
    position = Position("x2,b1b2/b2,x2/w1,x2 b", rules)
    proof = prove(position, 3)
    assert [str(move) for move in proof.line] == ["a2b2", "2b1", "c3a1"]


@pytest.mark.parametrize("rules", ["tictactoe", "gobblers-official"])
def test_every_draw_of_the_kernel_is_foreseen(rules: str) -> None:
    """`forced.may_be_drawn` tries no move; the rule itself is `kernel.draw`."""
    loaded, chance = load_rules(rules), random.Random(5)
    law, seen = loaded.law, Counter[bool]()
    pieces = min(2 * sum(loaded.stock), loaded.squares * loaded.sizes)
    for number in range(1000):
        count = pieces - number % 4
        stacks = random_stacks(loaded, chance, count)
        try:
            position = Position.from_stacks(stacks, Side(count % 2), loaded)
        except PositionError:  # The marks of tic-tac-toe tell whose turn it is.
            continue
        own, opp = position.words
        if kernel.draw(own, opp, law) == kernel.ONGOING:
            drawn = any(
                kernel.draw(opp, kernel.play(own, code_of_move(loaded, move)), law)
                for move in position.legal_moves()
            )
            assert may_be_drawn(own, opp, law) or not drawn
            seen[drawn] += 1
    assert min(seen[True], seen[False]) > 10


def test_a_defender_without_moves_loses_where_the_rules_say_so() -> None:
    rules = built_rules(stock=(1, 1, 1), reserve="nested", moving=False, repetition=0)
    position = Position("b2,w2,x/x,b3,x/x2,w3 w", rules)
    proof = prove(position, 2, Side.SECOND)
    follow(position, proof, Side.SECOND)
    assert proof.plies == 2
    drawing = built_rules(
        stock=(1, 1, 1), reserve="nested", moving=False, repetition=0, no_move="draw"
    )
    assert prove(Position(str(position), drawing), 2, Side.SECOND).win is False


# From the start of the 4x4 sets.


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_nobody_wins_within_eleven_plies_from_the_start(name: str, side: Side) -> None:
    proof = prove(Position.start(name), 11, side)
    assert (proof.win, proof.plies, proof.line, proof.searched) == (False, None, (), 11)


@pytest.mark.full
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_nobody_wins_within_thirteen_plies_from_the_start(name: str, side: Side) -> None:
    assert prove(Position.start(name), 13, side, memory=256).win is False


@pytest.mark.full
@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", FOUR_BY_FOUR)
def test_nobody_wins_within_seven_plies_from_the_start_without_the_bound(
    name: str, side: Side
) -> None:
    assert Prover(name, bounded=False).prove(Position.start(name), 7, side).win is False


# Arguments.


def test_a_proof_is_stopped_from_another_thread() -> None:
    prover = Prover("gobblet")
    begun = threading.Event()
    proofs: list[Proof] = []

    def work() -> None:
        told = prover.prove(
            Position.start("gobblet"), 31, progress=lambda part, plies, none: begun.set()
        )
        proofs.append(told)

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(60)
    prover.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert (proofs[0].win, proofs[0].plies, proofs[0].line) == (None, None, ())
    assert proofs[0].searched < 31
    assert prover.prove(Position.start("gobblet"), 9).win is False, "it can be asked again"


def test_progress_grows_and_tells_the_depth() -> None:
    told: list[tuple[float, int, int]] = []
    Prover("gobblers").prove(
        Position.start("gobblers"), 8, progress=lambda *facts: told.append(facts)
    )
    parts = [part for part, _, _ in told]
    assert parts == sorted(parts)
    assert 0 < parts[0] < 0.1
    assert parts[-1] == 1.0
    assert sorted({(plies, none) for _, plies, none in told}) == [
        (1, 0), (3, 1), (5, 3), (7, 5), (8, 7),
    ]  # fmt: skip


@pytest.mark.parametrize("within", [0, -1, MAX_PLIES + 1])
def test_impossible_plies_are_refused(within: int) -> None:
    with pytest.raises(GameError, match=f"within {within} plies; it takes 1 to {MAX_PLIES}"):
        prove(Position.start("gobblers"), within)


@pytest.mark.parametrize("memory", [0, -5, 1 << 40])
def test_impossible_memory_is_refused(memory: int) -> None:
    with pytest.raises(GameError, match=f"cannot be {memory} MiB"):
        prove(Position.start("gobblers"), 3, memory=memory)


def test_finished_positions_are_refused() -> None:
    finished = Position("w1,w2,w3/x3/b1,b2,x b", rules="gobblers")
    with pytest.raises(PositionError, match=r"the game is over, 1-0 \(line\)"):
        prove(finished, 3)


def test_a_prover_has_one_rule_set() -> None:
    with pytest.raises(PositionError, match="one of gobblers, the proof of gobblet"):
        Prover("gobblet").prove(Position.start("gobblers"), 3)


def test_the_longest_proof_asked_for_finds_the_shortest_win() -> None:
    position = Position("x3/x3/w3,w2,x w", rules="gobblers")
    assert prove(position, MAX_PLIES).plies == 1
