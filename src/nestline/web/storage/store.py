"""The rest of the server's access to the database: reads in a few threads, writes through `writer`.

Implements the interfaces of `games.store`, `access.permission` and `access.quota`; `statements`
has the SQL.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from nestline.position import Side
from nestline.web.games.catalogue import is_custom_name, unknown
from nestline.web.games.online_game import StoredGame
from nestline.web.games.store import Holders, NewAction, NewStoredGame, SeatClaim
from nestline.web.refusals import Refusal, invitation_used
from nestline.web.settings import Settings
from nestline.web.storage import statements
from nestline.web.storage.database import Database
from nestline.web.storage.statements import Lease
from nestline.web.storage.writer import Writer, storage_refusal

Result = TypeVar("Result")
READERS = 4


class Store:
    """One process's access to the database; see the module."""

    def __init__(
        self, settings: Settings, owner: str, observe_commit: Callable[[int, float], None]
    ) -> None:
        """`owner` is the name under which this process leases games."""
        self.database = Database(settings)
        self.is_shared = settings.is_shared
        self._lease_seconds = settings.lease_seconds
        self._owner = owner
        self._observe_commit = observe_commit
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._writer: Writer | None = None

    def start(self) -> None:
        self._writer = Writer(self.database, self._observe_commit)

    def close(self) -> None:
        """Finish pending writes, and close."""
        if self._writer:
            self._writer.close()
        self._readers.shutdown()
        self.database.close()

    @property
    def writer(self) -> Writer:
        assert self._writer is not None, "the store has not been started"
        return self._writer

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Query the database without blocking the event loop."""

        def run() -> Result:
            with self.database.reading() as connection:
                return work(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except DBAPIError as error:
            raise storage_refusal(error) from None

    def _lease(self) -> Lease:
        return Lease(self._owner, time.time() + self._lease_seconds)

    # Games.

    async def load_game(self, game_id: str, since: int = 0) -> StoredGame | None:
        return await self.read(lambda found: statements.load_game(found, game_id, since))

    async def number_of(self, game_id: str) -> int | None:
        return await self.read(lambda found: statements.number_of(found, game_id))

    async def add_game(self, new: NewStoredGame, most_open: int, rules_text: str | None) -> None:
        lease, name = self._lease(), new.game.rules

        def check(connection: Connection) -> None:
            if statements.open_games_of(connection, new.game.creator) >= most_open:
                raise Refusal(
                    429, "too-many",
                    f"you have {most_open} games that are not over; finish some, or wait an hour",
                    retry_after=60,
                )  # fmt: skip

        def work(connection: Connection) -> None:
            statements.lock_creator(connection, new.game.creator)
            check(connection)
            if rules_text is not None:
                statements.keep_rule_set(connection, name, rules_text)
            elif is_custom_name(name) and not statements.use_rule_set(connection, name):
                raise unknown(name)  # It has been cleaned since the caller found it.
            statements.add_game(connection, new, lease)

        # Checked by a reader first, so that clients at their limit cost the writer no time, and
        # again in the transaction, since a client may ask for many games at once.
        await self.read(check)
        await self.writer.write(new.game.creator, work)

    async def add_action(
        self, new: NewAction, claim: SeatClaim | None = None, rematch: NewStoredGame | None = None
    ) -> bool:
        lease = self._lease()
        if claim is None and rematch is None:
            return await self.writer.add(new, lease)

        def work(connection: Connection) -> bool:
            cursor = connection.connection.cursor()
            if not statements.add_actions(cursor, [(new, lease)]):
                return False
            if claim is not None and not statements.take_seat(connection, new.game, claim):
                raise invitation_used()
            if rematch is not None:
                statements.add_game(connection, rematch, lease)
            return True

        return await self.writer.write(new.game, work)

    async def set_invitation(
        self, game_id: str, side: Side, invitation: str, holders: Holders
    ) -> bool:
        return await self.writer.write(
            game_id,
            lambda found: statements.set_invitation(found, game_id, side, invitation, holders),
        )

    # Rule sets.

    async def find_rule_set(self, name: str) -> str | None:
        return await self.read(lambda found: statements.find_rule_set(found, name))

    async def keep_rule_set(self, name: str, text: str) -> None:
        await self.writer.write(name, lambda found: statements.keep_rule_set(found, name, text))

    # Leases: which process makes the computer's moves.

    async def release_leases(self) -> None:
        await self.writer.write("", statements.end_all_leases)

    async def lease_waiting_games(self, most: int) -> tuple[list[str], bool]:
        found = await self.read(lambda connection: statements.waiting_games(connection, most))
        if not found:
            return [], False
        lease = self._lease()
        taken = await self.writer.write(
            "", lambda connection: statements.take_leases(connection, found, lease)
        )
        return taken, len(found) == most

    async def renew_leases(self) -> None:
        lease = self._lease()
        await self.writer.write("", lambda found: statements.renew_leases(found, lease))

    async def end_own_leases(self) -> None:
        """End this process's leases, so that others need not wait for them to run out."""
        lease = Lease(self._owner, 0.0)
        await self.writer.write("", lambda found: statements.renew_leases(found, lease))

    # Study, clients, clean-up.

    async def game_that_forbids_study(
        self, visitor: str | None, holders: frozenset[str], since: float, apart_from: str
    ) -> str | None:
        return await self.read(
            lambda found: statements.game_that_forbids_study(
                found, visitor, holders, since, apart_from
            )
        )

    async def salt(self, name: str) -> str:
        """A random text shared by all processes."""
        return await self.writer.write("", lambda found: statements.salt(found, name))

    async def add_usage(self, client: str, amount: float, rate: float) -> float:
        return await self.writer.write(
            client, lambda found: statements.add_usage(found, client, amount, rate)
        )

    async def delete_old_usage(self, before: float) -> None:
        await self.writer.write("", lambda found: statements.clean_usage(found, before))

    async def require_writable(self) -> None:
        """Write something and commit it; refused if that is impossible."""
        await self.writer.write("heartbeat", lambda found: statements.beat(found, self._owner))

    async def delete_games(self, over: bool, before: float) -> tuple[list[str], bool]:
        """Delete some games whose last action is older: their ids, and whether there are more."""
        gone = await self.writer.write("", lambda found: statements.clean(found, over, before))
        return gone, len(gone) == statements.DELETED_AT_ONCE

    async def delete_unused_rule_sets(self, before: float) -> None:
        await self.writer.write("", lambda found: statements.clean_rule_sets(found, before))
