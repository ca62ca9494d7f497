"""Runs functions that take some milliseconds or more in a few threads; clients take turns.

Whatever grows with what a client sends is done here and not on the event loop: reading records and
rule sets, replaying games, drawing pictures.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from nestline.web.refusals import Refusal
from nestline.web.work.event_loop import call_on
from nestline.web.work.thread_pool import Pool

Result = TypeVar("Result")
MOST_WAITING = 100
"""Calls of one client that wait or run."""
USUAL_PRIORITY = 0
"""A thread of low priority would keep the interpreter lock too long while the engine thinks."""


class _Call:
    def __init__(self, client: str, function: Callable[[], Any]) -> None:
        self.client = client
        self._function = function
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self._loop.create_future()

    def run(self) -> bool:
        try:
            result = self._function()
        except Exception as error:
            call_on(self._loop, self.fail, error)
        else:
            call_on(self._loop, self._succeed, result)
        return True

    def _succeed(self, result: Any) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)

    def pause(self) -> None:
        """It ends by itself soon."""


class FairExecutor:
    """See the module."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = Pool(threads, name, USUAL_PRIORITY)
        self._calls: Counter[str] = Counter()

    def close(self) -> None:
        self._pool.close()

    async def run(self, client: str, function: Callable[[], Result]) -> Result:
        """The result of a function, which is called in a thread."""
        if self._calls[client] >= MOST_WAITING:
            raise Refusal(429, "too-many", "you have asked for too much at once", retry_after=1)
        call = _Call(client, function)
        self._calls[client] += 1
        try:
            self._pool.submit(call)
            result: Result = await call.future
            return result
        finally:
            self._pool.cancel(call)
            self._calls[client] -= 1
            if not self._calls[client]:
                del self._calls[client]
