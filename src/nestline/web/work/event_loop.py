"""Calls from threads and signal handlers to the event loop."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from nestline.system import STOP_SIGNALS


def call_on(
    loop: asyncio.AbstractEventLoop, function: Callable[..., None], *arguments: Any
) -> None:
    """Schedule a call on the event loop from another thread; ignored once the loop is closed."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)


def when_told_to_stop(function: Callable[[], None]) -> None:
    """Call a function on the running loop when the process is asked to stop.

    Existing handlers are still called. uvicorn has one, but it tells the application only when the
    last request has been answered.
    """
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        before = signal.getsignal(number)

        def heard(number: int, frame: FrameType | None, before: Any = before) -> None:
            call_on(loop, function)
            if callable(before):
                before(number, frame)

        signal.signal(number, heard)
