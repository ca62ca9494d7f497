"""Exchanges PostgreSQL notifications with the other processes that share the games.

A notification about games names them and their new numbers, and mostly what happened; the rest is
read from the database. One about presence says whom a process sees at the board, and is stored
nowhere. After a lost connection, every game in memory is invalidated.
"""

import asyncio
import logging
import threading
from collections.abc import Mapping

import psycopg

from nestline.web.games.hub import Hub
from nestline.web.games.presence import AWAY, GONE, HERE, Presence, States
from nestline.web.settings import Settings
from nestline.web.storage.statements import CHANNEL, heard_changes
from nestline.web.work.event_loop import call_on

log = logging.getLogger(__name__)

PRESENCE_CHANNEL = "nestline_presence"
SECONDS_BETWEEN_LOOKS = 0.5
LONGEST_PAUSE = 5.0
GAMES_IN_A_NOTIFICATION = 250
"""PostgreSQL takes at most 8,000 bytes, and a game fewer than 30."""
LETTERS = {HERE: "h", AWAY: "a", GONE: "g"}
STATES = {letter: state for state, letter in LETTERS.items()}


class Listener:
    """A thread with a connection of its own."""

    def __init__(self, settings: Settings, process: str, hub: Hub, presence: Presence) -> None:
        self._address = f"postgresql://{settings.database.partition('://')[2]}"
        self._process = process
        self._hub = hub
        self._presence = presence
        self._loop = asyncio.get_running_loop()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._unsaid: dict[str, States] = {}
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def announce(self, game: str, states: States) -> None:
        """Tell the other processes, within half a second, whom this one sees at a board."""
        with self._lock:
            self._unsaid[game] = states

    def _run(self) -> None:
        pause = 0.1
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True, connect_timeout=5) as found:
                    found.execute(f"LISTEN {CHANNEL}")
                    found.execute(f"LISTEN {PRESENCE_CHANNEL}")
                    pause = 0.1
                    # Games may have changed, and players come and gone, before we listened.
                    call_on(self._loop, self._hub.invalidate_all)
                    call_on(self._loop, self._presence.announce_all)
                    self._tell(found, {})
                    self._listen(found)
            except psycopg.Error as error:
                log.warning("the database is away: %s", " ".join(str(error).split()))
                self._closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self._closing.is_set():
            for message in connection.notifies(timeout=SECONDS_BETWEEN_LOOKS):
                if message.channel == CHANNEL:
                    call_on(self._loop, self._hub.on_announcement, heard_changes(message.payload))
                    continue
                process, seen = heard_presence(message.payload)
                if process != self._process:
                    call_on(self._loop, self._presence.on_announcement, process, seen)
            with self._lock:
                unsaid, self._unsaid = self._unsaid, {}
            news = list(unsaid.items())
            for start in range(0, len(news), GAMES_IN_A_NOTIFICATION):
                self._tell(connection, dict(news[start : start + GAMES_IN_A_NOTIFICATION]))

    def _tell(
        self, connection: "psycopg.Connection[tuple[object, ...]]", seen: Mapping[str, States]
    ) -> None:
        text = presence_text(self._process, seen)
        connection.execute("SELECT pg_notify(%s, %s)", (PRESENCE_CHANNEL, text))


def presence_text(process: str, seen: Mapping[str, States]) -> str:
    """What a process sees, as `PROCESS GAME ha GAME hg`."""
    games = (f"{game} {''.join(LETTERS[each] for each in states)}" for game, states in seen.items())
    return " ".join((process, *games))


def heard_presence(text: str) -> tuple[str, dict[str, States]]:
    """The process, and what it sees, in a text by `presence_text`."""
    process, *words = text.split() or [""]
    pairs = zip(words[::2], words[1::2], strict=False)
    known = [(game, each) for game, each in pairs if len(each) == 2 and STATES.keys() >= {*each}]
    return process, {game: tuple(STATES[letter] for letter in each) for game, each in known}
