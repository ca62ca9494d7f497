"""What the tests of document 002 share: its cells, its lines, its scenarios.

Cells are written as in the document, (row,column) from the top left: (0,0) is a3. The player is X
and sits in the first seat, the computer is O. What the document calls "rejected silently" is an
error of the package that leaves the game unchanged; interfaces decide how to show it.
"""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from nestline import Game, NestlineError, Piece, Position, Seat, Side

X, O = Side.FIRST, Side.SECOND  # noqa: E741
ROWS = {
    "Row 0: cells (0,0), (0,1), (0,2)": ("(0,0)", "(0,1)", "(0,2)"),
    "Row 1: cells (1,0), (1,1), (1,2)": ("(1,0)", "(1,1)", "(1,2)"),
    "Row 2: cells (2,0), (2,1), (2,2)": ("(2,0)", "(2,1)", "(2,2)"),
}
COLUMNS = {
    "Col 0: cells (0,0), (1,0), (2,0)": ("(0,0)", "(1,0)", "(2,0)"),
    "Col 1: cells (0,1), (1,1), (2,1)": ("(0,1)", "(1,1)", "(2,1)"),
    "Col 2: cells (0,2), (1,2), (2,2)": ("(0,2)", "(1,2)", "(2,2)"),
}
DIAGONALS = {
    "Diagonal 1: cells (0,0), (1,1), (2,2)": ("(0,0)", "(1,1)", "(2,2)"),
    "Diagonal 2: cells (0,2), (1,1), (2,0)": ("(0,2)", "(1,1)", "(2,0)"),
}
LINES = {**ROWS, **COLUMNS, **DIAGONALS}
CELLS = [f"({row},{column})" for row, column in product(range(3), repeat=2)]

PLAYER_WINS = ("(0,0)", "(1,0)", "(0,1)", "(1,1)", "(0,2)")
COMPUTER_WINS = ("(0,1)", "(0,0)", "(1,0)", "(1,1)", "(2,0)", "(2,2)")
DRAW = (
    "(0,0)", "(0,1)", "(0,2)", "(1,0)", "(1,2)", "(1,1)", "(2,0)", "(2,2)", "(2,1)",
)  # fmt: skip
"""The moves of the document's three scenarios."""

Line = tuple[str, str, str]


def document_moves(scenario: int) -> tuple[str, ...]:
    """The cells of one of the document's scenarios, whose boards are drawn carelessly."""
    text = (Path(__file__).parent / "sources" / "002.txt").read_text("utf-8")
    part = text.split(f"### Scenario {scenario}:")[1].split("##")[0]
    moves = re.findall(r"^Move (\d) \(([XO])\): (\(\d,\d\))", part, re.MULTILINE)
    assert [(int(number), mark) for number, mark, _ in moves] == [
        (ply + 1, "XO"[ply % 2]) for ply in range(len(moves))
    ]
    return tuple(cell for _, _, cell in moves)


def new_game(level: str = "hard") -> Game:
    return Game("tictactoe", seats=(Seat("You"), Seat("Computer", level)))


def played(*cells: str) -> Game:
    """A game with these cells marked in turn."""
    game = new_game()
    for number, cell in enumerate(cells):
        game.play(cell, by=Side(number % 2))
    return game


def marks(text: str, turn: Side = X) -> Position:
    """A position from nine characters in the document's order of cells."""
    pairs = zip(CELLS, text.replace(" ", ""), strict=True)
    stacks = {cell: [(X if mark == "X" else O, 1)] for cell, mark in pairs if mark in "XO"}
    return Position.from_stacks(stacks, turn, "tictactoe")


def drawn(position: Position) -> str:
    """The nine characters of a position, the reverse of `marks`."""
    tops = (position.top(cell) for cell in CELLS)
    return "".join("_" if top is None else "XO"[top.side] for top in tops)


def with_line(side: Side, line: Line) -> tuple[Position, str]:
    """A position where this player is to move and one cell short of the line, and that cell.

    The other has equally many marks, or is X and has one more.
    """
    first, second, last = line
    others = [cell for cell in CELLS if cell not in line]
    stacks = {cell: [(side, 1)] for cell in (first, second)}
    elsewhere = (others[0], others[-1], others[1])[: 2 + side]
    stacks |= {cell: [(side.other, 1)] for cell in elsewhere}
    return Position.from_stacks(stacks, side, "tictactoe"), last


@cache
def all_positions() -> tuple[Position, ...]:
    """Every reachable position."""
    found: set[Position] = set()
    level = {Position.start("tictactoe")}
    while level:
        found |= level
        level = {position.play(move) for position in level for move in position.legal_moves()}
        level -= found
    return tuple(found)


def lines_of(position: Position, side: Side) -> list[Line]:
    """The lines of a player, found the slow way."""
    cells = {cell for cell in CELLS if position.top(cell) == Piece(side, 1)}
    return [line for line in LINES.values() if cells.issuperset(line)]


def assert_rejected(game: Game, move: str, error: type[NestlineError], by: Side | None = X) -> None:
    """The move is refused and nothing at all has changed."""
    before = (game.position, game.moves, game.turn, game.status, game.outcome)
    with pytest.raises(error):
        game.play(move, by=by)
    assert (game.position, game.moves, game.turn, game.status, game.outcome) == before
