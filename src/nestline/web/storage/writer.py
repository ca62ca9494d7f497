"""The one thread that writes, with group commit: everything waiting goes into one transaction.

A commit waits for the disk, as long for one action as for a hundred, so the thread takes whatever
has queued up during the last commit. Success is reported only after the commit. Actions, the bulk
of the work, are written together by a few statements, in PostgreSQL by one; anything else is a
function the caller passes in.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Awaitable, Callable
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
APART = 0.02
"""Seconds between the starts of two transactions. A lone move does not wait for this; under load,
more moves share a transaction, which leaves time for more of them.
"""


@dataclass(slots=True)
class _Job:
    key: str
    work: Callable[[Connection], Any] | tuple[NewAction, Lease]
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
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def write(self, key: str, work: Callable[[Connection], Result]) -> Result:
        """Run a job, and return its result once it is committed.

        The jobs of a batch run in the order of their keys, so that two servers writing the same
        games never deadlock.
        """
        return cast(Result, await self._put(key, work))

    async def add(self, action: NewAction, lease: Lease) -> bool:
        """Add an action to its game; False if the game's number has changed.

        The caller adds one action at a time to each game.
        """
        return cast(bool, await self._put(action.game, (action, lease)))

    def _put(
        self, key: str, work: Callable[[Connection], Any] | tuple[NewAction, Lease]
    ) -> Awaitable[Any]:
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
        while going_on:
            first = self._jobs.get()
            time.sleep(max(0.0, began + APART - time.monotonic()))
            began = time.monotonic()
            batch = [] if first is None else [first]
            going_on = first is not None
            while going_on and len(batch) < LARGEST_BATCH:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    going_on = False
                else:
                    batch.append(job)
            if batch:
                _tell(self._write(batch))

    def _write(self, batch: list[_Job]) -> list[Outcome]:
        batch.sort(key=lambda job: job.key)
        began = time.perf_counter()
        try:
            is_once = self._database.is_shared and all(isinstance(job.work, tuple) for job in batch)
            writing = self._database.writing_once if is_once else self._database.writing
            with writing() as connection:
                outcomes = _do_all(connection, batch)
        except Exception as error:
            if len(batch) > 1 and not _is_outage(error):
                # One job failed; the others are tried again, each in its own transaction.
                return [outcome for job in batch for outcome in self._write([job])]
            return [(job, None, _refusal(error)) for job in batch]
        self._observe(len(batch), time.perf_counter() - began)
        return outcomes


def _do_all(connection: Connection, batch: list[_Job]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    actions: list[tuple[_Job, tuple[NewAction, Lease]]] = []
    for job in batch:
        if isinstance(job.work, tuple):
            actions.append((job, job.work))
        else:
            outcomes.append((job, job.work(connection), None))
    if actions:
        done = add_actions(connection, [action for _job, action in actions])
        outcomes += [(job, job.key in done, None) for job, _action in actions]
    return outcomes


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
