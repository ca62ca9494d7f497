"""The services of a running server, created and connected once per process.

What people do with them is in `games.service` and `study`.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from nestline.web.access.limits import (
    BURST,
    MOST_UNSENT_BYTES,
    MOST_WATCHED_PLIES,
    Buckets,
    ConnectionLimit,
    Totals,
)
from nestline.web.access.permission import StudyPermission
from nestline.web.access.quota import DAY, Quota
from nestline.web.games.catalogue import Catalogue
from nestline.web.games.computer import Computer
from nestline.web.games.hub import Hub
from nestline.web.games.presence import SECONDS_BETWEEN_ROLL_CALLS, Presence
from nestline.web.games.service import GameService
from nestline.web.metrics import Metrics
from nestline.web.refusals import Refusal
from nestline.web.settings import Settings
from nestline.web.storage.listener import Listener
from nestline.web.storage.store import Store
from nestline.web.study.analysis import Analysts
from nestline.web.transport.connections import OpenConnections
from nestline.web.work.fair_executor import FairExecutor
from nestline.web.work.preparation import Preparation
from nestline.web.work.tablebases import Tablebases
from nestline.web.work.turns import Turns

log = logging.getLogger(__name__)

EXECUTOR_THREADS = 2
SECONDS_BETWEEN_CLEANING = 600


class Services:
    """The services of one process; `start` before serving and `close` after."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.instance = secrets.token_hex(8)
        """A random name for this process."""
        self.metrics = Metrics()
        self.store = Store(settings, self.instance, self.metrics.observe_commit)
        self.tablebases = Tablebases(settings.tables or None, settings.build_tables)
        self.study_permission = StudyPermission(self.store, settings.study_lock_hours)
        self.open_connections = OpenConnections(settings)
        self.connections = ConnectionLimit(settings.connections_per_client)
        rate = settings.requests_per_second
        self.requests = Buckets(rate, BURST * rate, f"more than {rate:g} requests a second")
        rate = settings.messages_per_second
        self.messages = Buckets(rate, BURST * rate, f"more than {rate:g} messages a second")
        self.unsent = Totals(MOST_UNSENT_BYTES)
        self.watched_plies = Totals(MOST_WATCHED_PLIES)
        self.turns = Turns()
        self._background: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Start threads and periodic tasks."""
        self.preparation = Preparation(self.tablebases.start)
        self.store.start()
        self.executor = FairExecutor(EXECUTOR_THREADS, "executor")
        self.painter = FairExecutor(1, "painter")
        """For pictures that take long, so that nothing else waits for them."""
        self.catalogue = Catalogue(self.store, self.executor)
        self.hub = Hub(
            self.settings, self.store, self.catalogue, self.tablebases, self.preparation,
            self.executor,
        )  # fmt: skip
        salt = await self.store.salt("client")
        self.stored_bytes = Quota(self.settings.bytes_per_day, self.store, salt, self.spawn)
        self.presence = Presence(self.hub.post)
        self.games = GameService(
            self.hub, self.store, self.catalogue, self.tablebases, self.preparation, self.executor,
            self.metrics, self.study_permission, self.stored_bytes, salt,
        )  # fmt: skip
        self.analysts = Analysts(self.settings, self.tablebases, self.executor)
        self.computer = Computer(
            self.hub, self.store, self.tablebases, self.preparation,
            self.settings.thinking_threads, self.metrics.observe_thought,
        )  # fmt: skip
        self.listener: Listener | None = None
        if self.store.is_shared:
            self.listener = Listener(self.settings, self.instance, self.hub, self.presence)
            self.presence.announce = self.listener.announce
            self.listener.start()
        if not self.store.is_shared:
            await self.store.release_leases()
        pause = self.settings.lease_seconds / 3
        self._repeat("leases", pause, self.computer.keep_leases)
        self._repeat("waiting games", pause if self.store.is_shared else None, self._take_over)
        self._repeat("cleaning", SECONDS_BETWEEN_CLEANING, self.clean)
        self._repeat("presence", SECONDS_BETWEEN_ROLL_CALLS, self.presence.check)
        self.preparation.start()
        self._background.append(asyncio.ensure_future(self.analysts.share()))

    def when_ready(self, function: Callable[[], None]) -> None:
        """Call something once, when everything has been compiled and loaded."""

        async def wait() -> None:
            await self.preparation.ready("search")
            function()

        self._background.append(asyncio.ensure_future(wait()))

    async def close(self) -> None:
        """Finish writing to the database, and drop the rest."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.to_thread(self.preparation.close)
        await asyncio.to_thread(self.computer.close)
        await asyncio.to_thread(self.analysts.close)
        await asyncio.to_thread(self.executor.close)
        await asyncio.to_thread(self.painter.close)
        await asyncio.gather(*self._tasks, *self.hub.reads, return_exceptions=True)
        if self.store.is_shared:
            try:
                await self.store.end_own_leases()
            except Refusal:
                log.warning("the database is away; other processes take over in a while")
        if self.listener:
            await asyncio.to_thread(self.listener.close)
        await asyncio.to_thread(self.store.close)
        await asyncio.to_thread(self.tablebases.close)

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run something in the background; `close` waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _take_over(self) -> None:
        """Let the computer take over the games that wait for it."""
        await self.preparation.ready("rules")
        await self.computer.take_over()

    def _repeat(
        self, what: str, seconds: float | None, work: Callable[[], Awaitable[None]]
    ) -> None:
        """Do something every `seconds`, or just once without them."""

        async def repeat() -> None:
            while True:
                try:
                    await work()
                except Refusal as refusal:
                    log.warning("%s: %s", what, refusal.message)
                except Exception:
                    log.exception("%s failed", what)
                if seconds is None:
                    return
                await asyncio.sleep(seconds)

        self._background.append(asyncio.ensure_future(repeat()))

    async def clean(self) -> None:
        """Delete games that are older than the settings allow, and unused rule sets."""
        for over in (False, True):
            days = self.settings.days_kept(over)
            has_more = days > 0
            while has_more:
                gone, has_more = await self.store.delete_games(over, time.time() - days * DAY)
                for game_id in gone:
                    self.hub.gone(game_id)
        await self.store.delete_unused_rule_sets(time.time() - DAY)
        await self.store.delete_old_usage(time.time() - DAY)

    def metrics_text(self) -> bytes:
        """All metrics for Prometheus, as of now."""
        self.metrics.set_gauges(
            games_in_memory=self.hub.games,
            watchers=self.hub.watchers,
            computer_waiting=self.computer.waiting,
            analyses_waiting=self.analysts.pool.waiting,
            analyses_running=self.analysts.pool.running,
        )
        return self.metrics.text()
