"""What people do with games, over HTTP or the WebSocket: create, act, peek, invite, join."""

import json
import time

from nestline.position import Side
from nestline.record import Record
from nestline.rules import is_design
from nestline.rules.design import design_file
from nestline.web.access.limits import client_hash
from nestline.web.access.permission import StudyPermission
from nestline.web.access.quota import Quota
from nestline.web.access.tokens import hash_of, is_same, new_secret
from nestline.web.access.visitors import Visitor
from nestline.web.fields import Json
from nestline.web.games.actions import ActionRequest, Join, Rematch
from nestline.web.games.catalogue import Catalogue
from nestline.web.games.creation import DEFAULT_RULES, Creation, NewGame, create, require_level
from nestline.web.games.hub import ATTEMPTS, Hub
from nestline.web.games.online_game import Action, OnlineGame
from nestline.web.games.seats import acting_side, side_of, sides_of
from nestline.web.games.store import GameStore, SeatClaim
from nestline.web.games.views import (
    MOVES_AT_ONCE,
    SIDE_NAMES,
    moves_json,
    record_text,
    stack_json,
)
from nestline.web.metrics import Metrics
from nestline.web.refusals import invitation_used, not_found, refused
from nestline.web.work.fair_executor import FairExecutor
from nestline.web.work.preparation import Preparation
from nestline.web.work.tablebases import Tablebases

GAME_BYTES, ACTION_BYTES = 1_000, 200
"""What a game without its texts, and an action, take in the database."""
ASKING = "the computer answers no position that you choose"


class GameService:
    """See the module. `salt` is mixed into the hashes of clients that are stored."""

    def __init__(
        self, hub: Hub, store: GameStore, catalogue: Catalogue, tablebases: Tablebases,
        preparation: Preparation, executor: FairExecutor, metrics: Metrics,
        study_permission: StudyPermission, stored_bytes: Quota, salt: str,
    ) -> None:  # fmt: skip
        self._executor = executor
        self._hub = hub
        self._store = store
        self._catalogue = catalogue
        self._tablebases = tablebases
        self._preparation = preparation
        self._metrics = metrics
        self._study_permission = study_permission
        self._stored_bytes = stored_bytes
        self._salt = salt

    def text(self, online: OnlineGame, holders: frozenset[str]) -> str:
        """The game as JSON, for the holder of tokens with these hashes."""
        you = json.dumps([SIDE_NAMES[side] for side in sides_of(online, holders)])
        return f'{self._hub.texts.of(online)[:-1]},"you":{you}}}'

    async def moves(self, game_id: str, first: int, client: str) -> Json:
        """Some moves of a game, from this number on."""
        online = await self._hub.find(game_id)
        return await self._executor.run(
            client, lambda: moves_json(online, first, first + MOVES_AT_ONCE)
        )

    async def record(self, game_id: str, client: str) -> str:
        """A game as a record, once there is nothing secret in it."""
        online = await self._hub.find(game_id)
        if online.is_hidden:
            raise refused("the record tells what is covered; it can be had when the game is over")
        return await self._executor.run(client, lambda: record_text(online))

    async def create(
        self, request: NewGame, visitor: Visitor, browser: str
    ) -> tuple[Creation, OnlineGame]:
        """Create a game and store it; `browser` is the hash of the creator's cookie."""
        if request.asks_the_computer:
            await self._study_permission.require(visitor, ASKING)
        rules_text: str | None = None
        record: Record | None = None
        if request.record is not None:
            record = await self._catalogue.read_record(request.record, visitor.client)
            rules = record.rules
        elif request.rules is None or isinstance(request.rules, str):
            rules = await self._catalogue.find(request.rules or DEFAULT_RULES)
        else:
            rules_text = request.rules.toml
            rules = await self._catalogue.read_custom(rules_text, visitor.client)
        if is_design(rules.name):
            # Stored like a rule set that came as a text, which has a short name.
            rules_text = design_file(rules.name)
            rules = await self._catalogue.read_custom(rules_text, visitor.client)
        creator = client_hash(self._salt, visitor.client)

        def make() -> tuple[Creation, OnlineGame]:
            made = create(request, rules, record, creator, browser, self._tablebases)
            return made, OnlineGame(made.game, rules)

        made, online = await self._executor.run(visitor.client, make)
        size = len(json.dumps(made.game.setup)) + len((rules_text or "").encode())
        self._stored_bytes.take(visitor.client, GAME_BYTES + size)
        await self._hub.add(made.game, online, rules_text)
        if rules_text is not None:
            self._catalogue.remember(rules)
        self._metrics.games.inc()
        return made, online

    async def act(
        self, game_id: str, holders: frozenset[str], request: ActionRequest, visitor: Visitor
    ) -> OnlineGame:
        """Do what the holder of a seat asks for."""
        began = time.perf_counter()
        level: str | None = vars(request).get("level")
        if level is not None:
            online = await self._hub.find(game_id)
            require_level(level, online.game.rules, self._tablebases)
            if not online.is_computer(acting_side(online, holders, request.seat)):
                # Against a person it may play on: the other one sees that it does.
                await self._study_permission.require(visitor, ASKING, apart_from=game_id)
        makes_a_game = request.action == Rematch.name
        size = GAME_BYTES + ACTION_BYTES if makes_a_game else ACTION_BYTES
        self._stored_bytes.take(visitor.client, size)
        try:
            online = await self._hub.act(game_id, holders, request)
        except Exception:
            self._metrics.refused.labels(request.action).inc()
            raise
        self._metrics.observe_action(request.action, time.perf_counter() - began)
        return online

    async def peek(
        self, game_id: str, holders: frozenset[str], square: str, seat: str | None
    ) -> Json:
        """What lies under a piece, for a player who may lift it."""
        online = await self._hub.find(game_id)
        side = acting_side(online, holders, seat)
        if online.is_computer(side):
            raise refused(f"the computer plays {online.name(side)}; take the seat over first")
        stack = online.game.peek(side, square)
        return {"square": square, "stack": stack_json(stack), "number": online.number}

    async def invite(self, game_id: str, holders: frozenset[str], seat: str) -> str:
        """Create an invitation to a free seat, or to one's own."""
        side, invitation = side_of(seat), new_secret()
        for _ in range(ATTEMPTS):
            online = await self._hub.find(game_id)
            acting_side(online, holders, None)
            if online.seats[side].holder is not None:
                acting_side(online, holders, seat)
            first, second = (each.holder for each in online.seats)
            given = hash_of(invitation)
            if await self._store.set_invitation(game_id, side, given, (first, second)):
                return invitation
        raise refused("the seats keep changing hands; look at the game again")

    async def join(
        self, game_id: str, invitation: str, name: str | None, visitor: Visitor, browser: str
    ) -> tuple[OnlineGame, str, str]:
        """Exchange an invitation for a seat: the game, the seat and its token."""
        self._stored_bytes.take(visitor.client, ACTION_BYTES)
        known = await self._hub.find(game_id)
        given = hash_of(invitation)
        # Read from the database: invitations are not actions, so the hub may not know them. The
        # actions it knows are not read, since there may be thousands.
        stored = await self._store.load_game(game_id, known.number)
        if stored is None:
            raise not_found("there is no such game")
        sides = [side for side in Side if is_same(stored.seats[side].invitation, given)]
        if not sides:
            raise invitation_used()
        side = sides[0]
        token = new_secret()

        def decide(online: OnlineGame) -> Action:
            return Join(side, name or online.names[side])

        claim = SeatClaim(side, given, hash_of(token), browser)
        online = await self._hub.seat(game_id, decide, claim)
        return online, SIDE_NAMES[side], token
