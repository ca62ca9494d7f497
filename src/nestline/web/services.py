"""Everything a running server consists of, put together once per process.

HTTP and WebSocket ask it for what both can do. The parts know each other only from here.
"""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection
from starlette.types import Scope

from nestline.position import Side
from nestline.record import Record, read_record
from nestline.rules import RuleSet
from nestline.web.access.limits import BURST, Buckets, client_hash
from nestline.web.access.origins import check_origin
from nestline.web.access.tokens import hash_of, is_same, new_secret
from nestline.web.access.visitors import Visitor
from nestline.web.games.actions import Request, acting_side, side_of
from nestline.web.games.catalogue import LONGEST_TEXT, Catalogue, plain_name, read_custom
from nestline.web.games.computer import Computer
from nestline.web.games.creation import Creation, create, require_level
from nestline.web.games.hub import Hub
from nestline.web.games.online_game import Entry, Match
from nestline.web.games.views import SIDE_NAMES, Facts, stack_facts
from nestline.web.http.requests import LONGEST_RECORD, NewGame
from nestline.web.metrics import Metrics
from nestline.web.refusals import Refusal, invitation_used, not_found, refused
from nestline.web.settings import Settings
from nestline.web.storage import store
from nestline.web.storage.database import Database
from nestline.web.storage.listener import Listener
from nestline.web.storage.writer import Writer
from nestline.web.study.analysis import Analysts
from nestline.web.study.tablebases import Solutions
from nestline.web.work.preparation import Preparation

log = logging.getLogger(__name__)

DAY = 86_400
SECONDS_BETWEEN_CLEANING = 600


class Connections:
    """How many WebSockets each client has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count: Counter[str] = Counter()

    def enter(self, client: str) -> None:
        if self._count[client] >= self._most:
            raise Refusal(429, "too-many", f"a client has at most {self._most} connections")
        self._count[client] += 1

    def leave(self, client: str) -> None:
        self._count[client] -= 1
        if self._count[client] <= 0:
            del self._count[client]


class Services:
    """The parts of a server; `start` before and `close` after serving."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.database = Database(settings)
        self.owner = secrets.token_hex(8)
        self.catalogue = Catalogue()
        self.solutions = Solutions(settings.tables or None, settings.build_tables)
        self.connections = Connections(settings.connections_per_client)
        rate = settings.requests_per_second
        self.requests = Buckets(rate, BURST * rate, f"more than {rate:g} requests a second")
        self._background: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Begin to work: threads, and what has to be done again and again."""
        self.preparation = Preparation(self.solutions.start)
        self.writer = Writer(self.database, self.metrics.observe_commit)
        self.hub = Hub(
            self.settings, self.database, self.writer, self.catalogue, self.solutions,
            self.preparation, self.owner,
        )  # fmt: skip
        self.analysts = Analysts(self.settings, self.solutions)
        self.computer = Computer(
            self.hub, self.solutions, self.preparation, self.settings.thinking_threads,
            self.metrics.observe_thought,
        )  # fmt: skip
        self.metrics.watch(self)
        self._salt = await self.writer.write(
            "", lambda connection: store.salt(connection, "client")
        )
        self.listener = Listener(self.settings, self.hub) if self.database.is_shared else None
        if self.listener:
            self.listener.start()
        if not self.database.is_shared:
            await self.writer.write("", store.end_all_leases)
        pause = self.settings.lease_seconds / 3
        self._repeat("leases", pause, self.computer.keep_leases)
        self._repeat("waiting games", pause if self.database.is_shared else None, self._take_over)
        self._repeat("cleaning", SECONDS_BETWEEN_CLEANING, self.clean)
        self.preparation.start()
        self._background.append(asyncio.ensure_future(self.analysts.share()))

    def when_ready(self, function: Callable[[], None]) -> None:
        """Call something once when nothing is left to be compiled or loaded."""

        async def wait() -> None:
            await self.preparation.ready("search")
            function()

        self._background.append(asyncio.ensure_future(wait()))

    async def close(self) -> None:
        """Finish what is being stored, and leave the rest."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.to_thread(self.preparation.close)
        await asyncio.to_thread(self.computer.close)
        await asyncio.to_thread(self.analysts.close)
        await asyncio.gather(*self._tasks, *self.hub.changes, return_exceptions=True)
        if self.database.is_shared:
            # Others need not wait until the leases end by themselves.
            owner = self.owner
            try:
                await self.writer.write("", lambda found: store.renew_leases(found, owner, 0.0))
            except Refusal:
                log.warning("the database is away; other processes take over in a while")
        if self.listener:
            await asyncio.to_thread(self.listener.close)
        await asyncio.to_thread(self.writer.close)
        await asyncio.to_thread(self.solutions.close)
        self.hub.close()
        self.database.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside what is being done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _take_over(self) -> None:
        """Let the computer find the games that wait for it."""
        await self.preparation.ready("rules")
        await self.computer.take_over()

    def _repeat(self, what: str, seconds: float | None, work: Any) -> None:
        """Do something again and again; without `seconds` between, once."""

        async def repeat() -> None:
            while True:
                try:
                    await work()
                except Refusal as refusal:
                    log.warning("%s: %s", what, refusal.message)
                except Exception:
                    log.exception("%s failed", what)
                if seconds is None:
                    return
                await asyncio.sleep(seconds)

        self._background.append(asyncio.ensure_future(repeat()))

    # What HTTP and WebSocket have in common.

    def check_origin(self, scope: Scope) -> None:
        check_origin(scope, self.settings.origins.split())

    def creator(self, visitor: Visitor) -> str:
        return client_hash(self._salt, visitor.client)

    async def rules(self, name: str) -> RuleSet:
        """The rule set of a name."""
        known = self.catalogue.known(name)
        if known is not None:
            return known
        return await self.hub.read(lambda connection: self.catalogue.find(connection, name))

    async def record(self, text: str) -> Record:
        """A record that somebody sent; its rule set is one the server knows."""

        def work(connection: Connection) -> Record:
            def find(reference: str) -> RuleSet:
                return self.catalogue.find(connection, plain_name(reference))

            return read_record(text, find_rules=find)

        return await self.hub.read(work)

    async def keep_rules(self, text: str) -> RuleSet:
        """Check a rule set of a visitor, and keep it."""
        rules = read_custom(text)
        await self.writer.write(
            rules.name, lambda connection: store.keep_rule_set(connection, rules.name, text)
        )
        self.catalogue.remember(rules)
        return rules

    async def create(
        self, request: NewGame, visitor: Visitor, browser: str
    ) -> tuple[Creation, Match]:
        """Make a game and store it."""
        text: str | None = None
        record: Record | None = None
        if request.record is not None:
            record = await self.record(request.record)
            rules = record.rules
        elif request.rules is None or isinstance(request.rules, str):
            rules = await self.rules(request.rules or "gobblers")
        else:
            text = request.rules.toml
            rules = read_custom(text)
        made = create(request, rules, record, self.creator(visitor), browser, self.solutions)
        if text is not None:
            self.catalogue.remember(rules)
        match = await self.hub.add(made.game, text)
        self.metrics.games.inc()
        return made, match

    async def act(self, game: str, holders: frozenset[str], request: Request) -> Match:
        """An action of a person, over HTTP or WebSocket."""
        began = time.perf_counter()
        if request["action"] == "hand-over":
            match = await self.hub.find(game)
            require_level(request["level"], match.game.rules, self.solutions)
        try:
            match = await self.hub.act(game, holders, request)
        except Exception:
            self.metrics.refused.labels(request["action"]).inc()
            raise
        self.metrics.observe_action(request["action"], time.perf_counter() - began)
        return match

    async def peek(
        self, game: str, holders: frozenset[str], square: str, seat: str | None
    ) -> Facts:
        """What lies under a piece, for the one who may lift it."""
        match = await self.hub.find(game)
        side = acting_side(match, holders, seat)
        if match.is_computer(side):
            raise refused(f"the computer plays {match.name(side)}; take the seat over first")
        stack = match.game.peek(side, square)
        return {"square": square, "stack": stack_facts(stack), "number": match.number}

    async def invite(self, game: str, holders: frozenset[str], seat: str) -> str:
        """Make an invitation to a seat that is free, or to one's own."""
        match = await self.hub.find(game)
        side = side_of(seat)
        acting_side(match, holders, None)
        if match.seats[side].holder is not None:
            acting_side(match, holders, seat)
        invitation = new_secret()
        hashed = hash_of(invitation)
        await self.writer.write(
            game, lambda connection: store.set_invitation(connection, game, side, hashed)
        )
        return invitation

    async def join(
        self, game: str, invitation: str, name: str | None, browser: str
    ) -> tuple[Match, str, str]:
        """Exchange an invitation for a seat: the game, the seat and its token."""
        await self.hub.find(game)
        given = hash_of(invitation)
        stored = await self.hub.read(lambda connection: store.load_game(connection, game))
        if stored is None:
            raise not_found("there is no such game")
        sides = [side for side in Side if is_same(stored.seats[side].invitation, given)]
        if not sides:
            raise invitation_used()
        side = sides[0]
        token = new_secret()

        def decide(match: Match) -> Entry:
            kept = name or match.names[side]
            return {"action": "join", "side": int(side), "name": kept}

        taking = store.Taking(side, given, hash_of(token), browser)
        match = await self.hub.seat(game, decide, taking)
        return match, SIDE_NAMES[side], token

    async def is_healthy(self) -> bool:
        """Whether the database answers."""
        try:
            await self.hub.read(lambda connection: store.number_of(connection, ""))
        except Refusal:
            return False
        return True

    def status(self) -> Facts:
        """What everybody may know about the server."""
        settings = self.settings
        missing = self.preparation.missing
        return {
            "version": version("nestline"),
            "instance": self.owner,
            "getting_ready": missing and {"part": missing, "remark": self.preparation.remark},
            "tables": self.solutions.all_facts(),
            "limits": {
                "body_bytes": settings.body_bytes,
                "message_bytes": settings.message_bytes,
                "messages_per_second": settings.messages_per_second,
                "requests_per_second": settings.requests_per_second,
                "open_games_per_client": settings.open_games_per_client,
                "games_per_connection": settings.games_per_connection,
                "analysis_seconds": settings.analysis_seconds,
                "engine_seconds_per_minute": settings.engine_seconds_per_minute,
                "record_characters": LONGEST_RECORD,
                "rule_set_characters": LONGEST_TEXT,
            },
            "games": self.hub.games,
            "watchers": self.hub.watchers,
        }

    async def clean(self) -> None:
        """Delete what the settings say has been kept long enough."""
        ages = (
            (False, self.settings.keep_unfinished_days),
            (True, self.settings.keep_finished_days),
        )
        for over, days in ages:
            while days > 0:
                before = time.time() - days * DAY
                gone = await self._clean_some(over, before)
                for game in gone:
                    self.hub.gone(game)
                if len(gone) < store.DELETED_AT_ONCE:
                    break
        before = time.time() - DAY
        await self.writer.write("", lambda found: store.clean_rule_sets(found, before))

    async def _clean_some(self, over: bool, before: float) -> list[str]:
        return await self.writer.write("", lambda found: store.clean(found, over, before))
