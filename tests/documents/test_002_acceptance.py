"""Document 002, tic-tac-toe against the computer, sentence by sentence: its acceptance criteria.

Acceptance criteria, edge cases, scenarios and implementation notes; the rules themselves are in
test_002_tictactoe.py. Every docstring quotes the section and the sentence under test.
"""

import subprocess
import sys

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
    document_moves,
    drawn,
    lines_of,
    marks,
    new_game,
    played,
    with_line,
)
from nestline import (
    Game,
    GameError,
    IllegalMove,
    NotationError,
    Outcome,
    Piece,
    Position,
    PositionError,
    Seat,
    Side,
    Status,
)
from nestline.engine.players.levels import make_player

# Win Detection


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_player_wins_are_detected(line: Line) -> None:
    """Win Detection: "Detect player wins: 3 X in row, column, or diagonal"."""
    position, last = with_line(X, line)
    game = Game(start=position, seats=new_game().seats)
    game.play(last, by=X)
    assert game.status == "player won"


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_computer_wins_are_detected(line: Line) -> None:
    """Win Detection: "Detect AI wins: 3 O in row, column, or diagonal"."""
    position, _ = with_line(O, line)
    game = Game(start=position, seats=new_game().seats)
    game.play(make_player("hard", seed=2).choose(game), by=O)
    assert game.status == "computer won"


def test_all_eight_combinations() -> None:
    """Win Detection: "All 8 possible winning combinations detected (3 rows, 3 columns, 2
    diagonals)"."""
    won = {X: set(), O: set()}
    for position in all_positions():
        for side in Side:
            lines = lines_of(position, side)
            assert len(position.lines(side)) == len(lines)
            if lines:
                assert position.outcome() == Outcome(side, "line")
                won[side].update(lines)
    assert won[X] == won[O] == set(LINES.values())


def test_earliest_wins() -> None:
    """Win Detection: "Win detected even on move 5 (earliest possible for X), move 6 (for O)"."""
    earliest = {
        side: min(len(p.stacks) for p in all_positions() if p.outcome() == Outcome(side, "line"))
        for side in Side
    }
    assert earliest == {X: 5, O: 6}


def test_no_false_positives() -> None:
    """Win Detection: "No false positives (detects only exactly 3 in a row, not fewer)"."""
    for position in all_positions():
        if not lines_of(position, X) and not lines_of(position, O):
            outcome = position.outcome()
            assert outcome is None or outcome.is_draw
    assert marks("XX_ OO_ ___").outcome() is None


# Draw Detection


def test_draw_is_told_apart_from_win_and_loss() -> None:
    """Draw Detection: "Draw status distinguishes from win/loss"."""
    games = [played(*moves) for moves in (PLAYER_WINS, COMPUTER_WINS, DRAW)]
    assert [game.status for game in games] == ["player won", "computer won", "draw"]
    assert [game.result for game in games] == ["1-0", "0-1", "1/2-1/2"]


def test_no_false_draws() -> None:
    """Draw Detection: "No false draws (draw only when board is completely full)"."""
    for position in all_positions():
        if position.outcome() == Outcome(None, "board-full"):
            assert len(position.stacks) == 9
        else:
            assert position.outcome() is None or not position.outcome().is_draw
    with pytest.raises(GameError, match="agreement"):
        played("(1,1)").offer_draw(O)


# Move Validation


@pytest.mark.parametrize("move", ["(-1,0)", "(0,-1)", "(3,0)", "(0,3)", "(3,5)", "a4", "d1", "a0"])
def test_moves_outside_the_board_are_rejected(move: str) -> None:
    """Move Validation: "Reject move outside board bounds" / Edge Cases: "Player attempts move
    outside board (-1,0), (3,5), etc. → rejected silently"."""
    assert_rejected(played("(1,1)", "(0,0)"), move, NotationError)


def test_no_moves_after_a_win() -> None:
    """Move Validation: "No moves allowed after win detected" / Edge Cases: "Player attempts move
    after win detected → rejected silently"."""
    game = played(*PLAYER_WINS)
    for cell in CELLS:
        assert_rejected(game, cell, GameError)


def test_no_moves_after_a_loss() -> None:
    """Move Validation: "No moves allowed after loss detected" / Edge Cases: "Player attempts move
    after AI already won → rejected silently"."""
    game = played(*COMPUTER_WINS)
    for cell in CELLS:
        assert_rejected(game, cell, GameError)


def test_no_moves_after_a_draw() -> None:
    """Move Validation: "No moves allowed after draw detected"."""
    game = played(*DRAW)
    for cell in CELLS:
        assert_rejected(game, cell, GameError, by=O)


# Game State


def test_current_player_is_tracked() -> None:
    """Game State: "Track current player (X or O)"."""
    game = new_game()
    for expected, cell in zip("XOXOXOXOX", DRAW, strict=True):
        assert game.rules.symbols[game.turn] == expected
        game.play(cell, by=game.turn)
        assert game.position.top(cell) == Piece("XO".index(expected), 1)


def test_whose_turn_is_tracked() -> None:
    """Game State: "Track whose turn it is (player or AI)"."""
    game = new_game()
    for ply, cell in enumerate(DRAW):
        assert game.seats[game.turn].name == ("You", "Computer")[ply % 2]
        assert game.seats[game.turn].is_computer == (ply % 2 == 1)
        game.play(cell, by=game.turn)


def test_no_moves_in_the_computers_turn() -> None:
    """Game State: "Prevent moves during AI's turn"."""
    game = played("(1,1)")
    for cell in CELLS:
        assert_rejected(game, cell, GameError, by=X)
        assert_rejected(game, cell, GameError, by=None)  # only who acts for the computer may
    reply = make_player("easy", seed=5).choose(game)
    game.play(reply, by=O)
    game.play(next(move for move in game.legal_moves()), by=X)


# Reset/New Game


@pytest.mark.parametrize("moves", [DRAW[:4], PLAYER_WINS], ids=["under way", "won"])
def test_reset_clears_all_cells(moves: tuple[str, ...]) -> None:
    """Reset/New Game: "Reset clears all cells back to empty"."""
    game = played(*moves)
    game.reset()
    assert drawn(game.position) == "_" * 9
    assert (game.moves, game.outcome, game.can_undo) == ((), None, False)


def test_reset_allows_a_new_game() -> None:
    """Reset/New Game: "Reset allows new game to start"."""
    game = played(*DRAW)
    game.reset()
    assert game.status == "ongoing"
    for cell in COMPUTER_WINS:
        game.play(cell, by=game.turn)
    assert game.status == "computer won"


def test_reset_keeps_the_difficulty() -> None:
    """Reset/New Game: "Reset preserves selected difficulty level (unless player changes it)"."""
    game = new_game("easy")
    game.play("(1,1)")
    game.reset()
    assert game.seats[O] == Seat("Computer", "easy")
    game.seats = (game.seats[X], Seat("Computer", "medium"))
    game.reset()
    assert game.seats[O].level == "medium"
    assert [new_game(level).seats[O].level for level in ("easy", "hard")] == ["easy", "hard"]


@pytest.mark.parametrize("moves", [PLAYER_WINS, COMPUTER_WINS, DRAW[:1]])
def test_player_moves_first_after_a_reset(moves: tuple[str, ...]) -> None:
    """Reset/New Game: "Player (X) moves first in new game"."""
    game = played(*moves)
    game.reset()
    assert game.turn == X
    assert_rejected(game, "(0,0)", GameError, by=O)


# Edge Cases


def test_player_wins_on_move_5() -> None:
    """Edge Cases: "Player wins on move 5 (first possible win for X: X at moves 1,3,5)"."""
    game = played(*PLAYER_WINS)
    assert (game.ply, game.status) == (5, "player won")


def test_computer_wins_on_move_6() -> None:
    """Edge Cases: "AI wins on move 6 (first possible win for O: O at moves 2,4,6)"."""
    game = played(*COMPUTER_WINS[:5])
    game.play(make_player("hard", seed=4).choose(game), by=O)
    assert (game.ply, game.status) == (6, "computer won")


def test_occupied_cell_is_rejected_silently() -> None:
    """Edge Cases: "Player attempts move on occupied cell → rejected silently"."""
    game = played("(1,1)", "(0,0)")
    for cell in ("(1,1)", "(0,0)"):
        assert_rejected(game, cell, IllegalMove)
    game.play("(0,1)", by=X)  # still the player's turn


def test_several_lines_at_once() -> None:
    """Edge Cases: "Win detected with multiple winning combinations (e.g., 2 rows completed same
    turn - shouldn't happen in legal play, but handle gracefully)"."""
    # A row and a column at once can happen, with the last mark: a win, not a draw.
    game = played(
        "(0,1)", "(1,1)", "(0,2)", "(1,2)", "(1,0)", "(2,1)", "(2,0)", "(2,2)", "(0,0)"
    )  # fmt: skip
    assert game.outcome == Outcome(X, "line")
    assert len(game.position.lines(X)) == 2
    assert game.explain() == "X wins with the lines a3-b3-c3 and a1-a2-a3."
    # Two rows take six marks of one player against two: such a board is refused, or, read
    # leniently, won.
    with pytest.raises(PositionError, match="X has 6 and O 2 on the board"):
        marks("XXX OO_ XXX", O)
    two_rows = Position("w1,w1,w1/b1,b1,x/w1,w1,w1 b", "tictactoe", lenient=True)
    assert two_rows.outcome() == Outcome(X, "line")
    assert len(two_rows.lines(X)) == 2


def test_same_cell_clicked_twice() -> None:
    """Edge Cases: "Same cell clicked twice by accident → second click rejected"."""
    game = new_game()
    game.play("(0,0)", by=X)
    assert_rejected(game, "(0,0)", GameError, by=X)
    assert_rejected(game, "(0,0)", IllegalMove, by=O)
    assert drawn(game.position) == "X________"


# Win Combinations (All 8)


@pytest.mark.parametrize("line", ROWS.values(), ids=ROWS)
def test_combinations_rows(line: Line) -> None:
    """Rows: "Row 0: cells (0,0), (0,1), (0,2)" / "Row 1: cells (1,0), (1,1), (1,2)" / "Row 2: cells
    (2,0), (2,1), (2,2)"."""
    position, last = with_line(X, line)
    names = [{position.rules.square_index(name) for name in row}
             for row in position.play(last).lines(X)]  # fmt: skip
    assert names == [{(2 - int(cell[1])) * 3 + int(cell[3]) for cell in line}]


@pytest.mark.parametrize("line", COLUMNS.values(), ids=COLUMNS)
def test_combinations_columns(line: Line) -> None:
    """Columns: "Col 0: cells (0,0), (1,0), (2,0)" / "Col 1: cells (0,1), (1,1), (2,1)" / "Col 2:
    cells (0,2), (1,2), (2,2)"."""
    position, last = with_line(O, line)
    names = [{position.rules.square_index(name) for name in column}
             for column in position.play(last).lines(O)]  # fmt: skip
    assert names == [{(2 - int(cell[1])) * 3 + int(cell[3]) for cell in line}]


@pytest.mark.parametrize("line", DIAGONALS.values(), ids=DIAGONALS)
def test_combinations_diagonals(line: Line) -> None:
    """Diagonals: "Diagonal 1: cells (0,0), (1,1), (2,2)" / "Diagonal 2: cells (0,2), (1,1),
    (2,0)"."""
    position, last = with_line(X, line)
    names = [{position.rules.square_index(name) for name in diagonal}
             for diagonal in position.play(last).lines(X)]  # fmt: skip
    assert names == [{(2 - int(cell[1])) * 3 + int(cell[3]) for cell in line}]


# Example Scenarios


def test_scenario_1_player_wins() -> None:
    """Scenario 1: Player Wins (Row): "Player wins! (row 0)" / "Game ends. No move 6."."""
    assert document_moves(1) == PLAYER_WINS
    game = played(*PLAYER_WINS)
    assert game.status == "player won"
    assert game.position.lines(X) == (("a3", "b3", "c3"),)
    assert_rejected(game, "(2,2)", GameError, by=O)


def test_scenario_2_computer_wins() -> None:
    """Scenario 2: AI Wins (Diagonal): "AI wins! (diagonal: 0,0 → 1,1 → 2,2)" / "Game ends. No move
    7."."""
    assert document_moves(2) == COMPUTER_WINS
    game = played(*COMPUTER_WINS)
    assert game.status == "computer won"
    assert [set(line) for line in game.position.lines(O)] == [{"a3", "b2", "c1"}]
    assert_rejected(game, "(2,1)", GameError, by=X)


def test_scenario_3_draw() -> None:
    """Scenario 3: Draw: "Board full, no winner. Draw!" / "Game ends."."""
    assert document_moves(3) == DRAW
    game = played(*DRAW)
    assert drawn(game.position) == "XOXOOXXXO"
    assert game.status == "draw"
    assert_rejected(game, "(0,0)", GameError, by=O)


# Implementation Notes


def test_positions_are_immutable() -> None:
    """Implementation Notes: "Board state should be immutable (use copies when evaluating
    moves)"."""
    position = Position.start("tictactoe")
    after = position.play("(1,1)")
    assert position == Position.start("tictactoe") != after
    with pytest.raises(AttributeError):
        position.turn = O
    with pytest.raises(TypeError):
        after.stacks["a1"] = ()
    game = played("(1,1)")
    before = (game.position, game.moves, game.can_redo)
    make_player("hard", seed=6).choose(game)
    assert (game.position, game.moves, game.can_redo) == before


def test_status_has_four_values() -> None:
    """Implementation Notes: "Track game status separately: ONGOING, PLAYER_WON, AI_WON, DRAW"."""
    games = [played(*moves) for moves in ((), DRAW[:8], PLAYER_WINS, COMPUTER_WINS, DRAW)]
    named = [Status.ONGOING, Status.ONGOING, Status.PLAYER_WON, Status.AI_WON, Status.DRAW]
    assert [game.status for game in games] == named
    assert [game.status.name for game in games] == [status.name for status in named]
    assert named == ["ongoing", "ongoing", "player won", "computer won", "draw"]


def test_outcome_is_kept() -> None:
    """Implementation Notes: "Consider: caching win state for performance (minimax uses this)"."""
    won = marks("XXX OO_ ___", O)
    assert won.outcome() == Outcome(X, "line")
    assert won.outcome() is won.outcome()


# The program


@pytest.fixture(scope="module")
def terminal_text() -> str:
    """What the terminal game prints for one move, five mistakes and a new game."""
    lines = ("b2", "b2", "(-1,0)", "(3,5)", "b2", "nonsense", "new", "quit")
    command = [sys.executable, "-m", "nestline", "play", "--rules", "tictactoe", "--plain",
               "--people", "1", "--level", "hard", "--seed", "1"]  # fmt: skip
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_terminal_player_is_x(terminal_text: str) -> None:
    """Game Setup: "Player is always X (starts first)" / "AI is always O (goes second)"."""
    assert "You are X; the computer (hard) is O." in terminal_text
    assert terminal_text.index("X to move") < terminal_text.index("The computer (O) plays")
    assert "O to move" not in terminal_text


def test_terminal_rejects_quietly(terminal_text: str) -> None:
    """Edge Cases: "Player attempts move on occupied cell → rejected silently" / "Player attempts
    move outside board (-1,0), (3,5), etc. → rejected silently" / "Same cell clicked twice by
    accident → second click rejected"."""
    # One move and one reply, whatever else was typed; each mistake prompts again.
    assert terminal_text.count("The computer (O) plays") == 1
    assert terminal_text.count("X to move") == 8


def test_terminal_new_game_keeps_the_difficulty(terminal_text: str) -> None:
    """Reset/New Game: "Reset preserves selected difficulty level (unless player changes it)"."""
    assert terminal_text.count("You are X; the computer (hard) is O.") == 2
