"""Connections whose client does not read: dropped when what is unsent has waited for too long."""

import asyncio
from abc import ABC, abstractmethod

from nestline.web.transport.connections import OpenConnections


class DropsUnread(asyncio.Protocol, ABC):
    """What both protocols do while the transport cannot send; mixed in before uvicorn's class."""

    loop: asyncio.AbstractEventLoop
    _open: OpenConnections
    _stalled: asyncio.TimerHandle | None = None

    @abstractmethod
    def drop(self) -> None:
        """End the connection at once."""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_stalled()
        self._stalled = self.loop.call_later(self._open.settings.unread_seconds, self.drop)

    def resume_writing(self) -> None:
        self._stop_stalled()
        super().resume_writing()

    def _stop_stalled(self) -> None:
        if self._stalled:
            self._stalled.cancel()
            self._stalled = None
