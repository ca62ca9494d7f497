"""The database: schema, backups, deletion of old games, games of processes that have died."""

import asyncio
import json
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text, update

from nestline.errors import NestlineError
from nestline.position import Move, Side
from nestline.web.access.tokens import hash_of
from nestline.web.access.visitors import Visitor
from nestline.web.games.actions import Move as MoveAction
from nestline.web.games.creation import NewGame, SeatChoice, SeatChoices
from nestline.web.games.online_game import Flags
from nestline.web.games.store import NewAction
from nestline.web.http.requests import read_action
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.settings import Settings
from nestline.web.storage.database import Database
from nestline.web.storage.schema import games, metadata
from nestline.web.storage.statements import Lease
from support.web_driver import PostgreSQL, Server, create, postgresql_programs, wait_for
from web.conftest import Servers
from web.games.test_play import show

SOMEBODY = Visitor("192.0.2.1", None, frozenset())


def serve(settings: Settings, work: Callable[[Services], Awaitable[None]]) -> None:
    """Run something with a server's services, without serving any port."""

    async def run() -> None:
        services = Services(settings)
        await services.start()
        try:
            await work(services)
        finally:
            await services.close()

    asyncio.run(run())


async def new_game(services: Services) -> str:
    _made, online = await services.games.create(NewGame(rules="tictactoe"), SOMEBODY, "browser")
    return online.id


def test_an_invitation_depends_on_the_holders_that_were_seen(own_settings: Settings) -> None:
    async def check(services: Services) -> None:
        request = NewGame(seats=SeatChoices(second=SeatChoice(player="link")))
        made, online = await services.games.create(request, SOMEBODY, "browser")
        game, mine = online.id, online.seats[0].holder
        _game, _seat, token = await services.games.join(
            game, made.invitations["second"], "Bob", SOMEBODY, "another browser"
        )
        # Both were seen before Bob came: the seat was free, and then mine was as it is.
        for side in Side:
            assert not await services.store.set_invitation(game, side, "secret", (mine, None))
        now = mine, hash_of(token)
        assert await services.store.set_invitation(game, Side.SECOND, "secret", now)

    serve(own_settings, check)


def test_clients_have_no_more_open_games_than_allowed_however_fast_they_ask(
    own_settings: Settings,
) -> None:
    """Two processes that count at the same time."""
    most = 10
    settings = replace(own_settings, open_games_per_client=most)

    async def check(one: Services) -> None:
        both = [one]
        if settings.is_shared:
            both.append(Services(settings))
            await both[1].start()
        try:
            asked = [new_game(services) for _ in range(30) for services in both]
            answers = await asyncio.gather(*asked, return_exceptions=True)
        finally:
            for other in both[1:]:
                await other.close()
        assert sum(isinstance(answer, str) for answer in answers) == most

    serve(settings, check)


async def age(services: Services, game: str, seconds: float, **more: bool) -> None:
    """Let a game have changed so long ago."""
    values = {"changed": time.time() - seconds, **more}
    changed = update(games).where(games.c.id == game).values(values)
    await services.store.writer.write("", lambda connection: connection.execute(changed))


def test_abandoned_games_lock_nobody_out(own_settings: Settings) -> None:
    async def check(services: Services) -> None:
        made = [await new_game(services) for _ in range(2)]
        with pytest.raises(Refusal, match="2 games that are not over"):
            await new_game(services)
        await age(services, made[0], 3700)
        await new_game(services)
        with pytest.raises(Refusal, match="or wait an hour"):
            await new_game(services)

    serve(replace(own_settings, open_games_per_client=2), check)


def test_games_are_kept_for_a_long_time_but_not_for_ever(own_settings: Settings) -> None:
    """And everybody is told for how long."""
    day = 86_400

    async def check(services: Services) -> None:
        for is_over, days in ((False, 180), (True, 730)):
            young, old = [await new_game(services) for _ in range(2)]
            await age(services, young, (days - 1) * day, over=is_over)
            await age(services, old, (days + 1) * day, over=is_over)
            await services.clean()
            assert (await services.hub.find(young)).id == young
            with pytest.raises(Refusal, match="no such game"):
                await services.hub.find(old)
        _made, online = await services.games.create(NewGame(), SOMEBODY, "browser")
        told = json.loads(services.games.text(online, frozenset()))
        kept = datetime.fromisoformat(told["expires"]) - datetime.fromisoformat(told["changed"])
        assert kept.days == 180

    serve(own_settings, check)


def test_what_a_client_stores_a_day_is_bounded(own_settings: Settings) -> None:
    comment = "x" * 30_000
    record = NewGame(record=f'[Rules "gobblers"]\n\n1. 3b2 {{{comment}}} *')

    async def check(services: Services) -> None:
        other = Visitor("192.0.2.2", None, frozenset())
        for _ in range(3):
            _made, online = await services.games.create(record, SOMEBODY, "browser")
        with pytest.raises(Refusal, match=r"at most 0\.1 megabytes a day") as refusal:
            await services.games.create(record, SOMEBODY, "browser")
        assert refusal.value.status == 429
        await services.games.create(record, other, "browser")
        # Actions count too.
        holder = online.seats[0].holder
        assert holder is not None
        with pytest.raises(Refusal, match="megabytes a day"):  # noqa: PT012
            for number in range(100):
                level = str(1 + number % 2)
                action = {"action": "hand-over", "level": level, "number": number, "seat": "first"}
                request = read_action.validate_python(action)
                await services.games.act(online.id, frozenset({holder}), request, SOMEBODY)

    serve(replace(own_settings, bytes_per_day=100_000), check)


def test_what_was_stored_is_known_to_other_processes_and_after_a_restart(
    own_settings: Settings,
) -> None:
    record = NewGame(record=f'[Rules "gobblers"]\n\n1. 3b2 {{{"x" * 30_000}}} *')

    async def check(services: Services) -> None:
        for _ in range(3):
            await services.games.create(record, SOMEBODY, "browser")

    async def check_again(services: Services) -> None:
        """The process learns how much there was with the first hundredth that it counts."""
        with pytest.raises(Refusal, match="megabytes a day"):  # noqa: PT012
            for _ in range(20):
                await services.games.create(NewGame(), SOMEBODY, "browser")
        await services.games.create(record, Visitor("192.0.2.2", None, frozenset()), "browser")
        # What is older than a day is forgotten.
        await services.store.delete_old_usage(time.time() + 1)
        with services.store.database.reading() as connection:
            assert connection.execute(text("SELECT count(*) FROM usage")).scalar_one() == 0

    settings = replace(own_settings, bytes_per_day=100_000)
    serve(settings, check)
    serve(settings, check_again)


def test_a_rematch_counts_as_a_game(own_settings: Settings) -> None:
    """Otherwise a client could store games at the price of actions."""

    async def check(services: Services) -> None:
        game = await new_game(services)
        with pytest.raises(Refusal, match="megabytes a day"):  # noqa: PT012
            for _ in range(10):
                online = await services.hub.find(game)
                holder = frozenset({online.seats[0].holder or ""})
                for name in ("resign", "rematch"):
                    online = await services.hub.find(game)
                    action = {"action": name, "number": online.number, "seat": "first"}
                    request = read_action.validate_python(action)
                    online = await services.games.act(game, holder, request, SOMEBODY)
                assert online.rematch is not None
                game = online.rematch

    serve(replace(own_settings, bytes_per_day=10_000), check)


def test_a_change_that_is_cancelled_may_be_stored_all_the_same(
    own_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(services: Services) -> None:
        game = await new_game(services)
        online = await services.hub.find(game)
        request = read_action.validate_python({"action": "move", "number": 0, "move": "b2"})
        holder = frozenset({online.seats[0].holder or ""})
        add, is_on_its_way = services.store.add_action, asyncio.Event()

        async def add_and_tell(new: NewAction) -> bool:
            adding = asyncio.ensure_future(add(new))
            is_on_its_way.set()
            return await asyncio.shield(adding)

        monkeypatch.setattr(
            services.store, "add_action", lambda new, claim, rematch: add_and_tell(new)
        )
        acting = asyncio.ensure_future(services.games.act(game, holder, request, SOMEBODY))
        await is_on_its_way.wait()
        acting.cancel()
        while await services.store.number_of(game) != 1:
            await asyncio.sleep(0.01)
        assert (await services.hub.find(game)).number == 1

    serve(own_settings, check)


def test_actions_that_come_late_change_nothing(own_settings: Settings) -> None:
    async def check(services: Services) -> None:
        ids = sorted([await new_game(services) for _ in range(3)])
        lease, flags = Lease("me", 1.0), Flags(True, False, False)
        at = time.time()
        move = MoveAction(Side.FIRST, Move("1b2"))

        def new(game: str, number: int) -> tuple[NewAction, Lease]:
            return NewAction(game, number, move, at, flags), lease

        async def add(*numbers: int) -> list[bool]:
            actions = zip(ids, numbers, strict=False)
            adding = (services.store.writer.add(*new(*action)) for action in actions)
            return await asyncio.gather(*adding)

        assert await add(0, 0) == [True, True]
        assert await add(0) == [False]
        assert await add(1, 0, 0) == [True, False, True]
        found = [await services.store.load_game(game) for game in ids]
        assert [game.number for game in found if game] == [2, 1, 1]
        assert [len(game.actions) for game in found if game] == [2, 1, 1]
        assert found[0] is not None
        assert found[0].actions[0] == (0, move, at)
        assert found[0].changed == at

    serve(own_settings, check)


def test_a_game_does_not_begin_by_rules_that_were_just_cleaned(own_settings: Settings) -> None:
    """The rule set is still in the memory of this process."""

    async def check(services: Services) -> None:
        rules = await services.catalogue.keep('like = "gobblers"\ntitle = "Mine"', "me")
        await services.store.delete_unused_rule_sets(time.time() + 1)
        request = NewGame(rules=rules.name)
        with pytest.raises(Refusal, match="no rule set"):
            await services.games.create(request, SOMEBODY, "browser")

    serve(own_settings, check)


def test_the_migrations_make_the_schema_that_is_described(own_settings: Settings) -> None:
    database = Database(own_settings)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


def test_the_schema_of_another_version_is_refused(own_settings: Settings) -> None:
    database = Database(own_settings)
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(NestlineError, match="written by another version of nestline"):
        Database(own_settings)


def test_what_sqlite_has_committed_is_on_the_disk(tmp_path: Path) -> None:
    database = Database(Settings(database=str(tmp_path / "games.sqlite3")))
    with database.reading() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    database.close()
    assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize("over", [False, True])
def test_old_games_are_deleted_if_that_is_wanted(own_settings: Settings, over: bool) -> None:
    """One game is old and to be deleted, one is old but of the other kind, one is new."""
    kept: list[str] = []

    async def prepare(services: Services) -> None:
        old, other, new = [await new_game(services) for _ in range(3)]
        long_ago = time.time() - 10 * 86_400

        def age(connection: object) -> None:
            for game, is_over in ((old, over), (other, not over), (new, over)):
                values = (
                    {"over": is_over} if game == new else {"over": is_over, "changed": long_ago}
                )
                connection.execute(update(games).where(games.c.id == game).values(values))  # type: ignore[attr-defined]

        await services.store.writer.write("", age)
        kept.extend([old, other, new])

    async def look(services: Services) -> None:
        await services.clean()
        with pytest.raises(Refusal, match="no such game"):
            await services.hub.find(kept[0])
        for game in kept[1:]:
            assert (await services.hub.find(game)).id == game
        with services.store.database.reading() as connection:
            for table in ("games", "seats"):
                counted = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
                assert counted == (2 if table == "games" else 4)

    serve(own_settings, prepare)
    days = {"keep_finished_days" if over else "keep_unfinished_days": 7.0}
    serve(replace(own_settings, **days), look)  # type: ignore[arg-type]


def test_nobody_gets_more_open_games_by_asking_for_many_at_once(own_settings: Settings) -> None:
    async def ask(services: Services) -> None:
        answers = await asyncio.gather(
            *(new_game(services) for _ in range(20)), return_exceptions=True
        )
        made = [answer for answer in answers if isinstance(answer, str)]
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        assert (len(made), len(refused)) == (3, 17)
        assert {refusal.code for refusal in refused} == {"too-many"}

    serve(replace(own_settings, open_games_per_client=3), ask)


async def require_games(services: Services, *wanted: str) -> None:
    for game in wanted:
        assert (await services.hub.find(game)).number == 0


def test_an_sqlite_backup_made_while_it_runs_can_be_restored(
    tmp_path: Path, server: Server
) -> None:
    game = create(server, rules="tictactoe")["game"]["id"]
    # What sqlite3's `.backup` does.
    copy = str(tmp_path / "copy")
    with closing(sqlite3.connect(server.database)) as source, closing(sqlite3.connect(copy)) as to:
        source.backup(to)
    settings = Settings(database=copy, tables=str(tmp_path), build_tables=False)
    serve(settings, lambda services: require_games(services, game))


def test_a_postgresql_backup_made_while_it_runs_can_be_restored(
    postgresql: PostgreSQL, on_postgresql: Servers, tmp_path: Path
) -> None:
    programs = postgresql_programs()
    assert programs is not None
    game = create(on_postgresql.one, rules="tictactoe")["game"]["id"]
    other, dump = postgresql.database(), str(tmp_path / "dump")
    for command in (
        ["pg_dump", "--format=custom", f"--file={dump}", on_postgresql.one.database],
        ["pg_restore", "--clean", "--if-exists", f"--dbname={other}", dump],
    ):
        subprocess.run([programs / command[0], *command[1:]], check=True)
    settings = Settings(database=other, tables=str(tmp_path), build_tables=False)
    serve(settings, lambda services: require_games(services, game))


def test_moves_of_a_process_that_died_are_made_by_another(
    two_processes: Servers, tictactoe_tables: Path
) -> None:
    """With one engine thread and a queue of slow moves, most are still pending at the kill."""
    other = two_processes.other
    dying = Server(other.database, tictactoe_tables, {"NESTLINE_WEB_ENGINE_THREADS": "1"})
    strong = {"player": "computer", "level": "14"}
    waiting = [
        create(dying, rules="gobblet", seats={"first": strong})["game"]["id"] for _ in range(4)
    ]
    dying.kill()
    assert show(other, waiting[-1])["ply"] == 0
    for game in waiting:
        facts = wait_for(lambda game=game: (got := show(other, game))["ply"] and got)  # type: ignore[misc]
        assert (facts["ply"], facts["number"]) == (1, 1)
