"""Position: an immutable board with a player to move, and what the rules make of it.

>>> position = Position.start("gobblers").play("3b2")
>>> position
Position("x3/x,w3,x/x3 b", rules="gobblers")
>>> position.play("2b2")
Traceback (most recent call last):
nestline.errors.IllegalMove: 2b2: b2 shows a size 3; a size 2 can only land on smaller pieces

The kernel decides every rule; `notation` reads and writes the texts; `game` keeps what a position
alone cannot tell (repetition, offers, touched pieces).
"""

import copy
from collections.abc import Iterable, Mapping
from functools import cache, total_ordering
from types import MappingProxyType
from typing import Any

import numpy as np

from nestline import kernel, notation
from nestline.errors import IllegalMove, PositionError
from nestline.rules import RuleSet, load_rules
from nestline.values import DRAWING_REASONS, REASONS, Move, Outcome, Piece, Side, picture_of

__all__ = [
    "DRAWING_REASONS", "REASONS", "Move", "Outcome", "Piece", "Position", "Side", "code_of_move",
    "move_of_code",
]  # fmt: skip

MOVER, OTHER = range(2)
OUTCOMES: dict[int, tuple[int | None, str]] = {
    kernel.LINE: (OTHER, "line"),
    kernel.REVEAL: (MOVER, "reveal"),
    kernel.LINE_LOSES: (MOVER, "line"),
    kernel.REVEAL_WINS: (OTHER, "reveal"),
    kernel.BOTH_LINES: (None, "both-lines"),
    kernel.ALL_PLACED: (None, "all-placed"),
    kernel.BOARD_FULL: (None, "board-full"),
    kernel.NO_MOVE_LOSES: (OTHER, "no-move"),
    kernel.NO_MOVE_DRAWS: (None, "no-move"),
}
"""Who wins in each of the kernel's states, the player to move or the other, and the reason."""

_SIGN_BIT = 1 << 63
_WORD_BITS = (1 << 64) - 1
_PIECES = [[Piece(side, size) for size in (1, 2, 3, 4)] for side in Side]


@total_ordering
class Position:
    """A board and a player to move, under a rule set.

    >>> position = Position("x3/x,b1w3,x/w2,x2 b", rules="gobblers")
    >>> position.stack("b2")
    (Piece(side=Side.SECOND, size=1), Piece(side=Side.FIRST, size=3))
    >>> position.reserve(Side.FIRST)
    {1: 2, 2: 1, 3: 1}
    >>> [str(move) for move in position.legal_moves()][:4]
    ['1b1', '1c1', '1a2', '1c2']
    """

    __slots__ = ("_first", "_outcome", "_second", "_stacks", "rules", "turn")

    rules: RuleSet
    turn: Side
    _first: int
    _second: int
    _stacks: Mapping[str, tuple[Piece, ...]] | None
    _outcome: Outcome | bool | None

    def __init__(
        self, text: str, rules: "str | RuleSet" = "gobblers", *, lenient: bool = False
    ) -> None:
        """Read a position; `lenient` accepts either turn, for games stored by earlier versions."""
        rules = load_rules(rules)
        board = notation.read_board(text, rules)
        first, second = _words_of(board.stacks, rules)
        if not lenient:
            _check_turn(Side(board.turn), first, second, rules)
        self._fill(rules, Side(board.turn), first, second)

    def _fill(self, rules: RuleSet, turn: Side, first: int, second: int) -> None:
        fill = object.__setattr__
        fill(self, "rules", rules)
        fill(self, "turn", turn)
        fill(self, "_first", first)
        fill(self, "_second", second)
        fill(self, "_stacks", None)
        fill(self, "_outcome", False)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Position does not change; {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Position does not change; {name} cannot be deleted")

    @classmethod
    def start(cls, rules: "str | RuleSet" = "gobblers") -> "Position":
        """The empty board, the first player to move."""
        return cls.from_words(0, 0, Side.FIRST, rules)

    @classmethod
    def from_stacks(
        cls,
        stacks: Mapping[str, Iterable[tuple[int, int]]],
        turn: Side = Side.FIRST,
        rules: "str | RuleSet" = "gobblers",
    ) -> "Position":
        """A position from its stacks, each a sequence of (side, size) from bottom to top."""
        rules = load_rules(rules)
        first, second = _words_of({name: tuple(stack) for name, stack in stacks.items()}, rules)
        _check_turn(Side(turn), first, second, rules)
        return cls.from_words(first, second, turn, rules)

    @classmethod
    def from_words(cls, first: int, second: int, turn: Side, rules: "str | RuleSet") -> "Position":
        """A position from the two players' words as the kernel uses them, without checks."""
        position = cls.__new__(cls)
        position._fill(load_rules(rules), Side(turn), first, second)
        return position

    @classmethod
    def from_movers_words(cls, own: int, opp: int, rules: "str | RuleSet") -> "Position":
        """A position from the words of the player to move and of the other, without checks.

        Where pieces are only placed, the words tell who is to move; otherwise it is the first
        player.
        """
        rules = load_rules(rules)
        if not rules.moving and (opp & _WORD_BITS).bit_count() > (own & _WORD_BITS).bit_count():
            return cls.from_words(opp, own, Side.SECOND, rules)
        return cls.from_words(own, opp, Side.FIRST, rules)

    @property
    def words(self) -> tuple[int, int]:
        """The kernel's two words, the player to move first."""
        return (self._second, self._first) if self.turn else (self._first, self._second)

    @property
    def stacks(self) -> Mapping[str, tuple[Piece, ...]]:
        """The occupied squares with their pieces from bottom to top."""
        if self._stacks is None:
            object.__setattr__(self, "_stacks", MappingProxyType(self._find_stacks()))
            assert self._stacks is not None
        return self._stacks

    def _find_stacks(self) -> dict[str, tuple[Piece, ...]]:
        piles: dict[int, tuple[Piece, ...]] = {}
        pieces = (self._first | self._second) & _WORD_BITS
        while pieces:
            # From the smallest pieces to the largest, so that each stack grows from the bottom.
            lowest = pieces & -pieces
            pieces ^= lowest
            layer, square = divmod(lowest.bit_length() - 1, kernel.LAYER_BITS)
            piece = _PIECES[bool(self._second & lowest)][layer]
            piles[square] = (*piles.get(square, ()), piece)
        names = self.rules.square_names
        return {names[square]: piles[square] for square in sorted(piles)}

    def stack(self, square: str) -> tuple[Piece, ...]:
        """The pieces on a square from bottom to top; an empty tuple for an empty square."""
        return self.stacks.get(notation.read_square(square, self.rules), ())

    def top(self, square: str) -> Piece | None:
        """The visible piece on a square."""
        stack = self.stack(square)
        return stack[-1] if stack else None

    def reserve(self, side: Side) -> dict[int, int]:
        """How many pieces of each size a player still has in reserve."""
        return _missing(self._second if side else self._first, self.rules)

    def reserve_tops(self, side: Side) -> tuple[int, ...]:
        """The sizes available in the reserve, ascending: every loose piece, or the tops of the
        nested stacks that are not empty.

        >>> Position.start("gobblet").play("4a1").reserve_tops(Side.FIRST)
        (3, 4, 4)
        """
        rules = self.rules
        return _tops(tuple(self.reserve(side).values()), rules.reserve == "nested")

    def legal_moves(self, surviving: bool = False) -> tuple[Move, ...]:
        """All moves that the rules allow, including those that lose at once by a reveal.

        `surviving` leaves these out, as document 000 does, which does not count them as legal.
        """
        if self.outcome() is not None:
            return ()
        moves = np.empty(kernel.MAX_MOVES, np.int64)
        count = kernel.legal_moves(*self.words, self.rules.law, moves)
        board = self.rules.board
        found = [move_of_code(board, code) for code in moves[:count].tolist()]
        if surviving:
            found = [move for move in found if not self.is_losing_reveal(move)]
        return tuple(found)

    def read_move(self, text: str) -> Move:
        """The move in any accepted spelling: `3b2`, `L b2`, `3 BB`, `a1-c3`, `(2,0)->(0,2)`, …"""
        return Move(notation.write_move(*notation.read_move(text, self.rules)))

    def play(self, move: "Move | str") -> "Position":
        """The position after a move; `IllegalMove` names the rule that forbids it."""
        if not isinstance(move, Move):
            move = self.read_move(move)
        if refusal := self._refusal(move):
            raise IllegalMove(f"{move}: {refusal}")
        own, opp = self.words
        own = kernel.play(own, code_of_move(self.rules, move))
        first, second = (opp, own) if self.turn else (own, opp)
        position = Position.__new__(Position)
        position._fill(self.rules, self.turn.other, first, second)
        return position

    def is_losing_reveal(self, move: "Move | str") -> bool:
        """Whether this legal move loses at once, by uncovering a line that it does not block."""
        outcome = self.play(move).outcome()
        return outcome == Outcome(self.turn.other, "reveal")

    def outcome(self) -> Outcome | None:
        """The result of the game, as far as the position alone tells; None while it goes on."""
        if self._outcome is False:
            object.__setattr__(self, "_outcome", self._find_outcome())
        assert not isinstance(self._outcome, bool)
        return self._outcome

    def _find_outcome(self) -> Outcome | None:
        state = kernel.outcome(*self.words, self.rules.law)
        if state == kernel.ONGOING:
            return None
        winner, reason = OUTCOMES[state]
        return Outcome(None if winner is None else Side(self.turn ^ winner), reason)

    def lines(self, side: Side) -> tuple[tuple[str, ...], ...]:
        """The full lines of a player's visible pieces, each as the names of its squares."""
        shown = {n: stack[-1].size for n, stack in self.stacks.items() if stack[-1].side == side}
        return tuple(
            line
            for line in self.rules.line_squares
            if shown.keys() >= set(line) and self.rules.makes_line([shown[n] for n in line])
        )

    def symmetries(self) -> tuple["Position", ...]:
        """This position and its seven images under rotation and reflection."""
        return tuple(self._image(symmetry) for symmetry in range(8))

    def canonical(self) -> "Position":
        """The same representative for all eight images."""
        return self._image(kernel.canonical_symmetry(*self.words, self.rules.board))

    def _image(self, symmetry: int) -> "Position":
        board = self.rules.board
        first = kernel.transform(self._first, symmetry, board)
        second = kernel.transform(self._second, symmetry, board)
        return Position.from_words(first, second, self.turn, self.rules)

    def _refusal(self, move: Move) -> str | None:
        """Why the move is illegal here, in words; None if it is legal."""
        if outcome := self.outcome():
            return f"the game is over, {outcome}"
        rules = self.rules
        for square in (move.origin, move.target):
            if square is not None and square not in rules.square_names:
                return f"{square} is not on the {rules.board}x{rules.board} board"
        if kernel.is_legal(*self.words, code_of_move(rules, move), rules.law):
            return None
        # In a copy, so that its stacks are freed with it: a server has many positions.
        position = copy.copy(self)
        if move.size is not None:
            return position._placing_refusal(move.size, move.target)
        assert move.origin is not None
        return position._moving_refusal(move.origin, move.target)

    def _placing_refusal(self, size: int, target: str) -> str:
        """Why the kernel rejects placing this piece, in words."""
        if size > self.rules.sizes:
            return f"there is no size {size}; sizes are 1 to {self.rules.sizes}"
        if not kernel.in_reserve(self.words[0], size, self.rules.law):
            open_sizes = ", ".join(map(str, self.reserve_tops(self.turn))) or "nothing"
            if self.rules.reserve == "nested":
                return f"no stack shows a size {size}; on top are {open_sizes}"
            return f"no size {size} is left in the reserve; it holds {open_sizes}"
        if self.rules.place_onto == "empty":
            return f"{target} is occupied; new pieces go onto empty squares"
        top = self.top(target)
        assert top is not None
        if spared := self._spared(target, top, size):
            return spared
        if top.size < size:
            return (
                f"{target} is occupied; a new piece goes onto an empty square, or onto one of the "
                f"opponent's pieces where he shows all but one of a line of {self.rules.line}"
            )
        return _too_large(target, top, size)

    def _moving_refusal(self, origin: str, target: str) -> str:
        """Why the kernel rejects moving this piece, in words."""
        if not self.rules.moving:
            return f"pieces on the board do not move in {self.rules.name}"
        lifted, top = self.top(origin), self.top(target)
        if lifted is None:
            return f"{origin} is empty"
        if lifted.side != self.turn:
            owner = self.rules.players[lifted.side]
            return (
                f"{origin} shows {owner}'s piece, and it is {self.rules.players[self.turn]}'s turn"
            )
        if not self._may_lift(origin):
            return f"lifting {origin} reveals a line of the opponent's, which is forbidden"
        if origin == target:
            return "a piece cannot go back to its own square"
        assert top is not None
        return self._spared(target, top, lifted.size) or _too_large(target, top, lifted.size)

    def _may_lift(self, origin: str) -> bool:
        movable = kernel.squares_of(kernel.movable(*self.words, self.rules.law))
        return bool(movable >> self.rules.square_index(origin) & 1)

    def _spared(self, target: str, top: Piece, size: int) -> str | None:
        """Why a piece that is large enough may not cover the one on top of a square, in words."""
        cover = self.rules.cover
        if top.size >= size:
            return None
        if cover == "none":
            return f"{target} is occupied; pieces do not cover each other"
        if cover == "opponent" and top.side == self.turn:
            return f"{target} shows an own piece; only pieces of the opponent's can be covered"
        if cover == "own" and top.side != self.turn:
            return f"{target} shows a piece of the opponent's; only own pieces can be covered"
        return None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._first == other._first
            and self._second == other._second
            and self.turn == other.turn
            and self.rules == other.rules
        )

    def __lt__(self, other: "Position") -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.rules.name, str(self)) < (other.rules.name, str(other))

    def __hash__(self) -> int:
        return hash((self._first, self._second, self.turn))

    def __copy__(self) -> "Position":
        """A copy without its stacks, which take memory."""
        position = Position.from_words(self._first, self._second, self.turn, self.rules)
        object.__setattr__(position, "_outcome", self._outcome)
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.from_words, (self._first, self._second, self.turn, self.rules)

    def __str__(self) -> str:
        return notation.write_board(self.stacks, self.turn, self.rules.board)

    def __repr__(self) -> str:
        return f'Position("{self}", rules={self.rules.quoted_reference})'

    def _repr_svg_(self) -> str | None:
        return picture_of(self)


def _too_large(target: str, top: Piece, size: int) -> str:
    return f"{target} shows a size {top.size}; a size {size} can only land on smaller pieces"


def _missing(word: int, rules: RuleSet) -> dict[int, int]:
    # Without the kernel: rule sets are shown before it is compiled.
    missing = {}
    for size, stock in enumerate(rules.stock, 1):
        missing[size] = stock - (word & kernel.LAYER).bit_count()
        word >>= kernel.LAYER_BITS
    return missing


@cache
def _tops(missing: tuple[int, ...], is_nested: bool) -> tuple[int, ...]:
    """The sizes that can be taken from a reserve with so many pieces of each size."""
    larger = (*missing[1:], 0) if is_nested else (0,) * len(missing)
    # A nested stack whose top is `size` lacks every larger piece and still has this one.
    counts = zip(missing, larger, strict=True)
    return tuple(size for size, (own, more) in enumerate(counts, 1) for _ in range(own - more))


def _words_of(stacks: Mapping[str, tuple[tuple[int, int], ...]], rules: RuleSet) -> tuple[int, int]:
    """The two players' words, after checking that the pieces can be placed like this."""
    words = [0, 0]
    seen: set[int] = set()
    for name, stack in stacks.items():
        square = rules.square_index(notation.read_square(name, rules))
        if square in seen:
            raise PositionError(f"{name}: this square has been given a stack already")
        seen.add(square)
        below = 0
        for side, size in stack:
            if side not in (Side.FIRST, Side.SECOND):
                raise PositionError(f"{name}: there is no side {side}; sides are 0 and 1")
            if not 1 <= size <= rules.sizes:
                raise PositionError(
                    f"{name}: there is no size {size}; sizes are 1 to {rules.sizes}"
                )
            if size <= below:
                raise PositionError(
                    f"{name}: a size {size} cannot lie on a size {below}; "
                    "stacks are written from bottom to top, each piece larger than the one below"
                )
            words[side] |= 1 << (kernel.LAYER_BITS * (size - 1) + square)
            below = size
    # The kernel's words are signed.
    first, second = ((word ^ _SIGN_BIT) - _SIGN_BIT for word in words)
    for side, word in zip(Side, (first, second), strict=True):
        _check_stock(side, _missing(word, rules), rules)
    return first, second


def _check_turn(turn: Side, first: int, second: int, rules: RuleSet) -> None:
    """Where pieces are only placed, their numbers tell whose turn it is."""
    counts = [(word & _WORD_BITS).bit_count() for word in (first, second)]
    if not rules.moving and counts[0] - counts[1] != turn:
        names = rules.players
        raise PositionError(
            f"{names[0]} has {counts[0]} and {names[1]} {counts[1]} on the board, so it cannot be "
            f"{names[turn]}'s turn; pieces are only placed here, by turns, and {names[0]} begins"
        )


def _check_stock(side: Side, missing: dict[int, int], rules: RuleSet) -> None:
    owner = rules.players[side]
    for size, left in missing.items():
        stock = rules.stock[size - 1]
        if left < 0:
            raise PositionError(
                f"{owner} has {stock - left} pieces of size {size} on the board; there are {stock}"
            )
        if rules.reserve == "nested" and left < missing.get(size + 1, 0):
            raise PositionError(
                f"{owner} has more pieces of size {size} on the board than of size {size + 1}; "
                "nested stacks are played from the largest down"
            )


@cache
def move_of_code(board: int, code: int) -> Move:
    """The move for one of the kernel's codes."""
    source, target = code >> 4, _square_name(board, code & 15)
    if source < kernel.FIRST_BOARD_SOURCE:
        return Move(f"{source + 1}{target}")
    return Move(_square_name(board, source - kernel.FIRST_BOARD_SOURCE) + target)


def _square_name(board: int, index: int) -> str:
    return f"{'abcd'[index % board]}{index // board + 1}"


def code_of_move(rules: RuleSet, move: Move) -> int:
    """The kernel's code for a move on this board."""
    target = rules.square_index(move.target)
    if move.size is not None:
        return (move.size - 1) * 16 + target
    assert move.origin is not None
    return (kernel.FIRST_BOARD_SOURCE + rules.square_index(move.origin)) * 16 + target
