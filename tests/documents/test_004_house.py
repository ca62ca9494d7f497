"""Document 004, the Gobblet game and its program, sentence by sentence (`gobblet-house`).

Every docstring quotes the section and the sentence under test.
Squares are written as in the document, column and row as letters: BA is b1. Other tests cover the
terminal game in depth; here it has to do what 004 says.
"""

import re
import subprocess
import sys
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
from nestline.draw import text_board

RULES = "gobblet-house"
FIRST, SECOND = Side.FIRST, Side.SECOND
SOURCE = Path(__file__).parent / "sources" / "004.txt"
LINES = [
    *(tuple(f"{column}{row}" for column in "ABCD") for row in "ABCD"),
    *(tuple(f"{column}{row}" for row in "ABCD") for column in "ABCD"),
    ("AA", "BB", "CC", "DD"),
    ("AD", "BC", "CB", "DA"),
]

EXAMPLE = "x3,b4/x,w4,x2/x4/x2,w3,x b"
"""The document's board; player 2 is to move."""

EXAMPLE_MOVES = ("4 BC", "4 DD", "3 CA")

FULL_BUT_ONE = "w4,w3,b4,b3/b4,b3,w4,w3/w4,w3,b4,b3/b2,b2,w2,x w"
"""Fifteen squares are occupied; a white 2 on d1 fills the board without a line."""

ALL_PLACED = "w1w2w4,w1w3,b1b2b4,b1b3/b1b4,b3,w1w4,w3/w4,w2w3,b4,b3/b2,b2,w2,x w"
"""All 24 pieces on the board, one square empty, nobody has a line."""


def at(text: str) -> Position:
    return Position(text, rules=RULES)


def document_board() -> str:
    """The board and the stacks as the document prints them."""
    text = SOURCE.read_text("utf-8")
    return text[text.index("  +----+") : text.index("\n\nIn this situation")]


def run_play(*lines: str, options: tuple[str, ...] = (), rules: str = RULES) -> str:
    """What `nestline play` prints when these lines are typed."""
    command = [sys.executable, "-m", "nestline", "play", "--rules", rules, "--plain", *options]
    done = subprocess.run(
        command, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


# The Gobblet Game


def test_two_players_on_a_4x4_grid() -> None:
    """The Gobblet Game: "Gobblet is a game for 2 players on a 4x4 grid."."""
    start = Position.start(RULES)
    assert len({move.target for move in start.legal_moves()}) == 16
    assert start.rules.players == ("Player 1", "Player 2")
    assert start.play("4 AA").turn == SECOND
    assert start.play("4 AA").play("4 AB").turn == FIRST


def test_one_colour_each() -> None:
    """The Gobblet Game: "Each player uses a set of pieces of one color, either black or white."."""
    light, dark = (
        sum(int(colour[place : place + 2], 16) for place in (1, 3, 5)) / 3
        for colour in load_rules(RULES).colours
    )
    assert light > 200
    assert dark < 80
    after = Position.start(RULES).play("4 AA").play("4 BB")
    assert (after.top("AA"), after.top("BB")) == (Piece(FIRST, 4), Piece(SECOND, 4))


def test_twelve_pieces_in_three_sets_of_four() -> None:
    """The Gobblet Game: "A player has 12 pieces, grouped into 3 sets of 4."."""
    start = Position.start(RULES)
    for side in Side:
        assert start.reserve(side) == {1: 3, 2: 3, 3: 3, 4: 3}
        assert start.reserve_tops(side) == (4, 4, 4)


def test_sets_are_played_from_largest_to_smallest() -> None:
    """The Gobblet Game: "The pieces in each set are nested, like Russian dolls, and must be played
    in the order from largest to smallest."."""
    position = Position.start(RULES)
    answers = iter(("4 AD", "4 BC", "4 DD", "3 AC"))
    for size, square in ((4, "AA"), (3, "BB"), (2, "CA"), (1, "DB")):
        assert position.reserve_tops(FIRST) == (size, 4, 4)
        for inside in range(1, size):
            with pytest.raises(IllegalMove, match=f"no stack shows a size {inside}"):
                position.play(f"{inside} {square}")
        position = position.play(f"{size} {square}").play(next(answers))
    assert position.reserve_tops(FIRST) == (4, 4)


def test_extension_of_tic_tac_toe() -> None:
    """The Gobblet Game: "The game is an extension of traditional tic-tac-toe (noughts and crosses),
    with the board being 4x4 instead of 3x3, and the pieces being of different sizes, with the
    ability to move and cover or uncover already-played pieces."."""
    small, large = load_rules("tictactoe"), load_rules(RULES)
    assert (small.board, large.board) == (3, 4)
    assert (small.sizes, large.sizes) == (1, 4)
    assert (small.moving, large.moving) == (False, True)
    covered = at("x4/x,b3,x2/x4/w4,x,b4,x w").play("AA BC")
    assert covered.stack("BC") == (Piece(SECOND, 3), Piece(FIRST, 4))
    uncovered = covered.play("4 DD").play("BC AB")
    assert uncovered.stack("BC") == (Piece(SECOND, 3),)


@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_four_of_a_colour_in_a_row(line: tuple[str, str, str, str]) -> None:
    """The Gobblet Game: "Play consists of taking turns, with the objective being to get 4 pieces of
    your color in a row, horizontally, vertically, or diagonally."."""
    stacks = {square: [(SECOND, size)] for square, size in zip(line, (4, 3, 2), strict=False)}
    before = Position.from_stacks(stacks, SECOND, RULES)
    assert before.outcome() is None
    assert before.play(f"4 {line[3]}").outcome() == Outcome(SECOND, "line")


def test_the_first_with_a_line_wins() -> None:
    """The Gobblet Game: "The first player to do so wins the game."."""
    game = Game(RULES)
    for move in ("4 AA", "4 AD", "4 BA", "4 BD", "4 CA", "4 CD", "3 DA"):
        game.play(move)
    assert game.outcome == Outcome(FIRST, "line")
    with pytest.raises(GameError, match="over"):
        game.play("3 DD")  # would be the second player's line, one move too late


@pytest.mark.parametrize("typed", ["pass", "", "4 AA 4 AB"])
def test_a_turn_is_one_of_four_actions(typed: str) -> None:
    """The Gobblet Game: "A turn consists of either:"."""
    game = Game(start=at(EXAMPLE))
    assert all(game.position.play(move).turn == FIRST for move in game.legal_moves())
    with pytest.raises(NotationError):
        game.play(typed)
    assert (game.turn, game.ply) == (SECOND, 0)


def test_new_piece_onto_an_empty_square() -> None:
    """The Gobblet Game: "Placing a piece not currently in play onto the board on an empty square,
    or"."""
    after = at(EXAMPLE).play("3 AA")
    assert after.stack("AA") == (Piece(SECOND, 3),)
    assert after.reserve_tops(SECOND) == (2, 4, 4)


@pytest.mark.parametrize("owner", ["w", "b"])
def test_new_piece_over_a_smaller_piece(owner: str) -> None:
    """The Gobblet Game: "Placing a piece not currently in play onto the board over a smaller piece
    of either color, or"."""
    position = at(f"x4/x,{owner}3,x2/x4/w4,x,b4,x w")
    assert position.play("4 BC").stack("BC") == (Piece("wb".index(owner), 3), Piece(FIRST, 4))
    with pytest.raises(IllegalMove, match="smaller"):
        position.play("4 CA")
    # Document 003 does not allow it.
    with pytest.raises(IllegalMove, match="empty square"):
        Position(str(position), rules="gobblet").play("4 BC")


def test_move_to_an_empty_square() -> None:
    """The Gobblet Game: "Picking up a piece of your own color from the board and placing it on an
    empty square, or"."""
    position = at(EXAMPLE)
    after = position.play("DD AA")
    assert after.stack("AA") == (Piece(SECOND, 4),)
    assert after.stack("DD") == ()
    with pytest.raises(IllegalMove, match="shows Player 1's piece"):
        position.play("BC AA")
    with pytest.raises(IllegalMove, match="own square"):
        position.play("DD DD")


@pytest.mark.parametrize("owner", ["w", "b"])
def test_move_over_a_smaller_piece(owner: str) -> None:
    """The Gobblet Game: "Picking up a piece of your own color from the board and placing it over a
    smaller piece of either color"."""
    position = at(f"x4/x,{owner}3,x2/x4/w4,x,b4,x w")
    assert position.play("AA BC").stack("BC") == (Piece("wb".index(owner), 3), Piece(FIRST, 4))
    with pytest.raises(IllegalMove, match="smaller"):
        position.play("AA CA")


def test_game_ends_when_all_squares_are_filled() -> None:
    """The Gobblet Game: "The game ends when all squares are filled, or a line of 4 of one color
    exists."."""
    game = Game(start=at(FULL_BUT_ONE))
    assert game.outcome is None
    game.play("2 DA")
    assert game.outcome == Outcome(None, "board-full")
    assert any(sum(game.position.reserve(side).values()) for side in Side)
    # The other sets of four sizes go on.
    assert Position(str(game.position), rules="gobblet").outcome() is None


def test_nothing_else_ends_the_game() -> None:
    """The Gobblet Game: "The game ends when all squares are filled, or a line of 4 of one color
    exists."."""
    game = Game(RULES)
    for move in ("4 AA", "4 DD", *("AA AB", "DD DC", "AB AA", "DC DD") * 4):
        game.play(move)
    assert (game.repetitions, game.outcome) == (5, None)
    with pytest.raises(GameError, match="agreement"):
        game.offer_draw(FIRST)
    with pytest.raises(GameError, match="touch"):
        game.touch("AA")
    all_placed = at(ALL_PLACED)
    assert [sum(all_placed.reserve(side).values()) for side in Side] == [0, 0]
    assert all_placed.outcome() is None


def test_line_of_four_ends_the_game_for_its_colour() -> None:
    """The Gobblet Game: "If a line of 4 exists, the player using that color is the winner."."""
    # A line on the full board wins; it is no draw.
    full = at("b4,b3,b4,b3/w4,b2,w4,w3/w4,w3,b4,b3/b2,w2,w2,w3 w")
    assert len(full.stacks) == 16
    assert full.outcome() == Outcome(SECOND, "line")
    # Also a line that the other player uncovers.
    revealed = at("x4/x4/b3,b4,b4,b3w4/x3,w4 w").play("DB DD")
    assert revealed.outcome() == Outcome(SECOND, "reveal")


# Running the code


def test_asks_how_many_people_play() -> None:
    """Running the code: "The game will then ask how many human player are to be playing (0-2),"."""
    text = run_play("3", "two", "0", options=("--level", "random", "--seed", "1", "--plies", "4"))
    assert text.count("How many people play, 0, 1 or 2?") == 3  # until the answer is one of them
    assert "Move 4: Player 2 plays" in text


def test_computer_moves_for_everybody_who_is_no_person() -> None:
    """Running the code: "and for each non-human player, the game implementation will make its own
    moves."."""
    computer = ("--level", "random", "--seed", "2")
    nobody = run_play(options=("--people", "0", "--plies", "6", *computer))
    for ply in range(1, 7):
        assert f"Move {ply}: Player {2 - ply % 2} plays" in nobody
    one = run_play("4 AA", "quit", options=("--people", "1", *computer))
    assert one.count("The computer (Player 2) plays") == 1
    assert "The computer (Player 1)" not in one
    two = run_play("4 AA", "4 BB", "quit", options=("--people", "2"))
    assert "computer" not in two


# Making a move


def test_board_and_stacks_before_each_move() -> None:
    """Making a move: "Before each move, the board is displayed, and the piece stacks of each player
    are also shown."."""
    text = run_play(*EXAMPLE_MOVES, "quit", options=("--people", "2"))
    position = Position.start(RULES)
    place = 0
    for number, move in enumerate((*EXAMPLE_MOVES, "quit")):
        place = text.index(text_board(position, labels="letters"), place)
        place = text.index(f"Player {number % 2 + 1} to move", place)
        if move != "quit":
            position = position.play(move)
    # Also before the computer's moves: after a person's, and between two computers'.
    computer = ("--level", "random", "--seed", "2")
    one = run_play("4 AA", "4 DD", "quit", options=("--people", "1", *computer))
    none = run_play(options=("--people", "0", "--plies", "4", *computer))
    for text in (one, none):
        parts = re.split(r"(?: to move \(.*?\): |[)12] plays )(.*)\n", text)
        boards, moves = parts[0:8:2], parts[1:8:2]
        position = Position.start(RULES)
        for board, move in zip(boards, moves, strict=True):
            assert text_board(position, labels="letters") in board
            position = position.play(move.rstrip("."))
        assert len(moves) == 4


def test_board_of_the_document_to_the_letter() -> None:
    """Making a move: "For example:" / "Player 1 (X) Stacks: [2, 4, 4]" / "Player 2 (O) Stacks:
    [3, 4, 4]"."""
    position = Position.start(RULES)
    for move in EXAMPLE_MOVES:
        position = position.play(move)
    assert position == at(EXAMPLE)
    assert text_board(position, labels="letters") == document_board()
    assert position.reserve_tops(FIRST) == (2, 4, 4)
    assert position.reserve_tops(SECOND) == (3, 4, 4)


def test_moves_of_the_example() -> None:
    """Making a move: "In this situation, player 2 (O) is the next to play, and can choose to place
    a piece of size 3 or size 4 on the board, or move the piece at DD to another board position,
    including covering the size 3 piece of player 1 at square CA."."""
    position = at(EXAMPLE)
    assert position.rules.symbols[position.turn] == "O"
    moves = position.legal_moves()
    assert {move.size for move in moves if move.places} == {3, 4}
    squares = set(position.rules.square_names)
    placed = {size: {move.target for move in moves if move.size == size} for size in (3, 4)}
    # Not onto the 4s at b3 and d4; the 3 not onto the 3 at c1 either.
    assert placed == {3: squares - {"b3", "d4", "c1"}, 4: squares - {"b3", "d4"}}
    assert {move.origin for move in moves if not move.places} == {"d4"}
    assert {move.target for move in moves if move.origin == "d4"} == squares - {"d4", "b3"}
    assert position.play("DD CA").stack("CA") == (Piece(FIRST, 3), Piece(SECOND, 4))


def test_adding_a_piece_takes_size_and_square() -> None:
    """Making a move: "Adding a piece from a stack of pieces requires specifying the size of piece
    to be added (e.g. 3 or 4 in this case), and the destination square in XY notation (e.g. BA,
    which would be the second square from the left on the bottom row."."""
    position = at(EXAMPLE)
    for size in (3, 4):
        after = position.play(f"{size} BA")
        assert after.stack("b1") == (Piece(SECOND, size),)
        bottom_row = text_board(after, labels="letters").splitlines()[10]
        assert bottom_row.split("|")[2].strip() == "OO"
    with pytest.raises(NotationError, match="size before it"):
        position.play("BA")


def test_moving_a_piece_takes_two_squares() -> None:
    """Making a move: "Moving an already-played piece requires the XY coordinates of the piece to be
    moved (e.g. DD) and the XY coordinates of the destination square."."""
    position = at(EXAMPLE)
    assert str(position.read_move("DD AC")) == "d4a3"
    assert position.play("DD AC").stack("AC") == (Piece(SECOND, 4),)
