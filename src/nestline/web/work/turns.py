"""Clients take turns on the event loop.

However many connections a client has, only a few of its messages and requests begin in one round
of the loop, so that nobody else waits for all of them.
"""

import asyncio
from collections import deque

AT_ONCE = 4
"""Messages and requests of one client in one round of the event loop."""


class Turns:
    """See the module."""

    def __init__(self) -> None:
        self._begun: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, client: str) -> None:
        """Return when it is this client's turn."""
        begun = self._begun.get(client, 0)
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._next_round)
        if begun < AT_ONCE:
            self._begun[client] = begun + 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        await turn

    def _next_round(self) -> None:
        self._begun = {}
        for client, turns in list(self._waiting.items()):
            self._begun[client] = 0
            while turns and self._begun[client] < AT_ONCE:
                turn = turns.popleft()
                if not turn.done():
                    turn.set_result(None)
                    self._begun[client] += 1
            if not turns:
                del self._waiting[client]
        if self._begun:
            asyncio.get_running_loop().call_soon(self._next_round)
