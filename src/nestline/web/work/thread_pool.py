"""A fair thread pool: clients take turns, however many jobs each of them has.

A job works for a while and says whether it is done; if not, it goes back into the queue. While
others wait, a job that has used up its time slice is asked to pause. Compiled code releases the
interpreter lock, so the server keeps running, and the threads have a low priority, since there may
be few cores.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Protocol

from nestline.system import lower_priority_of_thread

log = logging.getLogger(__name__)

SLICE = 2.0
"""Seconds a job may work while others wait."""
NICENESS = 12


class Job(Protocol):
    """Work for the pool."""

    client: str
    """The client it is for."""

    def run(self) -> bool:
        """Work, and return whether it is done."""

    def pause(self) -> None:
        """Make a running `run` return soon; from any thread."""

    def fail(self, error: Exception) -> None:
        """Called if `run` has raised."""


class FairQueue:
    """A round-robin queue: one job of each client, then the next of each client."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, deque[Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def __iter__(self) -> Iterator[Job]:
        for jobs in self._jobs.values():
            yield from jobs

    def add(self, job: Job) -> int:
        """Enqueue a job; returns how many are ahead of it."""
        mine = self._jobs.setdefault(job.client, deque())
        before = len(mine)
        # Jobs of the same round come before this one, or not much later.
        before += sum(
            min(len(jobs), before + 1) for jobs in self._jobs.values() if jobs is not mine
        )
        mine.append(job)
        return before

    def next(self) -> Job:
        client, jobs = self._jobs.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._jobs[client] = jobs
        return job

    def remove(self, job: Job) -> bool:
        """Remove a job from the queue; returns whether it was there."""
        jobs = self._jobs.get(job.client)
        if jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del self._jobs[job.client]
        return True

    def clear(self) -> None:
        self._jobs.clear()


class Pool:
    """Threads and a queue; see the module."""

    def __init__(self, threads: int, name: str, niceness: int = NICENESS) -> None:
        self._niceness = niceness
        self._waiting = FairQueue()
        self._running: dict[Job, float] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> int:
        """Enqueue a job; returns how many are ahead of it."""
        with self._changed:
            idle = len(self._threads) - len(self._running)
            before = self._waiting.add(job)
            self._changed.notify()
        return max(0, before + 1 - idle)

    def cancel(self, job: Job) -> bool:
        """Remove a waiting job and return True; ask a running one to pause."""
        with self._changed:
            if self._waiting.remove(job):
                return True
            is_running = job in self._running
        if is_running:
            job.pause()
        return False

    def share(self) -> None:
        """Pause jobs that have used up their time slice, if others wait; call this often."""
        now = time.monotonic()
        with self._changed:
            late = [job for job, began in self._running.items() if now - began >= SLICE]
            late = late[: len(self._waiting)]
        for job in late:
            job.pause()

    @property
    def jobs(self) -> list[Job]:
        """All running and waiting jobs."""
        with self._changed:
            return [*self._running, *self._waiting]

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._running)

    def close(self) -> None:
        """Stop all jobs, including those that are running."""
        with self._changed:
            self._closing = True
            self._waiting.clear()
            running = list(self._running)
            self._changed.notify_all()
        for job in running:
            job.pause()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        lower_priority_of_thread(self._niceness)
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if self._closing:
                    return
                job = self._waiting.next()
                self._running[job] = time.monotonic()
            is_done = True
            try:
                is_done = job.run()
            except Exception as error:
                log.exception("a computation failed")
                job.fail(error)
            finally:
                with self._changed:
                    del self._running[job]
                    if not is_done and not self._closing:
                        self._waiting.add(job)
                        self._changed.notify()
