"""What one process stores, another tells its watchers without reading it from the database."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from nestline.position import Move, Side
from nestline.web.games.actions import Move as MoveAction
from nestline.web.games.online_game import Flags
from nestline.web.games.store import NewAction
from nestline.web.services import Services
from nestline.web.settings import Settings
from nestline.web.storage.statements import heard_changes
from support.web_driver import WAIT, PostgreSQL
from web.storage.test_database import new_game

GAMES = 60
"""More than are announced by one notification."""


class Screen:
    def __init__(self) -> None:
        self.shown: list[int] = []

    def post(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "game":
            self.shown.append(message["game"]["number"])


def test_moves_reach_other_processes_without_a_read(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(database=postgresql.database(), tables=str(tmp_path), build_tables=False)

    def move(game: str, number: int) -> NewAction:
        action = MoveAction(Side.FIRST, Move("1b2"))
        return NewAction(game, number, action, time.time(), Flags(False, False, False))

    async def run() -> None:
        one, other = Services(settings), Services(settings)
        await one.start()
        await other.start()
        try:
            await one.preparation.ready("rules")
            games = [await new_game(one) for _ in range(GAMES)]
            screens = {game: Screen() for game in games}
            for game, screen in screens.items():
                await other.hub.watch(game, screen)
            monkeypatch.setattr(other.store, "load_game", None)
            late = games[0]
            done = await asyncio.gather(
                *(one.store.add_action(move(game, 0 if game != late else 3)) for game in games)
            )
            assert done == [False] + [True] * (GAMES - 1)
            async with asyncio.timeout(WAIT):
                while not all(screens[game].shown for game in games[1:]):
                    await asyncio.sleep(0.02)
            assert [screens[game].shown for game in games] == [[]] + [[1]] * (GAMES - 1)
        finally:
            monkeypatch.undo()
            await other.close()
            await one.close()

    asyncio.run(run())


def test_what_another_version_or_nobody_of_ours_says_is_no_error() -> None:
    payload = "abc 5\nhello\nabc 6 def 7\n\nabc five\nabc 8 1.5 [1]"
    assert [(each.game, each.number, each.read) for each in heard_changes(payload)] == [
        ("abc", 5, None)
    ]
