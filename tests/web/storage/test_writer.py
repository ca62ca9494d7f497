"""No action waits for all that others store, and no refusal costs others anything."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection

from nestline.position import Move, Side
from nestline.web.games.actions import Move as MoveAction
from nestline.web.games.online_game import Flags
from nestline.web.games.store import NewAction
from nestline.web.refusals import Refusal, invitation_used
from nestline.web.services import Services
from nestline.web.settings import Settings
from nestline.web.storage import statements
from nestline.web.storage.database import Database
from nestline.web.storage.writer import OTHERS_AT_ONCE, Writer
from support.web_driver import PostgreSQL
from web.storage.test_database import new_game, serve

FLOOD = 5 * OTHERS_AT_ONCE


class Gate:
    """A job that keeps the writer busy until it is opened, so that others queue up behind it."""

    def __init__(self, writer: Writer) -> None:
        self._begun, self._opened = threading.Event(), threading.Event()
        self.job = asyncio.ensure_future(writer.write("gate", self._wait))

    def _wait(self, _connection: Connection) -> None:
        self._begun.set()
        assert self._opened.wait(60)

    async def is_reached(self) -> None:
        assert await asyncio.to_thread(self._begun.wait, 60)

    def open(self) -> None:
        self._opened.set()


def test_actions_and_others_do_not_wait_for_all_that_somebody_stores(
    own_settings: Settings,
) -> None:
    async def check(services: Services) -> None:
        writer = services.store.writer
        game = await new_game(services)
        done: list[str] = []

        def noting(name: str) -> Callable[[Connection], None]:
            return lambda _connection: done.append(name)

        gate = Gate(writer)
        await gate.is_reached()
        flood = [writer.write("flood", noting("flood")) for _ in range(FLOOD)]
        waiting = asyncio.gather(*flood)
        honest = asyncio.ensure_future(writer.write("honest", noting("honest")))
        flags = Flags(False, False, False)
        action = NewAction(game, 0, MoveAction(Side.FIRST, Move("1b2")), time.time(), flags)
        added = asyncio.ensure_future(services.store.add_action(action))
        await asyncio.sleep(0)
        gate.open()
        assert await added
        assert len(done) <= 2 * OTHERS_AT_ONCE
        await honest
        assert done.index("honest") <= OTHERS_AT_ONCE
        await waiting
        assert done.count("flood") == FLOOD

    serve(own_settings, check)


def test_a_refused_job_undoes_only_what_it_has_done(own_settings: Settings) -> None:
    """Otherwise all that were to be stored with it are stored one by one."""

    async def check(services: Services) -> None:
        writer = services.store.writer
        calls: list[str] = []

        def keep(name: str) -> Callable[[Connection], None]:
            def work(connection: Connection) -> None:
                calls.append(name)
                statements.keep_rule_set(connection, name, "text")
                if name == "refused":
                    raise invitation_used()

            return work

        gate = Gate(writer)
        await gate.is_reached()
        names = ["before", "refused", "after"]
        jobs = asyncio.gather(
            *(writer.write(name, keep(name)) for name in names), return_exceptions=True
        )
        await asyncio.sleep(0)
        gate.open()
        answers: list[Any] = await jobs
        assert isinstance(answers.pop(1), Refusal)
        assert answers == [None, None]
        assert calls == names
        kept = [await services.store.find_rule_set(name) for name in names]
        assert kept == ["text", None, "text"]

    serve(own_settings, check)


def test_actions_are_stored_after_the_database_has_ended_the_connection(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    settings = Settings(database=postgresql.database(), tables=str(tmp_path), build_tables=False)
    flags = Flags(False, False, False)

    async def check(services: Services) -> None:
        game = await new_game(services)
        for number, move in enumerate(("1b2", "1a1", "1c1")):
            action = MoveAction(Side(number % 2), Move(move))
            assert await services.store.add_action(
                NewAction(game, number, action, time.time(), flags)
            )
            with psycopg.connect(settings.database, autocommit=True) as operator:
                operator.execute(
                    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid != pg_backend_pid()"
                )

    serve(settings, check)


def test_processes_do_not_wait_for_each_other_for_ever(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """PostgreSQL ends such a deadlock after a second, for which all moves would wait."""
    settings = Settings(database=postgresql.database(), tables=str(tmp_path), build_tables=False)
    databases = [Database(settings), Database(settings)]
    names = ["one", "other"]
    with databases[0].writing() as connection:
        for name in names:
            statements.keep_rule_set(connection, name, "text")
    calls: list[str] = []
    both_have_one = threading.Barrier(2)

    def use(name: str, is_first: bool) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            calls.append(name)
            statements.use_rule_set(connection, name)
            if is_first:
                both_have_one.wait(30)

        return work

    async def run() -> None:
        writers = [Writer(database) for database in databases]
        gates = [Gate(writer) for writer in writers]
        for gate in gates:
            await gate.is_reached()
        jobs = asyncio.gather(
            *(
                writer.write(name, use(name, is_first))
                for writer, order in zip(writers, (names, names[::-1]), strict=True)
                for name, is_first in zip(order, (True, False), strict=True)
            ),
            *(gate.job for gate in gates),
        )
        await asyncio.sleep(0)
        for gate in gates:
            gate.open()
        await jobs
        for writer in writers:
            await asyncio.to_thread(writer.close)

    asyncio.run(run())
    for database in databases:
        database.close()
    assert sorted(calls) == ["one", "one", "other", "other"]
