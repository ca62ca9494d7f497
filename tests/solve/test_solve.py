"""The solver: its index, its steps against the kernel, its results against a naive solver."""

import math
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import naive_rules
from nestline import kernel
from nestline.errors import TableError
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.solve import retrograde, stats
from nestline.solve.classify import classify, is_possible, is_stuck
from nestline.solve.entry import DRAWN, FIRST_LOSS, FIRST_WIN, IMPOSSIBLE, OPEN, WIN_IN_ONE
from nestline.solve.groups import processor
from nestline.solve.groups.cut import address_of, entry_words, group_of_row
from nestline.solve.groups.look import ROOM, classify_rows
from nestline.solve.groups.steps import mark_before_moving, mark_before_placing
from nestline.solve.groups.survey import survey
from nestline.solve.index import (
    Index,
    build_index,
    entry_of,
    estimate,
    lowest_entry_of,
    size_of_index,
    turns_alternate,
    words_of,
)
from support.helpers import built_rules, in_cuda_simulator, naive_rules_of, random_fields

TWO_SIZES = built_rules(stock=(1, 1))
SMALLEST_WIN = FIRST_WIN


def small_rules(seed: int, most_entries: int, count: int) -> list[RuleSet]:
    """Random small rule sets, with all kinds of rules."""
    chance = random.Random(seed)
    found: list[RuleSet] = []
    while len(found) < count:
        rules = built_rules(**random_fields(chance))
        if rules.board <= 3 and size_of_index(rules.law) <= most_entries:
            found.append(rules)
    return found


SMALL = small_rules(1, 4000, 24)

ODD = [
    built_rules(**{"board": 3, "line": 2, "stock": (1, 1), **changes})
    for changes in (
        {"reveal": "forbidden"},
        {"reveal": "forbidden", "no_move": "draw", "same_square": True},
        {"reveal": "ignored", "both_lines": "mover"},
        {"reveal": "ignored", "both_lines": "mover", "same_square": True},
        {"both_lines": "draw"},
        {"cover": "opponent"},
        {"cover": "own", "same_square": True},
        {"cover": "none", "place_onto": "empty"},
        {"line_sizes": "rising"},
        {"line_sizes": "equal", "stock": (2, 1), "board": 2},
        {"wrap": True, "place_onto": "threat"},
        {"misere": True},
        {"misere": True, "both_lines": "mover", "draw_board_full": True},
        {"misere": True, "reveal": "forbidden", "wrap": True, "cover": "opponent"},
    )
]
"""Rules in which the five sets are alike, one at a time and some together."""


def some_words(rules: RuleSet, count: int, seed: int = 0) -> Iterator[tuple[int, int]]:
    """Random positions of a rule set, all of them possible."""
    index = build_index(rules.law)
    chance = random.Random(seed)
    for _ in range(count):
        own, opp = words_of(chance.randrange(index.entries), index)
        if is_possible(own, opp, rules.law):
            symmetry = chance.randrange(8)
            board = rules.board
            yield kernel.transform(own, symmetry, board), kernel.transform(opp, symmetry, board)


def successors(own: int, opp: int, rules: RuleSet) -> list[tuple[int, int]]:
    moves = np.empty(kernel.MAX_MOVES, np.int64)
    count = kernel.legal_moves(own, opp, rules.law, moves)
    return [(opp, kernel.play(own, int(move))) for move in moves[:count]]


def images(own: int, opp: int, index: Index) -> set[int]:
    """All numbers of a position and its images."""
    found = set()
    for symmetry in range(8):
        pair = (kernel.transform(word, symmetry, index.board) for word in (own, opp))
        number = entry_of(*pair, index)
        if words_of(number, index) == tuple(
            kernel.transform(word, symmetry, index.board) for word in (own, opp)
        ):
            found.add(number)
    return found


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: str(rules.stock))
def test_every_number_is_a_position_and_back(rules: RuleSet) -> None:
    index = build_index(rules.law)
    for number in range(index.entries):
        assert entry_of(*words_of(number, index), index) == number


@pytest.mark.parametrize("name", ["gobblers", "tictactoe"])
def test_images_share_their_lowest_number(name: str) -> None:
    rules = load_rules(name)
    index = build_index(rules.law)
    for own, opp in some_words(rules, 300):
        assert lowest_entry_of(own, opp, index) == min(images(own, opp, index))


def test_size_of_the_gobblers_index() -> None:
    assert size_of_index(load_rules("gobblers").law) == 219 * 1423 * 1423


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: str(rules.stock))
def test_the_size_is_told_without_building_the_index(rules: RuleSet) -> None:
    index = build_index(rules.law)
    assert size_of_index(rules.law) == len(index.class_own) * math.prod(index.counts)


def test_refuses_what_is_too_large() -> None:
    with pytest.raises(TableError, match="4x4"):
        estimate(load_rules("gobblet").law)
    with pytest.raises(TableError, match="GiB of memory"):
        estimate(built_rules(stock=(3, 3, 3)).law)


def look_with_the_kernel(own: int, opp: int, rules: RuleSet) -> int:
    """What `classify` should say, by trying every move."""
    state = kernel.outcome(own, opp, rules.law)
    ends = {
        kernel.LINE: FIRST_LOSS,
        kernel.REVEAL: FIRST_WIN,
        kernel.ALL_PLACED: DRAWN,
        kernel.BOARD_FULL: DRAWN,
        kernel.BOTH_LINES: DRAWN,
        kernel.LINE_LOSES: FIRST_WIN,
        kernel.REVEAL_WINS: FIRST_LOSS,
    }
    if state in ends:
        return ends[state]
    wins = (
        kernel.decision(*after, rules.law) in (kernel.LINE, kernel.REVEAL_WINS)
        for after in successors(own, opp, rules)
    )
    return WIN_IN_ONE if any(wins) else OPEN


@pytest.mark.parametrize(
    "rules",
    [load_rules("gobblers"), load_rules("gobblers-official"), *SMALL, *ODD],
    ids=lambda rules: str(rules.stock),
)
def test_positions_are_classified_as_by_trying_every_move(rules: RuleSet) -> None:
    index = build_index(rules.law)
    for own, opp in some_words(rules, 1500):
        expected = look_with_the_kernel(own, opp, rules)
        assert classify(own, opp, rules.law, index) == expected
        stuck = kernel.count_moves(own, opp, rules.law) == 0
        assert is_stuck(own, opp, rules.law) == stuck


def test_a_piece_that_may_not_be_lifted_wins_nothing() -> None:
    """Its line would count before the one it reveals, if the move were legal."""
    rules = load_rules("gobblers-official.reveal-forbidden")
    own, opp = Position("w2,w1b2,w3/x,b2,x/b3,b1w3,b1w2b3 w", rules).words
    assert classify(own, opp, rules.law, build_index(rules.law)) == OPEN


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"both_lines": "mover", "draw_all_placed": True},
        {"draw_board_full": True, "reserve": "nested"},
        {"moving": False, "repetition": 0},
        {"line": 2},
        {"line": 1},
        {"place_onto": "threat"},
        {"place_onto": "empty", "stock": (3, 2, 1)},
        {"reveal": "forbidden", "both_lines": "mover"},
        {"reveal": "ignored", "both_lines": "mover"},
        {"both_lines": "draw", "draw_board_full": True},
        {"cover": "opponent"},
        {"cover": "own", "draw_all_placed": True},
        {"cover": "none", "place_onto": "empty"},
        {"wrap": True, "place_onto": "threat"},
        {"misere": True},
        {"line_sizes": "rising"},
    ],
    ids=str,
)
def test_rows_are_classified_like_single_positions(changes: dict[str, object]) -> None:
    rules = built_rules(**changes)
    layers, groups = (work := retrograde.whole_cut(rules.law)).layers, work.groups
    index = build_index(rules.law)
    table = np.zeros(index.entries, np.uint8)
    room = np.empty(ROOM, np.int64)
    chance = random.Random(2)
    for _ in range(60):
        part = chance.choice([part for part in work.slices if part.entries])
        row = chance.randrange(int(part.row_ends[-1]))
        group = group_of_row(row, part.first, part.row_ends)
        found = classify_rows(
            row, row + 1, part.first, part.row_ends, rules.law, layers, groups, table, room
        )
        length = int(groups.lengths[group, 0])
        first = (row - int(part.row_ends[group - part.first] - groups.rows[group])) * length
        left_open = 0
        for number in range(first, first + length):
            own, opp, address = entry_words(number, group, layers, groups)
            assert words_of(address, index) == (own, opp)
            assert table[address] == classify(own, opp, rules.law, index)
            left_open += table[address] == OPEN
        assert found == left_open


@pytest.mark.parametrize("rules", [r for r in SMALL if size_of_index(r.law) < 1000]
                                  + [TWO_SIZES, *ODD],
                         ids=lambda rules: str(rules.stock))  # fmt: skip
def test_predecessors_are_the_moves_backwards(rules: RuleSet) -> None:
    index = build_index(rules.law)
    layers, groups = (work := retrograde.whole_cut(rules.law)).layers, work.groups
    positions = [words_of(number, index) for number in range(index.entries)]
    alike = [images(own, opp, index) for own, opp in positions]
    group_at = np.zeros(index.entries, np.int64)
    for group in range(len(groups.base)):
        for number in range(int(groups.lengths[group].prod())):
            own, opp, address = entry_words(number, group, layers, groups)
            assert address_of(own, opp, group, layers, groups) in alike[address]
            group_at[address] = group
    possible = [is_possible(own, opp, rules.law) for own, opp in positions]
    before: dict[int, set[int]] = {number: set() for number in range(index.entries)}
    for number, (own, opp) in enumerate(positions):
        if possible[number]:
            for after in successors(own, opp, rules):
                for image in alike[entry_of(*after, index)]:
                    before[image].add(number)
    unmarked = np.where(possible, 0, IMPOSSIBLE).astype(np.uint8)
    for number in np.flatnonzero(possible).tolist():
        told: set[int] = set()
        # Images mark each other's predecessors, as they do in the solver.
        for image in alike[number]:
            table = unmarked.copy()
            at = int(group_at[image])
            for mark in (mark_before_placing, mark_before_moving):
                mark(*positions[image], at, rules.law, layers, groups, table, 9)
            told |= set(np.flatnonzero(table == 9).tolist())
        assert told == before[number]


def swapped(text: str) -> str:
    """The position with the player to move as the first player."""
    board, turn = text.split(" ")
    if turn == "w":
        return text
    return board.translate(str.maketrans("wb", "bw")) + " w"


def solve_naively(rules: RuleSet) -> dict[str, int]:
    """Entries of all positions by plain iteration over the naive rules' moves."""
    fields = naive_rules_of(rules)
    index = build_index(rules.law)
    entries: dict[str, int] = {}
    after: dict[str, list[str]] = {}
    for number in range(index.entries):
        own, opp = words_of(number, index)
        if not is_possible(own, opp, rules.law) or not turns_alternate(own, opp, rules.law):
            continue
        key = naive_rules.canonical(fields, str(Position.from_movers_words(own, opp, rules)))
        if key in after:
            continue
        state = naive_rules.parse(fields, key)
        end = naive_rules.outcome(fields, state)
        after[key] = []
        if end is not None:
            won = {None: DRAWN, state.turn: FIRST_WIN, 1 - state.turn: FIRST_LOSS}
            entries[key] = won[end.winner]
            continue
        for move in naive_rules.possible_moves(fields, state):
            result = naive_rules.text_of(fields, naive_rules.apply(fields, state, move))
            if rules.moving:
                result = swapped(result)
            after[key].append(naive_rules.canonical(fields, result))
    is_new = True
    distance = 0
    while is_new or distance < 3:
        distance += 1
        found = {}
        for key, results in after.items():
            if key in entries or not results:
                continue
            known = [entries.get(result, OPEN) for result in results]
            if any(code >= FIRST_LOSS and code % 2 == 0 for code in known):
                found[key] = FIRST_WIN + 2 * distance
            elif all(code >= FIRST_WIN and code % 2 for code in known):
                found[key] = FIRST_LOSS + 2 * distance
        is_new = bool(found)
        entries.update(found)
    return {key: entries.get(key, OPEN) for key in after}


@pytest.mark.parametrize("rules", [load_rules("tictactoe"),
                                   TWO_SIZES,
                                   *small_rules(5, 500, 12), *ODD],
                         ids=lambda rules: f"{rules.board}-{rules.stock}")  # fmt: skip
def test_every_entry_against_a_naive_solver(rules: RuleSet) -> None:
    solution = retrograde.solve(rules.law, threads=2)
    naive = solve_naively(rules)
    fields = naive_rules_of(rules)
    for number, code in enumerate(solution.entries):
        own, opp = words_of(number, solution.index)
        if code == IMPOSSIBLE:
            assert not is_possible(own, opp, rules.law)
        if code == IMPOSSIBLE or not turns_alternate(own, opp, rules.law):
            continue
        position = Position.from_movers_words(own, opp, rules)
        assert naive[naive_rules.canonical(fields, str(position))] == code, position


@pytest.mark.parametrize("rules", [TWO_SIZES, built_rules(stock=(2, 2)), *SMALL[:6]],
                         ids=lambda rules: str(rules.stock))  # fmt: skip
def test_any_number_of_threads_gives_the_same(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "SMALLEST_TASK", 16)
    one, two, three = (retrograde.solve(rules.law, threads=count) for count in (1, 2, 3))
    assert (one.entries == two.entries).all()
    assert (one.entries == three.entries).all()


def test_tic_tac_toe_is_counted_right() -> None:
    counted = stats.count(retrograde.solve(load_rules("tictactoe").law))
    assert counted.reachable_positions == 765
    assert sum(row.reachable for row in counted.counts) == 5478
    by_turns = [math.comb(9, n) * math.comb(n, n // 2) for n in range(10)]
    assert sum(row.placements for row in counted.counts) == sum(by_turns) == 6046


@pytest.mark.parametrize("rules", [TWO_SIZES, *small_rules(9, 600, 8), *ODD],
                         ids=lambda rules: str(rules.stock))  # fmt: skip
def test_reachable_positions_are_those_found_by_walking(rules: RuleSet) -> None:
    seen = {(0, 0)}
    rest = [(0, 0)]
    while rest:
        own, opp = rest.pop()
        if kernel.outcome(own, opp, rules.law) == kernel.ONGOING:
            for after in successors(own, opp, rules):
                if after not in seen:
                    seen.add(after)
                    rest.append(after)
    counted = stats.count(retrograde.solve(rules.law), threads=2)
    assert sum(row.reachable for row in counted.counts) == len(seen)
    folded = {
        min((kernel.transform(own, s, rules.board), kernel.transform(opp, s, rules.board))
            for s in range(8))
        for own, opp in seen
    }  # fmt: skip
    assert counted.reachable_positions == len(folded)


@pytest.mark.parametrize("rules", [*SMALL[:12], *ODD,
                                   built_rules(stock=(2, 1), place_onto="empty")],
                         ids=lambda rules: str(rules.stock))  # fmt: skip
def test_a_survey_knows_what_the_whole_solution_has(rules: RuleSet) -> None:
    """Also that two slices at a time are enough."""
    solution = retrograde.solve(rules.law)
    counted = stats.count(solution)
    found = survey(rules.law, threads=2)
    assert found.counts == {row.code: row.placements for row in counted.counts}
    assert found.reachable == counted.reachable_positions
    assert found.start == solution.entries[entry_of(0, 0, solution.index)]
    for move, code in found.first_moves.items():
        after = entry_of(0, kernel.play(0, move), solution.index)
        assert code == solution.entries[after]


def test_a_survey_of_a_larger_board() -> None:
    """Tables end at 3x3, surveys do not: two sizes on 4x4, by walking through all positions."""
    rules = built_rules(board=4, line=2, stock=(1, 1))
    found = survey(rules.law, threads=2)
    seen: dict[tuple[int, int], list[tuple[int, int]]] = {}
    rest = [(0, 0)]
    while rest:
        words = rest.pop()
        if words not in seen:
            is_over = kernel.outcome(*words, rules.law) != kernel.ONGOING
            seen[words] = [] if is_over else successors(*words, rules)
            rest += seen[words]
    folded = {
        min((kernel.transform(own, s, 4), kernel.transform(opp, s, 4)) for s in range(8))
        for own, opp in seen
    }
    assert found.reachable == len(folded)
    assert found.start == FIRST_WIN + 2 * 3


def test_progress_rises_to_the_end() -> None:
    parts: list[float] = []
    retrograde.solve(TWO_SIZES.law, threads=2, progress=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == pytest.approx(1.0)


SIMULATED = """
import sys
from pathlib import Path
import numpy as np
from support.helpers import built_rules
from nestline.solve import retrograde
from nestline.solve.slices import write_slices
from nestline.solve.groups import card
from nestline.solve.groups.card import Card
from nestline.solve.groups.survey import survey
many, remembered = card.FEW_CANDIDATES, card.MOST_REMEMBERED
for changes in ({"board": 2, "line": 2, "stock": (1, 1)},
                {"board": 2, "line": 2, "stock": (1, 1), "place_onto": "empty", "moving": False,
                 "repetition": 0, "no_move": "draw"}):
    law = built_rules(**changes).law
    simulated, expected = retrograde.solve_on_gpu(law), retrograde.solve(law, threads=1)
    assert (simulated.entries == expected.entries).all()
    assert simulated.has_stuck == expected.has_stuck
    # A launch for each step, as for many candidates, not all of which remember where to look.
    card.FEW_CANDIDATES, card.MOST_REMEMBERED = 0, 3
    assert survey(law, load=Card().load) == survey(law, threads=1)
    card.FEW_CANDIDATES, card.MOST_REMEMBERED = many, remembered
    by_gpu, by_cpu = Path(sys.argv[1], "gpu"), Path(sys.argv[1], "cpu")
    write_slices(law, by_gpu, on_gpu=True)
    write_slices(law, by_cpu)
    assert by_gpu.read_bytes() == by_cpu.read_bytes()
print("identical")
"""


def test_the_cuda_kernels_in_the_simulator(tmp_path: Path) -> None:
    finished = in_cuda_simulator(SIMULATED, str(tmp_path))
    assert finished.stdout == "identical\n", finished.stderr


def test_without_a_graphics_card_there_is_a_clear_message() -> None:
    from nestline.gpu import cuda

    if cuda is not None and cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(TableError, match="NVIDIA GPU"):
        retrograde.solve_on_gpu(TWO_SIZES.law)
