"""Document 001, the official rules of Gobblet Gobblers, sentence by sentence.

The rule set is `gobblers-official`. Every docstring quotes the section and the sentence under
test. Red is the first player (w in the text of a position), Blue the second (b).
"""

import pytest

from nestline import (
    Game,
    GameError,
    IllegalMove,
    Move,
    NotationError,
    Outcome,
    Piece,
    Position,
    Side,
    load_rules,
)
from nestline.rules.schema import FIELDS

RULES = "gobblers-official"
RED, BLUE = Side.FIRST, Side.SECOND
LINES = [
    ("a1", "b1", "c1"), ("a2", "b2", "c2"), ("a3", "b3", "c3"),
    ("a1", "a2", "a3"), ("b1", "b2", "b3"), ("c1", "c2", "c3"),
    ("a1", "b2", "c3"), ("a3", "b2", "c1"),
]  # fmt: skip

ALL_PLACED = ("2b1", "2a1", "3c1", "1c2", "2a2", "3c2", "3a2", "1a3", "1b2", "2b3", "1c3", "3b3")
"""A game that puts all twelve pieces on the board without a line; the last one draws."""

BOTH_LINES = "w3,w2,x/b2,b2,b1w3/x3 w"
"""Red's c2c3 completes the top row and uncovers the middle row of Blue."""


def at(text: str) -> Position:
    return Position(text, rules=RULES)


def played(*moves: str) -> Game:
    game = Game(RULES)
    for move in moves:
        game.play(move)
    return game


def moves_of(position: Position, origin: str) -> set[str]:
    return {move.target for move in position.legal_moves() if move.origin == origin}


def placings_on(position: Position, square: str) -> list[Move]:
    return [move for move in position.legal_moves() if move.places and move.target == square]


# Game components


def test_board_is_a_3x3_grid() -> None:
    """GAME COMPONENTS: "Game board: A 3x3 grid"."""
    targets = {move.target for move in Position.start(RULES).legal_moves()}
    assert targets == {f"{column}{row}" for column in "abc" for row in "123"}
    for outside in ("1d1", "1a4"):
        with pytest.raises(NotationError, match="3x3"):
            Position.start(RULES).play(outside)


def test_twelve_pieces_that_cover_each_other() -> None:
    """GAME COMPONENTS: "Game pieces: 12 hollow pieces (6 per player)"."""
    start = Position.start(RULES)
    assert [sum(start.reserve(side).values()) for side in Side] == [6, 6]
    hollow = start.play("1b2").play("2b2").play("3b2")
    assert hollow.stack("b2") == (Piece(RED, 1), Piece(BLUE, 2), Piece(RED, 3))


@pytest.mark.parametrize("size", [1, 2, 3], ids=["small", "medium", "large"])
def test_two_pieces_of_each_size(size: int) -> None:
    """GAME COMPONENTS: "Each player has 2 small pieces, 2 medium pieces, and 2 large pieces"."""
    assert Position.start(RULES).reserve(RED)[size] == 2
    used_up = played(f"{size}a1", f"{size}b2", f"{size}b1", f"{size}c3").position
    for position in (used_up, used_up.play(f"{size % 3 + 1}c2")):
        with pytest.raises(IllegalMove, match=f"no size {size} is left"):
            position.play(f"{size}a3")


def test_red_pieces_and_blue_pieces() -> None:
    """GAME COMPONENTS: "One player uses red pieces, the other uses blue pieces"."""
    rules = load_rules(RULES)
    assert rules.players == ("Red", "Blue")
    red, blue = ([int(text[i : i + 2], 16) for i in (1, 3, 5)] for text in rules.colours)
    assert max(red) == red[0] > max(red[1:])
    assert max(blue) == blue[2] > max(blue[:2])


# Objective


@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_first_with_three_in_a_row(line: tuple[str, str, str]) -> None:
    """OBJECTIVE: "The goal of Gobblet Gobblers is to be the first player to place three of your
    pieces in a row, either horizontally, vertically, or diagonally."."""
    one, two, last = line
    before = Position.from_stacks({one: [(BLUE, 1)], two: [(BLUE, 2)]}, BLUE, RULES)
    assert before.outcome() is None
    assert before.play(f"3{last}").outcome() == Outcome(BLUE, "line")


# Setup


def test_each_takes_six_pieces_of_a_colour() -> None:
    """SETUP: "Each player takes all 6 pieces of their color."."""
    start = Position.start(RULES)
    for side in Side:
        assert start.reserve_tops(side) == (1, 1, 2, 2, 3, 3)
    assert start.play("3b2").reserve(BLUE) == start.reserve(BLUE)


def test_all_pieces_begin_off_the_board() -> None:
    """SETUP: "All pieces begin off the board."."""
    assert Position.start(RULES).stacks == {}
    assert all(move.places for move in Position.start(RULES).legal_moves())


def test_red_goes_first() -> None:
    """SETUP: "Red player goes first."."""
    game = Game(RULES)
    assert game.rules.players[game.turn] == "Red"
    with pytest.raises(GameError, match="Red's turn"):
        game.play("3b2", by=BLUE)
    game.play("3b2", by=RED)
    assert game.position.top("b2") == Piece(RED, 3)


# Turns


def test_turns_alternate() -> None:
    """Turns: "Players alternate turns."."""
    game = Game(RULES)
    turns = []
    for move in ("3a1", "3c3", "a1a2", "c3c2", "1b3"):
        turns.append(game.turn)
        game.play(move)
    assert turns == [RED, BLUE, RED, BLUE, RED]


def test_one_action_per_turn() -> None:
    """Turns: "On your turn, you must perform ONE of the following actions:"."""
    game = played("3a1")
    with pytest.raises(GameError, match="Blue's turn"):
        game.play("a1a2", by=RED)
    pieces_before = sum(map(len, game.position.stacks.values()))
    game.play("2b2")
    assert sum(map(len, game.position.stacks.values())) == pieces_before + 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_new_piece_onto_an_empty_square(size: int) -> None:
    """Turns: "Place a new piece from your hand onto an empty square on the board."."""
    position = at("x3/x,b3,x/x3 w")
    after = position.play(f"{size}a1")
    assert after.stack("a1") == (Piece(RED, size),)
    assert after.reserve(RED)[size] == 1


def test_new_piece_onto_a_smaller_piece() -> None:
    """Turns: "Place a new piece from your hand on top of a smaller piece already on the board
    (gobbling it)."."""
    position = at("x3/x,b1,x/w2,x,b3 w")
    assert position.play("2b2").stack("b2") == (Piece(BLUE, 1), Piece(RED, 2))
    assert position.play("3a1").stack("a1") == (Piece(RED, 2), Piece(RED, 3))
    for move in ("1b2", "2a1", "3c1"):
        with pytest.raises(IllegalMove, match="smaller"):
            position.play(move)


def test_move_to_an_empty_square() -> None:
    """Turns: "Move one of your pieces already on the board to an empty square."."""
    after = at("x3/x,w1,x/x2,b3 w").play("b2a3")
    assert after.stacks == {"a3": (Piece(RED, 1),), "c1": (Piece(BLUE, 3),)}
    assert after.reserve(RED) == {1: 1, 2: 2, 3: 2}


def test_move_onto_a_smaller_piece() -> None:
    """Turns: "Move one of your pieces already on the board on top of a smaller piece (gobbling
    it)."."""
    position = at("x3/x,w2,x/b1,w1,b2 w")
    assert position.play("b2a1").stack("a1") == (Piece(BLUE, 1), Piece(RED, 2))
    assert position.play("b2b1").stack("b1") == (Piece(RED, 1), Piece(RED, 2))
    with pytest.raises(IllegalMove, match="smaller"):
        position.play("b2c1")


# Gobbling rules


@pytest.mark.parametrize("owner", ["w", "b"], ids=["own colour", "other colour"])
@pytest.mark.parametrize("sizes", ["21", "31", "32"])
def test_larger_gobbles_any_smaller_of_any_colour(sizes: str, owner: str) -> None:
    """Gobbling Rules: "A larger piece can gobble (cover) any smaller piece, regardless of its
    color."."""
    large, small = sizes
    position = at(f"x3/x,{owner}{small},x/w{large},x2 w")
    for move in (f"{large}b2", "a1b2"):
        assert position.play(move).top("b2") == Piece(RED, int(large))


@pytest.mark.parametrize("owner", ["w", "b"], ids=["own colour", "other colour"])
@pytest.mark.parametrize("sizes", ["11", "22", "33", "12", "13", "23"])
def test_never_the_same_size_or_larger(sizes: str, owner: str) -> None:
    """Gobbling Rules: "A piece can only gobble a smaller piece, never a piece of the same size or
    larger."."""
    own, other = sizes
    position = at(f"x3/x,{owner}{other},x/w{own},x2 w")
    refused = ["a1b2"] if own == other and owner == "w" else [f"{own}b2", "a1b2"]
    for move in refused:
        with pytest.raises(IllegalMove, match=f"b2 shows a size {other}"):
            position.play(move)


def test_size_hierarchy() -> None:
    """Gobbling Rules: "The size hierarchy is: Large > Medium > Small"."""
    for letter, larger in (("S", {2, 3}), ("M", {3}), ("L", set())):
        position = Position.start(RULES).play(f"{letter} b2")
        assert {move.size for move in placings_on(position, "b2")} == larger


def test_gobbled_pieces_stay_underneath() -> None:
    """Gobbling Rules: "When a piece is gobbled, it is not removed from the board but remains
    underneath."."""
    position = at("x3/x,b1,x/x3 w")
    after = position.play("3b2")
    assert after.stack("b2") == (Piece(BLUE, 1), Piece(RED, 3))
    assert after.reserve(BLUE) == position.reserve(BLUE) == {1: 1, 2: 2, 3: 2}


def test_uncovered_pieces_are_active_again() -> None:
    """Gobbling Rules: "If a piece is moved away, any piece that was underneath becomes visible
    again and is active in the game."."""
    covered = at("x3/x,b1w3,x/x3 w")
    after = covered.play("b2a1")
    assert after.top("b2") == Piece(BLUE, 1)
    assert moves_of(after, "b2")
    # Active also for lines: Blue completes the row through the uncovered piece.
    row = at("x3/b2,b1w3,x/x3 w").play("b2b3")
    assert row.play("2c2").outcome() == Outcome(BLUE, "line")


def test_only_the_top_piece_moves_or_gobbles() -> None:
    """Gobbling Rules: "You can only move or gobble with the top piece in any stack."."""
    position = at("x3/w2b3,b1,x/w1w3,x2 w")
    with pytest.raises(IllegalMove, match="a2 shows Blue's piece"):
        position.play("a2b2")  # Red's medium piece could gobble b2 if it were not covered.
    assert position.play("a1b2").stack("b2") == (Piece(BLUE, 1), Piece(RED, 3))
    assert moves_of(position, "a2") == set()


# Movement rules


def test_only_own_pieces_on_the_board_move() -> None:
    """Movement Rules: "You can only move your own pieces that are already on the board."."""
    position = at("b3,x2/x3/w3,x2 w")
    assert {move.origin for move in position.legal_moves() if not move.places} == {"a1"}
    with pytest.raises(IllegalMove, match="a3 shows Blue's piece"):
        position.play("a3b3")
    with pytest.raises(IllegalMove, match="b2 is empty"):
        position.play("b2b3")


def test_only_the_top_piece_of_a_stack_moves() -> None:
    """Movement Rules: "You can only move the top piece in any stack."."""
    position = at("x3/x,w1w2w3,x/x2,b1 w")
    after = position.play("b2a1")
    assert after.stack("a1") == (Piece(RED, 3),)
    assert after.stack("b2") == (Piece(RED, 1), Piece(RED, 2))


@pytest.mark.parametrize("origin", ["a1", "c3", "b2", "a2"])
def test_moves_reach_any_distance(origin: str) -> None:
    """Movement Rules: "Pieces can move to any valid square on the board, not restricted by
    distance."."""
    position = Position.from_stacks({origin: [(RED, 1)]}, RED, RULES)
    assert moves_of(position, origin) == set(position.rules.square_names) - {origin}
    # Not stopped by what stands between, either.
    fenced = at("x,b3,x/b3,b2,x/w1,w2,x w")
    assert moves_of(fenced, "a1") == {"a3", "c3", "c2", "c1"}


def test_no_move_onto_the_same_size_or_larger() -> None:
    """Movement Rules: "A piece cannot be moved to a square containing a piece of the same size or
    larger."."""
    position = at("b1,b2,x/w1,w2,b3/x,w3,x w")
    assert moves_of(position, "b2") == {"a3", "a2", "c3", "a1", "c1"}
    assert moves_of(position, "a2") == {"c3", "a1", "c1"}
    # Its own square holds a piece of its size too.
    with pytest.raises(IllegalMove, match="own square"):
        position.play("b2b2")


# Winning conditions


@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_line_of_three_wins(line: tuple[str, str, str]) -> None:
    """WINNING CONDITIONS: "A player wins by forming a line of three of their pieces in a row,
    column, or diagonal."."""
    one, two, last = line
    pieces = {one: [(RED, 3)], two: [(RED, 1)], last: [(RED, 2)]}
    won = Position.from_stacks(pieces, BLUE, RULES)
    assert won.outcome() == Outcome(RED, "line")
    assert won.legal_moves() == ()
    mixed = Position.from_stacks({**pieces, two: [(BLUE, 1)]}, BLUE, RULES)
    assert mixed.outcome() is None


def test_only_top_pieces_count_for_a_line() -> None:
    """WINNING CONDITIONS: "Only the visible (top) pieces count for forming a winning line."."""
    assert at("x3/w3,w1b2,w2/x3 w").outcome() is None
    assert at("x3/w3,b1w2,w2/x3 b").outcome() == Outcome(RED, "line")


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("x3/w3,w1,x/x,b1,b2 w", "2c2"),
        ("x3/w3,w1,x/x,b1,w2 w", "c1c2"),
        ("x3/w3,w1w2,x/x,b1,b2 w", "b2c2"),
    ],
    ids=["placing a new piece", "moving a piece", "uncovering an own piece"],
)
def test_three_ways_to_form_a_line(before: str, move: str) -> None:
    """WINNING CONDITIONS: "A winning line can be formed by placing a new piece, moving a piece, or
    as a result of uncovering a piece."."""
    position = at(before)
    assert position.outcome() is None
    assert position.play(move).outcome() == Outcome(RED, "line")


def test_exposing_the_opponents_line_loses() -> None:
    """WINNING CONDITIONS: "If a player inadvertently creates a winning line for the opponent by
    moving one of their pieces and exposing the opponent's piece underneath, the opponent
    immediately wins."."""
    game = Game(start=at("x3/b2,b3,b1w2/x3 w"))
    assert game.position.is_losing_reveal("c2c3")
    game.play("c2c3")
    assert game.outcome == Outcome(BLUE, "reveal")
    assert game.explain() == "Blue wins: lifting c2 revealed Blue's line a2-b2-c2."
    with pytest.raises(GameError, match="over"):
        game.play("3a1")


# Special situations and edge cases


def test_looking_under_an_own_piece() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Memory Rule: Players are allowed to lift their own pieces
    to see what's underneath, but must place them back in exactly the same position if they choose
    not to move that piece."."""
    game = Game(start=at("b1w2,x2/w1b3,w3,x/x3 w"))
    assert game.visibility == "peek"  # nobody has to ask for it
    before = game.position
    assert game.view(RED)["a3"] == (Piece(RED, 2),)  # what is under it does not show
    assert game.peek(RED, "a3") == (Piece(BLUE, 1), Piece(RED, 2))
    assert game.peek(RED, "b2") == (Piece(RED, 3),)
    assert game.peek(BLUE, "a2") == (Piece(RED, 1), Piece(BLUE, 3))
    assert (game.position, game.turn, game.touched) == (before, RED, None)
    game.play("b2c3")  # another piece than the one looked under
    assert game.position.stack("a3") == before.stack("a3")


def test_not_looking_under_the_opponents_pieces() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Memory Rule: Players are allowed to lift their own pieces
    to see what's underneath, but must place them back in exactly the same position if they choose
    not to move that piece."."""
    game = Game(start=at("b1w2,x2/w1b3,w3,x/x3 w"))
    for side, square in ((RED, "a2"), (BLUE, "a3"), (RED, "c1")):
        with pytest.raises(GameError, match="own pieces"):
            game.peek(side, square)
    with pytest.raises(GameError, match="looking under"):
        Game("gobblers", visibility="peek")


def test_all_pieces_placed_is_a_draw() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Draw: If all pieces are placed on the board and no player
    has won, the game is a draw."."""
    game = played(*ALL_PLACED[:-1])
    assert game.outcome is None
    game.play(ALL_PLACED[-1])
    assert game.outcome == Outcome(None, "all-placed")
    assert game.legal_moves() == ()


def test_last_piece_that_completes_a_line_wins() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Draw: If all pieces are placed on the board and no player
    has won, the game is a draw."."""
    position = at("b2,b2b3,x/w2w3,w1,b3/b1,w2,w1w3 b")
    assert position.outcome() is None
    assert position.play("1c3").outcome() == Outcome(BLUE, "line")


def test_no_other_draw() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Draw: If all pieces are placed on the board and no player
    has won, the game is a draw."."""
    game = played("3a1", "3c3")
    for move in ("a1a2", "c3c2", "a2a1", "c2c3") * 4:
        game.play(move)
    assert (game.repetitions, game.outcome) == (5, None)
    with pytest.raises(GameError, match="agreement"):
        game.offer_draw(RED)
    full = at("b1,b2b3,w1/w2,w1,b1b3/b2,w2,w3 w")
    assert len(full.stacks) == 9
    assert full.outcome() is None


def test_mover_wins_with_both_lines() -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "Winning Priority: If a move simultaneously creates
    winning lines for both players (by uncovering an opponent's piece that completes their line
    while also completing your own line), the active player who just made the move wins."."""
    after = at(BOTH_LINES).play("c2c3")
    assert (len(after.lines(RED)), len(after.lines(BLUE))) == (1, 1)
    assert after.outcome() == Outcome(RED, "line")
    assert not at(BOTH_LINES).is_losing_reveal("c2c3")
    assert Position(BOTH_LINES, rules="gobblers").play("c2c3").outcome() == Outcome(BLUE, "reveal")


@pytest.mark.parametrize("text", ["", "pass", "skip", "a1a1"])
def test_turns_cannot_be_skipped(text: str) -> None:
    """SPECIAL SITUATIONS AND EDGE CASES: "No Skipping Turns: A player must make a valid move on
    their turn; turns cannot be skipped."."""
    game = played("3a1", "3c3")
    before = game.position
    with pytest.raises((IllegalMove, NotationError)):
        game.play(text)
    assert (game.position, game.turn) == (before, RED)


def test_official_rules_without_deviation() -> None:
    """STRATEGY TIPS: "This ruleset represents the official rules of Gobblet Gobblers and should be
    implemented without deviation to ensure authentic gameplay."."""
    sources = load_rules(RULES).sources
    assert set(sources) == set(FIELDS)
    ours = {field for field, source in sources.items() if not source.startswith("001")}
    # What the document is silent about.
    assert ours == {"no_move", "symbols", "labels", "person_begins", "take_back_after_end"}
