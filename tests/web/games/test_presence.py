"""Whether players are here, away or gone."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from nestline.position import Side
from nestline.web.games.presence import (
    FORGOTTEN_SECONDS,
    GRACE_SECONDS,
    SILENT_SECONDS,
    Presence,
    States,
)
from nestline.web.storage.listener import heard_presence, presence_text
from support.skipped_time import run_skipping_time
from support.web_driver import Player, checked, create
from web.conftest import Servers


@dataclass(eq=False)
class Page:
    heard: float = 0.0


@dataclass
class Table:
    """A game with its watchers; the clock stands still until it is moved."""

    told: list[str] = field(default_factory=list)
    now: float = 1000.0

    def process(self) -> Presence:
        return Presence(self.post, lambda: self.now)

    def post(self, game: str, text: str) -> None:
        message = json.loads(text)
        assert message.pop("type") == "presence"
        assert message.pop("game") == game == "g"
        self.told.append(" ".join(message["seats"].values()))


@pytest.fixture
def table() -> Table:
    return Table()


async def grace_is_over() -> None:
    await asyncio.sleep(GRACE_SECONDS + 1)


def test_players_come_hide_fall_silent_and_leave(table: Table) -> None:
    async def journey() -> None:
        at_table = table.process()
        ann, bob, watching = (Page(table.now) for _ in range(3))
        at_table.enter("g", ann, (Side.FIRST,))
        at_table.enter("g", bob, (Side.SECOND,))
        assert table.told == ["here gone", "here here"]
        # A spectator is told, and changes nothing.
        assert '"first":"here"' in at_table.enter("g", watching, ())
        at_table.hide("g", watching, True)
        at_table.hide("g", bob, True)
        at_table.hide("g", bob, True)
        at_table.hide("g", bob, False)
        assert table.told[2:] == ["here away", "here here"]
        # Bob's laptop is closed: nothing more is heard of it.
        table.now += SILENT_SECONDS + 1
        ann.heard = table.now
        await at_table.check()
        assert table.told[4:] == ["here away"]
        at_table.leave("g", bob)
        await at_table.check()
        assert len(table.told) == 5
        await grace_is_over()
        assert table.told[5:] == ["here gone"]

    run_skipping_time(journey())


def test_a_page_that_is_loaded_again_was_never_gone(table: Table) -> None:
    async def journey() -> None:
        at_table = table.process()
        for _ in range(3):
            page = Page(table.now)
            at_table.enter("g", page, (Side.FIRST, Side.SECOND))
            at_table.leave("g", page)
        # Also one that leaves the game and comes back without another connection.
        at_table.enter("g", page, (Side.FIRST, Side.SECOND))
        await grace_is_over()
        assert table.told == ["here here"]

    run_skipping_time(journey())


def test_two_tabs_of_one_player(table: Table) -> None:
    async def journey() -> None:
        at_table = table.process()
        one, other = Page(table.now), Page(table.now)
        for page in (one, other):
            at_table.enter("g", page, (Side.FIRST,))
        at_table.hide("g", one, True)
        assert table.told == ["here gone"]
        at_table.hide("g", other, True)
        assert table.told[1:] == ["away gone"]
        for page in (one, other):
            at_table.leave("g", page)
        await grace_is_over()
        assert table.told[2:] == ["gone gone"]
        # Nothing is remembered of a table that everybody has left.
        assert not at_table._visits
        assert not at_table._told

    run_skipping_time(journey())


def test_processes_tell_each_other_whom_they_see() -> None:
    one, other = Table(), Table()

    async def journey() -> None:
        here, there = one.process(), other.process()
        _connect({"here": here, "there": there})
        ann, bob = Page(one.now), Page(one.now)
        here.enter("g", ann, (Side.FIRST,))
        assert '"first":"here"' in there.enter("g", bob, (Side.SECOND,))
        assert one.told == ["here gone", "here here"]
        assert other.told == ["here gone", "here here"]
        there.hide("g", bob, True)
        assert one.told[2:] == other.told[2:] == ["here away"]
        # Ann's page in the other process counts as well, and one place is enough to be here.
        there.enter("g", Page(one.now), (Side.FIRST,))
        here.hide("g", ann, True)
        assert one.told[3:] == other.told[3:] == []

    run_skipping_time(journey())


def test_a_process_that_has_ended_is_forgotten(table: Table) -> None:
    """Whatever it saw it would have said again."""

    async def journey() -> None:
        at_table, ann = table.process(), Page(table.now)
        at_table.enter("g", ann, (Side.FIRST,))
        for _ in range(2):
            at_table.on_announcement("ended", {"g": ("gone", "here")})
            table.now += FORGOTTEN_SECONDS - 1
            ann.heard = table.now
            await at_table.check()
        assert table.told == ["here gone", "here here"]
        table.now += 1
        await at_table.check()
        assert table.told[2:] == ["here gone"]
        assert not at_table._elsewhere

    run_skipping_time(journey())


def test_a_process_that_starts_later_asks(table: Table) -> None:
    async def journey() -> None:
        early, late = table.process(), table.process()
        early.enter("g", Page(table.now), (Side.FIRST,))
        assert '"first":"gone"' in late.enter("g", Page(table.now), ())
        _connect({"early": early, "late": late})
        early.on_announcement("late", {})
        assert '"first":"here"' in late.enter("g", Page(table.now), ())

    run_skipping_time(journey())


def _connect(processes: dict[str, Presence]) -> None:
    """As notifications of the database do."""

    def announcer(name: str) -> Any:
        def announce(game: str, states: States) -> None:
            for other, process in processes.items():
                if other != name:
                    process.on_announcement(*heard_presence(presence_text(name, {game: states})))

        return announce

    for name, process in processes.items():
        process.announce = announcer(name)


@pytest.mark.parametrize("text", ["", "name", "name game", "name game hx", "name game hhh"])
def test_nonsense_is_not_heard(text: str) -> None:
    assert heard_presence(text)[1] == {}


def test_players_see_each_other_come_hide_and_leave(servers: Servers) -> None:
    """On every kind of database, also through different processes."""
    seats = {"first": {"player": "here"}, "second": {"player": "link"}}
    made = create(servers.one, rules="tictactoe", seats=seats)
    game, token = made["game"]["id"], made["tokens"]["first"]
    with servers.other.client() as client:
        invitation = {"invitation": made["invitations"]["second"]}
        joined = checked(client.post(f"/games/{game}/join", json=invitation))

    def sees(player: Player, states: str) -> None:
        player.until(
            lambda message: (
                message["type"] == "presence" and " ".join(message["seats"].values()) == states
            )
        )

    with Player(servers.one) as ann:
        ann.watch(game, token)
        with Player(servers.other) as bob:
            bob.watch(game, joined["tokens"]["second"])
            sees(ann, "here here")
            sees(bob, "here here")
            bob.send(type="attend", game=game, hidden=True)
            sees(ann, "here away")
        sees(ann, "here gone")
