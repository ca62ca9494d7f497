"""Analyses and reviews, which take time: in a few threads, shared fairly and within limits.

Each is a thread-pool job that reports its findings as it goes. `values` makes the reports, and
`permission` decides who may study at all.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from nestline.engine.search.engine import Engine, Limits, Report, Stop
from nestline.errors import TableError
from nestline.game import Game
from nestline.record import Record
from nestline.solve.table import Table
from nestline.web.access.limits import Bucket, Buckets
from nestline.web.fields import Json
from nestline.web.refusals import Refusal, invalid
from nestline.web.settings import Settings
from nestline.web.study.values import by_engine, by_table, reviewed_moves
from nestline.web.work.event_loop import call_on
from nestline.web.work.fair_executor import FairExecutor
from nestline.web.work.tablebases import Tablebases
from nestline.web.work.thread_pool import Pool

Tell = Callable[[Json, bool], None]
"""Receives the findings and whether they are final; called on the event loop."""

USUAL_SECONDS = 1.0
SECONDS_BETWEEN_SHARING = 0.5
EXACT_SECONDS_PER_MOVE = 0.005
"""Engine time charged for a move of a review that the tablebase answers."""
SAVED_MINUTES = 5
MOST_ANALYSES = 30
"""Analyses and reviews of one client that wait or run."""
ENGINES_KEPT = 8
"""If more analyses wait, they do so without their transposition tables, of some 16 MB each."""


class Task(ABC):
    """A job that uses a client's engine time and reports its findings to the event loop."""

    def __init__(self, client: str, seconds: float, bucket: Bucket, tell: Tell) -> None:
        self.client = client
        self._left = seconds
        self._bucket = bucket
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._stop = Stop()
        self.is_cancelled = False
        self.done: asyncio.Future[None] = self._loop.create_future()

    def run(self) -> bool:
        self._stop = Stop()
        if self.is_cancelled:
            self._stop.ask()
        began = time.perf_counter()
        is_paused = self.work(self._stop)
        self._left -= time.perf_counter() - began
        if is_paused and not self.is_cancelled:
            return False
        self.conclude()
        return True

    @abstractmethod
    def work(self, stop: Stop) -> bool:
        """Work until done or asked to stop; returns whether there is something left to do."""

    def conclude(self) -> None:
        """Report the end."""
        self._post(self._settle, None)

    def pause(self) -> None:
        self._stop.ask()

    def fail(self, error: Exception) -> None:
        self._post(self._settle, error)

    def tell(self, found: Json, is_final: bool = False) -> None:
        self._post(self._tell, found, is_final)

    def _settle(self, error: Exception | None) -> None:
        if self.done.done():
            return
        self._bucket.give_back(max(0.0, self._left))
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)

    def _post(self, function: Callable[..., None], *arguments: Any) -> None:
        call_on(self._loop, function, *arguments)


class Analysis(Task):
    """The engine's analysis of one position, reported after each depth."""

    def __init__(
        self, client: str, game: Game, variations: int, seconds: float, tablebases: Tablebases,
        bucket: Bucket, tell: Tell, has_company: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        super().__init__(client, seconds, bucket, tell)
        self._game, self._variations, self._tablebases = game, variations, tablebases
        self._has_company = has_company
        self._engine: Engine | None = None
        self._best: Report | None = None

    def work(self, stop: Stop) -> bool:
        self._engine = self._engine or Engine(self._game.rules, tables=False)
        until = time.perf_counter() + self._left
        limits = Limits(seconds=max(self._left, 0.01))
        self._engine.think(
            self._game, limits, variations=self._variations, every_move=True, report=self._heard,
            stop=stop,
        )  # fmt: skip
        # Paused because others wait, it goes on later with its transposition table.
        if self._has_company():
            self._engine = None
        return stop.is_asked and time.perf_counter() < until

    def conclude(self) -> None:
        self.tell(by_engine(self._game, self._best, self._tablebases), is_final=True)
        super().conclude()

    def _heard(self, report: Report) -> None:
        if self._best is None or report.depth > self._best.depth:
            self._best = report
            self.tell(by_engine(self._game, report, self._tablebases))


class ReviewTask(Task):
    """The review of a record, reported move by move."""

    def __init__(
        self, client: str, items: Iterator[Json], seconds: float, bucket: Bucket, tell: Tell
    ) -> None:
        super().__init__(client, seconds, bucket, tell)
        self._items = items

    def work(self, stop: Stop) -> bool:
        for move in self._items:
            self.tell(move)
            if stop.is_asked:
                return True
        return False


def _judged_moves(record: Record, seconds: float) -> Iterator[Json]:
    # The engine looks at the best move and at the one played.
    limits = Limits(seconds=seconds / 2)
    yield from reviewed_moves(record, Engine(record.rules, tables=False), limits)


class Analysts:
    """The thread pool for study, and how much engine time each client has left."""

    def __init__(self, settings: Settings, tablebases: Tablebases, executor: FairExecutor) -> None:
        self._settings = settings
        self._executor = executor
        self._tablebases = tablebases
        self.pool = Pool(settings.analysis_threads, "analysis")
        self._is_ending = False
        a_minute = settings.engine_seconds_per_minute
        self._most = SAVED_MINUTES * a_minute
        self._buckets = Buckets(a_minute / 60, self._most, "you have used up your engine time")

    def close(self) -> None:
        self.pool.close()

    async def share(self) -> None:
        """Keep the pool fair, until cancelled."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_SHARING)
            self.pool.share()

    async def start_analysis(
        self, client: str, game: Game, variations: int, seconds: float | None, tell: Tell
    ) -> tuple[Task | None, int]:
        """Start an analysis; returns its job, None if already answered, and how many are ahead."""
        found = await self._executor.run(client, lambda: self._at_once(game, variations, seconds))
        if found is not None:
            tell(found, True)
            return None, 0
        wanted = USUAL_SECONDS if seconds is None else seconds
        allowed = min(wanted, self._settings.analysis_seconds, self._most)
        self._require_room(client)
        bucket = self._take(client, allowed)
        variations = min(variations, len(game.legal_moves()))
        task = Analysis(
            client, game, variations, allowed, self._tablebases, bucket, tell,
            lambda: self.pool.waiting > ENGINES_KEPT,
        )  # fmt: skip
        return task, self._submit(task)

    def _require_room(self, client: str) -> None:
        if sum(job.client == client for job in self.pool.jobs) >= MOST_ANALYSES:
            raise Refusal(
                429, "too-many", f"a client has at most {MOST_ANALYSES} analyses at a time",
                retry_after=2,
            )  # fmt: skip

    def _submit(self, task: Task) -> int:
        before = self.pool.submit(task)
        if self._is_ending:
            self.cancel(task)
        return before

    def _at_once(self, game: Game, variations: int, seconds: float | None) -> Json | None:
        exact = by_table(game, variations, self._tablebases)
        if exact is None and (game.outcome is not None or seconds == 0):
            return by_engine(game, None, self._tablebases)
        return exact

    def start_review(self, client: str, record: Record, tell: Tell) -> tuple[Task, bool, int]:
        """Start a review; returns its job, whether it is exact, and how many are ahead of it."""
        table = self._tablebases.table(record.rules)
        if table is not None:
            per_move = EXACT_SECONDS_PER_MOVE
            items = self._exact_moves(record, table)
        else:
            per_move = self._settings.review_seconds_per_move
            items = _judged_moves(record, per_move)
        seconds = per_move * (len(record.moves) + 1)
        if seconds > self._most:
            longest = int(self._most / per_move) - 1
            raise invalid(f"record: a game of more than {longest} moves is not reviewed here")
        self._require_room(client)
        task = ReviewTask(client, items, seconds, self._take(client, seconds), tell)
        return task, table is not None, self._submit(task)

    def _exact_moves(self, record: Record, table: Table) -> Iterator[Json]:
        try:
            yield from reviewed_moves(record, table)
        except TableError as error:
            self._tablebases.set_aside(record.rules, error)
            raise Refusal(
                503, "table", "the table of these rules is damaged; ask again, the engine answers",
                retry_after=1,
            ) from None  # fmt: skip

    def cancel(self, task: Task) -> None:
        """End a job; it reports what it has found."""
        task.is_cancelled = True
        if self.pool.cancel(task):
            task.conclude()

    def end(self) -> None:
        """End all jobs before the server stops; clients get what has been found so far."""
        self._is_ending = True
        for job in self.pool.jobs:
            assert isinstance(job, Task)
            self.cancel(job)

    async def result_of(self, task: Task, gone: Coroutine[Any, Any, None]) -> None:
        """Wait for a job, and cancel it if the client goes away."""
        leaving = asyncio.ensure_future(gone)
        try:
            await asyncio.wait((task.done, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not task.done.done():
                self.cancel(task)
        await task.done

    def _take(self, client: str, seconds: float) -> Bucket:
        self._buckets.take(client, seconds)
        return self._buckets.of(client)
