"""From threads to the event loop."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def call_on(
    loop: asyncio.AbstractEventLoop, function: Callable[..., None], *arguments: Any
) -> None:
    """Call a function on the loop, soon; nothing happens if the server has gone meanwhile."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)
