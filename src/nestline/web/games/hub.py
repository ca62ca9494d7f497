"""All games in memory in this process: loads them, changes them, and tells their watchers.

A change is stored first, then published. When several clients change a game at once, in this
process or another, its number decides who wins (optimistic locking). `actions` decides what may be
done, `views` what is shown.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

from nestline.web.games.actions import ActionRequest, Rematch
from nestline.web.games.catalogue import Catalogue
from nestline.web.games.creation import rematch_of
from nestline.web.games.online_game import Action, OnlineGame, StoredGame
from nestline.web.games.seats import acting_side
from nestline.web.games.store import Announcement, GameStore, NewAction, NewStoredGame, SeatClaim
from nestline.web.games.views import GameTexts, common_moves
from nestline.web.refusals import Refusal, not_found, stale
from nestline.web.settings import Settings
from nestline.web.work.fair_executor import FairExecutor
from nestline.web.work.preparation import Preparation
from nestline.web.work.tablebases import Tablebases

MOST_CACHED_STATES = 200_000
"""In all games that nobody uses; each takes half a kilobyte of memory."""
ATTEMPTS = 5
"""Retries for a change that does not depend on the number, when others change the game too."""


class Watcher(Protocol):
    """A connection that is told about a game's changes."""

    def post(self, text: str) -> None:
        """Queue this message for sending."""


class Room:
    """One game in memory, and its watchers."""

    __slots__ = ("_invalidated", "_validated", "announced", "lock", "online", "users", "watchers")

    def __init__(self, online: OnlineGame) -> None:
        self.online = online
        self.watchers: set[Watcher] = set()
        self.lock = asyncio.Lock()
        self.users = 0
        """How many requests are using it; until they finish it stays in memory."""
        self.announced = 0
        """The highest number that any process has announced."""
        self._invalidated = self._validated = 0

    def invalidate(self) -> None:
        """Note that the database may be ahead of this process."""
        self._invalidated += 1

    @property
    def is_valid(self) -> bool:
        """Whether the game is up to date, as far as this process knows."""
        return self._invalidated <= self._validated and self.announced <= self.online.number

    @property
    def version(self) -> int:
        """Note this before reading the database, and pass it to `validate` afterwards."""
        return self._invalidated

    def validate(self, version: int) -> None:
        """Mark as read at that version; later invalidations still count."""
        self._validated = max(self._validated, version)


class Hub:
    """The games of this process; see the module."""

    def __init__(
        self, settings: Settings, store: GameStore, catalogue: Catalogue, tablebases: Tablebases,
        preparation: Preparation, executor: FairExecutor,
    ) -> None:  # fmt: skip
        self._executor = executor
        self.texts = GameTexts(settings, tablebases, preparation)
        self._settings = settings
        self._store = store
        self._catalogue = catalogue
        self.on_change: Callable[[OnlineGame], None] = lambda online: None
        """Called after every change made in this process; the computer listens."""
        self._rooms: dict[str, Room] = {}
        self._idle: OrderedDict[str, int] = OrderedDict()
        """Those that nobody uses, with their sizes."""
        self._idle_size = 0
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def reads(self) -> "frozenset[asyncio.Task[Any]]":
        """The reads in progress of what other processes have changed."""
        return frozenset(self._tasks)

    @property
    def games(self) -> int:
        """How many games are in memory."""
        return len(self._rooms)

    @property
    def watchers(self) -> int:
        return sum(len(room.watchers) for room in self._rooms.values())

    # Reading.

    async def find(self, game_id: str) -> OnlineGame:
        """The game as it is now."""
        room = await self._enter(game_id)
        try:
            await self._freshen(room)
            return room.online
        finally:
            self._exit(room)

    async def _enter(self, game_id: str) -> Room:
        """The room of a game, which stays in memory until `_exit`.

        Its state may be some milliseconds old.
        """
        while (room := self._rooms.get(game_id)) is None:
            # Several requests may want it at once; one of them loads it.
            loading = self._loading.get(game_id)
            if loading is None:
                loading = self._loading[game_id] = asyncio.ensure_future(self._load(game_id))
                loading.add_done_callback(lambda _done: self._loading.pop(game_id, None))
            await asyncio.shield(loading)
        room.users += 1
        self._idle_size -= self._idle.pop(game_id, 0)
        return room

    def _exit(self, room: Room) -> None:
        room.users -= 1
        self._rest(room)

    async def _load(self, game_id: str) -> None:
        stored = await self._store.load_game(game_id) if _may_be_id(game_id) else None
        if stored is None:
            raise not_found("there is no such game")
        rules = await self._catalogue.find(stored.rules)
        # Whoever makes games that are slow to replay waits for them alone.
        online = await self._executor.run(stored.creator, lambda: OnlineGame(stored, rules))
        self._rooms[game_id] = Room(online)

    def _rest(self, room: Room) -> None:
        """Cache a room that nobody uses now, evicting the one unused for longest."""
        game_id = room.online.id
        if room.users == 0 and not room.watchers and self._rooms.get(game_id) is room:
            self._idle_size += room.online.game.kept_states - self._idle.pop(game_id, 0)
            self._idle[game_id] = room.online.game.kept_states
            while len(self._idle) > self._settings.cached_games or (
                self._idle_size > MOST_CACHED_STATES
            ):
                gone, size = self._idle.popitem(last=False)
                self._idle_size -= size
                self._rooms.pop(gone)

    def _forget(self, game_id: str) -> None:
        self._rooms.pop(game_id, None)
        self._idle_size -= self._idle.pop(game_id, 0)

    async def _freshen(self, room: Room) -> None:
        """Bring a room up to date with whatever any process had stored when this was called."""
        if room.is_valid:
            if not self._store.is_shared:
                return
            number = await self._store.number_of(room.online.id)
            if number is not None and number <= room.online.number:
                return
        await self._refresh(room)

    async def _refresh(self, room: Room) -> None:
        """Read the actions stored since, and tell the watchers."""
        game_id, known, version = room.online.id, room.online.number, room.version
        found = await self._store.load_game(game_id, known)
        if found is None:
            self.gone(game_id)
            raise not_found("there is no such game")
        room.validate(version)
        # Another read may have finished first.
        online = room.online
        if found.number > online.number or (
            found.number == online.number and found.seats != online.seats
        ):
            self._publish(room, online.caught_up(found))

    # Watching.

    async def watch(self, game_id: str, watcher: Watcher) -> OnlineGame:
        """The game as it is now; the watcher is told about every change from here on."""
        room = await self._enter(game_id)
        try:
            await self._freshen(room)
            # Nothing is awaited from here on, so no change can slip in between.
            room.watchers.add(watcher)
            return room.online
        finally:
            self._exit(room)

    def leave(self, game_id: str, watcher: Watcher) -> None:
        room = self._rooms.get(game_id)
        if room is not None and watcher in room.watchers:
            room.watchers.remove(watcher)
            self._rest(room)

    def _publish(self, room: Room, online: OnlineGame) -> None:
        before, room.online = room.online, online
        if room.watchers:
            body = self.texts.of(online, common_moves(before, online))
            text = f'{{"type":"game","game":{body}}}'
            for watcher in room.watchers:
                watcher.post(text)

    def post(self, game_id: str, text: str) -> None:
        """Send a message to everybody who watches a game."""
        room = self._rooms.get(game_id)
        for watcher in room.watchers if room else ():
            watcher.post(text)

    def gone(self, game_id: str) -> None:
        """Tell whoever still watches the game that it has been deleted."""
        room = self._rooms.get(game_id)
        self._forget(game_id)
        if room is not None:
            told = {"code": "not-found", "message": "the game has been deleted", "game": game_id}
            for watcher in room.watchers:
                watcher.post(json.dumps({"type": "error", **told}))

    # Changing.

    async def act(
        self, game_id: str, holders: frozenset[str], request: ActionRequest
    ) -> OnlineGame:
        """Do what the holder of a seat asks for; returns once it is stored."""

        def decide(online: OnlineGame) -> Action:
            side = acting_side(online, holders, request.seat)
            if online.number != request.number:
                raise stale(online.number, request.number)
            return request.settle(online, side)

        return await self._change(game_id, decide, request.number)

    async def act_for_computer(self, game_id: str, number: int, action: Action) -> None:
        """Store what the computer has decided; refused if the game has moved on."""

        def decide(online: OnlineGame) -> Action:
            if online.number != number:
                raise stale(online.number, number)
            return action

        await self._change(game_id, decide, number)

    async def seat(
        self, game_id: str, decide: Callable[[OnlineGame], Action], claim: SeatClaim
    ) -> OnlineGame:
        """Seat somebody, whatever others do in the game meanwhile."""
        for attempt in range(ATTEMPTS):
            try:
                return await self._change(game_id, decide, None, claim)
            except Refusal as refusal:
                if refusal.code != "stale" or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError

    async def _change(
        self, game_id: str, decide: Callable[[OnlineGame], Action], number: int | None,
        claim: SeatClaim | None = None,
    ) -> OnlineGame:  # fmt: skip
        room = await self._enter(game_id)
        try:
            async with room.lock:
                return await self._change_room(room, decide, number, claim)
        finally:
            self._exit(room)

    async def _change_room(
        self, room: Room, decide: Callable[[OnlineGame], Action], number: int | None,
        claim: SeatClaim | None,
    ) -> OnlineGame:  # fmt: skip
        if number is None or not room.is_valid or number > room.online.number:
            await self._freshen(room)
        before = room.online
        action = decide(before)
        rematch: OnlineGame | None = None
        new_rematch: NewStoredGame | None = None
        if isinstance(action, Rematch) and action.completes(before):
            following = rematch_of(before)
            action = action.with_game(following.id)
            rematch = OnlineGame(following, before.game.rules)
            new_rematch = NewStoredGame(following, rematch.flags)
        after = before.after(action, time.time())
        if claim is not None:
            after = after.with_holder(claim.side, claim.holder)
        new = NewAction(before.id, before.number, action, after.changed, after.flags)
        try:
            is_done = await self._store.add_action(new, claim, new_rematch)
        except BaseException:
            # Also if it is cancelled: nobody knows whether it will be stored.
            room.invalidate()
            raise
        if not is_done:
            await self._refresh(room)
            raise stale(room.online.number, before.number)
        if claim is not None:
            await self._refresh(room)
        elif room.online is before:
            self._publish(room, after)
        for changed in (after, rematch):
            if changed is not None:
                self.on_change(changed)
        return room.online

    async def add(self, game: StoredGame, online: OnlineGame, rules_text: str | None) -> None:
        """Store a new game; `rules_text` is the custom rule set that came with it."""
        new = NewStoredGame(game, online.flags)
        await self._store.add_game(new, self._settings.open_games_per_client, rules_text)
        self.on_change(online)

    # What other processes do.

    def on_announcement(self, changes: Iterable[Announcement]) -> None:
        """Another process (or this one) says what has been stored."""
        for game_id, number, read in changes:
            room = self._rooms.get(game_id)
            if room is None or room.online.number >= number:
                continue
            if not (room.watchers or room.users):
                self._forget(game_id)
            elif (
                read is not None
                and room.is_valid
                and room.online.number == number - 1
                and not room.lock.locked()  # Otherwise this process may be storing it itself.
            ):
                action = read()
                self._publish(room, room.online.after(action.action, action.at))
            else:
                room.announced = max(room.announced, number)
                self._spawn(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        try:
            async with room.lock:
                if not room.is_valid:
                    await self._refresh(room)
        except Refusal:
            # The database is down; the room stays invalid until it can be read again.
            pass

    def invalidate_all(self) -> None:
        """Re-read all games: messages from other processes may have been missed."""
        for game_id, room in list(self._rooms.items()):
            if room.watchers or room.users:
                room.invalidate()
                self._spawn(self._catch_up(room))
            else:
                self._forget(game_id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _may_be_id(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= 20
