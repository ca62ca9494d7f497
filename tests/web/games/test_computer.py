"""The computer on the server: its moves and answers, fair scheduling, cancellation, restarts."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nestline import tables
from nestline.web.work import thread_pool
from nestline.web.work.thread_pool import SLICE, Pool
from support.web_driver import WAIT, Facts, Player, Refused, Server, create, wait_for
from web.conftest import Servers
from web.games.test_play import act, show

COMPUTER = {"player": "computer", "level": "1"}


def against_computer(server: Server, level: str = "1", **request: object) -> tuple[str, str]:
    made = create(server, seats={"second": {"player": "computer", "level": level}}, **request)
    return made["game"]["id"], made["tokens"]["first"]


def persons_turn(server: Server, game: str) -> Facts:
    """The game, once the computer has nothing left to do in it."""

    def look() -> Facts | None:
        facts = show(server, game)
        return None if facts["thinking"] else facts

    return wait_for(look)  # type: ignore[no-any-return]


@pytest.mark.parametrize("level", ["random", "1", "4", "7", "10", "easy", "medium", "hard"])
def test_every_level_answers(server: Server, level: str) -> None:
    game, token = against_computer(server, level)
    facts = act(server, game, token, "move", 0, move="3b2")
    assert facts["thinking"] == {"seat": "second", "level": level, "remark": None}
    assert facts["seats"]["second"] == {
        "player": "computer", "name": "Computer", "level": level, "taken": True,
    }  # fmt: skip
    facts = persons_turn(server, game)
    assert (facts["ply"], facts["turn"]) == (2, "first")
    assert facts["event"] == {"action": "move", "seat": "second"}


def test_the_computer_moves_on_every_process_once(servers: Servers) -> None:
    game, token = against_computer(servers.one, "3")
    with Player(servers.other) as watcher:
        watcher.watch(game, token)
        number = 0
        for _ in range(3):
            facts = show(servers.one, game)
            if facts["outcome"]:
                break
            number = watcher.act(game, "move", facts["number"], move=facts["legal"][0])
            answered = watcher.until(
                lambda got: got["type"] == "game" and not got["game"]["thinking"]
            )["game"]
            assert answered["number"] in (number, number + 1)
            time.sleep(0.05)
            assert show(servers.one, game)["number"] == answered["number"]


def test_two_computers_play_to_an_end(servers: Servers) -> None:
    made = create(servers.one, rules="tictactoe", seats={"first": COMPUTER, "second": COMPUTER})
    facts = wait_for(lambda: (got := show(servers.other, made["game"]["id"]))["outcome"] and got)
    assert 5 <= facts["ply"] <= 9
    assert facts["ply_limit"] == 200


def test_perfect_play_by_the_table(server: Server) -> None:
    perfect = {"player": "computer", "level": "perfect"}
    made = create(server, rules="tictactoe", seats={"first": perfect, "second": perfect})
    facts = wait_for(lambda: (got := show(server, made["game"]["id"]))["outcome"] and got)
    assert facts["outcome"]["reason"] == "board-full"


def test_where_no_table_is_built_nobody_is_perfect(server: Server) -> None:
    with server.client() as client:
        assert client.get("/rules/tictactoe").json()["levels"][-1] == "perfect"
        assert client.get("/rules/gobblers").json()["levels"][-1] == "maximum-20"
    with pytest.raises(Refused) as refused:
        against_computer(server, "perfect")
    assert "no perfect play in gobblers" in refused.value.message


def test_a_seat_is_handed_to_the_computer_and_back(servers: Servers) -> None:
    made = create(servers.one, rules="gobblers")
    game, token = made["game"]["id"], made["tokens"]["first"]
    facts = act(servers.one, game, token, "hand-over", 0, seat="first", level="1")
    facts = persons_turn(servers.other, game)
    assert (facts["ply"], facts["seats"]["first"]["level"]) == (1, "1")
    with pytest.raises(Refused) as refused:
        act(servers.one, game, token, "resign", facts["number"], seat="first")
    assert "take the seat over first" in refused.value.message
    facts = act(servers.other, game, token, "hand-over", facts["number"], seat="first", level="3")
    facts = act(servers.one, game, token, "take-over", facts["number"], seat="first")
    assert facts["seats"]["first"]["player"] == "person"
    assert not facts["between_people"]
    for level in ("17", "perfekt"):
        with pytest.raises(Refused) as unknown:
            act(servers.one, game, token, "hand-over", facts["number"], seat="first", level=level)
        assert unknown.value.status == 422


def test_in_tic_tac_toe_a_person_keeps_the_first_seat(servers: Servers) -> None:
    made = create(servers.one, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    with pytest.raises(Refused) as refused:
        act(servers.one, game, token, "hand-over", 0, seat="first", level="1")
    assert (refused.value.status, refused.value.message) == (
        409, "in tictactoe a person who plays the computer is X and begins; the computer is O",
    )  # fmt: skip
    facts = act(servers.one, game, token, "hand-over", 0, seat="second", level="1")
    assert facts["seats"]["second"]["level"] == "1"


def test_taking_back_against_the_computer_takes_its_answer_too(servers: Servers) -> None:
    game, token = against_computer(servers.one)
    with pytest.raises(Refused):
        act(servers.one, game, token, "undo", 0)
    act(servers.one, game, token, "move", 0, move="3b2")
    facts = persons_turn(servers.one, game)
    facts = act(servers.other, game, token, "undo", facts["number"])
    assert (facts["ply"], facts["turn"]) == (0, "first")
    facts = act(servers.one, game, token, "redo", facts["number"])
    assert (facts["ply"], facts["turn"]) == (2, "first")
    facts = act(servers.one, game, token, "undo", facts["number"], ply=1)
    assert facts["thinking"]["seat"] == "second"
    assert persons_turn(servers.one, game)["ply"] == 2


def test_the_computer_answers_draw_offers(servers: Servers) -> None:
    game, token = against_computer(servers.one, rules="gobblet")
    number = act(servers.one, game, token, "offer-draw", 0)["number"]
    facts = wait_for(lambda: (got := show(servers.other, game))["number"] > number and got)
    assert facts["event"] == {"action": "decline-draw", "seat": "second"}
    assert facts["draw_offer"] is None


def test_a_rematch_against_the_computer_begins_at_once(servers: Servers) -> None:
    game, token = against_computer(servers.one)
    number = act(servers.one, game, token, "resign", 0)["number"]
    facts = act(servers.one, game, token, "rematch", number)
    following = persons_turn(servers.other, facts["rematch"])
    assert following["seats"]["first"]["level"] == "1"
    assert following["ply"] == 1


def test_a_pending_move_is_made_after_a_restart(tmp_path: Path, tictactoe_tables: Path) -> None:
    """With one engine thread and a queue of slow moves, most are still pending at the kill."""
    settings = {"NESTLINE_WEB_ENGINE_THREADS": "1"}
    server = Server(str(tmp_path / "games.sqlite3"), tictactoe_tables, settings)
    strong = {"player": "computer", "level": "10"}
    games = [create(server, rules="gobblet", seats={"first": strong})["game"]["id"]
             for _ in range(6)]  # fmt: skip
    server.kill()
    server.start()
    try:
        for game in games:
            facts = persons_turn(server, game)
            assert (facts["ply"], facts["number"]) == (1, 1)
    finally:
        assert server.stop() == 0


def test_tables_are_built_beside_the_games(tmp_path: Path) -> None:
    """Nobody waits for a table: the search answers, and says so; the server stops at once."""
    server = Server(str(tmp_path / "games.sqlite3"), tmp_path / "tables",
                    {"NESTLINE_WEB_BUILD_TABLES": "yes"})  # fmt: skip
    try:
        with server.client() as client:
            wait_for(lambda: client.get("/rules/tictactoe").json()["table"]["state"] == "ready")
            facts = client.get("/rules/gobblers").json()
            assert facts["table"]["state"] == "building"
            assert "is being built" in facts["table"]["remark"]
            study = client.get("/positions/gobblers", params={"seconds": 0.1}).json()
            assert not study["exact"]
            assert study["score"] is not None
        game, token = against_computer(server, "perfect")
        facts = act(server, game, token, "move", 0, move="3b2")
        assert "the search plays until then" in facts["thinking"]["remark"]
        assert persons_turn(server, game)["ply"] == 2
    finally:
        assert server.stop() == 0
    # The unfinished build left nothing behind that could be mistaken for a table.
    finished = [path.name.rpartition("-")[0] for path in (tmp_path / "tables").glob("[!.]*")]
    assert "tictactoe" in finished
    for name in finished:
        tables.open(name, tmp_path / "tables").close()


# The thread pool, without a server.


class Work:
    """A job of several steps, each lasting until it is asked to pause or told to go on."""

    def __init__(self, name: str, log: list[str], steps: int = 1, client: str = "") -> None:
        self.name, self.log, self.left = name, log, steps
        self.client = client
        self.paused = threading.Event()
        self.done = threading.Event()
        self.failed: Exception | None = None
        self.waits = False

    def run(self) -> bool:
        self.log.append(self.name)
        if self.waits:
            self.paused.wait(WAIT)
        self.left -= 1
        if self.left == 0:
            self.done.set()
        return self.left == 0

    def pause(self) -> None:
        self.paused.set()

    def fail(self, error: Exception) -> None:
        self.failed = error
        self.done.set()


def test_jobs_take_turns() -> None:
    log: list[str] = []
    pool = Pool(1, "test")
    blocker = Work("blocker", log)
    blocker.waits = True
    pool.submit(blocker)
    jobs = [Work(name, log, steps=3) for name in "abc"]
    wait_for(lambda: log == ["blocker"])
    assert [pool.submit(job) for job in jobs] == [1, 2, 3]
    blocker.pause()
    for job in jobs:
        assert job.done.wait(WAIT)
    pool.close()
    assert log[1:] == list("abcabcabc")


def test_one_who_has_many_jobs_waits_longer_with_them_than_others_with_one() -> None:
    log: list[str] = []
    pool = Pool(1, "test")
    blocker = Work("blocker", log)
    blocker.waits = True
    pool.submit(blocker)
    wait_for(lambda: log == ["blocker"])
    many = [Work(f"many {number}", log, client="many") for number in range(4)]
    others = [Work(name, log, client=name) for name in ("ann", "bob")]
    assert [pool.submit(job) for job in many] == [1, 2, 3, 4]
    assert [pool.submit(job) for job in others] == [2, 3]
    blocker.pause()
    for job in many:
        assert job.done.wait(WAIT)
    pool.close()
    assert log[1:] == ["many 0", "ann", "bob", "many 1", "many 2", "many 3"]


def test_a_long_job_is_asked_to_pause_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    now = 1000.0
    monkeypatch.setattr(thread_pool, "time", SimpleNamespace(monotonic=lambda: now))
    pool = Pool(1, "test")
    long = Work("long", log, steps=2)
    long.waits = True
    pool.submit(long)
    wait_for(lambda: log == ["long"])
    pool.share()
    assert not long.paused.is_set()  # Nobody waits.
    short = Work("short", log)
    pool.submit(short)
    pool.share()
    assert not long.paused.is_set()  # It has not used up its time slice.
    now += SLICE
    pool.share()
    assert short.done.wait(WAIT)
    pool.close()
    assert log == ["long", "short", "long"]


def test_a_job_that_waits_can_be_cancelled_and_one_that_fails_is_told() -> None:
    log: list[str] = []
    pool = Pool(1, "test")
    blocker, waiting = Work("blocker", log), Work("waiting", log)
    blocker.waits = True
    pool.submit(blocker)
    wait_for(lambda: log == ["blocker"])
    pool.submit(waiting)
    assert pool.cancel(waiting)
    assert not pool.cancel(blocker)
    assert blocker.done.wait(WAIT)
    failing = Work("failing", log)
    failing.run = None  # type: ignore[assignment,method-assign]
    pool.submit(failing)
    assert failing.done.wait(WAIT)
    assert isinstance(failing.failed, TypeError)
    last = Work("last", log)
    pool.submit(last)
    assert last.done.wait(WAIT)
    pool.close()
    assert log == ["blocker", "last"]
