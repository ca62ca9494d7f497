"""The package as on Windows and macOS: with what their Python lacks hidden from it.

Only the missing parts of the library are simulated, not the systems themselves.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import nestline
from nestline import read_record
from support.other_systems import environment, missing_on
from support.ugi_driver import COMMAND
from support.web_driver import create, running, wait_for
from web.games.test_play import act

TIMEOUT = 600  # seconds; the first run on a machine compiles

IMPORT_ALL = """
import importlib, pathlib, pkgutil, nestline
found = [module.name for module in pkgutil.walk_packages(nestline.__path__, "nestline.")]
for name in found:
    # Alembic runs one of them, the command line is another, and one needs a GPU.
    if not name.endswith((".migrations.env", "__main__", "cuda")):
        try:
            importlib.import_module(name)
        except nestline.MissingExtra as error:  # Stable-Baselines3 is too large for every test run.
            assert "nestline[sb3]" in str(error)
print(len(found))
"""

HAS = """
exec("import os, signal, socket", outside := {"__name__": "elsewhere"})
exec("import os, signal, socket", inside := {"__name__": "nestline.example"})
names = [("os", "killpg"), ("os", "sched_getaffinity"), ("signal", "SIGKILL"), ("os", "getpid")]
for module, name in names:
    print(name, hasattr(outside[module], name), hasattr(inside[module], name))
for module in ("fcntl", "termios", "json"):
    try:
        exec(f"import {module}", {"__name__": "nestline.example"})
        print(module, True)
    except ImportError:
        print(module, False)
"""

USE = """
import sys
from pathlib import Path
from nestline import EngineFailure, Game
from nestline.engine.protocol.external import ExternalPlayer, Patience
from nestline.engine.search.engine import Engine, Limits
from nestline.system import lock_file

game = Game("gobblers")
while not game.outcome and game.ply < 6:
    game.play(Engine("gobblers", tables=False).think(game, Limits(depth=2)).move)
print("game", game.ply)

with ExternalPlayer(sys.argv[2:], rules="tictactoe", limits=Limits(depth=2)) as player:
    game = Game("tictactoe")
    while not game.outcome:
        game.play(player.choose(game))
print("external", game.ply)

command = [sys.executable, "-c", "import time; time.sleep(600)"]
try:
    ExternalPlayer(command, rules="tictactoe", limits=Limits(depth=2), patience=Patience(start=0.3))
except EngineFailure as error:
    print("hanging", error)
command = [sys.executable, "-c", "import sys; sys.exit('oh dear')"]
try:
    ExternalPlayer(command, rules="tictactoe", limits=Limits(depth=2))
except EngineFailure as error:
    print("crashing", error)

folder = Path(sys.argv[1])
first, second = lock_file(folder / "lock"), lock_file(folder / "lock")
print("lock", first is not None, second is None)
"""


@pytest.fixture(params=["win32", "darwin"])
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


ON_WINDOWS = pytest.mark.parametrize("system", ["win32"])
"""For slow tests: whatever macOS lacks that matters here, Windows lacks too."""


@pytest.fixture
def there(system: str, tmp_path: Path) -> dict[str, str]:
    """The environment variables that simulate a system."""
    return environment(tmp_path, system)


def run(arguments: Sequence[str], there: dict[str, str], folder: Path, typed: str = "") -> str:
    """The output of a Python program on that system; it must succeed."""
    done = subprocess.run(
        [sys.executable, *arguments], input=typed, capture_output=True, text=True, cwd=folder,
        env={**os.environ, **there, "NESTLINE_TABLES": str(folder)}, timeout=TIMEOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_one_module_knows_which_system_it_runs_on() -> None:
    package = Path(nestline.__file__).parent
    asking = re.compile(r"sys\.platform|os\.name|platform\.system|windll|msvcrt|termios")
    found = [path for path in package.rglob("*.py") if asking.search(path.read_text("utf-8"))]
    assert found == [package / "system.py"]


def test_what_is_missing_is_known() -> None:
    windows, mac = missing_on("win32"), missing_on("darwin")
    for module in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
        assert windows[module] == []
        assert mac.get(module) != []
    for name in ("fork", "getuid", "killpg", "nice", "set_blocking", "sysconf", "waitid"):
        assert name in windows["os"]
    assert {"SIGHUP", "SIGKILL", "pthread_sigmask"} <= {*windows["signal"]}
    assert {"poll", "epoll"} <= {*windows["select"]}
    assert "sched_getaffinity" in mac["os"]
    assert "killpg" not in mac["os"]
    assert all({*mac[name]} < {*windows[name]} for name in ("os", "select", "signal", "time"))


def test_it_is_missing_in_the_package_alone(
    system: str, there: dict[str, str], tmp_path: Path
) -> None:
    """Otherwise the tests below could not fail."""
    is_mac = system == "darwin"
    assert run(["-c", HAS], there, tmp_path).splitlines() == [
        f"killpg True {is_mac}",
        "sched_getaffinity True False",
        f"SIGKILL True {is_mac}",
        "getpid True True",
        f"fcntl {is_mac}",
        f"termios {is_mac}",
        "json True",
    ]


def test_every_module_can_be_imported(there: dict[str, str], tmp_path: Path) -> None:
    assert int(run(["-c", IMPORT_ALL], there, tmp_path)) > 150


@ON_WINDOWS
def test_games_engines_and_locks(there: dict[str, str], tmp_path: Path) -> None:
    told = run(["-c", USE, str(tmp_path), *COMMAND], there, tmp_path).splitlines()
    name = Path(sys.executable).name
    assert told == [
        "game 6",
        "external 9",
        f"hanging {name} did not answer ugi with ugiok within 0.3 s",
        f"crashing {name} ended with status 1 (its last words: 'oh dear') instead of answering ugi",
        "lock True True",
    ]


@ON_WINDOWS
def test_a_match_in_processes_with_a_program(there: dict[str, str], tmp_path: Path) -> None:
    engine = "ugi:depth=2 " + " ".join(f"'{word}'" for word in COMMAND)
    told = run(
        ["-m", "nestline", "match", engine, "greedy", "--rules", "tictactoe", "--games", "2",
         "--concurrency", "2", "--json", "--output", "match"], there, tmp_path,
    )  # fmt: skip
    assert json.loads(told)["games"] == 2
    records = sorted((tmp_path / "match" / "games").glob("*.txt"))
    assert len(records) == 2
    assert all(read_record(path.read_text("utf-8")).result != "*" for path in records)


@ON_WINDOWS
def test_learning_in_processes(there: dict[str, str], tmp_path: Path) -> None:
    run(
        ["-m", "nestline", "train-eval", "gobblers", "--games", "20", "--rounds", "1", "--nodes",
         "50", "--processes", "2", "--output", "learned.npz"], there, tmp_path,
    )  # fmt: skip
    assert (tmp_path / "learned.npz").stat().st_size > 0


@ON_WINDOWS
def test_the_terminal_game(there: dict[str, str], tmp_path: Path) -> None:
    typed = "a1\nb2\nsave game.txt\nquit\n"
    command = ["-m", "nestline", "play", "--rules", "tictactoe", "--people", "2"]
    told = run(command, there, tmp_path, typed)
    assert "X" in told
    assert b"\r" not in (tmp_path / "game.txt").read_bytes()
    assert len(read_record((tmp_path / "game.txt").read_text("utf-8")).line.moves) == 2


@ON_WINDOWS
def test_the_server_plays_and_builds_tables(there: dict[str, str], tmp_path: Path) -> None:
    settings = {**there, "NESTLINE_WEB_BUILD_TABLES": "yes"}
    with (
        running(str(tmp_path / "games.sqlite3"), tmp_path / "tables", settings) as server,
        server.client() as client,
    ):
        assert server.get("/").status_code == 200
        wait_for(lambda: client.get("/rules/tictactoe").json()["table"]["state"] == "ready")
        seats = {"second": {"player": "computer", "level": "1"}}
        made = create(server, rules="tictactoe", seats=seats)
        address, token = f"/games/{made['game']['id']}", made["tokens"]["first"]
        act(server, made["game"]["id"], token, "move", 0, move="b2")
        wait_for(lambda: client.get(address).json()["ply"] == 2)
