"""A database written by an earlier version can be read: its games are shown as that version did.

`old_games.sql` is the dump of an SQLite database of commit c5c4743, with games that use every
action, and some that are no longer allowed: the computer as X, positions with the wrong player to
move, finished games and touched pieces that were taken back. `old_games.json` is how that version
sent the games.
"""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nestline.web.games.actions import BY_NAME, Join, Land, Rename
from nestline.web.games.online_game import OnlineGame
from nestline.web.http.requests import read_action
from nestline.web.services import Services
from nestline.web.settings import Settings
from support.web_driver import WAIT
from web.storage.test_database import SOMEBODY, serve

FOLDER = Path(__file__).parent
SCRIPT = (FOLDER / "old_games.sql").read_text("utf-8")
TOLD: dict[str, Any] = json.loads((FOLDER / "old_games.json").read_text("utf-8"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SCRIPT)
    # Whenever these tests run, the games of the dump are kept.
    return Settings(
        database=str(file), tables=str(tmp_path), build_tables=False, keep_unfinished_days=0,
        keep_finished_days=0,
    )  # fmt: skip


def test_the_dump_has_every_action_that_is_stored() -> None:
    stored = {name for name in (*BY_NAME, Join.name) if f'"action":"{name}"' in SCRIPT}
    since_then = {Rename.name}
    assert stored == {*BY_NAME, Join.name} - {Land.name} - since_then


def test_old_games_are_told_as_before(settings: Settings) -> None:
    async def look(services: Services) -> None:
        for name, told in TOLD.items():
            online = await services.hub.find(told["id"])
            shown = json.loads(services.games.text(online, frozenset()))
            assert shown.pop("expires") is None
            assert shown == told, name

    serve(settings, look)


def test_old_games_go_on_and_end(settings: Settings) -> None:
    ended: list[str] = []

    async def act(services: Services, online: OnlineGame, **action: Any) -> OnlineGame:
        holder = online.seats[online.game.turn].holder
        assert holder is not None
        request = read_action.validate_python({"number": online.number, **action})
        return await services.games.act(online.id, frozenset({holder}), request, SOMEBODY)

    async def finish(services: Services) -> None:
        for told in TOLD.values():
            online = await services.hub.find(told["id"])
            if online.is_over:
                continue
            online = await act(services, online, action="move", move=told["legal"][0])
            async with asyncio.timeout(WAIT):
                while online.computer_side is not None:
                    await asyncio.sleep(0.01)
                    online = await services.hub.find(told["id"])
            if not online.is_over:
                online = await act(services, online, action="resign")
            assert online.is_over
            ended.append(online.id)

    serve(settings, finish)
    assert len(ended) == sum(told["outcome"] is None for told in TOLD.values()) > 10

    async def look(services: Services) -> None:
        for game_id in ended:
            assert (await services.hub.find(game_id)).is_over

    serve(settings, look)


def test_what_was_allowed_when_an_old_game_began_still_is(settings: Settings) -> None:
    """Taking back a finished game, and a touch; and the computer may hold X."""

    async def look(services: Services) -> None:
        won = await services.hub.find(TOLD["won"]["id"])
        holder = won.seats[0].holder
        assert holder is not None
        request = read_action.validate_python({"action": "undo", "number": won.number})
        again = await services.games.act(won.id, frozenset({holder}), request, SOMEBODY)
        assert not again.is_over
        assert (await services.hub.find(TOLD["computer is X"]["id"])).levels[0] == "random"

    serve(settings, look)
