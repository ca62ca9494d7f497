"""How many bytes each client has stored within the last day, also in other processes and before a
restart.

Counted in memory; a client's count goes to the database with every hundredth of what is allowed,
and comes back with what other processes have counted. So the count is right to within a hundredth
for each process and each restart, and costs nothing for those who store little.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from nestline.web.access.limits import REMEMBERED_CLIENTS, client_hash
from nestline.web.refusals import Refusal

DAY = 86_400
PORTIONS = 100


class UsageStore(Protocol):
    """What this needs from a database; `storage` implements it."""

    async def add_usage(self, client: str, amount: float, rate: float) -> float:
        """Count what a client has stored, and return all of it, less `rate` for every second."""


class _Usage:
    __slots__ = ("at", "bytes", "unwritten")

    def __init__(self) -> None:
        self.bytes = self.unwritten = 0.0
        self.at = time.time()


class Quota:
    """See the module. `salt` is mixed into the hashes of clients; a size of 0 means no limit."""

    def __init__(
        self, size: int, store: UsageStore, salt: str,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:  # fmt: skip
        self._size, self._store, self._salt, self._spawn = size, store, salt, spawn
        self._rate = size / DAY
        self._usages: OrderedDict[str, _Usage] = OrderedDict()

    def take(self, client: str, amount: float) -> None:
        """Count what a client is about to store; refuse it if it would be too much."""
        if self._size == 0:
            return
        usage = self._usages.get(client)
        if usage is None:
            usage = self._usages[client] = _Usage()
            if len(self._usages) > REMEMBERED_CLIENTS:
                self._usages.popitem(last=False)
        self._usages.move_to_end(client)
        now = time.time()
        used = max(0.0, usage.bytes - max(0.0, now - usage.at) * self._rate)
        if (excess := used + amount - self._size) > 0:
            wait = excess / self._rate
            told = f"a client stores at most {self._size / 1e6:,g} megabytes a day"
            raise Refusal(429, "too-many", f"{told}; wait {wait:.0f} seconds", retry_after=wait)
        usage.bytes, usage.at = used + amount, now
        usage.unwritten += amount
        if usage.unwritten >= self._size / PORTIONS:
            self._spawn(self._write(client, usage))

    async def _write(self, client: str, usage: _Usage) -> None:
        amount, usage.unwritten = usage.unwritten, 0.0
        try:
            found = await self._store.add_usage(client_hash(self._salt, client), amount, self._rate)
        except Refusal:
            usage.unwritten += amount  # The database is away; with the next portion, then.
        else:
            usage.bytes, usage.at = found + usage.unwritten, time.time()
