"""Squares, moves and positions as text: read in every accepted spelling, written in one.

The functions work on names and numbers; `position` knows what a move means on a board, and `record`
writes whole games.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from nestline.errors import NotationError
from nestline.rules import RuleSet
from nestline.rules.ruleset import COLUMNS

SIDE_LETTERS = "wb"
"""First and second player in the text of a position, whatever the rule set calls them."""

SIZE_LETTERS = "sml"
"""Small, medium, large: spellings of sizes 1, 2, 3 where there are three sizes."""

_COORDINATES = r"-?[0-9]{1,3}\s*,\s*-?[0-9]{1,3}"
_NAMED = rf"[a-z][0-9]{{1,3}}|[a-h]{{2}}|\(\s*{_COORDINATES}\s*\)"
_SQUARE = rf"(?:{_NAMED}|{_COORDINATES})"
_BETWEEN = r"\s*(?:->|→|-|x)?\s*"
# A size and bare numbers need a blank between them: `10,0` is neither a square nor size 1 on `0,0`.
_PLACE = re.compile(rf"([0-9]|[{SIZE_LETTERS}])(?:\s*({_NAMED})|\s+({_COORDINATES}))")
_MOVE = re.compile(rf"({_SQUARE}){_BETWEEN}({_SQUARE})")
_ALONE = re.compile(_SQUARE)
_RUN = re.compile(r"x([1-9]?)")
_STACK = re.compile(rf"(?:[{SIDE_LETTERS}][0-9])+")


class MoveText(NamedTuple):
    """The parts of a move: a size from the reserve, or an origin on the board; and a target."""

    size: int | None
    origin: str | None
    target: str


class BoardText(NamedTuple):
    """The parts of a position: on each occupied square (side, size) from bottom to top."""

    stacks: dict[str, tuple[tuple[int, int], ...]]
    turn: int


def read_square(text: str, rules: RuleSet) -> str:
    """The name of a square from `b2`, from 004's two letters `BB`, or from row and column.

    Row and column count from 0 at the top left, as in documents 000 and 002: on a 3x3 board `(0,0)`
    is a3.
    """
    word = _lowered(text)
    if not _ALONE.fullmatch(word):
        raise NotationError(f"{_quoted(text)} is not a square; squares are written like b2")
    numbers = re.findall(r"-?[0-9]+", word)
    if "," in word:
        row, column = rules.board - 1 - int(numbers[0]), int(numbers[1])
        last = rules.board - 1
        allowed = f"rows and columns are 0 to {last}, from the top left"
    else:
        column = COLUMNS.find(word[0])
        row = int(numbers[0]) - 1 if numbers else COLUMNS.find(word[1])
        allowed = f"its squares are a1 to {rules.square_names[-1]}"
    if not (0 <= row < rules.board and 0 <= column < rules.board):
        raise NotationError(
            f"{' '.join(text.split())} is not on the {rules.board}x{rules.board} board; {allowed}"
        )
    return rules.square_name(row * rules.board + column)


def read_move(text: str, rules: RuleSet) -> MoveText:
    """The parts of a move in any accepted spelling; it need not be legal."""
    word = _lowered(text)
    if match := _PLACE.fullmatch(word):
        target = read_square(match[2] or match[3], rules)
        return MoveText(_read_size(match[1], rules), None, target)
    if match := _MOVE.fullmatch(word):
        return MoveText(None, read_square(match[1], rules), read_square(match[2], rules))
    if _ALONE.fullmatch(word):
        target = read_square(word, rules)
        if rules.sizes == 1:
            return MoveText(1, None, target)
        raise NotationError(
            f"{_quoted(text)} names one square only; put a size before it ({rules.sizes}{target}) "
            "or the square the piece comes from"
        )
    last = rules.square_names[-1]
    example = f"{rules.sizes}{last}" + (f" or a1{last}" if rules.moving else f" or {last}")
    raise NotationError(f"{_quoted(text)} is not a move; moves are written like {example}")


def _read_size(text: str, rules: RuleSet) -> int:
    if text in SIZE_LETTERS:
        if rules.sizes != len(SIZE_LETTERS):
            raise NotationError(
                f"sizes are written as letters only where there are three; here {_sizes(rules)}"
            )
        return SIZE_LETTERS.index(text) + 1
    size = int(text)
    if not 1 <= size <= rules.sizes:
        raise NotationError(f"there is no size {size}; {_sizes(rules)}")
    return size


def _sizes(rules: RuleSet) -> str:
    return f"sizes are 1 to {rules.sizes}" if rules.sizes > 1 else "the only size is 1"


def write_move(size: int | None, origin: str | None, target: str) -> str:
    """The one canonical spelling: `3b2` from the reserve, `a1c3` on the board."""
    return f"{origin or size}{target}"


def read_board(text: str, rules: RuleSet) -> BoardText:
    """The stacks and the turn from a text like `x3/x,b1w3,x/w2,x2 b`, or the word `start`.

    The blank may be `_`, as in URLs. Only the syntax is checked here, not whether such pieces
    exist.
    """
    words = _lowered(text).replace("_", " ").split()
    if words == ["start"]:
        return BoardText({}, 0)
    if len(words) != 2:
        raise NotationError(
            f"{_quoted(text)} is not a position; it takes a board and w or b for the player to "
            f"move, like {'/'.join([_empty_run(rules.board)] * rules.board)} w"
        )
    board, turn = words
    if turn not in SIDE_LETTERS or len(turn) != 1:
        raise NotationError(f"the player to move is w or b, not {_quoted(turn)}")
    rows = board.split("/")
    if len(rows) != rules.board:
        raise NotationError(
            f"the board has {len(rows)} row{'s' * (len(rows) != 1)}; "
            f"{rules.name} has {rules.board}, separated by /"
        )
    stacks = {}
    for number, row in zip(range(rules.board, 0, -1), rows, strict=True):
        for column, stack in enumerate(_read_row(row, number, rules)):
            if stack:
                stacks[f"{COLUMNS[column]}{number}"] = stack
    return BoardText(stacks, SIDE_LETTERS.index(turn))


def _read_row(text: str, number: int, rules: RuleSet) -> list[tuple[tuple[int, int], ...]]:
    squares: list[tuple[tuple[int, int], ...]] = []
    for item in text.split(","):
        if match := _RUN.fullmatch(item):
            squares.extend([()] * int(match[1] or 1))
        elif _STACK.fullmatch(item):
            pairs = zip(item[::2], item[1::2], strict=True)
            squares.append(tuple((SIDE_LETTERS.index(side), int(size)) for side, size in pairs))
        else:
            raise NotationError(
                f"row {number}: {_quoted(item)} is not a square; it takes x, x2, … for empty "
                "squares, or the pieces of a stack from bottom to top like b1w3"
            )
    if len(squares) != rules.board:
        raise NotationError(
            f"row {number} has {len(squares)} square{'s' * (len(squares) != 1)}; "
            f"{rules.name} has {rules.board}"
        )
    return squares


def write_board(stacks: Mapping[str, Sequence[tuple[int, int]]], turn: int, board: int) -> str:
    """The text of a position, rows from the top, runs of empty squares merged."""
    rows = []
    for names in _rows(board):
        items: list[str] = []
        empty = 0
        for name in names:
            stack = stacks.get(name)
            if not stack:
                empty += 1
                continue
            if empty:
                items.append(_empty_run(empty))
                empty = 0
            items.append("".join([f"{SIDE_LETTERS[side]}{size}" for side, size in stack]))
        if empty:
            items.append(_empty_run(empty))
        rows.append(",".join(items))
    return f"{'/'.join(rows)} {SIDE_LETTERS[turn]}"


@cache
def _rows(board: int) -> list[list[str]]:
    """The names of the squares, rows from the top."""
    return [[f"{column}{row}" for column in COLUMNS[:board]] for row in range(board, 0, -1)]


def _empty_run(length: int) -> str:
    return f"x{length}" if length > 1 else "x"


def _lowered(text: object) -> str:
    """The text in lower case; anything that is not text becomes empty, and is then refused."""
    return text.strip().lower() if isinstance(text, str) else ""


def _quoted(text: object) -> str:
    """The text, or what came in its place, as quoted in a message: short, and on one line."""
    if not isinstance(text, str):
        return " ".join(repr(text).split())[:40]
    shown = text.strip()
    return repr(shown if len(shown) <= 40 else shown[:39] + "…")
