"""Opens the database, SQLite or PostgreSQL, and migrates it to this version's schema.

Everybody else goes through `store`; `statements` has the SQL, `writer` the write transactions.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from filelock import BaseFileLock
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from nestline.errors import DatabaseInUse, NestlineError
from nestline.system import lock_file, make_private
from nestline.web.refusals import Refusal
from nestline.web.settings import Settings

MIGRATION_LOCK = 7_105_202
"""The key of the PostgreSQL advisory lock under which one process at a time migrates the schema."""
POOL = 5
CONNECT_SECONDS = 5
CONNECTION_LOST = "08", "57"
"""Classes of PostgreSQL's error codes: there is no connection, or an operator has ended it."""
BUSY_MILLISECONDS = 10_000


class DatabaseLost(Refusal):
    """The files of the database have been deleted or replaced while the server used them."""

    def __init__(self) -> None:
        super().__init__(
            503, "database",
            "the database was removed or replaced under the server, which must be started again",
            retry_after=30,
        )  # fmt: skip


class Database:
    """A connection pool to a migrated database; an SQLite file belongs to one process."""

    def __init__(self, settings: Settings) -> None:
        self.is_shared = settings.is_shared
        self._lock: BaseFileLock | None = None
        self._anchor: Connection | None = None
        self._address = settings.database
        self._driver: psycopg.Connection[Any] | None = None
        if not self.is_shared:
            self._own_file(settings.database_file)
        self.engine = _make_engine(settings)
        try:
            _migrate(self.engine, self.is_shared)
        except BaseException:
            self.close()
            raise
        self._files: dict[Path, tuple[int, int] | None] = {}
        if not self.is_shared:
            # SQLite removes the write-ahead log with its last connection, so one stays open.
            self._anchor = self.engine.connect()
            with self._anchor.begin():
                self._anchor.execute(text("SELECT count(*) FROM alembic_version"))
            self._files = _identities(settings.database_file)

    def _own_file(self, file: Path) -> None:
        """Lock the file for this process; the lock goes when the process does, however it ends."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._lock = lock_file(f"{file}.lock")
            if self._lock is not None:
                make_private(file)  # SQLite gives its write-ahead log the same permissions.
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise NestlineError(f"{file}: the database cannot be opened: {reason}") from None
        if self._lock is None:
            raise DatabaseInUse(
                f"{file}: another server uses this database; with SQLite there can be one, "
                "with PostgreSQL several"
            )

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, committed at the end unless something is raised."""
        self._require_files()
        with _as_sqlalchemy_raises_them(), self.engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                yield connection
        self._require_files()

    @contextmanager
    def writing_actions(self) -> Iterator[Any]:
        """A cursor of the driver, for the one thread that writes; committed at the end.

        With SQLAlchemy a transaction of a few moves takes twice as long. In PostgreSQL there may be
        one statement, which is committed with the same message.
        """
        self._require_files()
        with _as_sqlalchemy_raises_them():
            if self.is_shared:
                with self._driver_of_postgresql().cursor() as cursor:
                    yield cursor
            else:
                with self._sqlite_transaction() as cursor:
                    yield cursor
        self._require_files()

    def _driver_of_postgresql(self) -> "psycopg.Connection[Any]":
        """The open connection, or a new one if the database has ended it meanwhile."""
        if self._driver is not None:
            with suppress(psycopg.Error):
                for _ in range(2):  # It says so first, and then hangs up.
                    self._driver.pgconn.consume_input()
        if self._driver is None or self._driver.closed:
            address = f"postgresql://{self._address.partition('://')[2]}"
            self._driver = psycopg.connect(
                address, autocommit=True, connect_timeout=CONNECT_SECONDS
            )
        return self._driver

    @contextmanager
    def _sqlite_transaction(self) -> Iterator[sqlite3.Cursor]:
        assert self._anchor is not None
        driver = self._anchor.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        cursor = driver.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            yield cursor
            cursor.execute("COMMIT")
        finally:
            if driver.in_transaction:
                driver.rollback()
            cursor.close()

    def _require_files(self) -> None:
        """Refuse if the files have been deleted or replaced.

        SQLite would go on writing to the old ones, which nobody can open any more.
        """
        if any(_identity(file) != known for file, known in self._files.items()):
            raise DatabaseLost

    def close(self) -> None:
        if self._driver is not None:
            self._driver.close()
        if self._anchor is not None:
            self._anchor.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


@contextmanager
def _as_sqlalchemy_raises_them() -> Iterator[None]:
    """The errors of the drivers, where they are used without SQLAlchemy."""
    try:
        yield
    except (sqlite3.Error, psycopg.Error) as error:
        code = getattr(error, "sqlstate", None)
        is_gone = isinstance(error, psycopg.OperationalError) and (
            code is None or code[:2] in CONNECTION_LOST
        )
        raise OperationalError(None, None, error, connection_invalidated=is_gone) from error


def _identities(file: Path) -> dict[Path, tuple[int, int] | None]:
    """The database and its write-ahead log, which exists while a connection is open."""
    return {each: _identity(each) for each in (file, Path(f"{file}-wal"))}


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _make_engine(settings: Settings) -> Engine:
    if settings.is_shared:
        try:
            return create_engine(
                settings.database_url, pool_pre_ping=True, pool_size=POOL, max_overflow=0,
                connect_args={"connect_timeout": CONNECT_SECONDS},
            )  # fmt: skip
        except (ArgumentError, ValueError):
            raise NestlineError(
                "the database's address makes no sense; it is written like "
                "postgresql://USER:PASSWORD@HOST:5432/NAME"
            ) from None
    # Last in, first out: the writer gets the same connection again, with a page cache still valid.
    engine = create_engine(
        settings.database_url, pool_size=POOL + 1, max_overflow=0, pool_use_lifo=True
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        # SQLAlchemy begins transactions itself, below; the sqlite3 module must not.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        connection.execute("PRAGMA journal_mode = WAL")
        # Acknowledged moves survive a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A write transaction that began with a read could fail when it upgrades its lock.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _migrate(engine: Engine, is_shared: bool) -> None:
    config = Config()
    folder = resources.files("nestline.web.storage") / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    try:
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            if is_shared:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise NestlineError(
            f"the database was written by another version of nestline: {error}"
        ) from None
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise NestlineError(f"the database cannot be opened: {reason}") from None


def is_disk_full(error: BaseException) -> bool:
    told = str(error.orig).lower() if isinstance(error, OperationalError) else ""
    return "disk is full" in told or "no space left" in told
