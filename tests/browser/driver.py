"""Starts servers and a browser, and knows where things are on the page.

The tests say what is expected of the page; `screens` lists its screens.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from support.forks import Fork, start_server
from support.ports import free_port

ROOT = Path(__file__).parents[2]
NODE_FOLDER = ROOT / ".venv" / "node" / "node_modules"
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
HEADLESS_SHELL = shutil.which("chromium-headless-shell")
"""Chromium without windows, which takes a fifth less CPU time; it cannot show notifications."""
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SIDEWAYS, NARROW = {"width": 844, "height": 390}, {"width": 320, "height": 640}
HANDHELD = (PHONE, SIDEWAYS, NARROW)
START_SECONDS = 400
TIMEOUT = 90_000
"""Milliseconds to wait for something on the page, long enough for any busy machine."""
ONE_PROCESS = "--process-per-site"
"""All pages of a visitor share a process, which compiles the page's modules only once."""


expect.set_options(timeout=TIMEOUT)


def launch(
    playwright: Playwright, *options: str, program: str | None = HEADLESS_SHELL or CHROMIUM
) -> Browser:
    """The system's Chromium; it cannot use its sandbox where tests run as root."""
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *options])


class Server:
    """`nestline web` as a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, tables: Path | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "NESTLINE_WEB_DATABASE": str(folder / "games.sqlite3"),
            "NESTLINE_WEB_REQUESTS_PER_SECOND": "0",
            "NESTLINE_WEB_MESSAGES_PER_SECOND": "0",
            "NESTLINE_WEB_ENGINE_SECONDS_PER_MINUTE": "10000",
            "NESTLINE_WEB_OPEN_GAMES_PER_CLIENT": "100000",
            "NESTLINE_WEB_SHUTDOWN_SECONDS": "1",
        }
        if tables:
            self.environment["NESTLINE_WEB_TABLES"] = str(tables)
        else:
            self.environment["NESTLINE_WEB_BUILD_TABLES"] = "no"
        self.process: Fork | subprocess.Popen[bytes] | None = None
        # Kept-alive connections would not survive a restart; making a new client is slow.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(base_url=self.address, timeout=60, limits=limits)

    def start(self, sign_of_life: str = "/healthz") -> None:
        with open(self.folder / "server.log", "ab") as log:
            self.process = start_server(
                "--port", str(self.port), environment=self.environment,
                output=log.fileno(), errors=log.fileno(),
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                if self.client.get(sign_of_life, timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop(signal.SIGKILL)
        raise AssertionError((self.folder / "server.log").read_text("utf-8")[-2000:])

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process:
            # A process that has ended by itself still has to be waited for.
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request from a new visitor: players' cookies bar them from study."""
        self.client.cookies.clear()
        answer = self.client.request(method, path, **options)
        assert answer.is_success, answer.text
        return answer

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask("POST", f"/api/v1{path}", json=body, headers=headers).json()

    def get(self, path: str) -> Any:
        return self.ask("GET", f"/api/v1{path}").json()

    def create(self, **body: Any) -> tuple[str, dict[str, str], dict[str, str]]:
        """Create a game: its id, tokens and invitations. Nothing is hidden unless asked for."""
        if "record" not in body:
            body.setdefault("visibility", "open")
        made = self.post("/games", body)
        return made["game"]["id"], made["tokens"], made.get("invitations", {})

    def act(self, game: str, token: str, action: str, **fields: Any) -> Any:
        number = self.get(f"/games/{game}")["number"]
        body = {"action": action, "number": number, **fields}
        return self.post(f"/games/{game}/actions", body, token)

    def play(self, game: str, token: str, *moves: str) -> None:
        number = self.get(f"/games/{game}")["number"]
        for move in moves:
            body = {"action": "move", "move": move, "number": number}
            number = self.post(f"/games/{game}/actions", body, token)["number"]


class Visitor:
    """One person's browser, which records everything that should not happen."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        viewport: Mapping[str, int] = DESKTOP,
        scheme: str = "light",
        motion: str = "reduce",
        elsewhere: str | None = None,
    ) -> None:
        self.server = server
        self.elsewhere = elsewhere  # another host that the page may ask
        self.context: BrowserContext = browser.new_context(
            base_url=server.address,
            viewport={"width": viewport["width"], "height": viewport["height"]},
            has_touch=viewport in HANDHELD,
            is_mobile=viewport in HANDHELD,
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
        )
        self.context.set_default_timeout(TIMEOUT)
        self._resting_place: Page | None = None
        self._begin()

    def _begin(self) -> None:
        self.problems: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.requests: list[str] = []
        self._scripts: list[str] = []

    def page(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda message: self._console(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', "
            "event => console.error('policy violated: ' + event.violatedDirective))"
        )
        for script in self._scripts:
            page.add_init_script(script)
        return page

    def hold(self, game: str, *tokens: str) -> None:
        """Give this browser seats in a game."""
        seats = json.dumps({game: list(tokens)})
        self.run_first(
            "{ const held = JSON.parse(localStorage.getItem('nestline.seats') ?? '{}');"
            f"localStorage.setItem('nestline.seats', JSON.stringify({{...{seats}, ...held}})); }}"
        )

    def run_first(self, script: str) -> None:
        """Run a script before those of every page that this visitor opens from now on."""
        self._scripts.append(script)

    def prefer(self, **preferences: Any) -> None:
        """Set preferences of this browser, as its settings dialog does."""
        chosen = json.dumps(json.dumps(preferences))
        self.run_first(
            f"localStorage.getItem('nestline.preferences') ?? "
            f"localStorage.setItem('nestline.preferences', {chosen})"
        )

    def open_game(self, game: str, *tokens: str) -> Page:
        if tokens:
            self.hold(game, *tokens)
        page = self.page()
        page.goto(f"/game/{game}")
        page.locator("nest-board [role=grid]").wait_for()
        return page

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(part in text for part in self.expected):
            self.problems.append(f"{kind}: {text}")

    def _request(self, url: str) -> None:
        self.requests.append(url)
        known = (self.server.address, self.elsewhere or "data:", "data:", "blob:", "ws://127.0.0.1")
        if not url.startswith(known):
            self.problems.append(f"asks another host: {url}")

    def close(self) -> None:
        self.context.close()
        assert not self.problems, self.problems

    def leave(self) -> None:
        """Make room for the next visitor, who has been nowhere yet.

        A context of its own would be a process of its own, which takes longer than most tests. An
        open page keeps the process alive.
        """
        pages = [page for page in self.context.pages if page is not self._resting_place]
        if self._resting_place is None:
            self._resting_place = self.context.new_page()
            self._resting_place.goto("/static/icon.svg")
        for page in pages:
            page.close()
        self.context.clear_cookies()
        browser = self.context.new_cdp_session(self._resting_place)
        everything = {"origin": self.server.address, "storageTypes": "all"}
        browser.send("Storage.clearDataForOrigin", everything)
        browser.detach()
        problems = self.problems
        self._begin()
        assert not problems, problems


def wait_until(page: Page, condition: str) -> None:
    """Wait for a condition, an asynchronous function in the page.

    Playwright's `wait_for_function` takes the promise itself for the answer, and never waits.
    """
    deadline = time.monotonic() + TIMEOUT / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"it never came true: {condition}"
        page.wait_for_timeout(100)


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def handle(page: Page, name: str) -> Locator:
    """The button that takes from a reserve: `first:2` is the third size or stack."""
    return page.locator(f'[data-handle="{name}"]')


def status(page: Page) -> Locator:
    return page.locator(".status")


def setup_of(page: Page) -> Any:
    """How the game on the page, which lives in this browser, was set up."""
    return page.evaluate("""() => new Promise((resolve) => {
      indexedDB.open("nestline").onsuccess = ({ target }) => {
        const games = target.result.transaction("games").objectStore("games");
        games.get(location.pathname.split("/").at(-1)).onsuccess = (event) => {
          target.result.close();
          resolve(event.target.result.setup);
        };
      };
    })""")


def more_choices(page: Page) -> None:
    """Unfold what the start page folds."""
    page.get_by_text("More choices").click()


def choose_level(page: Page, level: str) -> None:
    """Move the slider of the start page to a level."""
    name = page.locator("input[name=rules]:checked").get_attribute("value")
    levels = page.evaluate(
        "async name => (await (await fetch(`/api/v1/rules/${name}`)).json()).levels", name
    )
    page.get_by_label("Strength").fill(str(levels.index(level)))


def press(page: Page, *labels: str) -> None:
    """Press the buttons with these labels; some are in the menu of a game."""
    for label in labels:
        button = page.get_by_role("button", name=label, exact=True)
        more = page.get_by_role("button", name="More", exact=True)
        expect(button.or_(more).first).to_be_visible()
        if not button.count():
            open_menu(page)
        button.click()


def open_menu(page: Page) -> None:
    """Show the buttons of a game that are used less often."""
    more = page.get_by_role("button", name="More", exact=True)
    if more.get_attribute("aria-expanded") == "false":
        more.click()


def let_play(page: Page, colour: str, player: str) -> None:
    """Let a person or a level of the computer play a side."""
    press(page, f"Change who plays {colour}")
    dialog = page.get_by_role("dialog")
    dialog.locator(f'input[value="{player}"]').check()
    dialog.get_by_role("button", name="Done").click()
