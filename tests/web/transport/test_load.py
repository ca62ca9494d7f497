"""Nobody waits for what another client sends: long games, endless rules, many watchers.

What a client sends is bounded, and what grows with it is done in threads in which clients take
turns. `benchmarks/attack.py` measures what is left for others.
"""

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from nestline import Game, Position
from nestline.draw import svg
from nestline.web.access.limits import MOST_UNSENT_BYTES, Totals
from nestline.web.access.visitors import COOKIE, Visitor
from nestline.web.app import create_app
from nestline.web.fields import MOST_PLIES
from nestline.web.games import hub, views
from nestline.web.games.actions import MOST_REPLAYED
from nestline.web.games.creation import NewGame
from nestline.web.http.requests import read_action
from nestline.web.http.socket import Connection
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.settings import Settings
from nestline.web.storage import statements
from nestline.web.study.analysis import MOST_ANALYSES, Task
from nestline.web.work.bitmaps import render
from nestline.web.work.fair_executor import MOST_WAITING, FairExecutor
from nestline.web.work.turns import AT_ONCE, Turns
from support.attacks import RULES, Target, long_game, long_record
from support.web_driver import Facts, Player, Refused, Server, checked, create
from web.conftest import Servers
from web.games.test_play import act, show
from web.storage.test_database import serve

SOMEBODY = Visitor("192.0.2.1", None, frozenset())


def long_game_on(server: Server, plies: int) -> tuple[str, str]:
    game, token = long_game(Target(server.port, "127.0.0.1"), plies)
    assert game != "none"
    return game, token


def moves_from(server: Server, game: str, first: int) -> Facts:
    with server.client() as client:
        return checked(client.get(f"/games/{game}/moves", params={"from": first}))  # type: ignore[no-any-return]


# Long games.


def test_a_game_has_so_many_moves(server: Server) -> None:
    game, token = long_game_on(server, MOST_PLIES)
    with pytest.raises(Refused, match=r"at most 1,000 moves; end it"):
        act(server, game, token, "move", 0, move="a1a2")
    assert act(server, game, token, "resign", 0)["outcome"]["reason"] == "resignation"
    with server.client() as client:
        name = checked(client.post("/rules", json={"toml": RULES}))["name"]
        record = f'[Rules "{name}"]\n\n{long_record(MOST_PLIES + 1)} *'
        for path in ("/games", "/reviews"):
            with pytest.raises(Refused, match=r"a game here has at most 1,000 moves"):
                checked(client.post(path, json={"record": record}))
        moves = long_record(MOST_PLIES + 1).split()
        with pytest.raises(Refused, match=r"moves: it has at most 1,000 items"):
            checked(client.post("/check", json={"rules": name, "moves": moves}))
        with pytest.raises(Refused, match=r"ply_limit"):
            checked(client.post("/games", json={"ply_limit": MOST_PLIES + 1}))


def test_moves_come_in_pages(servers: Servers) -> None:
    game, token = long_game_on(servers.one, 250)
    with Player(servers.other) as watcher:
        facts = watcher.watch(game, token)
        assert facts["moves"]["from"] == 150
        assert facts["moves"] == show(servers.one, game)["moves"]
        moves = [each["move"] for each in facts["moves"]["list"]]
        for first in (100, 0):
            page = moves_from(servers.one, game, first)
            assert (page["from"], len(page["list"])) == (first, 100)
            moves = [each["move"] for each in page["list"]][: 250 - first - len(moves)] + moves
        assert moves == long_record(250).split()
        assert moves_from(servers.one, game, 250) == {"from": 250, "list": []}
        # Whoever goes forward by many moves at once sends the last of them.
        watcher.act(game, "undo", 0, ply=3)
        number = watcher.act(game, "redo", 1, ply=250)
    assert number == 2
    told = [json.loads(text)["game"] for text in watcher.received if '"type":"game"' in text]
    assert [facts["moves"]["from"] for facts in told] == [150, 3, 150]


def test_hidden_games_have_no_moves_to_ask_for(server: Server) -> None:
    made = create(server, rules="gobblers-official", visibility="memory")
    game, token = made["game"]["id"], made["tokens"]["first"]
    act(server, game, token, "move", 0, move="3b2")
    assert moves_from(server, game, 0) == {"from": 0, "list": []}
    act(server, game, token, "resign", 1)
    assert len(moves_from(server, game, 0)["list"]) == 1


def test_taking_back_and_redoing_comes_to_an_end(server: Server) -> None:
    """All of it is replayed whenever the game is loaded."""
    game, token = long_game_on(server, 900)
    number = 0
    with pytest.raises(Refused, match="are played and taken back; end it"):  # noqa: PT012
        while number < 100:
            act(server, game, token, "undo", number, ply=0)
            act(server, game, token, "redo", number + 1, ply=900)
            number += 2
    assert 900 * number <= MOST_REPLAYED + 900
    number = show(server, game)["number"]
    assert act(server, game, token, "resign", number)["outcome"] is not None


def test_a_game_is_written_once_per_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    make = views.game_json

    def count(online: views.OnlineGame, *arguments: object) -> object:
        written.append(online.number)
        return make(online, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(views, "game_json", count)

    async def check(services: Services) -> None:
        _made, online = await services.games.create(NewGame(), SOMEBODY, "browser")
        texts = {services.games.text(online, frozenset()) for _ in range(50)}
        assert len(texts) == 1
        assert written == [0]

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


async def long_games(services: Services, count: int, plies: int) -> list[str]:
    """Games of so many plies, of which nobody has looked at any yet."""
    rules = await services.catalogue.keep(RULES, SOMEBODY.client)
    record = f'[Rules "{rules.name}"]\n\n{long_record(plies)} *'
    made = [
        await services.games.create(NewGame(record=record), SOMEBODY, "browser")
        for _ in range(count)
    ]
    return [online.id for _made, online in made]


def test_long_games_that_nobody_uses_leave_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MOST_CACHED_STATES", 250)

    async def check(services: Services) -> None:
        for game in await long_games(services, 5, 100):
            await services.hub.find(game)
        assert services.hub.games == 2
        # What has been taken back takes memory too.
        [game] = await long_games(services, 1, 200)
        online = await services.hub.find(game)
        holder = frozenset({online.seats[0].holder or ""})
        undo = read_action.validate_python({"action": "undo", "number": 0, "ply": 0})
        await services.games.act(game, holder, undo, SOMEBODY)
        assert services.hub.games == 1

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


def test_a_client_watches_so_many_plies_on_all_its_connections(tmp_path: Path) -> None:
    async def check(services: Services) -> None:
        services.watched_plies = Totals(most=250)
        received: asyncio.Queue[Any] = asyncio.Queue()
        answers: list[Any] = []

        def answer(text: str) -> bool:
            answers.append(json.loads(text))
            return True

        async def ignore(event: Any) -> None:
            pass

        async def ask(**message: Any) -> Any:
            await received.put({"type": "websocket.receive", "text": json.dumps(message)})
            count = len(answers)
            while len(answers) == count:
                await asyncio.sleep(0.001)
            return answers[-1]

        running = asyncio.ensure_future(
            Connection(services, SOMEBODY, received.get, ignore, answer).run()
        )
        one, two, three = await long_games(services, 3, 100)
        for game in (one, two, two):  # Watching one again changes nothing.
            assert (await ask(type="watch", game=game))["type"] == "game"
        refused = await ask(type="watch", game=three)
        assert (refused["code"], refused["message"]) == (
            "too-many", "you watch too many long games; leave some",
        )  # fmt: skip
        assert services.hub.watchers == 2
        await ask(type="leave", game=one)
        assert (await ask(type="watch", game=three))["type"] == "game"
        await received.put({"type": "websocket.disconnect"})
        await running
        assert services.watched_plies.add(SOMEBODY.client, 250)

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


def test_unknown_fields_are_not_told_one_by_one(server: Server) -> None:
    many = {f"f{number}": 0 for number in range(5000)}
    with server.client() as client, pytest.raises(Refused, match="at most 30 fields"):
        checked(client.post("/games", json=many))
    with Player(server) as player, pytest.raises(Refused, match="at most 30 fields"):
        player.ask(type="leave", game="a", **many)


def test_whoever_guesses_invitations_makes_nobody_read_a_long_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(services: Services) -> None:
        [game] = await long_games(services, 1, 100)
        online = await services.hub.find(game)
        holder = frozenset({online.seats[0].holder or ""})
        for number in range(20):
            action = {"action": "undo" if number % 2 == 0 else "redo", "number": number}
            request = read_action.validate_python(action)
            await services.games.act(game, holder, request, SOMEBODY)
        read: list[Any] = []
        monkeypatch.setattr(statements, "read_action", read.append)
        with pytest.raises(Refusal, match="used or withdrawn"):
            await services.games.join(game, "guessed", None, SOMEBODY, "browser")
        assert read == []

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


def test_endless_keys_are_refused_before_they_are_read(server: Server) -> None:
    with server.client() as client, pytest.raises(Refused, match="at most 100 dots"):
        checked(client.post("/rules", json={"toml": "a." * 8000 + "a=1"}))


# Clients that do not read.


def test_whoever_does_not_read_is_disconnected_after_so_many_bytes(tmp_path: Path) -> None:
    sent: list[Any] = []
    is_read = asyncio.Event()

    async def send(event: Any) -> None:
        sent.append(event)
        if event["type"] == "websocket.send":
            await is_read.wait()

    async def check(services: Services) -> None:
        one, other = (Connection(services, SOMEBODY, send, send) for _ in range(2))  # type: ignore[arg-type]
        for _ in range(20):
            one.post("x" * 100_000)
            await asyncio.sleep(0)
        assert sent[-1]["type"] == "websocket.close"
        assert sent[-1]["code"] == 1013
        assert len(sent) == 2  # The first message was on its way.
        # Nothing is counted for it any more.
        assert services.unsent.add(SOMEBODY.client, MOST_UNSENT_BYTES)
        other.post("x")
        await asyncio.sleep(0.01)
        assert sent[-1]["code"] == 1013

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


def test_what_waits_is_counted_for_all_connections_of_a_client() -> None:
    unsent = Totals(most=100)
    assert unsent.add("one", 60)
    assert unsent.add("other", 60)
    assert not unsent.add("one", 60)
    unsent.remove("one", 60)
    assert unsent.add("one", 40)


# Turns.


def test_clients_take_turns_on_the_event_loop() -> None:
    order: list[str] = []

    async def ask(turns: Turns, client: str) -> None:
        await turns.take(client)
        order.append(client)

    async def run() -> None:
        turns = Turns()
        await asyncio.gather(*(ask(turns, "many") for _ in range(50)), ask(turns, "one"))
        # Nothing is left behind, and a new round begins from scratch.
        await asyncio.sleep(0)
        await asyncio.wait_for(ask(turns, "many"), 5)

    asyncio.run(run())
    assert order.index("one") <= AT_ONCE
    assert order.count("many") == 51


def test_clients_take_turns_in_the_threads() -> None:
    order: list[str] = []

    async def run() -> None:
        executor = FairExecutor(1, "test")

        async def work(client: str) -> None:
            await executor.run(client, lambda: time.sleep(0.01))
            order.append(client)

        try:
            # Nothing is done before everything waits.
            is_asked = threading.Event()
            first = asyncio.ensure_future(executor.run("many", is_asked.wait))
            many = [asyncio.ensure_future(work("many")) for _ in range(20)]
            one = asyncio.ensure_future(work("one"))
            await asyncio.sleep(0)
            is_asked.set()
            await asyncio.gather(first, one, *many)
            with pytest.raises(ZeroDivisionError):
                await executor.run("one", lambda: 1 // 0)
            calls = [executor.run("many", lambda: time.sleep(0.001)) for _ in range(150)]
            answers = await asyncio.gather(*calls, return_exceptions=True)
            assert sum(isinstance(answer, Refusal) for answer in answers) == 150 - MOST_WAITING
        finally:
            executor.close()

    asyncio.run(run())
    assert order.index("one") <= 3


def test_a_client_has_so_many_analyses_at_a_time(tmp_path: Path) -> None:
    async def check(services: Services) -> None:
        await services.preparation.ready("search")

        async def analyse(client: str) -> Task:
            task, _ahead = await services.analysts.start_analysis(
                client, Game("gobblet"), 1, 5.0, lambda study, is_final: None
            )
            assert task is not None
            return task

        tasks = [await analyse("one") for _ in range(MOST_ANALYSES)]
        with pytest.raises(Refusal, match="at most 30 analyses at a time"):
            await analyse("one")
        tasks.append(await analyse("other"))
        services.analysts.cancel(tasks[-2])
        tasks.append(await analyse("one"))
        for task in tasks:
            services.analysts.cancel(task)

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


# What would hold up everything else.


def test_pictures_are_rendered_by_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The renderer keeps the interpreter lock meanwhile."""
    monkeypatch.setattr("resvg_py.svg_to_bytes", None)
    assert render(svg(Position.start("gobblet"))).startswith(b"\x89PNG")


def test_the_api_document_is_not_made_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    make = FastAPI.openapi

    def openapi(api: FastAPI) -> dict[str, Any]:
        threads.append(threading.current_thread())
        return make(api)

    monkeypatch.setattr(FastAPI, "openapi", openapi)

    ask(tmp_path, "/api/v1/docs", "/api/v1/openapi.json")
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_cookies_of_others_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes half a second for some that fill a head."""
    given = []

    def parse(text: str) -> dict[str, str]:
        given.append(text)
        return {}

    monkeypatch.setattr("starlette.requests.cookie_parser", parse)
    ask(tmp_path, "/api/v1/status", Cookie=f'a="{1000 * chr(92)}"; {COOKIE}=mine; b=c')
    assert set(given) <= {f"{COOKIE}=mine"}


def ask(folder: Path, *paths: str, **headers: str) -> None:
    """Send requests to an application without a port."""

    async def run() -> None:
        app = create_app(Settings(database=str(folder / "games.sqlite3"), tables=str(folder)))
        await app.services.start()
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for path in paths:
                assert (await client.get(path, headers=headers)).status_code == 200
        await app.services.close()

    asyncio.run(run())
