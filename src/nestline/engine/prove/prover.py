"""Proofs of forced wins: the shortest one within a number of plies, or that there is none.

>>> from nestline.position import Position
>>> found = prove(Position("w3,b1,x/x,b2,w2/x3 w", rules="gobblers"), within=5)
>>> found.win, found.plies, [str(move) for move in found.line]
(True, 3, ['3b2', '1a1', '1c1'])

The search is exhaustive: it considers every move of both sides and every way to win, be it a line,
an opponent forced to reveal one, or an opponent left without moves where that loses. Distances are
those of the tablebase: plies to the end when the winner hurries and the loser delays. The history
of the game is ignored: a forced win needs no repetition, though earlier positions of a game could
cause one. The search is in `forced`.
"""

import json
import random
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from nestline import kernel
from nestline.engine.prove import forced
from nestline.engine.prove.capping import lines_of
from nestline.errors import GameError, PositionError
from nestline.position import Move, Position, Side, move_of_code
from nestline.rules import RuleSet, load_rules

DEFAULT_MEMORY = 64
"""Size of the transposition table in MiB."""

MAX_MEMORY = 1 << 16

KNOWN_RULES: dict[str, tuple[object, ...]] = {
    "line_sizes": ("any",),
    "wrap": (False,),
    "misere": (False,),
    "cover": ("any",),
    "reveal": ("loses",),
    "both_lines": ("opponent", "mover"),
}
"""The values that the search and its bounds were written for; others are refused."""

GROWTH = 30
"""Roughly how many times longer two more plies take; only for the progress bar."""


Progress = Callable[[float, int, int], None]
"""Called with the part done, up to 1; the plies being searched; the plies without a win."""


class Proof(NamedTuple):
    """The result of a proof search.

    `win` is None if it was stopped before it knew. Then, and where there is no win, `searched` is
    the number of plies within which there is none.
    """

    win: bool | None
    plies: int | None
    line: tuple[Move, ...]
    searched: int
    nodes: int
    seconds: float


class Stopped(Exception):
    """Raised inside a proof to abort it."""


class Prover:
    """Searches for proofs in one rule set; keeps its transposition table between proofs."""

    def __init__(
        self, rules: str | RuleSet, *, memory: int = DEFAULT_MEMORY, bounded: bool = True
    ) -> None:
        """`memory` is in MiB; without the bound of `bound` results are the same, but slower."""
        if not 1 <= memory <= MAX_MEMORY:
            raise GameError(
                f"the memory of a proof cannot be {memory} MiB; it takes 1 to {MAX_MEMORY:,}"
            )
        self.rules = load_rules(rules)
        for key, known in KNOWN_RULES.items():
            value = getattr(self.rules, key)
            if value not in known:
                raise GameError(
                    f"{self.rules.name}: proofs do not know {key} = {json.dumps(value)}; "
                    "the search and the solver do"
                )
        self.memory = memory
        self._lines = lines_of(self.rules.law, memory)
        rows = 1 << ((memory << 20) // (8 * forced.BUCKET)).bit_length() - 1
        self._table = np.zeros((rows, forced.BUCKET), np.int64)
        self._history = np.zeros((2, kernel.LAYER_BITS, kernel.MAX_MOVES), np.int64)
        self._moves = np.zeros((forced.MAX_PLIES + 2, kernel.MAX_MOVES + 1), np.int64)
        self._control = np.zeros(forced.CONTROLS, np.int64)
        self._control[forced.BOUNDED] = bounded

    def sibling(self) -> "Prover":
        """Another prover, for another thread, that shares the tables."""
        other = Prover(self.rules, memory=1, bounded=bool(self._control[forced.BOUNDED]))
        other._table, other._lines = self._table, self._lines
        return other

    @property
    def nodes(self) -> int:
        """The positions checked in the latest proof, of the game and of the capping game."""
        return int(self._control[forced.NODES] + self._control[forced.CAPPED])

    def start(self) -> None:
        """Forget an earlier `stop`, and count positions anew."""
        self._control[forced.STOP] = 0
        self._control[forced.NODES] = 0
        self._control[forced.CAPPED] = 0

    def stop(self) -> None:
        """Make a running proof return as soon as possible; safe to call from another thread."""
        self._control[forced.STOP] = 1

    def prove(
        self,
        position: Position,
        within: int,
        attacker: Side | None = None,
        *,
        progress: Progress | None = None,
    ) -> Proof:
        """The shortest forced win of `attacker`, by default the player to move, if there is one."""
        self.check(position, within)
        self.start()
        attacks = attacker is None or attacker == position.turn
        return self._deepen(*position.words, within, int(attacks), progress)

    def check(self, position: Position, within: int) -> None:
        """Refuse questions that make no sense, as `prove` does."""
        if position.rules != self.rules:
            raise PositionError(
                f"the position is one of {position.rules.name}, the proof of {self.rules.name}"
            )
        if outcome := position.outcome():
            raise PositionError(f"the game is over, {outcome}; there is nothing left to prove")
        if not 1 <= within <= forced.MAX_PLIES:
            raise GameError(
                f"a win cannot be searched for within {within} plies; "
                f"it takes 1 to {forced.MAX_PLIES}"
            )

    def _deepen(
        self,
        own: int,
        opp: int,
        within: int,
        attacks: int,
        progress: Progress | None,
    ) -> Proof:
        self.is_forced(own, opp, 0, attacks)  # Compile or load before the clock runs.
        began = time.perf_counter()
        win: bool | None = False
        plies: int | None = None
        line: list[int] = []
        searched = 0
        try:
            for depth in depths_of(within, attacks):
                told = partial(tell, progress, within, depth, searched)
                if self._is_won(own, opp, depth, attacks, told):
                    # Where the loser has to reveal a line, the win may be one ply nearer.
                    sooner = depth - 1 > searched and self.is_forced(own, opp, depth - 1, attacks)
                    plies = depth - sooner
                    line = self.line(own, opp, plies, attacks)
                    win = True
                    break
                searched = depth
        except Stopped:
            win, plies, line = None, None, []
        return Proof(
            win,
            plies,
            tuple(move_of_code(self.rules.board, code) for code in line),
            searched,
            self.nodes,
            time.perf_counter() - began,
        )

    def _is_won(
        self, own: int, opp: int, plies: int, attacks: int, told: Callable[[float], None]
    ) -> bool:
        """Whether the attacker wins within these plies; tries the position's moves in turn."""
        told(0.0)
        codes = self._distinct_moves(own, opp)
        for done, code in enumerate(codes, 1):
            if self.is_forced(opp, kernel.play(own, code), plies - 1, 1 - attacks) == attacks:
                return bool(attacks)
            told(done / len(codes))
        return not attacks

    def glance(self, own: int, opp: int, plies: int, attacks: int) -> bool | None:
        """`is_forced` if that can be told without a search."""
        seen = forced.glance(
            own, opp, plies, attacks, self.rules.law, self._lines, self._table, self._control
        )
        return None if seen == forced.UNKNOWN else seen == forced.WIN

    def _moves_of(self, own: int, opp: int) -> list[int]:
        row = np.empty(kernel.MAX_MOVES, np.int64)
        count = kernel.legal_moves(own, opp, self.rules.law, row)
        return [int(code) for code in row[:count]]

    def _distinct_moves(self, own: int, opp: int) -> list[int]:
        """The moves without those that lead to symmetric images of the same position."""
        board = self.rules.board
        distinct: dict[tuple[int, ...], int] = {}
        for code in self._moves_of(own, opp):
            after = kernel.play(own, code)
            symmetry = kernel.canonical_symmetry(after, opp, board)
            image = (kernel.transform(word, symmetry, board) for word in (after, opp))
            distinct.setdefault(tuple(image), code)
        return list(distinct.values())

    def line(self, own: int, opp: int, plies: int, attacks: int) -> list[int]:
        """Best play from a position that the attacker wins in exactly this many plies."""
        line = []
        for left in range(plies - 1, -1, -1):
            code = self._best_move(own, opp, left, attacks)
            line.append(code)
            own, opp, attacks = opp, kernel.play(own, code), 1 - attacks
        return line

    def after_random(
        self, own: int, opp: int, plies: int, attacks: int, chance: random.Random
    ) -> int:
        """The mover's word after a move in a position without a win within these plies.

        A random one of the attacker's, or a random one of the defender's that holds.
        """
        codes = self._moves_of(own, opp)
        chance.shuffle(codes)
        for code in codes:
            after = kernel.play(own, code)
            if attacks or not self.is_forced(opp, after, plies - 1, 1):
                return after
        raise AssertionError("a position without a win has no move that holds")

    def _best_move(self, own: int, opp: int, left: int, attacks: int) -> int:
        """The move after which the win is exactly this many plies away."""
        for code in self._moves_of(own, opp):
            after = kernel.play(own, code)
            if attacks and self.is_forced(opp, after, left, 0):
                return code
            if not attacks and (left == 0 or not self.is_forced(opp, after, left - 1, 1)):
                return code
        raise AssertionError("a proved win has no move that wins")

    def is_forced(self, own: int, opp: int, plies: int, attacks: int) -> bool:
        """Whether the attacker wins within these plies; `attacks` is 1 if he is to move.

        For those who know the position as words and have checked it; raises `Stopped`.
        """
        is_forced = forced.is_forced(
            own, opp, plies, attacks, self.rules.law, self._lines, self._table, self._history,
            self._moves, self._control,
        )  # fmt: skip
        if self._control[forced.STOP]:
            raise Stopped
        return bool(is_forced)


def prove(
    position: Position,
    within: int,
    attacker: Side | None = None,
    *,
    memory: int = DEFAULT_MEMORY,
) -> Proof:
    """The shortest forced win within these plies, or that there is none; see `Prover.prove`."""
    return Prover(position.rules, memory=memory).prove(position, within, attacker)


def tell(progress: Progress | None, within: int, depth: int, searched: int, part: float) -> None:
    """Report the progress; each depth is a part of it that grows with the depth."""
    if progress:
        before, after = (GROWTH ** ((plies - within) / 2) for plies in (searched, depth))
        progress(before + (after - before) * part, depth, searched)


def depths_of(within: int, attacks: int) -> list[int]:
    """The depths to search, in order: the attacker completes a line with his own move."""
    depths = list(range(2 - attacks, within + 1, 2))
    return depths if within in depths else [*depths, within]
