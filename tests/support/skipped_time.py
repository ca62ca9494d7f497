"""An event loop on which nobody waits: its clock jumps to whatever comes next.

So nothing depends on how busy the machine is: what is due first comes first.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any


class _Loop(asyncio.SelectorEventLoop):
    """Time passes only while there is nothing else to do, and then at once."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        selector: Any = self._selector  # type: ignore[attr-defined]
        select = selector.select

        def skip(seconds: float | None) -> Any:
            if seconds:
                self._now += seconds
                seconds = 0
            return select(seconds)

        selector.select = skip

    def time(self) -> float:
        return self._now


def run_skipping_time(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(work)
