"""Document 003, Gobblet, sentence by sentence (rule set `gobblet`).

Every docstring quotes the section and the sentence under test.
White is the first player (w in the text of a position), Black the second (b).
"""

from itertools import combinations

import pytest

from nestline import (
    Game,
    GameError,
    IllegalMove,
    Outcome,
    Piece,
    Position,
    Side,
    load_rules,
    read_record,
    write_record,
)

RULES = "gobblet"
WHITE, BLACK = Side.FIRST, Side.SECOND
ROWS = [tuple(f"{column}{row}" for column in "abcd") for row in "1234"]
COLUMNS = [tuple(f"{column}{row}" for row in "1234") for column in "abcd"]
DIAGONALS = [("a1", "b2", "c3", "d4"), ("a4", "b3", "c2", "d1")]
LINES = ROWS + COLUMNS + DIAGONALS

FULL = "w4,w3,b4,b3/b4,b3,w4,w3/w4,w3,b4,b3/b2,b2,w2,w2 w"
"""Every square shows a size 2 or more and nobody has a line; the 2s have nowhere to land."""

ALL_PLACED = "w1w2w4,w1w3,b1b2b4,b1b3/b1b4,b3,w1w4,w3/w4,w3,b4,b3/b2,b2,w2,w2 w"
"""All 24 pieces on the board, every square occupied, nobody has a line."""

Line = tuple[str, str, str, str]


def at(text: str) -> Position:
    return Position(text, rules=RULES)


def saved_and_loaded(game: Game) -> Game:
    return Game.from_record(read_record(write_record(game.to_record())))


def with_three(line: Line, gap: str) -> Position:
    """White to move; Black shows size 3s on all squares of the line but the gap, and has no three
    in any other line."""
    threes = set(line) - {gap}
    off_the_line = [name for name in load_rules(RULES).square_names if name not in line]
    for fours in combinations(off_the_line, 3):  # The 4s are always played before the 3s.
        shown = threes.union(fours)
        if [other for other in LINES if len(shown.intersection(other)) >= 3] == [line]:
            stacks = {square: [(BLACK, 3 if square in threes else 4)] for square in shown}
            return Position.from_stacks(stacks, WHITE, RULES)
    raise AssertionError("no such position")


def new_pieces_onto(position: Position) -> set[str]:
    """The occupied squares where a new piece may be placed."""
    return {move.target for move in position.legal_moves() if move.places} & set(position.stacks)


# Object of the Game


@pytest.mark.parametrize("side", Side, ids=["White", "Black"])
def test_first_to_align_four(side: Side) -> None:
    """Object of the Game: "Be the first player to align 4 gobblets in a row."."""
    stacks = {"a1": [(side, 4)], "b1": [(side, 4)], "c1": [(side, 4)], "d2": [(side.other, 4)]}
    position = Position.from_stacks(stacks, side, RULES)
    assert position.outcome() is None  # three are not enough
    after = position.play("3d1")
    assert after.outcome() == Outcome(side, "line")
    assert after.legal_moves() == ()


# Setting Up


def test_three_stacks_of_four_in_two_colours() -> None:
    """Setting Up: "Each player chooses a color and arranges his gobblets in 3 stacks of 4 gobblets
    each."."""
    rules = load_rules(RULES)
    assert rules.players == ("White", "Black")
    start = Position.start(RULES)
    for side in Side:
        assert start.reserve(side) == {1: 3, 2: 3, 3: 3, 4: 3}
        assert len(start.reserve_tops(side)) == 3


def test_only_the_biggest_show_at_the_beginning() -> None:
    """Setting Up: "Only the 3 biggest gobblets are showing at the beginning."."""
    start = Position.start(RULES)
    assert start.reserve_tops(WHITE) == start.reserve_tops(BLACK) == (4, 4, 4)
    assert {move.size for move in start.legal_moves()} == {4}
    for size in (1, 2, 3):
        with pytest.raises(IllegalMove, match=f"no stack shows a size {size}"):
            start.play(f"{size}b2")


def test_external_stacks_are_off_the_board() -> None:
    """Setting Up: "These stacks are called external stacks."."""
    start = Position.start(RULES)
    assert start.stacks == {}
    assert start.rules.reserve == "nested"
    with pytest.raises(IllegalMove, match="empty"):
        start.play("a1b1")


# Playing


def test_a_turn_is_a_new_piece_or_a_move() -> None:
    """Playing: "In turns, players can either put a new gobblet on the board, move one of their
    gobblets already on the board to any empty space or gobble up any smaller size gobblet with a
    bigger gobblet already in play."."""
    position = at("x4/x,w4,b3,x/x4/b4,x2,b4 w")
    assert position.play("4a4").stack("a4") == (Piece(WHITE, 4),)
    assert position.play("b3d4").stack("d4") == (Piece(WHITE, 4),)
    assert position.play("b3c3").stack("c3") == (Piece(BLACK, 3), Piece(WHITE, 4))
    targets = {move.target for move in position.legal_moves() if move.origin == "b3"}
    assert targets == set(position.rules.square_names) - {"b3", "a1", "d1"}
    with pytest.raises(IllegalMove, match="shows Black's piece"):
        position.play("c3c4")


def test_players_take_turns() -> None:
    """Playing: "In turns, players can either put a new gobblet on the board, move one of their
    gobblets already on the board to any empty space or gobble up any smaller size gobblet with a
    bigger gobblet already in play."."""
    game = Game(RULES)
    turns = []
    for move in ("4a1", "4d4", "3b1", "d4c4"):
        turns.append(game.turn)
        game.play(move)
    assert turns == [WHITE, BLACK, WHITE, BLACK]
    with pytest.raises(GameError, match="White's turn"):
        game.play("4d1", by=BLACK)


def test_new_pieces_go_onto_empty_squares() -> None:
    """Playing: "If you put a new gobblet in play, you must place it on an empty square."."""
    # Under house rules (004) the 4 could come from the stack onto any of the smaller pieces.
    position = at("x4/x,b3,w3,x/x,b4,x2/w4,x3 w")
    assert new_pieces_onto(position) == set()
    for square in ("b3", "c3"):
        with pytest.raises(IllegalMove, match="empty square"):
            position.play(f"4{square}")
        assert Position(str(position), rules="gobblet-house").play(f"4{square}")


@pytest.mark.parametrize("gap", [0, 1, 2, 3])
@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_exception_three_in_a_row(line: Line, gap: int) -> None:
    """Playing: "However, there is one exception to this rule: if your opponent already has 3
    gobblets in a row on the board, you may gobble up 1 of the 3 pieces in line with a gobblet taken
    directly from one of your external stacks."."""
    position = with_three(line, line[gap])
    assert new_pieces_onto(position) == set(line) - {line[gap]}
    for square in set(line) - {line[gap]}:
        after = position.play(f"4{square}")
        assert after.stack(square) == (Piece(BLACK, 3), Piece(WHITE, 4))
        assert after.reserve(WHITE)[4] == 2


@pytest.mark.parametrize("fourth", ["w3", "b2w3", "w2w3"])
def test_exception_spares_the_fourth_square(fourth: str) -> None:
    """Playing: "However, there is one exception to this rule: if your opponent already has 3
    gobblets in a row on the board, you may gobble up 1 of the 3 pieces in line with a gobblet taken
    directly from one of your external stacks."."""
    position = at(f"b4,x,b4,x/x4/b3,b3,{fourth},b3/x,w4,x,b4 w")
    assert new_pieces_onto(position) == {"a2", "b2", "d2"}
    with pytest.raises(IllegalMove, match="empty square"):
        position.play("4c2")


@pytest.mark.parametrize(
    "position",
    [
        "b4,x,b4,x/x4/b3,b3,x2/x,w4,x,b4 w",
        "b4,x,b4,x/x4/b3,b3,x,b3w4/x3,b4 w",
        "x4/x4/w4,w3,w3,x/x,b4,x,w4 w",
        "x4/b4,b4,b4,x/x4/x2,w4,x w",
    ],
    ids=["two only", "one of three covered", "own three", "three that are not smaller"],
)
def test_no_exception_without_three_smaller_visible_pieces_of_the_opponent(position: str) -> None:
    """Playing: "However, there is one exception to this rule: if your opponent already has 3
    gobblets in a row on the board, you may gobble up 1 of the 3 pieces in line with a gobblet taken
    directly from one of your external stacks."."""
    assert new_pieces_onto(at(position)) == set()


def test_exception_is_for_the_pieces_in_line_only() -> None:
    """Playing: "However, there is one exception to this rule: if your opponent already has 3
    gobblets in a row on the board, you may gobble up 1 of the 3 pieces in line with a gobblet taken
    directly from one of your external stacks."."""
    position = at("x3,b3/x,w3,x2/b3,b4,b4,x/w4,x2,b4 w")
    assert new_pieces_onto(position) == {"a2"}  # of 3s at a2 and d4 the one beside the two 4s


def test_play_goes_on_with_all_pieces_on_the_board() -> None:
    """Playing: "If you play all 12 of your pieces on the board before the game is over, you simply
    continue playing with the pieces on the board until a winner or a draw is declared."."""
    position = at(ALL_PLACED)
    assert [sum(position.reserve(side).values()) for side in Side] == [0, 0]
    assert len(position.stacks) == 16
    assert position.outcome() is None
    moves = position.legal_moves()
    assert moves
    assert not any(move.places for move in moves)
    assert position.play("c3a1").outcome() is None


# Winning


@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_four_in_any_direction_win(line: Line) -> None:
    """Winning: "The first player to align 4 gobblets in a row wins." / "The gobblets forming the
    line do not all have to be the same size and can be lined up vertically, horizontally or
    diagonally."."""
    stacks = {square: [(WHITE, size)] for square, size in zip(line, (4, 3, 2, 1), strict=True)}
    won = Position.from_stacks(stacks, BLACK, RULES)
    assert won.outcome() == Outcome(WHITE, "line")
    assert [set(squares) for squares in won.lines(WHITE)] == [set(line)]
    for square in line[1:]:
        covered = {**stacks, square: [*stacks[square], (BLACK, 4)]}
        assert Position.from_stacks(covered, BLACK, RULES).outcome() is None


def test_three_in_a_row_do_not_win() -> None:
    """Winning: "The first player to align 4 gobblets in a row wins."."""
    assert at("x4/x4/x4/w4,w4,w4,x b").outcome() is None
    assert at("x4/x4/x4/w4,w4,w4,b4 w").outcome() is None


# Notes on Play


def test_stacks_are_played_from_the_top() -> None:
    """Notes on Play: "**Playing from Stacks:** Players must play pieces in the order they appear,
    starting from the top."."""
    position = Position.start(RULES)
    shown = []
    for own, other in (("4a1", "4d4"), ("3b1", "4d3"), ("2c1", "4a2"), ("1a4", "3b4")):
        shown.append(position.reserve_tops(WHITE))
        position = position.play(own).play(other)
    assert shown == [(4, 4, 4), (3, 4, 4), (2, 4, 4), (1, 4, 4)]
    assert position.reserve_tops(WHITE) == (4, 4)  # one stack is used up
    assert {move.size for move in position.legal_moves() if move.places} == {4}
    with pytest.raises(IllegalMove, match="no stack shows a size 3; on top are 4, 4"):
        position.play("3c3")


def test_own_pieces_can_be_gobbled() -> None:
    """Notes on Play: "**Gobbling:** You can gobble up your own pieces."."""
    after = at("x4/x4/x4/w4,w3,x,b4 w").play("a1b1")
    assert after.stack("b1") == (Piece(WHITE, 3), Piece(WHITE, 4))


@pytest.mark.parametrize("lower", [1, 2, 3])
def test_any_smaller_size_can_be_gobbled(lower: int) -> None:
    """Notes on Play: "You can gobble up any smaller size gobblet; it does not have to be the next
    size down."."""
    position = at("x4/x4/w2,w1,x2/w4,w3,x,b4 w")
    target = {1: "b2", 2: "a2", 3: "b1"}[lower]
    assert [piece.size for piece in position.play(f"a1{target}").stack(target)] == [lower, 4]
    with pytest.raises(IllegalMove, match="smaller"):
        position.play("a1d1")


def test_touched_piece_must_be_played() -> None:
    """Notes on Play: "**Touched (Selected) Gobblet:** Once you touch (select) a gobblet that is on
    the board, you must play it."."""
    game = Game(start=at("x4/x4/x,w3,x2/w4,x2,b4 w"))
    game.touch("a1", by=WHITE)
    assert game.touched == "a1"
    assert {move.origin for move in game.legal_moves()} == {"a1"}
    for move in ("b2c3", "4c3"):
        with pytest.raises(GameError, match="touched a1"):
            game.play(move)
    with pytest.raises(GameError, match="already touched"):
        game.touch("b2")
    with pytest.raises(IllegalMove, match="own square"):
        game.land("a1")  # putting it back is not playing it
    assert (game.touched, game.turn) == ("a1", WHITE)
    game.land("b2")
    assert game.position.stack("b2") == (Piece(WHITE, 3), Piece(WHITE, 4))
    assert (game.touched, game.turn) == (None, BLACK)


def test_taking_back_does_not_free_a_touched_piece() -> None:
    """Notes on Play: "**Touched (Selected) Gobblet:** Once you touch (select) a gobblet that is on
    the board, you must play it."."""
    game = Game(start=at("x4/x4/x,w3,x2/w4,x2,b4 w"))
    game.touch("a1", by=WHITE)
    with pytest.raises(GameError, match="touched a1 and must play it; taking back does not free"):
        game.undo()
    game.land("a2")
    game.play("d1d2")
    game = saved_and_loaded(game)
    game.undo(agreed=True)
    game.undo()
    for again in (game, saved_and_loaded(game)):
        assert (again.touched, again.can_undo) == ("a1", False)
        with pytest.raises(GameError, match="touched a1"):
            again.play("b2c3")
        again.play("a1c3")
    between_people = Game(start=at("x4/x4/x,w3,x2/w4,x2,b4 w"))
    between_people.touch("a1")
    between_people.undo(agreed=True)
    between_people.play("b2c3")


def test_touching_is_for_own_pieces_on_the_board() -> None:
    """Notes on Play: "**Touched (Selected) Gobblet:** Once you touch (select) a gobblet that is on
    the board, you must play it."."""
    game = Game(start=at("x4/x4/x4/w4,x2,b4 w"))
    for square in ("d1", "b2"):
        with pytest.raises(GameError, match="own pieces"):
            game.touch(square)
    assert (game.touched, game.outcome) == (None, None)


def test_touching_an_unplayable_piece_loses() -> None:
    """Notes on Play: "If you touch (select) a gobblet that cannot be played, you automatically lose
    the game."."""
    game = Game(start=at(FULL))
    assert not [move for move in game.legal_moves() if move.origin == "c1"]
    assert game.legal_moves()  # other pieces could be played
    game.touch("c1", by=WHITE)
    assert game.outcome == Outcome(BLACK, "touch")
    assert game.explain() == "Black wins: White touched c1, which cannot be played."


def test_covering_pieces_can_move_too() -> None:
    """Notes on Play: "**Uncovering Gobblets:** You can move any gobblet on the board whether it is
    covering another gobblet or not."."""
    position = at("x4/x4/b3w4,x3/w4,x,b4,x w")
    origins = {move.origin for move in position.legal_moves() if not move.places}
    assert origins == {"a2", "a1"}
    assert position.play("a2d4").stack("a2") == (Piece(BLACK, 3),)


REVEAL = "b4,x,b4,x/x4/b3,b3,b3,b2w4/x3,b4 w"
"""White's 4 on d2 is all that stands between Black and the line a2-b2-c2-d2."""


@pytest.mark.parametrize("target", ["b4", "d4", "a3", "d3", "a1", "c1"])
def test_uncovering_the_opponents_line_loses(target: str) -> None:
    """Notes on Play: "However, if you uncover one of your opponent's pieces, and this move reveals
    a line of 4 of your opponent's pieces, you lose unless you can place your gobblet over a
    difference piece in this same line of 4."."""
    game = Game(start=at(REVEAL))
    assert game.position.is_losing_reveal(f"d2{target}")
    game.touch("d2")
    assert game.outcome is None  # he loses when he lands, not when he lifts
    game.land(target)
    assert game.outcome == Outcome(BLACK, "reveal")


@pytest.mark.parametrize("target", ["a2", "b2", "c2"])
def test_another_piece_of_the_line_saves(target: str) -> None:
    """Notes on Play: "However, if you uncover one of your opponent's pieces, and this move reveals
    a line of 4 of your opponent's pieces, you lose unless you can place your gobblet over a
    difference piece in this same line of 4."."""
    position = at(REVEAL)
    assert not position.is_losing_reveal(f"d2{target}")
    assert position.play(f"d2{target}").outcome() is None
    with pytest.raises(IllegalMove, match="own square"):
        position.play("d2d2")


def test_own_line_does_not_save() -> None:
    """Notes on Play: "However, if you uncover one of your opponent's pieces, and this move reveals
    a line of 4 of your opponent's pieces, you lose unless you can place your gobblet over a
    difference piece in this same line of 4."."""
    position = at("b4,x,b4,x/w4,w4,w3,x/b3,b3,b3,b2w4/x3,b4 w")
    after = position.play("d2d3")
    assert (len(after.lines(WHITE)), len(after.lines(BLACK))) == (1, 1)
    assert after.outcome() == Outcome(BLACK, "reveal")
    # The same row completed from a stack wins, for nothing is lifted.
    assert position.play("2d3").outcome() == Outcome(WHITE, "line")


def test_three_repetitions_draw() -> None:
    """Notes on Play: "**Draws:** The game is declared a draw if 3 repetitions of identical moves
    between whites and blacks occur or by mutual agreement between players."."""
    game = Game(RULES)
    for move in ("4a1", "4d4"):
        game.play(move)
    for _ in range(2):
        assert game.outcome is None
        for move in ("a1a2", "d4d3", "a2a1", "d3d4"):
            assert game.outcome is None
            game.play(move)
    assert game.repetitions == 3
    assert game.outcome == Outcome(None, "repetition")


def test_draw_by_mutual_agreement() -> None:
    """Notes on Play: "**Draws:** The game is declared a draw if 3 repetitions of identical moves
    between whites and blacks occur or by mutual agreement between players."."""
    game = Game(RULES)
    game.play("4a1")
    game.offer_draw(WHITE)
    with pytest.raises(GameError, match="nobody has offered White"):
        game.accept_draw(WHITE)  # one player alone is no agreement
    game.decline_draw(BLACK)
    assert (game.draw_offer, game.outcome) == (None, None)
    game.offer_draw(BLACK)
    game.accept_draw(WHITE)
    assert game.outcome == Outcome(None, "agreement")
