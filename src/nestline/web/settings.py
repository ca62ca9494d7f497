"""What an operator can set: one field each, read from the environment, checked at the start.

The command line sets the same variables, so that every worker process finds them. What the
settings do is told in `docs/deployment.md`, and a test holds that page to this list.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from nestline.errors import NestlineError

PREFIX = "NESTLINE_WEB_"
POSTGRESQL = ("postgresql://", "postgres://")
LOG_LEVELS = ("debug", "info", "warning", "error")


def _setting(default: Any, least: float | None = None) -> Any:
    return field(default=default, metadata={"least": least})


@dataclass(frozen=True)
class Settings:
    """All settings of a server; `variables` names the environment's variable of each."""

    database: str = ""
    """A file for SQLite, or postgresql://…; empty is a file in the user's data folder."""
    tables: str = ""
    """The folder of solved tables; empty is the usual one."""
    build_tables: bool = True
    """Build the tables that are missing, in the background."""
    engine_threads: int = _setting(0, 0)
    """Threads in which the computer thinks over its moves; 0 is one per core."""
    analysis_threads: int = _setting(1, 1)
    """Threads in which positions are analysed for study."""
    log_level: str = "info"
    origins: str = ""
    """Further origins whose pages may open the WebSocket, separated by blanks."""
    trusted_proxies: str = "127.0.0.1"
    """Addresses whose X-Forwarded headers are believed, separated by commas."""

    body_bytes: int = _setting(65_536, 1024)
    """Largest body of a request."""
    message_bytes: int = _setting(65_536, 1024)
    """Largest message on a WebSocket."""
    requests_per_second: float = _setting(50.0, 0)
    """Requests of one client; ten times as many may come at once. 0 is no limit."""
    messages_per_second: float = _setting(20.0, 0)
    """Messages on one WebSocket; ten times as many may come at once. 0 is no limit."""
    connections_per_client: int = _setting(200, 1)
    """Open WebSockets of one client."""
    games_per_connection: int = _setting(20, 1)
    """Games watched on one WebSocket."""
    open_games_per_client: int = _setting(200, 1)
    """Games that one client created and that are not over."""
    analysis_seconds: float = _setting(30.0, 0.1)
    """Longest analysis."""
    review_seconds_per_move: float = _setting(0.3, 0.01)
    """How long the engine looks at each move of a review, where no table tells."""
    engine_seconds_per_minute: float = _setting(60.0, 1)
    """Engine time for the study of one client; unused time is kept up to five minutes' worth."""
    cached_games: int = _setting(5_000, 1)
    """Games kept in memory though nobody watches them."""

    study_lock_hours: float = _setting(24.0, 0)
    """How long after its last action a game between people keeps its players from studying."""
    keep_unfinished_days: float = _setting(0.0, 0)
    """Games that are not over are deleted so long after their last action; 0 is never."""
    keep_finished_days: float = _setting(0.0, 0)
    """Games that are over are deleted so long after their end; 0 is never."""
    lease_seconds: float = _setting(10.0, 1)
    """How long after a process has died others wait before they make its computer moves."""
    shutdown_seconds: int = _setting(10, 0)
    """How long a server that is told to stop waits for what is going on."""

    @property
    def is_shared(self) -> bool:
        """Whether several processes can serve the same games."""
        return self.database.startswith(POSTGRESQL)

    @property
    def database_url(self) -> str:
        """The address of the database as SQLAlchemy takes it."""
        if self.is_shared:
            return f"postgresql+psycopg://{self.database.partition('://')[2]}"
        return f"sqlite:///{self.database_file}"

    @property
    def database_file(self) -> Path:
        """The file of SQLite."""
        name = self.database.removeprefix("sqlite:///")
        return Path(name) if name else user_data_path("nestline") / "games.sqlite3"

    @property
    def thinking_threads(self) -> int:
        return self.engine_threads or os.cpu_count() or 1


def variables() -> dict[str, str]:
    """Every setting's name and its variable in the environment."""
    return {item.name: PREFIX + item.name.upper() for item in fields(Settings)}


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the environment; `NestlineError` names the one that makes no sense."""
    environment = os.environ if environment is None else environment
    known = variables()
    for name in environment:
        if name.startswith(PREFIX) and name not in known.values():
            raise NestlineError(f"{name} is no setting; settings are {', '.join(known.values())}")
    values: dict[str, Any] = {}
    for item in fields(Settings):
        text = environment.get(known[item.name])
        if text is not None:
            values[item.name] = _read(known[item.name], text, item.type, item.metadata)
    settings = Settings(**values)
    if settings.log_level not in LOG_LEVELS:
        raise NestlineError(
            f"{known['log_level']}: {settings.log_level!r} is none of {', '.join(LOG_LEVELS)}"
        )
    known_kind = settings.is_shared or settings.database.startswith("sqlite:///")
    if "://" in settings.database and not known_kind:
        raise NestlineError(
            "the database is the path of a file or postgresql://USER@HOST/NAME, and no other kind"
        )
    return settings


def _read(name: str, text: str, kind: Any, metadata: Mapping[str, Any]) -> Any:
    if kind is str:
        return text.strip()
    if kind is bool:
        words = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
        if text.strip().lower() not in words:
            raise NestlineError(f"{name}: {text!r} is neither yes nor no")
        return words[text.strip().lower()]
    least = metadata["least"]
    try:
        value = kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise NestlineError(f"{name}: {text!r} is not {what}") from None
    if not least <= value < float("inf"):
        raise NestlineError(f"{name}: {text} is not allowed; it is at least {least:g}")
    return value
