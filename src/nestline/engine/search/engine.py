"""The engine: searches a game within limits, on one thread or several, and reports what it finds.

>>> from nestline import Game
>>> game = Game("gobblet")
>>> report = Engine("gobblet", seed=1).think(game, Limits(depth=3))
>>> report.depth, report.move in game.legal_moves()
(3, True)

Several threads share one transposition table (lazy SMP); each is a `search_thread`. If the rule set
has a tablebase, the engine looks moves up there instead. `levels` makes it play worse.
"""

import os
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nestline.engine.choices import best_line, draws_by_repetition, moves_of, ranked_moves
from nestline.engine.search import deepening, workspace
from nestline.engine.search.alphabeta import MAX_DEPTH, WIN
from nestline.engine.search.chance import make_chance, shuffle
from nestline.engine.search.search_thread import SearchThread
from nestline.engine.search.search_thread import Variation as Variation
from nestline.engine.search.transposition import GENERATIONS, make_table
from nestline.engine.search.weights import Weights, weights_for
from nestline.errors import GameError, TableError
from nestline.game import Game
from nestline.position import Move, code_of_move
from nestline.rules import RuleSet, load_rules
from nestline.solve.table import MoveProbe, Table, open_table

MEMORY = 16
"""The default size of the transposition table, in MiB."""

JUDGED_DEPTH = 3
"""The depth to which every move is searched where a score of each is wanted."""

MOST_MEMORY = 1 << 16
MOST_THREADS = 256
MOST_SECONDS = 10_000_000


@dataclass(frozen=True)
class Limits:
    """How long to think: the first limit reached counts; without any, until told to stop."""

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


class Report(NamedTuple):
    """What the engine has found so far, the best variation first."""

    depth: int
    nodes: int
    seconds: float
    variations: tuple[Variation, ...]
    exact: bool
    """Looked up in the tablebase of a solved rule set."""
    others: tuple[Variation, ...] = ()
    """The other moves with their scores at a smaller depth, best first, where asked for."""

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
    """Stops a search from any thread, even one that has not started yet."""

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
        """Call this when asked to stop, or at once if that has already happened."""
        with self._lock:
            self._actions.append(action)
            if not self._asked:
                return
        action()


class Engine:
    """Searches games of one rule set and keeps its transposition table."""

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
        """`memory` is the size of the transposition table, in MiB; `tables` is whether to use a
        tablebase, or the folder that holds it; `symmetry` and `selective` can be switched off for
        comparison."""
        if not 1 <= memory <= MOST_MEMORY:
            raise GameError(f"the memory has 1 to {MOST_MEMORY} MiB, not {memory}")
        if not 1 <= threads <= MOST_THREADS:
            raise GameError(f"the engine has 1 to {MOST_THREADS} threads, not {threads}")
        self.rules = load_rules(rules)
        self._sheet = (weights or weights_for(self.rules)).sheet(self.rules)
        self._transpositions = make_table(memory)
        self._workspaces = workspace.make_workspaces(threads)
        self._roots = [deepening.make_root() for _ in range(threads)]
        self._symmetry = symmetry
        self._selective = selective
        self._chance = make_chance(seed)
        self._generation = 0
        self._tables = tables
        self._table: Table | None = None
        self._stop: Stop | None = None

    @property
    def threads(self) -> int:
        return len(self._roots)

    def forget(self) -> None:
        """Clear the transposition table, as for a new game."""
        self._transpositions[:] = 0
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
        every_move: bool = False,
        remembered: tuple[int, int] | None = None,
    ) -> Report:
        """The best moves of an unfinished game; `report` is called after every finished depth. With
        several threads it may miss one, when another thread has finished the next as well.

        `stop` can end the search even before it begins; `Engine.stop` ends the running one. `only`
        restricts the search to these moves. `every_move` also reports a score for each of the other
        moves, from a shallow search. `remembered` are the bitboards of the position as a forgetful
        player remembers it.
        """
        if game.rules != self.rules:
            raise GameError(f"this engine plays {self.rules.name}, not {game.rules.name}")
        if variations < 1:
            raise GameError(f"a number of variations is at least 1, not {variations}")
        moves = [move for move in moves_of(game) if only is None or move in only]
        if not moves:
            raise GameError("none of the moves to look at can be played here")
        found = self._look_up(game, moves, len(moves) if every_move else variations)
        if found is None:
            self._stop = stop = stop or Stop()
            words = remembered or game.position.words
            try:
                return self._search(
                    game, words, moves, limits, variations, every_move, report, stop
                )
            finally:
                self._stop = None
        if report:
            report(found)
        return found

    def _look_up(self, game: Game, moves: list[Move], variations: int) -> Report | None:
        """What the tablebase says, if there is one."""
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
        variations: int, every_move: bool, report: Callable[[Report], None] | None, stop: Stop,
    ) -> Report:  # fmt: skip
        began = time.perf_counter()
        nodes = -(-limits.nodes // len(self._roots)) if limits.nodes else workspace.NEVER
        judged_depth = JUDGED_DEPTH if every_move else 0
        deepest = limits.depth or MAX_DEPTH
        searches = self._begin(game, words, moves, variations, deepest, nodes, judged_depth)

        def found_at(depth: int, lines: tuple[Variation, ...]) -> Report:
            looked_at = sum(search.nodes for search in searches)
            others = searches[0].others() if every_move else ()
            seconds = time.perf_counter() - began
            found = Report(depth, looked_at, seconds, lines, exact=False, others=others)
            if report:
                report(found)
            return found

        found = found_at(1, searches[0].advance() or ())

        def stop_all() -> None:
            for search in searches:
                search.stop()

        stop.when_asked(stop_all)
        timer = None
        if limits.seconds is not None:
            timer = threading.Timer(began + limits.seconds - time.perf_counter(), stop_all)
            timer.start()
        with ThreadPoolExecutor(max(1, len(searches) - 1)) as pool:
            for search in searches[1:]:
                pool.submit(search.help)
            try:
                while lines := searches[0].advance():
                    found = found_at(searches[0].depth, lines)
            finally:
                stop_all()
                if timer:
                    timer.cancel()
                    timer.join()
        return found._replace(
            nodes=sum(search.nodes for search in searches), seconds=time.perf_counter() - began
        )

    def glance(self, game: Game, words: tuple[int, int]) -> tuple[Variation, ...]:
        """All moves, best first, judged by the position after each of them; `words` are the
        bitboards as the player remembers them."""
        moves = list(moves_of(game))
        thread, *_ = self._begin(game, words, moves, len(moves), 0, workspace.NEVER, 0)
        return thread.advance() or ()

    def _begin(
        self, game: Game, words: tuple[int, int], moves: list[Move], variations: int, deepest: int,
        nodes: int, judged_depth: int,
    ) -> list[SearchThread]:  # fmt: skip
        """The threads, ready to search these moves."""
        self._generation = (self._generation + 1) % GENERATIONS
        shared = self._workspaces[0]
        shared.busy[:], shared.race[:] = 0, 0
        codes = np.array([code_of_move(self.rules, move) for move in moves], np.int64)
        shuffle(self._chance, codes)
        variations = min(variations, len(moves))
        law = self.rules.law
        history = np.array([position.words for position in game.positions], np.int64)
        searches: list[SearchThread] = []
        for root, work in zip(self._roots, self._workspaces, strict=True):
            wanted = (variations, deepest, nodes, judged_depth)
            if searches:  # The others look for the best line alone.
                wanted = (1, deepest, nodes, 0)
            root.numbers[: 3 + len(wanted)] = (*words, len(moves), *wanted)
            root.moves[: len(codes)] = codes
            deepening.begin(root, work, history, self.rules.repetition, self._generation, law)
            work.control[workspace.SHARED] = len(self._roots) > 1
            if not self._selective:
                work.control[workspace.SELECTIVE] = 0
            if not self._symmetry:
                work.control[workspace.SYMMETRIC_PIECES] = -1
            table = self._transpositions
            searches.append(SearchThread(root, law, self._sheet, table, work, variations))
        return searches


def _solved_line(table: Table, game: Game, probe: MoveProbe) -> Variation:
    score = 0
    if probe.distance is not None:
        score = WIN - probe.distance if probe.value == "win" else probe.distance - WIN
    after = game.position.play(probe.move)
    rest: tuple[Move, ...] = ()
    if after.outcome() is None and not draws_by_repetition(game, probe.move):
        rest = tuple(best_line(after, table))
    return Variation((probe.move, *rest), score)
