"""One thread's search of a position: iterative deepening with aspiration windows.

Several of them make a lazy SMP search: all search the same position and share the transposition
table. `engine` starts and stops them.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from nestline.engine.choices import draws_by_repetition
from nestline.engine.search import workspace
from nestline.engine.search.alphabeta import FORCED, MAX_DEPTH, WIN, search_root
from nestline.engine.search.evaluation import Sheet
from nestline.engine.search.workspace import Numbers, Workspace
from nestline.game import Game
from nestline.position import Move, code_of_move, move_of_code
from nestline.threats import NO_MOVE

ASPIRATION_WINDOW = 40
"""Half the width of the aspiration window around the score of the last depth."""

QUIESCENCE_PLIES = 12
"""Quiescence search follows threats at most this many plies beyond the depth."""


class Variation(NamedTuple):
    """A line of play and its score for the player to move (see `alphabeta`)."""

    moves: tuple[Move, ...]
    score: int

    @property
    def move(self) -> Move:
        return self.moves[0]

    @property
    def plies_to_win(self) -> int | None:
        """Plies to a forced win of the player to move, if one was found."""
        return WIN - self.score if self.score > FORCED else None

    @property
    def plies_to_loss(self) -> int | None:
        """Plies to a forced loss of the player to move, if one was found."""
        return WIN + self.score if self.score < -FORCED else None


class SearchThread:
    """The search of one position; `words` are the bit boards as the player remembers them.

    `settings` are the values of the workspace's `control` that apply to the whole engine.
    """

    def __init__(
        self, game: Game, words: tuple[int, int], moves: list[Move], sheet: Sheet, table: Numbers,
        work: Workspace, settings: Mapping[int, int],
    ) -> None:  # fmt: skip
        self._rules = game.rules
        self._words = words
        self._moves = list(moves)
        self._drawn = {move for move in moves if draws_by_repetition(game, move)}
        self._sheet, self._table, self._work = sheet, table, work
        self._scores: dict[Move, int] = {}
        work.history[:] = 0
        work.killers[:] = NO_MOVE
        control = self._control = work.control
        control[workspace.NODES] = 0
        control[workspace.STOP] = 0
        control[workspace.NODE_LIMIT] = workspace.NEVER
        control[workspace.REPETITION] = self._rules.repetition or workspace.NEVER
        for number, value in settings.items():
            control[number] = value
        earlier = game.positions[:-1][-workspace.EARLIER :]
        control[workspace.EARLIER_COUNT] = len(earlier)
        for place, position in enumerate(earlier):
            work.path[place] = position.words

    @property
    def nodes(self) -> int:
        return int(self._control[workspace.NODES])

    def stop(self) -> None:
        self._control[workspace.STOP] = 1

    def stop_after(self, nodes: int) -> None:
        self._control[workspace.NODE_LIMIT] = nodes

    def run_ahead(self, depth: int) -> None:
        """Deepen until stopped, to fill the shared transposition table."""
        while depth <= MAX_DEPTH and self.deepen(depth, 1):
            depth += 1

    def deepen(self, depth: int, variations: int) -> tuple[Variation, ...] | None:
        """The best lines at this depth; None if stopped before they were found."""
        self._control[workspace.QUIESCENCE_END] = depth + QUIESCENCE_PLIES
        rest = list(self._moves)
        lines: list[Variation] = []
        for _ in range(variations):
            line = self._best_of(rest, depth)
            if line is None:
                return None
            lines.append(line)
            rest.remove(line.move)
        lines.sort(key=lambda line: -line.score)
        self._moves = [line.move for line in lines] + rest
        return tuple(lines)

    def _best_of(self, moves: list[Move], depth: int) -> Variation | None:
        guess = self._scores.get(moves[0])
        alpha, beta = -WIN, WIN
        if guess is not None and depth > 3 and abs(guess) < FORCED:
            alpha, beta = guess - ASPIRATION_WINDOW, guess + ASPIRATION_WINDOW
        while True:
            line = self._root(moves, depth, alpha, beta)
            if line is None or alpha < line.score < beta or (alpha, beta) == (-WIN, WIN):
                break
            if line.score <= alpha:
                alpha = -WIN
            else:
                beta = WIN
        if line:
            self._scores[line.move] = line.score
        return line

    def _root(self, moves: list[Move], depth: int, alpha: int, beta: int) -> Variation | None:
        codes = np.array([code_of_move(self._rules, move) for move in moves], np.int64)
        drawn = np.array([move in self._drawn for move in moves], np.int64)
        scores = np.zeros(len(moves), np.int64)
        own, opp = self._words
        best = search_root(
            own, opp, depth, alpha, beta, codes, drawn, scores,
            self._rules.law, self._sheet, self._table, self._work,
        )  # fmt: skip
        if best < 0:
            return None
        line = self._work.variations[0]
        codes_of_line = [int(code) for code in line[1 : 1 + line[0]]]
        if not codes_of_line or codes_of_line[0] != codes[best]:
            codes_of_line = [int(codes[best])]
        played = tuple(move_of_code(self._rules.board, code) for code in codes_of_line)
        return Variation(played, int(scores[best]))
