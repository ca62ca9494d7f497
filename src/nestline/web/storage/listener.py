"""Listens for PostgreSQL notifications about games that other processes changed; tells the hub.

A notification only names games and their new numbers; what happened is read from the database.
After a lost connection, every game in memory is invalidated.
"""

import asyncio
import logging
import threading

import psycopg

from nestline.web.games.hub import Hub
from nestline.web.settings import Settings
from nestline.web.storage.statements import CHANNEL, heard_changes
from nestline.web.work.event_loop import call_on

log = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 0.5
LONGEST_PAUSE = 5.0


class Listener:
    """A thread with a connection of its own."""

    def __init__(self, settings: Settings, hub: Hub) -> None:
        self._address = f"postgresql://{settings.database.partition('://')[2]}"
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        pause = 0.1
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True, connect_timeout=5) as found:
                    found.execute(f"LISTEN {CHANNEL}")
                    pause = 0.1
                    # Games may have changed before we listened.
                    call_on(self._loop, self._hub.invalidate_all)
                    self._listen(found)
            except psycopg.Error as error:
                log.warning("the database is away: %s", " ".join(str(error).split()))
                self._closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self._closing.is_set():
            for message in connection.notifies(timeout=SECONDS_BETWEEN_LOOKS):
                call_on(self._loop, self._hub.on_announcement, heard_changes(message.payload))
