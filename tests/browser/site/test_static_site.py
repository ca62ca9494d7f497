"""`nestline site`: the page on a plain file server, below a path, and without any network."""

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from browser.driver import Server, Visitor, press, square, status, wait_until
from browser.game.test_local_games import (
    STORAGE_THAT_FILLS,
    WITH_TYPING,
    WITHOUT_STORAGE,
    WITHOUT_WASM,
    expect_moves,
    expect_warning,
    type_moves,
)
from browser.screens import SHORT_GAME
from nestline.web.site.build import Site, write_site
from nestline.web.work.tablebases import Tablebases

Damages = dict[str, tuple[Callable[[Path], None], str]]
BASE = "/games/"
READY = """async () => {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  const tables = names.find((name) => name.endsWith(" tables"));
  return tables !== undefined && (await (await caches.open(tables)).keys()).length === 3;
}"""


class PlainFiles(SimpleHTTPRequestHandler):
    """Python's own file server, which ignores ranges, as some hosts do."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class's name)
        """Nobody reads it."""


class FilesInParts(PlainFiles):
    """The same with ranges, as most hosts have them."""

    def do_GET(self) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        path = Path(self.translate_path(self.path))
        if not wanted or not path.is_file():
            super().do_GET()
            return
        content = path.read_bytes()
        first, last = int(wanted[1]), min(int(wanted[2]), path.stat().st_size - 1)
        self.send_response(206)
        self.send_header("content-range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("content-length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(content[first : last + 1])


class FileServer:
    """A folder on a port of this machine."""

    def __init__(self, folder: Path, handler: type[PlainFiles]) -> None:
        self.folder = folder
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        self.is_running = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.is_running:
            self.server.shutdown()
            self.server.server_close()
        self.is_running = False


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory, standard_tables: Path) -> Path:
    """A host's folder with a site below a path."""
    folder = tmp_path_factory.mktemp("host")
    tablebases = Tablebases(str(standard_tables), build=False)
    tablebases.start()
    write_site(folder / "games", Site(BASE), tablebases)
    tablebases.close()
    return folder


@pytest.fixture
def host(written: Path) -> Iterator[FileServer]:
    running = FileServer(written, PlainFiles)
    yield running
    running.stop()


def open_site(browser: Browser, host: FileServer, *scripts: str) -> tuple[Visitor, Page]:
    """Somebody's first visit, with these scripts before the page's."""
    visitor = Visitor(browser, host)  # type: ignore[arg-type]
    for script in (WITH_TYPING, *scripts):
        visitor.context.add_init_script(script)
    page = visitor.page()
    page.goto(BASE)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return visitor, page


def begin(page: Page, rules: str, opponent: str) -> None:
    page.goto(BASE)
    page.locator(f'input[name=rules][value="{rules}"]').check(force=True)
    page.locator(f'input[name=opponent][value="{opponent}"]').check(force=True)
    press(page, "Play")
    page.locator("nest-board [role=grid]").wait_for()
    expect(page).to_have_url(re.compile(f"{BASE}game/\\?at=local-[a-z0-9]{{12}}$"))


def test_everything_works_when_the_network_is_cut(browser: Browser, host: FileServer) -> None:
    visitor, page = open_site(browser, host)
    assert page.locator('input[value="link"]').count() == 0
    begin(page, "gobblers", "screen")
    type_moves(page, *SHORT_GAME[:2])
    wait_until(page, READY)
    host.stop()
    visitor.context.set_offline(True)
    page.reload()
    assert page.evaluate("crossOriginIsolated")
    expect_moves(page, *SHORT_GAME[:2])
    type_moves(page, *SHORT_GAME[2:])
    expect(status(page)).to_contain_text("P1 wins")
    press(page, "Review")
    expect(page.locator(".review .remark")).to_contain_text("Exact")
    page.goto(f"{BASE}study/?rules=gobblers")
    expect(page.locator(".value")).to_contain_text("P1 wins in 13")
    page.locator('.chip[data-move="3b2"]').click()
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    page.go_back()
    expect(square(page, "b2")).to_have_accessible_name("b2: empty")
    begin(page, "gobblet", "computer")
    type_moves(page, "4a1")
    expect(page.locator("nest-moves button.move")).to_have_count(3)
    open_record(page, '[Rules "gobblers"] [Event "Club"] 1. 3b2 (1. 1a1) 1. ... 2b2')
    expect(page.locator("dialog .problem")).to_have_text(
        "Line 1: move 1 of P2: 2b2: b2 shows a size 3; a size 2 can only land on smaller pieces."
    )
    open_record(page, '[Rules "gobblers"] [Event "Club"] 1. 3b2 {middle} 3 a1')
    expect_moves(page, "3b2", "3a1")
    page.reload()
    expect_moves(page, "3b2", "3a1")
    for view, words in (("learn", "Learn"), ("puzzles", "Puzzle"), ("rules", "Rules")):
        page.get_by_role("link", name=words).first.click()
        expect(page).to_have_url(re.compile(f"{BASE}{view}/"))
        expect(page.get_by_role("heading").first).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading").first).to_be_visible()
    visitor.close()


def open_record(page: Page, text: str) -> None:
    # A solved game, about which the engine does not think meanwhile.
    page.goto(f"{BASE}study/?rules=tictactoe")
    press(page, "Paste")
    page.get_by_label("Position or record").fill(text)
    press(page, "Open")


@pytest.mark.parametrize(
    "handler", [PlainFiles, FilesInParts], ids=["without ranges", "with ranges"]
)
def test_a_site_knows_its_views_without_a_service_worker(
    browser: Browser, written: Path, handler: type[PlainFiles]
) -> None:
    host = FileServer(written, handler)
    visitor, page = open_site(browser, host, "delete Navigator.prototype.serviceWorker")
    answers: list[Response] = []
    visitor.context.on("response", lambda answer: answers.append(answer))
    page.goto(f"{BASE}study/?rules=gobblers")
    expect(page.locator(".study .remark")).to_contain_text("Exact: this game is solved.")
    statuses = {answer.status for answer in answers if answer.url.endswith(".table")}
    assert (206 in statuses) == (handler is FilesInParts)
    for address in ("study/?rules=tictactoe&moves=b2", "rules/?at=gobblet", "help/", "about/"):
        page.goto(BASE + address)
        expect(page.locator("main h1, main h2").first).to_be_visible()
        expect(page.locator("main")).not_to_contain_text(re.compile("That did not work|Not found"))
    page.goto(f"{BASE}game/?at=abcdefgh")
    expect(page.locator("main")).to_contain_text("This site has no games by link.")
    page.goto(f"{BASE}embed/?at=abcdefgh")
    expect(page.locator("main")).to_contain_text("This site has no games by link.")
    visitor.expected = ("Failed to load resource", "Failed to fetch dynamically imported module")
    page.route("**/pages/help.js", lambda route: route.abort())
    page.goto(f"{BASE}help/")
    expect(page.locator("main")).to_contain_text("A part of this page cannot be loaded.")
    page.route("**/start/view.js", lambda route: route.abort())
    page.goto(BASE)
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    expect(page.get_by_text("If it stays like this, please load it again.")).to_be_visible()
    visitor.close()
    host.stop()


def test_a_new_version_is_whole_or_not_there(
    browser: Browser, written: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "host"
    shutil.copytree(written, folder)
    host = FileServer(folder, PlainFiles)
    visitor, page = open_site(browser, host)
    visitor.expected = ("integrity", "Failed to load resource")
    wait_until(page, READY)
    old = page.locator("script[type=module]").get_attribute("src")
    site = folder / "games"
    worker = (site / "service-worker.js").read_text("utf-8")
    first, rest = worker.split("\n", 1)
    told = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    # A file that is not as the new version says: it is not installed, and the old one stays.
    half = told | {"version": "half", "files": told["files"] | {"index.html": "sha256-AAAA"}}
    (site / "service-worker.js").write_text(f"const SITE = {json.dumps(half)};\n{rest}", "utf-8")
    page.evaluate("async () => (await navigator.serviceWorker.ready).update().catch(() => null)")
    wait_until(
        page,
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          return registration.installing === null && registration.waiting === null;
        }""",
    )
    assert not any("half" in name for name in page.evaluate("caches.keys()"))
    again = visitor.page()
    again.goto(BASE)
    assert again.locator("script[type=module]").get_attribute("src") == old
    # A whole one is offered; all tabs have it at once, also that of the first visit.
    changed = (site / "index.html").read_text("utf-8").replace("<title>", "<title>New ")
    (site / "index.html").write_text(changed, "utf-8")
    tablebases = Tablebases(str(tmp_path), build=False)
    write_site(tmp_path / "next", Site(BASE), tablebases)
    shutil.rmtree(site)
    shutil.move(tmp_path / "next", site)
    other, third = visitor.page(), visitor.page()
    # It takes as long as the new version's installation, which may be over when somebody agrees.
    third.add_init_script("navigator.serviceWorker.register = () => new Promise(() => null)")
    for each in (other, third):
        each.goto(f"{BASE}help/")
        expect(each.locator("h1")).to_be_visible()
        assert each.locator("script[type=module]").get_attribute("src") == old
    # While a look for updates is busy with the half version, another one only joins it.
    wait_until(
        page,
        """async () => {
          await (await navigator.serviceWorker.ready).update().catch(() => null);
          return document.querySelector(".new-version") !== null;
        }""",
    )
    # Before somebody agrees, yet another one takes its place.
    with (site / "service-worker.js").open("a", encoding="utf-8") as script:
        script.write("// the next one")
    page.evaluate("""async () => {
      const registration = await navigator.serviceWorker.ready;
      const first = registration.waiting;
      await registration.update();
      while (registration.waiting === first) await new Promise((done) => setTimeout(done, 20));
    }""")
    press(page, "Load it")
    for each in (page, again, other, third):
        expect(each.locator("script[type=module]")).not_to_have_attribute("src", str(old))
        expect(each.locator("h1").first).to_be_visible()
    visitor.close()
    host.stop()


def test_a_page_that_was_thrown_away_comes_from_the_host(
    browser: Browser, written: Path, tmp_path: Path
) -> None:
    """Browsers may empty a site's cache and keep its service worker; the host goes on meanwhile."""
    folder = tmp_path / "host"
    shutil.copytree(written, folder)
    host = FileServer(folder, PlainFiles)
    visitor, page = open_site(browser, host)
    visitor.expected = ("integrity", "Failed to find a valid digest")
    wait_until(page, READY)
    gone = {"origin": host.address, "storageTypes": "cache_storage"}
    visitor.context.new_cdp_session(page).send("Storage.clearDataForOrigin", gone)
    file = folder / "games" / "index.html"
    file.write_text(file.read_text("utf-8").replace("<main", '<main data-next=""'), "utf-8")
    page.reload()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator("main[data-next]")).to_be_visible()
    visitor.close()
    host.stop()


def test_a_game_outlives_the_service_worker(browser: Browser, host: FileServer) -> None:
    """On a full disk Chromium throws away all that it has stored; the game is in memory then."""
    visitor, page = open_site(browser, host, STORAGE_THAT_FILLS)
    wait_until(page, READY)
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    begin(page, "gobblers", "screen")
    page.evaluate("window.isFull = true")
    type_moves(page, "3b2")
    expect_warning(page, "This browser's storage is full")
    session = visitor.context.new_cdp_session(page)
    gone = {"origin": host.address, "storageTypes": "service_workers,cache_storage"}
    session.send("Storage.clearDataForOrigin", gone)
    wait_until(page, "async () => navigator.serviceWorker.controller === null")
    type_moves(page, "3a1")
    expect_moves(page, "3b2", "3a1")
    visitor.close()


def spoil(path: Path, *places: int) -> None:
    content = bytearray(path.read_bytes())
    for place in places:
        content[place] ^= 1
    path.write_bytes(content)


def spoil_header(path: Path) -> None:
    spoil(path, 60)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def spoil_blocks(path: Path) -> None:
    """All of them; some thousand follow the header and the index."""
    spoil(path, *range(1 << 16, path.stat().st_size, 512))


@pytest.mark.parametrize(
    "damages",
    [
        {
            "gobblers": (spoil_header, "the checksum of its header does not fit"),
            "gobblers-official": (cut_off, "it is cut off inside its header"),
        },
        {"gobblers": (spoil_blocks, "is not as written")},
    ],
    ids=["headers", "blocks"],
)
def test_with_a_damaged_table_the_engine_judges(
    browser: Browser, written: Path, tmp_path: Path, damages: Damages
) -> None:
    folder = tmp_path / "host"
    shutil.copytree(written, folder)
    for rules, (damage, _) in damages.items():
        (table,) = (folder / "games" / "tables").glob(f"{rules}-[0-9a-f]*.table")
        damage(table)
    host = FileServer(folder, PlainFiles)
    visitor, page = open_site(browser, host)
    # The service worker does not keep such a file.
    visitor.expected = ("integrity", "Failed to load resource", "Failed to find a valid digest")
    for rules, (_, problem) in damages.items():
        page.goto(f"{BASE}study/?rules={rules}&moves=1a1")
        expect(page.locator(".study .remark")).to_contain_text("Engine, depth")
        expect(page.locator(".study .remark")).to_contain_text(problem)
    page.goto(f"{BASE}study/?rules=tictactoe")
    expect(page.locator(".study .remark")).to_contain_text("Exact: this game is solved.")
    visitor.close()
    host.stop()


def cut_engine(site: Path) -> None:
    (file,) = site.glob("static/*/engine/nestline.wasm")
    file.write_bytes(file.read_bytes()[:10_000])


def forbid_wasm(site: Path) -> None:
    for page in site.rglob("index.html"):
        source = page.read_text("utf-8")
        page.write_text(source.replace("&#x27;wasm-unsafe-eval&#x27;", ""), "utf-8")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (cut_engine, "The engine cannot be loaded: its file is damaged."),
        (forbid_wasm, "The engine cannot run in this browser, which does not allow WebAssembly."),
    ],
)
def test_an_engine_that_cannot_run_is_told(
    browser: Browser, written: Path, tmp_path: Path, damage: Callable[[Path], None], sentence: str
) -> None:
    folder = tmp_path / "host"
    shutil.copytree(written, folder)
    damage(folder / "games")
    host = FileServer(folder, PlainFiles)
    visitor, page = open_site(browser, host, "delete Navigator.prototype.serviceWorker")
    visitor.expected = ("Content Security Policy", "policy violated: script-src")
    press(page, "Play")
    expect(page.locator("main")).to_contain_text(sentence)
    for view in ("study/?rules=gobblers", "learn/", "puzzles/?at=gobblers"):
        page.goto(BASE + view)
        expect(page.locator("main")).to_contain_text(sentence)
    for view, title in (("rules/?at=gobblers", "Gobblet Gobblers"), ("help/", "Help")):
        page.goto(BASE + view)
        expect(page.locator("h1")).to_contain_text(title)
    visitor.close()
    host.stop()


def test_what_a_browser_refuses_is_told(browser: Browser, written: Path) -> None:
    """A browser that stores nothing plays on; one without WebAssembly says so."""
    host = FileServer(written, PlainFiles)
    visitor, page = open_site(browser, host)
    page.add_init_script(f"""
      {WITHOUT_STORAGE}
      Object.defineProperty(window, "caches", {{ get() {{ throw new Error(); }} }});
      navigator.serviceWorker.register = () => Promise.reject(new Error("refused"));
    """)
    begin(page, "gobblers", "screen")
    expect_warning(page, "This browser does not store anything")
    type_moves(page, "3b2", "3a1")
    expect_moves(page, "3b2", "3a1")
    page.reload()
    expect(page.locator("main")).to_contain_text("This browser does not open its storage now")
    page = visitor.page()
    page.add_init_script(WITHOUT_WASM)
    page.goto(BASE)
    press(page, "Play")
    sentence = "The engine cannot run in this browser, which does not allow WebAssembly."
    expect(page.locator("main")).to_contain_text(sentence)
    page.goto(f"{BASE}study/?rules=gobblers")
    expect(page.locator("main")).to_contain_text(sentence)
    page.goto(f"{BASE}rules/?at=gobblers")
    expect(page.locator("main")).to_contain_text("Gobblet Gobblers")
    visitor.close()
    host.stop()


def test_friends_meet_on_a_server_elsewhere(
    browser: Browser, standard_tables: Path, tmp_path: Path
) -> None:
    host = FileServer(tmp_path, PlainFiles)
    server = Server(tmp_path, standard_tables)
    server.environment["NESTLINE_WEB_ORIGINS"] = host.address
    tablebases = Tablebases(str(tmp_path), build=False)
    write_site(tmp_path / "games", Site(BASE, server.address), tablebases)
    server.start()
    try:
        visitor, page = open_site(browser, host)
        visitor.elsewhere = server.address
        begin_by_link(page)
        link = page.get_by_label("Invitation link").input_value()
        assert link.startswith(f"{host.address}{BASE}game/?at=")
        friend = Visitor(browser, host, elsewhere=server.address)  # type: ignore[arg-type]
        friend.context.add_init_script(WITH_TYPING)
        there = friend.page()
        there.goto(link)
        expect(status(there)).to_contain_text("P1")
        type_moves(page, "3b2")
        expect(square(there, "b2")).to_have_accessible_name("b2: P1 large")
        type_moves(there, "3a1")
        expect(square(page, "a1")).to_have_accessible_name("a1: P2 large")
        visitor.close()
        friend.close()
    finally:
        server.stop()
        host.stop()


def begin_by_link(page: Page) -> None:
    page.locator('input[name=rules][value="gobblers"]').check(force=True)
    page.locator('input[name=opponent][value="link"]').check(force=True)
    page.get_by_text("More choices").click()
    page.locator("select[name=side]").select_option("first")
    press(page, "Get the link")
