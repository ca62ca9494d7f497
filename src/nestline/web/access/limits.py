"""Rate limits: token buckets per client, and a cap on open connections.

The numbers themselves are in `nestline.web.settings`. Each process keeps its own counts.
Open games are counted in the database, and what is stored in `quota`.
"""

import hashlib
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from nestline.web.refusals import Refusal

REMEMBERED_CLIENTS = 10_000
MOST_UNSENT_BYTES = 8_000_000
MOST_WATCHED_PLIES = 200_000
"""In all games that a client watches; each ply takes half a kilobyte of memory."""
BURST = 10
"""The burst a rate limit allows, in seconds' worth of requests."""


class Bucket:
    """Holds up to `size` tokens and gains `rate` a second; a rate of 0 means no limit."""

    __slots__ = ("_amount", "_clock", "_rate", "_size", "_then")

    def __init__(
        self, rate: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        # However slowly it fills, a full bucket must allow one request.
        self._size = self._amount = max(size, 1.0)
        self._clock = clock
        self._then = clock()

    def take(self, amount: float = 1.0) -> float:
        """Take the tokens and return 0, or return the seconds until there are enough."""
        if self._rate == 0:
            return 0.0
        now = self._clock()
        self._amount = min(self._size, self._amount + (now - self._then) * self._rate)
        self._then = now
        if self._amount >= amount:
            self._amount -= amount
            return 0.0
        return (amount - self._amount) / self._rate

    def give_back(self, amount: float) -> None:
        self._amount = min(self._size, self._amount + amount)


class Buckets:
    """One bucket for each client; the least recently seen clients are dropped."""

    def __init__(self, rate: float, size: float, what: str) -> None:
        self._rate, self._size, self._what = rate, size, what
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, client: str) -> Bucket:
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._size)
            if len(self._buckets) > REMEMBERED_CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return bucket

    def take(self, client: str, amount: float = 1.0) -> None:
        """Charge a client; refuse if it is over its rate limit."""
        wait = self.of(client).take(amount)
        if wait > 0:
            raise Refusal(
                429, "too-many", f"{self._what}; wait {wait:.0f} seconds", retry_after=wait
            )


class ConnectionLimit:
    """How many WebSockets each client has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count: Counter[str] = Counter()

    def enter(self, client: str) -> None:
        if self._count[client] >= self._most:
            raise Refusal(429, "too-many", f"a client has at most {self._most} connections")
        self._count[client] += 1

    def leave(self, client: str) -> None:
        self._count[client] -= 1
        if self._count[client] <= 0:
            del self._count[client]


class Totals:
    """How much of something each client has at the moment, on all its connections."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._total: Counter[str] = Counter()

    def add(self, client: str, amount: int) -> bool:
        """Count it; False if it is too much now."""
        self._total[client] += amount
        return self._total[client] <= self._most

    def remove(self, client: str, amount: int) -> None:
        self._total[client] -= amount
        if self._total[client] <= 0:
            del self._total[client]


def client_name(address: str | None) -> str:
    """Who a rate limit applies to: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def client_hash(salt: str, client: str) -> str:
    """What is stored about a client: enough to count its games, but not its address."""
    return hashlib.sha256(f"{salt} {client}".encode()).hexdigest()
