"""Document 000, Gobblet Gobblers, sentence by sentence (rule set `gobblers`).

Every docstring quotes the section and the sentence under test.
P1 is the first player (w in the text of a position), P2 the second (b).
"""

from pathlib import Path

import pytest

from nestline import (
    Game,
    GameError,
    IllegalMove,
    NotationError,
    Outcome,
    Piece,
    Position,
    Side,
    load_rules,
)

FIRST, SECOND = Side.FIRST, Side.SECOND
ROWS = [("a3", "b3", "c3"), ("a2", "b2", "c2"), ("a1", "b1", "c1")]
COLUMNS = [("a3", "a2", "a1"), ("b3", "b2", "b1"), ("c3", "c2", "c1")]
DIAGONALS = [("a3", "b2", "c1"), ("c3", "b2", "a1")]

BLOCKING = ("1a3", "3a3", "2a2", "1c3", "2a1")
"""The moves to "After move 5" of the blocking example; P2 is to move."""

SAME_SQUARE = ("1a3", "2a3", "2a2", "1c3", "3a1")
"""The moves to "Board after move 5" of the same-square example; P2 is to move."""

ZUGZWANG = ("1a1", "2b1", "2a1", "1c1", "3c1", "3a1", "2b2", "1a3", "1c3", "2c3", "3c3", "3b2")
"""A game after which P1 can only lift pieces under which lines of P2 are waiting."""

FULL = ("2b1", "2a1", "3c1", "1c2", "2a2", "3c2", "3a2", "1a3", "1b2", "2b3", "1c3", "3b3")
"""A game that puts all twelve pieces on the board and fills all nine squares, without a line."""


def document_board(heading: str) -> list[str]:
    """The nine squares of a board as the document draws them: 2L is a large piece of P2."""
    text = (Path(__file__).parent / "sources" / "000.txt").read_text("utf-8")
    rows = text.split(f"{heading}\n")[1].splitlines()[1:4]
    return [square for row in rows for square in row.split()[1:4]]


def drawn(position: Position) -> list[str]:
    """The nine squares of a position in the same way."""
    tops = (position.top(f"({row},{column})") for row in range(3) for column in range(3))
    return [".." if top is None else f"{top.side + 1}{'SML'[top.size - 1]}" for top in tops]


def played(*moves: str) -> Game:
    game = Game("gobblers")
    for move in moves:
        game.play(move)
    return game


def moves_of(position: Position, origin: str) -> list[str]:
    return [str(move) for move in position.legal_moves() if move.origin == origin]


# Setup


def test_board_is_3x3_and_starts_empty() -> None:
    """Setup: "3x3 board, starts empty"."""
    start = Position.start("gobblers")
    assert start.stacks == {}
    assert sorted({move.target for move in start.legal_moves()}) == [
        f"{column}{row}" for column in "abc" for row in "123"
    ]
    for outside in ("1d1", "1a4", "1 (3,0)"):
        with pytest.raises(NotationError, match="3x3"):
            start.play(outside)


def test_two_players_with_six_pieces_each() -> None:
    """Setup: "2 players, each with 6 pieces in reserve: 2 small, 2 medium, 2 large"."""
    start = Position.start("gobblers")
    for side in Side:
        assert start.reserve(side) == {1: 2, 2: 2, 3: 2}
        assert start.reserve_tops(side) == (1, 1, 2, 2, 3, 3)
    two_large = start.play("3a1").play("3b1").play("3c2").play("3b3")
    for position in (two_large, two_large.play("1a2")):
        with pytest.raises(IllegalMove, match="no size 3 is left"):
            position.play("3a3")


@pytest.mark.parametrize("below", ["S", "M", "L"])
@pytest.mark.parametrize("above", ["S", "M", "L"])
def test_order_of_sizes(above: str, below: str) -> None:
    """Setup: "Sizes: large > medium > small"."""
    position = Position.start("gobblers").play(f"{below} b2")
    if "SML".index(above) > "SML".index(below):
        assert position.play(f"{above} b2").top("b2") == Piece(SECOND, "SML".index(above) + 1)
    else:
        with pytest.raises(IllegalMove, match="smaller"):
            position.play(f"{above} b2")


# Turns


def test_a_turn_is_one_action() -> None:
    """Turns: "On your turn, either:"."""
    game = played("3a1")
    assert game.turn == SECOND
    with pytest.raises(GameError, match="P2's turn"):
        game.play("3b1", by=FIRST)
    game.play("3b1", by=SECOND)
    game.play("a1a2", by=FIRST)
    assert game.turn == SECOND


def test_place_from_the_reserve() -> None:
    """Turns: "Place a piece from your reserve onto the board"."""
    start = Position.start("gobblers")
    assert {str(move) for move in start.legal_moves()} == {
        f"{size}{square}" for size in (1, 2, 3) for square in start.rules.square_names
    }
    placed = start.play("2c1")
    assert placed.stacks == {"c1": (Piece(FIRST, 2),)}
    assert placed.reserve(FIRST) == {1: 2, 2: 1, 3: 2}
    assert placed.reserve(SECOND) == {1: 2, 2: 2, 3: 2}


def test_move_a_visible_piece_you_control() -> None:
    """Turns: "Move a piece you control that's visible on the board"."""
    position = Position("x3/w1b2,w1w3,b1/w2,x2 w")
    assert {move.origin for move in position.legal_moves() if not move.places} == {"a1", "b2"}
    with pytest.raises(IllegalMove, match="a2 shows P2's piece"):
        position.play("a2b3")  # P1's small piece lies there, but covered.
    with pytest.raises(IllegalMove, match="c2 shows P2's piece"):
        position.play("c2b3")
    with pytest.raises(IllegalMove, match="a3 is empty"):
        position.play("a3b3")
    moved = position.play("b2b3")
    assert moved.stack("b3") == (Piece(FIRST, 3),)
    assert moved.stack("b2") == (Piece(FIRST, 1),)
    assert moved.reserve(FIRST) == position.reserve(FIRST)


@pytest.mark.parametrize("move", ["3b2", "a1b2"], ids=["from the reserve", "on the board"])
@pytest.mark.parametrize("owner", ["w", "b"], ids=["yours", "opponent's"])
def test_larger_gobble_smaller(owner: str, move: str) -> None:
    """Turns: "Larger pieces can "gobble" (cover) smaller pieces (yours or opponent's)"."""
    position = Position(f"x3/x,{owner}1,x/w3,x2 w")
    after = position.play(move)
    assert after.stack("b2") == (Piece(Side("wb".index(owner)), 1), Piece(FIRST, 3))


@pytest.mark.parametrize("text", ["", "pass", "-", "a1a1", "a1"])
def test_passing_is_impossible(text: str) -> None:
    """Turns: "You cannot pass; must make a move if any legal move exists"."""
    game = played("3a1", "3c3")
    before = game.position
    with pytest.raises((IllegalMove, NotationError)):
        game.play(text)
    assert (game.position, game.turn, game.ply) == (before, FIRST, 2)
    assert all(before.play(move).stacks != before.stacks for move in before.legal_moves())


# Winning


@pytest.mark.parametrize("line", ROWS + COLUMNS + DIAGONALS, ids="-".join)
def test_three_in_a_row_win(line: tuple[str, str, str]) -> None:
    """Winning: "Get 3 of your pieces visible in a row (horizontal, vertical, or diagonal)"."""
    one, two, last = line
    before = Position.from_stacks({one: [(FIRST, 1)], two: [(FIRST, 3)]}, FIRST, "gobblers")
    assert before.outcome() is None
    after = before.play(f"2{last}")
    assert after.outcome() == Outcome(FIRST, "line")
    assert [set(squares) for squares in after.lines(FIRST)] == [set(line)]
    stranger = Position.from_stacks({**before.stacks, last: [(SECOND, 2)]}, FIRST, "gobblers")
    assert stranger.outcome() is None


def test_only_visible_pieces_count() -> None:
    """Winning: "Get 3 of your pieces visible in a row (horizontal, vertical, or diagonal)"."""
    assert Position("w1,w1b2,w2/x3/x3 w").outcome() is None
    assert Position("w1,b1w2,w2/x3/x3 b").outcome() == Outcome(FIRST, "line")


@pytest.mark.parametrize("squares", ["a1 b1 a2", "a2 b3 c2", "b1 c2 a3", "c1 a2 b2"])
def test_three_that_are_no_row_do_not_win(squares: str) -> None:
    """Winning: "Get 3 of your pieces visible in a row (horizontal, vertical, or diagonal)"."""
    pieces = zip(squares.split(), (1, 2, 3), strict=True)
    stacks = {square: [(FIRST, size)] for square, size in pieces}
    assert Position.from_stacks(stacks, SECOND, "gobblers").outcome() is None


def test_win_is_immediate() -> None:
    """Winning: "Win is checked immediately when a line becomes visible"."""
    game = played("3a1", "1a2", "3b1", "1b2", "2c1")
    # P2 would complete a row with his next move, and does not get it.
    assert game.outcome == Outcome(FIRST, "line")
    assert game.position.legal_moves() == ()
    with pytest.raises(GameError, match="over"):
        game.play("3c2")
    assert game.outcome == Outcome(FIRST, "line")


def test_line_that_becomes_visible_in_the_opponents_turn_wins_at_once() -> None:
    """Winning: "Win is checked immediately when a line becomes visible"."""
    game = Game(start=Position("x3/w1,w2,w1b2/x3 b"))
    game.play("c2c3")
    assert game.outcome == Outcome(FIRST, "reveal")
    assert game.ply == 1


# The "Reveal" Rule (Critical)


def test_lifting_reveals_what_is_underneath() -> None:
    """The "Reveal" Rule (Critical): "When you lift a piece to move it, what's underneath is
    revealed"."""
    position = Position("x3/x,b1w2,x/x3 w").play("b2a1")
    assert position.top("b2") == Piece(SECOND, 1)
    assert position.play("b2c3").top("c3") == Piece(SECOND, 1)


@pytest.mark.parametrize("target", ["b3", "c3", "b2", "c2", "b1", "c1"])
def test_reveal_loses_away_from_the_line(target: str) -> None:
    """The "Reveal" Rule (Critical): "If lifting reveals opponent's winning line: you lose UNLESS
    you can gobble one of the pieces in that winning line with the piece you're holding"."""
    position = played(*BLOCKING).position
    assert position.is_losing_reveal(f"a3{target}")
    assert position.play(f"a3{target}").outcome() == Outcome(FIRST, "reveal")


@pytest.mark.parametrize("target", ["a2", "a1"])
def test_reveal_is_saved_on_the_line(target: str) -> None:
    """The "Reveal" Rule (Critical): "If lifting reveals opponent's winning line: you lose UNLESS
    you can gobble one of the pieces in that winning line with the piece you're holding"."""
    position = played(*BLOCKING).position
    assert not position.is_losing_reveal(f"a3{target}")
    assert position.play(f"a3{target}").outcome() is None


def test_two_revealed_lines_cannot_both_be_blocked() -> None:
    """The "Reveal" Rule (Critical): "If lifting reveals opponent's winning line: you lose UNLESS
    you can gobble one of the pieces in that winning line with the piece you're holding"."""
    position = Position("w1b3,w1,w2/w2,x2/w3,x,b1 b")
    targets = moves_of(position, "a3")
    assert {"a3b3", "a3c3", "a3a2"} <= set(targets)
    assert all(position.is_losing_reveal(move) for move in targets)


def test_blocking_is_sufficient() -> None:
    """The "Reveal" Rule (Critical): "**Blocking is sufficient** - you do NOT need to create your
    own winning line" / "The term "hail mary" refers to the desperate blocking move, not a
    requirement to also win"."""
    after = played(*BLOCKING, "a3a2").position
    assert after.lines(SECOND) == ()
    assert after.outcome() is None


def test_game_continues_after_the_block() -> None:
    """The "Reveal" Rule (Critical): "If you successfully gobble into the winning line, the game
    continues normally"."""
    game = played(*BLOCKING, "a3a2")
    assert (game.turn, game.outcome) == (FIRST, None)
    game.play("3c3")
    game.play("2b2")
    assert (game.ply, game.outcome) == (8, None)


@pytest.mark.parametrize("move", ["a3b3", "a3c3", "a3b2", "a3c2", "a3b1", "a3c1"])
def test_no_landing_on_the_line_loses(move: str) -> None:
    """The "Reveal" Rule (Critical): "If you cannot legally land on that line, you lose
    immediately"."""
    game = played(*SAME_SQUARE, move)
    assert game.outcome == Outcome(FIRST, "reveal")
    assert game.explain() == "P1 wins: lifting a3 revealed P1's line a1-a2-a3."


def test_both_lines_opponent_wins() -> None:
    """The "Reveal" Rule (Critical): "If your move creates your win BUT also reveals opponent's win,
    opponent wins (lift happens before place)"."""
    position = Position("w3,w2,x/b2,b2,b1w3/x3 w")
    after = position.play("c2c3")
    assert (len(after.lines(FIRST)), len(after.lines(SECOND))) == (1, 1)
    assert after.outcome() == Outcome(SECOND, "reveal")
    assert position.is_losing_reveal("c2c3")
    # The same row completed without lifting wins.
    assert position.play("1c3").outcome() == Outcome(FIRST, "line")


def test_example_of_valid_blocking() -> None:
    """The "Reveal" Rule (Critical): "Example of valid blocking (game continues):" / "P2 MUST gobble
    into column 0 to survive." / "Move: (0,0)→(1,0) - P2 L gobbles P1 M at (1,0)" / "Result: Column
    0 is now P1 S, P2 L, P1 M - no winner. Game continues."."""
    game = played(*BLOCKING)
    assert drawn(game.position) == document_board("After move 5:")
    assert game.position.stack("(0,0)") == (Piece(FIRST, 1), Piece(SECOND, 3))
    moves = moves_of(game.position, "a3")
    survived = {move for move in moves if not game.position.is_losing_reveal(move)}
    assert survived == {"a3a2", "a3a1"}
    game.play("(0,0)→(1,0)")
    column = [game.position.top(square) for square in ("(0,0)", "(1,0)", "(2,0)")]
    assert column == [Piece(FIRST, 1), Piece(SECOND, 3), Piece(FIRST, 2)]
    assert game.outcome is None


# No Same-Square Moves (Important Edge Case)


def test_no_return_to_the_same_square() -> None:
    """No Same-Square Moves (Important Edge Case): "Once you lift a piece, you CANNOT place it back
    on the same square"."""
    position = Position("b1w3,x2/x,w2,x/x2,b3 w")
    for square in ("a3", "b2"):
        assert square + square not in moves_of(position, square)
        with pytest.raises(IllegalMove, match="own square"):
            position.play(square + square)


def test_no_return_even_as_hail_mary() -> None:
    """No Same-Square Moves (Important Edge Case): "This is true even in a hail mary situation" /
    "Source: Official rules state "you can't return the piece to its starting location""."""
    game = played(*SAME_SQUARE)
    with pytest.raises(IllegalMove, match="own square"):
        game.play("(0,0)→(0,0)")
    assert (game.ply, game.outcome) == (5, None)


def test_piece_with_only_its_own_square_has_no_move_that_survives() -> None:
    """No Same-Square Moves (Important Edge Case): "If lifting reveals opponent's win and the only
    "valid" gobble target is the square you just picked up from, you have NO legal moves with that
    piece"."""
    position = played(*SAME_SQUARE).position
    surviving = [move for move in moves_of(position, "a3") if not position.is_losing_reveal(move)]
    assert surviving == []
    others = [move for move in position.legal_moves() if move.origin != "a3"]
    assert others
    assert not any(position.is_losing_reveal(move) for move in others)


def test_example_of_the_same_square() -> None:
    """No Same-Square Moves (Important Edge Case): "Example scenario:" / "P2's M could gobble
    (0,0)'s revealed 1S, but that's the same square." / "P2 cannot gobble (1,0) M or (2,0) L. So
    lifting that M = instant loss."."""
    game = played(*SAME_SQUARE)
    assert drawn(game.position) == document_board("Board after move 5:")
    assert game.position.stack("(0,0)") == (Piece(FIRST, 1), Piece(SECOND, 2))
    for move, rule in (("(0,0)→(0,0)", "own square"), ("(0,0)→(1,0)", "smaller"),
                       ("(0,0)→(2,0)", "smaller")):  # fmt: skip
        with pytest.raises(IllegalMove, match=rule):
            game.play(move)
    game.play("(0,0)→(2,2)")
    assert game.outcome == Outcome(FIRST, "reveal")


# Zugzwang (No Legal Moves)


def test_player_without_a_move_loses(tmp_path: Path) -> None:
    """Zugzwang (No Legal Moves): "If a player has no legal moves on their turn, they lose
    immediately"."""
    # With pieces that move, somebody always can; without, the reserve runs out.
    file = tmp_path / "fixed.toml"
    file.write_text('like = "gobblers"\nmoving = false\nrepetition = 0\n', "utf-8")
    game = Game(str(file))
    for move in FULL:
        game.play(move)
    assert game.position.legal_moves() == ()
    assert game.outcome == Outcome(SECOND, "no-move")
    assert load_rules("gobblers").no_move == "loses"


def test_zugzwang_every_lift_reveals() -> None:
    """Zugzwang (No Legal Moves): "This can happen when all moveable pieces would reveal opponent's
    winning line with no valid hail mary destinations"."""
    position = played(*ZUGZWANG).position
    assert position.outcome() is None
    moves = position.legal_moves()
    assert {move.origin for move in moves} == {"c3", "c1"}
    assert all(position.is_losing_reveal(move) for move in moves)
    assert position.legal_moves(surviving=True) == ()  # no legal moves, in the document's words
    assert played(*ZUGZWANG).legal_moves(surviving=True) == ()
    assert {position.play(move).outcome() for move in moves} == {Outcome(SECOND, "reveal")}


# Draw


def test_threefold_repetition_is_a_draw() -> None:
    """Draw: "Threefold repetition of the same board position = draw"."""
    game = played("3a1", "3c3")
    there_and_back = ("a1a2", "c3c2", "a2a1", "c2c3")
    for move in there_and_back:
        game.play(move)
    assert (game.repetitions, game.outcome) == (2, None)
    for move in there_and_back[:3]:
        game.play(move)
    assert game.outcome is None
    game.play("c2c3")
    assert game.repetitions == 3
    assert game.outcome == Outcome(None, "repetition")


def test_repetition_needs_the_same_player_to_move() -> None:
    """Draw: "Threefold repetition of the same board position = draw"."""
    game = played("3a1", "3c3")
    board = game.position.stacks
    # Three moves around and two there and back: the board again, the other player to move.
    loop = ("a1a2", "c3c2", "a2b2", "c2c3", "b2a1")
    other_loop = ("c3c2", "a1a2", "c2b2", "a2a1", "b2c3")
    for move in loop + other_loop:
        game.play(move)
    assert [position.stacks == board for position in game.positions].count(True) == 3
    assert (game.repetitions, game.outcome) == (2, None)


def test_full_board_is_no_draw() -> None:
    """Draw: "No other draw conditions (full board just means you must move existing pieces)"."""
    game = played(*FULL)
    assert len(game.position.stacks) == 9
    assert game.position.reserve(FIRST) == game.position.reserve(SECOND) == {1: 0, 2: 0, 3: 0}
    assert game.outcome is None
    moves = game.legal_moves()
    assert moves
    assert not any(move.places for move in moves)


def test_no_draw_by_agreement() -> None:
    """Draw: "No other draw conditions (full board just means you must move existing pieces)"."""
    game = played("3b2")
    with pytest.raises(GameError, match="agreement"):
        game.offer_draw(SECOND)
    assert (game.draw_offer, game.outcome) == (None, None)
