"""Document 002, tic-tac-toe against the computer, sentence by sentence: its rules.

The rule set is `tictactoe`. Every docstring quotes the section and the sentence under test.
The acceptance criteria, edge cases, scenarios and notes are in test_002_acceptance.py.
"""

from itertools import product

import pytest

from documents.tictactoe import (
    CELLS,
    COLUMNS,
    COMPUTER_WINS,
    DIAGONALS,
    DRAW,
    LINES,
    PLAYER_WINS,
    ROWS,
    Line,
    O,
    X,
    all_positions,
    assert_rejected,
    drawn,
    marks,
    new_game,
    played,
    with_line,
)
from nestline import (
    Game,
    GameError,
    IllegalMove,
    NestlineError,
    NotationError,
    Outcome,
    Piece,
    Position,
    PositionError,
    Side,
    read_record,
)
from nestline.engine.players.levels import make_player

# What It Does


def test_standard_rules_on_a_3x3_board() -> None:
    """What It Does: "Enforce standard tic-tac-toe rules on a 3x3 board"."""
    start = Position.start("tictactoe")
    assert {str(move) for move in start.legal_moves()} == {
        f"1{column}{row}" for column in "abc" for row in "123"
    }
    position = start.play("b2").play("a1")
    assert len(position.legal_moves()) == 7
    with pytest.raises(IllegalMove, match="do not move"):
        position.play("b2c3")


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
@pytest.mark.parametrize("side", Side, ids=["X", "O"])
def test_three_in_a_row_are_detected(side: Side, line: Line) -> None:
    """What It Does: "Detect when a player (X or O) gets 3 in a row (horizontally, vertically, or
    diagonally)"."""
    before, last = with_line(side, line)
    assert before.outcome() is None
    assert before.play(last).outcome() == Outcome(side, "line")
    assert before.play(last).lines(side)


def test_full_board_is_a_draw() -> None:
    """What It Does: "Detect when the board is full with no winner (draw)" / Draw Detection: "Detect
    draw when all 9 cells filled with no winner" / Edge Cases: "Board fills to move 9 with no winner
    (draw)" / Edge Cases: "Draw detected on move 9 when last cell fills board completely"."""
    game = played(*DRAW[:8])
    assert game.status == "ongoing"
    game.play(DRAW[8])
    assert (game.ply, game.outcome) == (9, Outcome(None, "board-full"))


def test_x_always_starts() -> None:
    """What It Does: "Track whose turn it is (X always starts first)" / Game State: "Enforce X
    always goes first"."""
    game = new_game()
    assert game.rules.symbols[game.turn] == "X"
    assert_rejected(game, "(1,1)", GameError, by=O)
    game.play("(1,1)", by=X)
    assert drawn(game.position) == "____X____"
    assert game.rules.symbols[game.turn] == "O"
    # No board on which O has gone first, or anybody out of turn.
    for cells, turn in (("___ _O_ ___", X), ("___ ___ ___", O), ("XXX XXX XXX", O)):
        with pytest.raises(PositionError, match="so it cannot be"):
            marks(cells, turn)


def test_moves_are_validated() -> None:
    """What It Does: "Validate that moves are legal (cell unoccupied, within bounds)"."""
    game = played("(1,1)", "(0,0)")
    assert_rejected(game, "(1,1)", IllegalMove)
    assert_rejected(game, "(0,3)", NotationError)


def test_winner_or_draw_is_declared() -> None:
    """What It Does: "Declare game winner or draw when conditions are met"."""
    assert played(*PLAYER_WINS).explain() == "X wins with the line a3-b3-c3."
    assert played(*COMPUTER_WINS).explain().startswith("O wins with the line ")
    assert played(*DRAW).explain() == "Draw: every square is occupied and nobody has a line."


@pytest.mark.parametrize("moves", [PLAYER_WINS, COMPUTER_WINS, DRAW], ids=["win", "loss", "draw"])
def test_no_moves_after_the_end(moves: tuple[str, ...]) -> None:
    """What It Does: "Prevent moves after game ends" / Turn Order: "No player can move after game
    ends" / Move Legality: "No move can be made after game ends (win/loss/draw detected)" / Game End
    Conditions: "No further moves allowed after game ends" / Game State: "Prevent moves after game
    ends"."""
    game = played(*moves)
    assert game.legal_moves() == ()
    for cell, side in product(CELLS, Side):
        assert_rejected(game, cell, GameError, by=side)
    with pytest.raises(IllegalMove, match="over"):
        game.position.play("(2,1)")


# Player (X) Wins, AI (O) Wins


@pytest.mark.parametrize("line", ROWS.values(), ids=["top", "middle", "bottom"])
def test_player_wins_with_a_row(line: Line) -> None:
    """Player (X) Wins: "3 X marks in the same row (any row: top, middle, bottom)"."""
    position, last = with_line(X, line)
    assert position.play(last).outcome() == Outcome(X, "line")


@pytest.mark.parametrize("line", COLUMNS.values(), ids=["left", "center", "right"])
def test_player_wins_with_a_column(line: Line) -> None:
    """Player (X) Wins: "3 X marks in the same column (any column: left, center, right)"."""
    position, last = with_line(X, line)
    assert position.play(last).outcome() == Outcome(X, "line")


@pytest.mark.parametrize("line", DIAGONALS.values(), ids=["falling", "rising"])
def test_player_wins_with_a_diagonal(line: Line) -> None:
    """Player (X) Wins: "3 X marks in the same diagonal (top-left to bottom-right OR top-right to
    bottom-left)"."""
    position, last = with_line(X, line)
    assert position.play(last).outcome() == Outcome(X, "line")


@pytest.mark.parametrize("line", ROWS.values(), ids=["top", "middle", "bottom"])
def test_computer_wins_with_a_row(line: Line) -> None:
    """AI (O) Wins: "3 O marks in the same row (any row: top, middle, bottom)"."""
    position, last = with_line(O, line)
    assert position.play(last).outcome() == Outcome(O, "line")


@pytest.mark.parametrize("line", COLUMNS.values(), ids=["left", "center", "right"])
def test_computer_wins_with_a_column(line: Line) -> None:
    """AI (O) Wins: "3 O marks in the same column (any column: left, center, right)"."""
    position, last = with_line(O, line)
    assert position.play(last).outcome() == Outcome(O, "line")


@pytest.mark.parametrize("line", DIAGONALS.values(), ids=["falling", "rising"])
def test_computer_wins_with_a_diagonal(line: Line) -> None:
    """AI (O) Wins: "3 O marks in the same diagonal (top-left to bottom-right OR top-right to
    bottom-left)"."""
    position, last = with_line(O, line)
    assert position.play(last).outcome() == Outcome(O, "line")


# Draw (Tie)


def test_draw_needs_nine_cells_and_no_line() -> None:
    """Draw (Tie): "All 9 cells are occupied AND no player has 3 in a row"."""
    assert marks("XOX OOX XXO", O).outcome() == Outcome(None, "board-full")
    assert marks("XOX OOX _XO", X).outcome() is None
    assert marks("XXX XOO OOX", O).outcome() == Outcome(X, "line")


def test_unwinnable_but_unfilled_goes_on() -> None:
    """Draw (Tie): "Game is unwinnable for both players"."""
    # Every line holds marks of both players, yet a draw takes the full board.
    blocked = marks("XOX OOX _XO", X)
    for line in LINES.values():
        assert {top.side for cell in line if (top := blocked.top(cell))} == {X, O}
    assert blocked.outcome() is None
    assert blocked.play("(2,0)").outcome() == Outcome(None, "board-full")
    assert blocked.play("(2,0)").lines(X) == blocked.play("(2,0)").lines(O) == ()


# Game Setup


def test_board_starts_empty() -> None:
    """Game Setup: "Board starts empty (all 9 cells unoccupied)"."""
    game = new_game()
    assert drawn(game.position) == "_" * 9
    assert len(game.legal_moves()) == 9


def test_player_is_x_and_computer_is_o() -> None:
    """Game Setup: "Player is always X (starts first)" / "AI is always O (goes second)"."""
    game = new_game()
    assert game.rules.players == game.rules.symbols == ("X", "O")
    assert [seat.is_computer for seat in game.seats] == [False, True]
    person, computer = game.seats
    with pytest.raises(GameError, match="plays the computer is X and begins; the computer is O"):
        Game("tictactoe", seats=(computer, person))
    with pytest.raises(GameError, match="plays the computer is X and begins; the computer is O"):
        game.seats = (computer, person)
    for record in ('[FirstLevel "hard"]', '[FirstLevel "1"][Second "Ann"]'):
        with pytest.raises(GameError, match="plays the computer is X and begins"):
            Game.from_record(read_record(f'[Rules "tictactoe"]{record} 1. b2'))
    assert game.seats == (person, computer)
    game.play("(1,1)", by=X)
    game.play(make_player("hard", seed=1).choose(game), by=O)
    assert sorted(drawn(game.position).replace("_", "")) == ["O", "X"]
    assert drawn(game.position)[4] == "X"


def test_player_makes_the_first_move() -> None:
    """Game Setup: "Player makes first move"."""
    game = new_game()
    assert not game.seats[game.turn].is_computer


# Turn Order


def test_player_moves_first_and_computer_second() -> None:
    """Turn Order: "Player (X) moves first" / "AI (O) moves second"."""
    game = new_game()
    game.play("(0,0)", by=X)
    assert game.seats[game.turn].is_computer
    reply = make_player("medium", seed=3).choose(game)
    game.play(reply, by=O)
    assert game.position.top(reply.target) == Piece(O, 1)
    assert not game.seats[game.turn].is_computer


def test_turns_alternate() -> None:
    """Turn Order: "Turns alternate: X, O, X, O, X, O, X, O, X"."""
    game = new_game()
    turns = []
    for cell in DRAW:
        turns.append(game.rules.symbols[game.turn])
        game.play(cell, by=game.turn)
    assert turns == list("XOXOXOXOX")


def test_at_most_nine_moves() -> None:
    """Turn Order: "Maximum 9 moves total (9 cells on board)"."""
    assert max(len(position.stacks) for position in all_positions()) == 9
    assert played(*DRAW).ply == 9
    assert all(p.outcome() for p in all_positions() if len(p.stacks) == 9)


@pytest.mark.parametrize("moves", [1, 2, 3, 4])
def test_nobody_moves_twice_in_a_row(moves: int) -> None:
    """Turn Order: "No player can move twice in a row" / Game State: "Prevent double-moves (same
    player twice in a row)"."""
    game = played(*DRAW[:moves])
    just_moved = game.turn.other
    assert_rejected(game, "(2,1)", GameError, by=just_moved)
    game.play("(2,1)", by=game.turn)


# Move Legality


@pytest.mark.parametrize("cell", CELLS)
def test_valid_only_on_empty_cells(cell: str) -> None:
    """Move Legality: "A move is valid only if the target cell is empty (unoccupied)" / Move
    Validation: "Accept move only on empty cell"."""
    game = played("(0,0)", "(1,1)", "(2,1)", "(0,2)")
    if game.position.top(cell) is None:
        game.play(cell)
        assert game.position.top(cell) == Piece(X, 1)
    else:
        assert_rejected(game, cell, IllegalMove)


@pytest.mark.parametrize(("row", "column"), list(product(range(-1, 4), repeat=2)))
def test_valid_only_within_the_board(row: int, column: int) -> None:
    """Move Legality: "A move is valid only if the target cell is within the 3x3 board (coordinates
    0-2)" / Move Validation: "Accept move only within 0-2 coordinates"."""
    game = new_game()
    cell = f"({row},{column})"
    if 0 <= row <= 2 and 0 <= column <= 2:
        game.play(cell)
        assert game.position.top(cell) == Piece(X, 1)
    else:
        assert_rejected(game, cell, NotationError)


@pytest.mark.parametrize("cell", ["(0,0)", "(1,1)"], ids=["occupied by X", "occupied by O"])
def test_invalid_on_marks_of_either_player(cell: str) -> None:
    """Move Legality: "A move is invalid if the cell is already occupied by X or O" / Move
    Validation: "Reject move on occupied cell (no overwrite)"."""
    game = played("(0,0)", "(1,1)")
    assert_rejected(game, cell, IllegalMove)
    game.play("(2,2)")
    assert_rejected(game, cell, IllegalMove, by=O)


def test_invalid_moves_are_not_applied() -> None:
    """Move Legality: "Invalid moves must be rejected (not applied to board)" / Implementation
    Notes: "Prevent state corruption (don't allow illegal moves to modify board)"."""
    game = played("(0,0)", "(1,1)", "(2,2)")
    before = str(game.position)
    for move in ("(0,0)", "(1,1)", "(3,5)", "a3b3", "2a1", "nonsense", ""):
        assert_rejected(game, move, NestlineError, by=O)
    assert str(game.position) == before
    game.play("(0,1)", by=O)
    assert drawn(game.position) == "XO__O___X"


# Game End Conditions


def test_game_ends_immediately_with_three_in_a_row() -> None:
    """Game End Conditions: "Game ends immediately when a player gets 3 in a row" / Win Detection:
    "Game ends immediately when win is detected"."""
    game = played(*PLAYER_WINS[:4])
    assert game.outcome is None
    game.play(PLAYER_WINS[4])
    # O has two in a row too and would win with the next move.
    assert game.outcome == Outcome(X, "line")
    assert_rejected(game, "(1,2)", GameError, by=O)


def test_game_ends_immediately_when_the_board_is_full() -> None:
    """Game End Conditions: "Game ends immediately when all 9 cells are filled with no winner
    (draw)" / Draw Detection: "Game ends immediately when board is full"."""
    game = played(*DRAW)
    assert game.outcome == Outcome(None, "board-full")
    assert game.status == "draw"


@pytest.mark.parametrize("moves", [PLAYER_WINS, COMPUTER_WINS, DRAW], ids=["win", "loss", "draw"])
def test_only_a_reset_plays_again(moves: tuple[str, ...]) -> None:
    """Game End Conditions: "Game must be explicitly reset to play again"."""
    game = played(*moves)
    end = game.position
    for cell in CELLS:
        assert_rejected(game, cell, GameError)
    for agreed in (False, True):
        with pytest.raises(GameError, match="finished game of tictactoe cannot be taken back"):
            game.undo(agreed)
    assert (game.position, game.can_undo) == (end, False)
    game.reset()
    game.play("(1,1)", by=X)
    assert drawn(game.position) == "____X____"
