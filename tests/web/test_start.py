"""On a machine that has compiled nothing yet the page comes first, and everybody is told."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from websockets.sync.client import connect

from nestline.compiled import cache_folder
from nestline.rules import rule_set_names
from support.web_driver import WAIT, Player, Server, create, wait_for


class NewMachine(Server):
    """A server with a cache of compiled code of its own; it has started when it shows the page."""

    def __init__(self, folder: Path) -> None:
        settings = {"NUMBA_CACHE_DIR": str(folder / "cache")}
        super().__init__(str(folder / "games.sqlite3"), folder / "tables", settings)

    def _answers(self) -> bool:
        return self.get("/").status_code == 200

    @property
    def missing(self) -> str | None:
        told = self.get("/api/v1/status").json()["getting_ready"]
        return told and told["part"]  # type: ignore[no-any-return]

    def has_processes(self) -> bool:
        try:
            os.killpg(self.process.pid, signal.SIGCONT)
        except ProcessLookupError:
            return False
        return True


@pytest.fixture
def new_machine(tmp_path: Path) -> Iterator[NewMachine]:
    server = NewMachine(tmp_path)
    try:
        yield server
    finally:
        server.kill()


def test_the_page_and_the_rules_come_before_the_compiler_is_done(new_machine: NewMachine) -> None:
    assert "nestline" in new_machine.get("/").text
    told = new_machine.get("/api/v1/rules").json()["rules"]
    assert [each["name"] for each in told] == list(rule_set_names())
    assert new_machine.missing == "rules", "all of this needed no compiled code"
    # Whoever asks for more hears what is going on, and when to ask again.
    with new_machine.client() as client:
        for refused in (
            client.post("/games", json={}),
            client.get("/games/abc"),
            client.get("/positions/gobblers"),
            client.get("/positions/gobblers/picture"),
            client.post("/reviews", json={"record": "1. 3b2"}),
        ):
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "1"
            error = refused.json()["error"]
            assert error["code"] == "getting-ready"
            assert "compiles the rules" in error["message"]
    assert new_machine.get("/healthz").status_code == 503
    with connect(new_machine.socket_url, open_timeout=WAIT) as socket:
        for kind, code in (
            ("watch", "getting-ready"),
            ("analyse", "getting-ready"),
            ("ping", None),
        ):
            socket.send(json.dumps({"type": kind}))
            assert json.loads(socket.recv(WAIT)).get("code") == code
    assert new_machine.missing == "rules"
    # Whoever does not want to wait leaves, and the compiler with him.
    assert new_machine.stop() == 0
    assert not new_machine.has_processes()


def test_the_computer_moves_when_its_search_is_ready(tmp_path: Path) -> None:
    cache = tmp_path / "cache" / cache_folder().name
    shutil.copytree(cache_folder(), cache)
    (cache / "server.done").unlink(missing_ok=True)
    with FileLock(cache / "search.lock"):
        server = NewMachine(tmp_path)
        wait_for(lambda: server.missing == "search")
        assert server.get("/healthz").status_code == 503
        made = create(server, seats={"first": {"player": "computer", "level": "3"}, "second": {}})
        game = made["game"]
        assert game["ply"] == 0
        assert "compiles its search" in game["thinking"]["remark"]
        with server.client() as client:
            refused = client.get("/positions/gobblers")
            assert refused.status_code == 503
            assert refused.json()["error"]["code"] == "getting-ready"
    with Player(server) as watcher:
        watched = watcher.watch(game["id"])
        moved: Any = watched if watched["ply"] else watcher.game_at(game["number"] + 1)
    assert moved["ply"] == 1
    wait_for(lambda: server.missing is None)
    assert server.get("/healthz").status_code == 200
    # All that the server needs has been compiled apart; it finds everything in the cache.
    kept = sorted(path.name for path in cache.rglob("*.nbc"))
    with server.client() as client:
        assert client.get("/positions/gobblet?seconds=0.1").status_code == 200
        assert client.get("/positions/gobblet/picture").status_code == 200
    assert sorted(path.name for path in cache.rglob("*.nbc")) == kept
    assert server.stop() == 0
