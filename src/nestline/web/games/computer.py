"""The computer as a player: its moves, and its answers to draw offers.

What it has to do follows from the state of the game, so nothing is lost when a process ends: the
next process, or another one, finds the games that are waiting. Its decisions are stored like a
person's, with the number they answer; one that comes too late changes nothing. `engine` does the
thinking.
"""

import asyncio
import logging
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from nestline.engine.players.draw_offers import accepts_draw
from nestline.engine.players.levels import make_player
from nestline.engine.players.perfect import PerfectPlayer, choose_by
from nestline.engine.players.player import EnginePlayer, Player
from nestline.engine.search.engine import Engine, Limits, Stop
from nestline.errors import NestlineError, TableError
from nestline.game import Game
from nestline.position import Move, Side
from nestline.web.games.actions import AcceptDraw, DeclineDraw
from nestline.web.games.actions import Move as MoveAction
from nestline.web.games.hub import Hub
from nestline.web.games.online_game import Action, OnlineGame
from nestline.web.games.store import GameStore
from nestline.web.refusals import Refusal
from nestline.web.work.event_loop import call_on
from nestline.web.work.preparation import Preparation
from nestline.web.work.tablebases import Tablebases
from nestline.web.work.thread_pool import Pool

log = logging.getLogger(__name__)

SECONDS_FOR_AN_ANSWER = 0.5
SECONDS_WITHOUT_TABLE = 0.8
PLAYERS_KEPT = 3
"""Players cached per thread; each has a transposition table of some 16 MB."""
TAKEN_AT_ONCE = 100
SECONDS_BEFORE_RETRY = 2.0


class _Thinking:
    """A thread-pool job: what the computer has to do at one number of one game."""

    def __init__(self, computer: "Computer", online: OnlineGame) -> None:
        self.computer = computer
        self.online = online
        self.client = online.creator
        self.stop = Stop()
        self.began = time.perf_counter()

    def run(self) -> bool:
        if not self.computer.preparation.wait("search"):
            return True
        began = time.perf_counter()
        action = self.computer.decide(self.online, self.stop)
        self.computer.observe(began - self.began, time.perf_counter() - began)
        self.computer.hand_in(self, action)
        return True

    def pause(self) -> None:
        self.stop.ask()

    def fail(self, error: Exception) -> None:
        self.computer.hand_in(self, None)


class Computer:
    """Looks after this process's games in which the computer has something to do."""

    def __init__(
        self, hub: Hub, store: GameStore, tablebases: Tablebases, preparation: Preparation,
        threads: int,
        observe: Callable[[float, float], None] = lambda waited, thought: None,
    ) -> None:  # fmt: skip
        self.observe = observe
        self._hub = hub
        self._store = store
        self._tablebases = tablebases
        self.preparation = preparation
        self._loop = asyncio.get_running_loop()
        self._pending: dict[str, _Thinking] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._local = threading.local()
        self.pool = Pool(threads, "engine")
        hub.on_change = self.look_at

    def close(self) -> None:
        self._hub.on_change = lambda online: None
        self.pool.close()

    @property
    def waiting(self) -> int:
        """Games in which the computer has not yet done what it has to do."""
        return len(self._pending)

    def look_at(self, online: OnlineGame) -> None:
        """Start the thinking that a changed game needs, and cancel what it makes obsolete."""
        thinking = self._pending.get(online.id)
        if thinking is not None and thinking.online.number > online.number:
            return
        if thinking is not None:
            del self._pending[online.id]
            self.pool.cancel(thinking)
        if online.computer_side is not None:
            self._pending[online.id] = thinking = _Thinking(self, online)
            self.pool.submit(thinking)

    def hand_in(self, thinking: _Thinking, action: Action | None) -> None:
        """Called by the threads to store a decision; None means there is none."""

        def begin() -> None:
            task = self._loop.create_task(self._submit(thinking, action))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        call_on(self._loop, begin)

    async def _submit(self, thinking: _Thinking, action: Action | None) -> None:
        game_id = thinking.online.id
        if self._pending.get(game_id) is not thinking:
            return
        try:
            if action is not None:
                await self._hub.act_for_computer(game_id, thinking.online.number, action)
                return
        except Refusal as refusal:
            if refusal.status < 500:
                # The game has moved on, perhaps in another process, or is gone.
                if self._pending.get(game_id) is thinking:
                    del self._pending[game_id]
                return
        except NestlineError:
            log.exception("the computer chose what cannot be done")
        # The database is down, or something failed: try again if it is still needed.
        await asyncio.sleep(SECONDS_BEFORE_RETRY)
        if self._pending.get(game_id) is thinking:
            again = self._pending[game_id] = _Thinking(self, thinking.online)
            self.pool.submit(again)

    # Thinking, on the threads of the pool.

    def decide(self, online: OnlineGame, stop: Stop) -> Action:
        """What the computer does in this state."""
        side, game = online.computer_side, online.game
        assert side is not None
        if game.draw_offer == side.other:
            return self._answer(game, side, stop)
        level = online.levels[side]
        assert level is not None
        return MoveAction(side, self._move(game, level, stop))

    def _answer(self, game: Game, side: Side, stop: Stop) -> Action:
        limits = Limits(seconds=SECONDS_FOR_AN_ANSWER)
        thought = Engine(game.rules, tables=False).think(game, limits, stop=stop)
        return AcceptDraw(side) if accepts_draw(game, thought, side) else DeclineDraw(side)

    def _move(self, game: Game, level: str, stop: Stop) -> Move:
        if (
            level == PerfectPlayer.name
            and (table := self._tablebases.table(game.rules)) is not None
        ):
            try:
                return choose_by(table, game, random.Random())
            except TableError as error:
                self._tablebases.set_aside(game.rules, error)
        return self._player(level, game.rules.name).choose(game, stop)

    def _player(self, level: str, rules: str) -> Player:
        """This thread's player; some are cached, since making one takes longer than a move."""
        players: OrderedDict[tuple[str, str], Player]
        players = self._local.__dict__.setdefault("players", OrderedDict())
        player = players.pop((level, rules), None) or _make_player(level)
        players[level, rules] = player
        if len(players) > PLAYERS_KEPT:
            players.popitem(last=False)
        return player

    # Games waiting for a process.

    async def take_over(self) -> None:
        """Take over the games that no process looks after."""
        has_more = True
        while has_more:
            taken, has_more = await self._store.lease_waiting_games(TAKEN_AT_ONCE)
            for game_id in taken:
                self.look_at(await self._hub.find(game_id))

    async def keep_leases(self) -> None:
        """Renew this process's leases, so that others leave its games alone."""
        if self._pending:
            await self._store.renew_leases()


def _make_player(level: str) -> Player:
    if level == PerfectPlayer.name:
        # The tablebase comes first; this one plays until it has been built.
        return EnginePlayer(Limits(seconds=SECONDS_WITHOUT_TABLE), tables=False)
    return make_player(level)
