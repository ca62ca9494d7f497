"""Starts real servers on real databases, and plays on them as a client would.

Nothing here checks the server; the tests do.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from support.forks import start_server

Facts = dict[str, Any]
WAIT = 120.0
"""Seconds to wait for something to happen, long enough for any busy machine."""

GENEROUS = {
    "NESTLINE_WEB_REQUESTS_PER_SECOND": "0",
    "NESTLINE_WEB_MESSAGES_PER_SECOND": "0",
    "NESTLINE_WEB_CONNECTIONS_PER_CLIENT": "100000",
    "NESTLINE_WEB_OPEN_GAMES_PER_CLIENT": "1000000",
    "NESTLINE_WEB_BYTES_PER_DAY": "0",
    "NESTLINE_WEB_GAMES_PER_CONNECTION": "1000",
    "NESTLINE_WEB_ENGINE_SECONDS_PER_MINUTE": "100000",
    "NESTLINE_WEB_ANALYSIS_SECONDS": "600",
    "NESTLINE_WEB_LEASE_SECONDS": "1",
    "NESTLINE_WEB_BUILD_TABLES": "no",
}
"""Settings that keep limits out of the way of tests that do not test them."""


def usual_limits() -> dict[str, str]:
    """The default limits, for servers that are attacked; no connection comes from a proxy."""
    from nestline.web.settings import Settings, variables

    kept = ("NESTLINE_WEB_BUILD_TABLES", "NESTLINE_WEB_LEASE_SECONDS")
    usual = {
        name: str(getattr(Settings(), field))
        for field, name in variables().items()
        if name in GENEROUS and name not in kept
    }
    return {**usual, "NESTLINE_WEB_TRUSTED_PROXIES": "192.0.2.1"}


class Server:
    """One server process; `url` is where it listens."""

    ssl = None

    def __init__(
        self, database: str, tables: Path, settings: Mapping[str, str] | None = None,
        workers: int = 1,
    ) -> None:  # fmt: skip
        self._arguments = ["--database", database, "--tables", str(tables), "--port", "0"]
        if workers > 1:
            self._arguments += ["--workers", str(workers)]
        self.database = database
        self._looks = 1 if workers == 1 else 10 * workers
        """How many answers to await, so that every worker process has answered."""
        self._environment = {**os.environ, **GENEROUS, **(settings or {})}
        self.log: list[str] = []
        self.start()

    def start(self) -> None:
        """Start or restart, on any free port."""
        self.port = 0
        errors, there = os.pipe()
        self.process = start_server(*self._arguments, environment=self._environment, errors=there)
        os.close(there)
        listening = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(errors, listening))
        self._reader.start()
        try:
            assert listening.wait(3 * WAIT), "the server does not listen"
            # Worker processes start some time after the address has been announced.
            wait_for(self._answers, 3 * WAIT)
        except BaseException as error:
            self.kill()
            raise AssertionError("the server did not start:\n" + "\n".join(self.log)) from error

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server ended"
        try:
            looks = range(self._looks)
            return all(self.get("/healthz").status_code == 200 for _ in looks)
        except httpx.TransportError:
            return False

    def _read(self, errors: int, listening: threading.Event) -> None:
        with open(errors, encoding="utf-8") as lines:
            self._read_lines(lines, listening)

    def _read_lines(self, lines: Iterable[str], listening: threading.Event) -> None:
        for line in lines:
            self.log.append(line.rstrip())
            if found := re.search(r"running on http://[^:]+:(\d+)", line):
                self.port = int(found[1])
            if self.port and "Uvicorn running" in line:
                listening.set()
        listening.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/api/v1/socket"

    def kill(self) -> None:
        """Kill it and every process it has started, as a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join()

    def stop(self, seconds: float = WAIT) -> int:
        """Ask it to stop, as an operator would; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
            self._reader.join()
            return status
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Get any address, inside or outside the API."""
        return httpx.get(f"{self.url}{path}", headers=headers, timeout=WAIT, verify=False)

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """An HTTP client for the API, with these headers besides its token."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        # Loading certificates, which nobody needs here, would take longer than most requests.
        return httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=WAIT, verify=False
        )


class Refused(Exception):
    """The server said no."""

    def __init__(self, status: int, facts: Facts) -> None:
        super().__init__(f"{status} {facts}")
        self.status = status
        self.code: str = facts["code"]
        self.message: str = facts["message"]
        self.facts = facts


def checked(response: httpx.Response) -> Any:
    """The answer; raises `Refused` if it is a refusal."""
    if response.status_code >= 400:
        raise Refused(response.status_code, response.json()["error"])
    if response.headers["content-type"].startswith("application/json"):
        return response.json()
    return response.text


def create(server: Server, **request: Any) -> Facts:
    """Create a game: its state, tokens and invitations."""
    with server.client() as client:
        return checked(client.post("/games", json=request))  # type: ignore[no-any-return]


class Player:
    """A WebSocket client that keeps everything it receives."""

    def __init__(
        self, server: Any, origin: str | None = None, query: str = "", **headers: str
    ) -> None:
        self.received: list[str] = []
        self._asked = 0
        address = f"{server.socket_url}{query and '?' + query}"
        if origin:
            headers["Origin"] = origin
        self._stack = ExitStack()
        opening = connect(
            address, additional_headers=headers, max_size=None, compression=None,
            open_timeout=WAIT, close_timeout=WAIT, ping_interval=None, ssl=server.ssl,
        )  # fmt: skip
        self.socket: ClientConnection = self._stack.enter_context(opening)

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def receive(self, seconds: float = WAIT) -> Facts:
        text = self.socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.received.append(text)
        return json.loads(text)  # type: ignore[no-any-return]

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def ask(self, **message: Any) -> Facts:
        """Send a message and return its answer; what comes in between is kept in `received`."""
        self._asked += 1
        self.send(**message, ask=self._asked)
        return self.answer_to(self._asked)

    def answer_to(self, ask: int) -> Facts:
        while True:
            answer = self.receive()
            if answer.get("ask") == ask:
                if answer["type"] == "error":
                    raise Refused(0, answer)
                return answer

    def watch(self, game: str, *tokens: str) -> Facts:
        return self.ask(type="watch", game=game, tokens=list(tokens))["game"]  # type: ignore[no-any-return]

    def act(self, game: str, action: str, number: int, **more: Any) -> int:
        """Do an action; returns the game's number after it."""
        done = self.ask(type="act", game=game, action=action, number=number, **more)
        return done["number"]  # type: ignore[no-any-return]

    def until(self, is_wanted: Callable[[Facts], bool], seconds: float = WAIT) -> Facts:
        """Receive messages until one matches."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.receive(end - time.monotonic())
            if is_wanted(message):
                return message
        raise TimeoutError

    def game_at(self, number: int) -> Facts:
        """Wait until the watched game has reached this number."""

        def is_there(message: Facts) -> bool:
            return bool(message["type"] == "game" and message["game"]["number"] >= number)

        return self.until(is_there)["game"]  # type: ignore[no-any-return]


def wait_for(condition: Callable[[], Any], seconds: float = WAIT) -> Any:
    """Ask again and again until the answer is true, and return it."""
    end = time.monotonic() + seconds
    while True:
        if found := condition():
            return found
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class PostgreSQL:
    """A cluster of its own in a temporary folder, owned by an ordinary user.

    It listens on a socket in that folder, so that no port can clash. Most tests need no fsync; a
    `durable` one is as slow as a real database.
    """

    def __init__(self, durable: bool = False) -> None:
        self._sync = "on" if durable else "off"
        self._programs = postgresql_programs()
        assert self._programs is not None
        self._user = "postgres" if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="nestline-postgresql-"))
        if self._user:
            import pwd

            owner = pwd.getpwnam(self._user)
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8",
                  "--locale=C", "-D", str(self._data))  # fmt: skip
        self._count = 0
        self.start()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        assert self._programs is not None
        run = subprocess.run(
            [str(self._programs / program), *arguments], user=self._user, cwd=self._folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert run.returncode == 0, run.stdout

    def start(self) -> None:
        options = (
            f"-c listen_addresses='' -k {self._folder} -c fsync={self._sync} -c max_connections=100"
        )
        self._run("pg_ctl", "start", "--wait", f"--timeout={WAIT:.0f}", "-D", str(self._data),
                  "-o", options, "-l", str(self._folder / "log"))  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "--wait", f"--timeout={WAIT:.0f}", "-m", mode,
                  "-D", str(self._data))  # fmt: skip

    def database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        self._count += 1
        name = f"games_{self._count}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def _address(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self._folder}"

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)


def postgresql_programs() -> Path | None:
    """The folder of PostgreSQL's programs, which Debian keeps out of PATH; None if missing."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


@contextmanager
def running(
    database: str, tables: Path, settings: Mapping[str, str] | None = None, workers: int = 1
) -> Iterator[Server]:
    """A server for the duration of a block, then shut down gracefully."""
    server = Server(database, tables, settings, workers)
    try:
        yield server
    finally:
        assert server.stop() == 0, "\n".join(server.log)
