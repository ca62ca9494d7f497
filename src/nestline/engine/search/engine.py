"""The engine: thinks about a game within limits, on one thread or several, and tells what it found.

>>> from nestline import Game
>>> game = Game("gobblet")
>>> report = Engine("gobblet", seed=1).think(game, Limits(depth=3))
>>> report.depth, report.move in game.legal_moves()
(3, True)

It deepens the `search` ply by ply, several threads sharing one memory. Where the table of a solved
rule set is at hand, that is asked instead. How weak a player wants to be is left to `levels`.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nestline.engine.choices import best_line, draws_by_repetition, moves_of, ranked_moves
from nestline.engine.search import alphabeta
from nestline.engine.search.alphabeta import FORCED, MAX_DEPTH, WIN
from nestline.engine.search.transposition import GENERATIONS, NO_MOVE, make_table
from nestline.engine.search.weights import Weights, weights_for
from nestline.errors import GameError, TableError
from nestline.game import Game
from nestline.position import Move, code_of_move, move_of_code
from nestline.rules import RuleSet, load_rules
from nestline.solve.table import MoveProbe, Table, open_table

MEMORY = 16
"""The usual size of the memory, in MiB."""

MOST_MEMORY = 1 << 16
MOST_THREADS = 256
MOST_SECONDS = 10_000_000

NARROW = 40
"""The window around the last score in which the next depth is looked for first."""

BEYOND = 12
"""Threats at the end of a line are followed so many plies beyond the depth at most."""

SYMMETRIC_PIECES = 6
"""Positions with so few pieces on the board are remembered together with their mirror images."""

LARGEST_FULL_WIDTH = 3
"""On boards up to this size no move is searched less deeply than the others."""


@dataclass(frozen=True)
class Limits:
    """How long to think: whichever is reached first; without any, until told to stop."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise GameError(f"a time to think is more than 0 seconds, not {self.seconds}")
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise GameError(f"a depth is between 1 and {MAX_DEPTH} plies, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise GameError(f"a number of nodes is at least 1, not {self.nodes}")


class Variation(NamedTuple):
    """A line of play and its score for the player who begins it (see `search`)."""

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


class Report(NamedTuple):
    """What the engine has found so far, the best variation first."""

    depth: int
    nodes: int
    seconds: float
    variations: tuple[Variation, ...]
    exact: bool
    """Told by the table of a solved rule set."""

    @property
    def move(self) -> Move:
        return self.variations[0].move

    @property
    def score(self) -> int:
        return self.variations[0].score

    @property
    def plies_to_win(self) -> int | None:
        return self.variations[0].plies_to_win

    @property
    def plies_to_loss(self) -> int | None:
        return self.variations[0].plies_to_loss


class Stop:
    """Ends a thinking when asked to, also one that has not begun yet; for any thread."""

    def __init__(self) -> None:
        self._asked = False
        self._actions: list[Callable[[], None]] = []
        self._lock = threading.RLock()  # A second Ctrl-C may come in the middle of the first.

    @property
    def is_asked(self) -> bool:
        return self._asked

    def ask(self) -> None:
        with self._lock:
            self._asked = True
            actions = list(self._actions)
        for action in actions:
            action()

    def when_asked(self, action: Callable[[], None]) -> None:
        """Do this when asked to stop, or at once if that has happened already."""
        with self._lock:
            self._actions.append(action)
            if not self._asked:
                return
        action()


class Engine:
    """Thinks about games of one rule set and remembers what it has seen; see the module."""

    def __init__(
        self,
        rules: str | RuleSet,
        *,
        memory: int = MEMORY,
        threads: int = 1,
        seed: int | None = None,
        tables: bool | str | os.PathLike[str] = True,
        weights: Weights | None = None,
        symmetry: bool = True,
        selective: bool = True,
    ) -> None:
        """`memory` in MiB; `tables` whether the solution is asked where there is one, or the folder
        in which it is; `symmetry` and `selective` can be switched off to compare."""
        if not 1 <= memory <= MOST_MEMORY:
            raise GameError(f"the memory has 1 to {MOST_MEMORY} MiB, not {memory}")
        if not 1 <= threads <= MOST_THREADS:
            raise GameError(f"the engine has 1 to {MOST_THREADS} threads, not {threads}")
        self.rules = load_rules(rules)
        self._sheet = (weights or weights_for(self.rules)).sheet(self.rules)
        self._memory = make_table(memory)
        self._workspaces = alphabeta.make_workspaces(threads)
        self._symmetric_pieces = SYMMETRIC_PIECES if symmetry else -1
        self._selective = selective and self.rules.board > LARGEST_FULL_WIDTH
        self._random = random.Random(seed)
        self._generation = 0
        self._tables = tables
        self._table: Table | None = None
        self._stop: Stop | None = None

    def forget(self) -> None:
        """Begin anew, as for another game."""
        self._memory[:] = 0
        self._generation = 0

    def stop(self) -> None:
        """Make a running `think` return at once with what it has found; from any thread."""
        if (stop := self._stop) is not None:
            stop.ask()

    def think(
        self,
        game: Game,
        limits: Limits,
        *,
        variations: int = 1,
        report: Callable[[Report], None] | None = None,
        stop: Stop | None = None,
        only: Collection[Move] | None = None,
        remembered: tuple[int, int] | None = None,
    ) -> Report:
        """The best moves of a game that goes on; `report` hears of every depth that is finished.

        `stop` can be asked to end it before it has begun; `Engine.stop` ends the one that runs.
        `only` are the moves to look at, if not all of them.
        `remembered` are the words of the position as a forgetful player has it in mind.
        """
        if game.rules != self.rules:
            raise GameError(f"this engine plays {self.rules.name}, not {game.rules.name}")
        if variations < 1:
            raise GameError(f"a number of variations is at least 1, not {variations}")
        moves = [move for move in moves_of(game) if only is None or move in only]
        if not moves:
            raise GameError("none of the moves to look at can be played here")
        found = self._look_up(game, moves, variations)
        if found is None:
            self._stop = stop = stop or Stop()
            words = remembered or game.position.words
            try:
                return self._search(game, words, moves, limits, variations, report, stop)
            finally:
                self._stop = None
        if report:
            report(found)
        return found

    def _look_up(self, game: Game, moves: list[Move], variations: int) -> Report | None:
        """What the table says, if there is one."""
        if self._tables is False:
            return None
        folder = None if self._tables is True else self._tables
        try:
            self._table = self._table or open_table(self.rules, folder)
            began = time.perf_counter()
            probes = [probe for probe in ranked_moves(self._table, game) if probe.move in moves]
            lines = tuple(_solved_line(self._table, game, probe) for probe in probes[:variations])
        except TableError:
            self._table = None
            return None
        depth = max(len(line.moves) for line in lines)
        return Report(depth, len(lines), time.perf_counter() - began, lines, exact=True)

    def _search(
        self, game: Game, words: tuple[int, int], moves: list[Move], limits: Limits,
        variations: int, report: Callable[[Report], None] | None, stop: Stop,
    ) -> Report:  # fmt: skip
        began = time.perf_counter()
        self._random.shuffle(moves)
        self._generation = (self._generation + 1) % GENERATIONS
        self._workspaces[0].busy[:] = 0  # the same marks for all
        seekers = [_Seeker(self, game, words, moves, workspace) for workspace in self._workspaces]
        variations = min(variations, len(moves))
        deepest = limits.depth or MAX_DEPTH

        def found_at(depth: int, lines: tuple[Variation, ...]) -> Report:
            nodes = sum(seeker.nodes for seeker in seekers)
            found = Report(depth, nodes, time.perf_counter() - began, lines, exact=False)
            if report:
                report(found)
            return found

        # The first depth takes no time, and is finished whatever the limits.
        found = found_at(1, seekers[0].deepen(1, variations) or ())

        def stop_all() -> None:
            for seeker in seekers:
                seeker.stop()

        if limits.nodes:
            for seeker in seekers:
                seeker.stop_after(-(-limits.nodes // len(seekers)))
        stop.when_asked(stop_all)
        timer = None
        if limits.seconds is not None:
            timer = threading.Timer(began + limits.seconds - time.perf_counter(), stop_all)
            timer.start()
        with ThreadPoolExecutor(max(1, len(seekers) - 1)) as pool:
            for number, seeker in enumerate(seekers[1:]):
                pool.submit(seeker.run_ahead, 2 + number % 2)
            try:
                for depth in range(2, deepest + 1):
                    if all(_is_settled(line, depth - 1) for line in found.variations):
                        break
                    lines = seekers[0].deepen(depth, variations)
                    if lines is None:
                        break
                    found = found_at(depth, lines)
            finally:
                stop_all()
                if timer:
                    timer.cancel()
                    timer.join()
        return found._replace(
            nodes=sum(seeker.nodes for seeker in seekers), seconds=time.perf_counter() - began
        )


class _Seeker:
    """One thread's search of one position."""

    def __init__(
        self, engine: Engine, game: Game, words: tuple[int, int], moves: list[Move],
        workspace: alphabeta.Workspace,
    ) -> None:  # fmt: skip
        self._rules = game.rules
        self._words = words
        self._moves = list(moves)
        self._drawn = {move for move in moves if draws_by_repetition(game, move)}
        self._workspace = workspace
        self._sheet, self._memory = engine._sheet, engine._memory
        self._scores: dict[Move, int] = {}
        workspace.history[:] = 0
        workspace.killers[:] = NO_MOVE
        control = self._control = workspace.control
        control[alphabeta.NODES] = 0
        control[alphabeta.STOP] = 0
        control[alphabeta.NODE_LIMIT] = alphabeta.NEVER
        control[alphabeta.REPETITION] = self._rules.repetition or alphabeta.NEVER
        control[alphabeta.SELECTIVE] = engine._selective
        control[alphabeta.SYMMETRIC_PIECES] = engine._symmetric_pieces
        control[alphabeta.GENERATION] = engine._generation
        control[alphabeta.SHARED] = len(engine._workspaces) > 1
        earlier = game.positions[:-1][-alphabeta.EARLIER :]
        control[alphabeta.EARLIER_COUNT] = len(earlier)
        for place, position in enumerate(earlier):
            workspace.path[place] = position.words

    @property
    def nodes(self) -> int:
        return int(self._control[alphabeta.NODES])

    def stop(self) -> None:
        self._control[alphabeta.STOP] = 1

    def stop_after(self, nodes: int) -> None:
        self._control[alphabeta.NODE_LIMIT] = nodes

    def run_ahead(self, depth: int) -> None:
        """Deepen until stopped, for the sake of the common memory."""
        while depth <= MAX_DEPTH and self.deepen(depth, 1):
            depth += 1

    def deepen(self, depth: int, variations: int) -> tuple[Variation, ...] | None:
        """The best lines at this depth; None if stopped before they were found."""
        self._control[alphabeta.FURTHEST] = depth + BEYOND
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
            alpha, beta = guess - NARROW, guess + NARROW
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
        best = alphabeta.search_root(
            own, opp, depth, alpha, beta, codes, drawn, scores,
            self._rules.law, self._sheet, self._memory, self._workspace,
        )  # fmt: skip
        if best < 0:
            return None
        line = self._workspace.lines[0]
        codes_of_line = [int(code) for code in line[1 : 1 + line[0]]]
        if not codes_of_line or codes_of_line[0] != codes[best]:
            codes_of_line = [int(codes[best])]
        played = tuple(move_of_code(self._rules.board, code) for code in codes_of_line)
        return Variation(played, int(scores[best]))


def _is_settled(line: Variation, depth: int) -> bool:
    """Whether a deeper search can tell nothing more: a forced end is found, and none is nearer."""
    plies = line.plies_to_win or line.plies_to_loss
    return plies is not None and plies <= depth


def _solved_line(table: Table, game: Game, probe: MoveProbe) -> Variation:
    score = 0
    if probe.distance is not None:
        score = WIN - probe.distance if probe.value == "win" else probe.distance - WIN
    after = game.position.play(probe.move)
    rest: tuple[Move, ...] = ()
    if after.outcome() is None and not draws_by_repetition(game, probe.move):
        rest = tuple(best_line(after, table))
    return Variation((probe.move, *rest), score)
