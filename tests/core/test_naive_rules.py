"""The naive rules against the documents: their numbers, their examples, and two ways to judge.

Other tests compare the package with the naive rules; this one asks only whether the naive rules
themselves can be trusted, and so imports nothing from the package.
"""

import random
from collections import Counter
from typing import Any, cast

import pytest

from naive_rules import (
    FIVE,
    NaiveGame,
    Outcome,
    Rules,
    State,
    apply,
    canonical,
    legal_moves,
    lines_of,
    loses_by_reveal,
    outcome,
    outcome_of_move,
    parse,
    perft,
    play,
    start,
    symmetries,
    text_of,
)


def variant(name: str, **changes: Any) -> Rules:
    """One of the five sets with some fields changed."""
    return cast(Rules, {**FIVE[name], **changes})


CUSTOM = {
    "short lines": variant("gobblers", board=4, line=3, both_lines="mover"),
    "pairs": variant("gobblet", board=3, line=2, stock=(2, 2), reserve="loose"),
    "nested 3x3": variant("gobblet", board=3, line=3, stock=(3, 3, 3), both_lines="mover"),
    "tiny": variant("gobblers", board=2, line=2, stock=(1, 1), same_square=True),
    "back again": variant("gobblers", same_square=True, place_onto="empty", repetition=2),
    "no moving": variant("gobblers", moving=False, no_move="draw", draw_board_full=True),
    "few pieces": variant("tictactoe", board=4, line=4, stock=(2, 1), place_onto="smaller"),
    "threat 3 of 4": variant("gobblet", line=3, draw_all_placed=True),
    "one square": variant("gobblers", board=1, line=1, stock=(1, 1)),
}
ALL = {**FIVE, **CUSTOM}


def after(name: str, moves: str) -> NaiveGame:
    game = NaiveGame(ALL[name])
    for move in moves.split():
        game.play(move)
    return game


# Numbers from the rule book, "Facts", as deep as a few seconds allow.
PERFT = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720],
    "gobblers": [27, 675, 20313, 572472],
    "gobblet": [16, 240, 10080, 406560],
    "gobblet-house": [16, 240, 10080, 409920],
}


@pytest.mark.parametrize("name", PERFT)
def test_perft_of_the_rule_book(name: str) -> None:
    rules = FIVE[name]
    depths = range(1, len(PERFT[name]) + 1)
    assert [perft(rules, start(rules), depth) for depth in depths] == PERFT[name]


def test_perft_of_gobblers_official() -> None:
    """Not in the rule book: equal to gobblers, since who wins a line does not affect the count."""
    rules = FIVE["gobblers-official"]
    assert [perft(rules, start(rules), depth) for depth in (1, 2, 3)] == PERFT["gobblers"][:3]


@pytest.mark.parametrize(
    ("board", "line", "count"),
    [(3, 3, 8), (4, 4, 10), (4, 3, 24), (3, 2, 20), (2, 2, 6), (1, 1, 1), (2, 1, 4)],
)
def test_number_of_lines(board: int, line: int, count: int) -> None:
    """8 is document 002's count; 4x4 with lines of 3 has 8 + 8 + 4 + 4, counted by hand."""
    assert len(lines_of(board, line)) == count


# Document 000: the blocking example and the same-square example.


def test_000_blocking_example() -> None:
    game = after("gobblers", "1a3 3a3 2a2 1c3 2a1")
    assert game.text == "w1b3,x,b1/w2,x2/w2,x2 b"
    rules, state = game.rules, game.state
    saving = {move for move in game.legal_moves() if move[:2] == "a3"} - {
        move for move in game.legal_moves() if loses_by_reveal(rules, state, move)
    }
    assert saving == {"a3a2", "a3a1"}
    game.play("a3a2")
    assert game.text == "w1,x,b1/w2b3,x2/w2,x2 w"
    assert game.outcome() is None


def test_000_same_square_example() -> None:
    game = after("gobblers", "1a3 2a3 2a2 1c3 3a1")
    assert game.text == "w1b2,x,b1/w2,x2/w3,x2 b"
    lifts = [move for move in game.legal_moves() if move[:2] == "a3"]
    assert lifts == ["a3b1", "a3b2", "a3b3", "a3c1", "a3c2", "a3c3"]
    assert all(loses_by_reveal(game.rules, game.state, move) for move in lifts)
    game.play("a3c3")
    assert game.outcome() == Outcome(0, "reveal")
    assert game.legal_moves() == []


def test_same_square_moves_where_a_set_allows_them() -> None:
    rules = variant("gobblers", same_square=True)
    state = parse(rules, "w1b2,x,b1/w2,x2/w3,x2 b")
    assert text_of(rules, play(rules, state, "a3a3")) == "w1b2,x,b1/w2,x2/w3,x2 w"


# Document 002 counts (row, column) from the top left.


def cells(*pairs: tuple[int, int]) -> str:
    return " ".join(f"1{'abc'[column]}{3 - row}" for row, column in pairs)


def test_002_scenario_1_player_wins() -> None:
    game = after("tictactoe", cells((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)))
    assert game.text == "w1,w1,w1/b1,b1,x/x3 b"
    assert game.outcome() == Outcome(0, "line")
    with pytest.raises(ValueError, match="not a legal move"):
        game.play("1a1")


def test_002_scenario_2_computer_wins() -> None:
    game = after("tictactoe", cells((0, 1), (0, 0), (1, 0), (1, 1), (2, 0), (2, 2)))
    assert game.text == "b1,w1,x/w1,b1,x/w1,x,b1 w"
    assert game.outcome() == Outcome(1, "line")


def test_002_scenario_3_draw() -> None:
    order = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (1, 1), (2, 0), (2, 2), (2, 1))
    for length in range(9):
        assert after("tictactoe", cells(*order[:length])).outcome() is None
    game = after("tictactoe", cells(*order))
    assert game.text == "w1,b1,w1/b1,b1,w1/w1,w1,b1 b"
    assert game.outcome() == Outcome(None, "board-full")
    assert game.legal_moves() == []


@pytest.mark.parametrize("line", lines_of(3, 3))
def test_002_all_eight_lines_win_for_both(line: tuple[int, ...]) -> None:
    rules = FIVE["tictactoe"]
    for winner in (0, 1):
        state = start(rules)
        for square in line[:2]:
            state.board[square].append((winner, 1))
        assert outcome(rules, state) is None
        state.board[line[2]].append((winner, 1))
        state.turn = 1 - winner
        assert outcome(rules, state) == Outcome(winner, "line")


def test_002_line_on_the_last_square_is_no_draw() -> None:
    rules = FIVE["tictactoe"]
    state = parse(rules, "w1,w1,x/b1,b1,w1/b1,w1,b1 w")
    assert outcome(rules, play(rules, state, "1c3")) == Outcome(0, "line")


@pytest.mark.parametrize("move", ["1a1", "1d1", "1a4", "1a0", "2b2", "a1b2", "b2", ""])
def test_002_rejected_moves_change_nothing(move: str) -> None:
    game = after("tictactoe", "1a1")
    with pytest.raises(ValueError, match="not a legal move"):
        game.play(move)
    assert (game.text, game.moves) == ("x3/x3/w1,x2 b", ["1a1"])


# Document 004: the board it shows; DD is d4, CA is c1.


def test_004_example() -> None:
    game = after("gobblet-house", "4b3 4d4 3c1")
    assert game.text == "x3,b4/x,w4,x2/x4/x2,w3,x b"
    tops = [sorted(stack[-1] for stack in reserve) for reserve in game.state.reserves]
    assert tops == [[2, 4, 4], [3, 4, 4]]
    moves = game.legal_moves()
    assert {move[0] for move in moves} == {"3", "4", "d"}
    assert {"d4c1", "4c1", "3b1"} <= set(moves)
    assert not {"3c1", "d4b3", "4b3"} & set(moves)
    assert len(moves) == 13 + 14 + 14


def test_004_example_under_003_has_no_gobbling_from_the_stacks() -> None:
    game = after("gobblet", "4b3 4d4 3c1")
    assert len(game.legal_moves()) == 13 + 13 + 14


# Document 003 and the rule book, "What needs care" 6: new pieces onto a line of three.


def placements(rules: Rules, text: str, size: str) -> set[str]:
    moves = legal_moves(rules, parse(rules, text))
    return {move[1:] for move in moves if move[0] == size}


def test_003_exception_with_the_fourth_square_occupied() -> None:
    """White shows a1, b1, d1; c1 is black's own 3, and a4 a white 2 that is on no such line."""
    text = "w2,w4,x,b4/x2,w4,x/x4/w3,w3,b3,w2 b"
    empty = {"c4", "a3", "b3", "d3", "a2", "b2", "c2", "d2"}
    assert placements(FIVE["gobblet"], text, "4") == empty | {"a1", "b1", "d1"}
    assert placements(FIVE["gobblet"], text, "2") == empty
    assert placements(FIVE["gobblet-house"], text, "4") == empty | {"a1", "b1", "c1", "d1", "a4"}


def test_003_exception_with_the_fourth_square_empty() -> None:
    text = "w2,w4,x,b4/x2,w4,x/x4/w3,w3,x,w2 b"
    empty = {"c4", "a3", "b3", "d3", "a2", "b2", "c2", "d2", "c1"}
    assert placements(FIVE["gobblet"], text, "4") == empty | {"a1", "b1", "d1"}
    assert placements(FIVE["gobblet"], text, "3") == empty | {"d1"}


def test_003_no_exception_for_two_or_for_own_lines() -> None:
    text = "x,w4,x,b4/x2,w4,x/x4/w3,w3,x2 b"
    assert not placements(FIVE["gobblet"], text, "4") & {"a1", "b1"}
    own = "w2,w4,x,b4/x2,w4,x/x4/w3,w3,x,w2 w"
    assert not placements(FIVE["gobblet"], own, "4") & {"a1", "b1", "d1"}


# Reveals, worked out by hand. Rows are written from the top, so the first square is a3 (or a4).

OPENS_ROW_3 = "b1w3,b2,b3/x3/w1,w2,x w"
OPENS_ROW_4 = "b3w4,b4,b4,b3/x4/x4/w4,w4,w3,x w"


@pytest.mark.parametrize(
    ("name", "text", "move", "expected"),
    [
        # White completes the bottom row with the piece that covered black's top row.
        ("gobblers", OPENS_ROW_3, "a3c1", Outcome(1, "reveal")),
        ("gobblers-official", OPENS_ROW_3, "a3c1", Outcome(0, "line")),
        ("gobblet", OPENS_ROW_4, "a4d1", Outcome(1, "reveal")),
        ("gobblet-house", OPENS_ROW_4, "a4d1", Outcome(1, "reveal")),
        # White uncovers black's row and completes nothing.
        ("gobblers", OPENS_ROW_3, "a3b2", Outcome(1, "reveal")),
        ("gobblers-official", OPENS_ROW_3, "a3b2", Outcome(1, "reveal")),
        ("gobblet", OPENS_ROW_4, "a4b2", Outcome(1, "reveal")),
        ("gobblet-house", OPENS_ROW_4, "a4b2", Outcome(1, "reveal")),
        # White blocks on another square of the row: b3 shows a 2, d4 a 3.
        ("gobblers", OPENS_ROW_3, "a3b3", None),
        ("gobblers-official", OPENS_ROW_3, "a3b3", None),
        ("gobblet", OPENS_ROW_4, "a4d4", None),
        ("gobblet-house", OPENS_ROW_4, "a4d4", None),
        # White does not lift at all.
        ("gobblers", OPENS_ROW_3, "3c1", Outcome(0, "line")),
        # White blocks and completes column b with the same landing.
        ("gobblers", "b1w3,b2,b3/x,w1,x/x,w2,x w", "a3b3", Outcome(0, "line")),
        ("gobblers-official", "b1w3,b2,b3/x,w1,x/x,w2,x w", "a3b3", Outcome(0, "line")),
        # Row 3 and column a open at once: blocking one does not save white.
        ("gobblers", "b1w3,b1,b2/b2,x2/b3,x2 w", "a3b3", Outcome(1, "reveal")),
        ("gobblers-official", "b1w3,b1,b2/b2,x2/b3,x2 w", "a3a2", Outcome(1, "reveal")),
        # Lines of 3 on 4x4: a1-c1 and b1-d1 share c1, so landing there blocks both.
        ("short lines", "x4/x4/x4/b1,b1w3,b2,b2 w", "b1c1", None),
        ("short lines", "x4/x4/x4/b1,b1w3,b2,b2 w", "b1d1", Outcome(1, "reveal")),
        ("short lines", "x4/x4/x4/b1,b1w3,b2,b2 w", "b1a1", Outcome(1, "reveal")),
    ],
)
def test_reveals(name: str, text: str, move: str, expected: Outcome | None) -> None:
    rules = ALL[name]
    state = parse(rules, text)
    assert outcome(rules, state) is None
    assert move in legal_moves(rules, state)
    assert outcome_of_move(rules, state, move) == expected
    assert outcome(rules, play(rules, state, move)) == expected
    assert loses_by_reveal(rules, state, move) == (expected == (1, "reveal"))


@pytest.mark.parametrize(("turn", "mover"), [("w", 1), ("b", 0)])
def test_bare_position_with_lines_of_both(turn: str, mover: int) -> None:
    """Rule book, "What needs care" 13: the player not to move made the last move."""
    text = f"b1,b2,b3/x3/w1,w2,w3 {turn}"
    for name, expected in (
        ("gobblers", (1 - mover, "reveal")),
        ("gobblers-official", (mover, "line")),
    ):
        rules = FIVE[name]
        state = parse(rules, text)
        assert outcome(rules, state) == expected
        assert legal_moves(rules, state) == []


# Draws and players without a move.


def test_all_placed() -> None:
    before = "w1w3,b1b3,w3/w2,b1b3,b2/b2,w2,x w"
    for name, expected in (("gobblers-official", Outcome(None, "all-placed")), ("gobblers", None)):
        rules = FIVE[name]
        state = parse(rules, before)
        assert outcome(rules, state) is None
        full = play(rules, state, "1c1")
        assert outcome(rules, full) == expected
        assert bool(legal_moves(rules, full)) == (expected is None)


def test_board_full() -> None:
    before = "w4,w4,b4,b4/b4,b3,w4,w3/w3,w3,b3,b3/b2,b2,w2,x w"
    for name, expected in (("gobblet-house", Outcome(None, "board-full")), ("gobblet", None)):
        rules = FIVE[name]
        full = play(rules, parse(rules, before), "2d1")
        assert outcome(rules, full) == expected
        assert bool(legal_moves(rules, full)) == (expected is None)


@pytest.mark.parametrize(("no_move", "winner"), [("loses", 1), ("draw", None)])
def test_no_move(no_move: str, winner: int | None) -> None:
    game = NaiveGame(variant("tictactoe", stock=(1,), no_move=no_move))
    game.play("1a1")
    assert game.outcome() is None
    game.play("1b1")
    assert game.outcome() == Outcome(winner, "no-move")


SHUFFLE = " a1a2 c3c2 a2a1 c2c3"


def test_third_repetition() -> None:
    game = after("gobblers", "3a1 3c3" + SHUFFLE)
    assert (game.repetitions, game.outcome()) == (2, None)
    game = after("gobblers", "3a1 3c3" + SHUFFLE + SHUFFLE)
    assert (game.repetitions, game.outcome()) == (3, Outcome(None, "repetition"))
    assert game.legal_moves() == []
    with pytest.raises(ValueError, match="not a legal move"):
        game.play("a1a2")
    assert after("gobblers-official", "3a1 3c3" + SHUFFLE * 4).outcome() is None


def test_same_board_with_the_other_player_to_move_is_no_repetition() -> None:
    game = after("gobblers", "3a1 3c3 a1a2 c3c2 a2a3 c2c3 a3a1")
    assert game.text.split()[0] == game.history[2].split()[0]
    assert game.repetitions == 1


# Notation and symmetry.


@pytest.mark.parametrize(
    "text",
    [
        "x3/x3/x3",
        "x3/x3/x3 r",
        "x3/x3 w",
        "x,x2/x3/x3 w",
        "x3/x4/x2 w",
        "x3/x,w3b1,x/x3 w",
        "x3/x,w1b1,x/x3 w",
        "w1,w1,w1/x3/x3 w",
        "x3/x,w4,x/x3 w",
        "x3/x,w0,x/x3 w",
        "x3/x,,x/x3 w",
        "x3/x,w1q,x/x3 w",
    ],
)
def test_unreadable_positions(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse(FIVE["gobblers"], text)


def test_nested_stacks_forbid_a_small_piece_before_the_large_one() -> None:
    with pytest.raises(ValueError, match="no stack of the reserve shows a size 3"):
        parse(FIVE["gobblet"], "x4/x4/x4/w3,x3 b")


def test_symmetries_of_a_corner_and_an_edge() -> None:
    rules = FIVE["gobblers"]
    images = symmetries(rules, "x3/x3/w1,b1w3,x b")
    assert images[0] == "x3/x3/w1,b1w3,x b"
    assert set(images) == {
        "x3/x3/w1,b1w3,x b",
        "x3/x3/x,b1w3,w1 b",
        "w1,b1w3,x/x3/x3 b",
        "x,b1w3,w1/x3/x3 b",
        "x3/b1w3,x2/w1,x2 b",
        "w1,x2/b1w3,x2/x3 b",
        "x3/x2,b1w3/x2,w1 b",
        "x2,w1/x2,b1w3/x3 b",
    }
    assert len(images) == 8


# Random games: the two ways to judge agree, and so do the two ways to derive the reserve.


def playable_by_counting(rules: Rules, state: State) -> set[int]:
    """Rule book, "What needs care" 14: the playable sizes, from the counts on the board."""
    counts = Counter(size for stack in state.board for owner, size in stack if owner == state.turn)
    if rules["reserve"] == "loose":
        return {size for size, stock in enumerate(rules["stock"], 1) if counts[size] < stock}
    counts[len(rules["stock"]) + 1] = rules["stock"][0]
    return {size for size in range(1, len(rules["stock"]) + 1) if counts[size + 1] > counts[size]}


def check_position(rules: Rules, state: State) -> None:
    text = text_of(rules, state)
    again = parse(rules, text)
    assert text_of(rules, again) == text
    assert [sorted(side) for side in again.reserves] == [sorted(side) for side in state.reserves]
    tops = {stack[-1] for stack in state.reserves[state.turn] if stack}
    assert tops == playable_by_counting(rules, state)
    moves = legal_moves(rules, state)
    assert legal_moves(rules, again) == moves
    for move in moves:
        assert outcome_of_move(rules, state, move) == outcome(rules, apply(rules, state, move))
    for image in set(symmetries(rules, text)):
        other = parse(rules, image)
        assert len(legal_moves(rules, other)) == len(moves)
        assert outcome(rules, other) == outcome(rules, state)
        assert canonical(rules, image) == canonical(rules, text)


PLIES = 40


@pytest.mark.parametrize("name", ALL)
def test_random_games(name: str) -> None:
    rules = ALL[name]
    chance = random.Random(name)
    for _ in range(6):
        game = NaiveGame(rules)
        while game.outcome() is None and len(game.moves) < PLIES:
            if chance.random() < 0.1:
                check_position(rules, game.state)
            # Most moves that end the game are skipped, so that boards fill up.
            few = chance.choices(game.legal_moves(), k=4)
            quiet = [move for move in few if outcome_of_move(rules, game.state, move) is None]
            game.play((quiet or few)[0])
        check_position(rules, game.state)
