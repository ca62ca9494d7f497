"""The settings of a server: one field each, read from the environment and checked at startup.

The command line sets the same variables, so that every worker process finds them.
`docs/host/settings.md` explains the settings, and a test keeps that page in line with this list.
"""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from nestline.errors import NestlineError
from nestline.system import cores

PREFIX = "NESTLINE_WEB_"
POSTGRESQL = ("postgresql://", "postgres://")
LOG_LEVELS = ("debug", "info", "warning", "error")


MOST_THREADS = 256


def _setting(default: Any, least: float | None = None, most: float = math.inf) -> Any:
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class Settings:
    """All settings of a server; `variables` gives the environment variable of each."""

    database: str = ""
    """A file for SQLite, or postgresql://…; if empty, a file in the user's data folder."""
    tables: str = ""
    """The folder of the tablebases; if empty, the usual one."""
    build_tables: bool = True
    """Build missing tablebases in the background."""
    engine_threads: int = _setting(0, 0, MOST_THREADS)
    """Threads in which the computer thinks about its moves; 0 means one per core."""
    analysis_threads: int = _setting(1, 1, MOST_THREADS)
    """Threads in which positions are analysed for study."""
    log_level: str = "info"
    origins: str = ""
    """Other origins whose pages may use the API and the WebSocket, separated by spaces."""
    hosts: str = ""
    """The names that the server goes by, separated by spaces; if empty, any, but on loopback only
    local ones."""
    trusted_proxies: str = "127.0.0.1"
    """Addresses whose X-Forwarded headers are trusted, separated by commas."""

    head_bytes: int = _setting(16_384, 1024)
    """Largest head of a request."""
    head_seconds: float = _setting(10.0, 0.1)
    """How long a connection may take to send its first request, or any request head."""
    body_seconds: float = _setting(20.0, 0.1)
    """How long a client may take to send a body."""
    unread_seconds: float = _setting(30.0, 0.1)
    """How long a client may leave responses unread."""
    body_bytes: int = _setting(65_536, 1024)
    """Largest body of a request."""
    message_bytes: int = _setting(65_536, 1024)
    """Largest message on a WebSocket."""
    requests_per_second: float = _setting(50.0, 0)
    """Rate limit of one client's requests, with a burst of ten seconds' worth; 0 for no limit."""
    messages_per_second: float = _setting(100.0, 0)
    """Rate limit of the messages on one client's WebSockets, with such a burst; 0 for no limit."""
    connections_per_client: int = _setting(500, 1)
    """Open connections of one client, and its WebSockets also behind a proxy."""
    games_per_connection: int = _setting(20, 1)
    """Games watched on one WebSocket."""
    open_games_per_client: int = _setting(1_000, 1)
    """Unfinished games of one client in which something happened within the last hour."""
    bytes_per_day: int = _setting(100_000_000, 0)
    """What one client may store: games, actions and rule sets; 0 for no limit."""
    analysis_seconds: float = _setting(30.0, 0.1)
    """Longest analysis."""
    review_seconds_per_move: float = _setting(0.3, 0.01)
    """Engine time for each move of a review, where there is no tablebase."""
    engine_seconds_per_minute: float = _setting(60.0, 1)
    """Engine time for one client's study; up to five minutes' worth can be saved up."""
    cached_games: int = _setting(5_000, 1)
    """Games kept in memory that nobody is watching."""

    study_lock_hours: float = _setting(24.0, 0)
    """How long after its last action a game between people bars its players from studying."""
    keep_unfinished_days: float = _setting(180.0, 0)
    """Days after its last action until an unfinished game is deleted; 0 for never."""
    keep_finished_days: float = _setting(730.0, 0)
    """Days after its last action until a finished game is deleted; 0 for never."""
    lease_seconds: float = _setting(10.0, 1)
    """How long other processes wait before taking over the computer moves of one that died."""
    shutdown_seconds: int = _setting(10, 0)
    """How long a graceful shutdown waits for requests in progress."""

    @property
    def is_shared(self) -> bool:
        """Whether several processes can serve the same games."""
        return self.database.startswith(POSTGRESQL)

    @property
    def database_url(self) -> str:
        """The URL of the database for SQLAlchemy."""
        if self.is_shared:
            return f"postgresql+psycopg://{self.database.partition('://')[2]}"
        return f"sqlite:///{self.database_file}"

    @property
    def database_file(self) -> Path:
        """The path of the SQLite file."""
        name = self.database.removeprefix("sqlite:///")
        return Path(name) if name else user_data_path("nestline") / "games.sqlite3"

    def days_kept(self, is_over: bool) -> float:
        """How long a game is kept after its last action; 0 for ever."""
        return self.keep_finished_days if is_over else self.keep_unfinished_days

    @property
    def thinking_threads(self) -> int:
        return self.engine_threads or cores()


def variables() -> dict[str, str]:
    """The environment variable of each setting, by its name."""
    return {item.name: PREFIX + item.name.upper() for item in fields(Settings)}


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings from the environment; a `NestlineError` names one that makes no sense."""
    environment = os.environ if environment is None else environment
    known = variables()
    for name in environment:
        if name.startswith(PREFIX) and name not in known.values():
            raise NestlineError(
                f"{name} is not a setting; settings are {', '.join(known.values())}"
            )
    values: dict[str, Any] = {}
    for item in fields(Settings):
        text = environment.get(known[item.name])
        if text is not None:
            values[item.name] = _read(known[item.name], text, item.type, item.metadata)
    settings = Settings(**values)
    _check(settings, known)
    return settings


def _check(settings: Settings, known: Mapping[str, str]) -> None:
    """Refuse values that make no sense; paths and URLs are only tried when they are used."""
    if settings.log_level not in LOG_LEVELS:
        raise NestlineError(
            f"{known['log_level']}: {settings.log_level!r} is none of {', '.join(LOG_LEVELS)}"
        )
    known_kind = settings.is_shared or settings.database.startswith("sqlite:///")
    if "://" in settings.database and not known_kind:
        raise NestlineError(
            "the database is the path of a file or postgresql://USER@HOST/NAME, and no other kind"
        )
    for origin in settings.origins.split():
        if not re.fullmatch(r"https?://[^/?#@\s]+/?", origin):
            raise NestlineError(
                f"{known['origins']}: {origin!r} is not an origin; one is written like "
                "https://games.example"
            )
    for proxy in filter(None, map(str.strip, settings.trusted_proxies.split(","))):
        if proxy != "*" and not _is_network(proxy):
            raise NestlineError(
                f"{known['trusted_proxies']}: {proxy!r} is neither an address nor a network; "
                "they are written like 127.0.0.1, 10.0.0.0/8"
            )
    if settings.tables and Path(settings.tables).exists() and not Path(settings.tables).is_dir():
        raise NestlineError(f"{settings.tables} is not a folder, and tablebases need one")


def _is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def _read(name: str, text: str, kind: Any, metadata: Mapping[str, Any]) -> Any:
    if kind is str:
        return text.strip()
    if kind is bool:
        words = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
        if text.strip().lower() not in words:
            raise NestlineError(f"{name}: {text!r} is neither yes nor no")
        return words[text.strip().lower()]
    least, most = metadata["least"], metadata["most"]
    try:
        value = kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise NestlineError(f"{name}: {text!r} is not {what}") from None
    if not least <= value <= most or value == math.inf:
        allowed = f"at least {least:g}" if most == math.inf else f"{least:g} to {most:g}"
        raise NestlineError(f"{name}: {text} is not allowed; it is {allowed}")
    return value
