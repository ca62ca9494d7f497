"""How many connections are open: of each client, and in all.

A client here is whoever opened the TCP connection. The connections of a trusted proxy are its own
business; `access.limits` counts the requests of those behind it.
"""

from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Any, Protocol

from nestline.system import most_open_files
from nestline.web.access.limits import client_name
from nestline.web.settings import Settings

FILES_KEPT = 100
"""Descriptors left for the database, tablebases and log files."""


class Droppable(Protocol):
    def drop(self) -> None:
        """Close the connection at once."""


class OpenConnections:
    """The open connections of this process. When there is no room, one that waits must go."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._most = max(1, most_open_files() - FILES_KEPT)
        self._proxies = [
            ip_network(name)
            for name in filter(None, map(str.strip, settings.trusted_proxies.split(",")))
            if name != "*"
        ]
        self._trusts_all = "*" in settings.trusted_proxies
        self._total = 0
        self._of: Counter[str] = Counter()
        self._waiting: dict[Droppable, None] = {}

    def enter(self, address: tuple[str, int] | None) -> str | None:
        """The client that a new connection counts for; None if it must be closed."""
        client = client_name(address[0] if address else None)
        is_full = self._of[client] >= self.settings.connections_per_client
        if is_full and not self._is_proxy(address[0] if address else ""):
            return None
        if self._total >= self._most:
            if not self._waiting:
                return None
            # Whoever has been silent for longest.
            next(iter(self._waiting)).drop()
        self._total += 1
        self._of[client] += 1
        return client

    def leave(self, client: str) -> None:
        self._total -= 1
        self._of[client] -= 1
        if self._of[client] <= 0:
            del self._of[client]

    def wait(self, connection: Droppable) -> None:
        """Note that a connection waits for its client's next request."""
        self._waiting[connection] = None

    def work(self, connection: Droppable) -> None:
        """Note that a connection has a request, or is closed."""
        self._waiting.pop(connection, None)

    def _is_proxy(self, address: str) -> bool:
        if self._trusts_all:
            return True
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._proxies)


def connections_of(app: Any) -> OpenConnections:
    """Those of a loaded application, which uvicorn wraps into its own middleware."""
    while not hasattr(app, "services"):
        app = app.app
    found: OpenConnections = app.services.open_connections
    return found
