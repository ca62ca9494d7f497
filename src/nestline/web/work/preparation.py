"""Compiles in the background: the rules first, then the search.

This happens once per machine and takes a while. The page is served meanwhile, and requests that
need more are refused with a remark. Another process compiles, since compiling here would block the
event loop; this one then loads the result from the cache. `compilation` lists what to compile.
"""

import asyncio
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

from nestline.web.refusals import Refusal
from nestline.web.work.compilation import PARTS, is_cached
from nestline.web.work.event_loop import call_on

log = logging.getLogger(__name__)

REMARKS = {
    "rules": "The computer is getting ready: it compiles the rules of the games, once.",
    "search": "The computer is getting ready: it compiles its search, once.",
}
"""What to tell people while a part is missing."""
SECONDS_BEFORE_RETRY = 1.0


class Preparation:
    """Gets the parts ready one after the other, then calls `open_tables`."""

    def __init__(self, open_tables: Callable[[], None]) -> None:
        self._open_tables = open_tables
        self._loop = asyncio.get_running_loop()
        self._done = {part: threading.Event() for part in PARTS}
        self._told = {part: asyncio.Event() for part in PARTS}
        self._is_closing = False
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, name="preparation", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Abandon what is not done yet."""
        self._is_closing = True
        if (process := self._process) is not None:
            process.terminate()
        for done in self._done.values():
            done.set()
        self._thread.join()

    @property
    def missing(self) -> str | None:
        """The part being compiled or loaded; None when everything is ready."""
        return next((part for part, done in self._done.items() if not done.is_set()), None)

    @property
    def remark(self) -> str | None:
        """What to tell a person who waits; None when everything is ready."""
        missing = self.missing
        return missing and REMARKS[missing]

    def require(self, part: str) -> None:
        """Refuse what cannot be done yet."""
        if not self._done[part].is_set():
            raise Refusal(503, "getting-ready", self.remark or "", retry_after=SECONDS_BEFORE_RETRY)

    async def ready(self, part: str) -> None:
        """Return when a part is ready."""
        await self._told[part].wait()

    def wait(self, part: str) -> bool:
        """Block a thread until a part is ready; False if the server stops first."""
        self._done[part].wait()
        return not self._is_closing

    def _work(self) -> None:
        try:
            if not is_cached():
                for part in self._compile_apart():
                    self._load(part)
            for part in PARTS:
                self._load(part)
        except Exception:
            log.exception("getting ready failed")

    def _compile_apart(self) -> Iterator[str]:
        """Let another process compile; yields each part when it is in the cache."""
        with subprocess.Popen(
            [sys.executable, "-m", "nestline.web.work.compilation"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            self._process = process
            if self._is_closing:
                process.terminate()
            assert process.stdout is not None
            for line in process.stdout:
                yield line.strip()
        self._process = None

    def _load(self, part: str) -> None:
        """Load a part here, compiling it if the other process did not."""
        if self._is_closing or self._done[part].is_set():
            return
        PARTS[part](log.info)
        if part == [*PARTS][-1]:
            self._open_tables()
        self._done[part].set()
        call_on(self._loop, self._told[part].set)
