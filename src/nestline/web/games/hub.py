"""All games that somebody plays or watches here: loading, changing, telling the watchers.

A change is stored first, then published. The number of a game decides between those who want to
change it at the same time, in this process or another one. What may be done is decided in
`actions`, what is told in `views`.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from nestline.web.access.tokens import new_id
from nestline.web.games.actions import (
    Request,
    acting_side,
    completes_rematch,
    entry_for,
    rematch_order,
    rematch_setup,
    sides_of,
)
from nestline.web.games.catalogue import Catalogue
from nestline.web.games.online_game import Entry, Match
from nestline.web.games.views import SIDE_NAMES, Facts, common_moves, game_facts
from nestline.web.refusals import Refusal, invitation_used, not_found, stale
from nestline.web.settings import Settings
from nestline.web.storage import store
from nestline.web.storage.database import Database
from nestline.web.storage.store import NewAction, StoredGame, Taking
from nestline.web.storage.writer import Writer, storage_refusal
from nestline.web.study.tablebases import Solutions
from nestline.web.work.preparation import Preparation

Result = TypeVar("Result")
READERS = 4
ATTEMPTS = 5
"""How often something that does not depend on the number is tried against others' changes."""


class Watcher(Protocol):
    """Somebody who is told about changes of a game."""

    def post(self, text: str) -> None:
        """Send this when there is room for it."""


class Room:
    """One game in memory, and those who watch it."""

    __slots__ = ("_doubts", "_settled", "heard", "lock", "match", "users", "watchers")

    def __init__(self, match: Match) -> None:
        self.match = match
        self.watchers: set[Watcher] = set()
        self.lock = asyncio.Lock()
        self.users = 0
        """How many are at work here; meanwhile the room is not forgotten."""
        self.heard = 0
        """The highest number that any process has told of."""
        self._doubts = self._settled = 0

    def doubt(self) -> None:
        """The database may know more than we do."""
        self._doubts += 1

    @property
    def is_doubtful(self) -> bool:
        return self._doubts > self._settled or self.heard > self.match.number

    @property
    def doubts(self) -> int:
        """To be noted before the database is read, and then settled."""
        return self._doubts

    def settle(self, doubts: int) -> None:
        """What gave rise to these doubts has been read; later ones stay."""
        self._settled = max(self._settled, doubts)


class Hub:
    """The games of this process; see the module."""

    def __init__(
        self, settings: Settings, database: Database, writer: Writer, catalogue: Catalogue,
        solutions: Solutions, preparation: Preparation, owner: str,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.database = database
        self.writer = writer
        self.catalogue = catalogue
        self.solutions = solutions
        self.preparation = preparation
        self.owner = owner
        self.on_change: Callable[[Match], None] = lambda match: None
        """Told about every change made here; the computer listens."""
        self._rooms: dict[str, Room] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._tasks: set[asyncio.Task[Any]] = set()

    def close(self) -> None:
        self._readers.shutdown()

    @property
    def changes(self) -> "frozenset[asyncio.Task[Any]]":
        """What is being stored or read at the moment."""
        return frozenset(self._tasks)

    @property
    def games(self) -> int:
        """How many games are in memory."""
        return len(self._rooms)

    @property
    def watchers(self) -> int:
        return sum(len(room.watchers) for room in self._rooms.values())

    def lease_end(self) -> float:
        return time.time() + self.settings.lease_seconds

    # Reading.

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Ask the database something, without keeping anybody waiting for it."""

        def run() -> Result:
            with self.database.reading() as connection:
                return work(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except DBAPIError as error:
            raise storage_refusal(error) from None

    async def find(self, game: str) -> Match:
        """The game as it is now."""
        async with self._using(game) as room:
            await self._freshen(room)
            return room.match

    @asynccontextmanager
    async def _using(self, game: str) -> AsyncIterator[Room]:
        """The room of a game; what it knows may be some milliseconds old."""
        while (room := self._rooms.get(game)) is None:
            # Several may ask for it at once; one looks.
            loading = self._loading.get(game)
            if loading is None:
                loading = self._loading[game] = asyncio.ensure_future(self._load(game))
                loading.add_done_callback(lambda _done: self._loading.pop(game, None))
            await asyncio.shield(loading)
        room.users += 1
        self._idle.pop(game, None)
        try:
            yield room
        finally:
            room.users -= 1
            self._rest(room)

    async def _load(self, game: str) -> None:
        def work(connection: Connection) -> Match:
            stored = store.load_game(connection, game) if _may_be_id(game) else None
            if stored is None:
                raise not_found("there is no such game")
            return Match(stored, self.catalogue.find(connection, stored.rules))

        self._rooms[game] = Room(await self.read(work))

    def _rest(self, room: Room) -> None:
        """Keep a room that nobody needs now, in place of the one that rests longest."""
        game = room.match.id
        if room.users == 0 and not room.watchers and self._rooms.get(game) is room:
            self._idle[game] = None
            self._idle.move_to_end(game)
            while len(self._idle) > self.settings.cached_games:
                self._rooms.pop(self._idle.popitem(last=False)[0])

    def _forget(self, game: str) -> None:
        self._rooms.pop(game, None)
        self._idle.pop(game, None)

    async def _freshen(self, room: Room) -> None:
        """Let a room know what had been stored anywhere when this was called."""
        if not room.is_doubtful:
            if not self.database.is_shared:
                return
            game = room.match.id
            number = await self.read(lambda connection: store.number_of(connection, game))
            if number is not None and number <= room.match.number:
                return
        await self._refresh(room)

    async def _refresh(self, room: Room) -> None:
        """Read what else has been stored, and tell the watchers."""
        game, known, doubts = room.match.id, room.match.number, room.doubts
        found = await self.read(lambda connection: store.load_game(connection, game, known))
        if found is None:
            self.gone(game)
            raise not_found("there is no such game")
        room.settle(doubts)
        # Somebody may have been faster than this reading.
        match = room.match
        if found.number > match.number or (
            found.number == match.number and found.seats != match.seats
        ):
            self._publish(room, match.caught_up(found))

    # Watching.

    async def watch(self, game: str, watcher: Watcher) -> Match:
        """The game now; from now on the watcher is told about changes."""
        async with self._using(game) as room:
            await self._freshen(room)
            # Nothing is awaited from here on, so no change can slip in between.
            room.watchers.add(watcher)
            return room.match

    def leave(self, game: str, watcher: Watcher) -> None:
        room = self._rooms.get(game)
        if room is not None and watcher in room.watchers:
            room.watchers.remove(watcher)
            self._rest(room)

    def facts(self, match: Match, holders: frozenset[str]) -> Facts:
        """The whole game for somebody with these hashes of tokens."""
        you = [SIDE_NAMES[side] for side in sides_of(match, holders)]
        return {**game_facts(match, self.solutions, self.preparation.remark), "you": you}

    def _publish(self, room: Room, match: Match) -> None:
        before, room.match = room.match, match
        if room.watchers:
            known = common_moves(before, match)
            facts = game_facts(match, self.solutions, self.preparation.remark, known)
            body = json.dumps(facts, separators=(",", ":"))
            text = f'{{"type":"game","game":{body}}}'
            for watcher in room.watchers:
                watcher.post(text)

    def gone(self, game: str) -> None:
        """The game has been deleted: tell whoever still watches it."""
        room = self._rooms.get(game)
        self._forget(game)
        if room is not None:
            facts = {"code": "not-found", "message": "the game has been deleted", "game": game}
            for watcher in room.watchers:
                watcher.post(json.dumps({"type": "error", **facts}))

    # Changing.

    async def act(self, game: str, holders: frozenset[str], request: Request) -> Match:
        """Do what the holder of a seat asks for; returns when it is stored."""
        number: int = request["number"]

        def decide(match: Match) -> Entry:
            side = acting_side(match, holders, request.get("seat"))
            if match.number != number:
                raise stale(match.number, number)
            return entry_for(match, side, request)

        return await self._whole(self._change(game, decide, number))

    async def act_for_computer(self, game: str, number: int, entry: Entry) -> None:
        """Store what the computer has decided; refused if the game has moved on."""

        def decide(match: Match) -> Entry:
            if match.number != number:
                raise stale(match.number, number)
            return entry

        await self._whole(self._change(game, decide, number))

    async def seat(self, game: str, decide: Callable[[Match], Entry], taking: Taking) -> Match:
        """Let somebody take a seat, whatever others do in the game meanwhile."""
        for attempt in range(ATTEMPTS):
            try:
                return await self._whole(self._change(game, decide, None, taking))
            except Refusal as refusal:
                if refusal.code != "stale" or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError

    async def _change(
        self, game: str, decide: Callable[[Match], Entry], number: int | None,
        taking: Taking | None = None,
    ) -> Match:  # fmt: skip
        async with self._using(game) as room, room.lock:
            if number is None or room.is_doubtful or number > room.match.number:
                await self._freshen(room)
            match = room.match
            entry = decide(match)
            following: StoredGame | None = None
            if completes_rematch(match, entry):
                following = self._rematch_of(match)
                entry = {**entry, "game": following.id}
            after = match.with_entry(entry, time.time())
            if taking is not None:
                after = after.with_holder(taking.side, taking.holder)
            after_that = Match(following, match.game.rules) if following else None

            action = NewAction(
                match.id, match.number, entry, after.changed, after.flags, self.owner,
                self.lease_end(),
            )  # fmt: skip

            def work(connection: Connection) -> bool:
                if not store.add_actions(connection, [action]):
                    return False
                if taking is not None and not store.take_seat(connection, match.id, taking):
                    raise invitation_used()
                if following and after_that:
                    flags = after_that.flags
                    store.add_game(connection, following, flags, self.owner, action.until)
                return True

            is_plain = taking is None and following is None
            try:
                is_done = await (
                    self.writer.add(action) if is_plain else self.writer.write(match.id, work)
                )
            except Refusal:
                room.doubt()
                raise
            if not is_done:
                await self._refresh(room)
                raise stale(room.match.number, match.number)
            if taking is not None:
                await self._refresh(room)
            elif room.match is match:
                self._publish(room, after)
            for changed in (after, after_that):
                if changed is not None:
                    self.on_change(changed)
            return room.match

    async def _whole(self, work: Coroutine[Any, Any, Result]) -> Result:
        """See a change through, though whoever asked for it may be gone before its end."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    def _rematch_of(self, match: Match) -> StoredGame:
        first, second = (match.seats[side]._replace(invitation=None)
                         for side in rematch_order(match))  # fmt: skip
        now = time.time()
        return StoredGame(
            new_id(), match.rules_name, rematch_setup(match), match.creator, 0, now, now,
            (first, second), (),
        )  # fmt: skip

    async def add(self, game: StoredGame, text: str | None = None) -> Match:
        """Store a new game; `text` is the custom rule set that came with it."""

        most = self.settings.open_games_per_client

        def check(connection: Connection) -> None:
            if store.open_games_of(connection, game.creator) >= most:
                raise Refusal(
                    429, "too-many", f"you have {most} games that are not over; finish some first",
                    retry_after=60,
                )  # fmt: skip

        def work(connection: Connection) -> Match:
            check(connection)
            if text is not None:
                store.keep_rule_set(connection, game.rules, text)
            match = Match(game, self.catalogue.find(connection, game.rules))
            until = self.lease_end()
            store.add_game(connection, game, match.flags, self.owner, until)
            return match

        # Asked before, so that those who have too many take no writer's time; and again when it
        # is done, since many may have been asked for at once.
        await self.read(check)
        match = await self.writer.write(game.id, work)
        self.on_change(match)
        return match

    # What other processes do.

    def noticed(self, changes: Iterable[tuple[str, int]]) -> None:
        """Another process (or this one) says which numbers games have reached."""
        for game, number in changes:
            room = self._rooms.get(game)
            if room is None or room.match.number >= number:
                continue
            if room.watchers or room.users:
                # What this process is just storing itself is no news when it is stored.
                room.heard = max(room.heard, number)
                self._spawn(self._catch_up(room))
            else:
                self._forget(game)

    async def _catch_up(self, room: Room) -> None:
        try:
            async with room.lock:
                if room.is_doubtful:
                    await self._refresh(room)
        except Refusal:
            # The database is away, and the doubt remains; when it is back, all games are looked at.
            pass

    def doubt_everything(self) -> None:
        """Messages of other processes may have been missed: look at all games again."""
        for game, room in list(self._rooms.items()):
            if room.watchers or room.users:
                room.doubt()
                self._spawn(self._catch_up(room))
            else:
                self._forget(game)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _may_be_id(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= 20
