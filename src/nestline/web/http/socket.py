"""One WebSocket connection: reads messages, acts on them, and sends what has changed.

`nestline.web.app` routes connections here. Written directly on ASGI, since thousands are open at a
time. `hub` handles messages about games, `analysis` those about study.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from nestline.errors import NestlineError
from nestline.web.access.hosts import check_host
from nestline.web.access.origins import check_origin
from nestline.web.access.tokens import hash_of
from nestline.web.access.visitors import Visitor, visitor_of
from nestline.web.fields import Json
from nestline.web.games.seats import acting_side, sides_of
from nestline.web.http import requests
from nestline.web.http.problems import first_problem, log_failure
from nestline.web.logs import log_access
from nestline.web.refusals import Refusal, invalid, refusal_of, refused
from nestline.web.services import Services
from nestline.web.study.analysis import Task
from nestline.web.study.values import game_at, review_json
from nestline.web.transport.websocket_protocol import SEND_AT_ONCE

POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013
"""Close codes of the WebSocket protocol; uvicorn itself sends 1012 when the server stops."""
STUDY = "analyse", "review"
MOST_UNSENT, MOST_UNSENT_BYTES = 300, 1_000_000
"""Backpressure: what is queued for a client that does not read, before it is disconnected."""
MOST_IGNORED = 200
"""Messages beyond the allowed rate before the connection is closed."""


class _Watched(NamedTuple):
    """A game that is watched: the hashes of the tokens sent with it, and its size."""

    holders: frozenset[str]
    size: int


class Connection:
    """See the module. `run` lasts as long as the connection."""

    __slots__ = (
        "_closing",
        "_ignored",
        "_is_open",
        "_receive",
        "_send",
        "_send_at_once",
        "_sender",
        "_services",
        "_study",
        "_unsent",
        "_unsent_bytes",
        "_visitor",
        "_visitor_with_tokens",
        "_watched",
        "heard",
    )  # fmt: skip

    def __init__(
        self, services: Services, visitor: Visitor, receive: Receive, send: Send,
        send_at_once: Callable[[str], bool] = lambda text: False,
    ) -> None:  # fmt: skip
        self._send_at_once = send_at_once
        self._services = services
        self._visitor = visitor
        self._receive, self._send = receive, send
        self._ignored = 0
        self._is_open = True
        self.heard = time.monotonic()
        self._closing: asyncio.Task[None] | None = None
        self._watched: dict[str, _Watched] = {}
        self._visitor_with_tokens = visitor
        """With the tokens of all games that are watched."""
        self._study: tuple[Any, Task, asyncio.Task[None]] | None = None
        self._unsent: deque[str] = deque()
        self._unsent_bytes = 0
        self._sender: asyncio.Task[None] | None = None

    async def run(self) -> None:
        await self._send({"type": "websocket.accept"})
        try:
            while self._is_open:
                event = await self._receive()
                if event["type"] == "websocket.disconnect":
                    break
                self.heard = time.monotonic()
                await self._services.turns.take(self._visitor.client)
                await self._take(event)
        finally:
            self._is_open = False
            self._forget_unsent()
            for game in list(self._watched):
                self._leave(game)
            self._end_study()
            if self._sender:
                self._sender.cancel()
            if self._closing:
                # Without this the client would only see the connection break.
                await self._closing

    # Sending.

    def post(self, text: str) -> None:
        if not self._is_open or (self._sender is None and self._send_at_once(text)):
            return
        self._unsent.append(text)
        self._unsent_bytes += len(text)
        is_fine = self._services.unsent.add(self._visitor.client, len(text))
        is_fine = is_fine and self._unsent_bytes <= MOST_UNSENT_BYTES
        if len(self._unsent) > MOST_UNSENT or not is_fine:
            self._forget_unsent()
            self._close(TRY_AGAIN_LATER, "the client does not read")
        elif self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send_all())

    def _forget_unsent(self) -> None:
        self._unsent.clear()
        self._services.unsent.remove(self._visitor.client, self._unsent_bytes)
        self._unsent_bytes = 0

    def _answer(self, kind: str, ask: Any, **fields: Any) -> None:
        head = {"type": kind} if ask is None else {"type": kind, "ask": ask}
        self.post(json.dumps({**head, **fields}, separators=(",", ":")))

    async def _send_all(self) -> None:
        try:
            while self._unsent:
                text = self._unsent.popleft()
                self._unsent_bytes -= len(text)
                self._services.unsent.remove(self._visitor.client, len(text))
                await self._send({"type": "websocket.send", "text": text})
        except (OSError, RuntimeError):
            self._is_open = False  # The connection broke meanwhile; `run` notices too.
        finally:
            self._sender = None

    def _close(self, code: int, reason: str) -> None:
        self._is_open = False
        pump, self._sender = self._sender, None
        if pump:
            pump.cancel()

        async def close() -> None:
            with suppress(OSError, RuntimeError):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})

        self._closing = self._services.spawn(close())

    # Reading.

    async def _take(self, event: Any) -> None:
        ask = None
        try:
            if self._services.messages.of(self._visitor.client).take() > 0:
                self._ignored += 1
                if self._ignored > MOST_IGNORED:
                    self._close(POLICY_VIOLATION, "too many messages")
                    return
                rate = self._services.settings.messages_per_second
                raise Refusal(429, "too-many", f"more than {rate:g} messages a second")
            message = _read(event)
            ask = _ask_of(message)
            self._services.metrics.messages.inc()
            await self._do(message, ask)
        except Refusal as refusal:
            self._answer("error", ask, **refusal.to_json())
        except NestlineError as error:
            self._answer("error", ask, **refusal_of(error).to_json())
        except ValidationError as error:
            self._answer("error", ask, **first_problem(error.errors()).to_json())
        except Exception as error:
            log_failure(error)
            failed = Refusal(
                500, "failed", "the server made a mistake, which has been written down"
            )
            self._answer("error", ask, **failed.to_json())

    async def _do(self, message: dict[str, Any], ask: Any) -> None:
        kind = message.get("type")
        if kind != "ping":
            self._services.preparation.require("search" if kind in STUDY else "rules")
        if kind == "act":
            await self._act(message, ask)
            return
        request = requests.read_message.validate_python(message)
        match request:
            case requests.Watch():
                await self._watch(request)
            case requests.Leave():
                self._leave(request.game)
                self._answer("left", ask, game=request.game)
            case requests.Attend():
                self._services.presence.hide(request.game, self, request.hidden)
            case requests.Peek():
                await self._peek(request)
            case requests.Analyse():
                await self._analyse(request)
            case requests.Review():
                await self._review(request)
            case requests.Stop():
                await self._stop(request)
            case requests.Ping():
                self._answer("pong", ask)

    async def _watch(self, request: requests.Watch) -> None:
        most = self._services.settings.games_per_connection
        if len(self._watched) >= most and request.game not in self._watched:
            raise Refusal(429, "too-many", f"a connection watches at most {most} games; leave one")
        holders = frozenset(hash_of(token) for token in request.tokens)
        hub = self._services.hub
        if holders:
            # A wrong token is refused before the game is shown.
            acting_side(await hub.find(request.game), holders, None)
        online = await hub.watch(request.game, self)
        size = online.game.kept_states
        if request.game in self._watched:
            self._count_out(request.game)
        self._watched[request.game] = _Watched(holders, size)
        self._gather_tokens()
        if not self._services.watched_plies.add(self._visitor.client, size):
            self._leave(request.game)
            raise Refusal(429, "too-many", "you watch too many long games; leave some")
        game = self._services.games.text(online, holders)
        ask = "" if request.ask is None else f'"ask":{json.dumps(request.ask)},'
        self.post(f'{{"type":"game",{ask}"game":{game}}}')
        first, second = (seat.holder for seat in online.seats)
        if first != second:  # Somebody elsewhere plays, or will.
            sides = sides_of(online, holders)
            self.post(self._services.presence.enter(request.game, self, sides))

    def _leave(self, game: str) -> None:
        self._services.hub.leave(game, self)
        self._services.presence.leave(game, self)
        if game in self._watched:
            self._count_out(game)
            self._gather_tokens()

    def _count_out(self, game: str) -> None:
        self._services.watched_plies.remove(self._visitor.client, self._watched.pop(game).size)

    def _gather_tokens(self) -> None:
        holders = (watched.holders for watched in self._watched.values())
        self._visitor_with_tokens = self._visitor.holding(frozenset().union(*holders))

    def _holders(self, game: str) -> frozenset[str]:
        if game not in self._watched:
            raise refused("watch the game first, with the token of your seat")
        return self._watched[game].holders

    async def _act(self, message: dict[str, Any], ask: Any) -> None:
        game = message.get("game")
        if not isinstance(game, str):
            raise invalid("game: the id of a game is missing")
        rest = {key: message[key] for key in message if key not in ("type", "ask", "game")}
        request = requests.read_action.validate_python(rest)
        online = await self._services.games.act(
            game, self._holders(game), request, self._visitor_with_tokens
        )
        told = "" if ask is None else f'"ask":{json.dumps(ask)},'
        self.post(f'{{"type":"done",{told}"game":"{online.id}","number":{online.number}}}')

    async def _peek(self, request: requests.Peek) -> None:
        holders = self._holders(request.game)
        seen = await self._services.games.peek(request.game, holders, request.square, request.seat)
        self._answer("peeked", request.ask, game=request.game, **seen)

    # Study.

    async def _require_study(self) -> None:
        await self._services.study_permission.require(self._visitor_with_tokens)

    async def _analyse(self, request: requests.Analyse) -> None:
        await self._require_study()
        services, ask = self._services, request.ask
        rules = await services.catalogue.find(request.rules)
        moves, position = request.moves, request.position
        game = await services.executor.run(
            self._visitor.client, lambda: game_at(rules, position, moves)
        )

        def tell(study: Json, is_final: bool) -> None:
            self._answer("study", ask, study=study, final=is_final)

        self._end_study()
        task, ahead = await services.analysts.start_analysis(
            self._visitor.client, game, request.variations, request.seconds, tell
        )
        if task is not None:
            self._follow(ask, task, ahead, lambda: None)

    async def _review(self, request: requests.Review) -> None:
        await self._require_study()
        services, ask = self._services, request.ask
        record = await services.catalogue.read_record(request.record, self._visitor.client)
        self._end_study()
        found: list[Json] = []

        def tell(move: Json, is_final: bool) -> None:
            count = len(record.moves)
            self._answer("reviewed", ask, move=move, index=len(found), count=count)
            found.append(move)

        task, exact, ahead = services.analysts.start_review(self._visitor.client, record, tell)

        def conclude() -> None:
            self._answer("review", ask, review=review_json(record, exact, found))

        self._follow(ask, task, ahead, conclude)

    def _follow(self, ask: Any, task: Task, ahead: int, conclude: Any) -> None:
        """Let a job run while other messages are handled."""
        if ahead:
            self._answer("waiting", ask, ahead=ahead)

        async def follow() -> None:
            try:
                await task.done
                conclude()
            except Refusal as refusal:
                self._answer("error", ask, **refusal.to_json())
            except Exception as error:
                log_failure(error)
                self._answer("error", ask, code="failed", message="the engine failed")
            finally:
                if self._study and self._study[1] is task:
                    self._study = None

        self._study = ask, task, self._services.spawn(follow())

    def _end_study(self) -> None:
        if self._study:
            self._services.analysts.cancel(self._study[1])
            self._study = None

    async def _stop(self, request: requests.Stop) -> None:
        if self._study and self._study[0] == request.stops:
            following = self._study[2]
            self._end_study()
            await following
        self._answer("stopped", request.ask)


def _read(event: Any) -> dict[str, Any]:
    text = event.get("text")
    if text is None:
        raise Refusal(400, "bad-request", "messages are text, not binary")
    try:
        message = orjson.loads(text)
    except ValueError:
        raise Refusal(400, "bad-request", "the message is not JSON") from None
    if not isinstance(message, dict):
        raise Refusal(400, "bad-request", "a message is a JSON object")
    return message


def _ask_of(message: dict[str, Any]) -> Any:
    ask = message.get("ask")
    is_fine = isinstance(ask, int | str) and len(str(ask)) <= 100
    return ask if is_fine and not isinstance(ask, bool) else None


async def serve_socket(services: Services, scope: Scope, receive: Receive, send: Send) -> None:
    """Accept a connection and serve it, or refuse it."""
    await receive()  # ASGI's `websocket.connect` event.
    try:
        visitor = visitor_of(scope)
        services.requests.take(visitor.client)
        check_host(scope, services.settings.hosts)
        check_origin(scope, services.settings.origins.split())
        services.connections.enter(visitor.client)
    except Refusal as refusal:
        if refusal.code != "too-many":
            log_access(scope, "WebSocket", f"refused: {refusal.message}")
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    log_access(scope, "WebSocket", "accepted")
    try:
        with services.metrics.connections.track_inprogress():
            at_once = scope.get("extensions", {}).get(SEND_AT_ONCE, lambda text: False)
            await Connection(services, visitor, receive, send, at_once).run()
    finally:
        services.connections.leave(visitor.client)
