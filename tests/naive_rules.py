"""A second, naive implementation of the rules, for tests to compare the package with.

It is written from the rule book and the five documents alone, shares no code with the package and
imports nothing from it. It prefers being obviously right to being fast, and leaves names, drawing,
touching, draw offers and records to the package.

A board is a list of stacks, a1, b1, ... from the bottom row upwards; a stack is a list of
(player, size) from bottom to top; players are 0 and 1. Moves and positions are text: "3b2" places
a size 3 on b2, "a1c3" moves, "x3/x,b1w3,x/w2,x2 b" is a board (top row first) and who is to move.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypedDict, TypeVar

Piece = tuple[int, int]
Board = list[list[Piece]]
Line = tuple[int, ...]
Reserve = list[list[int]]
Item = TypeVar("Item")

LETTERS = "abcd"
COLOURS = "wb"


class Rules(TypedDict):
    """The fields of a rule set that say how it is played; further keys do no harm."""

    board: int
    line: int
    line_sizes: Literal["any", "equal", "rising"]
    wrap: bool
    misere: bool
    stock: tuple[int, ...]
    reserve: Literal["loose", "nested"]
    place_onto: Literal["empty", "smaller", "threat"]
    cover: Literal["any", "opponent", "own", "none"]
    moving: bool
    same_square: bool
    reveal: Literal["loses", "forbidden", "ignored"]
    both_lines: Literal["opponent", "mover", "draw"]
    no_move: Literal["loses", "draw"]
    repetition: int
    draw_all_placed: bool
    draw_board_full: bool
    draw_agreement: bool
    touch_move: bool
    peek: bool


# Typed in by hand, each set in full, so that a slip in the package's files cannot hide here.
FIVE: dict[str, Rules] = {
    "tictactoe": {  # document 002; both_lines, same_square and no_move cannot matter in it
        "board": 3,
        "line": 3,
        "line_sizes": "any",
        "wrap": False,
        "misere": False,
        "stock": (9,),
        "reserve": "loose",
        "place_onto": "empty",
        "cover": "any",
        "moving": False,
        "same_square": False,
        "reveal": "loses",
        "both_lines": "opponent",
        "no_move": "loses",
        "repetition": 0,
        "draw_all_placed": False,
        "draw_board_full": True,
        "draw_agreement": False,
        "touch_move": False,
        "peek": False,
    },
    "gobblers": {  # document 000
        "board": 3,
        "line": 3,
        "line_sizes": "any",
        "wrap": False,
        "misere": False,
        "stock": (2, 2, 2),
        "reserve": "loose",
        "place_onto": "smaller",
        "cover": "any",
        "moving": True,
        "same_square": False,
        "reveal": "loses",
        "both_lines": "opponent",
        "no_move": "loses",
        "repetition": 3,
        "draw_all_placed": False,
        "draw_board_full": False,
        "draw_agreement": False,
        "touch_move": False,
        "peek": False,
    },
    "gobblers-official": {  # document 001
        "board": 3,
        "line": 3,
        "line_sizes": "any",
        "wrap": False,
        "misere": False,
        "stock": (2, 2, 2),
        "reserve": "loose",
        "place_onto": "smaller",
        "cover": "any",
        "moving": True,
        "same_square": False,
        "reveal": "loses",
        "both_lines": "mover",
        "no_move": "loses",
        "repetition": 0,
        "draw_all_placed": True,
        "draw_board_full": False,
        "draw_agreement": False,
        "touch_move": False,
        "peek": True,
    },
    "gobblet": {  # document 003
        "board": 4,
        "line": 4,
        "line_sizes": "any",
        "wrap": False,
        "misere": False,
        "stock": (3, 3, 3, 3),
        "reserve": "nested",
        "place_onto": "threat",
        "cover": "any",
        "moving": True,
        "same_square": False,
        "reveal": "loses",
        "both_lines": "opponent",
        "no_move": "loses",
        "repetition": 3,
        "draw_all_placed": False,
        "draw_board_full": False,
        "draw_agreement": True,
        "touch_move": True,
        "peek": False,
    },
    "gobblet-house": {  # document 004
        "board": 4,
        "line": 4,
        "line_sizes": "any",
        "wrap": False,
        "misere": False,
        "stock": (3, 3, 3, 3),
        "reserve": "nested",
        "place_onto": "smaller",
        "cover": "any",
        "moving": True,
        "same_square": False,
        "reveal": "loses",
        "both_lines": "opponent",
        "no_move": "loses",
        "repetition": 0,
        "draw_all_placed": False,
        "draw_board_full": True,
        "draw_agreement": False,
        "touch_move": False,
        "peek": False,
    },
}


class Outcome(NamedTuple):
    """The end of a game: winner 0 or 1, None for a draw, and the reason."""

    winner: int | None
    reason: str


@dataclass
class State:
    """A position, with the reserve of each player as the stacks that stand beside the board.

    A loose piece is a stack of its own, so "only the top of a stack can be played" holds for
    loose and nested reserves alike.
    """

    board: Board
    turn: int
    reserves: tuple[Reserve, Reserve]

    def copy(self) -> "State":
        first, second = self.reserves
        return State(
            [list(stack) for stack in self.board],
            self.turn,
            ([list(stack) for stack in first], [list(stack) for stack in second]),
        )


def full_reserve(rules: Rules) -> Reserve:
    """What a player has beside the board at the start; the top of a stack is its last entry."""
    if rules["reserve"] == "nested":
        return [list(range(1, len(rules["stock"]) + 1)) for _ in range(rules["stock"][0])]
    return [[size] for size, count in enumerate(rules["stock"], 1) for _ in range(count)]


def take(reserve: Reserve, size: int) -> None:
    """Takes one piece of the size off the top of a stack of the reserve."""
    for stack in reserve:
        if stack and stack[-1] == size:
            stack.pop()
            return
    raise ValueError(f"no stack of the reserve shows a size {size}")


def start(rules: Rules) -> State:
    empty: Board = [[] for _ in range(rules["board"] ** 2)]
    return State(empty, 0, (full_reserve(rules), full_reserve(rules)))


@cache
def square_names(board: int) -> tuple[str, ...]:
    places = (divmod(square, board) for square in range(board**2))
    return tuple(LETTERS[column] + str(row + 1) for row, column in places)


def square_name(rules: Rules, square: int) -> str:
    return square_names(rules["board"])[square]


def square_number(rules: Rules, name: str) -> int:
    return square_names(rules["board"]).index(name)


@cache
def lines_of(board: int, length: int, wrap: bool = False) -> tuple[Line, ...]:
    """Every run of `length` squares in a row, a column or a diagonal, each once.

    With `wrap` the board has no edge: beyond the last column comes the first one, and so for rows.
    """
    found: dict[frozenset[int], Line] = {}
    for row in range(board):
        for column in range(board):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                steps = [(row + up * n, column + right * n) for n in range(length)]
                if wrap:
                    steps = [(r % board, c % board) for r, c in steps]
                if all(0 <= r < board and 0 <= c < board for r, c in steps):
                    line = tuple(r * board + c for r, c in steps)
                    found.setdefault(frozenset(line), line)
    return tuple(sorted(found.values()))


def lines_in(rules: Rules) -> tuple[Line, ...]:
    return lines_of(rules["board"], rules["line"], rules["wrap"])


def shows(board: Board, square: int, player: int) -> bool:
    stack = board[square]
    return bool(stack) and stack[-1][0] == player


def full_lines(rules: Rules, board: Board, player: int) -> list[Line]:
    """The lines whose squares all show the player's pieces, of sizes that make a line."""
    return [
        line
        for line in lines_in(rules)
        if all(shows(board, square, player) for square in line)
        and fitting_sizes(rules, [board[square][-1][1] for square in line])
    ]


def fitting_sizes(rules: Rules, sizes: list[int]) -> bool:
    """Any sizes; or the same size throughout; or each larger than the one before, from one end."""
    if rules["line_sizes"] == "equal":
        return all(one == other for one, other in pairwise(sizes))
    if rules["line_sizes"] == "rising":
        rises = all(one < other for one, other in pairwise(sizes))
        return rises or all(one > other for one, other in pairwise(sizes))
    return True


def is_threatened(rules: Rules, board: Board, square: int, player: int) -> bool:
    """Whether the square shows a piece of the player on a line where he lacks only one square."""
    return shows(board, square, player) and any(
        square in line and sum(shows(board, s, player) for s in line) == rules["line"] - 1
        for line in lines_in(rules)
    )


def fits(rules: Rules, board: Board, player: int, square: int, size: int) -> bool:
    """A piece lands on an empty square, or on a smaller piece that may be covered."""
    if not board[square]:
        return True
    owner, smaller = board[square][-1]
    allowed = {"any": True, "none": False, "own": owner == player, "opponent": owner != player}
    return smaller < size and allowed[rules["cover"]]


def may_place(rules: Rules, board: Board, player: int, size: int, square: int) -> bool:
    if not board[square]:
        return True
    if not fits(rules, board, player, square, size) or rules["place_onto"] == "empty":
        return False
    return rules["place_onto"] == "smaller" or is_threatened(rules, board, square, 1 - player)


def moves_of_pieces(rules: Rules, state: State) -> Iterator[str]:
    """All moves the pieces allow, whether or not the game is over."""
    board, player = state.board, state.turn
    names = square_names(rules["board"])
    squares = range(len(board))
    for size in {stack[-1] for stack in state.reserves[player] if stack}:
        for target in squares:
            if may_place(rules, board, player, size, target):
                yield f"{size}{names[target]}"
    if rules["moving"]:
        for origin in squares:
            if not shows(board, origin, player):
                continue
            if rules["reveal"] == "forbidden" and reveals(rules, board, player, origin):
                continue
            size = board[origin][-1][1]
            for target in squares:
                allowed = fits(rules, board, player, target, size)
                if target == origin:
                    allowed = rules["same_square"]
                if allowed:
                    yield names[origin] + names[target]


def possible_moves(rules: Rules, state: State) -> list[str]:
    """The same, sorted."""
    return sorted(moves_of_pieces(rules, state))


def reveals(rules: Rules, board: Board, player: int, origin: int) -> bool:
    """Whether the opponent has a line once the player's piece is lifted from its square."""
    without = [list(stack) for stack in board]
    without[origin].pop()
    return bool(full_lines(rules, without, 1 - player))


def legal_moves(rules: Rules, state: State) -> list[str]:
    """All legal moves, sorted; moves that lose by a reveal are among them; none after the end."""
    return possible_moves(rules, state) if outcome(rules, state) is None else []


def lift(rules: Rules, state: State, move: str) -> tuple[State, Piece]:
    """The first half of a move: the state with the piece in the player's hand, and the piece."""
    lifted = state.copy()
    if move[0].isdigit():
        take(lifted.reserves[state.turn], int(move[0]))
        return lifted, (state.turn, int(move[0]))
    return lifted, lifted.board[square_number(rules, move[:2])].pop()


def land(rules: Rules, lifted: State, piece: Piece, move: str) -> State:
    """The second half of a move; the turn passes to the other player."""
    landed = lifted.copy()
    landed.board[square_number(rules, move[-2:])].append(piece)
    landed.turn = 1 - lifted.turn
    return landed


def apply(rules: Rules, state: State, move: str) -> State:
    """The state after a move that is known to be possible."""
    lifted, piece = lift(rules, state, move)
    return land(rules, lifted, piece, move)


def play(rules: Rules, state: State, move: str) -> State:
    """The state after a legal move; ValueError, and the old state untouched, after any other."""
    if move not in legal_moves(rules, state):
        raise ValueError(f"{move} is not a legal move in {text_of(rules, state)}")
    result = apply(rules, state, move)
    assert outcome_of_move(rules, state, move) == outcome(rules, result)
    return result


def outcome_of_move(rules: Rules, state: State, move: str) -> Outcome | None:
    """How a possible move ends the game, told as the documents tell it: lift, look, land, look."""
    mover, opponent = state.turn, 1 - state.turn
    lifted, piece = lift(rules, state, move)
    revealed = full_lines(rules, lifted.board, opponent)
    landed = land(rules, lifted, piece, move)
    target = square_number(rules, move[-2:])
    unblocked = [line for line in revealed if target not in line]
    completed = full_lines(rules, landed.board, mover)
    return outcome_of_lines(rules, mover, bool(completed), bool(unblocked)) or (
        outcome_without_lines(rules, landed)
    )


def outcome(rules: Rules, state: State) -> Outcome | None:
    """What the position alone tells: one look at the board; the player not to move came last."""
    to_move, mover = state.turn, 1 - state.turn
    mover_has = bool(full_lines(rules, state.board, mover))
    opponent_has = bool(full_lines(rules, state.board, to_move))
    return outcome_of_lines(rules, mover, mover_has, opponent_has) or (
        outcome_without_lines(rules, state)
    )


def outcome_of_lines(
    rules: Rules, mover: int, mover_has: bool, opponent_has: bool
) -> Outcome | None:
    """What lines mean after a move: whose line counts, and whether it wins or loses for him."""
    if rules["reveal"] == "ignored":
        opponent_has = False
    if mover_has and opponent_has:
        if rules["both_lines"] == "draw":
            return Outcome(None, "both-lines")
        if rules["both_lines"] == "mover":
            opponent_has = False
        else:
            mover_has = False
    if not mover_has and not opponent_has:
        return None
    owner = mover if mover_has else 1 - mover
    return Outcome(1 - owner if rules["misere"] else owner, "line" if mover_has else "reveal")


def outcome_without_lines(rules: Rules, state: State) -> Outcome | None:
    if rules["draw_all_placed"] and not any(stack for side in state.reserves for stack in side):
        return Outcome(None, "all-placed")
    if rules["draw_board_full"] and all(state.board):
        return Outcome(None, "board-full")
    if not any(moves_of_pieces(rules, state)):
        return Outcome(None if rules["no_move"] == "draw" else 1 - state.turn, "no-move")
    return None


def loses_by_reveal(rules: Rules, state: State, move: str) -> bool:
    return outcome_of_move(rules, state, move) == Outcome(1 - state.turn, "reveal")


def rows_of(rules: Rules, squares: list[Item]) -> list[list[Item]]:
    """Cuts a list with an item for each square into rows, the bottom row first."""
    side = rules["board"]
    return [squares[row * side : (row + 1) * side] for row in range(side)]


def text_of(rules: Rules, state: State) -> str:
    """The position as text; the reserve follows from the board and is not written."""
    words = ["".join(f"{COLOURS[p]}{size}" for p, size in stack) or "x" for stack in state.board]
    board = "/".join(",".join(row) for row in reversed(rows_of(rules, words)))
    for run in (4, 3, 2):
        board = board.replace(",".join("x" * run), f"x{run}")
    return f"{board} {COLOURS[state.turn]}"


def parse(rules: Rules, text: str) -> State:
    """Reads what `text_of` writes; ValueError for other text and for impossible positions.

    Where pieces are only placed the turn follows from them; document 002: "Turns alternate: X, O,
    X, O, X, O, X, O, X" and "Enforce X always goes first".
    """
    rows, turn = text.split(" ")
    board: Board = []
    for row in reversed(rows.split("/")):
        for word in row.split(","):
            if word.startswith("x"):
                board.extend([] for _ in range(int(word[1:] or "1")))
            else:
                pieces = re.findall("([wb])([1-9])", word)
                board.append([(COLOURS.index(colour), int(size)) for colour, size in pieces])
    for stack in board:
        if any(lower[1] >= upper[1] for lower, upper in pairwise(stack)):
            raise ValueError(f"a piece lies on one that is not smaller: {text}")
    reserves = (reserve_beside(rules, board, 0), reserve_beside(rules, board, 1))
    state = State(board, COLOURS.index(turn), reserves)
    if len(board) != rules["board"] ** 2 or text_of(rules, state) != text:
        raise ValueError(f"not a position as `text_of` writes it: {text}")
    if not rules["moving"]:
        owners = [owner for stack in board for owner, _ in stack]
        if owners.count(0) - owners.count(1) != state.turn:
            raise ValueError(f"the turn does not fit the pieces: {text}")
    return state


def reserve_beside(rules: Rules, board: Board, player: int) -> Reserve:
    """The reserve left when the player's pieces on the board are taken from it, largest first."""
    counts = Counter(size for stack in board for owner, size in stack if owner == player)
    reserve = full_reserve(rules)
    for size in sorted(counts.elements(), reverse=True):
        take(reserve, size)
    return reserve


def perft(rules: Rules, state: State, depth: int) -> int:
    """Number of move sequences of the length; only lines end a game here, draws are ignored."""
    if depth == 0:
        return 1
    has_line = [bool(full_lines(rules, state.board, player)) for player in (0, 1)]
    if outcome_of_lines(rules, 1 - state.turn, has_line[1 - state.turn], has_line[state.turn]):
        return 0
    moves = possible_moves(rules, state)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, apply(rules, state, move), depth - 1) for move in moves)


def symmetries(rules: Rules, text: str) -> list[str]:
    """The eight images of a position, itself first: four turns, and four of its mirror image."""
    state = parse(rules, text)
    rows = rows_of(rules, state.board)
    images = []
    for _as_it_is_then_mirrored in range(2):
        for _quarter_turn in range(4):
            board = [stack for row in rows for stack in row]
            images.append(text_of(rules, State(board, state.turn, state.reserves)))
            rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        rows = [row[::-1] for row in rows]
    return images


def canonical(rules: Rules, text: str) -> str:
    """One position for all eight images: the image whose text comes first in the alphabet."""
    return min(symmetries(rules, text))


class NaiveGame:
    """A game in progress: the positions so far, which the draw by repetition needs."""

    def __init__(self, rules: Rules, text: str | None = None) -> None:
        self.rules = rules
        self.state = start(rules) if text is None else parse(rules, text)
        self.moves: list[str] = []
        self.history = [self.text]

    @property
    def text(self) -> str:
        return text_of(self.rules, self.state)

    @property
    def repetitions(self) -> int:
        """How often the present position has occurred, with the same player to move."""
        return self.history.count(self.text)

    def outcome(self) -> Outcome | None:
        ended = outcome(self.rules, self.state)
        if ended is None and 0 < self.rules["repetition"] <= self.repetitions:
            return Outcome(None, "repetition")
        return ended

    def legal_moves(self) -> list[str]:
        return legal_moves(self.rules, self.state) if self.outcome() is None else []

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not a legal move in {self.text}")
        self.state = play(self.rules, self.state, move)
        self.moves.append(move)
        self.history.append(self.text)
