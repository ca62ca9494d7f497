"""The one thread that writes, with group commit: all actions that wait go into one transaction.

A commit waits for the disk, as long for one action as for a hundred, so the thread takes whatever
has queued up during the last commit. Success is reported only after the commit. Actions, the bulk
of the work, are written together by a few statements, in PostgreSQL by one. Anything else is a
function the caller passes in; few of these are done at a time, in turns, so that no action waits
for all that somebody else wants to store.
"""

import asyncio
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from nestline.web.games.store import NewAction
from nestline.web.refusals import Refusal
from nestline.web.storage.database import Database, DatabaseLost, is_disk_full
from nestline.web.storage.statements import Lease, add_actions
from nestline.web.work.event_loop import call_on

Result = TypeVar("Result")
LARGEST_BATCH = 200
"""Actions in one transaction."""
OTHERS_AT_ONCE = 10
"""Jobs other than actions between two transactions of actions."""
APART = 0.02
"""Seconds between the starts of two transactions. A lone move does not wait for this; under load,
more moves share a transaction, which leaves time for more of them.
"""


_Addition = tuple[NewAction, Lease]


@dataclass(slots=True)
class _Job:
    key: str
    work: Callable[[Connection], Any] | _Addition
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"


Outcome = tuple[_Job, Any, BaseException | None]


class Writer:
    """Runs jobs on the database, many in one transaction, each of them atomic."""

    def __init__(
        self, database: Database, observe: Callable[[int, float], None] = lambda size, seconds: None
    ) -> None:
        self._database = database
        self._observe = observe
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._others: OrderedDict[str, deque[_Job]] = OrderedDict()
        """Those that are no actions, by their keys."""
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, key: str, work: Callable[[Connection], Result]) -> Result:
        """Run a job, and return its result once it is committed.

        Jobs with different keys take turns, those with the same one are done in their order.
        """
        return cast(Result, await self._put(key, work))

    async def add(self, action: NewAction, lease: Lease) -> bool:
        """Add an action to its game; False if the game's number has changed.

        The caller adds one action at a time to each game.
        """
        return cast(bool, await self._put(action.game, (action, lease)))

    def _put(self, key: str, work: Callable[[Connection], Any] | _Addition) -> Awaitable[Any]:
        loop = asyncio.get_running_loop()
        job = _Job(key, work, loop, loop.create_future())
        self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Finish the queued jobs, and stop."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        going_on = True
        began = 0.0
        while going_on or self._others:
            found = [] if self._others else [self._jobs.get()]
            time.sleep(max(0.0, began + APART - time.monotonic()))
            began = time.monotonic()
            with suppress(queue.Empty):
                while len(found) < LARGEST_BATCH:
                    found.append(self._jobs.get_nowait())
            actions = []
            for job in found:
                if job is None:
                    going_on = False
                elif isinstance(job.work, tuple):
                    actions.append(job)
                else:
                    self._others.setdefault(job.key, deque()).append(job)
            for batch in self._batches(actions, self._next_others()):
                if batch:
                    _tell(self._write(batch))

    def _next_others(self) -> list[_Job]:
        """The next few jobs that are no actions: one of each key, then the next of each key."""
        found: list[_Job] = []
        while self._others and len(found) < OTHERS_AT_ONCE:
            key, jobs = self._others.popitem(last=False)
            found.append(jobs.popleft())
            if jobs:
                self._others[key] = jobs
        return found

    def _batches(self, actions: list[_Job], others: list[_Job]) -> list[list[_Job]]:
        """What goes into one transaction each.

        PostgreSQL has other writers. Each of them locks the rows of actions in the same order, but
        of two transactions with jobs of several kinds each could wait for the other.
        """
        if not self._database.is_shared:
            return [actions + others]
        return [actions, *([job] for job in others)]

    def _write(self, batch: list[_Job]) -> list[Outcome]:
        began = time.perf_counter()
        try:
            actions = [job for job in batch if isinstance(job.work, tuple)]
            others = [job for job in batch if not isinstance(job.work, tuple)]
            if others:
                with self._database.writing() as connection:
                    outcomes = [_do(connection, job, len(batch) == 1) for job in others]
                    outcomes += _add(connection.connection.cursor(), actions)
            else:
                with self._database.writing_actions() as cursor:
                    outcomes = _add(cursor, actions)
        except Exception as error:
            if len(batch) > 1 and not _is_outage(error):
                # One job failed; the others are tried again, each in its own transaction.
                return [outcome for job in batch for outcome in self._write([job])]
            return [(job, None, _refusal(error)) for job in batch]
        self._observe(len(batch), time.perf_counter() - began)
        return outcomes


def _add(cursor: Any, jobs: list[_Job]) -> list[Outcome]:
    done = add_actions(cursor, [cast(_Addition, job.work) for job in jobs]) if jobs else ()
    return [(job, job.key in done, None) for job in jobs]


def _do(connection: Connection, job: _Job, is_alone: bool) -> Outcome:
    """Do a job; if it is refused, only what it has done itself is undone."""
    work = cast(Callable[[Connection], Any], job.work)
    if is_alone:
        return job, work(connection), None
    try:
        with connection.begin_nested():
            return job, work(connection), None
    except Refusal as refusal:
        return job, None, refusal


def _tell(outcomes: list[Outcome]) -> None:
    """Hand the results to the event loops, with one call each."""

    def settle(mine: list[Outcome]) -> None:
        for job, result, error in mine:
            if job.future.done():
                continue
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)

    for loop in {outcome[0].loop for outcome in outcomes}:
        mine = [outcome for outcome in outcomes if outcome[0].loop is loop]
        call_on(loop, settle, mine)


def _is_outage(error: BaseException) -> bool:
    is_gone = isinstance(error, DBAPIError) and error.connection_invalidated
    return is_gone or is_disk_full(error) or isinstance(error, DatabaseLost)


def _refusal(error: BaseException) -> BaseException:
    """What to tell a client about a database error; other errors are returned unchanged."""
    if not isinstance(error, DBAPIError):
        return error
    return storage_refusal(error)


def storage_refusal(error: DBAPIError) -> Refusal:
    """The refusal for a database that is full or unreachable."""
    if is_disk_full(error):
        return Refusal(
            503, "disk-full", "the server's disk is full; nothing was changed", retry_after=30
        )
    return Refusal(
        503,
        "database",
        "the database did not answer; fetch the game to see whether this was stored, and try again",
        retry_after=2,
    )
